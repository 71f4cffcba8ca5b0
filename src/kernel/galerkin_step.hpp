// GalerkinStep: solves one step of a hamilton member by Newton's method.
//
// Starting guesses are tried in turn:
//   extrapolated  the last step's polynomial, continued;
//   accelerated   q + t v + t^2 a / 2 with the multipliers of [Wenger2017, eq. 70];
//   linear        q + t v.
#pragma once

#include <string>
#include <vector>

#include "extremal/stepper.hpp"
#include "kernel/galerkin.hpp"
#include "kernel/newton.hpp"
#include "kernel/node.hpp"

namespace extremal {

template <class S>
class GalerkinStep {
 public:
  GalerkinStep(const System& system, const Galerkin& scheme);
  GalerkinStep(const GalerkinStep&) = delete;  // x_ refers into newton_
  GalerkinStep& operator=(const GalerkinStep&) = delete;

  // Forgets the histories; (q, p) is where the next step starts.
  void place(NodeSolver<S>& node, S t, const S* q, const S* p);

  // From (t, q, p) over h to increments dq, dp (without projection). v is the velocity at q, for guesses.
  void solve(NodeSolver<S>& node, S t, const S* q, const S* p, const S* v, S h, S* dq, S* dp, StepReport& report);
  // Tells what the projection at the end of the step took off, for multipliers() and tangent().
  void close(const S* nu);

  bool projects() const { return tables_.projects; }
  bool given_lambda0() const { return !tables_.spread.empty(); }
  S node_weight() const { return tables_.node_weight; }
  const std::vector<S>& multipliers() const { return multipliers_; }
  const std::vector<S>& multiplier_nodes() const { return multiplier_nodes_; }
  const std::vector<S>& node_multiplier() const { return node_multiplier_; }
  S action() const { return residual_.action(h_); }
  void dense(S c, S* q) const;

  // d(q1, p1)/d(q0, p0) of the last step, before (q1, p^1) is projected; 2n x 2n.
  void tangent(std::vector<S>& out);

  // The numbers a checkpoint needs, appended or taken back in the same order.
  void save(std::vector<S>& out) const;
  const S* restore(const S* from);

 private:
  enum class Guess { extrapolated, accelerated, linear };
  bool guess(Guess kind, NodeSolver<S>& node, const StepStart<S>& start, const S* v);
  bool newton(const StepStart<S>& start, StepReport& report);
  std::string row_name(int row) const;
  std::string unknown_name(int column) const;

  const System system_;
  const Galerkin scheme_;
  Tables<S> tables_;
  GalerkinResidual<S> residual_;
  GalerkinMatrix<double> matrix_;
  Newton<S> newton_;
  std::vector<S>& x_;  // the unknowns, in newton_
  std::vector<S> previous_x_, lambda0_, carried_, start_lambda0_, start_carried_, start_q_, start_p_, a_, lambda_;
  std::vector<S> multipliers_, multiplier_nodes_, node_multiplier_;
  std::vector<double> xd_, qd_, pd_, lambda0d_, carriedd_;
  S t_{}, h_{}, previous_h_{};
  bool has_history_ = false;
};

}  // namespace extremal
