// The rate of a system that is given none: short steps where it is fast,
//   s = sqrt((T0^2 + c^2) / (T^2 + c^2)),   T = T0 + V(q0) - V(q),   c = (T0 + |q0| |V_q(q0)|) / 8.
//
// On the energy of the start T is the kinetic energy, and s a function of q only; it is 1 at the start, so that a step
// of tau is as long there as one of t. c is the size of an energy that counts as fast: with the energies at the start,
// so that no unit and no constant in V matters. Potentials that depend on t are left out.
#pragma once

#include <vector>

#include "extremal/pace.hpp"

namespace extremal {

// InputError if the system has no potential, or nothing moves.
Rate energy_rate(const System& system, quad kinetic, const std::vector<quad>& q);

}  // namespace extremal
