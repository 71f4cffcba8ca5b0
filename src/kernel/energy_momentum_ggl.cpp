#include "kernel/energy_momentum_ggl.hpp"

#include <algorithm>

#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"

namespace extremal {

template <class T>
EnergyMomentumGgl<T>::EnergyMomentumGgl(const System& system, const Livens& scheme)
    : LivensRule<T>(system, scheme, 3, 2), discrete_(system, this->coupling(), this->jacobian()) {
  this->multiplier_nodes_ = {T(0.5)};
  for (auto* v : {&middle_, &end_, &v_}) *v = this->coordinates();
  for (auto* v : {&g_, &gt_}) *v = this->rows();
  for (auto* v : {&G_, &G1_, &bend_, &bend1_}) *v = this->slopes();
  for (auto* v : {&to_z_, &to_q0_, &A_, &B_, &C_, &D_, &S_, &R_}) *v = this->couplings();
  for (int i = 0; i < this->n_; ++i)
    if (const T inertia = this->mass_[sz(this->coupling().find(i, i))];
        inertia > T(0) && (!(lightest_ > T(0)) || inertia < lightest_))
      lightest_ = inertia;
  const T one(1), half(0.5);
  const T* mass = this->mass_.data();
  this->pieces_ = {{PieceShape::coupling, mean, mean, mass, T(2)},
                   {PieceShape::coupling, mean, last, mass, -one},
                   {PieceShape::coupling, increment, increment, mass, one},
                   {PieceShape::coupling, increment, increment, R_.data(), -half},
                   {PieceShape::coupling, increment, mean, mass, -one},
                   {PieceShape::transposed, increment, gamma, G_.data(), -one},
                   {PieceShape::coupling, last, last, mass, one},
                   {PieceShape::coupling, last, mean, mass, -one},
                   {PieceShape::coupling, last, mean, R_.data(), half},
                   {PieceShape::coupling, last, increment, to_z_.data(), one},
                   {PieceShape::transposed, last, lambda, G_.data(), half},
                   {PieceShape::transposed, last, gamma, bend_.data(), half},
                   {PieceShape::slope, lambda, increment, G1_.data(), one},
                   {PieceShape::slope, gamma, last, G1_.data(), one},
                   {PieceShape::slope, gamma, increment, bend1_.data(), one}};
  this->start_pieces_ = {{PieceShape::coupling, increment, 0, R_.data(), -one},
                         {PieceShape::coupling, last, 0, to_q0_.data(), one},
                         {PieceShape::slope, lambda, 0, G1_.data(), one},
                         {PieceShape::slope, gamma, 0, bend1_.data(), one}};
}

template <class T>
void EnergyMomentumGgl<T>::guess(const T* v, T* x) const {
  std::fill_n(x, this->size(), T(0));
  for (const Group group : {mean, increment, last})
    for (int i = 0; i < this->n_; ++i) x[this->first(group) + i] = this->start_.h * v[i];
}

// As for energy_momentum: forces at the midpoint, and what depends on t at the middle of the step.
template <class T>
void EnergyMomentumGgl<T>::place(const T* x) {
  const LivensStart<T>& start = this->start_;
  const T h = start.h;
  const T* z = of(x, increment);
  middle_time_ = start.t + h / T(2);
  end_time_ = start.t + h;
  for (int i = 0; i < this->n_; ++i) {
    middle_[sz(i)] = start.q[i] + z[i] / T(2);
    end_[sz(i)] = start.q[i] + z[i];
  }
  Evaluation<T>& evaluation = this->evaluation_;
  const auto bend = [&](const std::vector<T>& q, T t, const T* by, std::vector<T>& out) {
    for (int i = 0; i < this->n_; ++i) v_[sz(i)] = by[i] / h;
    evaluation.bend(q.data(), &t, v_.data(), out.data(), nullptr);
    for (T& b : out) b *= h;
  };
  if (this->m_ > 0) {
    evaluation.constraints(1, middle_.data(), &middle_time_, g_.data(), G_.data(), gt_.data());
    bend(middle_, middle_time_, of(x, mean), bend_);
    evaluation.constraints(1, end_.data(), &end_time_, g_.data(), G1_.data(), gt_.data());
    bend(end_, end_time_, of(x, last), bend1_);
  }
  for (int i = 0; i < this->n_; ++i) v_[sz(i)] = z[i] / h;
  evaluation.gradient(1, middle_.data(), v_.data(), &middle_time_, nullptr, this->force_.data(), this->ignored_.data());
  discrete_.add(start.q, z, middle_time_, this->force_.data(), G_.data());
}

template <class T>
T EnergyMomentumGgl<T>::residual(const T* x, T* r) {
  const int n = this->n_, m = this->m_;
  const LivensStart<T>& start = this->start_;
  const T h = start.h;
  place(x);
  std::fill_n(r, this->size(), T(0));
  T *first = r, *position = r + n, *momentum = r + 2 * n;
  for (int i = 0; i < n; ++i) {
    first[i] = -h * (start.p[i] - this->momentum_[sz(i)]);
    momentum[i] = -h * h / T(2) * this->weight_ * this->force_[sz(i)];
  }
  this->add_mass(of(x, mean), T(2), first);
  this->add_mass(of(x, last), T(-1), first);
  this->add_mass(of(x, increment), T(1), position);
  this->add_mass(of(x, mean), T(-1), position);
  this->add_mass(of(x, last), T(1), momentum);
  this->add_mass(of(x, mean), T(-1), momentum);
  if (m > 0) {
    const Pattern& jacobian = this->jacobian();
    add_transposed(jacobian, G_.data(), of(x, gamma), T(-1), position);
    add_transposed(jacobian, G_.data(), of(x, lambda), T(0.5), momentum);
    add_transposed(jacobian, bend_.data(), of(x, gamma), T(0.5), momentum);
    std::copy_n(g_.data(), m, r + this->first(lambda));
    add_product(jacobian, G1_.data(), of(x, last), T(1), r + this->first(gamma));
  }
  return largest(r, this->size());
}

template <class T>
void EnergyMomentumGgl<T>::linearise(const T* x, bool start) {
  const LivensStart<T>& from = this->start_;
  const T h = from.h, one(1), force = -h * h / T(2) * this->weight_;
  Evaluation<T>& evaluation = this->evaluation_;
  place(x);
  evaluation.hessian(1, middle_.data(), v_.data(), &middle_time_, A_.data(), B_.data(), C_.data(), D_.data());
  for (auto* v : {&S_, &R_}) std::fill(v->begin(), v->end(), T(0));
  if (this->m_ > 0) {
    evaluation.add_curvature(1, middle_.data(), &middle_time_, of(x, lambda), &one, S_.data());
    evaluation.add_curvature(1, middle_.data(), &middle_time_, of(x, gamma), &one, R_.data());
  }
  for (std::size_t e = 0; e < to_z_.size(); ++e) {
    to_q0_[e] = force * A_[e] + S_[e] / T(2);
    to_z_[e] = to_q0_[e] / T(2) + force / h * B_[e];
  }
  discrete_.add_slopes(from.q, of(x, increment), middle_time_, force, of(x, lambda), T(0.5), to_z_.data(),
                       start ? to_q0_.data() : nullptr);
}

template <class T>
const double* EnergyMomentumGgl<T>::schur() const {
  static constexpr double complement[] = {-0.5, 1, -1, 0};
  return complement;
}

// 2 (M w - h p0) / h, as for energy_momentum.
template <class T>
void EnergyMomentumGgl<T>::end(const T* x, T* dq, T* dp) {
  const int n = this->n_;
  const T h = this->start_.h;
  std::copy_n(of(x, increment), n, dq);
  for (int i = 0; i < n; ++i) dp[i] = h * (this->momentum_[sz(i)] - this->start_.p[i]);
  this->add_mass(of(x, mean), T(1), dp);
  for (int i = 0; i < n; ++i) dp[i] = T(2) * dp[i] / h;
}

template <class T>
T EnergyMomentumGgl<T>::action(const T*) {
  return this->start_.h * this->weighted_lagrangian(middle_.data(), v_.data(), middle_time_);
}

// What the energy changes by: the forces along z, and L in time at either end.
template <class T>
void EnergyMomentumGgl<T>::add_work(const T*, T* out) {
  const LivensStart<T>& start = this->start_;
  Evaluation<T>& evaluation = this->evaluation_;
  T& given = out[evaluation.source_count() - 1];
  const T before = given;
  evaluation.add_work(middle_.data(), v_.data(), &middle_time_, start.h, out);
  given = before + evaluation.lagrangian(start.q, v_.data(), &start.t) +
          evaluation.lagrangian(end_.data(), v_.data(), &middle_time_) -
          evaluation.lagrangian(start.q, v_.data(), &middle_time_) -
          evaluation.lagrangian(end_.data(), v_.data(), &end_time_);
}

template <class T>
void EnergyMomentumGgl<T>::end_tangent(const T* dq0, const T* dp0, const T* dx, T* dq1, T* dp1) const {
  for (int i = 0; i < this->n_; ++i) {
    dq1[i] = dq0[i] + of(dx, increment)[i];
    dp1[i] = -dp0[i];
  }
  this->add_mass(of(dx, mean), T(2) / this->start_.h, dp1);
}

template <class T>
void EnergyMomentumGgl<T>::multipliers(const T* x, const T*, T* out) const {
  const T h = this->start_.h;
  for (int k = 0; k < this->m_; ++k) out[k] = of(x, lambda)[k] / (h * h);
}

template <class T>
void EnergyMomentumGgl<T>::add_gamma(const T* x, T* out) const {
  for (int k = 0; k < this->m_; ++k) out[k] += of(x, gamma)[k];
}

template <class T>
T EnergyMomentumGgl<T>::extent() const {
  if (!(lightest_ > T(0))) return T(0);
  return this->start_.h * this->start_.h * discrete_.amplification() / lightest_;
}

#define EXTREMAL_INSTANTIATE(S) template class EnergyMomentumGgl<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
