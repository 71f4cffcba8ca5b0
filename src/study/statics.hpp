// Statics: forces, constraints and their derivatives of a system at rest, dense.
//
// What a servo remembers (bodies/joint_terms.hpp) rests where the error of the servo vanishes, which stands as a force
// in its place.
#pragma once

#include <vector>

#include "extremal/system.hpp"
#include "numbers/index.hpp"
#include "system/evaluation.hpp"

namespace extremal {

class Statics {
 public:
  explicit Statics(const System& system);
  int n() const { return n_; }
  int m() const { return m_; }

  void look(const std::vector<double>& q, double t, const std::vector<double>& lambda);
  // What servos remember: held as it is, or at rest where their errors vanish.
  bool has_memories() const { return !memories_.empty(); }
  void hold_memories();
  void rest_memories();
  // At the last look. F(q, 0, t); g; largest |F - G^T lambda| and |g|.
  const std::vector<double>& force() const { return force_; }
  const std::vector<double>& gaps() const { return g_; }
  double residual() const;
  double gap() const;
  // The same in units of what the last bits of q change of a force: where springs are stiff nothing is smaller.
  double residual_in_ulps(const std::vector<double>& q) const;
  double slope(int k, int j) const { return G_[sz(k * n_ + j)]; }
  // sum_k lambda_k D^2 g_k - F_q, -F_v and L_vv.
  double stiffness(int i, int j) const { return S_[sz(i * n_ + j)] - A_[sz(i * n_ + j)]; }
  double damping(int i, int j) const { return C_[sz(i * n_ + j)] - B_[sz(i * n_ + j)]; }
  double mass(int i, int j) const { return D_[sz(i * n_ + j)]; }

  // The largest of a force and of G^T lambda, entry by entry; of the diagonals of mass and stiffness.
  double force_scale() const;
  double typical_mass() const;
  double typical_stiffness() const;

 private:
  double unbalanced(int i) const;  // |F - G^T lambda|

  int n_, m_;
  std::vector<int>
      memories_;  // of servos: coordinates that rest where their momentum, the error of the servo, vanishes
  Evaluation<double> evaluation_;
  std::vector<double> v_, force_, momentum_, g_, G_, gt_, lambda_;
  std::vector<double> A_, B_, C_, D_, S_;
};

}  // namespace extremal
