#include "kernel/node.hpp"

#include <algorithm>

namespace extremal {

namespace {

template <class S>
S largest(const S* x, int n) {
  S r(0);
  for (int i = 0; i < n; ++i) r = math::max(r, math::abs(x[i]));
  return r;
}

constexpr int max_iterations = 30;

std::size_t at(int n) { return static_cast<std::size_t>(n); }

}  // namespace

template <class S>
NodeSolver<S>::NodeSolver(const System& system)
    : n_(system.size()),
      m_(system.constraint_count()),
      evaluation_(system, 1),
      matrix_(system, 1),
      lu_(n_ + m_),
      lu_free_(n_),
      qd_(at(n_)),
      vd_(at(n_)),
      mass_(at(n_ * n_)),
      rhsd_(at(n_ + m_)),
      g_(at(m_)),
      G_(at(m_ * n_)),
      gt_(at(m_)),
      Lq_(at(n_)),
      Lv_(at(n_)),
      A_(at(n_ * n_)),
      B_(at(n_ * n_)),
      C_(at(n_ * n_)),
      D_(at(n_ * n_)),
      rhs_(at(n_ + m_)),
      second_(at(m_)) {
  if (system.has(Role::hamiltonian)) hamiltonian_ = std::make_unique<HamiltonianEvaluation<S>>(system, 1);
}

template <class S>
void NodeSolver<S>::evaluate_constraints(const S* q, S t) {
  evaluation_.constraints(1, q, &t, g_.data(), G_.data(), gt_.data());
}

// Expects G_ at (q, t).
template <class S>
bool NodeSolver<S>::factor(const S* q, const S* v, S t, bool free) {
  for (int i = 0; i < n_; ++i) qd_[at(i)] = static_cast<double>(q[i]), vd_[at(i)] = static_cast<double>(v[i]);
  const double td = static_cast<double>(t);
  matrix_.mass(qd_.data(), vd_.data(), &td, mass_.data());
  Lu<double>& lu = free ? lu_free_ : lu_;
  std::fill(lu.data(), lu.data() + static_cast<std::ptrdiff_t>(lu.size()) * lu.size(), 0.0);
  for (int i = 0; i < n_; ++i) std::copy_n(mass_.data() + static_cast<std::ptrdiff_t>(i) * n_, n_, lu.row(i));
  if (!free)
    for (int k = 0; k < m_; ++k)
      for (int i = 0; i < n_; ++i) lu.row(i)[n_ + k] = lu.row(n_ + k)[i] = static_cast<double>(G_[at(k * n_ + i)]);
  singular_ = lu.factor(1e-13);
  return singular_ < 0;
}

template <class S>
void NodeSolver<S>::solve(bool free) {
  const int size = free ? n_ : n_ + m_;
  for (int i = 0; i < size; ++i) rhsd_[at(i)] = static_cast<double>(rhs_[at(i)]);
  (free ? lu_free_ : lu_).solve(rhsd_.data());
  for (int i = 0; i < size; ++i) rhs_[at(i)] = S(rhsd_[at(i)]);
}

template <class S>
bool NodeSolver<S>::legendre(const S* q, S t, S* p, S* v, S* nu, bool free) {
  if (hamiltonian_ != nullptr) return hamiltonian_->gradient(1, q, p, &t, nullptr, Lq_.data(), v);
  const int m = free ? 0 : m_;
  std::vector<S>& total = second_;  // the multiplier so far
  std::fill(total.begin(), total.end(), S(0));
  if (m > 0) evaluate_constraints(q, t);
  S previous(0);
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    if ((iteration == 0 || !matrix_.constant_mass()) && !factor(q, v, t, free)) return false;
    evaluation_.gradient(1, q, v, &t, nullptr, Lq_.data(), Lv_.data());
    for (int i = 0; i < n_; ++i) {
      S r = p[i] - Lv_[at(i)];
      for (int k = 0; k < m; ++k) r -= G_[at(k * n_ + i)] * total[at(k)];
      rhs_[at(i)] = r;
    }
    for (int k = 0; k < m; ++k) {
      S r = -gt_[at(k)];
      for (int i = 0; i < n_; ++i) r -= G_[at(k * n_ + i)] * v[i];
      rhs_[at(n_ + k)] = r;
    }
    solve(free);
    for (int i = 0; i < n_; ++i) v[i] += rhs_[at(i)];
    for (int k = 0; k < m; ++k) total[at(k)] += rhs_[at(n_ + k)];
    // Both parts contract alike; v alone may vanish, so that its size sets no scale.
    const S change = largest(rhs_.data(), n_ + m), scale = math::max(largest(v, n_), largest(total.data(), m));
    const S floor = S(4) * Scalar<S>::epsilon * scale;
    const bool stalled = iteration > 1 && change >= previous && change <= S(1000) * floor;
    if (change <= floor || stalled || !(scale > S(0))) {
      for (int k = 0; k < m; ++k)
        for (int i = 0; i < n_; ++i) p[i] -= G_[at(k * n_ + i)] * total[at(k)];
      if (nu != nullptr) std::copy_n(total.data(), m, nu);
      return true;
    }
    if (!math::finite(change)) return false;
    previous = change;
  }
  return false;
}

template <class S>
void NodeSolver<S>::energies(const S* q, const S* p, const S* v, S t, S& kinetic, S& potential) {
  if (hamiltonian_ == nullptr) return evaluation_.energies(q, v, &t, kinetic, potential);
  kinetic = S(0);
  hamiltonian_->gradient(1, q, p, &t, &potential, Lq_.data(), Lv_.data());
}

template <class S>
bool NodeSolver<S>::acceleration(const S* q, const S* v, S t, S* a, S* lambda) {
  if (hamiltonian_ != nullptr) return false;
  evaluate_constraints(q, t);
  if (!factor(q, v, t, false)) return false;
  evaluation_.gradient(1, q, v, &t, nullptr, Lq_.data(), Lv_.data());
  evaluation_.hessian(1, q, v, &t, A_.data(), B_.data(), C_.data(), D_.data());
  evaluation_.velocity_rate(q, v, &t, Lv_.data());
  evaluation_.bend(q, &t, v, nullptr, second_.data());
  std::fill_n(a, n_, S(0));
  std::fill_n(lambda, m_, S(0));
  // Refinement: each pass gains the digits of double.
  for (int pass = 0; pass < 4; ++pass) {
    for (int i = 0; i < n_; ++i) {
      S r = Lq_[at(i)] - Lv_[at(i)];
      for (int j = 0; j < n_; ++j) r -= C_[at(i * n_ + j)] * v[j] + D_[at(i * n_ + j)] * a[j];
      for (int k = 0; k < m_; ++k) r -= G_[at(k * n_ + i)] * lambda[k];
      rhs_[at(i)] = r;
    }
    for (int k = 0; k < m_; ++k) {
      S r = -second_[at(k)];
      for (int i = 0; i < n_; ++i) r -= G_[at(k * n_ + i)] * a[i];
      rhs_[at(n_ + k)] = r;
    }
    solve(false);
    const S change = largest(rhs_.data(), n_ + m_);
    if (!math::finite(change)) return false;
    for (int i = 0; i < n_; ++i) a[i] += rhs_[at(i)];
    for (int k = 0; k < m_; ++k) lambda[k] += rhs_[at(n_ + k)];
    if (change <= Scalar<S>::epsilon * math::max(largest(a, n_), largest(lambda, m_))) break;
  }
  return true;
}

template <class S>
bool NodeSolver<S>::nearest_position(S* q, S t, double& moved) {
  moved = 0;
  if (m_ == 0) return true;
  const std::vector<S> origin(q, q + n_), rest(at(n_), S(0));
  std::vector<S> mu(at(m_), S(0));
  // The metric is that of the given position: M (q - origin) + G(q)^T mu = 0 with g(q) = 0.
  evaluation_.mass(origin.data(), rest.data(), &t, D_.data());
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    evaluate_constraints(q, t);
    if (!factor(origin.data(), rest.data(), t, false)) return false;
    for (int i = 0; i < n_; ++i) {
      S r(0);
      for (int j = 0; j < n_; ++j) r -= D_[at(i * n_ + j)] * (q[j] - origin[at(j)]);
      for (int k = 0; k < m_; ++k) r -= G_[at(k * n_ + i)] * mu[at(k)];
      rhs_[at(i)] = r;
    }
    for (int k = 0; k < m_; ++k) rhs_[at(n_ + k)] = -g_[at(k)];
    solve(false);
    const S change = largest(rhs_.data(), n_);
    if (!math::finite(change)) return false;
    for (int i = 0; i < n_; ++i) q[i] += rhs_[at(i)];
    for (int k = 0; k < m_; ++k) mu[at(k)] += rhs_[at(n_ + k)];
    if (change <= S(4) * Scalar<S>::epsilon * largest(q, n_)) {
      for (int i = 0; i < n_; ++i) moved = std::max(moved, static_cast<double>(math::abs(q[i] - origin[at(i)])));
      return true;
    }
  }
  return false;
}

template <class S>
S NodeSolver<S>::constraint(const S* q, S t, int* worst) {
  evaluation_.constraints(1, q, &t, g_.data(), nullptr, nullptr);
  S r(0);
  for (int k = 0; k < m_; ++k)
    if (const S x = math::abs(g_[at(k)]); !(x <= r)) {
      r = x;
      if (worst != nullptr) *worst = k;
    }
  return r;
}

template <class S>
S NodeSolver<S>::hidden(const S* q, const S* v, S t) {
  evaluate_constraints(q, t);
  S r(0);
  for (int k = 0; k < m_; ++k) {
    S x = gt_[at(k)];
    for (int i = 0; i < n_; ++i) x += G_[at(k * n_ + i)] * v[i];
    r = math::max(r, math::abs(x));
  }
  return r;
}

template class NodeSolver<double>;
template class NodeSolver<long double>;
template class NodeSolver<quad>;

}  // namespace extremal
