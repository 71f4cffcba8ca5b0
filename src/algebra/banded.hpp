// Banded: LU factorisation of a band matrix with partial pivoting, O(n (lower + upper) lower).
//
// LAPACK's dgbtrf does the same for double; this one has row-major storage that is filled by (row, column).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace extremal {

class Banded {
 public:
  Banded(int n, int lower, int upper)
      : n_(n),
        lower_(lower),
        upper_(upper),
        width_(2 * lower + upper + 1),
        a_(static_cast<std::size_t>(n) * static_cast<std::size_t>(width_)) {}

  // Rows may be exchanged downwards by `lower`, which widens the upper band by as much.
  double& at(int i, int j) {
    return a_[static_cast<std::size_t>(i) * static_cast<std::size_t>(width_) +
              static_cast<std::size_t>(j - i + lower_)];
  }

  // Solves in place; false if the matrix is singular. The factors are used once.
  bool solve(std::vector<double>& b) {
    for (int k = 0; k < n_; ++k) {
      const int last_row = std::min(n_ - 1, k + lower_), last = std::min(n_ - 1, k + lower_ + upper_);
      int best = k;
      for (int i = k + 1; i <= last_row; ++i)
        if (std::fabs(at(i, k)) > std::fabs(at(best, k))) best = i;
      if (!(std::fabs(at(best, k)) > 0)) return false;
      if (best != k) {
        for (int j = k; j <= last; ++j) std::swap(at(k, j), at(best, j));
        std::swap(b[static_cast<std::size_t>(k)], b[static_cast<std::size_t>(best)]);
      }
      for (int i = k + 1; i <= last_row; ++i) {
        const double f = at(i, k) / at(k, k);
        if (f == 0) continue;
        for (int j = k + 1; j <= last; ++j) at(i, j) -= f * at(k, j);
        b[static_cast<std::size_t>(i)] -= f * b[static_cast<std::size_t>(k)];
      }
    }
    for (int k = n_ - 1; k >= 0; --k) {
      double x = b[static_cast<std::size_t>(k)];
      for (int j = k + 1; j <= std::min(n_ - 1, k + lower_ + upper_); ++j)
        x -= at(k, j) * b[static_cast<std::size_t>(j)];
      b[static_cast<std::size_t>(k)] = x / at(k, k);
    }
    return true;
  }

 private:
  int n_, lower_, upper_, width_;
  std::vector<double> a_;
};

}  // namespace extremal
