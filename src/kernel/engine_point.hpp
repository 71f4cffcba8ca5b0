// Of PointEngine: what is asked of single points, and the derivative of the step map.
#pragma once

#include "algebra/lu.hpp"
#include "kernel/engine.hpp"

namespace extremal {

template <class S>
std::vector<S> PointEngine<S>::constraint_jacobian(const std::vector<S>& q, S t) {
  const int n = system_.size();
  node_.evaluate_constraints(q.data(), t);
  std::vector<S> G(sz(system_.constraint_count()) * sz(n), S(0));
  for_each(node_.evaluation().jacobian(), [&](int e, int k, int i) { G[sz(k) * sz(n) + sz(i)] = node_.G()[e]; });
  return G;
}

template <class S>
void PointEngine<S>::constraint_norms(const std::vector<S>& q, S t, std::vector<S>& out) {
  node_.evaluate_constraints(q.data(), t);
  out.assign(sz(system_.constraint_count()), S(0));
  for_each(node_.evaluation().jacobian(), [&](int e, int k, int) { out[sz(k)] += node_.G()[e] * node_.G()[e]; });
  for (S& x : out) x = math::sqrt(x);
}

template <class S>
double PointEngine<S>::symmetry_defect(int index) {
  ensure_velocity();
  const int n = system_.size(), m = system_.constraint_count();
  std::vector<S> field(sz(n)), lifted(sz(n)), Lq(sz(n)), Lv(sz(n));
  Evaluation<S>& evaluation = node_.evaluation();
  evaluation.symmetry(index, state_.q.data(), v_.data(), &state_.t, field.data(), lifted.data());
  evaluation.gradient(1, state_.q.data(), v_.data(), &state_.t, nullptr, Lq.data(), Lv.data());
  node_.evaluate_constraints(state_.q.data(), state_.t);
  S sum(0), size(0);
  for (int i = 0; i < n; ++i) {
    const S a = Lq[sz(i)] * field[sz(i)], b = Lv[sz(i)] * lifted[sz(i)];
    sum += a + b;
    size += math::abs(a) + math::abs(b);
  }
  // Where stiff terms cancel each other what is left of them is round-off, of the size of L_qq q.
  if (math::abs(sum) > S(1e-10) * size) {
    const Pattern& coupling = evaluation.coupling();
    std::vector<S> A(sz(coupling.size())), B(A), C(A), D(A);
    evaluation.hessian(1, state_.q.data(), v_.data(), &state_.t, A.data(), B.data(), C.data(), D.data());
    S noise(0);
    for_each(coupling, [&](int e, int i, int j) { noise += math::abs(field[sz(i)] * A[sz(e)] * state_.q[sz(j)]); });
    sum = math::max(S(0), math::abs(sum) - S(16) * Scalar<S>::epsilon * noise);
  }
  double defect = size > S(0) ? static_cast<double>(math::abs(sum) / size) : 0;
  std::vector<S> along(sz(m), S(0)), scale(sz(m), S(0));
  for_each(evaluation.jacobian(), [&](int e, int k, int i) {
    const S a = node_.G()[e] * field[sz(i)];
    along[sz(k)] += a;
    scale[sz(k)] += math::abs(a);
  });
  for (int k = 0; k < m; ++k)
    if (scale[sz(k)] > S(0)) defect = math::max(defect, static_cast<double>(math::abs(along[sz(k)]) / scale[sz(k)]));
  return defect;
}

// Replays the last step, multiplying the substeps' derivatives and those of their projections.
template <class S>
std::vector<S> PointEngine<S>::tangent() {
  const int width = 2 * system_.size();
  std::vector<S> total(sz(width * width), S(0)), part, product(sz(width * width));
  for (int i = 0; i < width; ++i) total[sz(i * width + i)] = S(1);
  const Checkpoint<S> here = save();
  const S action = action_;
  const std::vector<S> sources = sources_;
  const std::vector<Sub>& plan = *plan_;
  complete_saved();
  restore(saved_);
  const std::vector<int> dependent = eps_ > 0 ? node_.dependent_rows(state_.q.data(), state_.t) : std::vector<int>();
  StepReport report;
  S fraction(0);
  for (const auto& sub : plan) {
    StepKernel<S>& m = *members_[sz(sub.member)];
    advance(m, start_t_ + fraction * last_h_, sub.coefficient * last_h_, report);
    m.tangent(part, dependent);
    if (m.projects()) project_tangent(part, dependent);
    for (int i = 0; i < width; ++i)
      for (int j = 0; j < width; ++j) {
        S sum(0);
        for (int k = 0; k < width; ++k) sum += part[sz(i * width + k)] * total[sz(k * width + j)];
        product[sz(i * width + j)] = sum;
      }
    total.swap(product);
    fraction += sub.coefficient;
  }
  restore(here);
  action_ = action;
  sources_ = sources;
  return total;
}

// part: d(q1, p^1)/d(q0, p0) -> d(q1, p1)/d(q0, p0), by differentiating L_v(q, v) + G^T nu = p^, G v + g_t = 0.
template <class S>
void PointEngine<S>::project_tangent(std::vector<S>& part, const std::vector<int>& dependent) {
  const int n = system_.size(), m = system_.constraint_count(), width = 2 * n;
  if (m == 0) return;
  Evaluation<S> evaluation(system_, 1);
  std::vector<S> A(sz(n * n)), B(A), C(A), D(A), curvature(sz(n * n), S(0)), bend(sz(m * n)), rhs(sz(n + m));
  const S one(1);
  evaluation.hessian(1, state_.q.data(), v_.data(), &state_.t, A.data(), B.data(), C.data(), D.data());
  evaluation.add_curvature(1, state_.q.data(), &state_.t, nu_.data(), &one, curvature.data());
  evaluation.bend(state_.q.data(), &state_.t, v_.data(), bend.data(), nullptr);
  const std::vector<S> G = constraint_jacobian(state_.q, state_.t);
  Lu<S> lu(n + m);
  for (int i = 0; i < n; ++i) std::copy_n(&D[sz(i * n)], n, lu.row(i));
  for (int k = 0; k < m; ++k)
    for (int i = 0; i < n; ++i) lu.row(i)[n + k] = lu.row(n + k)[i] = G[sz(k * n + i)];
  for (const int k : dependent) {
    std::fill_n(lu.row(n + k), n + m, S(0));
    lu.row(n + k)[n + k] = S(1);
  }
  if (lu.factor() >= 0) return;
  for (int c = 0; c < width; ++c) {
    for (int i = 0; i < n; ++i) {
      S r = part[sz((n + i) * width + c)];
      for (int j = 0; j < n; ++j) r -= (C[sz(i * n + j)] + curvature[sz(i * n + j)]) * part[sz(j * width + c)];
      rhs[sz(i)] = r;
    }
    for (int k = 0; k < m; ++k) {
      S r(0);
      for (int j = 0; j < n; ++j) r -= bend[sz(k * n + j)] * part[sz(j * width + c)];
      rhs[sz(n + k)] = r;
    }
    for (const int k : dependent) rhs[sz(n + k)] = S(0);
    lu.solve(rhs.data());
    for (int i = 0; i < n; ++i) {
      S off(0);
      for (int k = 0; k < m; ++k) off += G[sz(k * n + i)] * rhs[sz(n + k)];
      for (int j = 0; j < n; ++j) off += curvature[sz(i * n + j)] * part[sz(j * width + c)];
      part[sz((n + i) * width + c)] -= off;
    }
  }
}

}  // namespace extremal
