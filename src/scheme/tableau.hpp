// Tableau: a step of phase_space or hamilton without constraints as a partitioned Runge–Kutta method,
//   Q_i = q0 + h sum_j A_q,ij H_p(Q_j, P_j),   q1 = q0 + h sum_j b_j H_p(Q_j, P_j),
//   P_i = p0 - h sum_j A_p,ij H_q(Q_j, P_j),   p1 = p0 - h sum_j b_j H_q(Q_j, P_j),
// with the values of q~ and p~ at the nodes of the rule as stages. Of a hamilton member of degree s with r nodes the
// velocities are a polynomial of degree s - 1: with r > s the method is a modified one [Wenger2017, section 3.5], A_q
// integrates the best polynomial through r values, and the step is this method if the mass is constant. It is
// symplectic if
//   b_i A_p,ij + b_j A_q,ji = b_i b_j   [HairerLubichWanner2006, VI.4].
//
// With constraints a hamilton member is the (modified) constrained method [Jay2007; Wenger2017, section 3.5] with
// multipliers lambda_j at the places f_j, weights e_j, and g = 0 at the places d_i:
//   F_j = q0 + h sum_k A_f,jk H_p(Q_k, P_k),   D_i = q0 + h sum_k A_g,ik H_p(Q_k, P_k),   g(D_i) = 0,
//   P_i, p1 as above less h sum_j A_lambda,ij G(F_j)^T lambda_j, h sum_j e_j G(F_j)^T lambda_j.
// The multiplier that a rule has at the end of the step is no part of it: it makes p1 meet G v = 0, or belongs to the
// next step. b_i A_lambda,ij + e_j A_f,ji = b_i e_j.
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
  // Of hamilton members that impose g = 0 at places, and not in the mean; else empty.
  std::vector<quad> f, e, d;
  std::vector<std::vector<quad>> A_f, A_g, A_lambda;
};

// Solved for from the tables of the step. Throws InputError if the scheme is no polynomial member of phase_space, with
// one rule for everything, or of hamilton.
ButcherPair butcher(const Scheme& scheme);

}  // namespace extremal
