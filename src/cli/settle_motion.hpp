// What a mode looks like: the motion of the model itself that starts in the shape of one, as an archive.
#pragma once

#include <string>

#include "cli/request.hpp"
#include "extremal/equilibrium.hpp"

namespace extremal::cli {

struct ModeMotion {
  std::string archive;     // empty: none is wanted
  int mode = 1;            // counted from 1
  double amplitude = 0.1;  // of what moves most, in rad, m or the unit of the coordinate

  // Returns how long it lasts. `largest` is the largest component of the shape as it is shown.
  double write(const Request& request, Model model, const Equilibrium& at, const Mode& shape, double largest) const;
};

}  // namespace extremal::cli
