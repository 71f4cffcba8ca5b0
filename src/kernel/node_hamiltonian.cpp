// What is solved at a node of a system that is given by H(q, p, t) and constraints [Muehlebach2016, section 4], for
// which there is no mass matrix: the multipliers are found from G H_pp G^T, or G G^T where there is no momentum yet.
//
//   projection      p = p^ - G^T nu,   G H_p(q, p) + g_t = 0
//   multipliers     p' = f - H_q - G^T lambda,   d/dt (G H_p + g_t) = 0
//   position        dq + G^T mu = 0,   g(q) = 0
#include <algorithm>

#include "algebra/rest.hpp"
#include "kernel/node.hpp"
#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"

namespace extremal {

namespace {
constexpr int most_projections = 60;  // of linear convergence at the most, by the distance
}  // namespace

// schur <- G X G^T of the G of the last evaluation, factored; X is the unit matrix if it is null.
template <class S>
bool NodeSolver<S>::factor_schur(const S* X) {
  const Pattern& jacobian = evaluation_.jacobian();
  std::vector<S> row(sz(n_)), moved(sz(n_));
  Array<S>& column = rhs_;
  for (int k = 0; k < m_; ++k) {
    std::fill(row.begin(), row.end(), S(0));
    for_each(jacobian, [&](int e, int r, int i) {
      if (r == k) row[sz(i)] = G_[sz(e)];
    });
    moved = row;
    for (int i = 0; X != nullptr && i < n_; ++i)
      moved[sz(i)] = dot(X + static_cast<std::ptrdiff_t>(i) * n_, row.data(), n_);
    std::fill_n(column.begin() + n_, m_, S(0));
    add_product(jacobian, G_.data(), moved.data(), S(1), column.data() + n_);
    for (int r = 0; r < m_; ++r) schur_.row(r)[k] = column[sz(n_ + r)];
  }
  const int found = schur_.factor(S(1e-13));
  singular_ = found < 0 ? -1 : n_ + found;
  return found < 0;
}

template <class S>
bool NodeSolver<S>::has_independent_slopes(const S* q, S t) {
  evaluate_constraints(q, t);
  return factor_schur(nullptr);
}

template <class S>
bool NodeSolver<S>::tangent_momentum(const S* q, S t, S* p, S* v, S* nu) {
  const Pattern& jacobian = evaluation_.jacobian();
  Array<S>& total = second_;
  std::fill(total.begin(), total.end(), S(0));
  evaluate_constraints(q, t);
  const bool found = settles<S>(rest::canonical_projection, most_projections, [&](int) {
    if (!hamiltonian_->gradient(1, q, p, &t, nullptr, Lq_.data(), v) ||
        !hamiltonian_->hessian(1, q, p, &t, hessian_[0].data(), hessian_[1].data(), hessian_[2].data(),
                               hessian_[3].data()) ||
        !factor_schur(hessian_[3].data()))
      return Settling<S>::failed();
    S* step = rhs_.data() + n_;
    std::copy_n(gt_.data(), m_, step);
    add_product(jacobian, G_.data(), v, S(1), step);
    schur_.solve(step);
    for (int k = 0; k < m_; ++k) total[sz(k)] += step[k];
    std::fill_n(rhs_.data(), n_, S(0));
    add_transposed(jacobian, G_.data(), step, S(1), rhs_.data());
    const S change = largest(rhs_.data(), n_), floor = S(4) * Scalar<S>::epsilon * largest(p, n_);
    if (!math::finite(change)) return Settling<S>::failed();
    for (int i = 0; i < n_; ++i) p[i] -= rhs_[sz(i)];
    return Settling<S>::corrected(change, floor);
  });
  if (!found) return false;
  if (nu != nullptr) std::copy_n(total.data(), m_, nu);
  return hamiltonian_->gradient(1, q, p, &t, nullptr, Lq_.data(), v);
}

// a = H_pq v + H_pt + H_pp p'.
template <class S>
bool NodeSolver<S>::canonical_acceleration(const S* q, const S* p, S t, S* a, S* lambda) {
  const Pattern& jacobian = evaluation_.jacobian();
  std::vector<S> at(p, p + n_), v(sz(n_)), rate(sz(n_));
  if (!legendre(q, t, at.data(), v.data(), nullptr)) return false;
  hamiltonian_->gradient(1, q, at.data(), &t, nullptr, Lq_.data(), v.data());
  hamiltonian_->hessian(1, q, at.data(), &t, hessian_[0].data(), hessian_[1].data(), hessian_[2].data(),
                        hessian_[3].data());
  hamiltonian_->velocity_rate(q, at.data(), t, rate.data());
  const auto product = [&](const std::vector<S>& matrix, const S* x, S factor) {
    for (int i = 0; i < n_; ++i) a[i] += factor * dot(&matrix[sz(i * n_)], x, n_);
  };
  std::copy(rate.begin(), rate.end(), a);
  product(hessian_[2], v.data(), S(1));
  product(hessian_[3], Lq_.data(), S(-1));
  if (m_ == 0) return true;
  evaluation_.bend(q, &t, v.data(), nullptr, second_.data());
  add_product(jacobian, G_.data(), a, S(1), second_.data());
  if (!factor_schur(hessian_[3].data())) return false;
  schur_.solve(second_.data());
  std::copy_n(second_.data(), m_, lambda);
  std::fill_n(rhs_.data(), n_, S(0));
  add_transposed(jacobian, G_.data(), lambda, S(1), rhs_.data());
  product(hessian_[3], rhs_.data(), S(-1));
  return true;
}

template <class S>
bool NodeSolver<S>::euclidean_position(S* q, S t, double& moved) {
  const Pattern& jacobian = evaluation_.jacobian();
  const std::vector<S> origin(q, q + n_);
  std::vector<S> mu(sz(m_), S(0)), away(sz(n_));
  evaluate_constraints(q, t);
  if (largest(g_.data(), m_) <= round_off(q)) return true;
  const bool found = settles<S>(rest::canonical_position, most_projections, [&](int iteration) {
    if (iteration > 0) evaluate_constraints(q, t);
    if (!factor_schur(nullptr)) return Settling<S>::failed();
    for (int i = 0; i < n_; ++i) away[sz(i)] = origin[sz(i)] - q[i];
    add_transposed(jacobian, G_.data(), mu.data(), S(-1), away.data());
    S* step = rhs_.data() + n_;
    std::copy_n(g_.data(), m_, step);
    add_product(jacobian, G_.data(), away.data(), S(1), step);
    schur_.solve(step);
    for (int k = 0; k < m_; ++k) mu[sz(k)] += step[k];
    add_transposed(jacobian, G_.data(), step, S(-1), away.data());
    for (int i = 0; i < n_; ++i) q[i] += away[sz(i)];
    const S change = largest(away.data(), n_);
    if (!math::finite(change)) return Settling<S>::failed();
    return Settling<S>::corrected(change, S(4) * Scalar<S>::epsilon * largest(q, n_));
  });
  if (!found) return false;
  for (int i = 0; i < n_; ++i) moved = math::max(moved, static_cast<double>(math::abs(q[i] - origin[sz(i)])));
  return constraint(q, t) <= S(1e5) * round_off(q);
}

#define EXTREMAL_INSTANTIATE(S)                                                       \
  template bool NodeSolver<S>::has_independent_slopes(const S*, S);                   \
  template bool NodeSolver<S>::tangent_momentum(const S*, S, S*, S*, S*);             \
  template bool NodeSolver<S>::canonical_acceleration(const S*, const S*, S, S*, S*); \
  template bool NodeSolver<S>::euclidean_position(S*, S, double&);
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
