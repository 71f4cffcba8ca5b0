#include "kernel/galerkin.hpp"

#include <algorithm>

#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"
#include "numbers/node_time.hpp"

namespace extremal {

template <class S>
GalerkinLayout::GalerkinLayout(const Tables<S>& tables, int coordinates, int constraints)
    : n(coordinates),
      m(constraints),
      s(tables.s),
      r(tables.r),
      J(constraints > 0 ? tables.J : 0),
      I(constraints > 0 ? tables.I : 0),
      unknown_multipliers(constraints == 0        ? 0
                          : tables.spread.empty() ? tables.J
                                                  : tables.w),
      constraint_rows(constraints == 0         ? 0
                      : tables.collect.empty() ? tables.I
                                               : tables.w),
      coupled(constraints > 0 && tables.coupled_hidden),
      size(s * n + unknown_multipliers * m + (coupled ? n : 0)) {}

template <class S>
GalerkinPoint<S>::GalerkinPoint(const System& system, const Galerkin& scheme, quad h)
    : tables(extremal::tables<S>(scheme, h)),
      layout(tables, system.size(), system.constraint_count()),
      evaluation(system, std::max(layout.r, layout.J + layout.I + 1), Storage::sparse),
      q(sz(layout.r * layout.n)),
      v(sz(layout.r * layout.n)),
      t(sz(layout.r)),
      mu(sz(layout.J * layout.m)) {
  // Nodes that carry a multiplier and nodes where g = 0 is imposed mostly coincide: each is evaluated once.
  std::vector<S> position;
  const auto index_of = [&](S x, const S* row) {
    for (std::size_t k = 0; k < position.size(); ++k)
      if (position[k] == x) return static_cast<int>(k);
    position.push_back(x);
    basis_.insert(basis_.end(), row, row + layout.s + 1);
    return static_cast<int>(position.size()) - 1;
  };
  for (int j = 0; j < layout.J; ++j) phi.push_back(index_of(tables.phi[sz(j)], &tables.lphi[sz(j * (layout.s + 1))]));
  for (int i = 0; i < layout.I; ++i) psi.push_back(index_of(tables.psi[sz(i)], &tables.lpsi[sz(i * (layout.s + 1))]));
  distinct = static_cast<int>(position.size());
  qg.resize(sz(distinct * layout.n));
  tg = position;
  g.resize(sz(distinct * layout.m));
  G.resize(sz(distinct * jacobian().size()));
  gt.resize(sz(distinct * layout.m));
  position_ = position;
  inset_ = inset_of<S>(has_jumps(system));
  starts_ =
      distinct > 0 && std::all_of(basis_.begin() + 1, basis_.begin() + layout.s + 1, [](S l) { return l == S(0); });
}

template <class S>
void GalerkinPoint<S>::place(const StepStart<S>& start, const S* x) {
  const int n = layout.n, s = layout.s;
  const S inverse = S(1) / start.h;
  // A few coordinates at a time, whose sums stay at hand; the loops over them are those that the compiler unrolls.
  constexpr int some = 32;
  S sum[some], slope[some];
  for (int i = 0; i < layout.r; ++i) t[sz(i)] = node_time(start.t, start.h, tables.c[sz(i)], inset_);
  // Of the start there is nothing new within a step.
  evaluated_ = evaluated_ && tg[0] == start.t && std::equal(start.q, start.q + n, qg.begin());
  const int known = starts_ && evaluated_ ? 1 : 0;
  for (int j = known; j < distinct; ++j) tg[sz(j)] = start.t + position_[sz(j)] * start.h;
  for (int from = 0; from < n; from += some) {
    const int count = std::min(some, n - from);
    const S* origin = start.q + from;
    const auto combine = [&](const S* l, S* out) {
      const S* z = x + from;
      for (int a = 0; a < count; ++a) out[a] = l[1] * z[a];
      for (int k = 2; k <= s; ++k) {
        z += n;
        for (int a = 0; a < count; ++a) out[a] += l[k] * z[a];
      }
    };
    for (int i = 0; i < layout.r; ++i) {
      combine(&tables.l[sz(i * (s + 1))], sum);
      combine(&tables.dl[sz(i * (s + 1))], slope);
      S *to_q = &q[sz(i * n + from)], *to_v = &v[sz(i * n + from)];
      for (int a = 0; a < count; ++a) to_q[a] = origin[a] + sum[a];
      for (int a = 0; a < count; ++a) to_v[a] = slope[a] * inverse;
    }
    for (int j = known; j < distinct; ++j) {
      combine(&basis_[sz(j * (s + 1))], sum);
      S* to = &qg[sz(j * n + from)];
      for (int a = 0; a < count; ++a) to[a] = origin[a] + sum[a];
    }
  }
}

template <class S>
void GalerkinPoint<S>::spread(const StepStart<S>& start, const S* x) {
  const int m = layout.m, U = layout.unknown_multipliers;
  if (tables.spread.empty()) {
    std::copy_n(x + layout.mu(0), layout.J * m, mu.data());
    return;
  }
  for (int j = 0; j < layout.J; ++j)
    for (int k = 0; k < m; ++k) {
      S sum = tables.spread0[sz(j)] * start.lambda0[k];
      for (int u = 0; u < U; ++u) sum += tables.spread[sz(j * U + u)] * x[layout.mu(u) + k];
      mu[sz(j * m + k)] = sum;
    }
}

template <class S>
void GalerkinPoint<S>::evaluate_constraints() {
  const int known = starts_ && evaluated_ ? 1 : 0;
  evaluation.constraints(distinct - known, qg.data() + known * layout.n, tg.data() + known, g.data() + known * layout.m,
                         G.data() + known * jacobian().size(), gt.data() + known * layout.m);
  evaluated_ = starts_;
}

template <class S>
GalerkinResidual<S>::GalerkinResidual(const System& system, const Galerkin& scheme, quad h)
    : point_(system, scheme, h),
      L_(sz(point_.layout.r)),
      Lq_(sz(point_.layout.r * point_.layout.n)),
      Lv_(sz(point_.layout.r * point_.layout.n)),
      dp_(sz(point_.layout.n)),
      force_(sz(point_.layout.J * point_.layout.n)) {
  if (!point_.layout.coupled) return;
  const int n = point_.layout.n, m = point_.layout.m;
  for (auto* x : {&end_q_, &end_v_, &end_Lq_, &end_Lv_}) x->resize(sz(n));
  end_g_.resize(sz(m));
  end_gt_.resize(sz(m));
  end_G_.resize(sz(point_.jacobian().size()));
}

template <class S>
S GalerkinResidual<S>::operator()(const StepStart<S>& start, const S* x, S* out) {
  point_.place(start, x);
  point_.evaluation.gradient(point_.layout.r, point_.q.data(), point_.v.data(), point_.t.data(), L_.data(), Lq_.data(),
                             Lv_.data());
  point_.evaluate_constraints();
  return again(start, x, out);
}

template <class S>
S GalerkinResidual<S>::again(const StepStart<S>& start, const S* x, S* out) {
  const GalerkinLayout& layout = point_.layout;
  const Tables<S>& tab = point_.tables;
  const int n = layout.n, m = layout.m, s = layout.s;
  const S h = start.h;
  point_.spread(start, x);

  std::fill(force_.begin(), force_.end(), S(0));
  for (int j = 0; j < layout.J; ++j)
    add_transposed(point_.jacobian(), point_.G_phi(j), &point_.mu[sz(j * m)], S(1), &force_[sz(j * n)]);
  // A few coordinates at a time, as in GalerkinPoint::place.
  constexpr int some = 32;
  S sum[some], largest(0);
  const auto note = [&](S entry) { largest = math::max(largest, math::abs(entry)); };
  for (int from = 0; from < n; from += some) {
    const int count = std::min(some, n - from);
    for (int nu = 0; nu < s; ++nu) {
      for (int a = 0; a < count; ++a) sum[a] = nu == 0 ? h * start.p[from + a] : S(0);
      for (int i = 0; i < layout.r; ++i) {
        const S fq = tab.b[sz(i)] * h * h * tab.l[sz(i * (s + 1) + nu)];
        const S fv = tab.b[sz(i)] * h * tab.dl[sz(i * (s + 1) + nu)];
        const S *Lq = &Lq_[sz(i * n + from)], *Lv = &Lv_[sz(i * n + from)];
        for (int a = 0; a < count; ++a) sum[a] += fq * Lq[a] + fv * Lv[a];
      }
      for (int j = 0; j < layout.J; ++j) {
        const S f = tab.e[sz(j)] * tab.lphi[sz(j * (s + 1) + nu)];
        if (f == S(0)) continue;
        const S* force = &force_[sz(j * n + from)];
        for (int a = 0; a < count; ++a) sum[a] -= f * force[a];
      }
      S* to = out + nu * n + from;
      for (int a = 0; a < count; ++a) to[a] = sum[a];
      for (int a = 0; a < count; ++a) note(sum[a]);
    }
  }
  if (tab.collect.empty()) {
    for (int i = 0; i < layout.I; ++i)
      std::copy_n(&point_.g[sz(point_.psi[sz(i)] * m)], m, out + layout.constraint_row(i));
  } else {
    for (int row = 0; row < layout.constraint_rows; ++row)
      for (int k = 0; k < m; ++k) {
        S total = row == 0 ? start.carried[k] : S(0);
        for (int i = 0; i < layout.I; ++i)
          total += tab.collect[sz(row * layout.I + i)] * point_.g[sz(point_.psi[sz(i)] * m + k)];
        out[layout.constraint_row(row) + k] = total;
      }
  }
  if (layout.coupled) {
    const S t1 = start.t + h;
    for (int a = 0; a < n; ++a) {
      end_q_[sz(a)] = start.q[a] + x[layout.z(s - 1) + a];
      end_v_[sz(a)] = x[layout.w() + a] / h;
    }
    point_.evaluation.gradient(1, end_q_.data(), end_v_.data(), &t1, nullptr, end_Lq_.data(), end_Lv_.data());
    point_.evaluation.constraints(1, end_q_.data(), &t1, end_g_.data(), end_G_.data(), end_gt_.data());
    impulse(h, dp_.data());
    const int row = layout.hidden_row();
    for (int a = 0; a < n; ++a) out[row + a] = h * (end_Lv_[sz(a)] - start.p[a] - dp_[sz(a)]);
    for (int k = 0; k < m; ++k) out[row + n + k] = h * end_gt_[sz(k)];
    add_product(point_.jacobian(), end_G_.data(), x + layout.w(), S(1), out + row + n);
  }
  for (int i = s * n; i < layout.size; ++i) note(out[i]);
  return largest;
}

template <class S>
void GalerkinResidual<S>::impulse(S h, S* dp) const {
  const GalerkinLayout& layout = point_.layout;
  const int n = layout.n;
  for (int a = 0; a < n; ++a) {
    S force(0), push(0);
    for (int i = 0; i < layout.r; ++i) force += point_.tables.b[sz(i)] * Lq_[sz(i * n + a)];
    for (int j = 0; j < layout.J; ++j) push += point_.tables.e[sz(j)] * force_[sz(j * n + a)];
    dp[a] = h * force - push / h;
  }
}

template <class S>
S GalerkinResidual<S>::action(S h) const {
  S sum(0);
  for (int i = 0; i < point_.layout.r; ++i) sum += point_.tables.b[sz(i)] * L_[sz(i)];
  return h * sum;
}

// H1 - H0 = h sum_i b_i (f . v - L_t) + h sum_j e_j lambda_j . g_t but for the order of the scheme: shifting the step
// in time changes the discrete action by -(H1 - H0), and nothing else does, for it is stationary.
template <class S>
void GalerkinResidual<S>::add_work(S h, S* out) {
  const GalerkinLayout& layout = point_.layout;
  const int n = layout.n, m = layout.m, given = point_.evaluation.source_count() - 1;
  for (int i = 0; i < layout.r; ++i)
    point_.evaluation.add_work(&point_.q[sz(i * n)], &point_.v[sz(i * n)], &point_.t[sz(i)], h * point_.tables.b[sz(i)],
                               out);
  for (int j = 0; j < layout.J; ++j)
    for (int k = 0; k < m; ++k)
      out[given] += point_.tables.e[sz(j)] * point_.mu[sz(j * m + k)] * point_.gt[sz(point_.phi[sz(j)] * m + k)] / h;
}

template <class S>
S GalerkinResidual<S>::node_work(S h) const {
  const GalerkinLayout& layout = point_.layout;
  S sum(0);
  for (int k = 0; layout.J > 0 && k < layout.m; ++k)
    sum += point_.mu[sz(k)] * point_.gt[sz(point_.phi[0] * layout.m + k)];
  return point_.tables.node_weight * sum / (S(2) * h);
}

template <class S>
void GalerkinResidual<S>::hand_over(const S* x, S* carried, S* lambda1) {
  const GalerkinLayout& layout = point_.layout;
  for (int k = 0; k < layout.m; ++k) {
    S sum(0);
    for (int i = 0; i < layout.I; ++i)
      sum += point_.tables.collect_end[sz(i)] * point_.g[sz(point_.psi[sz(i)] * layout.m + k)];
    carried[k] = sum;
    lambda1[k] = x[layout.mu(layout.unknown_multipliers - 1) + k];
  }
}

#define EXTREMAL_INSTANTIATE(S)                                        \
  template GalerkinLayout::GalerkinLayout(const Tables<S>&, int, int); \
  template class GalerkinPoint<S>;                                     \
  template class GalerkinResidual<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
