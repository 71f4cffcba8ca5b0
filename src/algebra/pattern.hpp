// Pattern: where the entries of a sparse matrix are stored, row by row. A full one stores entry (i, j) at
// i * columns + j, so that code for sparse matrices serves dense ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "algebra/array.hpp"

namespace extremal {

struct Pattern {
  int rows = 0, columns = 0;
  Array<int> start;   // rows + 1
  Array<int> column;  // ascending within a row

  int size() const { return static_cast<int>(column.size()); }
  // The position of entry (i, j), or -1.
  int find(int i, int j) const {
    const auto first = column.begin() + start[static_cast<std::size_t>(i)];
    const auto last = column.begin() + start[static_cast<std::size_t>(i) + 1];
    const auto at = std::lower_bound(first, last, j);
    return at != last && *at == j ? static_cast<int>(at - column.begin()) : -1;
  }

  static Pattern full(int rows, int columns) {
    Pattern p{rows, columns, {0}, {}};
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) p.column.push_back(j);
      p.start.push_back(p.size());
    }
    return p;
  }
  // The columns of every row, in any order and repeated.
  static Pattern of(int columns, std::vector<std::vector<int>>& entries) {
    Pattern p{static_cast<int>(entries.size()), columns, {0}, {}};
    for (auto& row : entries) {
      std::sort(row.begin(), row.end());
      p.column.insert(p.column.end(), row.begin(), std::unique(row.begin(), row.end()));
      p.start.push_back(p.size());
    }
    return p;
  }
};

// Calls visit(position, row, column) for every entry.
template <class Visit>
void for_each(const Pattern& p, Visit visit) {
  for (int i = 0; i < p.rows; ++i)
    for (int e = p.start[static_cast<std::size_t>(i)]; e < p.start[static_cast<std::size_t>(i) + 1]; ++e)
      visit(e, i, p.column[static_cast<std::size_t>(e)]);
}

// y += f A x and y += f A^T x for values a of a pattern.
template <class S>
void add_product(const Pattern& p, const S* a, const S* x, S f, S* y) {
  for (int i = 0; i < p.rows; ++i) {
    S sum(0);
    for (int e = p.start[static_cast<std::size_t>(i)]; e < p.start[static_cast<std::size_t>(i) + 1]; ++e)
      sum += a[e] * x[p.column[static_cast<std::size_t>(e)]];
    y[i] += f * sum;
  }
}
template <class S>
void add_transposed(const Pattern& p, const S* a, const S* x, S f, S* y) {
  for (int i = 0; i < p.rows; ++i) {
    const S fx = f * x[i];
    for (int e = p.start[static_cast<std::size_t>(i)]; e < p.start[static_cast<std::size_t>(i) + 1]; ++e)
      y[p.column[static_cast<std::size_t>(e)]] += a[e] * fx;
  }
}

}  // namespace extremal
