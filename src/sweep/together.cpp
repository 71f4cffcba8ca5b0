#include <algorithm>
#include <cmath>

#include "extremal/ensemble.hpp"
#include "run/failure.hpp"
#include "run/recorder.hpp"
#include "run/span.hpp"
#include "sweep/rows.hpp"

namespace extremal::sweep {
namespace {

// One run of the block, and what is recorded of it.
struct Companion {
  SweepRun run;
  double *fields, *rows;
  int member = -1;    // of the ensemble; none if it was refused
  bool lost = false;  // what was seen of it is not finite
  std::string message;
  Run<double> record;
  std::unique_ptr<Recorder<double>> recorder;
  std::unique_ptr<RowKeeper<double>> keeper;
  std::vector<RowSink<double>*> sinks;
};

void begin(const Sweep& sweep, Companion& one, Ensemble& ensemble, long long steps) {
  one.recorder = std::make_unique<Recorder<double>>(one.run.system, *one.run.scheme, one.run.span, one.run.observers,
                                                    one.record, steps);
  one.keeper = std::make_unique<RowKeeper<double>>(sweep, one.rows);
  one.sinks = {one.keeper.get()};
  one.keeper->begin(one.record, one.recorder->columns());
  one.recorder->begin(ensemble.motion(one.member), one.sinks);
}

void end(const Sweep& sweep, Companion& one, Ensemble& ensemble, long long steps) {
  const bool failed = one.lost || ensemble.failed(one.member);
  const double h = one.run.span.step.as<double>(), t = ensemble.state(one.member).t;
  const long long taken = one.lost ? one.record.steps
                          : failed ? std::llround((t - one.run.start.t.as<double>()) / h)
                                   : steps;
  if (failed && !one.lost) one.message = failure_text(taken + 1, t, h, ensemble.report(one.member));
  // Seen at its rows only: where that raises a doubt, the same run, watched at every step, has the last word.
  if (!failed && one.recorder->doubtful())
    one.message = run<double>(one.run.system, *one.run.scheme, one.run.start, one.run.span, {.collect = false}).reason;
  const bool suspect = !failed && !one.message.empty();
  if (failed && sweep.only_end()) std::fill(one.rows, one.rows + sweep.columns().size(), nothing);
  double* fields = one.fields;
  fields[status] = static_cast<double>(failed ? Outcome::failed : suspect ? Outcome::suspect : Outcome::complete);
  fields[row_count] = sweep.only_end() ? (failed ? 0 : 1) : static_cast<double>(one.keeper->count());
  fields[Field::steps] = static_cast<double>(taken);
  for (const Field f : {newton_max, fallbacks, retries, singular}) fields[f] = 0;
  fields[energy_max_error] = one.record.energy_max_error;
  fields[constraint_max] = one.record.constraint_max;
  fields[hidden_max] = one.record.hidden_max;
}

}  // namespace

bool run_together(const Sweep& sweep, const std::atomic<bool>* stop, BlockResult& out) {
  const std::size_t width = run_width(sweep);
  std::vector<Companion> all(out.count);
  std::vector<Ensemble::Member> members;
  for (std::uint64_t k = 0; k < out.count; ++k) {
    Companion& one = all[k];
    one.fields = out.numbers.data() + k * width;
    one.rows = one.fields + field_count;
    for (const Number& value : sweep.values(out.first + k)) *one.rows++ = value.as<double>();
    try {
      one.run = sweep.run(out.first + k);
      one.member = static_cast<int>(members.size());
      members.push_back({one.run.system, one.run.start, one.run.span.step.as<double>()});
    } catch (const InputError& error) {
      one.message = error.what();
    }
  }
  if (!members.empty()) {
    const auto first = std::find_if(all.begin(), all.end(), [](const Companion& one) { return one.member >= 0; });
    const long long steps = whole_steps<double>(first->run.start.t, first->run.span), every = first->run.span.every;
    Ensemble ensemble(*first->run.scheme, members);
    for (Companion& one : all) {
      if (one.member < 0) continue;
      if (const std::string& refusal = ensemble.refused(one.member); !refusal.empty())
        one.message = refusal, one.member = -1;
      else
        begin(sweep, one, ensemble, steps);
    }
    // At most so many steps between two looks at `stop`.
    constexpr long long patience = 4096;
    for (long long k = 0; k < steps;) {
      if (stop != nullptr && stop->load(std::memory_order_relaxed)) return false;
      const long long row = sweep.only_end() ? steps : std::min(steps, (k / every + 1) * every);
      const long long to = std::min(row, k + patience);
      ensemble.step(to - k);
      k = to;
      if (k != row) continue;
      for (Companion& one : all)
        if (one.member >= 0 && !one.lost && !ensemble.failed(one.member)) {
          one.record.steps = k;
          Stepper<double>& motion = ensemble.motion(one.member);
          if (!one.recorder->step(motion, k, one.run.span.step.as<double>(), 0, true))
            one.lost = true, one.message = sight_text(k, motion);
        }
    }
    for (Companion& one : all)
      if (one.member >= 0) end(sweep, one, ensemble, steps);
  }
  for (std::uint64_t k = 0; k < out.count; ++k) {
    if (all[k].member < 0) mark_refused(all[k].fields, all[k].rows, out.numbers.data() + (k + 1) * width);
    out.messages += all[k].message;
    out.messages += '\0';
  }
  return true;
}

}  // namespace extremal::sweep
