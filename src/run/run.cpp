#include "extremal/run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "extremal/error.hpp"
#include "numbers/instantiate.hpp"
#include "run/record.hpp"

namespace extremal {

namespace {

// Every step is seen.
template <class S>
struct OneMotion {
  Stepper<S>& own;
  S h;
  StepReport last = {};

  long long step(long long k) {
    last = own.step(h);
    return k + 1;
  }
  Stepper<S>& stepper(std::size_t) { return own; }
  const StepReport& report(std::size_t) const { return last; }
  long long failed_step(std::size_t, long long k) const { return k; }
  bool watched(long long) const { return true; }
};

}  // namespace

template <class S>
Run<S> run(const System& system, const Scheme& scheme, const Start& start, const Span& span, const Output<S>& output) {
  Record<S> record(system, scheme, start, span, output, nullptr);
  if (span.error_estimate && !scheme.declared.error_estimate)
    throw InputError("error estimate: " + scheme.name + " has none; expected a phase_space scheme");
  Moment("begin").pass(1);
  Stepper<S> stepper(system, scheme);
  record.begin(stepper, stepper.start(start, record.h()));
  OneMotion<S> motion{stepper, record.h()};
  advance<S>(motion, {&record}, output.stop);
  record.run().last = record.save(stepper);
  record.end(stepper, true);
  return std::move(record.run());
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
