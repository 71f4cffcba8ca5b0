// Of PointEngine: what is seen of a state.
#pragma once

#include "kernel/engine.hpp"

namespace extremal {

template <class S>
void PointEngine<S>::observe(Observation<S>& out, bool multipliers) const {
  out.v = motion_.v;
  // For momenta that miss the hidden constraint, v = dH/dp is not the projected velocity.
  if (system_.constraint_count() > 0 && !plan_.last().hidden()) free_velocity(motion_.state, out.v);
  find_multipliers(motion_.state, motion_.v, out, multipliers);
  look(motion_.state, out);
}

template <class S>
void PointEngine<S>::observe(const State<S>& state, Observation<S>& out, bool multipliers) const {
  out.v = motion_.v;
  free_velocity(state, out.v);
  std::vector<S> v = out.v;
  if (multipliers && system_.constraint_count() > 0) {
    p_ = state.p;
    node_.legendre(state.q.data(), state.t, p_.data(), v.data(), nullptr);
  }
  find_multipliers(state, v, out, multipliers);
  look(state, out);
}

// v = dH/dp, from a guess.
template <class S>
void PointEngine<S>::free_velocity(const State<S>& state, std::vector<S>& v) const {
  p_ = state.p;
  a_ = v;
  if (node_.legendre(state.q.data(), state.t, p_.data(), a_.data(), nullptr, true)) {
    v = a_;
    return;
  }
  p_ = state.p;  // a singular mass is regular on the tangent space
  node_.legendre(state.q.data(), state.t, p_.data(), v.data(), nullptr);
}

// Those of the acceleration [Wenger2017, eq. 70], v on the tangent space. At a singular configuration, those of least
// norm.
template <class S>
void PointEngine<S>::find_multipliers(const State<S>& state, const std::vector<S>& v, Observation<S>& out,
                                      bool wanted) const {
  out.lambda.resize(sz(system_.constraint_count()));
  if (!wanted || out.lambda.empty()) return;
  if (small_ != nullptr && !(eps_ > 0) &&
      small_->multipliers(node_.evaluation(), state.t, state.q.data(), v.data(), out.lambda.data()))
    return;
  const auto find = [&] {
    return node_.acceleration(state.q.data(), v.data(), state.t, a_.data(), out.lambda.data(), state.p.data());
  };
  if (find()) return;
  node_.regularise(node_.suitable_eps());
  const bool found = find();
  node_.regularise(eps_);
  if (!found) std::fill(out.lambda.begin(), out.lambda.end(), S(0) / S(0));
}

// All of an observation that its velocity gives.
template <class S>
void PointEngine<S>::look(const State<S>& state, Observation<S>& out) const {
  const bool constrained = system_.constraint_count() > 0;
  Evaluation<S>& evaluation = node_.evaluation();
  out.momenta.resize(sz(evaluation.symmetry_count()));
  node_.energies(state.q.data(), state.p.data(), out.v.data(), state.t, out.kinetic, out.potential);
  evaluation.momenta(state.q.data(), state.p.data(), &state.t, out.momenta.data());
  out.constraint = constrained ? node_.constraint(state.q.data(), state.t) : S(0);
  out.hidden = constrained ? node_.hidden(state.q.data(), out.v.data(), state.t) : S(0);
}

template <class S>
std::vector<S> PointEngine<S>::constraint_jacobian(const std::vector<S>& q, S t) const {
  const int n = system_.size();
  node_.evaluate_constraints(q.data(), t);
  std::vector<S> G(sz(system_.constraint_count()) * sz(n), S(0));
  for_each(node_.evaluation().jacobian(), [&](int e, int k, int i) { G[sz(k) * sz(n) + sz(i)] = node_.G()[e]; });
  return G;
}

template <class S>
void PointEngine<S>::constraint_norms(const std::vector<S>& q, S t, std::vector<S>& out) const {
  node_.evaluate_constraints(q.data(), t);
  out.assign(sz(system_.constraint_count()), S(0));
  for_each(node_.evaluation().jacobian(), [&](int e, int k, int) { out[sz(k)] += node_.G()[e] * node_.G()[e]; });
  for (S& x : out) x = math::sqrt(x);
}

template <class S>
void PointEngine<S>::hidden(const std::vector<S>& q, const std::vector<S>& v, S t, std::vector<S>& out) const {
  node_.evaluate_constraints(q.data(), t);
  out.assign(node_.g_t(), node_.g_t() + system_.constraint_count());
  add_product(node_.evaluation().jacobian(), node_.G(), v.data(), S(1), out.data());
}

template <class S>
double PointEngine<S>::symmetry_defect(int index) const {
  const State<S>& at = motion_.state;
  const int n = system_.size(), m = system_.constraint_count();
  std::vector<S> field(sz(n)), lifted(sz(n)), Lq(sz(n)), Lv(sz(n));
  Evaluation<S>& evaluation = node_.evaluation();
  evaluation.symmetry(index, at.q.data(), motion_.v.data(), &at.t, field.data(), lifted.data());
  const bool canonical = system_.has(Role::hamiltonian);
  if (canonical) {
    // dI/dt = p . (Da) H_p - H_q . a.
    std::vector<S> v(sz(n));
    HamiltonianEvaluation<S>(system_, 1).gradient(1, at.q.data(), at.p.data(), &at.t, nullptr, Lq.data(), v.data());
    for (S& x : Lq) x = -x;
    Lv = at.p;
  } else {
    evaluation.gradient(1, at.q.data(), motion_.v.data(), &at.t, nullptr, Lq.data(), Lv.data());
  }
  node_.evaluate_constraints(at.q.data(), at.t);
  S sum(0), size(0);
  for (int i = 0; i < n; ++i) {
    const S a = Lq[sz(i)] * field[sz(i)], b = Lv[sz(i)] * lifted[sz(i)];
    sum += a + b;
    size += math::abs(a) + math::abs(b);
  }
  // Where stiff terms cancel each other what is left of them is round-off, of the size of L_qq q.
  if (!canonical && math::abs(sum) > S(1e-10) * size) {
    const Pattern& coupling = evaluation.coupling();
    std::vector<S> A(sz(coupling.size())), B(A), C(A), D(A);
    evaluation.hessian(1, at.q.data(), motion_.v.data(), &at.t, A.data(), B.data(), C.data(), D.data());
    S noise(0);
    for_each(coupling, [&](int e, int i, int j) { noise += math::abs(field[sz(i)] * A[sz(e)] * at.q[sz(j)]); });
    sum = math::max(S(0), math::abs(sum) - S(16) * Scalar<S>::epsilon * noise);
  }
  double defect = size > S(0) ? static_cast<double>(math::abs(sum) / size) : 0;
  std::vector<S> along(sz(m), S(0)), scale(sz(m), S(0));
  // A field that is nothing but round-off beside what it is elsewhere moves no row.
  S widest(0);
  for (const S& x : field) widest = math::max(widest, math::abs(x));
  for_each(evaluation.jacobian(), [&](int e, int k, int i) {
    const S a = node_.G()[e] * field[sz(i)];
    along[sz(k)] += a;
    scale[sz(k)] += math::max(math::abs(a), S(1e-6) * math::abs(node_.G()[e]) * widest);
  });
  for (int k = 0; k < m; ++k)
    if (scale[sz(k)] > S(0)) defect = math::max(defect, static_cast<double>(math::abs(along[sz(k)]) / scale[sz(k)]));
  return defect;
}

}  // namespace extremal
