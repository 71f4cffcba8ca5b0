#include "kernel/kicked_step.hpp"

#include <algorithm>

#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"

namespace extremal {

template <class S>
KickedStep<S>::KickedStep(const System& system, const Galerkin& scheme)
    : inner_(system.fast(), scheme), slow_(system.slow(), 1, Storage::sparse) {
  const std::size_t n = sz(system.size()), m = sz(system.constraint_count());
  for (auto* v : {&first_.q, &first_.push, &last_.q, &last_.push, &rest_, &unused_}) v->assign(n, S(0));
  for (auto* v : {&kicked_.q, &kicked_.p, &kicked_.v, &kicked_.dq, &kicked_.dp}) v->assign(n, S(0));
  for (auto* v : {&kicked_.nu, &kicked_.lambda0, &kicked_.carried}) v->assign(m, S(0));
  kicked_.x.reserve(inner_.size());
  first_.weight = static_cast<S>(scheme.kicks.start);
  last_.weight = static_cast<S>(scheme.kicks.end);
}

template <class S>
void KickedStep<S>::evaluate(End& end) {
  if (end.weight == S(0)) return;
  slow_.gradient(1, end.q.data(), rest_.data(), &end.t, &end.potential, end.push.data(), unused_.data());
  end.potential = -end.potential;
}

template <class S>
void KickedStep<S>::begin(const TracePart<S>& part) {
  kicked_ = part;
  first_.q = part.q;
  first_.t = part.t;
  evaluate(first_);
  for (std::size_t i = 0; i < kicked_.p.size(); ++i) kicked_.p[i] += first_.weight * part.h * first_.push[i];
}

template <class S>
void KickedStep<S>::finish(const TracePart<S>& part, const S* dq) {
  for (std::size_t i = 0; i < last_.q.size(); ++i) last_.q[i] = part.q[i] + dq[i];
  last_.t = part.t + part.h;
  evaluate(last_);
}

template <class S>
void KickedStep<S>::solve(NodeSolver<S>& node, TracePart<S>& part, StepReport& report) {
  begin(part);
  inner_.solve(node, kicked_, report);
  if (!report.converged) return;
  finish(part, kicked_.dq.data());
  part.dq = kicked_.dq;
  part.x = kicked_.x;
  for (std::size_t i = 0; i < part.dp.size(); ++i)
    part.dp[i] = kicked_.dp[i] + part.h * (first_.weight * first_.push[i] + last_.weight * last_.push[i]);
}

template <class S>
void KickedStep<S>::adopt(const TracePart<S>& part) {
  begin(part);
  inner_.adopt(kicked_);
  finish(part, part.x.data() + inner_.end_unknown());
}

template <class S>
void KickedStep<S>::tell(const TracePart<S>& part, Trace<S>& trace) {
  inner_.tell(part, trace);
  for (const End* end : {&first_, &last_}) trace.action -= end->weight * part.h * end->potential;
  if (trace.sources.empty()) return;
  for (const End* end : {&first_, &last_})
    slow_.add_work(end->q.data(), rest_.data(), &end->t, end->weight * part.h, &trace.sources.back());
}

template <class S>
std::vector<Visited<S>> KickedStep<S>::visited() const {
  std::vector<Visited<S>> all = inner_.visited();
  for (const End* end : {&first_, &last_}) all.push_back({1, end->q.data(), rest_.data(), &end->t});
  return all;
}

// -V_qq, n x n.
template <class S>
std::vector<S> KickedStep<S>::stiffness(const End& end) {
  const std::size_t n = end.q.size();
  std::vector<S> A(sz(slow_.coupling().size())), B(A), C(A), D(A), full(n * n, S(0));
  slow_.hessian(1, end.q.data(), rest_.data(), &end.t, A.data(), B.data(), C.data(), D.data());
  for_each(slow_.coupling(), [&](int e, int i, int j) { full[sz(i) * n + sz(j)] = A[sz(e)]; });
  return full;
}

// The kicks add multiples of the rows of q to those of p: after the step, and, as columns, before it.
template <class S>
void KickedStep<S>::tangent(const TracePart<S>& part, std::vector<S>& out, const std::vector<int>& dependent) {
  begin(part);
  finish(part, part.x.data() + inner_.end_unknown());
  inner_.tangent(kicked_, out, dependent);
  const std::size_t n = part.q.size(), width = 2 * n;
  if (first_.weight != S(0)) {
    const std::vector<S> push = stiffness(first_);
    for (std::size_t r = 0; r < width; ++r)
      for (std::size_t c = 0; c < n; ++c)
        for (std::size_t i = 0; i < n; ++i)
          out[r * width + c] += out[r * width + n + i] * first_.weight * part.h * push[i * n + c];
  }
  if (last_.weight != S(0)) {
    const std::vector<S> push = stiffness(last_);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t c = 0; c < width; ++c)
        for (std::size_t e = 0; e < n; ++e)
          out[(n + i) * width + c] += last_.weight * part.h * push[i * n + e] * out[e * width + c];
  }
}

#define EXTREMAL_INSTANTIATE(S) template class KickedStep<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
