// How many steps a Span is: a whole number, or InputError.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "extremal/error.hpp"
#include "extremal/run.hpp"

namespace extremal {

// As one would write it: 0.01 for -0.01.
inline std::string negated(const std::string& text) {
  const bool plain = text.find_first_not_of("-0123456789.") == std::string::npos;
  return plain && text.starts_with('-') ? text.substr(1) : plain ? "-" + text : "-(" + text + ")";
}

inline constexpr double most_steps = 9007199254740992;  // 2^53

template <class S>
long long whole_steps(const Number& begin, const Span& span) {
  const S h = span.step.as<S>(), length = span.until.as<S>() - begin.as<S>();
  if (!(math::abs(h) > S(0)))
    throw InputError("span: step is " + span.step.text() + "; expected a number other than 0");
  if (span.every < 1) throw InputError(fmt::format("span: every is {}; expected 1 or more", span.every));
  const double count = static_cast<double>(length / h);
  const double steps = std::round(count);
  if (count < 0)
    throw InputError(fmt::format("span: a step of {} leads away from until = {}; try step = {}", span.step.text(),
                                 span.until.text(), negated(span.step.text())));
  // Decimal text is rounded once per number: a relative error of some epsilons is no fraction of a step.
  if (std::fabs(count - steps) > 1e-9 * std::max(1.0, count))
    throw InputError(fmt::format("span: until = {} is {:.6g} steps of {}; expected a whole number; try step = {:.6g}",
                                 span.until.text(), count, span.step.text(),
                                 static_cast<double>(length) / std::max(1.0, std::ceil(count))));
  // More are not counted one by one in a double, nor taken in a lifetime.
  if (!(steps <= most_steps))
    throw InputError(fmt::format("span: until = {} is {:.6g} steps of {}; expected at most {:.0f}", span.until.text(),
                                 count, span.step.text(), most_steps));
  return static_cast<long long>(steps);
}

}  // namespace extremal
