// Constraint points: where closure position imposes g = 0 in a step, 0 = a_0 < a_1 < .. < a_s = 1 [Man2020, section
// 3.1]. They are independent of the control points, which are but a basis of the polynomials of degree s: what the
// paper's table 3 says of control points is true of constraint points.
#pragma once

#include <string>
#include <vector>

#include "extremal/scheme.hpp"

namespace extremal {

// "lobatto", or "at(0.3, 1)" of a degree: a_1 to a_s.
ConstraintPoints read_constraint_points(const std::string& text, int degree);
std::string to_text(const ConstraintPoints& points);

// a_0 to a_s.
std::vector<quad> constraint_points(const Galerkin& galerkin);
// The order of the quadrature that interpolates at these points: its degree of exactness plus one.
int interpolation_order(const std::vector<quad>& points);
// True if the points are those of the same step run backwards.
bool symmetric(const std::vector<quad>& points);
ConstraintPoints mirrored(const ConstraintPoints& points);

}  // namespace extremal
