// The same system without the account of its bodies: steps that know of rotations take its directors as they are.
#pragma once

#include "extremal/system.hpp"

namespace extremal {

inline System by_directors(System system) {
  system.describe(nullptr);
  return system;
}

}  // namespace extremal
