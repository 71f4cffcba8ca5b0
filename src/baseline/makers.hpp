// The baselines that a build may have, each in a source of its own, which alone includes the library that it is from.
#pragma once

#include <memory>
#include <string>

#include "extremal/baseline.hpp"

namespace extremal {

// After a step of length `made` towards the end of a way: an integrator that is asked for more than double precision
// can give may go on for ever.
inline void refuse_to_crawl(double made, double way, long long steps) {
  if (!(made > 1e-14 * way)) throw BaselineFailed("the tolerance asks for steps too short for double precision");
  if (steps > 100'000'000) throw BaselineFailed("more than 1e8 steps");
}

// Of Boost.odeint: the name of a stepper, as in odeint(rkf78).
std::shared_ptr<const Baseline> make_odeint(const std::string& stepper);
// Of SUNDIALS.
std::shared_ptr<const Baseline> make_ida();

}  // namespace extremal
