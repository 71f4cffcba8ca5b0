// How many steps a Span is, a whole number, and how long each of them; or InputError.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "extremal/error.hpp"
#include "extremal/run.hpp"

namespace extremal {

// Of paced runs, whose steps end at other times than their rows.
inline bool has_row_times(const Span& span) { return span.pace != Pace::none && span.outputs > 0; }

// As one would write it: 0.01 for -0.01.
inline std::string negated(const std::string& text) {
  const bool plain = text.find_first_not_of("-0123456789.") == std::string::npos;
  return plain && text.starts_with('-') ? text.substr(1) : plain ? "-" + text : "-(" + text + ")";
}

inline constexpr double most_steps = 9007199254740992;  // 2^53
inline constexpr int most_outputs = 2000000000;

// The lengths of the steps, which repeat one after the other.
template <class S>
std::vector<S> step_lengths(const Span& span) {
  if (span.pattern.empty()) return {span.step.as<S>()};
  std::vector<S> all;
  for (const Number& part : span.pattern) {
    if (!(part.as<quad>() > quad(0)))
      throw InputError("span: found " + part.text() + " in the pattern of steps; expected positive multiples of step");
    all.push_back(static_cast<S>(span.step.as<quad>() * part.as<quad>()));
  }
  return all;
}

// Of steps that follow a pattern: whole rounds, and then some.
inline double steps_of_pattern(const Span& span, double count) {
  double round = 0;
  for (const Number& part : span.pattern) round += part.as<double>();
  const double tolerance = 1e-9 * std::max(1.0, count), rounds = std::floor((count + tolerance) / round);
  double rest = count - rounds * round, steps = rounds * static_cast<double>(span.pattern.size());
  for (std::size_t k = 0; k < span.pattern.size() && rest > tolerance; ++k, ++steps)
    rest -= span.pattern[k].as<double>();
  if (std::fabs(rest) > tolerance)
    throw InputError(
        fmt::format("span: until = {} is in the middle of a step of the pattern; expected the end of one; try a whole "
                    "number of rounds, each of {:.10g}",
                    span.until.text(), round * span.step.as<double>()));
  return steps;
}

// What is wrong of any span; how many steps its length is, if they were alike.
template <class S>
double step_count(const Number& begin, const Span& span) {
  const S h = span.step.as<S>(), length = span.until.as<S>() - begin.as<S>();
  if (!(math::abs(h) > S(0)))
    throw InputError("span: step is " + span.step.text() + "; expected a number other than 0");
  if (span.every < 1) throw InputError(fmt::format("span: every is {}; expected 1 or more", span.every));
  const double count = static_cast<double>(length / h);
  if (count < 0)
    throw InputError(fmt::format("span: a step of {} leads away from until = {}; try step = {}", span.step.text(),
                                 span.until.text(), negated(span.step.text())));
  return count;
}

template <class S>
long long whole_steps(const Number& begin, const Span& span) {
  if (span.pace != Pace::none)
    throw InputError(std::string("span: found the ") + name(span.pace) +
                     " pace; expected steps of one length: single runs and check have paces; try pace = \"none\"");
  if (!(span.accuracy == Number(0)))
    throw InputError("span: found an accuracy of " + span.accuracy.text() +
                     "; expected a step: single runs find one for it");
  const double count = step_count<S>(begin, span);
  const S length = span.until.as<S>() - begin.as<S>();
  if (!span.pattern.empty()) {
    const std::vector<S> lengths = step_lengths<S>(span);
    const S latest = math::max(math::abs(begin.as<S>()), math::abs(span.until.as<S>()));
    for (std::size_t k = 0; k < lengths.size(); ++k)
      if (math::abs(lengths[k]) < S(64) * Scalar<S>::epsilon * latest)
        throw InputError(
            fmt::format("span: found {} in the pattern of steps, a step of {:.3g} that t = {} does not "
                        "resolve; expected longer steps",
                        span.pattern[k].text(), static_cast<double>(lengths[k]), span.until.text()));
  }
  const double steps = span.pattern.empty() ? std::round(count) : steps_of_pattern(span, count);
  // Decimal text is rounded once per number: a relative error of some epsilons is no fraction of a step.
  if (span.pattern.empty() && std::fabs(count - steps) > 1e-9 * std::max(1.0, count))
    throw InputError(fmt::format("span: until = {} is {:.6g} steps of {}; expected a whole number; try step = {:.6g}",
                                 span.until.text(), count, span.step.text(),
                                 static_cast<double>(length) / std::max(1.0, std::ceil(count))));
  // More are not counted one by one in a double, nor taken in a lifetime.
  if (!(steps <= most_steps))
    throw InputError(fmt::format("span: until = {} is {:.6g} steps of {}; expected at most {:.0f}", span.until.text(),
                                 count, span.step.text(), most_steps));
  return static_cast<long long>(steps);
}

// How many rows each of many runs has, of so many steps. Where steps are paced all have rows at the same times, or
// their last one only.
inline long long common_rows(long long steps, const Span& span, bool only_last) {
  if (only_last) return 1;
  if (span.pace == Pace::none) return 1 + (steps + span.every - 1) / span.every;
  if (span.outputs == 0)
    throw InputError(
        std::string("span: found the ") + name(span.pace) +
        " pace and rows of every so many steps, which end at other times in each run; expected outputs, at "
        "times that all have in common; try outputs = 100");
  return 1 + span.outputs;
}

// How many steps are from one of so many rows to the next.
inline int steps_of_outputs(const Number& begin, const Span& span, int rows) {
  const quad count = span.pattern.empty() ? math::abs((span.until.as<quad>() - begin.as<quad>()) / span.step.as<quad>())
                                          : static_cast<quad>(whole_steps<quad>(begin, span));
  if (!(count < quad(most_outputs))) throw InputError("found outputs of more than 2e9 steps; expected less");
  return std::max(1, static_cast<int>((count + quad(0.5)) / quad(rows)));
}

// Of steps that are paced nobody knows how many there are.
template <class S>
long long most_paced_steps(const Number& begin, const Span& span) {
  step_count<S>(begin, span);
  return static_cast<long long>(most_steps);
}

}  // namespace extremal
