#include "kernel/block_lu.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <set>

#include "extremal/error.hpp"
#include "kernel/lu.hpp"

namespace extremal {

namespace {
std::size_t sz(int n) { return static_cast<std::size_t>(n); }
std::size_t sz(std::ptrdiff_t n) { return static_cast<std::size_t>(n); }

// Asks for memory that is needed next. The processor's own guesses end at every page, which is about one block.
void fetch(const double* from, std::ptrdiff_t count) {
#if defined(__GNUC__)
  constexpr std::ptrdiff_t line = 8;
  for (std::ptrdiff_t i = 0; i < count; i += line) __builtin_prefetch(from + i);
#endif
}
}  // namespace

BlockLu::BlockLu(int size)
    : BlockLu(Blocks{1, {}, {}, {false}, {}}, std::vector<int>(sz(size), 0), std::vector<int>(sz(size), 0)) {}

BlockLu::BlockLu(const Blocks& blocks, const std::vector<int>& row_block, const std::vector<int>& column_block)
    : size_(static_cast<int>(row_block.size())),
      blocks_(sz(blocks.count)),
      row_at_(sz(size_)),
      column_at_(sz(size_)),
      row_block_(row_block),
      column_block_(column_block),
      column_of_(sz(size_)),
      pivot_(sz(size_)),
      reference_(sz(size_), 0.0),
      scale_(sz(size_)),
      work_(sz(size_)) {
  for (const int block : row_block) ++blocks_[sz(block)].size;
  std::vector<std::vector<int>> later = order(blocks);
  int first = 0;
  std::ptrdiff_t end = 0;
  int widest = 0;
  for (const int k : order_) {
    blocks_[sz(k)].first = first;
    first += blocks_[sz(k)].size;
  }
  for (const int k : order_) {
    Block& b = blocks_[sz(k)];
    std::vector<int>& near = later[sz(k)];
    std::sort(near.begin(), near.end(), [&](int x, int y) { return blocks_[sz(x)].rank < blocks_[sz(y)].rank; });
    b.neighbours = static_cast<int>(neighbours_.size());
    b.count = static_cast<int>(near.size());
    for (const int other : near) {
      neighbours_.push_back({other, blocks_[sz(other)].first, blocks_[sz(other)].size, b.width});
      b.width += blocks_[sz(other)].size;
    }
    b.diagonal = end;  // the parts of a block next to each other: it is read in one go
    b.upper = end + static_cast<std::ptrdiff_t>(b.size) * b.size;
    b.lower = b.upper + static_cast<std::ptrdiff_t>(b.size) * b.width;
    end = b.lower + static_cast<std::ptrdiff_t>(b.size) * b.width;
    widest = std::max(widest, b.width);
  }
  if (end > std::numeric_limits<int>::max())
    throw InputError("the matrix of a step has " + std::to_string(end) +
                     " entries; expected at most 2^31; try a scheme of fewer stages");
  a_.assign(sz(end), 0.0);
  panel_row_.resize(sz(widest));
  for (const int k : order_)
    for (const int row : later[sz(k)])
      for (const int column : later[sz(k)]) targets_.push_back(target(row, column));
  std::vector<int> rows(sz(blocks.count), 0), columns(sz(blocks.count), 0);
  for (int i = 0; i < size_; ++i) {
    row_at_[sz(i)] = blocks_[sz(row_block[sz(i)])].first + rows[sz(row_block[sz(i)])]++;
    column_at_[sz(i)] = blocks_[sz(column_block[sz(i)])].first + columns[sz(column_block[sz(i)])]++;
    column_of_[sz(column_at_[sz(i)])] = i;
  }
  assert(rows == columns);
  weak_columns_.reserve(sz(size_));
}

// Greedy minimum degree, measured in rows.
std::vector<std::vector<int>> BlockLu::order(const Blocks& blocks) {
  std::vector<std::vector<int>> later(sz(blocks.count));
  std::vector<std::vector<int>> near(sz(blocks.count));
  for (const auto& [i, j] : blocks.edges) near[sz(i)].push_back(j), near[sz(j)].push_back(i);
  std::vector<bool> ready(sz(blocks.count)), gone(sz(blocks.count), false);
  // A joint waits for its bodies: then what is left of it is -G M^-1 G^T, whose small pivots are the redundant rows. It
  // does not wait for a hub, as which all its joints would become neighbours of each other.
  constexpr std::size_t hub = 8;
  std::vector<int> waits(sz(blocks.count), 0);
  std::vector<bool> is_hub(sz(blocks.count), false);
  for (int k = 0; k < blocks.count; ++k) is_hub[sz(k)] = !blocks.joint[sz(k)] && near[sz(k)].size() > hub;
  for (int k = 0; k < blocks.count; ++k)
    if (blocks.joint[sz(k)]) {
      for (const int body : near[sz(k)]) waits[sz(k)] += is_hub[sz(body)] ? 0 : 1;
      waits[sz(k)] = std::max(waits[sz(k)], 1);
    }
  std::set<std::pair<long, int>> queue;
  const auto cost = [&](int k) {
    long rows = 0;
    for (const int other : near[sz(k)]) rows += blocks_[sz(other)].size;
    return rows;
  };
  std::vector<long> queued(sz(blocks.count), -1);
  const auto enqueue = [&](int k) {
    if (queued[sz(k)] >= 0) queue.erase({queued[sz(k)], k});
    queue.insert({queued[sz(k)] = cost(k), k});
  };
  for (int k = 0; k < blocks.count; ++k) {
    std::sort(near[sz(k)].begin(), near[sz(k)].end());
    ready[sz(k)] = waits[sz(k)] == 0;
    if (ready[sz(k)]) enqueue(k);
  }
  const std::vector<std::vector<int>> own = near;
  std::vector<int> merged;
  while (!queue.empty()) {
    const int k = queue.begin()->second;
    queue.erase(queue.begin());
    gone[sz(k)] = true;
    blocks_[sz(k)].rank = static_cast<int>(order_.size());
    order_.push_back(k);
    const std::vector<int>& around = later[sz(k)] = near[sz(k)];
    for (const int i : around) {
      merged.clear();
      std::set_union(near[sz(i)].begin(), near[sz(i)].end(), around.begin(), around.end(), std::back_inserter(merged));
      merged.erase(std::remove_if(merged.begin(), merged.end(), [&](int j) { return j == i || gone[sz(j)]; }),
                   merged.end());
      near[sz(i)] = merged;
    }
    for (const int i : around) {
      if (!blocks.joint[sz(k)] && blocks.joint[sz(i)] && std::binary_search(own[sz(i)].begin(), own[sz(i)].end(), k) &&
          (!is_hub[sz(k)] || waits[sz(i)] == 1))
        ready[sz(i)] = ready[sz(i)] || --waits[sz(i)] <= 0;
      if (ready[sz(i)]) enqueue(i);
    }
    near[sz(k)].clear();
  }
  assert(order_.size() == sz(blocks.count));
  return later;
}

BlockLu::Target BlockLu::target(int row_block, int column_block) const {
  const Block &r = blocks_[sz(row_block)], &c = blocks_[sz(column_block)];
  if (row_block == column_block) return {r.diagonal, r.size};
  const Block& earlier = r.rank < c.rank ? r : c;
  const int other = r.rank < c.rank ? column_block : row_block;
  const Neighbour* near = neighbours_.data() + earlier.neighbours;
  const Neighbour* end = near + earlier.count;
  const Neighbour* found = std::find_if(near, end, [&](const Neighbour& n) { return n.block == other; });
  if (found == end) return {-1, 0};
  const int place = found->place;
  if (r.rank < c.rank) return {r.upper + place, r.width};
  return {c.lower + static_cast<std::ptrdiff_t>(place) * c.size, c.size};
}

int BlockLu::slot(int row, int column) const {
  const int rb = row_block_[sz(row)], cb = column_block_[sz(column)];
  const Target t = target(rb, cb);
  assert(t.to >= 0);
  return static_cast<int>(t.to + static_cast<std::ptrdiff_t>(row_at_[sz(row)] - blocks_[sz(rb)].first) * t.stride +
                          (column_at_[sz(column)] - blocks_[sz(cb)].first));
}

void BlockLu::refer(int column, double size) { reference_[sz(column_at_[sz(column)])] = size; }

void BlockLu::clear() { std::fill(a_.begin(), a_.end(), 0.0); }

// Leaves U of the block's row as D^-1 U in the upper panel, and the lower panel as it is.
bool BlockLu::eliminate(const Block& b, double tiny, int& singular) {
  double* d = a_.data() + b.diagonal;
  int* pivot = pivot_.data() + b.first;
  const double* prior = scale_.data() + b.first;
  const int column = factor_in_place(
      d, b.size, pivot, tiny, [&](int k) { return prior[k]; },
      [&](int k, double ratio, double size) {
        largest_ = std::max(largest_, size);
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
  const int w = b.width;
  if (w == 0) return true;
  double* u = a_.data() + b.upper;
  const auto row = [&](int i) { return u + static_cast<std::ptrdiff_t>(i) * w; };
  for (int k = 0; k < b.size; ++k)
    if (pivot[k] != k) std::swap_ranges(row(k), row(k) + w, row(pivot[k]));
  for (int i = 0; i < b.size; ++i) {
    const double* l = d + static_cast<std::ptrdiff_t>(i) * b.size;
    double* to = row(i);
    for (int j = 0; j < i; ++j)
      if (const double f = l[j]; f != 0)
        for (int c = 0; c < w; ++c) to[c] -= f * row(j)[c];
  }
  for (int i = b.size - 1; i >= 0; --i) {
    const double* l = d + static_cast<std::ptrdiff_t>(i) * b.size;
    double* to = row(i);
    for (int j = i + 1; j < b.size; ++j)
      if (const double f = l[j]; f != 0)
        for (int c = 0; c < w; ++c) to[c] -= f * row(j)[c];
    const double inverse = 1 / l[i];
    for (int c = 0; c < w; ++c) to[c] *= inverse;
  }
  return true;
}

int BlockLu::factor(double tiny) {
  std::copy(reference_.begin(), reference_.end(), scale_.begin());
  weak_columns_.clear();
  smallest_ = 1;
  close_ = 0;
  largest_ = 0;
  int singular = -1;
  const Target* targets = targets_.data();
  for (std::size_t at = 0; at < order_.size(); ++at) {
    const Block& b = blocks_[sz(order_[at])];
    if (at + 1 < order_.size()) {
      const Block& next = blocks_[sz(order_[at + 1])];
      fetch(a_.data() + next.diagonal, static_cast<std::ptrdiff_t>(next.size) * (next.size + 2 * next.width));
    }
    if (!eliminate(b, tiny, singular)) return singular;
    const int count = b.count;
    const Neighbour* near = neighbours_.data() + b.neighbours;
    for (int r = 0; r < count; ++r) {
      const Neighbour& rows = near[r];
      for (int i = 0; i < rows.size; ++i) {
        const double* l = a_.data() + b.lower + static_cast<std::ptrdiff_t>(rows.place + i) * b.size;
        std::fill_n(panel_row_.data(), b.width, 0.0);
        for (int j = 0; j < b.size; ++j)
          if (const double f = l[j]; f != 0) {
            const double* u = a_.data() + b.upper + static_cast<std::ptrdiff_t>(j) * b.width;
            for (int c = 0; c < b.width; ++c) panel_row_[sz(c)] += f * u[c];
          }
        for (int c = 0; c < count; ++c) {
          const Target& t = targets[r * count + c];
          double* to = a_.data() + t.to + static_cast<std::ptrdiff_t>(i) * t.stride;
          const double* from = panel_row_.data() + near[c].place;
          for (int e = 0; e < near[c].size; ++e) to[e] -= from[e];
          if (c == r) scale_[sz(rows.first + i)] = std::max(scale_[sz(rows.first + i)], std::abs(from[i]));
        }
      }
    }
    targets += count * count;
  }
  return -1;
}

void BlockLu::row_sizes(double* out) {
  std::vector<double>& sizes = work_;
  std::fill(sizes.begin(), sizes.end(), 0.0);
  const auto note = [&](int row, const double* from, int count) {
    for (int c = 0; c < count; ++c) sizes[sz(row)] = std::max(sizes[sz(row)], std::abs(from[c]));
  };
  for (const Block& b : blocks_) {
    for (int i = 0; i < b.size; ++i) {
      note(b.first + i, a_.data() + b.diagonal + static_cast<std::ptrdiff_t>(i) * b.size, b.size);
      note(b.first + i, a_.data() + b.upper + static_cast<std::ptrdiff_t>(i) * b.width, b.width);
    }
    const double* l = a_.data() + b.lower;
    for (int c = 0; c < b.count; ++c) {
      const Neighbour& other = neighbours_[sz(b.neighbours + c)];
      for (int i = 0; i < other.size; ++i, l += b.size) note(other.first + i, l, b.size);
    }
  }
  for (int i = 0; i < size_; ++i) out[i] = sizes[sz(row_at_[sz(i)])];
}

void BlockLu::solve(double* b) {
  for (int i = 0; i < size_; ++i) work_[sz(row_at_[sz(i)])] = b[i];
  for (std::size_t at = 0; at < order_.size(); ++at) {
    const Block& block = blocks_[sz(order_[at])];
    if (at + 1 < order_.size()) {
      const Block& next = blocks_[sz(order_[at + 1])];
      fetch(a_.data() + next.diagonal, static_cast<std::ptrdiff_t>(next.size) * (next.size + 2 * next.width));
    }
    double* y = work_.data() + block.first;
    solve_in_place(a_.data() + block.diagonal, block.size, pivot_.data() + block.first, y);
    const double* l = a_.data() + block.lower;
    for (int c = 0; c < block.count; ++c) {
      const Neighbour& other = neighbours_[sz(block.neighbours + c)];
      double* to = work_.data() + other.first;
      for (int i = 0; i < other.size; ++i, l += block.size) to[i] -= dot(l, y, block.size);
    }
  }
  for (auto k = order_.rbegin(); k != order_.rend(); ++k) {
    const Block& block = blocks_[sz(*k)];
    if (k + 1 != order_.rend()) {
      const Block& next = blocks_[sz(*(k + 1))];
      fetch(a_.data() + next.upper, static_cast<std::ptrdiff_t>(next.size) * next.width);
    }
    double* y = work_.data() + block.first;
    for (int c = 0; c < block.count; ++c) {
      const Neighbour& other = neighbours_[sz(block.neighbours + c)];
      std::copy_n(work_.data() + other.first, other.size, panel_row_.data() + other.place);
    }
    for (int i = 0; i < block.size; ++i) {
      const double* u = a_.data() + block.upper + static_cast<std::ptrdiff_t>(i) * block.width;
      y[i] -= dot(u, panel_row_.data(), block.width);
    }
  }
  for (int i = 0; i < size_; ++i) b[i] = work_[sz(column_at_[sz(i)])];
}

}  // namespace extremal
