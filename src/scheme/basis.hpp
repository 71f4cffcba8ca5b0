// What a Basis stands for: its functions on a step, whether they can be an ansatz, and what is lost with them.
//
//   Basis own = read_basis("functions(1,t,exp(-2*t))", 2, {"functions"});
//   BasisTable f = basis_table(own, 2, h, points, x);
//
// Functions of one's own [Muehlebach2016, section 2.3] must have derivatives at the start of a step that are
// independent, the matrix u_i^(j)(0), j = 0..degree: their span then tends to the polynomials of that degree as the
// step gets short, and orders are those of polynomials. One of them must be constant, for what rests.
#pragma once

#include <string>
#include <vector>

#include "extremal/scheme.hpp"

namespace extremal {

// "polynomial", "fourier(2*pi)", "powers(0, 1, 3)" or "functions(1, t, exp(-2*t))", as far as they are among `kinds`.
Basis read_basis(const std::string& text, int degree, const std::vector<std::string>& kinds);
std::string to_text(const Basis& basis);
Basis mirrored(const Basis& basis);
bool symmetric(const Basis& basis);   // its functions are those of the reversed step
bool has_length(const Basis& basis);  // tables depend on the step
// The derivatives of the functions are in their span: a shift in time does not leave it.
bool is_complete(const Basis& basis);

// The same with polynomials where tables depend on the step: for the sizes and patterns of all of them.
template <class Method>
Method of_any_length(Method method) {
  if (has_length(method.basis)) method.basis = {};
  return method;
}
// Of functions of one's own: they have no poles, jumps and kinks in a step of length |h|, and its nodes can follow
// them.
void require_smooth(const Basis& basis, quad h);

// Values and slopes at x in [0, 1] of the cardinal functions at `points`, degree + 1 of them, on a step of length |h|.
BasisTable basis_table(const Basis& basis, int degree, quad h, const std::vector<quad>& points,
                       const std::vector<quad>& x);

}  // namespace extremal
