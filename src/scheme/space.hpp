// Space: a span of functions on the unit interval, and its cardinal functions at given points.
//
// The ansatz is free: whoever can say the values and slopes of some functions has a basis. Schemes use cardinal
// functions, l_a(d_b) = delta_ab, so that unknowns are values of q; how the span was written down (monomials,
// Legendre polynomials, with cosines) changes only the condition of the small system solved here once, in quad.
#pragma once

#include <functional>
#include <vector>

#include "extremal/scheme.hpp"

namespace extremal {

struct SpaceFunction {
  std::function<quad(quad)> value, slope;
};

// 1, t, .., t^degree.
std::vector<SpaceFunction> monomials(int degree);
// The given powers of t.
std::vector<SpaceFunction> powers(const std::vector<int>& exponents);
// Legendre polynomials on [0, 1].
std::vector<SpaceFunction> legendre_polynomials(int degree);
// Polynomials of degree - 2 with cos(omega h t) and sin(omega h t): of dimension degree + 1.
std::vector<SpaceFunction> with_oscillation(int degree, quad omega_h);

// Values and slopes at x of the cardinal functions of the span at `points` (as many as there are functions).
BasisTable cardinal_basis(const std::vector<SpaceFunction>& span, const std::vector<quad>& points,
                          const std::vector<quad>& x);

}  // namespace extremal
