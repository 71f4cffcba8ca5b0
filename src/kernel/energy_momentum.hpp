// EnergyMomentum: the midpoint rule with discrete derivatives of V and g [Gonzalez1999]. Its equations are in
// livens.hpp.
//
//   H(q1, p1) - H(q0, p0) = (p1 - p0) . (q1 - q0) / h + V(q1) - V(q0) = -Lambda . (g(q1) - g(q0)) = 0
#pragma once

#include <vector>

#include "kernel/discrete_derivative.hpp"
#include "kernel/livens.hpp"

namespace extremal {

template <class T>
class EnergyMomentum final : public LivensRule<T> {
 public:
  EnergyMomentum(const System& system, const Livens& scheme);
  void begin(const LivensStart<T>& start) override { this->start_ = start; }
  void guess(const T* v, T* x) const override;
  T residual(const T* x, T* r) override;
  void linearise(const T* x, bool start) override;
  const double* schur() const override;
  void end(const T* x, T* dq, T* dp) override;
  T action(const T* x) override;
  void add_work(const T* x, T* out) override;
  void end_tangent(const T* dq0, const T* dp0, const T* dx, T* dq1, T* dp1) const override;
  T extent() const override;
  void multipliers(const T* x, const T* nu, T* out) const override;

 private:
  void place(const T* x);

  DiscreteDerivative<T> discrete_;
  T middle_time_{}, end_time_{}, lightest_{};
  std::vector<T> middle_, end_, v_, g_, gt_, G_, G1_, to_z_, to_q0_, A_, B_, C_, D_, S_;
};

}  // namespace extremal
