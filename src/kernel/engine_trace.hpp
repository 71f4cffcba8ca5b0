// Of PointEngine: what is asked of the last step, from its trace.
#pragma once

#include "algebra/lu.hpp"
#include "kernel/engine.hpp"

namespace extremal {

// The stages of a small step, as the general takers have them, at which these evaluate the terms once.
template <class S>
const Trace<S>& PointEngine<S>::trace() const {
  if (trace_.told) return trace_;
  trace_.told = true;
  small_->tell(trace_);
  trace_.action = S(0);
  std::fill(trace_.sources.begin(), trace_.sources.end(), S(0));
  for (std::size_t k = 0; k < trace_.count; ++k) {
    TracePart<S>& part = trace_.parts[k];
    part.taker = plan_.substeps()[k].taker;
    Taker<S>& taker = plan_.taker(part.taker);
    taker.adopt(part);
    taker.tell(part, trace_);
    if (trace_.sources.empty() || part.nu.empty()) continue;
    const End end = end_of(k);
    node_.evaluate_constraints(end.q->data(), end.t);
    add_projection_work(part);
  }
  return trace_;
}

// After the constraints have been evaluated at the end of the part.
template <class S>
void PointEngine<S>::add_projection_work(const TracePart<S>& part) const {
  for (std::size_t k = 0; k < part.nu.size(); ++k) trace_.sources.back() += part.nu[k] * node_.g_t()[k];
}

template <class S>
typename PointEngine<S>::End PointEngine<S>::end_of(std::size_t k) const {
  const S t = trace_.parts[k].t + trace_.parts[k].h;
  if (k + 1 == trace_.count) return {t, &motion_.state.q, &motion_.state.p, &motion_.v};
  const TracePart<S>& next = trace_.parts[k + 1];
  return {t, &next.q, &next.p, &next.v};
}

template <class S>
Work<S> PointEngine<S>::work() const {
  return trace_.sources.empty() ? Work<S>() : trace().work();
}

template <class S>
bool PointEngine<S>::end_multiplier(std::vector<S>& out) const {
  const std::size_t m = sz(system_.constraint_count());
  if (scheme_.composed() || m == 0 || !plan_.last().has_end_multiplier()) return false;
  if (trace_.by == By::small) {
    out.assign(small_->end_multiplier(), small_->end_multiplier() + m);
    return true;
  }
  if (trace_.count == 0) return false;
  out.assign(trace_.multipliers.end() - static_cast<std::ptrdiff_t>(m), trace_.multipliers.end());
  if (eps_ > 0) node_.shorten(motion_.state.q.data(), motion_.v.data(), motion_.state.t, out.data());
  return true;
}

template <class S>
void PointEngine<S>::dense(S c, DensePoint<S>& out) const {
  const Trace<S>& trace = this->trace();
  if (trace.count > 0) plan_.taker(trace.parts[trace.count - 1].taker).dense(trace, c, out);
}

template <class S>
bool PointEngine<S>::balance(StepBalance<S>& out) const {
  const Trace<S>& trace = this->trace();
  return trace.count > 0 && plan_.taker(trace.parts[trace.count - 1].taker).balance(trace.parts[trace.count - 1], out);
}

template <class S>
std::vector<Visited<S>> PointEngine<S>::visited() const {
  return plan_.taker(trace_.parts[std::min(trace_.count, trace_.parts.size() - 1)].taker).visited();
}

// The derivatives of the substeps, and of their projections, multiplied.
template <class S>
std::vector<S> PointEngine<S>::tangent() const {
  const int width = 2 * system_.size();
  std::vector<S> total(sz(width * width), S(0)), part, product(sz(width * width));
  for (int i = 0; i < width; ++i) total[sz(i * width + i)] = S(1);
  const Trace<S>& trace = this->trace();
  std::vector<int> dependent;
  if (eps_ > 0 && trace.count > 0)
    dependent = NodeSolver<S>(system_).dependent_rows(trace.before.state.q.data(), trace.before.state.t);
  for (std::size_t k = 0; k < trace.count; ++k) {
    Taker<S>& taker = plan_.taker(trace.parts[k].taker);
    taker.tangent(trace.parts[k], part, dependent);
    if (taker.projects()) project_tangent(end_of(k), trace.parts[k].nu, dependent, part);
    for (int i = 0; i < width; ++i)
      for (int j = 0; j < width; ++j) {
        S sum(0);
        for (int e = 0; e < width; ++e) sum += part[sz(i * width + e)] * total[sz(e * width + j)];
        product[sz(i * width + j)] = sum;
      }
    total.swap(product);
  }
  return total;
}

// part: d(q1, p^1)/d(q0, p0) -> d(q1, p1)/d(q0, p0), by differentiating L_v(q, v) + G^T nu = p^, G v + g_t = 0; of a
// system that is given by H p + G^T nu = p^, G H_p(q, p) + g_t = 0.
template <class S>
void PointEngine<S>::project_tangent(const End& end, const std::vector<S>& nu, const std::vector<int>& dependent,
                                     std::vector<S>& part) const {
  const int n = system_.size(), m = system_.constraint_count(), width = 2 * n;
  if (m == 0) return;
  Evaluation<S> evaluation(system_, 1);
  std::vector<S> A(sz(n * n)), B(A), C(A), D(A), curvature(sz(n * n), S(0)), bend(sz(m * n)), rhs(sz(n + m));
  const S one(1);
  const bool canonical = system_.has(Role::hamiltonian);
  if (canonical)
    HamiltonianEvaluation<S>(system_, 1)
        .hessian(1, end.q->data(), end.p->data(), &end.t, A.data(), B.data(), C.data(), D.data());
  else
    evaluation.hessian(1, end.q->data(), end.v->data(), &end.t, A.data(), B.data(), C.data(), D.data());
  evaluation.add_curvature(1, end.q->data(), &end.t, nu.data(), &one, curvature.data());
  evaluation.bend(end.q->data(), &end.t, end.v->data(), bend.data(), nullptr);
  const std::vector<S> G = constraint_jacobian(*end.q, end.t);
  Lu<S> lu(n + m);
  for (int i = 0; i < n; ++i) std::copy_n(&D[sz(i * n)], n, lu.row(i));
  for (int k = 0; k < m; ++k)
    for (int i = 0; i < n; ++i) lu.row(i)[n + k] = lu.row(n + k)[i] = G[sz(k * n + i)];
  if (canonical) {
    for (int k = 0; k < m; ++k)
      for (int i = 0; i < n; ++i) {
        lu.row(n + k)[i] = S(0);
        for (int e = 0; e < n; ++e) {
          lu.row(n + k)[i] += G[sz(k * n + e)] * D[sz(e * n + i)];
          bend[sz(k * n + i)] += G[sz(k * n + e)] * C[sz(e * n + i)];
        }
      }
    std::fill(C.begin(), C.end(), S(0));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) lu.row(i)[j] = S(i == j ? 1 : 0);
  }
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
