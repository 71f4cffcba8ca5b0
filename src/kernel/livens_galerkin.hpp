// LivensGalerkin: a step of livens(s), the GGL principle [Kinon2023, eq. 23] on polynomials.
//
// q has degree s through the Lobatto points d_0..d_s (weights e_k); v, p and gamma live at the Gauss points c_1..c_s
// (weights b_i). Unknowns are z_k = q(d_k) - q0, k = 1..s, and u_i = h M^-1 p_i = h v_i; Lambda_k = h^2 lambda_k at
// d_0..d_{s-1} and Gamma_i = h gamma_i. With q_i = q(c_i), q_i' = sum_k l_k'(c_i) z_k and K as in livens.hpp,
//
//   rows k   -h p0 [k = 0] - sum_i b_i (l_k(c_i) (h^2 F_i - K_i^T Gamma_i) + l_k'(c_i) M u_i) + e_k G(q_k)^T Lambda_k =
//   0 rows i   M (q_i' - u_i) - G(q_i)^T Gamma_i = 0 g(q_k) = 0, k = 1..s;   G(q_i) u_i + h g_t(q_i) = 0
//
// and row s, without the multiplier at the end, is h p1. Every row is the derivative of one discrete action, hence the
// step is symplectic. g(q) vanishes at s + 1 Lobatto points; at the Gauss points, the zeros of the slope of the
// polynomial that vanishes there, its slope is smaller by an order: Gamma is of order h^{s+2}. What it changes of the
// action of spark(s) is its square over h, h^{2s+3}, and livens(s) has the order 2s of spark(s).
#pragma once

#include <vector>

#include "kernel/livens.hpp"

namespace extremal {

template <class T>
class LivensGalerkin final : public LivensRule<T> {
 public:
  LivensGalerkin(const System& system, const Livens& scheme);
  void begin(const LivensStart<T>& start) override;
  void guess(const T* v, T* x) const override;
  T residual(const T* x, T* r) override;
  void linearise(const T* x, bool start) override;
  const double* schur() const override { return schur_.data(); }
  void end(const T* x, T* dq, T* dp) override;
  T action(const T* x) override;
  void add_work(const T* x, T* out) override;
  void end_tangent(const T* dq0, const T* dp0, const T* dx, T* dq1, T* dp1) const override;
  void multipliers(const T* x, const T* nu, T* out) const override;
  bool inside(const T* x, T c, T* q, T* p) const override;

 private:
  // Of one Gauss point.
  struct Stage {
    T c, b, time;
    std::vector<T> l, dl;  // l_k(c), l_k'(c), k = 0..s
    std::vector<T> q, slope, v, force;
    std::vector<T> G, gt, bend;     // bend: d(G u + h g_t)/dq
    std::vector<T> A, B, S, third;  // h^2 dF/dq less how K^T Gamma bends, h dF/dv, sum_k Gamma_k D^2 g_k
  };
  // Of one Lobatto point.
  struct Node {
    T d, e, time;
    std::vector<T> q, g, G, gt, S;  // S: sum_k Lambda_k D^2 g_k
  };

  const T* u(const T* x, int i) const { return x + this->first(s_ + i); }
  const T* lambda(const T* x, int k) const { return x + this->first(2 * s_ + k); }
  const T* gamma(const T* x, int i) const { return x + this->first(3 * s_ + i); }
  void list_pieces();
  void find_schur();
  void place(const T* x);

  int s_;
  bool curved_;
  std::vector<Stage> stages_;
  std::vector<Node> nodes_;
  std::vector<double> schur_;
  std::vector<T> C_, D_, row_;
};

}  // namespace extremal
