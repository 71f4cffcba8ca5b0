// StepKernel: what a family supplies to the Stepper – one step of one of its members.
#pragma once

#include <vector>

#include "extremal/stepper.hpp"
#include "kernel/node.hpp"
#include "kernel/step_engine.hpp"

namespace extremal {

template <class S>
class StepKernel {
 public:
  virtual ~StepKernel() = default;

  // Forgets the histories; (q, p) is where the next step starts.
  virtual void place(NodeSolver<S>& node, S t, const S* q, const S* p) = 0;
  // From (t, q, p) over h to increments dq, dp (without projection). v is the velocity at q, for guesses.
  virtual void solve(NodeSolver<S>& node, S t, const S* q, const S* p, const S* v, S h, S* dq, S* dp,
                     StepReport& report) = 0;
  // Where the terms were evaluated last, for a diagnosis.
  virtual std::vector<Visited<S>> visited() const { return {}; }
  // From now on the matrix, and never the residual, is regularised by eps times the rows' weights: redundant
  // constraints do not make it singular, and the solution that is found is none other. 0: not at all.
  virtual void regularise(double, const std::vector<double>&) {}
  // What NodeSolver::scales() says of coordinates and constraints.
  virtual void equilibrate(const std::vector<double>&) {}
  // Tells what the projection at the end of the step took off.
  virtual void close(const S* nu) = 0;
  // Whether the end momentum is to be projected to G v = 0, and whether it meets it in any case.
  virtual bool projects() const = 0;
  virtual bool hidden() const = 0;
  // d(q1, p1)/d(q0, p0) of the last step, before (q1, p^1) is projected; 2n x 2n.
  // Rows of g that depend on others are left out, and their multipliers held: the map is the same on g = 0.
  virtual void tangent(std::vector<S>& out, const std::vector<int>& dependent) = 0;
  virtual S action() const = 0;
  // Adds the work over the last step, source by source as Evaluation::add_work has them, by the quadrature of the
  // step's own discrete action. What the projection takes off is not part of it.
  virtual void add_work(S* out) = 0;
  // Half of what the multiplier of the first node did, closure variational.
  virtual S node_work() const { return S(0); }

  virtual const std::vector<S>& multipliers() const = 0;
  virtual const std::vector<S>& multiplier_nodes() const = 0;
  virtual const std::vector<S>& node_multiplier() const = 0;
  virtual S node_weight() const = 0;
  // The multiplier at the end of the last step, if the closure has one of its own.
  virtual bool end_multiplier(S* lambda) const = 0;
  virtual void dense(S c, DensePoint<S>& out) = 0;
  // The one-step balances of the family; false if it has none.
  virtual bool balance(StepBalance<S>&) { return false; }

  // The numbers a checkpoint needs, appended or taken back in the same order.
  virtual void save(std::vector<S>& out) const = 0;
  virtual const S* restore(const S* from) = 0;
};

}  // namespace extremal
