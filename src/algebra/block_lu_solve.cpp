// The numeric part of BlockLu.
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "algebra/block_lu.hpp"
#include "algebra/lu.hpp"
#include "extremal/detail/instructions.hpp"
#include "numbers/index.hpp"

namespace extremal {

namespace {

// Calls f with the width as a constant for those of common joints, whose loops are then unrolled, and with 0 otherwise.
template <class F>
void with_width(int width, F f) {
  switch (width) {
    case 3:
      return f(std::integral_constant<int, 3>());
    case 6:
      return f(std::integral_constant<int, 6>());
    case 9:
      return f(std::integral_constant<int, 9>());
    case 12:
      return f(std::integral_constant<int, 12>());
    case 15:
      return f(std::integral_constant<int, 15>());
    case 18:
      return f(std::integral_constant<int, 18>());
    default:
      return f(std::integral_constant<int, 0>());
  }
}

// to = from + l u, or - without `Add`: a row times a matrix (size x width). Of known width the sums stay in registers.
// from may be null.
template <int Width, bool Add>
void add_rows(const double* from, const double* u, int size, const double* l, double* to, int width) {
  if constexpr (Width == 0) {
    for (int c = 0; c < width; ++c) to[c] = from != nullptr ? from[c] : 0;
    for (int j = 0; j < size; ++j, u += width)
      if (const double f = Add ? l[j] : -l[j]; f != 0)
        for (int c = 0; c < width; ++c) to[c] += f * u[c];
  } else {
    double sum[Width];
    for (int c = 0; c < Width; ++c) sum[c] = from != nullptr ? from[c] : 0;
    for (int j = 0; j < size; ++j, u += Width)
      if (const double f = Add ? l[j] : -l[j]; f != 0)
        for (int c = 0; c < Width; ++c) sum[c] += f * u[c];
    for (int c = 0; c < Width; ++c) to[c] = sum[c];
  }
}

template <int Size>
double dot_of(const double* a, const double* b, int n) {
  if (Size == 0) return dot(a, b, n);
  double even = a[0] * b[0], odd = a[1] * b[1];
  for (int i = 2; i + 1 < Size; i += 2) even += a[i] * b[i], odd += a[i + 1] * b[i + 1];
  return Size % 2 != 0 ? even + odd + a[Size - 1] * b[Size - 1] : even + odd;
}

// u (size x width) <- d^-1 u for a factored d
template <int Width>
void solve_panel(const double* d, int size, const int* pivot, double* u, int width) {
  const auto row = [&](int i) { return u + static_cast<std::ptrdiff_t>(i) * (Width != 0 ? Width : width); };
  for (int k = 0; k < size; ++k)
    if (pivot[k] != k) std::swap_ranges(row(k), row(k) + width, row(pivot[k]));
  for (int i = 1; i < size; ++i) add_rows<Width, false>(row(i), u, i, d + i * size, row(i), width);
  for (int i = size - 1; i >= 0; --i) {
    const int after = size - i - 1;
    if (after > 0) add_rows<Width, false>(row(i), row(i + 1), after, d + i * size + i + 1, row(i), width);
    const double inverse = d[i * size + i];
    for (int c = 0; c < (Width != 0 ? Width : width); ++c) row(i)[c] *= inverse;
  }
}

}  // namespace

void BlockLu::clear() {
  fill_ = nullptr;
  std::fill(a_.begin(), a_.end(), 0.0);
}

void BlockLu::fill_all() {
  BlockFill* fill = fill_;
  if (fill == nullptr) return;
  clear();
  for (int k = 0; k < block_count(); ++k) {
    const Block& b = blocks_[sz(k)];
    if (b.plan >= 0) {
      load(k, fill);
      std::copy_n(body_.data(), split(b), a_.data() + b.lower);
      std::copy(body_.data() + split(b), body_.data() + entries(b), a_.data() + b.upper);
    } else {
      add_entries(k, *fill, false);
    }
  }
}

// The entries of a body before elimination: from `fill`, or from where they are given.
void BlockLu::load(int block, BlockFill* fill) {
  const Block& b = blocks_[sz(block)];
  if (fill != nullptr) {
    std::fill_n(body_.data(), entries(b), 0.0);
    fill->fill(block, body_.data());
    return;
  }
  std::copy_n(a_.data() + b.lower, split(b), body_.data());
  std::copy_n(a_.data() + b.upper, entries(b) - split(b), body_.data() + split(b));
}

void BlockLu::scale_body(int block) {
  const Block& b = blocks_[sz(block)];
  const int count = plans_[sz(b.plan)].early_diagonals();
  for (int e = 0; e < count; ++e) largest_ = std::max(largest_, std::abs(body_[sz(e)]));
  const double *lower = factor_.data() + b.lower, *upper = factor_.data() + b.upper - split(b);
  for (std::ptrdiff_t e = 0; e < entries(b); ++e)
    body_[static_cast<std::size_t>(e)] *= (e < split(b) ? lower : upper)[e];
}

void BlockLu::scale_given() {
  for (const Block& b : blocks_) {
    if (b.plan >= 0) continue;
    for (std::ptrdiff_t e = 0; e < split(b); ++e)
      a_[static_cast<std::size_t>(b.lower + e)] *= factor_[static_cast<std::size_t>(b.lower + e)];
    for (std::ptrdiff_t e = 0; e < entries(b) - split(b); ++e)
      a_[static_cast<std::size_t>(b.upper + e)] *= factor_[static_cast<std::size_t>(b.upper + e)];
  }
}

// Of a block without a plan.
void BlockLu::add_entries(int block, BlockFill& fill, bool scaled) {
  const Block& b = blocks_[sz(block)];
  double* a = a_.data() + b.lower;
  if (scaled) {
    if (!fill.fill(block, zero_.data())) return;
    for (std::ptrdiff_t e = 0; e < entries(b); ++e) {
      const std::ptrdiff_t at = e < split(b) ? b.lower + e : b.upper + e - split(b);
      a_[static_cast<std::size_t>(at)] += zero_[static_cast<std::size_t>(e)] * factor_[static_cast<std::size_t>(at)];
    }
    std::fill_n(zero_.data(), entries(b), 0.0);
    return;
  }
  if (b.width == 0) {
    fill.fill(block, a);
    return;
  }
  if (!fill.fill(block, zero_.data())) return;
  for (std::ptrdiff_t e = 0; e < split(b); ++e) a[e] += zero_[static_cast<std::size_t>(e)];
  double* upper = a_.data() + b.upper - split(b);
  for (std::ptrdiff_t e = split(b); e < entries(b); ++e) upper[e] += zero_[static_cast<std::size_t>(e)];
  std::fill_n(zero_.data(), entries(b), 0.0);
}

BlockLu::Dense BlockLu::dense(const Block& b, double* lower, double* upper) {
  if (b.plan < 0) return {lower, upper, lower + static_cast<std::ptrdiff_t>(b.size) * b.size, b.size, b.first};
  if (b.spill >= 0) {
    double* from = spill_.data() + b.spill;
    double* panel = from + static_cast<std::ptrdiff_t>(b.size) * b.size;
    return {from, panel, panel + static_cast<std::ptrdiff_t>(b.size) * b.width, b.size, b.first};
  }
  const BodyPlan& plan = plans_[sz(b.plan)];
  return {lower + plan.rest_diagonal(), upper + (plan.rest_upper() - plan.upper()), lower + plan.rest_lower(),
          plan.rest_rows(), b.first + plan.early_rows()};
}

// Leaves U of the block's row as D^-1 U in the upper panel, and the lower panel as it is.
bool BlockLu::eliminate(const Dense& b, int w, double tiny, bool note_sizes, int& singular) {
  int* pivot = pivot_.data() + b.first;
  const double* prior = scale_.data() + b.first;
  const auto judge = [&](int k, double ratio, double size) {
    const std::size_t at = sz(b.first + k);
    const double own = factor_.empty() ? size : size / (row_scale_[at] * column_scale_[at]);
    if (note_sizes) largest_ = std::max(largest_, own);
    if (noted_ != nullptr) noted_[column_of_[at]] = own;
    if (ratio < 1e-4) ++close_;
    if (ratio < weak)
      weak_columns_.push_back(column_of_[sz(b.first + k)]);
    else
      smallest_ = std::min(smallest_, ratio);
  };
  int column = -1;
  with_width(b.size, [&](auto size) {
    const int n = size() != 0 ? size() : b.size;
    const auto factor = [&] {
      column = factor_in_place(b.diagonal, n, pivot, tiny, [&](int k) { return prior[k]; }, judge);
    };
    if constexpr (size() == 0)
      with_best_instructions(factor);  // rows may be long
    else
      factor();
  });
  if (column >= 0) {
    singular = column_of_[sz(b.first + column)];
    return false;
  }
  if (w > 0) with_width(w, [&](auto width) { solve_panel<width()>(b.diagonal, b.size, pivot, b.upper, w); });
  return true;
}

// Copies the body to a dense block.
void BlockLu::spill(Block& b) {
  const BodyPlan& plan = plans_[sz(b.plan)];
  const Dense rest = dense(b, body_.data(), body_.data() + plan.upper());
  b.spill = static_cast<std::ptrdiff_t>(spill_.size());
  spill_.resize(spill_.size() + sz(b.size) * sz(b.size + 2 * b.width), 0.0);
  ++spilled_;
  const Dense to = dense(b);
  const auto at = [&](int i, int j) -> double& {
    if (i >= b.size) return to.lower[static_cast<std::ptrdiff_t>(i - b.size) * b.size + j];
    if (j >= b.size) return to.upper[static_cast<std::ptrdiff_t>(i) * b.width + j - b.size];
    return to.diagonal[static_cast<std::ptrdiff_t>(i) * b.size + j];
  };
  plan.each_early([&](int row, int column, int rows, int columns, int from) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) at(row + i, column + j) = body_[sz(from + i * columns + j)];
  });
  const int early = plan.early_rows();
  for (int i = 0; i < rest.size; ++i) {
    for (int j = 0; j < rest.size; ++j) at(early + i, early + j) = rest.diagonal[i * rest.size + j];
    for (int j = 0; j < b.width; ++j) {
      at(early + i, b.size + j) = rest.upper[i * b.width + j];
      at(b.size + j, early + i) = rest.lower[j * rest.size + i];
    }
  }
}

// Leaves in panel_ what the early units take off the joints; nothing if the body was spilled.
bool BlockLu::eliminate_body(int block, BlockFill* fill, double tiny, int& singular) {
  Block& b = blocks_[sz(block)];
  const BodyPlan& plan = plans_[sz(b.plan)];
  load(block, fill);
  const bool scaled = !factor_.empty();
  if (scaled) scale_body(block);
  std::copy_n(body_.data(), plan.early_diagonals(), kept_.data());
  std::fill_n(panel_.data(), b.width * b.width, 0.0);
  const double before = largest_;
  const bool sound = plan.eliminate(body_.data(), kept_.data(), panel_.data(), largest_);
  if (scaled) largest_ = before;
  if (!sound) {
    load(block, fill);
    if (scaled) scale_body(block);
    spill(b);
  }
  const Dense rest = dense(b, body_.data(), body_.data() + plan.upper());
  for (int k = 0; k < rest.size; ++k) {
    const double size = reference_[sz(rest.first + k)];
    scale_[sz(rest.first + k)] = sound ? std::max(size, std::abs(rest.diagonal[k * (rest.size + 1)])) : size;
  }
  return eliminate(rest, b.width, tiny, !sound, singular);
}

void BlockLu::subtract(const Block& b, const Dense& d, const Target* targets, const double* early, bool given) {
  const int count = b.count;
  const Neighbour* near = neighbours_.data() + b.neighbours;
  // All rows for one neighbour before any of them is used: what has just been written is slow to read in other
  // portions.
  for (int r = 0; r < count; ++r) {
    const Neighbour& rows = near[r];
    with_width(b.width, [&](auto width) {
      const double *from = early, *l = d.lower + static_cast<std::ptrdiff_t>(rows.place) * d.size;
      if (from != nullptr) from += static_cast<std::ptrdiff_t>(rows.place) * b.width;
      double* to = product_.data();
      for (int i = 0; i < rows.size; ++i, l += d.size, to += b.width) {
        add_rows<width(), true>(from, d.upper, d.size, l, to, b.width);
        if (from != nullptr) from += b.width;
      }
    });
    for (int c = 0; c < count; ++c) {
      const Target& t = targets[r * count + c];
      double* to = a_.data() + t.to;
      const double* from = product_.data() + near[c].place;
      const bool first = t.fresh && !given;
      for (int i = 0; i < rows.size; ++i, to += t.stride, from += b.width)
        for (int e = 0; e < near[c].size; ++e) to[e] = first ? -from[e] : to[e] - from[e];
    }
    const double* diagonal = product_.data() + rows.place;
    for (int i = 0; i < rows.size; ++i, diagonal += b.width + 1) {
      double& scale = scale_[sz(rows.first + i)];
      scale = rows.fresh ? std::abs(*diagonal) : std::max(scale, std::abs(*diagonal));
    }
  }
}

int BlockLu::factor(double tiny, double* right) {
  weak_columns_.clear();
  smallest_ = 1;
  close_ = 0;
  largest_ = 0;
  spill_.clear();
  spilled_ = 0;
  BlockFill* fill = std::exchange(fill_, nullptr);
  if (fill != nullptr)
    for (const Block& b : blocks_)
      if (b.plan < 0 && !b.covered) {
        std::fill_n(a_.data() + b.lower, split(b), 0.0);
        std::fill_n(a_.data() + b.upper, entries(b) - split(b), 0.0);
      }
  if (fill == nullptr && !factor_.empty()) scale_given();
  int singular = -1;
  const Target* targets = targets_.data();
  for (const int k : order_) {
    Block& b = blocks_[sz(k)];
    b.spill = -1;
    double *lower = a_.data() + b.lower, *upper = a_.data() + b.upper;
    if (b.plan >= 0) {
      if (!eliminate_body(k, fill, tiny, singular)) return singular;
      lower = body_.data();
      upper = body_.data() + split(b);
    } else {
      if (fill != nullptr) add_entries(k, *fill, !factor_.empty());
      for (int i = b.first; i < b.first + b.size; ++i)
        scale_[sz(i)] = b.reached ? std::max(scale_[sz(i)], reference_[sz(i)]) : reference_[sz(i)];
      if (!eliminate(dense(b), b.width, tiny, true, singular)) return singular;
    }
    subtract(b, dense(b, lower, upper), targets, b.plan >= 0 && b.spill < 0 ? panel_.data() : nullptr, fill == nullptr);
    if (right != nullptr) forward(b, lower, right);
    if (b.plan >= 0 && b.spill < 0) {
      std::copy_n(lower, split(b), a_.data() + b.lower);
      std::copy_n(upper, entries(b) - split(b), a_.data() + b.upper);
    }
    targets += b.count * b.count;
  }
  return -1;
}

void BlockLu::row_sizes(double* out) {
  fill_all();
  Array<double>& sizes = work_;
  std::fill(sizes.begin(), sizes.end(), 0.0);
  const auto note = [&](int row, const double* from, int count) {
    for (int c = 0; c < count; ++c) sizes[sz(row)] = std::max(sizes[sz(row)], std::abs(from[c]));
  };
  for (int k = 0; k < block_count(); ++k) {
    Block& b = blocks_[sz(k)];
    b.spill = -1;
    const Neighbour* near = neighbours_.data() + b.neighbours;
    // The row in block order of a row of the panel.
    const auto beyond = [&](int row) {
      int c = 0;
      while (row >= near[c].place + near[c].size) ++c;
      return near[c].first + row - near[c].place;
    };
    if (b.plan >= 0) load(k, nullptr);
    const Dense d = b.plan >= 0 ? dense(b, body_.data(), body_.data() + split(b)) : dense(b);
    for (int i = 0; i < d.size; ++i) {
      note(d.first + i, d.diagonal + static_cast<std::ptrdiff_t>(i) * d.size, d.size);
      note(d.first + i, d.upper + static_cast<std::ptrdiff_t>(i) * b.width, b.width);
    }
    for (int i = 0; i < b.width; ++i) note(beyond(i), d.lower + static_cast<std::ptrdiff_t>(i) * d.size, d.size);
    if (b.plan < 0) continue;
    plans_[sz(b.plan)].each_early([&](int row, int, int rows, int columns, int from) {
      for (int i = 0; i < rows; ++i)
        note(row < b.size ? b.first + row + i : beyond(row - b.size + i), body_.data() + from + i * columns, columns);
    });
  }
  for (int i = 0; i < size_; ++i) out[i] = sizes[sz(row_at_[sz(i)])];
}

void BlockLu::forward(const Block& block, double* lower, const double* right) {
  double* own = work_.data() + block.first;
  const int* row_of = row_of_.data() + block.first;
  if (!factor_.empty()) {
    const double* scale = row_scale_.data() + block.first;
    for (int i = 0; i < block.size; ++i) own[i] = (block.reached ? own[i] : 0) + scale[i] * right[row_of[i]];
  } else if (block.reached)
    for (int i = 0; i < block.size; ++i) own[i] += right[row_of[i]];
  else
    for (int i = 0; i < block.size; ++i) own[i] = right[row_of[i]];
  const Dense d = dense(block, lower, a_.data() + block.upper);
  std::fill_n(panel_row_.data(), block.width, 0.0);
  if (block.plan >= 0 && block.spill < 0) plans_[sz(block.plan)].forward(lower, own, panel_row_.data());
  double* y = work_.data() + d.first;
  with_width(d.size, [&](auto size) {
    solve_in_place<size()>(d.diagonal, d.size, pivot_.data() + d.first, y);
    const double *l = d.lower, *early = panel_row_.data();
    for (int c = 0; c < block.count; ++c) {
      const Neighbour& other = neighbours_[sz(block.neighbours + c)];
      double* to = work_.data() + other.first;
      for (int i = 0; i < other.size; ++i, l += d.size) {
        const double off = *early++ + dot_of<size()>(l, y, d.size);
        to[i] = other.fresh ? -off : to[i] - off;
      }
    }
  });
}

void BlockLu::solve(double* b) {
  for (const int k : order_) {
    const Block& block = blocks_[sz(k)];
    forward(block, a_.data() + block.lower, b);
  }
  finish(b);
}

void BlockLu::finish(double* b) {
  for (auto k = order_.rbegin(); k != order_.rend(); ++k) {
    const Block& block = blocks_[sz(*k)];
    const Dense d = dense(block);
    double* y = work_.data() + d.first;
    for (int c = 0; c < block.count; ++c) {
      const Neighbour& other = neighbours_[sz(block.neighbours + c)];
      std::copy_n(work_.data() + other.first, other.size, panel_row_.data() + other.place);
    }
    with_width(block.width, [&](auto width) {
      for (int i = d.size; i-- > 0;)
        y[i] -= dot_of<width()>(d.upper + static_cast<std::ptrdiff_t>(i) * block.width, panel_row_.data(), block.width);
    });
    double* own = work_.data() + block.first;
    if (block.plan >= 0 && block.spill < 0)
      plans_[sz(block.plan)].backward(a_.data() + block.upper, own, panel_row_.data());
    const int* column_of = column_of_.data() + block.first;
    if (factor_.empty()) {
      for (int i = 0; i < block.size; ++i) b[column_of[i]] = own[i];
    } else {
      const double* scale = column_scale_.data() + block.first;
      for (int i = 0; i < block.size; ++i) b[column_of[i]] = scale[i] * own[i];
    }
  }
}

}  // namespace extremal
