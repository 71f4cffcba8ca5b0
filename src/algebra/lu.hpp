// Lu: dense LU factorisation with partial pivoting on storage sized once, at any scalar.
//
// For the matrices of a step of a small system (up to some dozens of rows) a plain loop on a fixed workspace
// took half the time of a dynamic matrix of a linear algebra library, and it runs in quad.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "extremal/scalar.hpp"

namespace extremal {

// Factors the n x n row-major matrix a in place. Returns -1, or the column at which it was found singular: no pivot
// above `tiny` times the largest entry that the column had before elimination, or times prior(column) if that is
// larger. ratio(column, pivot relative to that entry, pivot) is told of every pivot. Leaves the inverse of a pivot in
// its place: divisions are what substitution would wait for.
template <class S, class Prior, class Ratio>
int factor_in_place(S* a, int n, int* pivot, S tiny, Prior prior, Ratio ratio) {
  const auto row = [&](int i) { return a + static_cast<std::ptrdiff_t>(i) * n; };
  for (int k = 0; k < n; ++k) {
    int best = k;
    S largest = math::abs(row(k)[k]);
    for (int i = k + 1; i < n; ++i)
      if (const S x = math::abs(row(i)[k]); x > largest) largest = x, best = i;
    S scale = prior(k);
    for (int i = 0; i < k; ++i) scale = math::max(scale, math::abs(row(i)[k]));
    scale = math::max(scale, largest);
    // Written so that a NaN pivot counts as singular.
    if (!(largest > tiny * scale) || !(largest > S(0))) return k;
    ratio(k, largest / scale, largest);
    pivot[k] = best;
    if (best != k)
      for (int j = 0; j < n; ++j) std::swap(row(k)[j], row(best)[j]);
    const S inverse = S(1) / row(k)[k];
    const S* top = row(k);
    // The blocks of bodies are sparse: a row of the mass matrix has a handful of entries.
    constexpr int short_row = 48;
    int used[short_row], count = 0;
    const bool large = n > 12;
    for (int j = k + 1; large && j < n && count < short_row; ++j)
      if (top[j] != S(0)) used[count++] = j;
    const bool sparse = large && count < short_row && 2 * count < n - k - 1;
    for (int i = k + 1; i < n; ++i) {
      S* r = row(i);
      if (r[k] == S(0)) continue;
      const S f = r[k] *= inverse;
      if (sparse)
        for (int e = 0; e < count; ++e) r[used[e]] -= f * top[used[e]];
      else
        for (int j = k + 1; j < n; ++j) r[j] -= f * top[j];
    }
    row(k)[k] = inverse;
  }
  return -1;
}

// Four sums at a time, which the processor works on side by side; one would wait for its own last addition.
template <class S>
inline S dot(const S* a, const S* b, int n) {
  if (n <= 0) return S(0);
  if (n < 8) {
    S sum = a[0] * b[0];
    for (int i = 1; i < n; ++i) sum += a[i] * b[i];
    return sum;
  }
  S s0(0), s1(0), s2(0), s3(0);
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    s0 += a[i] * b[i];
    s1 += a[i + 1] * b[i + 1];
    s2 += a[i + 2] * b[i + 2];
    s3 += a[i + 3] * b[i + 3];
  }
  for (; i < n; ++i) s0 += a[i] * b[i];
  return (s0 + s1) + (s2 + s3);
}

// b <- a^-1 b after factor_in_place. Of a small matrix of known size every unknown is taken off all the others as soon
// as it is there: sums of products, one after the other, would take longer.
template <int Size = 0, class S>
void solve_in_place(const S* a, int n, const int* pivot, S* b) {
  for (int k = 0; k < n; ++k)
    if (const int p = pivot[k]; p != k) std::swap(b[k], b[p]);
  const auto row = [&](int i) { return a + static_cast<std::ptrdiff_t>(i) * n; };
  if constexpr (Size > 0) {
    S x[Size];
    for (int i = 0; i < Size; ++i) x[i] = b[i];
    for (int j = 0; j < Size; ++j)
      for (int i = j + 1; i < Size; ++i) x[i] -= a[i * Size + j] * x[j];
    for (int j = Size - 1; j >= 0; --j) {
      x[j] *= a[j * Size + j];
      for (int i = 0; i < j; ++i) x[i] -= a[i * Size + j] * x[j];
    }
    for (int i = 0; i < Size; ++i) b[i] = x[i];
  } else {
    for (int i = 1; i < n; ++i) b[i] -= dot(row(i), b, i);
    for (int i = n - 1; i >= 0; --i) b[i] = (b[i] - dot(row(i) + i + 1, b + i + 1, n - i - 1)) * row(i)[i];
  }
}

template <class S>
class Lu {
 public:
  explicit Lu(int n)
      : n_(n), a_(static_cast<std::size_t>(n) * static_cast<std::size_t>(n)), pivot_(static_cast<std::size_t>(n)) {}

  int size() const { return n_; }
  // Row-major; fill it, then factor.
  S* data() { return a_.data(); }
  S* row(int i) { return a_.data() + static_cast<std::ptrdiff_t>(i) * n_; }

  // Returns -1, or the column at which the matrix was found singular.
  int factor(S tiny = S(16) * Scalar<S>::epsilon) {
    return factor_in_place(a_.data(), n_, pivot_.data(), tiny, [](int) { return S(0); }, [](int, S, S) {});
  }
  void solve(S* b) const { solve_in_place(a_.data(), n_, pivot_.data(), b); }

 private:
  int n_;
  std::vector<S> a_;
  std::vector<int> pivot_;
};

}  // namespace extremal
