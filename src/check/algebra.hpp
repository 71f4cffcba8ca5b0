// Small dense linear algebra of the laws, in quad: rows of a matrix as vectors, dependent rows allowed.
#pragma once

#include <cstddef>
#include <vector>

#include "extremal/scalar.hpp"

namespace extremal::laws {

using Vector = std::vector<quad>;

quad dot(const Vector& a, const Vector& b);
quad largest(const Vector& a);
quad distance(const Vector& a, const Vector& b);  // in the maximum norm
double log2(quad x);

// rows x columns, row-major.
struct Matrix {
  int rows = 0, columns = 0;
  Vector entries;
  Matrix(int r, int c) : rows(r), columns(c), entries(static_cast<std::size_t>(r) * static_cast<std::size_t>(c)) {}
  quad& operator()(int i, int j) { return entries[static_cast<std::size_t>(i * columns + j)]; }
  quad operator()(int i, int j) const { return entries[static_cast<std::size_t>(i * columns + j)]; }
  Vector times(const Vector& x) const;
};

// The shortest x with A x = b; equations that repeat others are left out.
Vector shortest_solution(const Matrix& A, const Vector& b);
// An orthonormal basis of {x: A x = 0}.
std::vector<Vector> kernel(const Matrix& A);
// Solves the square A x = b in place; false if A is singular.
bool solve(Matrix A, Vector& b);

}  // namespace extremal::laws
