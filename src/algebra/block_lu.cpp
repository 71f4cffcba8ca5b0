#include "algebra/block_lu.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "extremal/error.hpp"
#include "numbers/index.hpp"

namespace extremal {

int needed(int slot) {
  if (slot < 0) throw std::logic_error("the pattern of a matrix lacks an entry that is to be written");
  return slot;
}

BlockLu::BlockLu(int size)
    : BlockLu(Blocks{1, {}, {}, {false}, {}}, std::vector<int>(sz(size), 0), std::vector<int>(sz(size), 0)) {}

BlockLu::BlockLu(const Blocks& blocks, const std::vector<int>& row_block, const std::vector<int>& column_block)
    : size_(static_cast<int>(row_block.size())), row_block_(row_block), column_block_(column_block) {
  build(blocks, nullptr);
}

BlockLu::BlockLu(const Blocks& blocks, const Units& units) : size_(static_cast<int>(units.row.size())) {
  for (const int unit : units.row) row_block_.push_back(units.block[sz(unit)]);
  for (const int unit : units.column) column_block_.push_back(units.block[sz(unit)]);
  build(blocks, blocks.count > 1 ? &units : nullptr);
}

void BlockLu::build(const Blocks& blocks, const Units* units) {
  blocks_.resize(sz(blocks.count));
  for (auto* x : {&row_at_, &column_at_, &row_of_, &column_of_, &pivot_}) x->resize(sz(size_));
  reference_.assign(sz(size_), 0.0);
  for (auto* x : {&scale_, &work_}) x->resize(sz(size_));
  for (const int block : row_block_) ++blocks_[sz(block)].size;
  std::vector<std::vector<int>> later = order(blocks);
  int first = 0, widest = 0, product = 0;
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
      neighbours_.push_back({other, blocks_[sz(other)].first, blocks_[sz(other)].size, b.width, 0, false});
      b.width += blocks_[sz(other)].size;
    }
    widest = std::max(widest, b.width);
    for (const int other : near) product = std::max(product, blocks_[sz(other)].size * b.width);
  }
  if (units != nullptr) plan_bodies(*units);
  panel_row_.resize(sz(widest));
  product_.resize(sz(product));
  place_entries();
  find_targets(later);
  place_rows(units);
  weak_columns_.reserve(sz(size_));
}

void BlockLu::place_entries() {
  std::ptrdiff_t end = 0;
  std::ptrdiff_t body = 0, other = 0;
  int kept = 0, panel = 0;
  for (const int k : order_) {
    Block& b = blocks_[sz(k)];
    b.lower = end;
    end += split(b);
    if (b.plan >= 0) {
      kept = std::max(kept, plans_[sz(b.plan)].early_diagonals());
      panel = std::max(panel, b.width);
      body = std::max(body, entries(b));
    } else if (b.width > 0) {
      other = std::max(other, entries(b));
    }
  }
  for (const int k : order_) {
    Block& b = blocks_[sz(k)];
    b.upper = end;
    end += entries(b) - split(b);
  }
  if (end > std::numeric_limits<int>::max())
    throw InputError("the matrix of a step has " + std::to_string(end) +
                     " entries; expected at most 2^31; try a scheme of fewer stages");
  a_.assign(static_cast<std::size_t>(end), 0.0);
  kept_.resize(sz(kept));
  body_.resize(static_cast<std::size_t>(body));
  zero_.assign(static_cast<std::size_t>(other), 0.0);
  panel_.resize(sz(panel) * sz(panel));
}

void BlockLu::find_targets(const std::vector<std::vector<int>>& later) {
  std::set<std::ptrdiff_t> reached;
  std::vector<int> parts(blocks_.size(), 0);  // of every block: how many of its panels and diagonal are reached
  for (const int k : order_) {
    Neighbour* near = neighbours_.data() + blocks_[sz(k)].neighbours;
    for (const int row : later[sz(k)]) {
      near->fresh = !std::exchange(blocks_[sz(row)].reached, true);
      ++near;
      for (const int column : later[sz(k)]) {
        Target& t = targets_.emplace_back(target(row, column));
        t.fresh = reached.insert(t.to).second;
        if (t.fresh) ++parts[sz(blocks_[sz(row)].rank < blocks_[sz(column)].rank ? row : column)];
      }
    }
  }
  for (std::size_t k = 0; k < blocks_.size(); ++k) blocks_[k].covered = parts[k] == 1 + 2 * blocks_[k].count;
  auto t = targets_.begin();
  for (const int k : order_)
    for (const int row : later[sz(k)])
      for (const int column : later[sz(k)]) {
        const Block &r = blocks_[sz(row)], &c = blocks_[sz(column)];
        t->fresh = t->fresh && (r.rank < c.rank ? r : c).covered;
        ++t;
      }
}

// A body that nothing has been added to when its turn comes has the entries that it started with.
void BlockLu::plan_bodies(const Units& units) {
  const std::size_t count = units.block.size();
  unit_at_.resize(count);
  unit_index_.resize(count);
  std::vector<int> rows(count, 0), columns(count, 0);
  for (const int unit : units.row) ++rows[sz(unit)];
  for (const int unit : units.column) ++columns[sz(unit)];
  std::vector<std::vector<int>> own(blocks_.size());
  std::vector<bool> planned(blocks_.size(), false);
  for (const bool early : {true, false})
    for (std::size_t unit = 0; unit < count; ++unit)
      if (units.early[unit] == early && rows[unit] > 0) {
        auto& list = own[sz(units.block[unit])];
        unit_index_[unit] = static_cast<int>(list.size());
        list.push_back(static_cast<int>(unit));
        if (early) planned[sz(units.block[unit])] = true;
      }
  for (const Neighbour& n : neighbours_) planned[sz(n.block)] = false;
  for (std::size_t unit = 0; unit < count; ++unit)
    if (rows[unit] != columns[unit] || rows[unit] > BodyPlan::most_rows) planned[sz(units.block[unit])] = false;
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    int at = 0;
    for (const int unit : own[k]) {
      unit_at_[sz(unit)] = at;
      at += rows[sz(unit)];
    }
  }
  std::map<BodyShape, int> known;
  std::vector<int> local(count, -1), panel;
  for (const int k : order_) {
    Block& b = blocks_[sz(k)];
    if (!planned[sz(k)]) continue;
    BodyShape shape;
    panel = own[sz(k)];
    shape.own = static_cast<int>(panel.size());
    for (int c = 0; c < b.count; ++c) {
      Neighbour& other = neighbours_[sz(b.neighbours + c)];
      other.unit = static_cast<int>(panel.size());
      panel.insert(panel.end(), own[sz(other.block)].begin(), own[sz(other.block)].end());
    }
    for (std::size_t i = 0; i < panel.size(); ++i) local[sz(panel[i])] = static_cast<int>(i);
    int place = 0;
    for (const int unit : own[sz(k)]) {
      const bool early = units.early[sz(unit)];
      shape.early += early ? 1 : 0;
      shape.size.push_back(rows[sz(unit)]);
      shape.place.push_back(early ? 0 : place);
      if (!early) place += rows[sz(unit)];
    }
    for (int c = 0; c < b.count; ++c) {
      const Neighbour& other = neighbours_[sz(b.neighbours + c)];
      for (const int unit : own[sz(other.block)]) {
        shape.size.push_back(rows[sz(unit)]);
        shape.place.push_back(other.place + unit_at_[sz(unit)]);
      }
    }
    for (int u = 0; u < shape.early; ++u) {
      auto& near = shape.near.emplace_back();
      const std::size_t unit = sz(own[sz(k)][sz(u)]);
      for (int e = units.pattern.start[unit]; e < units.pattern.start[unit + 1]; ++e)
        if (const int v = local[sz(units.pattern.column[sz(e)])]; v > u) near.push_back(v);
      std::sort(near.begin(), near.end());
    }
    for (const int unit : panel) local[sz(unit)] = -1;
    const auto [found, added] = known.emplace(shape, static_cast<int>(plans_.size()));
    if (added) plans_.emplace_back(shape);
    b.plan = found->second;
    for (const int unit : own[sz(k)]) unit_at_[sz(unit)] = plans_[sz(b.plan)].row(unit_index_[sz(unit)]);
  }
}

void BlockLu::place_rows(const Units* units) {
  std::vector<int> rows(units != nullptr ? units->block.size() : blocks_.size(), 0), columns = rows;
  for (int i = 0; i < size_; ++i) {
    const int row_block = row_block_[sz(i)], column_block = column_block_[sz(i)];
    if (units != nullptr) {
      const int row = units->row[sz(i)], column = units->column[sz(i)];
      row_at_[sz(i)] = blocks_[sz(row_block)].first + unit_at_[sz(row)] + rows[sz(row)]++;
      column_at_[sz(i)] = blocks_[sz(column_block)].first + unit_at_[sz(column)] + columns[sz(column)]++;
    } else {
      row_at_[sz(i)] = blocks_[sz(row_block)].first + rows[sz(row_block)]++;
      column_at_[sz(i)] = blocks_[sz(column_block)].first + columns[sz(column_block)]++;
    }
    row_of_[sz(row_at_[sz(i)])] = i;
    column_of_[sz(column_at_[sz(i)])] = i;
  }
  assert(rows == columns);
  if (units == nullptr) return;
  row_unit_ = units->row;
  column_unit_ = units->column;
}

// Greedy minimum degree, measured in rows.
std::vector<std::vector<int>> BlockLu::order(const Blocks& blocks) {
  std::vector<std::vector<int>> later(sz(blocks.count));
  std::vector<std::vector<int>> near(sz(blocks.count));
  // A block without rows, as a joint in the mass matrix, couples nothing: going from body to body it would gather all
  // joints so far, at no cost in rows.
  for (const auto& [i, j] : blocks.edges)
    if (blocks_[sz(i)].size > 0 && blocks_[sz(j)].size > 0) near[sz(i)].push_back(j), near[sz(j)].push_back(i);
  std::vector<bool> ready(sz(blocks.count)), gone(sz(blocks.count), false);
  // A joint waits for its bodies: then what is left of it is -G M^-1 G^T, whose small pivots are the redundant rows. It
  // does not wait for a hub, as which all its joints would become neighbours of each other.
  constexpr std::size_t hub = 8;
  std::vector<int> waits(sz(blocks.count), 0);
  std::vector<bool> is_hub(sz(blocks.count), false);
  for (int k = 0; k < blocks.count; ++k) is_hub[sz(k)] = !blocks.joint[sz(k)] && near[sz(k)].size() > hub;
  for (int k = 0; k < blocks.count; ++k)
    if (blocks.joint[sz(k)] && blocks_[sz(k)].size > 0) {
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

// Of two blocks that have no plan.
BlockLu::Target BlockLu::target(int row_block, int column_block) const {
  const Block &r = blocks_[sz(row_block)], &c = blocks_[sz(column_block)];
  if (row_block == column_block) return {r.lower, r.size, false};
  const Block& earlier = r.rank < c.rank ? r : c;
  const int other = r.rank < c.rank ? column_block : row_block;
  const Neighbour* near = neighbours_.data() + earlier.neighbours;
  const Neighbour* end = near + earlier.count;
  const Neighbour* found = std::find_if(near, end, [&](const Neighbour& n) { return n.block == other; });
  needed(found != end ? 0 : -1);
  const int place = found->place;
  if (r.rank < c.rank) return {r.upper + place, r.width, false};
  return {c.lower + static_cast<std::ptrdiff_t>(c.size + place) * c.size, c.size, false};
}

int BlockLu::local(int row, int column) const {
  const int rb = row_block_[sz(row)], cb = column_block_[sz(column)];
  const Block &r = blocks_[sz(rb)], &c = blocks_[sz(cb)];
  const Block& earlier = r.rank < c.rank ? r : c;
  if (earlier.plan >= 0) {
    // The number of a unit among those of the earlier body and of its panel.
    const auto number = [&](int unit, int block) {
      const int index = unit_index_[sz(unit)];
      if (&blocks_[sz(block)] == &earlier) return index;
      const Neighbour* near = neighbours_.data() + earlier.neighbours;
      const Neighbour* end = near + earlier.count;
      near = std::find_if(near, end, [&](const Neighbour& n) { return n.block == block; });
      needed(near != end ? 0 : -1);
      return near->unit + index;
    };
    const int row_unit = row_unit_[sz(row)], column_unit = column_unit_[sz(column)];
    const BodyPlan::Place at = plans_[sz(earlier.plan)].find(number(row_unit, rb), number(column_unit, cb));
    if (at.to < 0) return -1;
    const int i = row_at_[sz(row)] - r.first - unit_at_[sz(row_unit)];
    const int j = column_at_[sz(column)] - c.first - unit_at_[sz(column_unit)];
    return at.to + i * at.stride + j;
  }
  const Target t = target(rb, cb);
  const std::ptrdiff_t at =
      t.to + static_cast<std::ptrdiff_t>(row_at_[sz(row)] - r.first) * t.stride + (column_at_[sz(column)] - c.first);
  return static_cast<int>(r.rank < c.rank ? split(r) + (at - r.upper) : at - earlier.lower);
}

int BlockLu::slot(int row, int column) const {
  const int at = local(row, column);
  if (at < 0) return -1;
  const Block& b = blocks_[sz(home(row, column))];
  return static_cast<int>(at < split(b) ? b.lower + at : b.upper + at - split(b));
}

int BlockLu::home(int row, int column) const {
  const int rb = row_block_[sz(row)], cb = column_block_[sz(column)];
  return blocks_[sz(rb)].rank < blocks_[sz(cb)].rank ? rb : cb;
}

void BlockLu::refer(int column, double size) {
  const std::size_t at = sz(column_at_[sz(column)]);
  reference_[at] = factor_.empty() ? size : size * row_scale_[at] * column_scale_[at];
}

void BlockLu::equilibrate(const std::vector<double>& row_scale, const std::vector<double>& column_scale) {
  factor_.clear();
  if (row_scale.empty()) return;
  factor_.assign(a_.size(), 1.0);
  row_scale_.resize(sz(size_));
  column_scale_.resize(sz(size_));
  for (int i = 0; i < size_; ++i) {
    row_scale_[sz(row_at_[sz(i)])] = row_scale[sz(i)];
    column_scale_[sz(column_at_[sz(i)])] = column_scale[sz(i)];
  }
  std::ptrdiff_t most = static_cast<std::ptrdiff_t>(zero_.size());
  for (const Block& b : blocks_) {
    if (b.plan < 0) most = std::max(most, entries(b));
    std::vector<int> around;  // in block order: its own rows, then those of the panel
    for (int i = 0; i < b.size; ++i) around.push_back(b.first + i);
    for (int c = 0; c < b.count; ++c) {
      const Neighbour& other = neighbours_[sz(b.neighbours + c)];
      for (int i = 0; i < other.size; ++i) around.push_back(other.first + i);
    }
    for (std::size_t i = 0; i < around.size(); ++i)
      for (std::size_t j = 0; j < around.size(); ++j) {
        if (i >= sz(b.size) && j >= sz(b.size)) break;
        const std::size_t row = sz(around[i]), column = sz(around[j]);
        if (const int at = slot(row_of_[row], column_of_[column]); at >= 0)
          factor_[sz(at)] = row_scale_[row] * column_scale_[column];
      }
  }
  zero_.assign(static_cast<std::size_t>(most), 0.0);
}

}  // namespace extremal
