// How many explicit steps a mechanism with rods needs: 0.8 of the longest step that is stable, or a little less.
#pragma once

#include <cmath>
#include <string>

#include "extremal/error.hpp"
#include "extremal/mechanism.hpp"

namespace extremal {

// Of a time span; a multiple of `parts`. InputError if there is no mechanism, or none with rods.
inline int stable_steps(const Mechanism* mechanism, quad span, int parts = 1) {
  const auto bound = mechanism == nullptr ? 0.0 : mechanism->step_bound().as<double>();
  if (!(bound > 0))
    throw InputError("found step auto and no rods, whose explicit steps are bounded; expected a number");
  const double steps = parts * std::ceil(std::fabs(static_cast<double>(span)) / (0.8 * bound) / parts);
  if (!(steps >= 1 && steps < 2e9))
    throw InputError("found step auto, " + to_text(steps) + " steps of at most " + to_text(0.8 * bound) +
                     "; expected from 1 to 2e9");
  return static_cast<int>(steps);
}

}  // namespace extremal
