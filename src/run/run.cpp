#include "extremal/run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "extremal/control.hpp"
#include "extremal/error.hpp"
#include "numbers/instantiate.hpp"
#include "run/record.hpp"
#include "run/span.hpp"

namespace extremal {

namespace {

// Every step is seen.
template <class S>
struct OneMotion {
  Stepper<S>& stepper;
  Record<S>& record;
  StepReport last = {};

  // Nothing is left of a paced run that has landed.
  long long taken() const { return record.landed() ? record.steps() : record.run().steps; }
  long long step(long long k) {
    record.depart(stepper);
    last = stepper.step(record.h(k + 1));
    return k + 1;
  }
  bool watch(long long k) {
    if (last.converged)
      record.taken(stepper, k, last);
    else
      record.failed(stepper, k, last);
    return record.going() && !record.landed();
  }
  void interrupt() { record.interrupt(stepper); }
};

template <class S>
Stepper<S> stepper_of(const System& system, const Scheme& scheme, const Span& span, Record<S>& record) {
  if (span.pace == Pace::none) return Stepper<S>(system, scheme);
  auto engine = make_pace_engine<S>(system, scheme, span.pace, span.rate);
  engine->until(span.until.as<S>());
  record.follow(*engine);
  if (has_row_times(span)) record.rows_inside(make_pace_engine<S>(system, scheme, span.pace, span.rate));
  return Stepper<S>(std::move(engine));
}

template <class S>
Run<S> run_steps(const System& system, const Scheme& scheme, const Start& start, const Span& span,
                 const Output<S>& output, std::shared_ptr<const Accuracy> accuracy) {
  Record<S> record(system, scheme, start, span, output);
  record.run().accuracy = std::move(accuracy);
  if (span.error_estimate && !scheme.declared.error_estimate)
    throw InputError("error estimate: " + scheme.name + " has none; expected a phase_space scheme");
  Moment("begin").pass(1);
  Stepper<S> stepper = stepper_of(system, scheme, span, record);
  if (span.threads > 0) stepper.threads(span.threads);
  record.begin(stepper, stepper.start(start, record.h(1)));
  OneMotion<S> motion{stepper, record};
  advance(motion, record.steps(), output.stop);
  record.run().last = record.save(stepper);
  record.end(stepper);
  return std::move(record.run());
}

// With the step that the trials choose.
template <class S>
Run<S> run_accurately(const System& system, const Scheme& scheme, const Start& start, Span span,
                      const Output<S>& output) {
  AccuracyOptions options{.precision = Scalar<S>::name, .stop = output.stop};
  options.progress = [&](const Progress& progress) {
    for (RowSink<S>* sink : output.sinks) sink->trial(progress);
  };
  std::shared_ptr<const Accuracy> found;
  try {
    found = std::make_shared<const Accuracy>(find_accuracy(system, scheme, start, span, options));
  } catch (const Interrupted&) {
    Run<S> none;
    none.model = system.name();
    none.scheme = scheme.name;
    none.precision = Scalar<S>::name;
    none.version = EXTREMAL_VERSION;
    none.step = span.step;
    none.until = span.until;
    none.start = start;
    none.status = Status::interrupted;
    none.reason = "interrupted by the trials for the accuracy, before the first step";
    return none;
  }
  if (!found->found()) throw AccuracyRefused(*found);
  span.step = found->step;
  span.every = found->every;
  span.accuracy = 0;
  span.outputs = 0;
  return run_steps<S>(system, scheme, start, span, output, found);
}

}  // namespace

template <class S>
Run<S> run(const System& system, const Scheme& scheme, const Start& start, const Span& span, const Output<S>& output) {
  if (span.accuracy == Number(0)) return run_steps<S>(system, scheme, start, span, output, nullptr);
  return run_accurately<S>(system, scheme, start, span, output);
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
  std::string s = fmt::format("{}, {}, step {}{}, {} steps in {}: {}\n", model, scheme, step.text(),
                              pattern.empty() ? "" : fmt::format(" times a pattern of {}", pattern.size()), steps,
                              precision, name(status));
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
  if (accuracy != nullptr) s += "\n  " + accuracy->text();
  return s;
}

#define EXTREMAL_INSTANTIATE(S)                                                                   \
  template Run<S> run(const System&, const Scheme&, const Start&, const Span&, const Output<S>&); \
  template struct Run<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
