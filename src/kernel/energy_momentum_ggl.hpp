// EnergyMomentumGgl: discrete derivatives of the Hamiltonian of the GGL principle [Kinon2023, eq. 30],
//   H = p . M^-1 p / 2 + V(q) + lambda . g(q) + gamma . G(q) M^-1 p,
// with lambda and gamma constant in a step. What a step changes of H is then zero, and of g and G v, which vanish at
// both ends; hence of the energy. With w = h (v0 + v1) / 2, z = q1 - q0, u = h v1, q_m in the middle,
//
//   2 M w - M u - h p0 = 0,   M (z - w) - G(q_m)^T Gamma = 0,
//   M (u - w) - h^2/2 F(q0, q1) + 1/2 G(q_m)^T Lambda + 1/2 K^T Gamma = 0,   K = d(G(q_m) w)/dq,
//   g(q0 + z) = 0,   G(q0 + z) u = 0
//
// for constraints of degree two, of which the midpoint derivatives of g and of G v, bilinear in q and v, are exact.
#pragma once

#include <vector>

#include "kernel/discrete_derivative.hpp"
#include "kernel/livens.hpp"

namespace extremal {

template <class T>
class EnergyMomentumGgl final : public LivensRule<T> {
 public:
  EnergyMomentumGgl(const System& system, const Livens& scheme);
  void begin(const LivensStart<T>& start) override { this->start_ = start; }
  void guess(const T* v, T* x) const override;
  T residual(const T* x, T* r) override;
  void linearise(const T* x, bool start) override;
  const double* schur() const override;
  void end(const T* x, T* dq, T* dp) override;
  T action(const T* x) override;
  void add_work(const T* x, T* out) override;
  void end_tangent(const T* dq0, const T* dp0, const T* dx, T* dq1, T* dp1) const override;
  void multipliers(const T* x, const T* nu, T* out) const override;
  void add_gamma(const T* x, T* out) const override;
  T extent() const override;

 private:
  // The groups of the unknowns; rows have the same order.
  enum Group { mean, increment, last, lambda, gamma };
  const T* of(const T* x, Group group) const { return x + this->first(group); }
  void place(const T* x);

  DiscreteDerivative<T> discrete_;
  T middle_time_{}, end_time_{}, lightest_{};
  std::vector<T> middle_, end_, v_, g_, gt_, G_, G1_, bend_, bend1_, to_z_, to_q0_, A_, B_, C_, D_, S_, R_;
};

}  // namespace extremal
