// Schur: S = G M^-1 G^T of the joints of a mechanism, factored joint by joint, O(N) for chains and trees.
//
// A block per joint, as many rows as the joint has; two joints are coupled by the bodies they share. The symbolic part,
// an order of small fill (minimum degree) and the place of every block, is done once. S is symmetric and positive
// definite unless constraints are redundant: the factorisation is L D L^T without exchanges, in blocks and in each of
// them, and a pivot that vanishes tells that its row depends on those before it.
#pragma once

#include <algorithm>
#include <array>
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

  // G has the rows of all joints but balls, for either side, arms the arms of balls; eps[row] is added to the diagonal.
  // Returns the smallest pivot relative to its diagonal entry before elimination, with the row where it is.
  struct Pivot {
    S ratio{1};
    int row = -1;
    int close = 0;  // how many are smaller than `near`
  };
  static constexpr double near = 1e-4;
  Pivot factor(const std::vector<Joint<S>>& joints, const InverseMass<S>* bodies, const Arms<S>* arms,
               const Covector<S>* Ga, const Covector<S>* Gb, const S* eps);
  void solve(S* b) const;
  // The largest product of x and the diagonal of S.
  S largest(const S* x) const;
  std::size_t entries() const { return a_.size(); }

 private:
  struct Block {
    int joint, a, b, size, first;
    std::size_t diagonal;
    int below, count;  // its off-diagonal blocks, in below_
    bool ball, even;   // even: those are of its own size
  };
  struct Below {
    int block, first;    // the later one, by place in the order, and its first row
    std::size_t at;      // size of the later x size of the earlier
    std::size_t second;  // where the products with the blocks below it go, in targets_
  };
  struct Shared {        // what a body contributes to an off-diagonal block
    int later, earlier;  // joints
    int body;
    bool later_b, earlier_b;  // on which side of them it is
    bool balls;               // both are
    std::size_t at;
  };
  static constexpr int most_rows = 6;  // of a joint
  template <int R>
  void eliminate(Block& block, Pivot& pivot);
  template <int R>
  void forward(const Block& block, S* b) const;
  template <int R>
  void backward(const Block& block, S* b) const;

  std::vector<Block> blocks_;
  std::vector<Below> below_;
  std::vector<std::size_t> targets_;  // of two blocks below the same one: where their product goes
  std::vector<Shared> shared_;
  std::vector<S> a_, scale_;
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
    Block block{j, joint.a, joint.b, r, joint.first, place, static_cast<int>(below_.size()), 0, joint.ball(), true};
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
        shared_.push_back({i, j, b, joints[static_cast<std::size_t>(i)].b == b,
                           joints[static_cast<std::size_t>(j)].b == b,
                           joints[static_cast<std::size_t>(i)].ball() && joints[static_cast<std::size_t>(j)].ball(),
                           find(rank[static_cast<std::size_t>(j)], rank[static_cast<std::size_t>(i)])});
      }
}

// The velocity of the point at rho for impulses along the axes on the point at sigma of the same body, by columns.
template <class S>
[[gnu::always_inline]] inline Columns<S> mobility(const InverseMass<S>& M, const Vec3<S>& rho, const Vec3<S>& sigma) {
  const Columns<S>& J = M.J;
  Columns<S> c{cross(sigma.z * J.e2 - sigma.y * J.e3, rho), cross(sigma.x * J.e3 - sigma.z * J.e1, rho),
               cross(sigma.y * J.e1 - sigma.x * J.e2, rho)};
  c.e1.x += M.m;
  c.e2.y += M.m;
  c.e3.z += M.m;
  return c;
}

// Its rows, as those of any other joint.
template <class S>
std::array<Covector<S>, 3> ball_rows(const Arms<S>& arms, bool b) {
  const Vec3<S>& rho = b ? arms.b : arms.a;
  const S s(b ? 1 : -1), o(0), x = s * rho.x, y = s * rho.y, z = s * rho.z;
  return {{{{s, o, o}, {o, z, -y}}, {{o, s, o}, {-z, o, x}}, {{o, o, s}, {y, -x, o}}}};
}

template <class S>
typename Schur<S>::Pivot Schur<S>::factor(const std::vector<Joint<S>>& joints, const InverseMass<S>* bodies,
                                          const Arms<S>* arms, const Covector<S>* Ga, const Covector<S>* Gb,
                                          const S* eps) {
  std::fill(a_.begin(), a_.end(), S(0));
  const auto weigh = [](const Covector<S>& G, const InverseMass<S>& M) {
    return Covector<S>{M.m * G.r, M.J.to_space(G.theta)};
  };
  const auto product = [](const Covector<S>& x, const Covector<S>& y) { return dot(x.r, y.r) + dot(x.theta, y.theta); };
  for (Block& block : blocks_) {
    S* D = a_.data() + block.diagonal;
    for (const bool b : {false, true}) {
      const int body = b ? block.b : block.a;
      if (body < 0) continue;
      if (block.ball) {
        const Vec3<S>& rho = b ? arms[block.joint].b : arms[block.joint].a;
        const Columns<S> K = mobility(bodies[body], rho, rho);
        D[0] += K.e1.x, D[3] += K.e1.y, D[4] += K.e2.y, D[6] += K.e1.z, D[7] += K.e2.z, D[8] += K.e3.z;
        continue;
      }
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
    S* to = a_.data() + s.at;
    if (s.balls) {
      const Arms<S>&after = arms[s.later], &before = arms[s.earlier];
      const Columns<S> K = mobility(bodies[s.body], s.later_b ? after.b : after.a, s.earlier_b ? before.b : before.a);
      const S sign(s.later_b == s.earlier_b ? 1 : -1);
      to[0] += sign * K.e1.x, to[1] += sign * K.e2.x, to[2] += sign * K.e3.x;
      to[3] += sign * K.e1.y, to[4] += sign * K.e2.y, to[5] += sign * K.e3.y;
      to[6] += sign * K.e1.z, to[7] += sign * K.e2.z, to[8] += sign * K.e3.z;
      continue;
    }
    const auto own1 = ball_rows(arms[s.later], s.later_b), own0 = ball_rows(arms[s.earlier], s.earlier_b);
    const Covector<S>* G1 = later.ball() ? own1.data() : (s.later_b ? Gb : Ga) + later.first;
    const Covector<S>* G0 = earlier.ball() ? own0.data() : (s.earlier_b ? Gb : Ga) + earlier.first;
    const int r1 = later.count();
    small::sized(earlier.count(), [&](auto r0) {
      for (int i = 0; i < r1; ++i) {
        const Covector<S> w = weigh(G1[i], bodies[s.body]);
        for (int j = 0; j < r0; ++j) to[i * r0 + j] += product(w, G0[j]);
      }
    });
  }
  Pivot pivot;
  for (Block& block : blocks_) switch (block.even ? block.size : 0) {
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

// D becomes D^-1 = L^-T P^-1 L^-1 with its pivots P, and every W below it W D^-1: solutions are then products, which
// wait for nothing but the block before. R: the size of this block and of all below it, or 0.
template <class S>
template <int R>
void Schur<S>::eliminate(Block& block, Pivot& pivot) {
  constexpr int most = R > 0 ? R : most_rows;
  const int r = R > 0 ? R : block.size;
  S* D = a_.data() + block.diagonal;
  S L[most * most], inverse[most];
  for (int j = 0; j < r; ++j) {
    S d = D[j * r + j];
    for (int k = 0; k < j; ++k) d -= L[j * r + k] * D[j * r + k];
    const S& scale = scale_[static_cast<std::size_t>(block.first + j)];
    if (!(d >= pivot.ratio * scale)) pivot.ratio = d / scale, pivot.row = block.first + j;
    if (!(d >= S(near) * scale)) ++pivot.close;
    inverse[j] = S(1) / d;
    // Below the diagonal D is L P until it is L.
    for (int i = j + 1; i < r; ++i) {
      S x = D[i * r + j];
      for (int k = 0; k < j; ++k) x -= L[i * r + k] * D[j * r + k];
      D[i * r + j] = x;
      L[i * r + j] = x * inverse[j];
    }
  }
  for (int j = 0; j < r; ++j)
    for (int i = j + 1; i < r; ++i) {
      S x = L[i * r + j];
      for (int k = j + 1; k < i; ++k) x += L[i * r + k] * L[k * r + j];
      L[i * r + j] = -x;
    }
  // L is L^-1 now.
  for (int i = 0; i < r; ++i)
    for (int j = 0; j <= i; ++j) {
      S x = i == j ? inverse[i] : L[i * r + j] * inverse[i];
      for (int k = i + 1; k < r; ++k) x += L[k * r + i] * L[k * r + j] * inverse[k];
      D[i * r + j] = D[j * r + i] = x;
    }
  for (int e = block.below; e < block.below + block.count; ++e) {
    const Below& entry = below_[static_cast<std::size_t>(e)];
    const Block& own = blocks_[static_cast<std::size_t>(entry.block)];
    S* W = a_.data() + entry.at;
    const int rows = R > 0 ? R : own.size;
    S M[most * most];
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < r; ++j) {
        S x = W[i * r] * D[j];
        for (int k = 1; k < r; ++k) x += W[i * r + k] * D[k * r + j];
        M[i * r + j] = x;
      }
    S* to = a_.data() + own.diagonal;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j <= i; ++j) {
        S sum = M[i * r] * W[j * r];
        for (int k = 1; k < r; ++k) sum += M[i * r + k] * W[j * r + k];
        to[i * rows + j] -= sum;
      }
    for (int f = e + 1; f < block.below + block.count; ++f) {
      const Below& other = below_[static_cast<std::size_t>(f)];
      const S* V = a_.data() + other.at;
      const int more = R > 0 ? R : blocks_[static_cast<std::size_t>(other.block)].size;
      S* cross_to = a_.data() + targets_[entry.second + static_cast<std::size_t>(f - e - 1)];
      for (int i = 0; i < more; ++i)
        for (int j = 0; j < rows; ++j) {
          S sum = V[i * r] * M[j * r];
          for (int k = 1; k < r; ++k) sum += V[i * r + k] * M[j * r + k];
          cross_to[i * rows + j] -= sum;
        }
    }
    std::copy_n(M, rows * r, W);
  }
}

template <class S>
template <int R>
void Schur<S>::forward(const Block& block, S* b) const {
  const int r = R > 0 ? R : block.size;
  const S* x = b + block.first;
  for (int e = block.below; e < block.below + block.count; ++e) {
    const Below& entry = below_[static_cast<std::size_t>(e)];
    const S* M = a_.data() + entry.at;
    const int rows = R > 0 ? R : blocks_[static_cast<std::size_t>(entry.block)].size;
    S* y = b + entry.first;
    for (int i = 0; i < rows; ++i) {
      S sum = M[i * r] * x[0];
      for (int k = 1; k < r; ++k) sum += M[i * r + k] * x[k];
      y[i] -= sum;
    }
  }
}

template <class S>
template <int R>
void Schur<S>::backward(const Block& block, S* b) const {
  const int r = R > 0 ? R : block.size;
  const S* D = a_.data() + block.diagonal;
  S x[R > 0 ? R : most_rows];
  for (int i = 0; i < r; ++i) {
    x[i] = D[i * r] * b[block.first];
    for (int k = 1; k < r; ++k) x[i] += D[i * r + k] * b[block.first + k];
  }
  for (int e = block.below; e < block.below + block.count; ++e) {
    const Below& entry = below_[static_cast<std::size_t>(e)];
    const S* M = a_.data() + entry.at;
    const int rows = R > 0 ? R : blocks_[static_cast<std::size_t>(entry.block)].size;
    const S* y = b + entry.first;
    for (int k = 0; k < r; ++k) {
      S sum = M[k] * y[0];
      for (int i = 1; i < rows; ++i) sum += M[i * r + k] * y[i];
      x[k] -= sum;
    }
  }
  std::copy_n(x, r, b + block.first);
}

template <class S>
void Schur<S>::solve(S* b) const {
  for (const Block& block : blocks_)
    if (block.even && block.size == 3)
      forward<3>(block, b);
    else
      forward<0>(block, b);
  for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block)
    if (block->even && block->size == 3)
      backward<3>(*block, b);
    else
      backward<0>(*block, b);
}

template <class S>
S Schur<S>::largest(const S* x) const {
  S most(0);
  for (std::size_t k = 0; k < scale_.size(); ++k) most = math::max(most, scale_[k] * math::abs(x[k]));
  return most;
}

}  // namespace extremal::lie
