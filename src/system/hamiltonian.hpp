// HamiltonianEvaluation: H(q, p, t) of a System and its derivatives, at a batch of nodes.
//
// A system given by hamiltonian terms is differentiated as it is. One given by L goes through the Legendre
// transform at every node: p = L_v(q, v) is solved for v by Newton, and
//   H = p.v - L,  H_q = -L_q,  H_p = v,
//   H_pp = L_vv^-1,  H_pq = -L_vv^-1 L_vq,  H_qq = -L_qq + L_qv L_vv^-1 L_vq.
// Forces f(q, v, t) with v = H_p are taken off H_q: what the families need is -p' = H_q - f.
#pragma once

#include <vector>

#include "algebra/lu.hpp"
#include "system/evaluation.hpp"

namespace extremal {

template <class S>
class HamiltonianEvaluation {
 public:
  HamiltonianEvaluation(const System& system, int max_nodes);

  int n() const { return n_; }
  // Where the Legendre transforms of all nodes start from, n components. Without it they start from the velocities of
  // the last call, and round-off depends on what that was.
  void guess(const S* v);
  // count x n each; H (count values) may be null. False if a Legendre transform fails.
  bool gradient(int count, const S* q, const S* p, const S* t, S* H, S* Hq, S* Hp);
  // The same of a system given by L, at momenta whose velocities are known: without a Legendre transform.
  void gradient_at(int count, const S* q, const S* p, const S* v, const S* t, S* H, S* Hq);
  // A = d(Hq)/dq, B = d(Hq)/dp, C = d(Hp)/dq, D = d(Hp)/dp; count x n x n each, row-major.
  bool hessian(int count, const S* q, const S* p, const S* t, S* A, S* B, S* C, S* D);
  // The explicit dependence on time at one node, dH/dt = -dL/dt.
  S time_derivative(const S* q, const S* p, S t);
  // d(H_p)/dt at fixed q and p of a system that is given by H, at one node (n).
  void velocity_rate(const S* q, const S* p, S t, S* out);
  // As Evaluation::add_work at one node, v = dH/dp there.
  void add_work(const S* q, const S* p, const S* v, const S* t, S factor, S* out);
  // T(p) + V(q) with constant mass: H_p depends on p only, H_q on q only.
  bool separable() const { return separable_; }

 private:
  bool velocities(int count, const S* q, const S* p, const S* t);

  int n_;
  bool direct_, separable_;
  System system_;
  Evaluation<S> evaluation_;
  std::vector<const Term*> terms_;  // hamiltonian terms, if direct
  std::vector<S> parameters_;
  std::vector<S> v_, Lq_, Lv_, L_, A_, B_, C_, D_, value_, gradient_, packed_, weights_, force_, rhs_;
  Lu<S> lu_;
  Lu<double> lu_double_;
  std::vector<double> rhs_double_;
};

}  // namespace extremal
