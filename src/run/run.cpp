#include "extremal/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "extremal/error.hpp"
#include "extremal/output_error.hpp"
#include "numbers/instantiate.hpp"
#include "run/failure.hpp"
#include "run/identity.hpp"
#include "run/moment.hpp"
#include "run/recorder.hpp"
#include "run/span.hpp"

namespace extremal {

namespace {

// The rows in memory: all of them, or the last.
template <class S>
class Collector : public RowSink<S> {
 public:
  Collector(Run<S>& run, bool all) : run_(run), all_(all) {}
  void row(const std::vector<S>& values) override {
    for (std::size_t c = 0; c < values.size(); ++c) {
      std::vector<S>& column = run_.columns[c].values;
      if (!all_) column.clear();
      column.push_back(values[c]);
    }
  }

 private:
  Run<S>& run_;
  const bool all_;
};

// Reads the clock about a hundred times a second, however long a step takes.
class Pace {
 public:
  bool due() {
    if (--left_ > 0) return false;
    const Clock::time_point now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    if (seconds < 0.005) stride_ = std::min(2 * stride_, 1LL << 30);
    if (seconds > 0.02) stride_ = std::max(1LL, static_cast<long long>(static_cast<double>(stride_) * 0.01 / seconds));
    left_ = stride_;
    return true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
  long long stride_ = 1, left_ = 1;
};

// The parts of a checkpoint: the stepper's, the loop's and the recorder's, and how many numbers the last two are.
template <class S>
struct Loop {
  Run<S>& run;
  Stepper<S>& stepper;
  Recorder<S>& recorder;
  const Identity& identity;
  long long iterations = 0;

  Checkpoint<S> save() const {
    Checkpoint<S> here = stepper.save();
    const std::size_t own = here.numbers.size();
    for (const long long x :
         {run.steps, iterations, static_cast<long long>(run.newton_max), run.fallbacks, run.retries, run.singular})
      here.numbers.push_back(S(x));
    for (const long long x : run.remedies.taken) here.numbers.push_back(S(x));
    for (const long long x : run.remedies.refused) here.numbers.push_back(S(x));
    for (const IdentityPart& part : identity) here.numbers.push_back(S(part.sum));
    recorder.save(here.numbers);
    here.numbers.push_back(S(static_cast<double>(here.numbers.size() - own)));
    return here;
  }

  void restore(const Checkpoint<S>& from, const std::vector<RowSink<S>*>& sinks) {
    Checkpoint<S> all = from;
    const std::size_t own = stepper.save().numbers.size();
    if (all.numbers.size() <= own || all.numbers.back() != S(static_cast<double>(all.numbers.size() - 1 - own)))
      throw InputError("checkpoint: found one of another run; expected the same system, scheme, start and span");
    all.numbers.pop_back();
    stepper.restore(all);
    NumberReader<S> reader(all.numbers, own);
    reader.take(run.steps);
    reader.take(iterations);
    reader.take(run.newton_max);
    for (long long* x : {&run.fallbacks, &run.retries, &run.singular}) reader.take(*x);
    for (long long& x : run.remedies.taken) reader.take(x);
    for (long long& x : run.remedies.refused) reader.take(x);
    for (const IdentityPart& part : identity)
      if (reader.next() != S(part.sum))
        throw InputError(std::string("checkpoint: found that of a run with another ") + part.what +
                         "; expected the same system, scheme, start and span");
    recorder.restore(reader, sinks);
    if (!reader.finished())
      throw InputError("checkpoint: found too many numbers; expected one of the same system, scheme, start and span");
  }
};

std::string no_place(long long steps, const OutputError& error) {
  return fmt::format("interrupted after step {}: {}", steps, error.what());
}

}  // namespace

template <class S>
Run<S> run(const System& system, const Scheme& scheme, const Start& start, const Span& span, const Output<S>& output) {
  Run<S> out;
  out.model = system.name();
  out.scheme = scheme.name;
  out.precision = Scalar<S>::name;
  out.version = EXTREMAL_VERSION;
  out.step = span.step;
  out.until = span.until;
  out.start = start;
  out.notes = scheme.declared.flags;
  if (system.has(Role::force) && !scheme.declared.damped.empty()) out.notes.push_back(scheme.declared.damped);

  const long long steps = whole_steps<S>(start.t, span);
  const S h = span.step.as<S>();
  for (const Number& t : span.at) {
    const S c = (t.as<S>() - start.t.as<S>()) / h;
    if (!(c >= S(-1e-9) && c <= S(steps) + S(1e-9)))
      throw InputError(fmt::format("span: asks for t = {}; expected a time between {} and {}", t.text(), start.t.text(),
                                   span.until.text()));
  }
  if (span.error_estimate && !scheme.declared.error_estimate)
    throw InputError("error estimate: " + scheme.name + " has none; expected a phase_space scheme");
  Moment("begin").pass(1);
  Stepper<S> stepper(system, scheme);
  out.consistency = stepper.start(start, h);
  if (const Consistency& c = out.consistency; c.redundant > 0)
    out.notes.push_back(fmt::format("{} redundant rows among the constraints {}; multipliers of least norm",
                                    c.redundant, fmt::join(c.dependent, ", ")));

  Recorder<S> recorder(system, scheme, span, output.observers, out, steps);
  Collector<S> collector(out, output.collect);
  std::vector<RowSink<S>*> sinks = {&collector};
  sinks.insert(sinks.end(), output.sinks.begin(), output.sinks.end());
  for (RowSink<S>* sink : sinks) sink->begin(out, recorder.columns());
  const Identity identity = identity_of(system, scheme, start, span);
  Loop<S> loop{out, stepper, recorder, identity};
  if (output.from != nullptr)
    loop.restore(*output.from, sinks);
  else
    recorder.begin(stepper, sinks);

  out.status = Status::complete;
  Pace pace;
  const Moment moment("step");
  for (long long k = out.steps + 1; k <= steps; ++k) {
    if (output.stop != nullptr && output.stop->load(std::memory_order_relaxed)) {
      out.status = Status::interrupted;
      out.reason =
          fmt::format("interrupted after step {}, t = {:.8g}", out.steps, static_cast<double>(stepper.state().t));
      break;
    }
    const StepReport report = stepper.step(h);
    if (!report.converged) {
      out.status = Status::failed;
      out.reason = failure_text(k, static_cast<double>(stepper.state().t), static_cast<double>(h), report);
      break;
    }
    out.steps = k;
    loop.iterations += report.iterations;
    out.newton_max = std::max(out.newton_max, report.iterations);
    out.fallbacks += report.fallbacks;
    if (report.retries > 0) ++out.retries;
    out.remedies.count(report);
    out.singular += report.singular;
    if (!recorder.step(stepper, k, h, report.iterations, k % span.every == 0 || k == steps)) {
      out.status = Status::failed;
      out.reason = sight_text(k, stepper);
      break;
    }
    if (!output.sinks.empty() && pace.due()) {
      try {
        for (RowSink<S>* sink : output.sinks)
          if (sink->pulse({k, steps, static_cast<double>(stepper.state().t)})) sink->checkpoint(loop.save());
      } catch (const OutputError& error) {
        out.status = Status::interrupted;
        out.reason = no_place(out.steps, error);
        break;
      }
    }
    moment.pass(k);
  }
  out.last = loop.save();
  recorder.end(stepper);
  if (out.status == Status::complete) {
    out.reason = recorder.doubt(h);
    if (!out.reason.empty()) out.status = Status::suspect;
  }
  if (out.columns[0].values.empty()) collector.row(recorder.last_row());
  out.newton_mean = out.steps > 0 ? static_cast<double>(loop.iterations) / static_cast<double>(out.steps) : 0;
  for (RowSink<S>* sink : output.sinks) {
    try {
      sink->end(out);
    } catch (const OutputError& error) {
      if (out.status == Status::complete) out.status = Status::interrupted;
      if (out.reason.empty()) out.reason = no_place(out.steps, error);
    }
  }
  return out;
}

template <class S>
const std::vector<S>& Run<S>::column(std::string_view name) const {
  for (const auto& c : columns)
    if (c.name == name) return c.values;
  std::vector<std::string> names;
  for (const auto& c : columns) names.push_back(c.name);
  throw InputError(fmt::format("run: no column \"{}\"; the columns are {}", name, fmt::join(names, ", ")));
}

template <class S>
std::string Run<S>::summary() const {
  const auto d = [](S x) { return static_cast<double>(x); };
  std::string s =
      fmt::format("{}, {}, step {}, {} steps in {}: {}\n", model, scheme, step.text(), steps, precision, name(status));
  if (!reason.empty()) s += "  " + reason + "\n";
  s += fmt::format("  energy       {:.10g}, error at most {:.3g}, drift {:.2g} +- {:.2g} per unit time\n",
                   d(energy_initial), d(energy_max_error), drift.slope, drift.slope_error);
  if (supplied != S(0) || dissipated != S(0))
    s += fmt::format("  work         {:.10g} supplied, {:.10g} dissipated; the energy error is what is left of them\n",
                     d(supplied), d(dissipated));
  if (std::any_of(columns.begin(), columns.end(), [](const auto& c) { return c.name.starts_with("lambda:"); }))
    s += fmt::format("  constraints  |g| at most {:.2g}, |G v| at most {:.2g}\n", d(constraint_max), d(hidden_max));
  for (const auto& m : momentum_error)
    s += fmt::format("  momentum     \"{}\" changed by at most {:.2g}\n", m.name, d(m.values[0]));
  s += fmt::format("  newton       {:.2f} iterations a step, at most {}", newton_mean, newton_max);
  if (fallbacks > 0) s += fmt::format(", {} starting guesses failed", fallbacks);
  if (retries > 0) s += "\n  remedies     " + remedies.text(scheme, steps);
  if (singular > 0)
    s += fmt::format("\n  singular     {} nodes close to a singular configuration: digits are lost", singular);
  for (const auto& note : notes) s += "\n  note         " + note;
  return s;
}

#define EXTREMAL_INSTANTIATE(S)                                                                   \
  template Run<S> run(const System&, const Scheme&, const Start&, const Span&, const Output<S>&); \
  template struct Run<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
