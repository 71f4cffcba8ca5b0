// Which term is not finite, and where: asked after something failed, never in a step.
#pragma once

#include <string>
#include <vector>

#include "extremal/system.hpp"
#include "system/start_numbers.hpp"

namespace extremal {

// A point at which terms are evaluated. Terms that need what is null are left out.
template <class S>
struct EvaluationPoint {
  S t;
  const S *q, *v, *p;
};

enum class Derivatives { none, first, second };

// `potential "well" is not a number at x = 1.0001`, or nothing if all terms are finite. Up to the given derivatives;
// values come before slopes. `if_infinite` is appended where it is an overflow. The parameters are the system's, or
// others.
template <class S>
std::string find_not_finite(const System& system, const EvaluationPoint<S>& at, Derivatives most,
                            const char* if_infinite = "");
template <class S>
std::string find_not_finite(const System& system, const std::vector<S>& parameters, const EvaluationPoint<S>& at,
                            Derivatives most, const char* if_infinite = "");

// InputError if the numbers of a start, or terms there, are not finite.
template <class S>
void refuse_not_finite(const System& system, const Start& start);
template <class S>
void refuse_not_finite(const System& system, const std::vector<S>& parameters, const StartNumbers<S>& start);

}  // namespace extremal
