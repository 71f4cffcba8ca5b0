#include "extremal/batch.hpp"

#include <cmath>
#include <limits>

#include "extremal/ensemble.hpp"
#include "extremal/error.hpp"
#include "run/record.hpp"
#include "system/evaluation.hpp"

namespace extremal {
namespace {

// At most so many steps between two looks at the flag that stops them.
constexpr long long patience = 4096;

// Those of an ensemble that were not refused; they are seen at rows only.
struct ManyMotions {
  Ensemble& ensemble;
  const std::vector<int>& members;
  const std::vector<Record<double>*>& runs;
  long long every;
  StepReport fine = {.converged = true};

  long long step(long long k) {
    const long long row = std::min(runs.front()->steps(), (k / every + 1) * every), to = std::min(row, k + patience);
    if (!runs.front()->counts_turns()) {
      ensemble.step(to - k);
      return to;
    }
    for (; k < to; ++k) {
      ensemble.step(1);
      for (std::size_t i = 0; k + 1 < row && i < runs.size(); ++i)
        if (runs[i]->going() && !ensemble.failed(members[i])) runs[i]->passed(stepper(i));
    }
    return to;
  }
  Stepper<double>& stepper(std::size_t i) { return ensemble.motion(members[i]); }
  const StepReport& report(std::size_t i) const {
    return ensemble.failed(members[i]) ? ensemble.report(members[i]) : fine;
  }
  long long failed_step(std::size_t i, long long /*k*/) {
    const double t = ensemble.state(members[i]).t, t0 = runs[i]->run().start.t.as<double>();
    return std::llround((t - t0) / runs[i]->h()) + 1;
  }
  bool watched(long long k) const { return runs.front()->row_after(k); }
};

BatchRun refusal(const InputError& error) {
  BatchRun one{.refused = true};
  one.run.reason = error.what();
  return one;
}

}  // namespace

bool fits_batch(const System& system, const Scheme& scheme, const Span& span) {
  // Work adds up over the steps, of which lanes show those of rows only.
  return span.at.empty() && !span.error_estimate && !does_work(system) && Ensemble::has_lanes(system, scheme);
}

std::vector<BatchRun> run_batch(const Scheme& scheme, const Span& span, const std::vector<BatchMember>& members,
                                const BatchOutput& output) {
  std::vector<BatchRun> all(members.size());
  if (members.empty()) return all;
  const System& system = members.front().system;
  std::vector<Output<double>> outputs;
  for (const BatchMember& member : members)
    outputs.push_back(
        {.sinks = member.sinks, .observers = output.observers, .collect = output.collect, .stop = output.stop});
  if (!fits_batch(system, scheme, span)) {
    for (std::size_t i = 0; i < members.size(); ++i) try {
        all[i].run = run<double>(members[i].system, scheme, members[i].start, span, outputs[i]);
      } catch (const InputError& error) {
        all[i] = refusal(error);
      }
    return all;
  }
  std::vector<Ensemble::Member> motions;
  motions.reserve(members.size());
  for (const BatchMember& member : members) motions.push_back({member.system, member.start, span.step.as<double>()});
  Ensemble ensemble(scheme, motions);
  const auto columns =
      std::make_shared<Columns<double>>(system, Recorder<double>::reports_own(scheme, span), false, output.observers);
  if (!output.keep.empty()) columns->keep(output.keep);
  std::vector<std::unique_ptr<Record<double>>> records(members.size());
  std::vector<Record<double>*> runs;
  std::vector<int> indices;
  for (std::size_t i = 0; i < members.size(); ++i) try {
      const int k = static_cast<int>(i);
      if (const std::string& reason = ensemble.refused(k); !reason.empty()) throw InputError(reason);
      records[i] =
          std::make_unique<Record<double>>(members[i].system, scheme, members[i].start, span, outputs[i], columns);
      if (!runs.empty() && records[i]->steps() != runs.front()->steps())
        throw InputError("batch: found runs of different lengths; expected the same number of steps in all");
      records[i]->begin(ensemble.motion(k), ensemble.consistency(k));
      runs.push_back(records[i].get());
      indices.push_back(k);
    } catch (const InputError& error) {
      records[i].reset();
      all[i] = refusal(error);
    }
  if (runs.empty()) return all;
  ManyMotions many{ensemble, indices, runs, span.every};
  advance<double>(many, runs, output.stop);
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (records[i] == nullptr) continue;
    records[i]->end(ensemble.motion(static_cast<int>(i)), false);
    all[i].run = std::move(records[i]->run());
    all[i].run.newton_mean = std::numeric_limits<double>::quiet_NaN();
  }
  return all;
}

}  // namespace extremal
