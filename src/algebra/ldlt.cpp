#include "algebra/ldlt.hpp"

#include <algorithm>
#include <set>

#include "numbers/index.hpp"

namespace extremal {

Ldlt::Ldlt(int size, const std::vector<std::pair<int, int>>& entries) : place_(sz(size), -1), x_(sz(2 * size)) {
  std::vector<std::set<int>> near(sz(size));
  for (const auto& [i, j] : entries)
    if (i != j) near[sz(i)].insert(j), near[sz(j)].insert(i);
  std::set<std::pair<std::size_t, int>> waiting;  // by degree
  for (int i = 0; i < size; ++i) waiting.emplace(near[sz(i)].size(), i);
  std::vector<std::vector<int>> columns;
  while (!waiting.empty()) {
    const int k = waiting.begin()->second;
    waiting.erase(waiting.begin());
    place_[sz(k)] = static_cast<int>(order_.size());
    order_.push_back(k);
    const std::vector<int> others(near[sz(k)].begin(), near[sz(k)].end());
    for (const int i : others) {
      waiting.erase({near[sz(i)].size(), i});
      near[sz(i)].erase(k);
      for (const int j : others)
        if (j != i) near[sz(i)].insert(j);
      waiting.emplace(near[sz(i)].size(), i);
    }
    columns.push_back(others);
  }
  start_.push_back(0);
  for (auto& column : columns) {
    for (int& i : column) i = place_[sz(i)];
    std::sort(column.begin(), column.end());
    row_.insert(row_.end(), column.begin(), column.end());
    start_.push_back(static_cast<int>(row_.size()));
  }
  a_.resize(sz(size) + row_.size());
  std::size_t longest = 0;
  for (const auto& column : columns) {
    longest = std::max(longest, column.size());
    first_update_.push_back(static_cast<int>(updates_.size()));
    const int left = start_[first_update_.size() - 1];
    for (std::size_t i = 0; i < column.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j)
        updates_.push_back({slot(order_[sz(column[i])], order_[sz(column[j])]), size + left + static_cast<int>(i),
                            static_cast<int>(j)});
  }
  first_update_.push_back(static_cast<int>(updates_.size()));
  scaled_.resize(longest);
}

void Ldlt::clear() { std::fill(a_.begin(), a_.end(), 0.0); }

int Ldlt::slot(int i, int j) const {
  const int k = std::min(place_[sz(i)], place_[sz(j)]), row = std::max(place_[sz(i)], place_[sz(j)]);
  if (k == row) return k;
  const auto first = row_.begin() + start_[sz(k)], last = row_.begin() + start_[sz(k + 1)];
  const auto at = std::lower_bound(first, last, row);
  return at != last && *at == row ? size() + static_cast<int>(at - row_.begin()) : -1;
}

bool Ldlt::factor(double tiny) {
  const int n = size();
  std::copy_n(a_.begin(), n, x_.begin());  // the diagonal before elimination
  smallest_ = 1;
  for (int k = 0; k < n; ++k) {
    const double pivot = a_[sz(k)];
    if (!(pivot > tiny * x_[sz(k)])) return false;
    smallest_ = std::min(smallest_, pivot / x_[sz(k)]);
    const double inverse = a_[sz(k)] = 1 / pivot;
    double* column = a_.data() + n + start_[sz(k)];
    const int count = start_[sz(k + 1)] - start_[sz(k)];
    for (int e = 0; e < count; ++e) scaled_[sz(e)] = column[e], column[e] *= inverse;
    for (int u = first_update_[sz(k)]; u < first_update_[sz(k + 1)]; ++u) {
      const Update& update = updates_[sz(u)];
      a_[sz(update.to)] -= a_[sz(update.left)] * scaled_[sz(update.right)];
    }
  }
  return true;
}

template <std::size_t sides>
void Ldlt::solve(const std::array<double*, sides>& b) const {
  using Row = std::array<double, sides>;
  const int n = size();
  const double *pivot = a_.data(), *below = pivot + n;
  const int *row = row_.data(), *start = start_.data(), *order = order_.data();
  double* x = x_.data();
  const auto at = [&](int k) { return x + static_cast<std::ptrdiff_t>(sides) * k; };
  const auto load = [&](int k) {
    Row out;
    for (std::size_t s = 0; s < sides; ++s) out[s] = at(k)[s];
    return out;
  };
  for (int k = 0; k < n; ++k)
    for (std::size_t s = 0; s < sides; ++s) at(k)[s] = b[s][order[k]];
  for (int k = 0; k < n; ++k) {
    const Row of = load(k);
    for (int e = start[k]; e < start[k + 1]; ++e) {
      double* to = at(row[e]);
      for (std::size_t s = 0; s < sides; ++s) to[s] -= below[e] * of[s];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    Row sum = load(k);
    for (double& of : sum) of *= pivot[k];
    for (int e = start[k]; e < start[k + 1]; ++e) {
      const double* of = at(row[e]);
      for (std::size_t s = 0; s < sides; ++s) sum[s] -= below[e] * of[s];
    }
    for (std::size_t s = 0; s < sides; ++s) at(k)[s] = sum[s];
  }
  for (int k = 0; k < n; ++k)
    for (std::size_t s = 0; s < sides; ++s) b[s][order[k]] = at(k)[s];
}

void Ldlt::solve(double* b) const { solve<1>({b}); }

void Ldlt::solve(double* b, double* c) const { solve<2>({b, c}); }

}  // namespace extremal
