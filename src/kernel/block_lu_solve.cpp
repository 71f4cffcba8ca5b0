// The numeric part of BlockLu.
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "kernel/block_lu.hpp"
#include "kernel/lu.hpp"

namespace extremal {

namespace {

std::size_t sz(int n) { return static_cast<std::size_t>(n); }

// Calls f with the width as a constant for those of chains, whose loops are then unrolled, and with 0 otherwise.
template <class F>
void with_width(int width, F f) {
  switch (width) {
    case 3:
      return f(std::integral_constant<int, 3>());
    case 6:
      return f(std::integral_constant<int, 6>());
    case 12:
      return f(std::integral_constant<int, 12>());
    default:
      return f(std::integral_constant<int, 0>());
  }
}

// to -= f from, or += if `Add`
template <int Width, bool Add>
void add_row(const double* __restrict from, double f, double* __restrict to, int width) {
  if (Width != 0) width = Width;
  for (int c = 0; c < width; ++c) to[c] = Add ? to[c] + f * from[c] : to[c] - f * from[c];
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
  for (int i = 1; i < size; ++i)
    for (int j = 0; j < i; ++j)
      if (const double f = d[i * size + j]; f != 0) add_row<Width, false>(row(j), f, row(i), width);
  for (int i = size - 1; i >= 0; --i) {
    for (int j = i + 1; j < size; ++j)
      if (const double f = d[i * size + j]; f != 0) add_row<Width, false>(row(j), f, row(i), width);
    const double inverse = 1 / d[i * size + i];
    for (int c = 0; c < (Width != 0 ? Width : width); ++c) row(i)[c] *= inverse;
  }
}

}  // namespace

// Asks for memory that is needed next. The processor's own guesses end at every page, which is about one block.
void BlockLu::fetch(const Block& block) const {
#if defined(__GNUC__)
  constexpr std::ptrdiff_t line = 8;
  const std::ptrdiff_t count = block.plan >= 0
                                   ? plans_[sz(block.plan)].entries()
                                   : static_cast<std::ptrdiff_t>(block.size) * (block.size + 2 * block.width);
  for (std::ptrdiff_t i = 0; i < count; i += line) __builtin_prefetch(a_.data() + block.diagonal + i);
#endif
}

void BlockLu::clear() {
  fill_ = nullptr;
  std::fill(a_.begin(), a_.end(), 0.0);
}

void BlockLu::clear(const Block& block) {
  const std::ptrdiff_t count = block.plan >= 0
                                   ? plans_[sz(block.plan)].entries()
                                   : static_cast<std::ptrdiff_t>(block.size) * (block.size + 2 * block.width);
  std::fill_n(a_.data() + block.diagonal, count, 0.0);
}

void BlockLu::fill_all() {
  BlockFill* fill = fill_;
  if (fill == nullptr) return;
  clear();
  for (int k = 0; k < block_count(); ++k) fill->fill(k, a_.data());
}

BlockLu::Dense BlockLu::dense(const Block& b) {
  if (b.plan < 0) return {a_.data() + b.diagonal, a_.data() + b.upper, a_.data() + b.lower, b.size, b.first};
  if (b.spill >= 0) {
    double* from = spill_.data() + b.spill;
    double* upper = from + static_cast<std::ptrdiff_t>(b.size) * b.size;
    return {from, upper, upper + static_cast<std::ptrdiff_t>(b.size) * b.width, b.size, b.first};
  }
  const BodyPlan& plan = plans_[sz(b.plan)];
  double* from = a_.data() + b.diagonal;
  return {from + plan.rest_diagonal(), from + plan.rest_upper(), from + plan.rest_lower(), plan.rest_rows(),
          b.first + plan.early_rows()};
}

// Leaves U of the block's row as D^-1 U in the upper panel, and the lower panel as it is.
bool BlockLu::eliminate(const Dense& b, int w, double tiny, bool note_sizes, int& singular) {
  int* pivot = pivot_.data() + b.first;
  const double* prior = scale_.data() + b.first;
  const int column = factor_in_place(
      b.diagonal, b.size, pivot, tiny, [&](int k) { return prior[k]; },
      [&](int k, double ratio, double size) {
        if (note_sizes) largest_ = std::max(largest_, size);
        if (ratio < 1e-4) ++close_;
        if (ratio < weak)
          weak_columns_.push_back(column_of_[sz(b.first + k)]);
        else
          smallest_ = std::min(smallest_, ratio);
      });
  if (column >= 0) {
    singular = column_of_[sz(b.first + column)];
    return false;
  }
  if (w > 0) with_width(w, [&](auto width) { solve_panel<width()>(b.diagonal, b.size, pivot, b.upper, w); });
  return true;
}

// Copies the body, whose early entries are in kept_, to a dense block.
void BlockLu::spill(Block& b) {
  const BodyPlan& plan = plans_[sz(b.plan)];
  const Dense rest = dense(b);
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
      for (int j = 0; j < columns; ++j) at(row + i, column + j) = kept_[sz(from + i * columns + j)];
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
bool BlockLu::eliminate_body(Block& b, double tiny, int& singular) {
  const BodyPlan& plan = plans_[sz(b.plan)];
  double* a = a_.data() + b.diagonal;
  std::copy_n(a, plan.early_entries(), kept_.data());
  std::fill_n(panel_.data(), b.width * b.width, 0.0);
  const bool sound = plan.eliminate(a, kept_.data(), panel_.data(), largest_);
  if (!sound) spill(b);
  const Dense rest = dense(b);
  if (sound)
    for (int k = 0; k < rest.size; ++k)
      scale_[sz(rest.first + k)] = std::max(scale_[sz(rest.first + k)], std::abs(rest.diagonal[k * (rest.size + 1)]));
  return eliminate(rest, b.width, tiny, !sound, singular);
}

void BlockLu::subtract(const Block& b, const Dense& d, const Target* targets, const double* early) {
  const int count = b.count;
  const Neighbour* near = neighbours_.data() + b.neighbours;
  for (int r = 0; r < count; ++r) {
    const Neighbour& rows = near[r];
    for (int i = 0; i < rows.size; ++i) {
      const double* l = d.lower + static_cast<std::ptrdiff_t>(rows.place + i) * d.size;
      if (early != nullptr)
        std::copy_n(early + static_cast<std::ptrdiff_t>(rows.place + i) * b.width, b.width, panel_row_.data());
      else
        std::fill_n(panel_row_.data(), b.width, 0.0);
      with_width(b.width, [&](auto width) {
        for (int j = 0; j < d.size; ++j)
          if (const double f = l[j]; f != 0)
            add_row<width(), true>(d.upper + static_cast<std::ptrdiff_t>(j) * b.width, f, panel_row_.data(), b.width);
      });
      for (int c = 0; c < count; ++c) {
        const Target& t = targets[r * count + c];
        double* to = a_.data() + t.to + static_cast<std::ptrdiff_t>(i) * t.stride;
        const double* from = panel_row_.data() + near[c].place;
        for (int e = 0; e < near[c].size; ++e) to[e] -= from[e];
        if (c == r) scale_[sz(rows.first + i)] = std::max(scale_[sz(rows.first + i)], std::abs(from[i]));
      }
    }
  }
}

int BlockLu::factor(double tiny, double* right) {
  std::copy(reference_.begin(), reference_.end(), scale_.begin());
  weak_columns_.clear();
  smallest_ = 1;
  close_ = 0;
  largest_ = 0;
  spill_.clear();
  spilled_ = 0;
  BlockFill* fill = std::exchange(fill_, nullptr);
  // What others take off a block is added to it before its turn.
  if (fill != nullptr)
    for (const Block& b : blocks_)
      if (b.plan < 0) clear(b);
  if (right != nullptr)
    for (int i = 0; i < size_; ++i) work_[sz(row_at_[sz(i)])] = right[i];
  int singular = -1;
  const Target* targets = targets_.data();
  for (std::size_t at = 0; at < order_.size(); ++at) {
    Block& b = blocks_[sz(order_[at])];
    if (at + 1 < order_.size()) fetch(blocks_[sz(order_[at + 1])]);
    b.spill = -1;
    if (fill != nullptr) {
      if (b.plan >= 0) clear(b);
      fill->fill(order_[at], a_.data());
    }
    const bool regular =
        b.plan >= 0 ? eliminate_body(b, tiny, singular) : eliminate(dense(b), b.width, tiny, true, singular);
    if (!regular) return singular;
    subtract(b, dense(b), targets, b.plan >= 0 && b.spill < 0 ? panel_.data() : nullptr);
    if (right != nullptr) forward(b);
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
  for (Block& b : blocks_) {
    b.spill = -1;
    const Neighbour* near = neighbours_.data() + b.neighbours;
    // The row in block order of a row of the panel.
    const auto beyond = [&](int row) {
      int c = 0;
      while (row >= near[c].place + near[c].size) ++c;
      return near[c].first + row - near[c].place;
    };
    const Dense d = dense(b);
    for (int i = 0; i < d.size; ++i) {
      note(d.first + i, d.diagonal + static_cast<std::ptrdiff_t>(i) * d.size, d.size);
      note(d.first + i, d.upper + static_cast<std::ptrdiff_t>(i) * b.width, b.width);
    }
    for (int i = 0; i < b.width; ++i) note(beyond(i), d.lower + static_cast<std::ptrdiff_t>(i) * d.size, d.size);
    if (b.plan < 0) continue;
    plans_[sz(b.plan)].each_early([&](int row, int, int rows, int columns, int from) {
      for (int i = 0; i < rows; ++i)
        note(row < b.size ? b.first + row + i : beyond(row - b.size + i), a_.data() + b.diagonal + from + i * columns,
             columns);
    });
  }
  for (int i = 0; i < size_; ++i) out[i] = sizes[sz(row_at_[sz(i)])];
}

void BlockLu::forward(const Block& block) {
  const Dense d = dense(block);
  std::fill_n(panel_row_.data(), block.width, 0.0);
  if (block.plan >= 0 && block.spill < 0)
    plans_[sz(block.plan)].forward(a_.data() + block.diagonal, work_.data() + block.first, panel_row_.data());
  double* y = work_.data() + d.first;
  solve_in_place(d.diagonal, d.size, pivot_.data() + d.first, y);
  with_width(d.size, [&](auto size) {
    const double *l = d.lower, *early = panel_row_.data();
    for (int c = 0; c < block.count; ++c) {
      const Neighbour& other = neighbours_[sz(block.neighbours + c)];
      double* to = work_.data() + other.first;
      for (int i = 0; i < other.size; ++i, l += d.size) to[i] -= *early++ + dot_of<size()>(l, y, d.size);
    }
  });
}

void BlockLu::solve(double* b) {
  for (int i = 0; i < size_; ++i) work_[sz(row_at_[sz(i)])] = b[i];
  for (std::size_t at = 0; at < order_.size(); ++at) {
    if (at + 1 < order_.size()) fetch(blocks_[sz(order_[at + 1])]);
    forward(blocks_[sz(order_[at])]);
  }
  finish(b);
}

void BlockLu::finish(double* b) {
  for (auto k = order_.rbegin(); k != order_.rend(); ++k) {
    const Block& block = blocks_[sz(*k)];
    if (k + 1 != order_.rend()) fetch(blocks_[sz(*(k + 1))]);
    const Dense d = dense(block);
    double* y = work_.data() + d.first;
    for (int c = 0; c < block.count; ++c) {
      const Neighbour& other = neighbours_[sz(block.neighbours + c)];
      std::copy_n(work_.data() + other.first, other.size, panel_row_.data() + other.place);
    }
    with_width(block.width, [&](auto width) {
      for (int i = 0; i < d.size; ++i)
        y[i] -= dot_of<width()>(d.upper + static_cast<std::ptrdiff_t>(i) * block.width, panel_row_.data(), block.width);
    });
    if (block.plan >= 0 && block.spill < 0)
      plans_[sz(block.plan)].backward(a_.data() + block.diagonal, work_.data() + block.first, panel_row_.data());
  }
  for (int i = 0; i < size_; ++i) b[i] = work_[sz(column_at_[sz(i)])];
}

}  // namespace extremal
