#include "kernel/mass_inverse.hpp"

#include <algorithm>
#include <numeric>

#include "algebra/lu.hpp"
#include "numbers/index.hpp"

namespace extremal {

namespace {
constexpr int largest_group = 12;  // the coordinates of a body in space
}  // namespace

std::optional<MassInverse> MassInverse::make(const Pattern& coupling, const double* mass) {
  const int n = coupling.rows;
  std::vector<int> root(sz(n));
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int i) {
    while (root[sz(i)] != i) i = root[sz(i)] = root[sz(root[sz(i)])];
    return i;
  };
  for_each(coupling, [&](int e, int i, int j) {
    if (mass[e] != 0) root[sz(find(i))] = find(j);
  });
  std::vector<std::vector<int>> groups(sz(n)), columns(sz(n));
  for (int i = 0; i < n; ++i) groups[sz(find(i))].push_back(i);
  for (const auto& group : groups) {
    if (group.size() > sz(largest_group)) return std::nullopt;
    for (const int i : group) columns[sz(i)] = group;
  }
  MassInverse out;
  out.pattern_ = Pattern::of(n, columns);
  out.values_.resize(sz(out.pattern_.size()));
  out.diagonal_ = out.pattern_.size() == n;
  for (const auto& group : groups) {
    if (group.empty()) continue;
    const int size = static_cast<int>(group.size());
    Lu<double> lu(size);
    for (int a = 0; a < size; ++a)
      for (int b = 0; b < size; ++b) {
        const int e = coupling.find(group[sz(a)], group[sz(b)]);
        lu.row(a)[b] = e < 0 ? 0 : mass[e];
      }
    if (lu.factor() >= 0) return std::nullopt;
    std::vector<double> column(sz(size));
    for (int b = 0; b < size; ++b) {
      for (int a = 0; a < size; ++a) column[sz(a)] = a == b ? 1 : 0;
      lu.solve(column.data());
      for (int a = 0; a < size; ++a) out.values_[sz(out.pattern_.find(group[sz(a)], group[sz(b)]))] = column[sz(a)];
    }
  }
  return out;
}

}  // namespace extremal
