// Tableau: a step of phase_space or hamilton without constraints as a partitioned Runge–Kutta method,
//   Q_i = q0 + h sum_j A_q,ij H_p(Q_j, P_j),   q1 = q0 + h sum_j b_j H_p(Q_j, P_j),
//   P_i = p0 - h sum_j A_p,ij H_q(Q_j, P_j),   p1 = p0 - h sum_j b_j H_q(Q_j, P_j),
// with the values of q~ and p~ at the nodes of the rule as stages. Of a hamilton member of degree s with r nodes the
// velocities are a polynomial of degree s - 1: with r > s the method is a modified one [Wenger2017, section 3.5], A_q
// integrates the best polynomial through r values, and the step is this method if the mass is constant. It is
// symplectic if
//   b_i A_p,ij + b_j A_q,ji = b_i b_j   [HairerLubichWanner2006, VI.4].
//
//   ButcherPair pair = butcher(Scheme::named("phase_space(1)"));
//   pair.A_q[0][0]      // 1/3
#pragma once

#include <vector>

#include "extremal/scheme.hpp"

namespace extremal {

struct ButcherPair {
  std::vector<quad> c, b;
  std::vector<std::vector<quad>> A_q, A_p;
};

// Solved for from the tables of the step. Throws InputError if the scheme is no polynomial member of phase_space, with
// one rule for everything, or of hamilton.
ButcherPair butcher(const Scheme& scheme);

}  // namespace extremal
