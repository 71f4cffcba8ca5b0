// The position with g = 0 that is nearest to a given one in the mass metric.
#include <algorithm>

#include "algebra/rest.hpp"
#include "kernel/node.hpp"
#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"

namespace extremal {

namespace {

constexpr int closing_iterations = 120;  // of linear convergence, by the distance, which takes long in quad

}  // namespace

// Of g, at the G of the last evaluation.
template <class S>
S NodeSolver<S>::round_off(const S* q) const {
  S reach(0);
  for_each(evaluation_.jacobian(), [&](int e, int, int i) { reach = math::max(reach, math::abs(G_[sz(e)] * q[i])); });
  return Scalar<S>::epsilon * reach;
}

template <class S>
bool NodeSolver<S>::nearest_position(S* q, S t, double& moved) {
  moved = 0;
  if (m_ == 0) return true;
  if (hamiltonian_ != nullptr) return euclidean_position(q, t, moved);
  if (!(suitable_eps_ > 0)) dependent_rows(q, t);
  evaluate_constraints(q, t);
  if (largest(g_.data(), m_) <= round_off(q)) return true;
  const Pattern &jacobian = evaluation_.jacobian(), &coupling = evaluation_.coupling();
  const std::vector<S> origin(q, q + n_), rest(sz(n_), S(0));
  std::vector<S> mu(sz(m_), S(0)), offset(sz(n_));
  // The metric is that of the given position: M (q - origin) + G(q)^T mu = 0 with g(q) = 0.
  evaluation_.mass(origin.data(), rest.data(), &t, D_.data());
  const bool found = settles<S>(rest::position, closing_iterations, [&](int iteration) {
    if (iteration > 0) evaluate_constraints(q, t);
    // Away from g = 0 redundant rows are not dependent but nearly so, and lead astray: they are damped as long as g is
    // not small (Levenberg-Marquardt with a parameter of the size of g; the equations stay as they are).
    const double damping = suitable_eps_ * std::max(1.0, 1e10 * static_cast<double>(largest(g_.data(), m_)));
    if (!factor(origin.data(), rest.data(), t, false, damping)) return Settling<S>::failed();
    for (int i = 0; i < n_; ++i) offset[sz(i)] = q[i] - origin[sz(i)], rhs_[sz(i)] = S(0);
    add_product(coupling, D_.data(), offset.data(), S(-1), rhs_.data());
    add_transposed(jacobian, G_.data(), mu.data(), S(-1), rhs_.data());
    for (int k = 0; k < m_; ++k) rhs_[sz(n_ + k)] = -g_[sz(k)];
    solve(false);
    const S change = largest(rhs_.data(), n_), floor = S(4) * Scalar<S>::epsilon * largest(q, n_);
    if (!math::finite(change)) return Settling<S>::failed();
    for (int i = 0; i < n_; ++i) q[i] += rhs_[sz(i)];
    for (int k = 0; k < m_; ++k) mu[sz(k)] += rhs_[sz(n_ + k)];
    return Settling<S>::corrected(change, floor);
  });
  // Damped iterations also come to rest where contradicting constraints are violated least.
  if (!found || !(constraint(q, t) <= S(1e5) * round_off(q))) return false;
  for (int i = 0; i < n_; ++i) moved = math::max(moved, static_cast<double>(math::abs(q[i] - origin[sz(i)])));
  return true;
}

#define EXTREMAL_INSTANTIATE(S)                        \
  template S NodeSolver<S>::round_off(const S*) const; \
  template bool NodeSolver<S>::nearest_position(S*, S, double&);
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
