// Ldlt: L D L^T of a sparse symmetric positive definite matrix, by a list of products that is made once.
//
// The order is of minimum degree: O(N) for chains and trees. Without pivots, which a definite matrix needs none of.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace extremal {

class Ldlt {
 public:
  // `entries`: where the matrix may differ from zero, one of (i, j) and (j, i), in any order and repeated.
  Ldlt(int size, const std::vector<std::pair<int, int>>& entries);

  int size() const { return static_cast<int>(order_.size()); }
  // How many products a factorisation takes.
  std::size_t work() const { return updates_.size(); }
  // The matrix, to be filled after clear(): entry (i, j), the same as (j, i), is at slot(i, j).
  double* data() { return a_.data(); }
  void clear();
  int slot(int i, int j) const;

  // False where a pivot is not above `tiny` times what it was before elimination.
  bool factor(double tiny);
  // The smallest such ratio of the last factorisation.
  double smallest_ratio() const { return smallest_; }
  void solve(double* b) const;
  // Of two right-hand sides at once, by the same operations.
  void solve(double* b, double* c) const;

 private:
  struct Update {
    int to, left, right;
  };
  template <std::size_t sides>
  void solve(const std::array<double*, sides>& b) const;

  std::vector<int> order_, place_;  // the unknown that is eliminated k-th, and the other way round
  std::vector<int> start_, row_;    // of the columns of L below the diagonal
  std::vector<int> first_update_;   // of every column
  std::vector<Update> updates_;
  std::vector<double> a_;          // diagonal, then columns
  std::vector<double> scaled_;     // a column before it was divided
  mutable std::vector<double> x_;  // of two right-hand sides
  double smallest_ = 1;
};

}  // namespace extremal
