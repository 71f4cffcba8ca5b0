#include "kernel/phase.hpp"

#include <algorithm>

#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"

namespace extremal {

namespace {

template <class S>
PhaseLayout make_layout(const PhaseTables<S>& t, const PhaseSpace& scheme, const System& system) {
  PhaseLayout l{};
  l.n = system.size();
  l.m = system.constraint_count();
  l.Kq = t.Kq;
  l.Kp = t.Kp;
  l.Kg = l.m > 0 ? t.Kg : 0;
  l.r = t.r;
  l.q_continuous = scheme.continuity == Continuity::q_continuous;
  l.q_left = scheme.continuity == Continuity::q_left_p_right || scheme.continuity == Continuity::both_right;
  l.p_right = scheme.continuity == Continuity::q_left_p_right || scheme.continuity == Continuity::both_left;
  l.size = (l.Kq + 1 + l.Kp) * l.n + l.Kg * l.m;
  return l;
}

}  // namespace

template <class S>
PhasePoint<S>::PhasePoint(const System& system, const PhaseSpace& scheme, quad h, Storage storage)
    : tables(phase_tables<S>(scheme, h)),
      layout(make_layout(tables, scheme, system)),
      hamiltonian(system, layout.r),
      constraints(system, layout.r, storage) {
  const int n = layout.n, m = layout.m, r = layout.r;
  for (auto* x : {&q, &p}) x->resize(sz(r * n));
  t.resize(sz(r));
  for (auto* x : {&g, &gt, &Zs}) x->resize(sz(r * m));
  G.resize(sz(r * slopes()));
  q1.resize(sz(n));
  for (auto* x : {&g0, &gt0, &g1, &gt1, &Z0, &Z1}) x->assign(sz(m), S(0));
  for (auto* x : {&G0, &G1}) x->assign(sz(slopes()), S(0));
}

template <class S>
void PhasePoint<S>::place(const PhaseStart<S>& start, const S* x) {
  const int n = layout.n, m = layout.m, r = layout.r;
  const S h = start.h, t1 = start.t + h;
  // out += sum_f factors_f x_f, of so many functions of a kind.
  const auto combine = [&](const S* factors, const S* of, int functions, int width, S* out) {
    for (int f = 0; f < functions; ++f)
      if (factors[f] != S(0))
        for (int a = 0; a < width; ++a) out[a] += factors[f] * of[f * width + a];
  };
  if (m > 0) {
    constraints.constraints(1, start.q, &start.t, g0.data(), G0.data(), gt0.data());
    for (auto* z : {&Z0, &Z1}) std::fill(z->begin(), z->end(), S(0));
    combine(tables.fg0.data(), x + layout.Z(0), layout.Kg, m, Z0.data());
    combine(tables.fg1.data(), x + layout.Z(0), layout.Kg, m, Z1.data());
  }
  for (auto* z : {&q, &p, &Zs}) std::fill(z->begin(), z->end(), S(0));
  for (int i = 0; i < r; ++i) {
    t[sz(i)] = start.t + tables.c[sz(i)] * h;
    S *q_i = &q[sz(i * n)], *p_i = &p[sz(i * n)];
    combine(&tables.fq[sz(i * layout.Kq)], x + layout.Q(0), layout.Kq, n, q_i);
    combine(&tables.fp[sz(i * layout.Kp)], x + layout.P(0), layout.Kp, n, p_i);
    for (int a = 0; a < n; ++a) {
      q_i[a] += start.q[a];
      p_i[a] = start.p[a] + p_i[a] / h;
    }
    if (m > 0) combine(&tables.dfg[sz(i * layout.Kg)], x + layout.Z(0), layout.Kg, m, &Zs[sz(i * m)]);
  }
  for (int a = 0; a < n; ++a) q1[sz(a)] = start.q[a] + x[layout.E() + a];
  if (m > 0) {
    constraints.constraints(r, q.data(), t.data(), g.data(), G.data(), gt.data());
    constraints.constraints(1, q1.data(), &t1, g1.data(), G1.data(), gt1.data());
  }
}

template <class S>
PhaseResidual<S>::PhaseResidual(const System& system, const PhaseSpace& scheme, quad h)
    : point_(system, scheme, h, Storage::sparse),
      H_(sz(point_.layout.r)),
      Hq_(sz(point_.layout.r * point_.layout.n)),
      Hp_(sz(point_.layout.r * point_.layout.n)),
      forces_(sz((point_.layout.r + 1) * point_.layout.n)) {}

template <class S>
S PhaseResidual<S>::operator()(const PhaseStart<S>& start, const S* x, S* out, const S* v) {
  const PhaseLayout& l = point_.layout;
  const PhaseTables<S>& tab = point_.tables;
  const Pattern& jacobian = point_.constraints.jacobian();
  const int n = l.n, m = l.m, Kq = l.Kq, Kp = l.Kp;
  const S h = start.h;
  point_.place(start, x);
  std::fill_n(out, l.size, S(0));
  if (v != nullptr) {
    std::copy_n(v, l.r * n, Hp_.data());
    point_.hamiltonian.gradient_at(l.r, point_.q.data(), point_.p.data(), v, point_.t.data(), H_.data(), Hq_.data());
  } else if (!point_.hamiltonian.gradient(l.r, point_.q.data(), point_.p.data(), point_.t.data(), H_.data(), Hq_.data(),
                                          Hp_.data())) {
    return S(0) / S(0);
  }
  S* at_start = forces_.data() + l.r * n;
  std::fill(forces_.begin(), forces_.end(), S(0));
  if (m > 0) add_transposed(jacobian, point_.G0.data(), point_.Z0.data(), S(-1), at_start);
  for (int i = 0; i < l.r && m > 0; ++i)
    add_transposed(jacobian, &point_.G[sz(i * point_.slopes())], &point_.Zs[sz(i * m)], tab.bg[sz(i)],
                   &forces_[sz(i * n)]);

  for (int b = 0; b < Kp && v == nullptr; ++b)
    for (int a = 0; a < n; ++a) {
      S sum(0);
      for (int f = 0; f < Kq; ++f) sum -= tab.pairing_pq[sz(b * Kq + f)] * x[l.Q(f) + a];
      for (int i = 0; i < l.r; ++i) sum += h * tab.bp[sz(i)] * tab.fp[sz(i * Kp + b)] * Hp_[sz(i * n + a)];
      // Cardinal functions: f_b(0) and f_b(1) are 1 for the first and the last.
      if (b == 0 && !l.q_continuous) sum -= x[l.Q(0) + a];
      if (b == Kp - 1 && !l.q_continuous) sum -= x[l.E() + a] - x[l.Q(Kq - 1) + a];
      out[l.row_p(b) + a] = sum;
    }
  for (int b = 0; b < l.kept_q(); ++b) {
    S* to = out + l.row_q(b);
    for (int f = 0; f < Kp; ++f)
      if (const S pairing = tab.pairing_qp[sz(b * Kp + f)]; pairing != S(0))
        for (int a = 0; a < n; ++a) to[a] -= pairing * x[l.P(f) + a];
    for (int i = 0; i < l.r; ++i) {
      const S f = tab.fq[sz(i * Kq + b)], push = h * h * tab.bq[sz(i)] * f;
      if (f == S(0)) continue;
      for (int a = 0; a < n; ++a) to[a] += push * Hq_[sz(i * n + a)] - f * forces_[sz(i * n + a)];
    }
    for (int a = 0; a < n && b == 0; ++a) to[a] += at_start[a];
    for (int a = 0; a < n && b == Kq - 1; ++a) to[a] += x[l.P(Kp - 1) + a];
  }
  int row = l.row_fix();
  for (int a = 0; a < n; ++a) {
    out[row + a] = l.q_left ? x[l.E() + a] - x[l.Q(Kq - 1) + a] : x[l.Q(0) + a];
    if (l.q_continuous)
      out[row + n + a] = x[l.E() + a] - x[l.Q(Kq - 1) + a];
    else if (l.p_right)
      out[row + n + a] = x[l.P(0) + a] + at_start[a];
  }
  for (int c = 0; c < l.Kg; ++c) {
    S* to = out + l.row_g(c);
    for (int k = 0; k < m; ++k) to[k] = tab.fg1[sz(c)] * point_.g1[sz(k)];
    for (int i = 0; i < l.r; ++i)
      if (const S f = tab.bg[sz(i)] * tab.dfg[sz(i * l.Kg + c)]; f != S(0))
        for (int k = 0; k < m; ++k) to[k] -= f * point_.g[sz(i * m + k)];
  }
  return largest(out, l.size);
}

template <class S>
void PhaseResidual<S>::impulse(S h, S* dp) const {
  const PhaseLayout& l = point_.layout;
  const int n = l.n;
  // The forces are those of the last evaluation.
  std::copy_n(forces_.data() + l.r * n, n, dp);
  for (int a = 0; a < n; ++a) dp[a] = -dp[a];
  if (l.m > 0) add_transposed(point_.constraints.jacobian(), point_.G1.data(), point_.Z1.data(), S(-1), dp);
  for (int a = 0; a < n; ++a) {
    S force(0), push(dp[a]);
    for (int i = 0; i < l.r; ++i) {
      force += point_.tables.bq[sz(i)] * Hq_[sz(i * n + a)];
      push += forces_[sz(i * n + a)];
    }
    dp[a] = push / h - h * force;
  }
}

// Forces by the rule that they act by, along H_p; of H and the constraints what a shift of the step in time changes the
// action by (see galerkin.cpp).
template <class S>
void PhaseResidual<S>::add_work(S h, S* out) {
  const PhaseLayout& l = point_.layout;
  const PhaseTables<S>& tab = point_.tables;
  const int n = l.n, m = l.m, given = point_.constraints.source_count() - 1;
  for (int i = 0; i < l.r; ++i) {
    point_.hamiltonian.add_work(&point_.q[sz(i * n)], &point_.p[sz(i * n)], &Hp_[sz(i * n)], &point_.t[sz(i)],
                                h * tab.bq[sz(i)], out);
    for (int k = 0; k < m; ++k) out[given] -= tab.bg[sz(i)] * point_.gt[sz(i * m + k)] * point_.Zs[sz(i * m + k)] / h;
  }
  for (int k = 0; k < m; ++k)
    out[given] -= (point_.gt0[sz(k)] * point_.Z0[sz(k)] - point_.gt1[sz(k)] * point_.Z1[sz(k)]) / h;
}

template <class R>
PhaseMatrix<R>::PhaseMatrix(const System& system, const PhaseSpace& scheme, quad h)
    : point_(system, scheme, h, Storage::full) {
  const int n = point_.layout.n, r = point_.layout.r;
  for (auto* x : {&A_, &B_, &C_, &D_, &K_}) x->resize(sz(r * n * n));
  for (auto* x : {&K0_, &K1_}) x->resize(sz(n * n));
  ones_.assign(sz(std::max(r, 1)), R(1));
}

template <class R>
bool PhaseMatrix<R>::assemble(const PhaseStart<R>& start, const R* x, R* out) {
  const PhaseLayout& l = point_.layout;
  const PhaseTables<R>& tab = point_.tables;
  const int n = l.n, m = l.m, Kq = l.Kq, Kp = l.Kp, size = l.size;
  const R h = start.h, t1 = start.t + h;
  point_.place(start, x);
  std::fill_n(out, static_cast<std::ptrdiff_t>(size) * size, R(0));
  if (!point_.hamiltonian.hessian(l.r, point_.q.data(), point_.p.data(), point_.t.data(), A_.data(), B_.data(),
                                  C_.data(), D_.data()))
    return false;
  for (auto* k : {&K_, &K0_, &K1_}) std::fill(k->begin(), k->end(), R(0));
  if (m > 0) {
    point_.constraints.add_curvature(l.r, point_.q.data(), point_.t.data(), point_.Zs.data(), ones_.data(), K_.data());
    point_.constraints.add_curvature(1, start.q, &start.t, point_.Z0.data(), ones_.data(), K0_.data());
    point_.constraints.add_curvature(1, point_.q1.data(), &t1, point_.Z1.data(), ones_.data(), K1_.data());
  }
  const auto row = [&](int i) { return out + static_cast<std::ptrdiff_t>(i) * size; };
  for (int b = 0; b < Kp; ++b) {
    for (int a = 0; a < n; ++a) {
      R* to = row(l.row_p(b) + a);
      for (int f = 0; f < Kq; ++f) to[l.Q(f) + a] -= tab.pairing_pq[sz(b * Kq + f)];
      if (b == 0 && !l.q_continuous) to[l.Q(0) + a] -= R(1);
      if (b == Kp - 1 && !l.q_continuous) to[l.E() + a] -= R(1), to[l.Q(Kq - 1) + a] += R(1);
    }
    for (int i = 0; i < l.r; ++i) {
      const R w = tab.bp[sz(i)] * tab.fp[sz(i * Kp + b)];
      if (w == R(0)) continue;
      for (int a = 0; a < n; ++a) {
        R* to = row(l.row_p(b) + a);
        const auto at = static_cast<std::size_t>((i * n + a) * n);
        for (int f = 0; f < Kq; ++f)
          for (int e = 0; e < n; ++e) to[l.Q(f) + e] += w * h * tab.fq[sz(i * Kq + f)] * C_[at + sz(e)];
        for (int f = 0; f < Kp; ++f)
          for (int e = 0; e < n; ++e) to[l.P(f) + e] += w * tab.fp[sz(i * Kp + f)] * D_[at + sz(e)];
      }
    }
  }
  for (int b = 0; b < l.kept_q(); ++b) {
    for (int a = 0; a < n; ++a) {
      R* to = row(l.row_q(b) + a);
      for (int f = 0; f < Kp; ++f) to[l.P(f) + a] -= tab.pairing_qp[sz(b * Kp + f)];
      if (b == Kq - 1) to[l.P(Kp - 1) + a] += R(1);
      if (b == 0)
        for (int c = 0; c < l.Kg; ++c)
          for (int k = 0; k < m; ++k) to[l.Z(c) + k] -= point_.G0[sz(k * n + a)] * tab.fg0[sz(c)];
    }
    for (int i = 0; i < l.r; ++i) {
      const R w = tab.bq[sz(i)] * tab.fq[sz(i * Kq + b)], wg = tab.bg[sz(i)] * tab.fq[sz(i * Kq + b)];
      for (int a = 0; a < n; ++a) {
        R* to = row(l.row_q(b) + a);
        const auto at = static_cast<std::size_t>((i * n + a) * n);
        for (int f = 0; f < Kq; ++f)
          for (int e = 0; e < n; ++e)
            to[l.Q(f) + e] += tab.fq[sz(i * Kq + f)] * (w * h * h * A_[at + sz(e)] - wg * K_[at + sz(e)]);
        for (int f = 0; f < Kp; ++f)
          for (int e = 0; e < n; ++e) to[l.P(f) + e] += w * h * tab.fp[sz(i * Kp + f)] * B_[at + sz(e)];
        for (int c = 0; c < l.Kg; ++c)
          for (int k = 0; k < m; ++k)
            to[l.Z(c) + k] -= wg * tab.dfg[sz(i * l.Kg + c)] * point_.G[sz((i * m + k) * n + a)];
      }
    }
  }
  for (int a = 0; a < n; ++a) {
    R* to = row(l.row_fix() + a);
    if (l.q_left)
      to[l.E() + a] = R(1), to[l.Q(Kq - 1) + a] = R(-1);
    else
      to[l.Q(0) + a] = R(1);
    if (l.fixes() < 2) continue;
    R* second = row(l.row_fix() + n + a);
    if (l.q_continuous) {
      second[l.E() + a] = R(1), second[l.Q(Kq - 1) + a] = R(-1);
    } else {
      second[l.P(0) + a] = R(1);
      for (int c = 0; c < l.Kg; ++c)
        for (int k = 0; k < m; ++k) second[l.Z(c) + k] -= point_.G0[sz(k * n + a)] * tab.fg0[sz(c)];
    }
  }
  for (int c = 0; c < l.Kg; ++c)
    for (int k = 0; k < m; ++k) {
      R* to = row(l.row_g(c) + k);
      for (int e = 0; e < n; ++e) to[l.E() + e] += tab.fg1[sz(c)] * point_.G1[sz(k * n + e)];
      for (int i = 0; i < l.r; ++i)
        for (int f = 0; f < Kq; ++f)
          for (int e = 0; e < n; ++e)
            to[l.Q(f) + e] -=
                tab.bg[sz(i)] * tab.dfg[sz(i * l.Kg + c)] * tab.fq[sz(i * Kq + f)] * point_.G[sz((i * m + k) * n + e)];
    }
  return true;
}

template <class R>
void PhaseMatrix<R>::assemble_start(const PhaseStart<R>& start, R* out) {
  const PhaseLayout& l = point_.layout;
  const PhaseTables<R>& tab = point_.tables;
  const int n = l.n, m = l.m, Kq = l.Kq, Kp = l.Kp, width = 2 * n;
  const R h = start.h;
  std::fill_n(out, static_cast<std::ptrdiff_t>(l.size) * width, R(0));
  const auto row = [&](int i) { return out + static_cast<std::ptrdiff_t>(i) * width; };
  for (int i = 0; i < l.r; ++i)
    for (int a = 0; a < n; ++a)
      for (int e = 0; e < n; ++e) {
        const auto at = static_cast<std::size_t>((i * n + a) * n + e);
        for (int b = 0; b < Kp; ++b) {
          const R w = tab.bp[sz(i)] * tab.fp[sz(i * Kp + b)] * h;
          row(l.row_p(b) + a)[e] += w * C_[at];
          row(l.row_p(b) + a)[n + e] += w * D_[at];
        }
        for (int b = 0; b < l.kept_q(); ++b) {
          const R w = tab.bq[sz(i)] * tab.fq[sz(i * Kq + b)] * h * h;
          row(l.row_q(b) + a)[e] += w * A_[at] - tab.bg[sz(i)] * tab.fq[sz(i * Kq + b)] * K_[at];
          row(l.row_q(b) + a)[n + e] += w * B_[at];
        }
      }
  for (int a = 0; a < n; ++a)
    for (int e = 0; e < n; ++e) {
      row(l.row_q(0) + a)[e] -= K0_[sz(a * n + e)];
      if (l.p_right && !l.q_continuous) row(l.row_fix() + n + a)[e] -= K0_[sz(a * n + e)];
    }
  for (int c = 0; c < l.Kg; ++c)
    for (int k = 0; k < m; ++k)
      for (int e = 0; e < n; ++e) {
        R sum = tab.fg1[sz(c)] * point_.G1[sz(k * n + e)];
        for (int i = 0; i < l.r; ++i)
          sum -= tab.bg[sz(i)] * tab.dfg[sz(i * l.Kg + c)] * point_.G[sz((i * m + k) * n + e)];
        row(l.row_g(c) + k)[e] = sum;
      }
}

template <class R>
void PhaseMatrix<R>::assemble_momentum(const PhaseStart<R>& start, R* to_x, R* to_q0, R* to_p0) {
  const PhaseLayout& l = point_.layout;
  const PhaseTables<R>& tab = point_.tables;
  const int n = l.n, m = l.m, Kq = l.Kq, Kp = l.Kp, size = l.size;
  const R h = start.h;
  std::fill_n(to_x, static_cast<std::ptrdiff_t>(n) * size, R(0));
  for (R* block : {to_q0, to_p0}) std::fill_n(block, static_cast<std::ptrdiff_t>(n) * n, R(0));
  for (int a = 0; a < n; ++a) {
    R* to = to_x + static_cast<std::ptrdiff_t>(a) * size;
    to_p0[a * n + a] = R(1);
    for (int e = 0; e < n; ++e) {
      for (int i = 0; i < l.r; ++i) {
        const auto at = static_cast<std::size_t>((i * n + a) * n + e);
        const R w = tab.bq[sz(i)] * h, dq = tab.bg[sz(i)] * K_[at] / h - w * A_[at];
        to_q0[a * n + e] += dq;
        to_p0[a * n + e] -= w * B_[at];
        for (int f = 0; f < Kq; ++f) to[l.Q(f) + e] += tab.fq[sz(i * Kq + f)] * dq;
        for (int f = 0; f < Kp; ++f) to[l.P(f) + e] -= tab.fp[sz(i * Kp + f)] * w * B_[at] / h;
      }
      to_q0[a * n + e] += (K0_[sz(a * n + e)] - K1_[sz(a * n + e)]) / h;
      to[l.E() + e] -= K1_[sz(a * n + e)] / h;
    }
    for (int c = 0; c < l.Kg; ++c)
      for (int k = 0; k < m; ++k) {
        R sum = point_.G0[sz(k * n + a)] * tab.fg0[sz(c)] - point_.G1[sz(k * n + a)] * tab.fg1[sz(c)];
        for (int i = 0; i < l.r; ++i)
          sum += tab.bg[sz(i)] * tab.dfg[sz(i * l.Kg + c)] * point_.G[sz((i * m + k) * n + a)];
        to[l.Z(c) + k] += sum / h;
      }
  }
}

#define EXTREMAL_INSTANTIATE(S)    \
  template class PhasePoint<S>;    \
  template class PhaseResidual<S>; \
  template class PhaseMatrix<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
