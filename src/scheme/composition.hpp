// Compositions: a step of h made of steps c_i h of other schemes, in the order they are written.
//
//   suzuki(4, rattle)                                        five steps, order + 2
//   kahan_li(8, rattle)                                      seventeen steps, order 2 to 8
//   compose(0.5:rectangle(0), 0.5:rectangle(1))              any coefficients that sum to 1
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
Scheme composed(const std::vector<Part>& parts);
Scheme adjoint_of(const Scheme& scheme);
// Declares `declared`, but for what follows from the substeps one by one: needs, degree, points, and the ends.
Scheme of_substeps(const std::string& name, const Composition& composition, const Declared& declared);
// ggl(2), the symmetric composition of ggl with its adjoint, and ggl(4), five of these [Kinon2023; Suzuki1990].
Scheme symmetric_ggl(int order, const Scheme& ggl);

}  // namespace extremal
