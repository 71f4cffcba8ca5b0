#include "study/statics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bodies/joint_terms.hpp"

namespace extremal {
namespace {

// The coordinate "hold.integral" of the term that is called so.
int memory_of(const System& system, const Term& term) {
  for (const int index : term.sites)
    if (system.coordinate_names()[sz(index)] == term.name) return index;
  return -1;
}

}  // namespace

Statics::Statics(const System& system)
    : n_(system.size()), m_(system.constraint_count()), evaluation_(system, 1, Storage::full) {
  for (auto* list : {&v_, &force_, &momentum_}) list->assign(sz(n_), 0.0);
  for (auto* list : {&g_, &gt_, &lambda_}) list->assign(sz(m_), 0.0);
  G_.assign(sz(n_) * sz(m_), 0.0);
  for (auto* list : {&A_, &B_, &C_, &D_, &S_}) list->assign(sz(n_) * sz(n_), 0.0);
  for (const auto& term : system.terms())
    if (term->role == Role::lagrangian && term->name.ends_with(memory_ending) && memory_of(system, *term) >= 0)
      memories_.push_back(memory_of(system, *term));
}

void Statics::look(const std::vector<double>& q, double t, const std::vector<double>& lambda) {
  const double one = 1;
  lambda_ = lambda;
  evaluation_.gradient(1, q.data(), v_.data(), &t, nullptr, force_.data(), momentum_.data());
  evaluation_.hessian(1, q.data(), v_.data(), &t, A_.data(), B_.data(), C_.data(), D_.data());
  std::fill(S_.begin(), S_.end(), 0.0);
  if (m_ > 0) {
    evaluation_.constraints(1, q.data(), &t, g_.data(), G_.data(), gt_.data());
    evaluation_.add_curvature(1, q.data(), &t, lambda_.data(), &one, S_.data());
  }
}

void Statics::hold_memories() {
  for (const int z : memories_) {
    force_[sz(z)] = 0;
    for (int j = 0; j < n_; ++j) A_[sz(z * n_ + j)] = j == z ? -1 : 0;
  }
}

void Statics::rest_memories() {
  for (const int z : memories_) {
    force_[sz(z)] = -momentum_[sz(z)] / memory_inertia;
    for (int j = 0; j < n_; ++j) A_[sz(z * n_ + j)] = -C_[sz(z * n_ + j)] / memory_inertia;
  }
}

double Statics::unbalanced(int i) const {
  double sum = force_[sz(i)];
  for (int k = 0; k < m_; ++k) sum -= slope(k, i) * lambda_[sz(k)];
  return std::fabs(sum);
}

double Statics::residual() const {
  double most = 0;
  for (int i = 0; i < n_; ++i) most = std::max(most, unbalanced(i));
  return most;
}

double Statics::residual_in_ulps(const std::vector<double>& q) const {
  double most = 0;
  for (int i = 0; i < n_; ++i) {
    double change = std::fabs(force_[sz(i)]);
    for (int j = 0; j < n_; ++j) change += std::fabs(stiffness(i, j) * q[sz(j)]);
    const double left = unbalanced(i);
    if (left > 0) most = std::max(most, left / (change * std::numeric_limits<double>::epsilon()));
  }
  return most;
}

double Statics::gap() const {
  double most = 0;
  for (const double g : g_) most = std::max(most, std::fabs(g));
  return most;
}

double Statics::force_scale() const {
  double most = 0;
  for (int i = 0; i < n_; ++i) {
    most = std::max(most, std::fabs(force_[sz(i)]));
    for (int k = 0; k < m_; ++k) most = std::max(most, std::fabs(slope(k, i) * lambda_[sz(k)]));
  }
  return most;
}

double Statics::typical_mass() const {
  double most = 0;
  for (int i = 0; i < n_; ++i) most = std::max(most, mass(i, i));
  return most > 0 ? most : 1;
}

double Statics::typical_stiffness() const {
  double most = 0;
  for (int i = 0; i < n_; ++i) most = std::max(most, std::fabs(stiffness(i, i)));
  return most;
}

}  // namespace extremal
