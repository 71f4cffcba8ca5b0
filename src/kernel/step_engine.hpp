// StepEngine: what a Stepper is made of – a motion and the way it advances. See stepper.hpp for what is promised.
//
// PointEngine (engine.hpp) works on the coordinates as they are; LieEngine (lie/engine.hpp) on rotations. What is asked
// of the last step is answered from its Trace: questions change nothing and take no step.
#pragma once

#include <memory>
#include <vector>

#include "extremal/stepper.hpp"
#include "step/trace.hpp"

namespace extremal {

// Nodes at which terms were evaluated: count x n coordinates, as many velocities or null, count times.
template <class S>
struct Visited {
  int count = 0;
  const S *q = nullptr, *v = nullptr, *t = nullptr;
};

template <class S>
class StepEngine {
 public:
  virtual ~StepEngine() = default;

  virtual const System& system() const = 0;
  virtual Consistency start(const Start& start, S step) = 0;
  virtual void place(const State<S>& state) = 0;
  virtual StepReport step(S h) = 0;
  virtual void threads(int /*number*/) {}
  // A parameter has another value from now on. False, and this engine is of no use any more, if that needs other
  // equations: `with` has them, for a variant of the same system, and the same motion.
  virtual bool set(int /*parameter*/, S /*value*/) { return false; }
  virtual std::unique_ptr<StepEngine> with(const System& system, bool started) const = 0;

  // Of the motion as it is.
  virtual const State<S>& state() const = 0;
  virtual const std::vector<S>& velocity() const = 0;
  virtual void observe(Observation<S>& out, bool multipliers) const = 0;
  virtual double symmetry_defect(int index) const = 0;
  // Of any position.
  virtual void observe(const State<S>& state, Observation<S>& out, bool multipliers) const = 0;
  virtual std::vector<S> constraint_jacobian(const std::vector<S>& q, S t) const = 0;
  virtual void constraint_norms(const std::vector<S>& q, S t, std::vector<S>& out) const = 0;
  virtual void hidden(const std::vector<S>& q, const std::vector<S>& v, S t, std::vector<S>& out) const = 0;

  // Of the last step. Its work is asked for at every step of a run, the rest of the trace now and then.
  virtual const Trace<S>& trace() const = 0;
  virtual Work<S> work() const = 0;
  virtual bool end_multiplier(std::vector<S>& out) const = 0;
  virtual std::vector<S> tangent() const = 0;
  virtual void dense(S c, DensePoint<S>& out) const = 0;
  virtual bool balance(StepBalance<S>&) const { return false; }
  // After a step that failed: where the terms were evaluated last.
  virtual std::vector<Visited<S>> visited() const { return {}; }

  virtual Checkpoint<S> save() const = 0;
  virtual void restore(const Checkpoint<S>& checkpoint) = 0;

  // Lanes take motions on that advance by small steps: whether this one can, and does; its motion and what small steps
  // remember of it, as numbers in the order of Motion and SmallTaker; and these numbers after `steps` steps in lanes.
  virtual bool has_small_steps() const { return false; }
  virtual bool in_small_steps() const { return false; }
  virtual void lend(std::vector<S>&) const {}
  virtual void take_back(const std::vector<S>&, long /*steps*/) {}
};

// Chosen by the scheme's family. InputError if the scheme cannot carry the system's terms.
template <class S>
std::unique_ptr<StepEngine<S>> make_engine(const System& system, const Scheme& scheme);
template <class S>
std::unique_ptr<StepEngine<S>> make_point_engine(const System& system, const Scheme& scheme);
template <class S>
std::unique_ptr<StepEngine<S>> make_lie_engine(const System& system, const Scheme& scheme);

}  // namespace extremal
