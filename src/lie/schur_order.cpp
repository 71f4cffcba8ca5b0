// Schur: what is done once, the order of the joints, the parts of the elimination and the places of the blocks.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "lie/schur.hpp"

#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"

namespace extremal::lie {
namespace {

// Joints from which on the elimination comes in parts: below, a step takes less than what threads need to meet.
constexpr std::size_t enough_joints = 2000;
// A part is no smaller than this share of all, and they are chosen for as many threads.
constexpr double least_part = 1.0 / 64, many_threads = 8;

}  // namespace

template <class S>
Schur<S>::Schur(const Model<S>& model, Workers& workers) : model_(model), workers_(workers) {
  std::vector<std::vector<int>> at_body(model.bodies.size());
  for (std::size_t j = 0; j < model.joints.size(); ++j)
    for (const int body : {model.joints[j].a, model.joints[j].b})
      if (body >= 0) at_body[sz(body)].push_back(static_cast<int>(j));
  Order order = find_order(at_body);
  if (model.joints.size() >= enough_joints) find_parts(order);
  place_blocks(order, at_body);
  find_targets();
}

// Minimum degree: the joint with the fewest neighbours goes next, and its neighbours become neighbours of each other.
// Among equals it is the first joint; in large mechanisms the one that has waited longest, which begins a chain at both
// of its ends and takes every other joint of a ring, so that the tree of the elimination has branches.
template <class S>
typename Schur<S>::Order Schur<S>::find_order(const std::vector<std::vector<int>>& at_body) {
  const std::size_t n = model_.joints.size();
  std::vector<std::set<int>> graph(n);
  for (const auto& list : at_body)
    for (const int i : list)
      for (const int j : list)
        if (i != j) graph[sz(i)].insert(j);
  const bool waits = n >= enough_joints;
  std::vector<long> turn(n);
  long turns = static_cast<long>(n);
  std::set<std::tuple<std::size_t, long, int>> queue;
  for (std::size_t j = 0; j < n; ++j) {
    turn[j] = static_cast<long>(j);
    queue.emplace(graph[j].size(), turn[j], static_cast<int>(j));
  }
  Order order;
  order.later.resize(n);
  while (!queue.empty()) {
    const int j = std::get<2>(*queue.begin());
    queue.erase(queue.begin());
    order.joints.push_back(j);
    auto& mine = graph[sz(j)];
    order.later[sz(j)].assign(mine.begin(), mine.end());
    for (const int i : mine) {
      auto& theirs = graph[sz(i)];
      queue.erase({theirs.size(), turn[sz(i)], i});
      theirs.erase(j);
      for (const int k : mine)
        if (k != i) theirs.insert(k);
      if (waits) turn[sz(i)] = turns++;
      queue.emplace(theirs.size(), turn[sz(i)], i);
    }
    mine.clear();
  }
  return order;
}

// The tree of an elimination: the parent of a joint is the first of its later neighbours, and all of these are among
// its ancestors. The heaviest subtree is divided at its first branching, again and again; what is above subtrees is
// eliminated after them, by one thread. Of these divisions the one that takes the least time counts.
template <class S>
void Schur<S>::find_parts(Order& order) {
  const std::size_t n = order.joints.size();
  std::vector<std::size_t> rank(n);
  for (std::size_t k = 0; k < n; ++k) rank[sz(order.joints[k])] = k;
  std::vector<std::vector<std::size_t>> children(n + 1);  // by rank; the last is above all roots
  std::vector<double> weight(n + 1, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t parent = n;
    double rows = model_.joints[sz(order.joints[k])].count();
    for (const int other : order.later[sz(order.joints[k])]) {
      parent = std::min(parent, rank[sz(other)]);
      rows += model_.joints[sz(other)].count();
    }
    weight[k] += rows * rows;
    weight[parent] += weight[k];
    children[parent].push_back(k);
  }
  using Subtrees = std::set<std::pair<double, std::size_t>>;  // by weight and root
  Subtrees now{{weight[n], n}}, best;
  double above = 0, least_time = weight[n];
  for (;;) {
    std::vector<std::size_t> branches{now.rbegin()->second};
    while (branches.size() == 1) {
      const auto& own = children[branches.front()];
      branches.clear();
      for (const std::size_t k : own)
        if (weight[k] >= least_part * weight[n]) branches.push_back(k);
    }
    if (branches.empty()) break;
    above += now.rbegin()->first;
    now.erase(std::prev(now.end()));
    for (const std::size_t k : branches) {
      above -= weight[k];
      now.emplace(weight[k], k);
    }
    const double time = above + std::max(now.rbegin()->first, (weight[n] - above) / many_threads);
    if (time >= least_time) continue;
    least_time = time;
    best = now;
  }
  if (best.empty()) return;
  std::vector<std::size_t> part(n, best.size());
  std::size_t count = 0;
  for (const auto& [of, root] : best) part[root] = count++;
  for (std::size_t k = n; k-- > 0;)
    for (const std::size_t child : children[k])
      if (part[k] < count) part[child] = part[k];
  std::vector<int> sorted;
  for (std::size_t p = 0; p <= count; ++p) {
    const std::size_t begin = sorted.size();
    for (std::size_t k = 0; k < n; ++k)
      if (part[k] == p) sorted.push_back(order.joints[k]);
    if (p < count) parts_.push_back({begin, sorted.size(), {}});
  }
  rest_ = parts_.back().end;
  order.joints = std::move(sorted);
}

template <class S>
int Schur<S>::add_mobility(int body, const Vec3<S>& rho, const Vec3<S>& sigma) {
  if (body < 0) return -1;
  const auto& constants = model_.bodies[sz(body)];
  mobilities_.emplace_back(body, constants.inverse_mass, constants.inverse_inertia, rho, sigma);
  return static_cast<int>(mobilities_.size()) - 1;
}

template <class S>
void Schur<S>::place_blocks(Order& order, const std::vector<std::vector<int>>& at_body) {
  const std::vector<Joint<S>>& joints = model_.joints;
  std::vector<int> rank(joints.size());
  for (std::size_t k = 0; k < rank.size(); ++k) rank[sz(order.joints[k])] = static_cast<int>(k);
  std::size_t place = 0;
  int total = 0;
  for (const int j : order.joints) {
    const Joint<S>& joint = joints[sz(j)];
    const int r = joint.count();
    total += r;
    Block block{j, joint.a,      joint.b, r,  joint.first, place, static_cast<int>(below_.size()),
                0, joint.ball(), true,    -1, -1,          0};
    if (block.ball) {
      const auto& row = joint.rows.front();
      block.moves = add_mobility(joint.a, row.a, row.a);
      block.moved = add_mobility(joint.b, row.b, row.b);
    }
    place += sz(r) * sz(r);
    auto& list = order.later[sz(j)];
    std::sort(list.begin(), list.end(), [&](int x, int y) { return rank[sz(x)] < rank[sz(y)]; });
    for (const int i : list) {
      const Joint<S>& other = joints[sz(i)];
      below_.push_back({rank[sz(i)], other.first, place, 0, 0});
      place += sz(r) * sz(other.count());
      block.even = block.even && other.count() == r;
      if (blocks_.size() >= rest_ || sz(rank[sz(i)]) < rest_) ++block.inner;
    }
    block.count = static_cast<int>(list.size());
    if (block.inner < block.count) border_.push_back(blocks_.size());
    blocks_.push_back(block);
  }
  a_.assign(place, S(0));
  scale_.assign(sz(total), S(0));
  for (std::size_t body = 0; body < at_body.size(); ++body)
    for (const int i : at_body[body])
      for (const int j : at_body[body]) {
        if (rank[sz(i)] <= rank[sz(j)]) continue;
        const int b = static_cast<int>(body);
        const Joint<S>&later = joints[sz(i)], &earlier = joints[sz(j)];
        const bool later_b = later.b == b, earlier_b = earlier.b == b;
        const auto at = [](const Joint<S>& joint, bool side) { return side ? joint.rows[0].b : joint.rows[0].a; };
        const int own =
            later.ball() && earlier.ball() ? add_mobility(b, at(later, later_b), at(earlier, earlier_b)) : -1;
        shared_.push_back({i, j, b, later_b, earlier_b, own, find(sz(rank[sz(j)]), rank[sz(i)])});
      }
  std::stable_sort(shared_.begin(), shared_.end(), [](const Shared& x, const Shared& y) { return x.at < y.at; });
}

template <class S>
std::size_t Schur<S>::find(std::size_t earlier, int later) const {
  const Block& block = blocks_[earlier];
  for (int e = block.below; e < block.below + block.count; ++e)
    if (below_[sz(e)].block == later) return below_[sz(e)].at;
  return 0;
}

// What a part takes off blocks that are not in it goes to memory of its own, at the end of a_, one place for every such
// block.
template <class S>
void Schur<S>::find_targets() {
  std::size_t part = 0, end = a_.size();
  std::map<std::size_t, std::size_t> own;  // of this part, by where it belongs
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    const Block& block = blocks_[k];
    if (part < parts_.size() && k == parts_[part].end) ++part, own.clear();
    const auto target = [&](const Below& entry, std::size_t to, int rows) {
      if (k >= rest_ || sz(entry.block) < rest_) return to;
      const std::size_t size = sz(blocks_[sz(entry.block)].size) * sz(rows);
      const auto [found, added] = own.try_emplace(to, end);
      if (added) {
        waiting_.push_back({end, to, size});
        end += size;
      }
      return found->second;
    };
    for (int e = block.below; e < block.below + block.count; ++e) {
      Below& entry = below_[sz(e)];
      entry.diagonal = target(entry, blocks_[sz(entry.block)].diagonal, blocks_[sz(entry.block)].size);
      entry.second = targets_.size();
      for (int f = e + 1; f < block.below + block.count; ++f) {
        const int other = below_[sz(f)].block;
        targets_.push_back(target(entry, find(sz(entry.block), other), blocks_[sz(other)].size));
      }
    }
  }
  a_.assign(end, S(0));
}

#define EXTREMAL_INSTANTIATE(S)                                                                 \
  template Schur<S>::Schur(const Model<S>&, Workers&);                                          \
  template typename Schur<S>::Order Schur<S>::find_order(const std::vector<std::vector<int>>&); \
  template void Schur<S>::find_parts(Order&);                                                   \
  template int Schur<S>::add_mobility(int, const Vec3<S>&, const Vec3<S>&);                     \
  template void Schur<S>::place_blocks(Order&, const std::vector<std::vector<int>>&);           \
  template std::size_t Schur<S>::find(std::size_t, int) const;                                  \
  template void Schur<S>::find_targets();
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal::lie
