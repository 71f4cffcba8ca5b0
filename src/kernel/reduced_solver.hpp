// ReducedSolver: solves the equations of a hamilton step in fewer unknowns than these have, where the system allows it.
//
// The solution is handed on in all unknowns, as if Newton's method had found it there: whoever asks of the step asks
// the same, and the residual of all equations says whether the solution is one.
#pragma once

#include <memory>
#include <vector>

#include "extremal/stepper.hpp"
#include "kernel/galerkin.hpp"

namespace extremal {

template <class S>
class ReducedSolver {
 public:
  virtual ~ReducedSolver() = default;
  // From the guess x to the solution, at which `residual` has been called last. False if it is not found: x is then of
  // no use, and nothing has happened.
  virtual bool solve(const StepStart<S>& start, GalerkinResidual<S>& residual, std::vector<S>& x,
                     StepReport& report) = 0;
};

// Null where system or scheme do not allow it.
template <class S>
std::unique_ptr<ReducedSolver<S>> make_reduced_solver(const System& system, const Galerkin& scheme);

}  // namespace extremal
