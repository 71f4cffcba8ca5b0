#include "small/closed.hpp"

#include <cmath>

#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"
#include "small/widest.hpp"

namespace extremal::small {

namespace {

// Every result needs the one before, so that the processor waits for roots and quotients unless it has other motions at
// hand: all parts of the lanes take one stretch before any takes the next.
template <class S, class P, bool shifted>
class Closed {
  using Data = SmallData<S, 2, 1, 1>;
  using Quadratic = SmallQuadratic<S, 2>;
  using Fine = typename MaskFor<P>::type;
  static constexpr int n = Data::most, parts = part_count<S, P>;
  static constexpr bool alone = !std::is_same_v<S, Lanes>;

 public:
  Closed(Data& data, const Quadratic& constraint, const SmallState<S>& state, SmallNode<S>& node)
      : d(data),
        g(constraint),
        q_(state.q),
        p_(state.p),
        q_low_(state.q_low),
        p_low_(state.p_low),
        v_(state.v),
        A_(node.A.data()) {}

  Mask<S> take(long count, S& residual) {
    for (int k = 0; k < parts; ++k) fine[k] = part_of<P>(g.known, k);
    for (long step = 0; step < count; ++step) {
      for (int k = 0; k < parts; ++k) displace(k);
      for (int k = 0; k < parts; ++k) move(k, residual);
      for (int k = 0; k < parts; ++k) project(k);
    }
    Mask<S> out;
    for (int k = 0; k < parts; ++k) part_of<P>(out, k) = fine[k] && is_finite(k);
    return out;
  }

 private:
  // f(i) for every coordinate, with i a constant.
  template <class F>
  [[gnu::always_inline]] static void every(F f) {
    [&]<int... I>(std::integer_sequence<int, I...>)
        __attribute__((always_inline)) { (f(I), ...); }(std::make_integer_sequence<int, n>{});
  }
  template <class X>
  static auto all_of(const X& x, int k) {
    return view<P>(x.data(), k);
  }
  static P one(const S& x, int k) { return view<P>(&x, k)[0]; }
  P radius(const P& x, int i, int k) const {
    if constexpr (shifted)
      return x - all_of(g.centre, k)[i];
    else
      return x;
  }

  void displace(int k) {
    const auto q = view<P>(q_, k), v = view<P>(v_, k), A = view<P>(A_, k);
    const auto half = all_of(g.half, k), bend = all_of(g.bend, k), fall = all_of(d.fall, k);
    const P y = all_of(d.y, k)[0];
    P alpha, beta, gamma = one(g.level, k);
    every([&](int i) {
      base[k][i] = y * v[i] + fall[i];
      const P r = radius(q[i] + base[k][i], i, k), share = (bend[i] * A[i]) * r, bent = (half[i] * A[i]) * A[i];
      gamma += (half[i] * r) * r;
      beta = i == 0 ? share : beta + share;
      alpha = i == 0 ? bent : alpha + bent;
    });
    const P square = beta * beta, left = square - (P(4) * alpha) * gamma;
    fine[k] = fine[k] && less(P(0), beta) && less(P(0.25) * square, left);
    s[k] = (gamma + gamma) / (beta + math::sqrt(left));
  }

  // To the end; the momentum is projected there: p -= G^T nu with G v = 0.
  void move(int k, S& residual) {
    const auto q = view<P>(q_, k), v = view<P>(v_, k), q_low = view<P>(q_low_, k), p_low = view<P>(p_low_, k),
               A = view<P>(A_, k);
    const auto half = all_of(g.half, k), bend = all_of(g.bend, k), tilt = all_of(g.tilt, k),
               weight = all_of(g.weight, k), drop = all_of(d.drop, k), mass = all_of(d.mass, k);
    const P impulse = s[k] * one(d.impulse_rate, k), lambda = s[k] * one(d.inverse_pull, k);
    P along, across, gap = one(g.level, k);
    every([&](int i) {
      const P A0 = A[i], from = q[i], change = (base[k][i] + q_low[i]) - s[k] * A0, to = from + change;
      if constexpr (alone) d.first_pull[sz(i)] = A0 * lambda;
      q_low[i] = change - (to - from);
      q[i] = to;
      const P dv = drop[i] - impulse * A0, r = radius(to, i, k), slope = bend[i] * r;
      A[i] = tilt[i] * r;
      G[k][i] = slope;
      free[k][i] = p_low[i] + mass[i * (n + 1)] * dv;
      const P speed = slope * (v[i] + dv), width = (weight[i] * r) * r;
      along = i == 0 ? speed : along + speed;
      across = i == 0 ? width : across + width;
      if constexpr (alone) gap += (half[i] * r) * r;
    });
    nu[k] = along / across;
    d.guess.replace(k, lambda);
    if constexpr (alone) residual = std::fabs(gap);  // without a branch: its sign cannot be predicted
  }

  void project(int k) {
    const auto p = view<P>(p_, k), v = view<P>(v_, k), p_low = view<P>(p_low_, k);
    const auto inverse = all_of(d.inverse, k);
    every([&](int i) {
      const P from = p[i], change = free[k][i] - G[k][i] * nu[k], to = from + change;
      p_low[i] = change - (to - from);
      p[i] = to;
      v[i] = inverse[i * (n + 1)] * to;
    });
    view<P>(d.guess.end(), k)[0] = nu[k] * one(d.inverse_end, k);
  }

  // Of the end: what is not finite before is not so after.
  Fine is_finite(int k) const {
    const auto q = view<P>(q_, k), v = view<P>(v_, k);
    P sum = q[0] + v[0];
    for (int i = 1; i < n; ++i) sum += q[i] + v[i];
    return equal(sum - sum, P(0));
  }

  Data& d;
  const Quadratic& g;
  S *q_, *p_, *q_low_, *p_low_, *v_, *A_;
  P base[parts][n], G[parts][n], free[parts][n], s[parts], nu[parts];  // free: what p changes by without nu
  Fine fine[parts];
};

}  // namespace

template <class S>
Mask<S> close(SmallData<S, 2, 1, 1>& data, const SmallQuadratic<S, 2>& constraint, const SmallState<S>& state,
              SmallNode<S>& node, long count, S& residual) {
  Mask<S> fine(true);
  with_widest<S>([&](auto part) {
    using P = decltype(part);
    if (constraint.shifted)
      fine = Closed<S, P, true>(data, constraint, state, node).take(count, residual);
    else
      fine = Closed<S, P, false>(data, constraint, state, node).take(count, residual);
  });
  return fine;
}

#define EXTREMAL_INSTANTIATE(S)                                                                                    \
  template Mask<S> close(SmallData<S, 2, 1, 1>&, const SmallQuadratic<S, 2>&, const SmallState<S>&, SmallNode<S>&, \
                         long, S&);
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal::small
