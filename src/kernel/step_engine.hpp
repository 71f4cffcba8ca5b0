// StepEngine: what a Stepper is made of – the state and the way it advances. See stepper.hpp for what is promised.
//
// PointEngine (engine.hpp) works on the coordinates as they are; LieEngine (lie/engine.hpp) on rotations.
#pragma once

#include <memory>
#include <vector>

#include "extremal/stepper.hpp"

namespace extremal {

template <class S>
class StepEngine {
 public:
  virtual ~StepEngine() = default;

  virtual Consistency start(const Start& start, S step) = 0;
  virtual void place(const State<S>& state) = 0;
  virtual const State<S>& state() const = 0;
  virtual StepReport step(S h) = 0;
  virtual void observe(Observation<S>& out, bool multipliers) = 0;
  virtual double symmetry_defect(int index) = 0;
  virtual std::vector<S> constraint_jacobian(const std::vector<S>& q, S t) = 0;
  virtual void constraint_norms(const std::vector<S>& q, S t, std::vector<S>& out) = 0;
  virtual const std::vector<S>& multipliers() = 0;
  virtual const std::vector<S>& multiplier_nodes() const = 0;
  virtual const std::vector<S>& node_multiplier() = 0;
  virtual S node_weight() const = 0;
  virtual std::vector<S> tangent() = 0;
  virtual S action() = 0;
  virtual S work() const = 0;
  virtual void dense(S c, DensePoint<S>& out) = 0;
  virtual bool balance(StepBalance<S>& out) = 0;
  virtual Checkpoint<S> save() const = 0;
  virtual void restore(const Checkpoint<S>& checkpoint) = 0;
};

// Chosen by the scheme's family. InputError if the scheme cannot carry the system's terms.
template <class S>
std::unique_ptr<StepEngine<S>> make_point_engine(const System& system, const Scheme& scheme);
template <class S>
std::unique_ptr<StepEngine<S>> make_lie_engine(const System& system, const Scheme& scheme);

}  // namespace extremal
