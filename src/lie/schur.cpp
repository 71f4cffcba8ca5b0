#include "lie/schur.hpp"

#include <algorithm>
#include <array>

#include "numbers/instantiate.hpp"

namespace extremal::lie {

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

// Column k is e_k / m + (J^-1 (sigma x e_k)) x rho.
template <class S>
Mobility<S>::Mobility(int own, const S& m, const Vec3<S>& J, const Vec3<S>& rho, const Vec3<S>& sigma) : body(own) {
  const S o(0);
  K = {cross(scaled(J, {o, sigma.z, -sigma.y}), rho), cross(scaled(J, {-sigma.z, o, sigma.x}), rho),
       cross(scaled(J, {sigma.y, -sigma.x, o}), rho)};
  K.e1.x += m;
  K.e2.y += m;
  K.e3.z += m;
  const bool diagonal = K.e1.y == o && K.e1.z == o && K.e2.x == o && K.e2.z == o && K.e3.x == o && K.e3.y == o;
  const S d[3] = {K.e1.x, K.e2.y, K.e3.z};
  for (int k = 0; diagonal && k < 3; ++k) {
    const S &next = d[(k + 1) % 3], &last = d[(k + 2) % 3];
    if (next == last) axis = k, s = next, t = d[k] - next;
  }
}

template <class S>
[[gnu::always_inline]] inline Columns<S> Mobility<S>::in_space(const Columns<S>& R) const {
  if (axis >= 0) {
    const Vec3<S>& e = axis == 0 ? R.e1 : axis == 1 ? R.e2 : R.e3;
    const Vec3<S> u = t * e;
    const S xy = u.x * e.y, xz = u.x * e.z, yz = u.y * e.z;
    return {{s + u.x * e.x, xy, xz}, {xy, s + u.y * e.y, yz}, {xz, yz, s + u.z * e.z}};
  }
  const Vec3<S> a = R.to_space(K.e1), b = R.to_space(K.e2), c = R.to_space(K.e3);
  return {R.e1.x * a + R.e2.x * b + R.e3.x * c, R.e1.y * a + R.e2.y * b + R.e3.y * c,
          R.e1.z * a + R.e2.z * b + R.e3.z * c};
}

// The rows of a ball, as those of any other joint.
template <class S>
std::array<Covector<S>, 3> ball_rows(const Arms<S>& arms, bool b) {
  const Vec3<S>& rho = b ? arms.b : arms.a;
  const S s(b ? 1 : -1), o(0), x = s * rho.x, y = s * rho.y, z = s * rho.z;
  return {{{{s, o, o}, {o, z, -y}}, {{o, s, o}, {-z, o, x}}, {{o, o, s}, {y, -x, o}}}};
}

template <class S>
void Schur<S>::assemble(const Place& at, const S* eps) {
  const auto in_space = [&](int mobility) {
    const Mobility<S>& own = mobilities_[static_cast<std::size_t>(mobility)];
    return own.in_space(at.poses[own.body].R);
  };
  const auto weigh = [](const Covector<S>& G, const InverseMass<S>& M) {
    return Covector<S>{M.m * G.r, M.J.to_space(G.theta)};
  };
  const auto product = [](const Covector<S>& x, const Covector<S>& y) { return dot(x.r, y.r) + dot(x.theta, y.theta); };
  workers_.share(a_.size(), [&](std::size_t begin, std::size_t end) {
    std::fill(a_.begin() + static_cast<std::ptrdiff_t>(begin), a_.begin() + static_cast<std::ptrdiff_t>(end), S(0));
  });
  const auto add_diagonal = [&](const Block& block) {
    S* D = a_.data() + block.diagonal;
    for (const bool b : {false, true}) {
      const int body = b ? block.b : block.a;
      if (body < 0) continue;
      if (block.ball) {
        const Columns<S> K = in_space(b ? block.moved : block.moves);
        D[0] += K.e1.x, D[3] += K.e1.y, D[4] += K.e2.y, D[6] += K.e1.z, D[7] += K.e2.z, D[8] += K.e3.z;
        continue;
      }
      const Covector<S>* G = (b ? at.Gb : at.Ga) + block.first;
      small::sized(block.size, [&](auto r) {
        for (int i = 0; i < r; ++i) {
          const Covector<S> w = weigh(G[i], at.inverse[body]);
          for (int j = 0; j <= i; ++j) D[i * r + j] += product(w, G[j]);
        }
      });
    }
    for (int i = 0; i < block.size; ++i) {
      S& d = D[i * block.size + i];
      d += eps[block.first + i];
      scale_[static_cast<std::size_t>(block.first + i)] = d;
    }
  };
  const auto add_shared = [&](const Shared& s) {
    S* to = a_.data() + s.at;
    if (s.mobility >= 0) {
      const Columns<S> K = in_space(s.mobility);
      const S sign(s.later_b == s.earlier_b ? 1 : -1);
      to[0] += sign * K.e1.x, to[1] += sign * K.e2.x, to[2] += sign * K.e3.x;
      to[3] += sign * K.e1.y, to[4] += sign * K.e2.y, to[5] += sign * K.e3.y;
      to[6] += sign * K.e1.z, to[7] += sign * K.e2.z, to[8] += sign * K.e3.z;
      return;
    }
    const Joint<S>& later = model_.joints[static_cast<std::size_t>(s.later)];
    const Joint<S>& earlier = model_.joints[static_cast<std::size_t>(s.earlier)];
    const auto own1 = ball_rows(at.arms[s.later], s.later_b), own0 = ball_rows(at.arms[s.earlier], s.earlier_b);
    const Covector<S>* G1 = later.ball() ? own1.data() : (s.later_b ? at.Gb : at.Ga) + later.first;
    const Covector<S>* G0 = earlier.ball() ? own0.data() : (s.earlier_b ? at.Gb : at.Ga) + earlier.first;
    const int r1 = later.count();
    small::sized(earlier.count(), [&](auto r0) {
      for (int i = 0; i < r1; ++i) {
        const Covector<S> w = weigh(G1[i], at.inverse[s.body]);
        for (int j = 0; j < r0; ++j) to[i * r0 + j] += product(w, G0[j]);
      }
    });
  };
  workers_.share(blocks_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) add_diagonal(blocks_[k]);
  });
  workers_.share(shared_.size(), [&](std::size_t begin, std::size_t end) {
    // Two bodies may be shared by the same two joints, and go to the same place: one thread adds both.
    const auto joined = [&](std::size_t k) {
      return k > 0 && k < shared_.size() && shared_[k].at == shared_[k - 1].at;
    };
    while (joined(begin)) ++begin;
    while (joined(end)) ++end;
    for (std::size_t k = begin; k < end; ++k) add_shared(shared_[k]);
  });
}

template <class S>
typename Schur<S>::Pivot Schur<S>::factor(const Place& at, const S* eps) {
  assemble(at, eps);
  Pivot pivot;
  if (!parts_.empty()) {
    workers_.each(parts_.size(), [&](std::size_t k) {
      Part& part = parts_[k];
      part.pivot = {};
      eliminate(part.begin, part.end, part.pivot);
    });
    for (const Waiting& w : waiting_)
      for (std::size_t k = 0; k < w.size; ++k) a_[w.to + k] += a_[w.from + k];
    for (const Part& part : parts_) {
      if (!(part.pivot.ratio >= pivot.ratio)) pivot.ratio = part.pivot.ratio, pivot.row = part.pivot.row;
      pivot.close += part.pivot.close;
    }
  }
  eliminate(rest_, blocks_.size(), pivot);
  return pivot;
}

template <class S>
void Schur<S>::eliminate(std::size_t begin, std::size_t end, Pivot& pivot) {
  for (std::size_t k = begin; k < end; ++k) {
    Block& block = blocks_[k];
    switch (block.even ? block.size : 0) {
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
  }
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
    S* to = a_.data() + entry.diagonal;
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
void Schur<S>::forward(const Block& block, int from, int to, S* b) const {
  const int r = R > 0 ? R : block.size;
  const S* x = b + block.first;
  for (int e = block.below + from; e < block.below + to; ++e) {
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
void Schur<S>::forward(std::size_t begin, std::size_t end, S* b) const {
  for (std::size_t k = begin; k < end; ++k) {
    const Block& block = blocks_[k];
    if (block.even && block.size == 3)
      forward<3>(block, 0, block.inner, b);
    else
      forward<0>(block, 0, block.inner, b);
  }
}

template <class S>
void Schur<S>::backward(std::size_t begin, std::size_t end, S* b) const {
  for (std::size_t k = end; k-- > begin;) {
    const Block& block = blocks_[k];
    if (block.even && block.size == 3)
      backward<3>(block, b);
    else
      backward<0>(block, b);
  }
}

template <class S>
void Schur<S>::solve(S* b) const {
  if (!parts_.empty()) {
    workers_.each(parts_.size(), [&](std::size_t k) { forward(parts_[k].begin, parts_[k].end, b); });
    for (const std::size_t k : border_) forward<0>(blocks_[k], blocks_[k].inner, blocks_[k].count, b);
  }
  forward(rest_, blocks_.size(), b);
  backward(rest_, blocks_.size(), b);
  if (!parts_.empty())
    workers_.each(parts_.size(), [&](std::size_t k) { backward(parts_[k].begin, parts_[k].end, b); });
}

template <class S>
S Schur<S>::largest(const S* x) const {
  const auto larger = [](const S& a, const S& b) { return math::max(a, b); };
  return workers_.template gather<S>(
      scale_.size(),
      [&](std::size_t begin, std::size_t end) {
        S most(0);
        for (std::size_t k = begin; k < end; ++k) most = math::max(most, scale_[k] * math::abs(x[k]));
        return most;
      },
      larger);
}

#define EXTREMAL_INSTANTIATE(S) \
  template struct Mobility<S>;  \
  template class Schur<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal::lie
