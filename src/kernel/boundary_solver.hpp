// BoundarySolver: the discrete equations of all N steps at once, for given positions at both ends.
//
// Unknowns per step k: the multiplier of its first node (k > 0), its inner control points and multipliers, its
// last position (k < N - 1). Rows: the balance of momenta at inner nodes, D_{s+1} L_d(k-1) + D_1 L_d(k) = 0, the
// inner rows of every step and g = 0 [Wenger2017, eq. 22 and the remark on boundary value problems]. The matrix is
// banded with a width that does not depend on N: Newton's method costs O(N).
#pragma once

#include <string>
#include <vector>

#include "kernel/galerkin.hpp"

namespace extremal {

struct BoundaryReport {
  bool converged = false;
  int iterations = 0;
  double residual = 0, correction = 0;
  std::string reason;  // empty if converged
};

template <class S>
class BoundarySolver {
 public:
  // Of steps of this length, with which bases that have a length of their own change.
  BoundarySolver(const System& system, const Galerkin& scheme, int steps, S h);

  // q: the positions at the N + 1 nodes as a first guess (only the ends are kept); null means the straight line.
  BoundaryReport solve(S t0, const S* q_begin, const S* q_end, const S* q_guess = nullptr);
  // Position and momentum at node k; the momentum is the discrete Legendre transform, without the node's own
  // multiplier at the ends.
  const S* position(int k) const;
  void momentum(int k, S* p);

 private:
  int column_mu(int k) const;  // of step k's first node multiplier; only k > 0 has one
  int column_inner(int k) const;
  int column_q(int k) const;  // of node k, 0 < k < N
  int row_balance(int k) const;
  int row_inner(int k) const;
  S residual();
  bool correct(double& largest);
  void apply(double factor);

  int steps_;
  System system_;
  GalerkinResidual<S> residual_;
  GalerkinMatrix<double> matrix_;
  S t0_{}, h_{};
  std::vector<S> nodes_;   // (N + 1) x n
  std::vector<S> x_;       // N x layout.size, as in GalerkinLayout; z^s follows from the nodes
  std::vector<S> rows_;    // N x (layout.size + n): the rows of every step, and its end momentum times h
  std::vector<S> r_;       // the residual of all unknowns
  std::vector<double> d_;  // the correction of all unknowns
};

}  // namespace extremal
