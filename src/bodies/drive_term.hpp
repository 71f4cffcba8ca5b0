// DriveTerm: a body that follows a given motion, as six constraints on its twelve coordinates (r, d_1, d_2, d_3).
//
// r = X(t), and the directors normal to those of the given frame a_i(t), as of a fixed joint:
//   d_1 . a_2 = d_2 . a_3 = d_3 . a_1 = 0.
// Every row is linear in the coordinates with coefficients that depend on time, so that derivatives of three functions
// of one variable are all there is to differentiate.
#pragma once

#include <memory>

#include "bodies/mechanism_data.hpp"

namespace extremal {

std::shared_ptr<const Term> drive_term(const std::string& name, const BodyRecord& body, const Drive& motion);

}  // namespace extremal
