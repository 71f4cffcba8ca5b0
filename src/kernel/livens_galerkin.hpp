// LivensGalerkin: a step of livens(s), the GGL principle [Kinon2023, eq. 23] on polynomials.
//
// q has degree s through the Lobatto points d_0..d_s (weights e_k); v, p and gamma live at the Gauss points c_1..c_s
// (weights b_i). Unknowns are z_k = q(d_k) - q0, k = 1..s, and u_i = h v_i with p_i = L_v(q_i, v_i); Lambda_k =
// h^2 lambda_k at d_0..d_{s-1} and Gamma_i = h gamma_i. With q_i = q(c_i), w_i = q_i' - u_i, q_i' = sum_k l_k'(c_i) z_k
// and K as in livens.hpp,
//
//   rows k   -h p0 [k = 0] + e_k G(q_k)^T Lambda_k
//                - sum_i b_i (l_k(c_i) (h^2 F_i + h L_qv w_i - K_i^T Gamma_i) + l_k'(c_i) h L_v) = 0
//   rows i   L_vv w_i - G(q_i)^T Gamma_i = 0
//   g(q_k) = 0, k = 1..s;   G(q_i) u_i + h g_t(q_i) = 0
//
// and row s, without the multiplier at the end, is h p1. Every row is the derivative of one discrete action, hence the
// step is symplectic. g(q) vanishes at s + 1 Lobatto points; at the Gauss points, the zeros of the slope of the
// polynomial that vanishes there, its slope is smaller by an order: Gamma is of order h^{s+2}. What it changes of the
// action of spark(s) is its square over h, h^{2s+3}, and livens(s) has the order 2s of spark(s).
//
// L_v = M v + const has L_qv = 0 and M in the place of L_vv. M^-1 is not needed, nor that M is regular but where G v =
// 0: the rows of u are [L_vv G^T; G 0] of a node.
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
  void add_gamma(const T* x, T* out) const override;
  bool inside(const T* x, T c, T* q, T* p) override;

 private:
  // Of one Gauss point.
  struct Stage {
    T c, b, time;
    std::vector<T> l, dl;  // l_k(c), l_k'(c), k = 0..s
    std::vector<T> q, slope, v, force;
    std::vector<T> G, gt, bend;     // bend: d(G u + h g_t)/dq
    std::vector<T> A, B, S, third;  // h^2 dF/dq less how K^T Gamma bends, h dF/dv, sum_k Gamma_k D^2 g_k
    // Where the mass varies: w, L_v, L_vq and L_vv; h L_vq and its transpose; how w . L_v bends, by v and q, and by v.
    std::vector<T> w, Lv, Lvq, Lvv, C, Ct, Pvq, Pvv;
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
  void list_bent_pieces();
  void find_schur();
  void place(const T* x);
  void bend_momentum(Stage& stage);
  // y += f h (L_v of the stage), without what is the same everywhere; y += f L_vv x.
  void add_momentum(const Stage& stage, const T* u, T f, T* y) const;
  void add_inertia(const Stage& stage, const T* x, T f, T* y) const {
    add_product(this->coupling(), inertia(stage), x, f, y);
  }
  const T* inertia(const Stage& stage) const { return varies_ ? stage.Lvv.data() : this->mass_.data(); }

  int s_;
  bool curved_, varies_;  // g has third derivatives; the mass, or what else L_v has, depends on q, t or v
  std::vector<Stage> stages_;
  std::vector<Node> nodes_;
  std::vector<double> schur_;
  std::vector<T> C_, D_, row_;
  std::vector<int> transposed_;  // where the entry (j, i) of coupling() is
};

}  // namespace extremal
