// Motors of joints as MJCF says them: force = gain u + bias[0] + bias[1] x + bias[2] x' of a control u, the coordinate
// x of the joint and its rate, kept in a range if there is one.
#pragma once

#include <array>
#include <optional>

#include "bodies/frame.hpp"
#include "extremal/system.hpp"

namespace extremal::robots {

struct AffineForce {
  quad gain = 0, control = 0;
  Triple bias{};
  std::optional<std::array<quad, 2>> range = {};
};

// What a term does along one coordinate of the system, found from its values; nothing if it is no such force, or one of
// t or of several parameters. Where it is, it is so to round-off at points of all sizes.
std::optional<AffineForce> affine_force(const System& system, const Term& term, int coordinate);

// The inertia A of a kinetic energy A x'^2 / 2 of one coordinate; nothing if a term is another.
std::optional<quad> rotor_inertia(const System& system, const Term& term);

}  // namespace extremal::robots
