// Small dense linear algebra of the laws, in quad.
#pragma once

#include <cstddef>
#include <vector>

#include "extremal/scalar.hpp"

namespace extremal::laws {

using Vector = std::vector<quad>;

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

}  // namespace extremal::laws
