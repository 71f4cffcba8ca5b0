#include "check/algebra.hpp"
#include "numbers/index.hpp"

#include <cmath>
#include <utility>

namespace extremal::laws {

namespace {

// A row counts as dependent if this share of it is left when the others are taken off: far above the round-off of
// quad, far below anything that double could tell from zero.
const quad dependent = quad(1e-20);

void subtract(Vector& a, const Vector& b, quad factor) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= factor * b[i];
}

// Takes the components along `basis` off a; twice, since once is not enough near dependence.
void orthogonalise(Vector& a, const std::vector<Vector>& basis) {
  for (int pass = 0; pass < 2; ++pass)
    for (const Vector& e : basis) subtract(a, e, dot(a, e));
}

bool normalise(Vector& a, quad before) {
  const quad length = math::sqrt(dot(a, a));
  if (!(length > dependent * before)) return false;
  for (quad& x : a) x /= length;
  return true;
}

}  // namespace

quad dot(const Vector& a, const Vector& b) {
  quad sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

quad largest(const Vector& a) {
  quad r = 0;
  for (const quad x : a) r = math::max(r, math::abs(x));
  return r;
}

quad distance(const Vector& a, const Vector& b) {
  Vector c = a;
  subtract(c, b, quad(1));
  return largest(c);
}

double log2(quad x) { return static_cast<double>(math::log(x)) / std::log(2.0); }

Vector Matrix::times(const Vector& x) const {
  Vector y(sz(rows));
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) y[sz(i)] += (*this)(i, j) * x[sz(j)];
  return y;
}

Vector shortest_solution(const Matrix& A, const Vector& b) {
  std::vector<Vector> basis;
  Vector x(sz(A.columns));
  for (int i = 0; i < A.rows; ++i) {
    Vector row(A.entries.begin() + i * A.columns, A.entries.begin() + (i + 1) * A.columns);
    const quad before = math::sqrt(dot(row, row));
    // Of the new direction e, row = sum_old + length e, so that the equation row . x = b fixes e . x.
    Vector e = row;
    orthogonalise(e, basis);
    if (!normalise(e, before)) continue;
    const quad component = (b[sz(i)] - dot(row, x)) / dot(row, e);
    subtract(x, e, -component);
    basis.push_back(std::move(e));
  }
  return x;
}

std::vector<Vector> kernel(const Matrix& A) {
  std::vector<Vector> basis;
  for (int i = 0; i < A.rows; ++i) {
    Vector row(A.entries.begin() + i * A.columns, A.entries.begin() + (i + 1) * A.columns);
    const quad before = math::sqrt(dot(row, row));
    orthogonalise(row, basis);
    if (normalise(row, before)) basis.push_back(std::move(row));
  }
  const std::size_t rank = basis.size();
  while (basis.size() < sz(A.columns)) {
    Vector best;
    quad length = 0;
    for (int j = 0; j < A.columns; ++j) {
      Vector e(sz(A.columns));
      e[sz(j)] = 1;
      orthogonalise(e, basis);
      if (const quad l = dot(e, e); l > length) length = l, best = std::move(e);
    }
    normalise(best, quad(1));
    basis.push_back(std::move(best));
  }
  return {basis.begin() + static_cast<std::ptrdiff_t>(rank), basis.end()};
}

bool solve(Matrix A, Vector& b) {
  const int n = A.rows;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (math::abs(A(i, k)) > math::abs(A(pivot, k))) pivot = i;
    if (!(math::abs(A(pivot, k)) > quad(0))) return false;
    for (int j = k; j < n; ++j) std::swap(A(k, j), A(pivot, j));
    std::swap(b[sz(k)], b[sz(pivot)]);
    for (int i = k + 1; i < n; ++i) {
      const quad f = A(i, k) / A(k, k);
      for (int j = k; j < n; ++j) A(i, j) -= f * A(k, j);
      b[sz(i)] -= f * b[sz(k)];
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) b[sz(i)] -= A(i, j) * b[sz(j)];
    b[sz(i)] /= A(i, i);
  }
  return true;
}

}  // namespace extremal::laws
