// Compositions: a step of h made of steps c_i h of other schemes, in the order they are written.
//
//   suzuki(4, rattle)                                        five steps, order + 2
//   kahan_li(8, rattle)                                      seventeen steps, order 2 to 8
//   rkn(6, lie(free))                                        eleven drifts between kicks, order 6
//   compose(0.5:rectangle(0), 0.5:rectangle(1))              any coefficients that sum to 1
//   multirate(10, rattle)                                    ten steps, slow potentials at the ends of them all
//
// They nest; the substeps are stored flat, so that every one of them is a member and not a composition.
#pragma once

#include <string>
#include <vector>

#include "extremal/scheme.hpp"

namespace extremal {

struct Part {
  Number coefficient;
  Scheme scheme;
};

// Each refuses parts that do not qualify.
Scheme suzuki(int order, const Scheme& base);    // symmetric base of order - 2 [Suzuki1990]
Scheme kahan_li(int order, const Scheme& base);  // order 6 or 8, symmetric base of order 2 [KahanLi1997]
Scheme rkn(int order, const Scheme& base);       // order 4 or 6, kicks and drifts of lie(free) [BlanesMoan2002]
// A step h is m steps h / m of the base without the slow potentials, before and after kicks p - h/2 V_q by these. It is
// stationary for sum_k L_d(q_k, q_k+1) - h/2 V(q_0) - h/2 V(q_m), g = 0 at every node: one discrete action
// [Wenger2017, section 5; LeyendeckerOberBloebaum2013; TuckermanBerneMartyna1992].
Scheme multirate(int m, const Scheme& base);
Scheme composed(const std::vector<Part>& parts);
Scheme adjoint_of(const Scheme& scheme);
// Declares `declared`, but for what follows from the substeps one by one: needs, degree, points, and the ends.
Scheme of_substeps(const std::string& name, const Composition& composition, const Declared& declared);
// ggl(2), the symmetric composition of ggl with its adjoint, and ggl(4), five of these [Kinon2023; Suzuki1990].
Scheme symmetric_ggl(int order, const Scheme& ggl);

}  // namespace extremal
