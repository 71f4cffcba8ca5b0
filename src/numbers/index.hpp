// Indices and maxima that every layer uses. Coordinates, rows and nodes are counted by int, as differences of indices
// may be negative; containers of the standard library are indexed by std::size_t.
#pragma once

#include <cstddef>
#include <vector>

#include "extremal/scalar.hpp"

namespace extremal {

constexpr std::size_t sz(int n) { return static_cast<std::size_t>(n); }

// The largest absolute value; not a number if one of them is not.
template <class S>
S largest(const S* x, int n) {
  S r(0);
  for (int i = 0; i < n; ++i) r = math::max(r, math::abs(x[i]));
  return r;
}

template <class S>
void to_double(const S* from, int n, std::vector<double>& to) {
  for (int i = 0; i < n; ++i) to[sz(i)] = static_cast<double>(from[i]);
}

}  // namespace extremal
