// Tables: the numbers a step of a hamilton member is made of, at the precision of the scalar.
//
// With q_d(t) = sum_k l_k(t/h) q^k and multipliers lambda_j at the places phi_j, the step equations are
//   -p^0 = sum_i b_i [h l_0 L_q + l_0' L_v](c_i) - h sum_j e_j l_0(phi_j) G(phi_j)^T lambda_j
//      0 = sum_i b_i [h l_k L_q + l_k' L_v](c_i) - h sum_j e_j l_k(phi_j) G(phi_j)^T lambda_j,  0 < k < s
//      0 = g(q_d(psi_i)),
// and the k = s row without the multiplier at the end is the momentum at the end before its projection
// [Wenger2017, eq. 22; Man2020, eqs. 26, 30]. Everything is on the unit interval; h enters in the kernel.
#pragma once

#include <vector>

#include "extremal/scheme.hpp"

namespace extremal {

template <class S>
struct Tables {
  int s = 0, w = 0;             // degree of q_d, degree of lambda_d
  std::vector<S> d;             // control points
  int r = 0;                    // the Lagrangian's rule
  std::vector<S> c, b;          // its nodes and weights
  std::vector<S> l, dl;         // r x (s + 1), row by row: l_k(c_i) and l_k'(c_i)
  int J = 0;                    // multipliers that the step equations contain
  std::vector<S> phi, e;        // their places and weights
  std::vector<S> lphi;          // J x (s + 1): l_k(phi_j)
  int I = 0;                    // places where g = 0 is imposed
  std::vector<S> psi;           // these places
  std::vector<S> lpsi;          // I x (s + 1): l_k(psi_i)
  bool coupled_hidden = false;  // G v = 0 at the end is one of the step equations: J = I + 1, no multiplier at the end
  bool projects = false;        // the end momentum is projected to G v = 0, by the multiplier at the end alone
  S node_weight = 0;            // weight of the multiplier of the node between two steps; 0 if it has none

  // given_lambda0 only, else empty. The multipliers at phi are those of the polynomial lambda_d, and g = 0 is imposed
  // in the mean, the first equation together with the end of the step before:
  //   lambda_j = spread0_j lambda^0 + sum_k spread_jk lambda^k,            k = 1..w
  //   0 = sum_j collect_mj g(psi_j) [+ sum_j collect_end_j g(psi_j of the step before) if m = 0],  m = 0..w-1
  std::vector<S> spread, spread0;       // J x w and J
  std::vector<S> collect, collect_end;  // w x J and J
};

// For double, long double and quad; computed in quad and rounded once. Only a basis with a length of its own depends on
// the step h.
template <class S>
Tables<S> tables(const Galerkin& galerkin, quad h = 1);

}  // namespace extremal
