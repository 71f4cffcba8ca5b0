// Schur: what is done once, the order of the joints and the places of their blocks.
#include <algorithm>
#include <set>

#include "lie/schur.hpp"

#include "numbers/instantiate.hpp"

namespace extremal::lie {

// Minimum degree: the joint with the fewest neighbours goes next, and its neighbours become neighbours of each other.
template <class S>
Schur<S>::Schur(const Model<S>& model) : model_(model) {
  const std::vector<Joint<S>>& joints = model.joints;
  const std::size_t n = joints.size(), bodies = model.bodies.size();
  std::vector<std::vector<int>> at_body(bodies);
  for (std::size_t j = 0; j < n; ++j)
    for (const int body : {joints[j].a, joints[j].b})
      if (body >= 0) at_body[static_cast<std::size_t>(body)].push_back(static_cast<int>(j));
  std::vector<std::set<int>> graph(n);
  for (const auto& list : at_body)
    for (const int i : list)
      for (const int j : list)
        if (i != j) graph[static_cast<std::size_t>(i)].insert(j);

  std::set<std::pair<int, int>> queue;
  for (std::size_t j = 0; j < n; ++j) queue.emplace(static_cast<int>(graph[j].size()), static_cast<int>(j));
  std::vector<int> order, rank(n);
  std::vector<std::vector<int>> later(n);
  while (!queue.empty()) {
    const int j = queue.begin()->second;
    queue.erase(queue.begin());
    rank[static_cast<std::size_t>(j)] = static_cast<int>(order.size());
    order.push_back(j);
    auto& mine = graph[static_cast<std::size_t>(j)];
    later[static_cast<std::size_t>(j)].assign(mine.begin(), mine.end());
    for (const int i : mine) {
      auto& theirs = graph[static_cast<std::size_t>(i)];
      queue.erase({static_cast<int>(theirs.size()), i});
      theirs.erase(j);
      for (const int k : mine)
        if (k != i) theirs.insert(k);
      queue.emplace(static_cast<int>(theirs.size()), i);
    }
    mine.clear();
  }

  const auto mobility = [&](int body, const Vec3<S>& rho, const Vec3<S>& sigma) {
    if (body < 0) return -1;
    const auto& constants = model.bodies[static_cast<std::size_t>(body)];
    mobilities_.emplace_back(body, constants.inverse_mass, constants.inverse_inertia, rho, sigma);
    return static_cast<int>(mobilities_.size()) - 1;
  };
  std::size_t place = 0;
  int total = 0;
  for (const int j : order) {
    const Joint<S>& joint = joints[static_cast<std::size_t>(j)];
    const int r = joint.count();
    total += r;
    Block block{j, joint.a,      joint.b, r,  joint.first, place, static_cast<int>(below_.size()),
                0, joint.ball(), true,    -1, -1};
    if (block.ball) {
      const auto& row = joint.rows.front();
      block.moves = mobility(joint.a, row.a, row.a);
      block.moved = mobility(joint.b, row.b, row.b);
    }
    place += static_cast<std::size_t>(r) * static_cast<std::size_t>(r);
    auto& list = later[static_cast<std::size_t>(j)];
    std::sort(list.begin(), list.end(),
              [&](int x, int y) { return rank[static_cast<std::size_t>(x)] < rank[static_cast<std::size_t>(y)]; });
    for (const int i : list) {
      const Joint<S>& other = joints[static_cast<std::size_t>(i)];
      below_.push_back({rank[static_cast<std::size_t>(i)], other.first, place, 0});
      place += static_cast<std::size_t>(r) * static_cast<std::size_t>(other.count());
      block.even = block.even && other.count() == r;
    }
    block.count = static_cast<int>(list.size());
    blocks_.push_back(block);
  }
  a_.assign(place, S(0));
  scale_.assign(static_cast<std::size_t>(total), S(0));

  const auto find = [&](int earlier, int later_block) {
    const Block& block = blocks_[static_cast<std::size_t>(earlier)];
    for (int e = block.below; e < block.below + block.count; ++e)
      if (below_[static_cast<std::size_t>(e)].block == later_block) return below_[static_cast<std::size_t>(e)].at;
    return std::size_t(0);
  };
  for (const Block& block : blocks_)
    for (int e = block.below; e < block.below + block.count; ++e) {
      Below& entry = below_[static_cast<std::size_t>(e)];
      entry.second = targets_.size();
      for (int f = e + 1; f < block.below + block.count; ++f)
        targets_.push_back(find(entry.block, below_[static_cast<std::size_t>(f)].block));
    }
  for (std::size_t body = 0; body < at_body.size(); ++body)
    for (const int i : at_body[body])
      for (const int j : at_body[body]) {
        if (rank[static_cast<std::size_t>(i)] <= rank[static_cast<std::size_t>(j)]) continue;
        const int b = static_cast<int>(body);
        const Joint<S>&later_joint = joints[static_cast<std::size_t>(i)],
              &earlier = joints[static_cast<std::size_t>(j)];
        const bool later_b = later_joint.b == b, earlier_b = earlier.b == b;
        const auto at = [](const Joint<S>& joint, bool side) { return side ? joint.rows[0].b : joint.rows[0].a; };
        const int own =
            later_joint.ball() && earlier.ball() ? mobility(b, at(later_joint, later_b), at(earlier, earlier_b)) : -1;
        shared_.push_back({i, j, b, later_b, earlier_b, own,
                           find(rank[static_cast<std::size_t>(j)], rank[static_cast<std::size_t>(i)])});
      }
}

#define EXTREMAL_INSTANTIATE(S) template Schur<S>::Schur(const Model<S>&);
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal::lie
