// Terms of a system in fictitious time tau, dt/dtau = s(q): what a term of the system becomes, and the clock.
//
// A term of a site becomes one of the site and the coordinates of s that it does not have. With y = q'/s
//   F(q, q') = s K(q, y)       of kinetic terms and Lagrangians,
//   F = s K                    of potentials and Hamiltonians,
// where K is the value of the term and a constant, its share of E0, and with a = K - K_v . y, or K, the derivatives of
// F are
//   F_q = s K_q + a s_q,   F_q' = K_v,                          F_p = s K_p,
//   F_qq = s K_qq + c s_q^T + s_q c^T + a s_qq + s_q s_q^T (y . K_vv y) / s,   c = K_q - K_qv y, or K_q,
//   F_q'q = K_vq - K_vv y s_q^T / s,   F_q'q' = K_vv / s,        F_pq = s K_pq + K_p s_q^T,   F_pp = s K_pp.
// Where s is not positive every value is not a number: there is no such step.
#pragma once

#include <memory>
#include <vector>

#include "extremal/pace.hpp"

namespace extremal {

// One for all sites that have the same coordinates of s among their own. All sites together have the constant.
std::vector<std::shared_ptr<const Term>> paced_terms(const std::shared_ptr<const Term>& term, const Rate& rate,
                                                     quad constant);

// (u' - s / unit)^2 / 2, or s p_u / unit + p_u^2 / 2 of a Hamiltonian; u is the coordinate `clock`.
std::shared_ptr<const Term> clock_term(Role role, const Rate& rate, int clock);

}  // namespace extremal
