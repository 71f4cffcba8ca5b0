#include "kernel/energy_momentum.hpp"

#include <algorithm>

#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"

namespace extremal {

template <class T>
EnergyMomentum<T>::EnergyMomentum(const System& system, const Livens& scheme)
    : LivensRule<T>(system, scheme, 1, 1), discrete_(system, this->coupling(), this->jacobian()) {
  this->multiplier_nodes_ = {T(0.5)};
  for (auto* v : {&middle_, &end_, &v_}) *v = this->coordinates();
  for (auto* v : {&g_, &gt_}) *v = this->rows();
  for (auto* v : {&G_, &G1_}) *v = this->slopes();
  for (auto* v : {&to_z_, &to_q0_, &A_, &B_, &C_, &D_, &S_}) *v = this->couplings();
  for (int i = 0; i < this->n_; ++i)
    if (const T inertia = this->mass_[sz(this->coupling().find(i, i))];
        inertia > T(0) && (!(lightest_ > T(0)) || inertia < lightest_))
      lightest_ = inertia;
  this->pieces_ = {{PieceShape::coupling, 0, 0, this->mass_.data(), T(1)},
                   {PieceShape::coupling, 0, 0, to_z_.data(), T(1)},
                   {PieceShape::transposed, 0, 1, G_.data(), T(0.5)},
                   {PieceShape::slope, 1, 0, G1_.data(), T(1)}};
  this->start_pieces_ = {{PieceShape::coupling, 0, 0, to_q0_.data(), T(1)},
                         {PieceShape::slope, 1, 0, G1_.data(), T(1)}};
}

template <class T>
void EnergyMomentum<T>::guess(const T* v, T* x) const {
  std::fill_n(x, this->size(), T(0));
  for (int i = 0; i < this->n_; ++i) x[i] = this->start_.h * v[i];
}

// F and G as discrete derivatives. Forces are taken at the midpoint; what depends on t, at the middle of the step.
template <class T>
void EnergyMomentum<T>::place(const T* x) {
  const LivensStart<T>& start = this->start_;
  middle_time_ = start.t + start.h / T(2);
  end_time_ = start.t + start.h;
  for (int i = 0; i < this->n_; ++i) {
    middle_[sz(i)] = start.q[i] + x[i] / T(2);
    end_[sz(i)] = start.q[i] + x[i];
    v_[sz(i)] = x[i] / start.h;
  }
  this->evaluation_.gradient(1, middle_.data(), v_.data(), &middle_time_, nullptr, this->force_.data(),
                             this->ignored_.data());
  this->evaluation_.constraints(1, middle_.data(), &middle_time_, g_.data(), G_.data(), gt_.data());
  discrete_.add(start.q, x, middle_time_, this->force_.data(), G_.data());
}

template <class T>
T EnergyMomentum<T>::residual(const T* x, T* r) {
  const int n = this->n_, m = this->m_;
  const LivensStart<T>& start = this->start_;
  const T h = start.h;
  place(x);
  for (int i = 0; i < n; ++i)
    r[i] = -h * (start.p[i] - this->momentum_[sz(i)]) - h * h / T(2) * this->weight_ * this->force_[sz(i)];
  this->add_mass(x, T(1), r);
  if (m > 0) {
    add_transposed(this->jacobian(), G_.data(), x + n, T(0.5), r);
    this->evaluation_.constraints(1, end_.data(), &end_time_, r + n, nullptr, nullptr);
  }
  return largest(r, n + m);
}

template <class T>
void EnergyMomentum<T>::linearise(const T* x, bool start) {
  const int n = this->n_, m = this->m_;
  const LivensStart<T>& from = this->start_;
  const T h = from.h, one(1), force = -h * h / T(2) * this->weight_;
  Evaluation<T>& evaluation = this->evaluation_;
  place(x);
  evaluation.hessian(1, middle_.data(), v_.data(), &middle_time_, A_.data(), B_.data(), C_.data(), D_.data());
  std::fill(S_.begin(), S_.end(), T(0));
  if (m > 0) {
    evaluation.constraints(1, end_.data(), &end_time_, g_.data(), G1_.data(), gt_.data());
    evaluation.add_curvature(1, middle_.data(), &middle_time_, x + n, &one, S_.data());
  }
  for (std::size_t e = 0; e < to_z_.size(); ++e) {
    to_q0_[e] = force * A_[e] + S_[e] / T(2);
    to_z_[e] = to_q0_[e] / T(2) + force / h * B_[e];
  }
  discrete_.add_slopes(from.q, x, middle_time_, force, x + n, T(0.5), to_z_.data(), start ? to_q0_.data() : nullptr);
}

template <class T>
const double* EnergyMomentum<T>::schur() const {
  static constexpr double complement[] = {-0.5};
  return complement;
}

// 2 (M z - h p0) / h: of the two ways to p1 the one that conserves energy whatever is left of the residual. A rounded
// 1 / h would multiply p by the same factor in every step.
template <class T>
void EnergyMomentum<T>::end(const T* x, T* dq, T* dp) {
  const int n = this->n_;
  std::copy_n(x, n, dq);
  const T h = this->start_.h;
  for (int i = 0; i < n; ++i) dp[i] = h * (this->momentum_[sz(i)] - this->start_.p[i]);
  this->add_mass(x, T(1), dp);
  for (int i = 0; i < n; ++i) dp[i] = T(2) * dp[i] / h;
}

template <class T>
T EnergyMomentum<T>::action(const T*) {
  return this->start_.h * this->weighted_lagrangian(middle_.data(), v_.data(), middle_time_);
}

// Exactly what the energy changes by: the forces along z, L in time at either end, and the impulse of the constraints
// along z, G z = g(q1) - g(q0) at the middle of the step.
template <class T>
void EnergyMomentum<T>::add_work(const T* x, T* out) {
  const int n = this->n_, m = this->m_;
  const LivensStart<T>& start = this->start_;
  Evaluation<T>& evaluation = this->evaluation_;
  T& given = out[evaluation.source_count() - 1];
  const T before = given;
  evaluation.add_work(middle_.data(), v_.data(), &middle_time_, start.h, out);
  given = before + evaluation.lagrangian(start.q, v_.data(), &start.t) +
          evaluation.lagrangian(end_.data(), v_.data(), &middle_time_) -
          evaluation.lagrangian(start.q, v_.data(), &middle_time_) -
          evaluation.lagrangian(end_.data(), v_.data(), &end_time_);
  std::fill(g_.begin(), g_.end(), T(0));
  if (m > 0) add_product(this->jacobian(), G_.data(), x, T(1), g_.data());
  for (int k = 0; k < m; ++k) given -= x[n + k] * g_[sz(k)] / (start.h * start.h);
}

template <class T>
void EnergyMomentum<T>::end_tangent(const T* dq0, const T* dp0, const T* dx, T* dq1, T* dp1) const {
  for (int i = 0; i < this->n_; ++i) {
    dq1[i] = dq0[i] + dx[i];
    dp1[i] = -dp0[i];
  }
  this->add_mass(dx, T(2) / this->start_.h, dp1);
}

template <class T>
T EnergyMomentum<T>::extent() const {
  if (!(lightest_ > T(0))) return T(0);
  return this->start_.h * this->start_.h * discrete_.amplification() / lightest_;
}

template <class T>
void EnergyMomentum<T>::multipliers(const T* x, const T*, T* out) const {
  const T h = this->start_.h;
  for (int k = 0; k < this->m_; ++k) out[k] = x[this->n_ + k] / (h * h);
}

#define EXTREMAL_INSTANTIATE(S) template class EnergyMomentum<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
