// The matrix of a reduced step of phase_space (phase_reduced.hpp).
#include <algorithm>

#include "kernel/find_blocks.hpp"
#include "kernel/phase_reduced.hpp"
#include "numbers/index.hpp"

namespace extremal {

PhaseBlocks::PhaseBlocks(const System& system, const PhaseReduction<double>& reduction)
    : system_(system), reduction_(reduction), evaluation_(system, reduction.layout().r, Storage::sparse) {
  const PhaseLayout& l = reduction_.layout();
  const int pairs = evaluation_.coupling().size(), slopes = evaluation_.jacobian().size();
  for (auto* x : {&q_, &v_}) x->resize(sz(l.r * l.n));
  t_.resize(sz(l.r));
  q1_.resize(sz(l.n));
  for (auto* x : {&Zs_, &g_, &gt_}) x->resize(sz(l.r * l.m));
  for (auto* x : {&A_, &B_, &C_, &D_, &K_}) x->resize(sz(l.r * pairs));
  G_.resize(sz(l.r * slopes));
  for (auto* x : {&G0_, &G1_}) x->resize(sz(slopes));
  ones_.assign(sz(l.r), 1.0);
  find_slots();
  find_factors();
}

BlockLu PhaseBlocks::lu() const {
  Evaluation<double> evaluation(system_, 1, Storage::sparse);
  const PhaseLayout& l = reduction_.layout();
  const Blocks blocks = find_blocks(system_, evaluation.coupling(), evaluation.jacobian());
  Units units = find_units(blocks, evaluation, Coupled::by_all);
  for (int copy = 0; copy < reduction_.copies(); ++copy)
    for (int i = 0; i < l.n; ++i) units.row.push_back(i);
  for (int copy = 0; copy < l.Kg; ++copy)
    for (int k = 0; k < l.m; ++k) units.row.push_back(l.n + k);
  units.column = units.row;
  return BlockLu(blocks, units);
}

void PhaseBlocks::find_slots() {
  const BlockLu lu = this->lu();
  const PhaseLayout& l = reduction_.layout();
  const int copies = reduction_.copies(), first = copies * l.n;
  for_each(evaluation_.coupling(), [&](int, int i, int j) {
    for (int a = 0; a < copies; ++a)
      for (int v = 0; v < copies; ++v) coupling_slots_.push_back(needed(lu.slot(a * l.n + i, v * l.n + j)));
  });
  for_each(evaluation_.jacobian(), [&](int, int k, int i) {
    for (int a = 0; a < copies; ++a)
      for (int c = 0; c < l.Kg; ++c) {
        multiplier_slots_.push_back(needed(lu.slot(a * l.n + i, first + c * l.m + k)));
        constraint_slots_.push_back(needed(lu.slot(first + c * l.m + k, a * l.n + i)));
      }
  });
}

void PhaseBlocks::find_factors() {
  const PhaseLayout& l = reduction_.layout();
  const PhaseTables<double>& tab = reduction_.tables();
  const int copies = reduction_.copies();
  for (int a = 0; a < copies; ++a)
    for (int v = 0; v < copies; ++v) {
      double sum = 0;
      for (int f = 0; f < l.Kp; ++f) {
        // What P_f is multiplied with in the row: of A_q, or of P_0 = G(q_i)^T Z(0).
        double of = f == 0 ? 1 : 0;
        if (a < l.kept_q()) of = (a == l.Kq - 1 && f == l.Kp - 1 ? 1 : 0) - tab.pairing_qp[sz(a * l.Kp + f)];
        sum += of * reduction_.to_y()[sz(f * copies + v)];
      }
      inertia_.push_back(sum);
    }
  for (int i = 0; i < l.r; ++i)
    for (int v = 0; v < copies; ++v) {
      double q = 0, y = 0;
      for (int a = 0; a < l.Kq; ++a) q += tab.fq[sz(i * l.Kq + a)] * reduction_.to_q()[sz(a * copies + v)];
      for (int f = 0; f < l.Kp; ++f) y += tab.fp[sz(i * l.Kp + f)] * reduction_.to_y()[sz(f * copies + v)];
      position_.push_back(q);
      velocity_.push_back(y);
    }
}

void PhaseBlocks::place(const PhaseStart<double>& start, const double* x) {
  const PhaseLayout& l = reduction_.layout();
  const PhaseTables<double>& tab = reduction_.tables();
  const int n = l.n, m = l.m, copies = reduction_.copies();
  const double* Z = x + copies * n;
  for (int i = 0; i < l.r; ++i) {
    t_[sz(i)] = start.t + tab.c[sz(i)] * start.h;
    double *q = &q_[sz(i * n)], *v = &v_[sz(i * n)];
    std::copy_n(start.q, n, q);
    std::fill_n(v, n, 0.0);
    for (int a = 0; a < copies; ++a)
      for (int e = 0; e < n; ++e) {
        q[e] += position_[sz(i * copies + a)] * x[a * n + e];
        v[e] += velocity_[sz(i * copies + a)] * x[a * n + e] / start.h;
      }
    for (int k = 0; k < m; ++k) {
      Zs_[sz(i * m + k)] = 0;
      for (int c = 0; c < l.Kg; ++c) Zs_[sz(i * m + k)] += tab.dfg[sz(i * l.Kg + c)] * Z[c * m + k];
    }
  }
  std::copy_n(start.q, n, q1_.begin());
  for (int a = 0; a < copies; ++a)
    if (const double f = reduction_.to_end()[sz(a)]; f != 0)
      for (int e = 0; e < n; ++e) q1_[sz(e)] += f * x[a * n + e];
}

void PhaseBlocks::assemble(const PhaseStart<double>& start, const double* x, BlockLu& lu) {
  const PhaseLayout& l = reduction_.layout();
  const PhaseTables<double>& tab = reduction_.tables();
  const int copies = reduction_.copies(), r = l.r, kept = l.kept_q();
  const int pairs = evaluation_.coupling().size(), slopes = evaluation_.jacobian().size();
  const double h = start.h, t1 = start.t + h;
  place(start, x);
  evaluation_.hessian(r, q_.data(), v_.data(), t_.data(), A_.data(), B_.data(), C_.data(), D_.data());
  std::fill(K_.begin(), K_.end(), 0.0);
  if (l.m > 0) {
    evaluation_.constraints(1, start.q, &start.t, g_.data(), G0_.data(), gt_.data());
    evaluation_.constraints(1, q1_.data(), &t1, g_.data(), G1_.data(), gt_.data());
    evaluation_.constraints(r, q_.data(), t_.data(), g_.data(), G_.data(), gt_.data());
    evaluation_.add_curvature(r, q_.data(), t_.data(), Zs_.data(), ones_.data(), K_.data());
  }
  lu.clear();
  double* out = lu.data();
  const int* slot = coupling_slots_.data();
  for (int e = 0; e < pairs; ++e)
    for (int a = 0; a < copies; ++a)
      for (int v = 0; v < copies; ++v, ++slot) {
        double sum = inertia_[sz(a * copies + v)] * reduction_.mass()[sz(e)];
        for (int i = 0; i < r && a < kept; ++i) {
          const double f = tab.fq[sz(i * l.Kq + a)], bq = tab.bq[sz(i)] * h;
          const std::size_t at = sz(i * pairs + e), of = sz(i * copies + v);
          sum -= f * ((bq * h * A_[at] + tab.bg[sz(i)] * K_[at]) * position_[of] + bq * B_[at] * velocity_[of]);
        }
        out[*slot] += sum;
      }
  const int *multiplier = multiplier_slots_.data(), *constraint = constraint_slots_.data();
  for (int e = 0; e < slopes; ++e)
    for (int a = 0; a < copies; ++a)
      for (int c = 0; c < l.Kg; ++c, ++multiplier, ++constraint) {
        double down = a == 0 || a >= kept ? -tab.fg0[sz(c)] * G0_[sz(e)] : 0;
        double right = tab.fg1[sz(c)] * reduction_.to_end()[sz(a)] * G1_[sz(e)];
        for (int i = 0; i < r; ++i) {
          const double f = tab.bg[sz(i)] * tab.dfg[sz(i * l.Kg + c)] * G_[sz(i * slopes + e)];
          if (a < kept) down -= f * tab.fq[sz(i * l.Kq + a)];
          right -= f * position_[sz(i * copies + a)];
        }
        out[*multiplier] += down;
        out[*constraint] += right;
      }
}

}  // namespace extremal
