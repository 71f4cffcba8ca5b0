// StepEngine: what a Stepper is made of – the state and the way it advances. See stepper.hpp for what is promised.
//
// PointEngine (engine.hpp) works on the coordinates as they are; LieEngine (lie/engine.hpp) on rotations.
#pragma once

#include <memory>
#include <vector>

#include "extremal/stepper.hpp"

namespace extremal {

// What the first numbers of a PointEngine's checkpoint are; q, p, what rounding took off them, and v follow.
struct CheckpointHeader {
  enum : std::size_t {
    t,
    t_low,
    velocity_known,
    has_stepped,
    eps,
    close,
    suitable_eps,
    pause,
    patience,
    by_small,
    scaled,  // whether NodeSolver::scales() follow at the end
    size
  };
};

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

  virtual Consistency start(const Start& start, S step) = 0;
  virtual void place(const State<S>& state) = 0;
  virtual const State<S>& state() const = 0;
  virtual StepReport step(S h) = 0;
  virtual void observe(Observation<S>& out, bool multipliers) = 0;
  virtual void observe(const State<S>& state, Observation<S>& out, bool multipliers) = 0;
  virtual bool end_multiplier(std::vector<S>& out) = 0;
  virtual double symmetry_defect(int index) = 0;
  virtual std::vector<S> constraint_jacobian(const std::vector<S>& q, S t) = 0;
  virtual void constraint_norms(const std::vector<S>& q, S t, std::vector<S>& out) = 0;
  virtual const std::vector<S>& multipliers() = 0;
  virtual const std::vector<S>& multiplier_nodes() const = 0;
  virtual const std::vector<S>& node_multiplier() = 0;
  virtual S node_weight() const = 0;
  virtual S node_work() const = 0;
  virtual std::vector<S> tangent() = 0;
  virtual S action() = 0;
  virtual S work() = 0;
  virtual S supplied() = 0;
  virtual void dense(S c, DensePoint<S>& out) = 0;
  virtual bool balance(StepBalance<S>& out) = 0;
  virtual Checkpoint<S> save() const = 0;
  virtual void restore(const Checkpoint<S>& checkpoint) = 0;

  // After a step that failed: the velocity of the state before it, and where the terms were evaluated last.
  virtual const std::vector<S>& velocity() = 0;
  virtual std::vector<Visited<S>> visited() const { return {}; }
  virtual const System& system() const = 0;

  // Of the numbers of a checkpoint, how many at its beginning are state and histories of small steps; 0 if there are no
  // small steps. And whether the last step was one.
  virtual std::size_t lane_numbers() const { return 0; }
  virtual bool in_small_steps() const { return false; }
};

// Chosen by the scheme's family. InputError if the scheme cannot carry the system's terms.
template <class S>
std::unique_ptr<StepEngine<S>> make_engine(const System& system, const Scheme& scheme);
template <class S>
std::unique_ptr<StepEngine<S>> make_point_engine(const System& system, const Scheme& scheme);
template <class S>
std::unique_ptr<StepEngine<S>> make_lie_engine(const System& system, const Scheme& scheme);

}  // namespace extremal
