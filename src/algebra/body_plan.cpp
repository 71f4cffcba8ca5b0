#include "algebra/body_plan.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>

#include "numbers/index.hpp"

namespace extremal {

namespace {

// How far a pivot may move from what the diagonal was before elimination: M + O(h^2) by far less.
constexpr double far = 1e4;

// Replaces the n x n matrix by its inverse; false if a pivot is not between `least` and `most`.
template <int Size>
bool invert(double* a, int n, double least, double most) {
  if (Size != 0) n = Size;
  if (Size == 1) {
    if (!(std::abs(*a) >= least && std::abs(*a) <= most)) return false;
    *a = 1 / *a;
    return true;
  }
  // Gauss and Jordan; what the rows were exchanged by is undone in the columns.
  int exchanged[BodyPlan::most_rows];
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(a[i * n + k]) > std::abs(a[best * n + k])) best = i;
    const double pivot = a[best * n + k];
    if (!(std::abs(pivot) >= least && std::abs(pivot) <= most)) return false;
    exchanged[k] = best;
    if (best != k)
      for (int j = 0; j < n; ++j) std::swap(a[k * n + j], a[best * n + j]);
    const double inverse = 1 / pivot;
    a[k * n + k] = 1;
    for (int j = 0; j < n; ++j) a[k * n + j] *= inverse;
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const double f = a[i * n + k];
      a[i * n + k] = 0;
      for (int j = 0; j < n; ++j) a[i * n + j] -= f * a[k * n + j];
    }
  }
  for (int k = n - 1; k >= 0; --k)
    if (exchanged[k] != k)
      for (int i = 0; i < n; ++i) std::swap(a[i * n + k], a[i * n + exchanged[k]]);
  return true;
}

// u (n x m) <- d (n x n) u
template <int Size, int Columns>
void multiply(const double* d, double* u, int n, int m) {
  if (Size != 0) n = Size;
  if (Columns != 0) m = Columns;
  double column[BodyPlan::most_rows];
  for (int c = 0; c < m; ++c) {
    for (int i = 0; i < n; ++i) column[i] = u[i * m + c];
    for (int i = 0; i < n; ++i) {
      double sum = d[i * n] * column[0];
      for (int k = 1; k < n; ++k) sum += d[i * n + k] * column[k];
      u[i * m + c] = sum;
    }
  }
}

// to -= a x, or += if `Add`, with a of rows x columns
template <int Size, bool Add>
void add_product(const double* a, const double* x, int rows, int columns, double* to) {
  if (Size != 0) rows = columns = Size;
  for (int i = 0; i < rows; ++i) {
    double sum = a[i * columns] * x[0];
    for (int k = 1; k < columns; ++k) sum += a[i * columns + k] * x[k];
    to[i] = Add ? to[i] + sum : to[i] - sum;
  }
}

}  // namespace

BodyPlan::BodyPlan(const BodyShape& shape)
    : early_(shape.early), own_(shape.own), order_of_(sz(shape.early)), size_(shape.size), place_(shape.place) {
  const int count = static_cast<int>(shape.size.size());
  equal_ = shape.size[0];
  for (const int size : shape.size)
    if (size != equal_) equal_ = 0;
  for (int u = 0; u < count; ++u) (u < early_ ? early_rows_ : u < own_ ? rest_rows_ : width_) += size_[sz(u)];
  // Minimum degree.
  std::vector<std::vector<int>> near = shape.near;
  for (int u = 0; u < early_; ++u)
    for (const int v : shape.near[sz(u)])
      if (v < early_) near[sz(v)].push_back(u);
  for (auto& list : near) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  std::vector<bool> gone(sz(early_), false);
  for (int u = 0; u < early_; ++u) early_diagonals_ += size_[sz(u)] * size_[sz(u)];
  int diagonal = 0, lower = early_diagonals_, upper = 0, row = 0;
  std::vector<int> merged;
  for (int k = 0; k < early_; ++k) {
    int u = -1;
    for (int v = 0; v < early_; ++v)
      if (!gone[sz(v)] && (u < 0 || near[sz(v)].size() < near[sz(u)].size())) u = v;
    gone[sz(u)] = true;
    order_of_[sz(u)] = k;
    Unit unit{row, size_[sz(u)], diagonal, static_cast<int>(links_.size()), 0, 0, 0};
    row += unit.size;
    diagonal += unit.size * unit.size;
    for (const int v : near[sz(u)]) {
      links_.push_back({v, 0, size_[sz(v)], upper, lower});
      upper += unit.size * size_[sz(v)];
      lower += unit.size * size_[sz(v)];
      if (v >= early_) continue;
      merged.clear();
      std::set_union(near[sz(v)].begin(), near[sz(v)].end(), near[sz(u)].begin(), near[sz(u)].end(),
                     std::back_inserter(merged));
      merged.erase(std::remove_if(merged.begin(), merged.end(), [&](int w) { return w == v || w == u; }), merged.end());
      near[sz(v)] = merged;
    }
    unit.links_end = static_cast<int>(links_.size());
    units_.push_back(unit);
  }
  rest_ = lower;
  upper_ = rest_lower() + width_ * rest_rows_;
  rest_upper_ = upper_ + upper;
  for (Link& l : links_) {
    l.at = l.unit < own_ ? this->row(l.unit) : early_rows_ + rest_rows_ + place_[sz(l.unit)];
    l.upper += upper_;
  }
  find_updates(shape);
}

int BodyPlan::row(int unit) const {
  return unit < early_ ? units_[sz(order_of_[sz(unit)])].at : early_rows_ + place_[sz(unit)];
}

BodyPlan::Place BodyPlan::find(int r, int c) const {
  if (r >= early_ && c >= early_) {
    if (r < own_ && c < own_) return {rest_diagonal() + place_[sz(r)] * rest_rows_ + place_[sz(c)], rest_rows_};
    if (r < own_) return {rest_upper() + place_[sz(r)] * width_ + place_[sz(c)], width_};
    assert(c < own_);
    return {rest_lower() + place_[sz(r)] * rest_rows_ + place_[sz(c)], rest_rows_};
  }
  const bool upper = c >= early_ || (r < early_ && order_of_[sz(r)] <= order_of_[sz(c)]);
  const int first = upper ? r : c, second = upper ? c : r;
  const Unit& u = units_[sz(order_of_[sz(first)])];
  if (r == c) return {u.diagonal, u.size};
  for (int e = u.links; e < u.links_end; ++e)
    if (const Link& l = links_[sz(e)]; l.unit == second) return upper ? Place{l.upper, l.size} : Place{l.lower, u.size};
  return {-1, 0};
}

void BodyPlan::find_updates(const BodyShape& shape) {
  for (Unit& u : units_) {
    u.updates = static_cast<int>(updates_.size());
    for (int r = u.links; r < u.links_end; ++r)
      for (int c = u.links; c < u.links_end; ++c) {
        const Link &lower = links_[sz(r)], &upper = links_[sz(c)];
        Update update{0, 0, lower.lower, upper.upper, lower.size, u.size, upper.size};
        if (lower.unit >= own_ && upper.unit >= own_) {
          update.to = shape.place[sz(lower.unit)] * width_ + shape.place[sz(upper.unit)];
          update.stride = width_;
          panel_updates_.push_back(update);
          continue;
        }
        const Place to = find(lower.unit, upper.unit);
        update.to = to.to;
        update.stride = to.stride;
        (lower.unit < early_ || upper.unit < early_ ? updates_ : rest_updates_).push_back(update);
      }
    u.updates_end = static_cast<int>(updates_.size());
  }
}

namespace {

template <int Size, bool Add, class U>
void update_with(const U& update, const double* a, double* out) {
  const int rows = Size != 0 ? Size : update.rows, inner = Size != 0 ? Size : update.inner,
            columns = Size != 0 ? Size : update.columns;
  // Copies, as the compiler cannot know that the entries of different units do not overlap.
  constexpr int most = Size != 0 ? Size * Size : BodyPlan::most_rows * BodyPlan::most_rows;
  double l[most], u[most];
  for (int e = 0; e < rows * inner; ++e) l[e] = a[update.lower + e];
  for (int e = 0; e < inner * columns; ++e) u[e] = a[update.upper + e];
  double* to = out + update.to;
  for (int i = 0; i < rows; ++i, to += update.stride)
    for (int j = 0; j < columns; ++j) {
      double sum = l[i * inner] * u[j];
      for (int k = 1; k < inner; ++k) sum += l[i * inner + k] * u[k * columns + j];
      to[j] = Add ? to[j] + sum : to[j] - sum;
    }
}

}  // namespace

template <int Size>
bool BodyPlan::eliminate_unit(const Unit& u, double* a, const double* kept, double& largest) const {
  double scale = 0;
  for (int e = 0; e < (Size != 0 ? Size * Size : u.size * u.size); ++e)
    scale = std::max(scale, std::abs(kept[u.diagonal + e]));
  if (!(scale > 0) || !invert<Size>(a + u.diagonal, u.size, scale / far, scale * far)) return false;
  largest = std::max(largest, scale);
  for (int e = u.links; e < u.links_end; ++e)
    multiply<Size, Size>(a + u.diagonal, a + links_[sz(e)].upper, u.size, links_[sz(e)].size);
  for (int e = u.updates; e < u.updates_end; ++e) update_with<Size, false>(updates_[sz(e)], a, a);
  return true;
}

template <int Size>
bool BodyPlan::eliminate_equal(double* a, const double* kept, double* panel, double& largest) const {
  for (const Unit& u : units_)
    if (!eliminate_unit<Size>(u, a, kept, largest)) return false;
  for (const Update& update : rest_updates_) update_with<Size, false>(update, a, a);
  for (const Update& update : panel_updates_) update_with<Size, true>(update, a, panel);
  return true;
}

bool BodyPlan::eliminate(double* a, const double* kept, double* panel, double& largest) const {
  switch (equal_) {
    case 1:
      return eliminate_equal<1>(a, kept, panel, largest);
    case 2:
      return eliminate_equal<2>(a, kept, panel, largest);
    case 3:
      return eliminate_equal<3>(a, kept, panel, largest);
    default:
      return eliminate_equal<0>(a, kept, panel, largest);
  }
}

template <int Size>
void BodyPlan::forward_equal(const double* a, double* y, double* panel) const {
  const int own = early_rows_ + rest_rows_;
  for (const Unit& u : units_) {
    double* x = y + u.at;
    multiply<Size, 1>(a + u.diagonal, x, u.size, 1);
    for (int e = u.links; e < u.links_end; ++e) {
      const Link& l = links_[sz(e)];
      if (l.at < own)
        add_product<Size, false>(a + l.lower, x, l.size, u.size, y + l.at);
      else
        add_product<Size, true>(a + l.lower, x, l.size, u.size, panel + (l.at - own));
    }
  }
}

template <int Size>
void BodyPlan::backward_equal(const double* upper, double* y, const double* panel) const {
  const int own = early_rows_ + rest_rows_;
  for (auto u = units_.rbegin(); u != units_.rend(); ++u)
    for (int e = u->links_end; e-- > u->links;) {
      const Link& l = links_[sz(e)];
      add_product<Size, false>(upper + (l.upper - upper_), l.at < own ? y + l.at : panel + (l.at - own), u->size,
                               l.size, y + u->at);
    }
}

void BodyPlan::forward(const double* a, double* y, double* panel) const {
  switch (equal_) {
    case 1:
      return forward_equal<1>(a, y, panel);
    case 2:
      return forward_equal<2>(a, y, panel);
    case 3:
      return forward_equal<3>(a, y, panel);
    default:
      return forward_equal<0>(a, y, panel);
  }
}

void BodyPlan::backward(const double* upper, double* y, const double* panel) const {
  switch (equal_) {
    case 1:
      return backward_equal<1>(upper, y, panel);
    case 2:
      return backward_equal<2>(upper, y, panel);
    case 3:
      return backward_equal<3>(upper, y, panel);
    default:
      return backward_equal<0>(upper, y, panel);
  }
}

}  // namespace extremal
