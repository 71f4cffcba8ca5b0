#include <algorithm>

#include "kernel/galerkin.hpp"

namespace extremal {

namespace {
std::size_t sz(int n) { return static_cast<std::size_t>(n); }
}  // namespace

template <class R>
GalerkinMatrix<R>::GalerkinMatrix(const System& system, const Galerkin& scheme, quad h)
    : point_(system, scheme, h), K_(sz(point_.layout.J * point_.layout.n * point_.layout.n)) {
  const GalerkinLayout& layout = point_.layout;
  const int n = layout.n, m = layout.m;
  for (auto* x : {&A_, &B_, &C_, &D_}) x->resize(sz(layout.r * n * n));
  gathered_q_.resize(sz(layout.J * n));
  gathered_t_.resize(sz(layout.J));
  ones_.assign(sz(std::max(layout.J, 1)), R(1));
  momentum_.resize(sz(n * layout.size));
  momentum_q0_.resize(sz(n * n));
  if (!layout.coupled) return;
  for (auto* x : {&end_q_, &end_v_}) x->resize(sz(n));
  for (auto* x : {&end_A_, &end_B_, &end_C_, &end_D_}) x->resize(sz(n * n));
  for (auto* x : {&end_G_, &bend_}) x->resize(sz(m * n));
  end_g_.resize(sz(m));
  end_gt_.resize(sz(m));
}

template <class R>
void GalerkinMatrix<R>::assemble(const StepStart<R>& start, const R* x, R* out) {
  const GalerkinLayout& layout = point_.layout;
  const Tables<R>& tab = point_.tables;
  const int n = layout.n, m = layout.m, s = layout.s, size = layout.size;
  const R h = start.h;
  point_.place(start, x);
  point_.spread(start, x);
  point_.evaluation.hessian(layout.r, point_.q.data(), point_.v.data(), point_.t.data(), A_.data(), B_.data(),
                            C_.data(), D_.data());
  point_.evaluate_constraints();
  if (layout.J > 0) {
    for (int j = 0; j < layout.J; ++j) {
      std::copy_n(&point_.qg[sz(point_.phi[sz(j)] * n)], n, &gathered_q_[sz(j * n)]);
      gathered_t_[sz(j)] = point_.tg[sz(point_.phi[sz(j)])];
    }
    std::fill(K_.begin(), K_.end(), R(0));
    point_.evaluation.add_curvature(layout.J, gathered_q_.data(), gathered_t_.data(), point_.mu.data(), ones_.data(),
                                    K_.data());
  }

  std::fill_n(out, static_cast<std::ptrdiff_t>(size) * size, R(0));
  const auto row = [&](int i) { return out + static_cast<std::ptrdiff_t>(i) * size; };
  for (int i = 0; i < layout.r; ++i)
    for (int nu = 0; nu < s; ++nu)
      for (int k = 1; k <= s; ++k) {
        const R b = tab.b[sz(i)];
        const R lnu = tab.l[sz(i * (s + 1) + nu)], dnu = tab.dl[sz(i * (s + 1) + nu)];
        const R lk = tab.l[sz(i * (s + 1) + k)], dk = tab.dl[sz(i * (s + 1) + k)];
        const R fa = b * h * h * lnu * lk, fb = b * h * lnu * dk, fc = b * h * dnu * lk, fd = b * dnu * dk;
        for (int a = 0; a < n; ++a) {
          R* to = row(nu * n + a) + layout.z(k - 1);
          const int at = (i * n + a) * n;
          for (int c = 0; c < n; ++c)
            to[c] += fa * A_[sz(at + c)] + fb * B_[sz(at + c)] + fc * C_[sz(at + c)] + fd * D_[sz(at + c)];
        }
      }
  for (int j = 0; j < layout.J; ++j) {
    const R* G = &point_.G[sz(point_.phi[sz(j)] * m * n)];
    const R* l = &tab.lphi[sz(j * (s + 1))];
    for (int nu = 0; nu < s; ++nu) {
      const R f = tab.e[sz(j)] * l[nu];
      if (f == R(0)) continue;
      for (int k = 1; k <= s; ++k)
        if (const R fk = f * l[k]; fk != R(0))
          for (int a = 0; a < n; ++a)
            for (int c = 0; c < n; ++c) row(nu * n + a)[layout.z(k - 1) + c] -= fk * K_[sz((j * n + a) * n + c)];
      for (int u = 0; u < layout.unknown_multipliers; ++u) {
        const R weight = spread(j, u);
        if (weight == R(0)) continue;
        for (int k = 0; k < m; ++k)
          for (int a = 0; a < n; ++a) row(nu * n + a)[layout.mu(u) + k] -= f * weight * G[k * n + a];
      }
    }
  }
  for (int i = 0; i < layout.I; ++i) {
    const R* G = &point_.G[sz(point_.psi[sz(i)] * m * n)];
    for (int e = 0; e < layout.constraint_rows; ++e) {
      const R weight = collect(e, i);
      if (weight == R(0)) continue;
      for (int k = 1; k <= s; ++k)
        if (const R f = weight * tab.lpsi[sz(i * (s + 1) + k)]; f != R(0))
          for (int c = 0; c < m; ++c)
            for (int a = 0; a < n; ++a) row(layout.constraint_row(e) + c)[layout.z(k - 1) + a] += f * G[c * n + a];
    }
  }
  if (!layout.coupled) return;
  const R t1 = start.t + h;
  for (int a = 0; a < n; ++a) {
    end_q_[sz(a)] = start.q[a] + x[layout.z(s - 1) + a];
    end_v_[sz(a)] = x[layout.w() + a] / h;
  }
  point_.evaluation.hessian(1, end_q_.data(), end_v_.data(), &t1, end_A_.data(), end_B_.data(), end_C_.data(),
                            end_D_.data());
  point_.evaluation.constraints(1, end_q_.data(), &t1, end_g_.data(), end_G_.data(), end_gt_.data());
  point_.evaluation.bend(end_q_.data(), &t1, end_v_.data(), bend_.data(), nullptr);
  assemble_momentum(h, momentum_.data(), momentum_q0_.data());
  for (int a = 0; a < n; ++a) {
    R* to = row(layout.hidden_row() + a);
    for (int c = 0; c < size; ++c) to[c] = -h * momentum_[sz(a * size + c)];
    for (int c = 0; c < n; ++c) {
      to[layout.z(s - 1) + c] += h * end_C_[sz(a * n + c)];
      to[layout.w() + c] += end_D_[sz(a * n + c)];
    }
  }
  for (int k = 0; k < m; ++k) {
    R* to = row(layout.hidden_row() + n + k);
    for (int c = 0; c < n; ++c) {
      to[layout.z(s - 1) + c] = h * bend_[sz(k * n + c)];
      to[layout.w() + c] = end_G_[sz(k * n + c)];
    }
  }
}

template <class R>
void GalerkinMatrix<R>::assemble_start(const StepStart<R>& start, R* out) {
  const GalerkinLayout& layout = point_.layout;
  const Tables<R>& tab = point_.tables;
  const int n = layout.n, m = layout.m, s = layout.s, width = 2 * n;
  const R h = start.h;
  std::fill_n(out, static_cast<std::ptrdiff_t>(layout.size) * width, R(0));
  const auto row = [&](int i) { return out + static_cast<std::ptrdiff_t>(i) * width; };
  for (int a = 0; a < n; ++a) row(a)[n + a] = h;
  for (int nu = 0; nu < s; ++nu)
    for (int a = 0; a < n; ++a)
      for (int c = 0; c < n; ++c) {
        R sum(0);
        for (int i = 0; i < layout.r; ++i)
          sum += tab.b[sz(i)] * (h * h * tab.l[sz(i * (s + 1) + nu)] * A_[sz((i * n + a) * n + c)] +
                                 h * tab.dl[sz(i * (s + 1) + nu)] * C_[sz((i * n + a) * n + c)]);
        for (int j = 0; j < layout.J; ++j)
          sum -= tab.e[sz(j)] * tab.lphi[sz(j * (s + 1) + nu)] * K_[sz((j * n + a) * n + c)];
        row(nu * n + a)[c] = sum;
      }
  for (int i = 0; i < layout.I; ++i)
    for (int e = 0; e < layout.constraint_rows; ++e)
      for (int k = 0; k < m; ++k)
        for (int c = 0; c < n; ++c)
          row(layout.constraint_row(e) + k)[c] += collect(e, i) * point_.G[sz((point_.psi[sz(i)] * m + k) * n + c)];
  if (!layout.coupled) return;
  assemble_momentum(h, momentum_.data(), momentum_q0_.data());
  for (int a = 0; a < n; ++a) {
    R* to = row(layout.hidden_row() + a);
    for (int c = 0; c < n; ++c) to[c] = h * (end_C_[sz(a * n + c)] - momentum_q0_[sz(a * n + c)]);
    to[n + a] = -h;
  }
  for (int k = 0; k < m; ++k)
    for (int c = 0; c < n; ++c) row(layout.hidden_row() + n + k)[c] = h * bend_[sz(k * n + c)];
}

template <class R>
void GalerkinMatrix<R>::assemble_momentum(R h, R* to_x, R* to_q0) const {
  const GalerkinLayout& layout = point_.layout;
  const Tables<R>& tab = point_.tables;
  const int n = layout.n, m = layout.m, s = layout.s, size = layout.size;
  std::fill_n(to_x, static_cast<std::ptrdiff_t>(n) * size, R(0));
  std::fill_n(to_q0, static_cast<std::ptrdiff_t>(n) * n, R(0));
  for (int a = 0; a < n; ++a)
    for (int c = 0; c < n; ++c) {
      for (int i = 0; i < layout.r; ++i) {
        const R b = tab.b[sz(i)], fa = A_[sz((i * n + a) * n + c)], fb = B_[sz((i * n + a) * n + c)];
        to_q0[a * n + c] += h * b * fa;
        for (int k = 1; k <= s; ++k)
          to_x[a * size + layout.z(k - 1) + c] +=
              b * (h * tab.l[sz(i * (s + 1) + k)] * fa + tab.dl[sz(i * (s + 1) + k)] * fb);
      }
      for (int j = 0; j < layout.J; ++j) {
        const R f = tab.e[sz(j)] * K_[sz((j * n + a) * n + c)] / h;
        to_q0[a * n + c] -= f;
        for (int k = 1; k <= s; ++k) to_x[a * size + layout.z(k - 1) + c] -= tab.lphi[sz(j * (s + 1) + k)] * f;
      }
    }
  for (int j = 0; j < layout.J; ++j)
    for (int u = 0; u < layout.unknown_multipliers; ++u)
      for (int k = 0; k < m; ++k)
        for (int a = 0; a < n; ++a)
          to_x[a * size + layout.mu(u) + k] -=
              tab.e[sz(j)] * spread(j, u) * point_.G[sz((point_.phi[sz(j)] * m + k) * n + a)] / h;
}

template class GalerkinMatrix<double>;
template class GalerkinMatrix<long double>;
template class GalerkinMatrix<quad>;

}  // namespace extremal
