// The equations of one phase_space step [Muehlebach2016, eqs. 31, 37, 38], as residual and as matrix.
//
// Unknowns, with a over the cardinal functions:
//   Q_a = q~_a - q_i,  E = q_{i+1} - q_i,  P_a = h (p~_a - p_i),  Z_c = h p_g~_c.
// The state's momentum is p_i = p_z(t_i); G p_g belongs to the inside of a step. Rows, in the strong form in p_g:
//   A_p,b   - f_b(0) Q_0 - f_b(1) (E - Q_last) - sum_a <f_b, f_a'> Q_a + h sum_i bp_i f_b H_p = 0
//   A_q,b   - f_b(0) G(q_i)^T Z(0) + [f_b(1) P_last] - sum_a <f_b', f_a> P_a + sum_i bq_i f_b h^2 (H_q - f)
//           - sum_i bg_i f_b G^T Z' = 0
//   A_g,c   f_c(1) g(q_{i+1}) - sum_i bg_i f_c' g(q~) = 0
// and what the continuity of q~ and p~ fixes: q~ left continuous: E = Q_last; otherwise Q_0 = 0. p~ right
// continuous: P_0 = G(q_i)^T Z(0), and the last A_q row is left out: it defines p_{i+1}; p~ left continuous: all A_q
// rows with the term in brackets. The sum of the A_q rows gives the momentum as an impulse:
//   p_{i+1} = p_i + (G(q_i)^T Z(0) - G(q_{i+1})^T Z(1) + sum_i bg_i G^T Z') / h - h sum_i bq_i (H_q - f).
#pragma once

#include <vector>

#include "scheme/phase_tables.hpp"
#include "system/hamiltonian.hpp"

namespace extremal {

struct PhaseLayout {
  int n, m, Kq, Kp, Kg, r;
  bool q_left, p_right, q_continuous;
  int size;
  int Q(int a) const { return a * n; }
  int E() const { return Kq * n; }
  int P(int a) const { return (Kq + 1 + a) * n; }
  int Z(int c) const { return (Kq + 1 + Kp) * n + c * m; }
  // Rows: A_p (Kp n), A_q (kept n), continuity, A_g.
  int kept_q() const { return p_right || q_continuous ? Kq - 1 : Kq; }
  int row_p(int b) const { return b * n; }
  int row_q(int b) const { return (Kp + b) * n; }
  int row_fix() const { return (Kp + kept_q()) * n; }
  int fixes() const { return q_continuous ? 2 : (p_right ? 2 : 1); }
  int row_g(int c) const { return row_fix() + fixes() * n + c * m; }
};

template <class S>
struct PhaseStart {
  const S* q;
  const S* p;
  S t, h;
};

// Values at all nodes of the step.
template <class S>
class PhasePoint {
 public:
  // G by constraints.jacobian(): of the entries that are not zero only, where dense matrices do not need all of them.
  PhasePoint(const System& system, const PhaseSpace& scheme, quad h, Storage storage);
  void place(const PhaseStart<S>& start, const S* x);
  int slopes() const { return constraints.jacobian().size(); }

  PhaseTables<S> tables;
  PhaseLayout layout;
  HamiltonianEvaluation<S> hamiltonian;
  Evaluation<S> constraints;
  std::vector<S> q, p, t;              // r nodes
  std::vector<S> g, G, gt, Zs;         // at the nodes: m, slopes(), m values; Z' at the nodes (m)
  std::vector<S> q1, g1, G1, gt1;      // at the end
  std::vector<S> g0, G0, gt0, Z0, Z1;  // at the start, Z(0) and Z(1)
};

template <class S>
class PhaseResidual {
 public:
  PhaseResidual(const System& system, const PhaseSpace& scheme, quad h);
  void guess(const S* v) { point_.hamiltonian.guess(v); }
  // All rows. With the velocities of the nodes (r n), which then belong to their momenta by the A_p rows, all but these
  // and those of the continuity of p~.
  S operator()(const PhaseStart<S>& start, const S* x, S* out, const S* v = nullptr);
  void impulse(S h, S* dp) const;
  void add_work(S h, S* out);
  const PhaseLayout& layout() const { return point_.layout; }
  const PhasePoint<S>& point() const { return point_; }
  const std::vector<S>& H() const { return H_; }
  const std::vector<S>& Hq() const { return Hq_; }
  const std::vector<S>& Hp() const { return Hp_; }

 private:
  PhasePoint<S> point_;
  std::vector<S> H_, Hq_, Hp_;
  std::vector<S> forces_;  // of the constraints: -G^T Z(0) at the start, bg G^T Z' at the nodes; n each
};

template <class R>
class PhaseMatrix {
 public:
  PhaseMatrix(const System& system, const PhaseSpace& scheme, quad h);
  void guess(const R* v) { point_.hamiltonian.guess(v); }
  bool assemble(const PhaseStart<R>& start, const R* x, R* out);
  // After assemble: d(residual)/d(q0, p0) (size x 2n), d(p1)/dx (n x size), d(p1)/dq0 and /dp0 (n x n, p1 before
  // any projection).
  void assemble_start(const PhaseStart<R>& start, R* to_start);
  void assemble_momentum(const PhaseStart<R>& start, R* to_x, R* to_q0, R* to_p0);
  const PhaseLayout& layout() const { return point_.layout; }

 private:
  PhasePoint<R> point_;
  std::vector<R> A_, B_, C_, D_;  // r x n x n
  std::vector<R> K_, K0_, K1_;    // curvature sum_k Z'_k D^2 g_k at nodes, with Z(0) at the start, Z(1) at the end
  std::vector<R> ones_;
};

}  // namespace extremal
