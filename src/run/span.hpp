// How many steps a Span is: a whole number, or InputError.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "extremal/error.hpp"
#include "extremal/run.hpp"

namespace extremal {

template <class S>
long long whole_steps(const Number& begin, const Span& span) {
  const S h = span.step.as<S>(), length = span.until.as<S>() - begin.as<S>();
  if (!(math::abs(h) > S(0)))
    throw InputError("span: step is " + span.step.text() + "; expected a number other than 0");
  if (span.every < 1) throw InputError(fmt::format("span: every is {}; expected 1 or more", span.every));
  const double count = static_cast<double>(length / h);
  const double steps = std::round(count);
  if (count < 0)
    throw InputError(fmt::format("span: a step of {} leads away from until = {}; try step = -({})", span.step.text(),
                                 span.until.text(), span.step.text()));
  // Decimal text is rounded once per number: a relative error of some epsilons is no fraction of a step.
  if (std::fabs(count - steps) > 1e-9 * std::max(1.0, count))
    throw InputError(fmt::format("span: until = {} is {:.6g} steps of {}; expected a whole number; try step = {:.6g}",
                                 span.until.text(), count, span.step.text(),
                                 static_cast<double>(length) / std::max(1.0, std::ceil(count))));
  return static_cast<long long>(steps);
}

}  // namespace extremal
