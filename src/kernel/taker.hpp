// Taker: what a family supplies to an engine – one substep of one of its members, and what that substep tells.
//
// `solve` leaves the solution in a part of the Trace, `tell` what follows from it; all other questions are answered
// from these. A taker keeps nothing of a step but what the guess for the next one needs.
#pragma once

#include <cstddef>
#include <vector>

#include "kernel/node.hpp"
#include "kernel/step_engine.hpp"
#include "step/trace.hpp"

namespace extremal {

template <class S>
class Taker {
 public:
  virtual ~Taker() = default;

  // How many unknowns it has, and where its multipliers are in a step, in [0, 1].
  virtual std::size_t size() const = 0;
  virtual const std::vector<S>& multiplier_nodes() const = 0;
  // How many substeps a step has at the most: what TracePart::number is less than.
  virtual void expect(std::size_t /*substeps*/) {}
  // A parameter has another value from now on. False if this taker has to be made anew.
  virtual bool set(int /*parameter*/, S /*value*/) { return false; }
  // Forgets the histories; the next step starts from the motion.
  virtual void place(NodeSolver<S>&, const Motion<S>&) {}
  // From the start of the part over its h to the increments dq, dp (without projection) and the unknowns x. The
  // velocity is for guesses.
  virtual void solve(NodeSolver<S>& node, TracePart<S>& part, StepReport& report) = 0;
  // Evaluates the terms at the unknowns of a part that somebody else has solved.
  virtual void adopt(const TracePart<S>&) {}
  // After solve or adopt: adds the action of the part, and its work where there are sources, by the quadrature of the
  // step's own discrete action; leaves its multipliers. What the projection does is not part of the work.
  virtual void tell(const TracePart<S>& part, Trace<S>& trace) = 0;
  // Where the terms were evaluated last, for a diagnosis.
  virtual std::vector<Visited<S>> visited() const { return {}; }
  // From now on the matrix, and never the residual, is regularised by eps times the rows' weights: redundant
  // constraints do not make it singular, and the solution that is found is none other. 0: not at all.
  virtual void regularise(double, const std::vector<double>&) {}
  // What NodeSolver::scales() says of coordinates and constraints.
  virtual void equilibrate(const std::vector<double>&) {}
  // Whether the end momentum is to be projected to G v = 0, and whether it meets it in any case.
  virtual bool projects() const = 0;
  virtual bool hidden() const = 0;
  // Whether its forces act in kicks: the velocity then jumps as no acceleration explains.
  virtual bool kicks() const { return false; }
  // Whether the last multiplier of a step is one that the closure has at its end.
  virtual bool has_end_multiplier() const { return false; }
  // d(q1, p1)/d(q0, p0) of a part, before (q1, p^1) is projected; 2n x 2n.
  // Rows of g that depend on others are left out, and their multipliers held: the map is the same on g = 0.
  virtual void tangent(const TracePart<S>& part, std::vector<S>& out, const std::vector<int>& dependent) = 0;
  // At t_0 + c h of the last part.
  virtual void dense(const Trace<S>& trace, S c, DensePoint<S>& out) const = 0;
  // The balances of the last part; false if the family has none.
  virtual bool balance(const TracePart<S>&, StepBalance<S>&) const { return false; }

  // What guesses need: the numbers of a checkpoint, appended or taken back in the same order.
  virtual void save(std::vector<S>&) const {}
  virtual const S* restore(const S* from) { return from; }
};

}  // namespace extremal
