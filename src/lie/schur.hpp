// Schur: S = G M^-1 G^T of the joints of a mechanism, factored joint by joint, O(N) for chains and trees.
//
// A block per joint, as many rows as the joint has; two joints are coupled by the bodies they share. The symbolic part,
// an order of small fill (minimum degree) and the place of every block, is done once. S is symmetric and positive
// definite unless constraints are redundant: the factorisation is L D L^T without exchanges, and a pivot that vanishes
// tells that its row depends on those before it.
#pragma once

#include <algorithm>
#include <set>
#include <vector>

#include "extremal/scalar.hpp"
#include "lie/joint.hpp"

namespace extremal::lie {

// M^-1 of a body: 1 / m, and R J^-1 R^T by columns.
template <class S>
struct InverseMass {
  S m{};
  Columns<S> J{};
};

template <class S>
class Schur {
 public:
  explicit Schur(const std::vector<Joint<S>>& joints, int bodies);

  // G has the rows of all joints, for either side; eps[row] is added to the diagonal. Returns the smallest pivot
  // relative to its diagonal entry before elimination, with the row where it is.
  struct Pivot {
    S ratio{1};
    int row = -1;
    int close = 0;  // how many are smaller than `near`
  };
  static constexpr double near = 1e-4;
  Pivot factor(const std::vector<Joint<S>>& joints, const InverseMass<S>* bodies, const Covector<S>* Ga,
               const Covector<S>* Gb, const S* eps);
  void solve(S* b) const;
  std::size_t entries() const { return a_.size(); }

 private:
  struct Block {
    int joint, size, first;
    std::size_t diagonal;
    int below, count;  // its off-diagonal blocks, in below_
  };
  struct Below {
    int block;           // the later one, by place in the order
    std::size_t at;      // size of the later x size of the earlier
    std::size_t second;  // where the products with the blocks below it go, in targets_
  };
  struct Shared {        // what a body contributes to an off-diagonal block
    int later, earlier;  // joints
    int body;
    bool later_b, earlier_b;  // on which side of them it is
    std::size_t at;
  };
  static constexpr int most_rows = 6;  // of a joint
  template <int R>
  void eliminate(Block& block, Pivot& pivot);

  std::vector<Block> blocks_;
  std::vector<Below> below_;
  std::vector<std::size_t> targets_;  // of two blocks below the same one: where their product goes
  std::vector<Shared> shared_;
  std::vector<S> a_, scale_, inverse_;
};

namespace small {

// Calls f with the size as a constant where it is a common one, so that loops unroll.
template <class F>
[[gnu::always_inline]] inline void sized(int n, F f) {
  switch (n) {
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 3:
      return f(std::integral_constant<int, 3>{});
    case 4:
      return f(std::integral_constant<int, 4>{});
    case 5:
      return f(std::integral_constant<int, 5>{});
    case 6:
      return f(std::integral_constant<int, 6>{});
    default:
      return f(n);
  }
}

}  // namespace small

// Minimum degree: the joint with the fewest neighbours goes next, and its neighbours become neighbours of each other.
template <class S>
Schur<S>::Schur(const std::vector<Joint<S>>& joints, int bodies) {
  const std::size_t n = joints.size();
  std::vector<std::vector<int>> at_body(static_cast<std::size_t>(bodies));
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

  std::size_t place = 0;
  int total = 0;
  for (const int j : order) {
    const Joint<S>& joint = joints[static_cast<std::size_t>(j)];
    const int r = joint.count();
    total += r;
    Block block{j, r, joint.first, place, static_cast<int>(below_.size()), 0};
    place += static_cast<std::size_t>(r) * static_cast<std::size_t>(r);
    auto& list = later[static_cast<std::size_t>(j)];
    std::sort(list.begin(), list.end(),
              [&](int x, int y) { return rank[static_cast<std::size_t>(x)] < rank[static_cast<std::size_t>(y)]; });
    for (const int i : list) {
      below_.push_back({rank[static_cast<std::size_t>(i)], place, 0});
      place += static_cast<std::size_t>(r) * static_cast<std::size_t>(joints[static_cast<std::size_t>(i)].count());
    }
    block.count = static_cast<int>(list.size());
    blocks_.push_back(block);
  }
  a_.assign(place, S(0));
  scale_.assign(static_cast<std::size_t>(total), S(0));
  inverse_.assign(static_cast<std::size_t>(total), S(0));

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
        shared_.push_back({i, j, b, joints[static_cast<std::size_t>(i)].b == b,
                           joints[static_cast<std::size_t>(j)].b == b,
                           find(rank[static_cast<std::size_t>(j)], rank[static_cast<std::size_t>(i)])});
      }
}

template <class S>
typename Schur<S>::Pivot Schur<S>::factor(const std::vector<Joint<S>>& joints, const InverseMass<S>* bodies,
                                          const Covector<S>* Ga, const Covector<S>* Gb, const S* eps) {
  std::fill(a_.begin(), a_.end(), S(0));
  const auto weigh = [](const Covector<S>& G, const InverseMass<S>& M) {
    return Covector<S>{M.m * G.r, M.J.to_space(G.theta)};
  };
  const auto product = [](const Covector<S>& x, const Covector<S>& y) { return dot(x.r, y.r) + dot(x.theta, y.theta); };
  for (Block& block : blocks_) {
    const Joint<S>& joint = joints[static_cast<std::size_t>(block.joint)];
    S* D = a_.data() + block.diagonal;
    for (const bool b : {false, true}) {
      const int body = b ? joint.b : joint.a;
      if (body < 0) continue;
      const Covector<S>* G = (b ? Gb : Ga) + block.first;
      small::sized(block.size, [&](auto r) {
        for (int i = 0; i < r; ++i) {
          const Covector<S> w = weigh(G[i], bodies[body]);
          for (int j = 0; j <= i; ++j) D[i * r + j] += product(w, G[j]);
        }
      });
    }
    for (int i = 0; i < block.size; ++i) {
      S& d = D[i * block.size + i];
      d += eps[block.first + i];
      scale_[static_cast<std::size_t>(block.first + i)] = d;
    }
  }
  for (const Shared& s : shared_) {
    const Joint<S>& later = joints[static_cast<std::size_t>(s.later)];
    const Joint<S>& earlier = joints[static_cast<std::size_t>(s.earlier)];
    const Covector<S>*G1 = (s.later_b ? Gb : Ga) + later.first, *G0 = (s.earlier_b ? Gb : Ga) + earlier.first;
    S* to = a_.data() + s.at;
    const int r1 = later.count();
    small::sized(earlier.count(), [&](auto r0) {
      for (int i = 0; i < r1; ++i) {
        const Covector<S> w = weigh(G1[i], bodies[s.body]);
        for (int j = 0; j < r0; ++j) to[i * r0 + j] += product(w, G0[j]);
      }
    });
  }
  Pivot pivot;
  for (Block& block : blocks_) switch (block.size) {
      case 2:
        eliminate<2>(block, pivot);
        break;
      case 3:
        eliminate<3>(block, pivot);
        break;
      case 5:
        eliminate<5>(block, pivot);
        break;
      default:
        eliminate<0>(block, pivot);
    }
  return pivot;
}

// R: the size, or 0 if it is not known before.
template <class S>
template <int R>
void Schur<S>::eliminate(Block& block, Pivot& pivot) {
  const int r = R > 0 ? R : block.size;
  S* D = a_.data() + block.diagonal;
  S* inverse = inverse_.data() + block.first;
  S pivots[most_rows];
  for (int j = 0; j < r; ++j) {
    S d = D[j * r + j];
    for (int k = 0; k < j; ++k) d -= D[j * r + k] * D[j * r + k] * pivots[k];
    const S& scale = scale_[static_cast<std::size_t>(block.first + j)];
    const S ratio = d / scale;
    if (!(ratio >= pivot.ratio)) pivot.ratio = ratio, pivot.row = block.first + j;
    if (!(ratio >= S(near))) ++pivot.close;
    pivots[j] = d;
    inverse[j] = S(1) / d;
    for (int i = j + 1; i < r; ++i) {
      S x = D[i * r + j];
      for (int k = 0; k < j; ++k) x -= D[i * r + k] * D[j * r + k] * pivots[k];
      D[i * r + j] = x * inverse[j];
    }
  }
  // L x D below the diagonal; the blocks below become W L^-T, then W L^-T D^-1 when their products are taken.
  for (int e = block.below; e < block.below + block.count; ++e) {
    const Below& entry = below_[static_cast<std::size_t>(e)];
    S* W = a_.data() + entry.at;
    const int rows = blocks_[static_cast<std::size_t>(entry.block)].size;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < r; ++j) {
        S x = W[i * r + j];
        for (int k = 0; k < j; ++k) x -= W[i * r + k] * D[j * r + k];
        W[i * r + j] = x;
      }
  }
  for (int e = block.below; e < block.below + block.count; ++e) {
    const Below& entry = below_[static_cast<std::size_t>(e)];
    const Block& own = blocks_[static_cast<std::size_t>(entry.block)];
    S* W = a_.data() + entry.at;
    const int rows = own.size;
    S* to = a_.data() + own.diagonal;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j <= i; ++j) {
        S sum(0);
        for (int k = 0; k < r; ++k) sum += W[i * r + k] * W[j * r + k] * inverse[k];
        to[i * rows + j] -= sum;
      }
    for (int f = e + 1; f < block.below + block.count; ++f) {
      const Below& other = below_[static_cast<std::size_t>(f)];
      const S* V = a_.data() + other.at;
      const int more = blocks_[static_cast<std::size_t>(other.block)].size;
      S* cross_to = a_.data() + targets_[entry.second + static_cast<std::size_t>(f - e - 1)];
      for (int i = 0; i < more; ++i)
        for (int j = 0; j < rows; ++j) {
          S sum(0);
          for (int k = 0; k < r; ++k) sum += V[i * r + k] * W[j * r + k] * inverse[k];
          cross_to[i * rows + j] -= sum;
        }
    }
    for (int i = 0; i < rows; ++i)
      for (int k = 0; k < r; ++k) W[i * r + k] *= inverse[k];
  }
}

template <class S>
void Schur<S>::solve(S* b) const {
  for (const Block& block : blocks_)
    small::sized(block.size, [&](auto r) {
      const S* D = a_.data() + block.diagonal;
      S* x = b + block.first;
      for (int i = 1; i < r; ++i)
        for (int k = 0; k < i; ++k) x[i] -= D[i * r + k] * x[k];
      for (int e = block.below; e < block.below + block.count; ++e) {
        const Below& entry = below_[static_cast<std::size_t>(e)];
        const Block& own = blocks_[static_cast<std::size_t>(entry.block)];
        const S* W = a_.data() + entry.at;
        S* y = b + own.first;
        for (int i = 0; i < own.size; ++i) {
          S sum(0);
          for (int k = 0; k < r; ++k) sum += W[i * r + k] * x[k];
          y[i] -= sum;
        }
      }
    });
  for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block)
    small::sized(block->size, [&](auto r) {
      const S* D = a_.data() + block->diagonal;
      S* x = b + block->first;
      for (int k = 0; k < r; ++k) x[k] *= inverse_[static_cast<std::size_t>(block->first + k)];
      for (int e = block->below; e < block->below + block->count; ++e) {
        const Below& entry = below_[static_cast<std::size_t>(e)];
        const Block& own = blocks_[static_cast<std::size_t>(entry.block)];
        const S* W = a_.data() + entry.at;
        const S* y = b + own.first;
        for (int i = 0; i < own.size; ++i)
          for (int k = 0; k < r; ++k) x[k] -= W[i * r + k] * y[i];
      }
      for (int k = r - 1; k >= 0; --k)
        for (int i = k + 1; i < r; ++i) x[k] -= D[i * r + k] * x[i];
    });
}

}  // namespace extremal::lie
