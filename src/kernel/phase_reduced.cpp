#include "kernel/phase_reduced.hpp"

#include <algorithm>

#include "algebra/lu.hpp"
#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"

namespace extremal {

template <class S>
std::optional<PhaseReduction<S>> PhaseReduction<S>::make(const System& system, const PhaseSpace& scheme, quad h) {
  if (system.has(Role::hamiltonian)) return std::nullopt;
  const PhasePoint<S> point(system, scheme, h, Storage::sparse);
  if (!point.hamiltonian.separable() || !point.constraints.constant_mass()) return std::nullopt;
  PhaseReduction made(system, point.tables, point.layout);
  if (!made.find_velocities()) return std::nullopt;
  return made;
}

template <class S>
PhaseReduction<S>::PhaseReduction(const System& system, PhaseTables<S> tables, const PhaseLayout& layout)
    : tables_(std::move(tables)),
      layout_(layout),
      copies_(layout.Kq - (layout.q_continuous ? 1 : 0)),
      momentum_(sz(layout.n)),
      to_q_(sz(layout.Kq * copies_), S(0)),
      to_end_(sz(copies_), S(0)),
      y_(sz(layout.Kp * layout.n)) {
  Evaluation<S> evaluation(system, 1, Storage::sparse);
  coupling_ = evaluation.coupling();
  mass_.resize(sz(coupling_.size()));
  const std::vector<S> zero(sz(layout.n), S(0));
  std::vector<S> Lq(zero);
  const S t(0);
  evaluation.mass(zero.data(), zero.data(), &t, mass_.data());
  evaluation.gradient(1, zero.data(), zero.data(), &t, nullptr, Lq.data(), momentum_.data());
  for (int a = layout.q_left ? 0 : 1; a < layout.Kq; ++a)
    to_q_[sz(a * copies_ + (layout.q_continuous ? a - 1 : a))] = S(1);
  to_end_[sz(layout.q_left || layout.q_continuous ? copies_ - 1 : 0)] = S(1);
}

// to_y_. False where momenta do not follow from positions.
template <class S>
bool PhaseReduction<S>::find_velocities() {
  const int Kp = layout_.Kp, Kq = layout_.Kq, r = layout_.r;
  const PhaseTables<S>& tab = tables_;
  Lu<S> W(Kp);
  for (int b = 0; b < Kp; ++b)
    for (int f = 0; f < Kp; ++f) {
      W.row(b)[f] = S(0);
      for (int i = 0; i < r; ++i) W.row(b)[f] += tab.bp[sz(i)] * tab.fp[sz(i * Kp + b)] * tab.fp[sz(i * Kp + f)];
    }
  for (int i = 0; i < r; ++i) {
    S sum(0);
    for (int f = 0; f < Kp; ++f) sum += tab.fp[sz(i * Kp + f)];
    if (math::abs(sum - S(1)) > S(1024) * Scalar<S>::epsilon) return false;
  }
  if (W.factor() >= 0) return false;
  to_y_.assign(sz(Kp * copies_), S(0));
  std::vector<S> column(sz(Kp));
  for (int v = 0; v < copies_; ++v) {
    for (int b = 0; b < Kp; ++b) {
      S sum(0);
      for (int a = 0; a < Kq; ++a) sum += tab.pairing_pq[sz(b * Kq + a)] * to_q_[sz(a * copies_ + v)];
      if (!layout_.q_continuous && b == 0) sum += to_q_[sz(v)];
      if (!layout_.q_continuous && b == Kp - 1) sum += to_end_[sz(v)] - to_q_[sz((Kq - 1) * copies_ + v)];
      column[sz(b)] = sum;
    }
    W.solve(column.data());
    for (int f = 0; f < Kp; ++f) to_y_[sz(f * copies_ + v)] = column[sz(f)];
  }
  return true;
}

template <class S>
void PhaseReduction<S>::expand(const PhaseStart<S>& start, const S* x, S* all, S* velocities) const {
  const int n = layout_.n;
  const auto combine = [&](const S* factors, S* out) {
    std::fill_n(out, n, S(0));
    for (int v = 0; v < copies_; ++v)
      if (factors[v] != S(0))
        for (int i = 0; i < n; ++i) out[i] += factors[v] * x[v * n + i];
  };
  for (int a = 0; a < layout_.Kq; ++a) combine(&to_q_[sz(a * copies_)], all + layout_.Q(a));
  combine(to_end_.data(), all + layout_.E());
  for (int f = 0; f < layout_.Kp; ++f) {
    S *y = &y_[sz(f * n)], *P = all + layout_.P(f);
    combine(&to_y_[sz(f * copies_)], y);
    for (int i = 0; i < n; ++i) P[i] = -start.h * (start.p[i] - momentum_[sz(i)]);
    add_product(coupling_, mass_.data(), y, S(1), P);
  }
  for (int k = 0; k < layout_.r; ++k)
    for (int i = 0; i < n; ++i) {
      S sum(0);
      for (int f = 0; f < layout_.Kp; ++f) sum += tables_.fp[sz(k * layout_.Kp + f)] * y_[sz(f * n + i)];
      velocities[k * n + i] = sum / start.h;
    }
  std::copy_n(x + copies_ * n, layout_.Kg * layout_.m, all + layout_.Z(0));
}

template <class S>
void PhaseReduction<S>::contract(const S* all, S* x) const {
  const int n = layout_.n;
  for (int v = 0; v < copies_; ++v) {
    const bool end = to_end_[sz(v)] != S(0);
    const int a = layout_.q_continuous ? v + 1 : v;
    std::copy_n(all + (end ? layout_.E() : layout_.Q(a)), n, x + v * n);
  }
  std::copy_n(all + layout_.Z(0), layout_.Kg * layout_.m, x + copies_ * n);
}

template <class S>
int PhaseReduction<S>::row(int k) const {
  const int kept = layout_.kept_q() * layout_.n, moving = copies_ * layout_.n;
  if (k < kept) return layout_.row_q(0) + k;
  return k < moving ? layout_.row_fix() + layout_.n + k - kept : layout_.row_g(0) + k - moving;
}

#define EXTREMAL_INSTANTIATE(S) template class PhaseReduction<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
