#include <algorithm>

#include "algebra/lu.hpp"
#include "kernel/galerkin.hpp"
#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"

namespace extremal {

template <class R>
GalerkinMatrix<R>::GalerkinMatrix(const System& system, const Galerkin& scheme, const BlockLu* lu, quad h,
                                  GalerkinPoint<R>* point)
    : own_(point == nullptr ? std::make_unique<GalerkinPoint<R>>(system, scheme, h) : nullptr),
      point_(point == nullptr ? own_.get() : point),
      lu_(lu) {
  const GalerkinLayout& layout = point_->layout;
  const int n = layout.n, m = layout.m, pairs = point_->coupling().size(), slopes = point_->jacobian().size();
  K_.resize(sz(layout.J * pairs));
  for (auto* x : {&A_, &B_, &C_, &D_}) x->resize(sz(layout.r * pairs));
  energies_.resize(sz(layout.s * layout.s * pairs));
  gathered_q_.resize(sz(layout.J * n));
  gathered_t_.resize(sz(layout.J));
  ones_.assign(sz(std::max(layout.J, 1)), R(1));
  find_factors();
  find_slots();
  needs_curvature_ = lu == nullptr || layout.coupled || !curvature_factors_.empty();
  if (m > 0) find_response();
  if (!layout.coupled) return;
  for (auto* x : {&end_q_, &end_v_}) x->resize(sz(n));
  for (auto* x : {&end_A_, &end_B_, &end_C_, &end_D_}) x->resize(sz(pairs));
  for (auto* x : {&end_G_, &bend_}) x->resize(sz(slopes));
  end_g_.resize(sz(m));
  end_gt_.resize(sz(m));
}

template <class R>
void GalerkinMatrix<R>::find_slots() {
  const GalerkinLayout& layout = point_->layout;
  const int n = layout.n, size = layout.size, U = layout.unknown_multipliers;
  const auto place = [&](int row, int column) { return lu_ != nullptr ? lu_->slot(row, column) : row * size + column; };
  const auto local = [&](int row, int column) {
    return lu_ != nullptr ? lu_->local(row, column) : row * size + column;
  };
  // `rows` and `columns` copies that are `row_step` and `column_step` apart in x and in the residual.
  const auto slot_of = [](auto at, int row, int rows, int row_step, int column, int columns, int column_step) {
    Slot s{needed(at(row, column)), 0, 0};
    if (rows > 1) s.row = needed(at(row + row_step, column)) - s.to;
    if (columns > 1) s.column = needed(at(row, column + column_step)) - s.to;
    return s;
  };
  const auto slot = [&](auto... where) { return slot_of(place, where...); };
  const auto local_slot = [&](auto... where) { return slot_of(local, where...); };
  const int m = layout.m, s = layout.s, hidden = layout.hidden_row();
  const int blocks = lu_ != nullptr ? lu_->block_count() : 1;
  std::vector<std::vector<Pair>> pairs(sz(blocks));
  std::vector<std::vector<Slope>> slopes(sz(blocks));
  for_each(point_->coupling(), [&](int e, int i, int j) {
    if (place(i, layout.z(0) + j) < 0) return;
    const int home = lu_ != nullptr ? lu_->home(i, layout.z(0) + j) : 0;
    pairs[sz(home)].push_back({e, local_slot(i, s, n, layout.z(0) + j, s, n)});
    if (!layout.coupled) return;
    end_z_.push_back(slot(hidden + i, 1, 0, layout.z(0) + j, s, n));
    end_w_.push_back(slot(hidden + i, 1, 0, layout.w() + j, 1, 0));
  });
  for_each(point_->jacobian(), [&](int e, int k, int i) {
    const int home = lu_ != nullptr ? lu_->home(i, layout.mu(0) + k) : 0;
    slopes[sz(home)].push_back(
        {e, local_slot(i, s, n, layout.mu(0) + k, U, m),
         local_slot(layout.constraint_row(0) + k, layout.constraint_rows, m, layout.z(0) + i, s, n)});
    if (!layout.coupled) return;
    end_mu_.push_back(slot(hidden + i, 1, 0, layout.mu(0) + k, U, m));
    velocity_z_.push_back(slot(hidden + n + k, 1, 0, layout.z(s - 1) + i, 1, 0));
    velocity_w_.push_back(slot(hidden + n + k, 1, 0, layout.w() + i, 1, 0));
  });
  for (int k = 0; k < m; ++k) {
    constraint_mu_.push_back(slot(layout.constraint_row(0) + k, layout.constraint_rows, m, layout.mu(0) + k, U, m));
    if (layout.coupled) velocity_mu_.push_back(slot(hidden + n + k, 1, 0, layout.mu(0) + k, U, m));
  }
  for (int b = 0; b <= blocks; ++b) {
    first_pair_.push_back(static_cast<int>(pairs_.size()));
    first_slope_.push_back(static_cast<int>(slopes_.size()));
    if (b == blocks) break;
    pairs_.insert(pairs_.end(), pairs[sz(b)].begin(), pairs[sz(b)].end());
    slopes_.insert(slopes_.end(), slopes[sz(b)].begin(), slopes[sz(b)].end());
  }
}

template <class R>
void GalerkinMatrix<R>::find_factors() {
  const GalerkinLayout& layout = point_->layout;
  const Tables<R>& tab = point_->tables;
  const int s = layout.s;
  const auto add = [](std::vector<Factor>& to, int node, int row, int column, R factor) {
    if (factor != R(0)) to.push_back({node, row, column, factor});
  };
  for (int j = 0; j < layout.J; ++j) {
    const R* l = &tab.lphi[sz(j * (s + 1))];
    for (int nu = 0; nu < s; ++nu) {
      for (int k = 1; k <= s; ++k) add(curvature_factors_, j, nu, k - 1, tab.e[sz(j)] * l[nu] * l[k]);
      for (int u = 0; u < layout.unknown_multipliers; ++u)
        add(momentum_factors_, point_->phi[sz(j)], nu, u, tab.e[sz(j)] * l[nu] * spread(j, u));
    }
  }
  for (int i = 0; i < layout.I; ++i)
    for (int row = 0; row < layout.constraint_rows; ++row)
      for (int k = 1; k <= s; ++k)
        add(constraint_factors_, point_->psi[sz(i)], row, k - 1, collect(row, i) * tab.lpsi[sz(i * (s + 1) + k)]);
}

// The Schur complement of the step's matrix for one coordinate of unit mass with g = q: what stands in place of
// G M^-1 G^T when all stages are eliminated.
template <class R>
void GalerkinMatrix<R>::find_response() {
  const GalerkinLayout& layout = point_->layout;
  const Tables<R>& tab = point_->tables;
  const int s = layout.s, U = layout.unknown_multipliers, rows = layout.constraint_rows, e = layout.coupled ? 1 : 0;
  // Unknowns z (s), then w; right-hand sides: the multipliers.
  Lu<R> lu(s + e);
  std::vector<R> to_mu(sz((s + e) * U), R(0)), column(sz(s + e));
  for (int nu = 0; nu < s; ++nu)
    for (int k = 0; k < s; ++k) {
      lu.row(nu)[k] = R(0);
      for (int i = 0; i < layout.r; ++i)
        lu.row(nu)[k] += tab.b[sz(i)] * tab.dl[sz(i * (s + 1) + nu)] * tab.dl[sz(i * (s + 1) + k + 1)];
    }
  for (int j = 0; j < layout.J; ++j)
    for (int u = 0; u < U; ++u) {
      for (int nu = 0; nu < s; ++nu)
        to_mu[sz(nu * U + u)] -= tab.e[sz(j)] * tab.lphi[sz(j * (s + 1) + nu)] * spread(j, u);
      if (e > 0) to_mu[sz(s * U + u)] += tab.e[sz(j)] * spread(j, u);
    }
  if (e > 0) lu.row(s)[s] = R(1);
  response_.assign(sz((rows + e) * U), R(0));
  if (lu.factor() >= 0) return;
  for (int u = 0; u < U; ++u) {
    for (int i = 0; i < s + e; ++i) column[sz(i)] = to_mu[sz(i * U + u)];
    lu.solve(column.data());
    for (int row = 0; row < rows; ++row)
      for (int i = 0; i < layout.I; ++i)
        for (int k = 0; k < s; ++k)
          response_[sz(row * U + u)] -= collect(row, i) * tab.lpsi[sz(i * (s + 1) + k + 1)] * column[sz(k)];
    if (e > 0) response_[sz(rows * U + u)] -= column[sz(s)];
  }
}

template <class R>
void GalerkinMatrix<R>::regularise(R eps, const double* row_weights, R* out) const {
  const GalerkinLayout& layout = point_->layout;
  const int U = layout.unknown_multipliers, rows = layout.constraint_rows;
  for (int k = 0; k < layout.m; ++k) {
    const R weight = eps * R(row_weights[k]);
    for (int u = 0; u < U; ++u) {
      for (int row = 0; row < rows; ++row) out[constraint_mu_[sz(k)].at(row, u)] += weight * response_[sz(row * U + u)];
      if (layout.coupled) out[velocity_mu_[sz(k)].at(0, u)] += weight * response_[sz(rows * U + u)];
    }
  }
}

template <class R>
void GalerkinMatrix<R>::evaluate_energies(R h) {
  const GalerkinLayout& layout = point_->layout;
  const Tables<R>& tab = point_->tables;
  const int s = layout.s, pairs = point_->coupling().size();
  const bool constant = point_->evaluation.constant_hessian();
  if (!constant || !known_energies_ || energies_h_ != h) {
    point_->evaluation.hessian(layout.r, point_->q.data(), point_->v.data(), point_->t.data(), A_.data(), B_.data(),
                               C_.data(), D_.data());
    std::fill(energies_.begin(), energies_.end(), R(0));
    known_energies_ = true;
    energies_h_ = h;
    for (int i = 0; i < layout.r; ++i)
      for (int nu = 0; nu < s; ++nu)
        for (int k = 1; k <= s; ++k) {
          const R b = tab.b[sz(i)];
          const R lnu = tab.l[sz(i * (s + 1) + nu)], dnu = tab.dl[sz(i * (s + 1) + nu)];
          const R lk = tab.l[sz(i * (s + 1) + k)], dk = tab.dl[sz(i * (s + 1) + k)];
          const R fa = b * h * h * lnu * lk, fb = b * h * lnu * dk, fc = b * h * dnu * lk, fd = b * dnu * dk;
          R* to = &energies_[sz(nu * s + k - 1)];
          for (int e = 0; e < pairs; ++e) {
            const std::size_t at = sz(i * pairs + e);
            to[static_cast<std::ptrdiff_t>(e) * s * s] += fa * A_[at] + fb * B_[at] + fc * C_[at] + fd * D_[at];
          }
        }
  }
}

template <class R>
void GalerkinMatrix<R>::evaluate(const StepStart<R>& start, const R* x) {
  const GalerkinLayout& layout = point_->layout;
  const int n = layout.n;
  if (own_ != nullptr) {
    point_->place(start, x);
    point_->spread(start, x);
    point_->evaluate_constraints();
  }
  if (layout.J > 0 && needs_curvature_) {
    for (int j = 0; j < layout.J; ++j) {
      std::copy_n(&point_->qg[sz(point_->phi[sz(j)] * n)], n, &gathered_q_[sz(j * n)]);
      gathered_t_[sz(j)] = point_->tg[sz(point_->phi[sz(j)])];
    }
    std::fill(K_.begin(), K_.end(), R(0));
    point_->evaluation.add_curvature(layout.J, gathered_q_.data(), gathered_t_.data(), point_->mu.data(), ones_.data(),
                                     K_.data());
  }
  evaluate_energies(start.h);
}

template <class R>
bool GalerkinMatrix<R>::fill(int block, R* out) const {
  return fill_block(block, out);
}

template <class R>
template <class Out>
bool GalerkinMatrix<R>::fill_block(int block, Out out) const {
  const int s = point_->layout.s, pairs = point_->coupling().size(), slopes = point_->jacobian().size();
  const std::size_t b = sz(block);
  for (int p = first_pair_[b]; p < first_pair_[b + 1]; ++p) {
    const Pair& pair = pairs_[sz(p)];
    const R* energy = &energies_[sz(pair.entry) * sz(s * s)];
    for (int nu = 0; nu < s; ++nu)
      for (int k = 0; k < s; ++k) out[pair.momentum_z.at(nu, k)] += *energy++;
    for (const Factor& f : curvature_factors_)
      out[pair.momentum_z.at(f.row, f.column)] -= f.factor * K_[sz(f.node) * sz(pairs) + sz(pair.entry)];
  }
  for (int p = first_slope_[b]; p < first_slope_[b + 1]; ++p) {
    const Slope& slope = slopes_[sz(p)];
    const R* G = point_->G.data() + slope.entry;
    for (const Factor& f : momentum_factors_)
      out[slope.momentum_mu.at(f.row, f.column)] -= f.factor * G[static_cast<std::ptrdiff_t>(f.node) * slopes];
    for (const Factor& f : constraint_factors_)
      out[slope.constraint_z.at(f.row, f.column)] += f.factor * G[static_cast<std::ptrdiff_t>(f.node) * slopes];
  }
  return first_pair_[b] < first_pair_[b + 1] || first_slope_[b] < first_slope_[b + 1];
}

template <class R>
void GalerkinMatrix<R>::assemble(const StepStart<R>& start, const R* x, R* out) {
  evaluate(start, x);
  for (int b = 0; b + 1 < static_cast<int>(first_pair_.size()); ++b) {
    if (lu_ != nullptr)
      fill_block(b, lu_->parts(b, out));
    else
      fill(b, out);
  }
  if (point_->layout.coupled) assemble_hidden(start, x, out);
}

// The rows h (L_v(q^s, v) - p^1) = 0 and h (G v + g_t) = 0.
template <class R>
void GalerkinMatrix<R>::assemble_hidden(const StepStart<R>& start, const R* x, R* out) {
  const GalerkinLayout& layout = point_->layout;
  const Tables<R>& tab = point_->tables;
  const int n = layout.n, s = layout.s, pairs = point_->coupling().size(), slopes = point_->jacobian().size();
  const R h = start.h, t1 = start.t + h;
  for (int a = 0; a < n; ++a) {
    end_q_[sz(a)] = start.q[a] + x[layout.z(s - 1) + a];
    end_v_[sz(a)] = x[layout.w() + a] / h;
  }
  point_->evaluation.hessian(1, end_q_.data(), end_v_.data(), &t1, end_A_.data(), end_B_.data(), end_C_.data(),
                             end_D_.data());
  point_->evaluation.constraints(1, end_q_.data(), &t1, end_g_.data(), end_G_.data(), end_gt_.data());
  point_->evaluation.bend(end_q_.data(), &t1, end_v_.data(), bend_.data(), nullptr);
  for (int e = 0; e < pairs; ++e) {
    for (int k = 1; k <= s; ++k) {
      R sum(0);
      for (int i = 0; i < layout.r; ++i)
        sum -= h * tab.b[sz(i)] *
               (h * tab.l[sz(i * (s + 1) + k)] * A_[sz(i * pairs + e)] +
                tab.dl[sz(i * (s + 1) + k)] * B_[sz(i * pairs + e)]);
      for (int j = 0; j < layout.J; ++j) sum += tab.e[sz(j)] * tab.lphi[sz(j * (s + 1) + k)] * K_[sz(j * pairs + e)];
      out[end_z_[sz(e)].at(0, k - 1)] += sum;
    }
    out[end_z_[sz(e)].at(0, s - 1)] += h * end_C_[sz(e)];
    out[end_w_[sz(e)].to] += end_D_[sz(e)];
  }
  for (int j = 0; j < layout.J; ++j)
    for (int u = 0; u < layout.unknown_multipliers; ++u)
      if (const R f = tab.e[sz(j)] * spread(j, u); f != R(0))
        for (int e = 0; e < slopes; ++e) out[end_mu_[sz(e)].at(0, u)] += f * point_->G_phi(j)[e];
  for (int e = 0; e < slopes; ++e) {
    out[velocity_z_[sz(e)].to] += h * bend_[sz(e)];
    out[velocity_w_[sz(e)].to] += end_G_[sz(e)];
  }
}

template <class R>
void GalerkinMatrix<R>::assemble_start(const StepStart<R>& start, R* out) {
  const GalerkinLayout& layout = point_->layout;
  const Tables<R>& tab = point_->tables;
  const int n = layout.n, s = layout.s, width = 2 * n, pairs = point_->coupling().size();
  const R h = start.h;
  std::fill_n(out, static_cast<std::ptrdiff_t>(layout.size) * width, R(0));
  const auto row = [&](int i) { return out + static_cast<std::ptrdiff_t>(i) * width; };
  for (int a = 0; a < n; ++a) row(a)[n + a] = h;
  for (int nu = 0; nu < s; ++nu)
    for_each(point_->coupling(), [&](int e, int a, int c) {
      R sum(0);
      for (int i = 0; i < layout.r; ++i)
        sum += tab.b[sz(i)] * (h * h * tab.l[sz(i * (s + 1) + nu)] * A_[sz(i * pairs + e)] +
                               h * tab.dl[sz(i * (s + 1) + nu)] * C_[sz(i * pairs + e)]);
      for (int j = 0; j < layout.J; ++j) sum -= tab.e[sz(j)] * tab.lphi[sz(j * (s + 1) + nu)] * K_[sz(j * pairs + e)];
      row(nu * n + a)[c] = sum;
    });
  for (int i = 0; i < layout.I; ++i)
    for (int r = 0; r < layout.constraint_rows; ++r)
      for_each(point_->jacobian(), [&](int e, int k, int c) {
        row(layout.constraint_row(r) + k)[c] += collect(r, i) * point_->G_psi(i)[e];
      });
  if (!layout.coupled) return;
  for_each(point_->coupling(), [&](int e, int a, int c) {
    R sum = h * end_C_[sz(e)];
    for (int i = 0; i < layout.r; ++i) sum -= h * h * tab.b[sz(i)] * A_[sz(i * pairs + e)];
    for (int j = 0; j < layout.J; ++j) sum += tab.e[sz(j)] * K_[sz(j * pairs + e)];
    row(layout.hidden_row() + a)[c] = sum;
  });
  for (int a = 0; a < n; ++a) row(layout.hidden_row() + a)[n + a] = -h;
  for_each(point_->jacobian(), [&](int e, int k, int c) { row(layout.hidden_row() + n + k)[c] = h * bend_[sz(e)]; });
}

template <class R>
void GalerkinMatrix<R>::assemble_momentum(R h, R* to_x, R* to_q0) const {
  const GalerkinLayout& layout = point_->layout;
  const Tables<R>& tab = point_->tables;
  const int n = layout.n, s = layout.s, size = layout.size, pairs = point_->coupling().size();
  std::fill_n(to_x, static_cast<std::ptrdiff_t>(n) * size, R(0));
  std::fill_n(to_q0, static_cast<std::ptrdiff_t>(n) * n, R(0));
  for_each(point_->coupling(), [&](int e, int a, int c) {
    for (int i = 0; i < layout.r; ++i) {
      const R b = tab.b[sz(i)], fa = A_[sz(i * pairs + e)], fb = B_[sz(i * pairs + e)];
      to_q0[a * n + c] += h * b * fa;
      for (int k = 1; k <= s; ++k)
        to_x[a * size + layout.z(k - 1) + c] +=
            b * (h * tab.l[sz(i * (s + 1) + k)] * fa + tab.dl[sz(i * (s + 1) + k)] * fb);
    }
    for (int j = 0; j < layout.J; ++j) {
      const R f = tab.e[sz(j)] * K_[sz(j * pairs + e)] / h;
      to_q0[a * n + c] -= f;
      for (int k = 1; k <= s; ++k) to_x[a * size + layout.z(k - 1) + c] -= tab.lphi[sz(j * (s + 1) + k)] * f;
    }
  });
  for (int j = 0; j < layout.J; ++j)
    for (int u = 0; u < layout.unknown_multipliers; ++u)
      for_each(point_->jacobian(), [&](int e, int k, int a) {
        to_x[a * size + layout.mu(u) + k] -= tab.e[sz(j)] * spread(j, u) * point_->G_phi(j)[e] / h;
      });
}

#define EXTREMAL_INSTANTIATE(S) template class GalerkinMatrix<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
