// LieEngine: a Stepper for mechanisms whose bodies turn by rotations.
//
// To the outside the state is that of the system, centres and directors; inside it is centres, quaternions and momenta
// in space axes, which one Motion owns, or the kernel of rods. A step of a rule at the ends is the same map as that of
// the hamilton member with the same rule on the directors, and that member takes the steps at which the fast iteration
// here fails or must not be trusted: close to singular configurations, and where an impulse jumps. StepReport::remedy
// says so.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernel/step_engine.hpp"
#include "lie/directors.hpp"
#include "lie/lie_trace.hpp"
#include "lie/look.hpp"
#include "lie/rod_motion.hpp"
#include "numbers/index.hpp"

namespace extremal::lie {

// A step is made of these, one after the other.
template <class S>
struct LieSubstep {
  S coefficient;
  StepRule<S> rule;
  std::size_t directors;  // into those of the engine
};

// The hamilton member with the same rule on the directors, with an engine from when it is needed first.
template <class S>
struct DirectorMember {
  Scheme scheme;
  std::unique_ptr<StepEngine<S>> engine;
};

template <class S>
class LieEngine final : public StepEngine<S> {
 public:
  LieEngine(const System& system, const Scheme& scheme);

  // engine_start.cpp
  Consistency start(const Start& start, S step) override;
  void place(const State<S>& state) override;
  std::unique_ptr<StepEngine<S>> with(const System& system, bool started) const override {
    auto other = std::make_unique<LieEngine>(system, scheme_);
    other->threads(rods_ != nullptr ? rods_->threads() : workers_.number());
    if (started) other->place(state());
    return other;
  }
  Checkpoint<S> save() const override;
  void restore(const Checkpoint<S>& checkpoint) override;

  // engine.cpp
  StepReport step(S h) override;
  void threads(int number) override;
  Work<S> work() const override { return {trace_.work, trace_.supplied}; }

  // engine_look.cpp: what is asked of the motion as it is, and of the last step.
  const System& system() const override { return system_; }
  const State<S>& state() const override;
  const std::vector<S>& velocity() const override;
  void observe(Observation<S>& out, bool multipliers) const override;
  void observe(const State<S>& state, Observation<S>& out, bool multipliers) const override;
  bool end_multiplier(std::vector<S>&) const override { return false; }  // those of rigidity do not exist
  double symmetry_defect(int index) const override;
  std::vector<S> constraint_jacobian(const std::vector<S>& q, S t) const override;
  void constraint_norms(const std::vector<S>& q, S t, std::vector<S>& out) const override;
  void hidden(const std::vector<S>& q, const std::vector<S>& v, S t, std::vector<S>& out) const override;
  const Trace<S>& trace() const override;
  void dense(S c, DensePoint<S>& out) const override;

  // engine_tangent.cpp
  std::vector<S> tangent() const override;

 private:
  // The motion as the system's coordinates have it.
  struct Shown {
    bool known = false;
    State<S> state;
    std::vector<S> v;
  };
  // How the matrices are regularised, and how many pivots are small from the start.
  struct Dependence {
    double eps = 0;
    int redundant = 0, close = 0;
    bool loop = false;
  };

  void append(const Scheme& scheme, S factor);
  void refuse_unfree() const;
  StepEngine<S>& directors(std::size_t which) const;
  Look<S>& look() const;  // made when it is needed first
  StepReport step_rods(S h);
  // One substep of the plan.
  bool advance(std::size_t k, S t, S h, StepReport& report);
  bool by_directors(std::size_t k, S t, S h, Trouble trouble, StepReport& report);
  Trouble trouble_of(const StepResult<S>& result, bool replaceable) const;
  void describe(const StepResult<S>& result, const StepRule<S>& rule, S h, StepReport& report) const;
  void take(const State<S>& state);
  void pass(S t0, S h);
  bool start_here(const Start& start, Consistency& found);
  void refuse_long(S step) const;
  void regularise(double eps);
  const std::vector<BodyState<S>>& bodies() const;
  const Shown& shown() const;
  // The bodies at the start of a substep of the last step; and the substep, for what Motion is asked of it.
  const std::vector<BodyState<S>>& start_of(std::size_t k) const;
  TakenStep<S> taken(std::size_t k) const;
  // The last step taken once more, by the directors alone.
  std::unique_ptr<StepEngine<S>> retaken() const;
  void find_multipliers() const;
  S action() const;

  System system_;
  Scheme scheme_;
  std::vector<LieSubstep<S>> plan_;
  mutable std::vector<DirectorMember<S>> directors_;
  Model<S> model_;
  mutable Workers workers_;
  mutable Motion<S> motion_;
  std::unique_ptr<RodMotion<S>> rods_;  // takes the steps of a mechanism of rods
  mutable std::unique_ptr<Motion<S, Dual<S>>> dual_;
  mutable std::unique_ptr<Look<S>> look_;
  S t_{}, t_low_{};
  mutable LieTrace<S> trace_;
  Dependence dependence_;
  mutable Shown shown_;
};

}  // namespace extremal::lie
