#include "check/algebra.hpp"
#include "numbers/index.hpp"

#include <cmath>

namespace extremal::laws {

quad largest(const Vector& a) {
  quad r = 0;
  for (const quad x : a) r = math::max(r, math::abs(x));
  return r;
}

quad distance(const Vector& a, const Vector& b) {
  quad r = 0;
  for (std::size_t i = 0; i < a.size(); ++i) r = math::max(r, math::abs(a[i] - b[i]));
  return r;
}

double log2(quad x) { return static_cast<double>(math::log(x)) / std::log(2.0); }

Vector Matrix::times(const Vector& x) const {
  Vector y(sz(rows));
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) y[sz(i)] += (*this)(i, j) * x[sz(j)];
  return y;
}

}  // namespace extremal::laws
