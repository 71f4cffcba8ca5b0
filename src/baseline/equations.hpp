// Equations: the motion of a System as integrators of others take it – a differential equation of first order, or a
// differential-algebraic one.
//
//   index 1:  q' = v,  v' of  K (v', lambda) = (L_q - L_vq v - L_vt, -g'')  with  K = [L_vv G^T; G 0]
//   index 2:  q' = v - G^T mu,  d/dt L_v + G^T lambda = L_q,  g = 0,  G v + g_t = 0     [GearLeimkuhlerGupta1985]
//
// Forces are in L_q. Small systems are solved by a dense K without refinement, as one would who writes the equations
// down for such an integrator, and large ones by blocks (kernel/node.hpp).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "algebra/lu.hpp"
#include "extremal/start.hpp"
#include "kernel/node.hpp"
#include "system/evaluation.hpp"

namespace extremal {

class Equations {
 public:
  // InputError, which begins with `who`, for what has no such equations.
  Equations(const std::string& who, const System& system, const Start& start);

  int n() const { return n_; }
  int m() const { return m_; }
  // The start, consistent with its constraints, and the multipliers there.
  double t() const { return t_; }
  const std::vector<double>& q() const { return q_; }
  const std::vector<double>& v() const { return v_; }
  // Constraints that depend on others, by name.
  const std::vector<std::string>& redundant() const { return redundant_; }

  // Of index 1; false if K is singular, or a number is not finite.
  bool accelerate(double t, const double* q, const double* v, double* a);
  const std::vector<double>& lambda() const { return lambda_; }  // of the last acceleration

  // Of index 2, unknowns y = (q, v, lambda, mu). The matrix dr/dy + c dr/dy', column by column, is that of systems
  // whose mass is constant.
  int unknowns() const { return 2 * (n_ + m_); }
  bool residual(double t, const double* y, const double* rate, double* r);
  bool has_jacobian() const { return evaluation_->constant_mass(); }
  bool jacobian(double t, double c, const double* y, double* columns);

  long long evaluations() const { return evaluations_; }

 private:
  void add_inertia(double t, const double* q, const double* v, double* sum);

  int n_, m_;
  double t_ = 0;
  std::vector<double> q_, v_;
  std::vector<std::string> redundant_;
  std::unique_ptr<NodeSolver<double>> node_;
  std::unique_ptr<Evaluation<double>> evaluation_;
  bool dense_;
  Lu<double> lu_;
  long long evaluations_ = 0;
  std::vector<double> Lq_, Lv_, A_, B_, C_, D_, g_, G_, gt_, second_, slope_, solution_, lambda_;
};

}  // namespace extremal
