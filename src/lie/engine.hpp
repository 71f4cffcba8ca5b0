// LieEngine: a Stepper for mechanisms whose bodies turn by rotations.
//
// To the outside the state is that of the system, centres and directors; inside it is centres, quaternions and momenta
// in space axes. A step is the same map as that of the hamilton member with the same rule on the directors, and that
// member takes the steps at which the fast iteration here fails or must not be trusted: close to singular
// configurations, and where an impulse jumps. StepReport::remedy says so.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernel/step_engine.hpp"
#include "lie/directors.hpp"
#include "lie/rod_motion.hpp"
#include "numbers/index.hpp"

namespace extremal::lie {

template <class S>
class LieEngine final : public StepEngine<S> {
 public:
  LieEngine(const System& system, const Scheme& scheme);

  Consistency start(const Start& start, S step) override;
  void place(const State<S>& state) override;
  const State<S>& state() const override;
  const std::vector<S>& velocity() const override;
  const System& system() const override { return system_; }
  StepReport step(S h) override;
  void observe(Observation<S>& out, bool multipliers) const override;
  void observe(const State<S>& state, Observation<S>& out, bool multipliers) const override;
  bool end_multiplier(std::vector<S>&) const override { return false; }  // those of rigidity do not exist
  double symmetry_defect(int index) const override;
  std::vector<S> constraint_jacobian(const std::vector<S>& q, S t) const override;
  void constraint_norms(const std::vector<S>& q, S t, std::vector<S>& out) const override;
  const Trace<S>& trace() const override;
  Work<S> work() const override { return {work_, supplied_}; }
  std::vector<S> tangent() const override;
  void dense(S c, DensePoint<S>& out) const override;
  Checkpoint<S> save() const override;
  void restore(const Checkpoint<S>& checkpoint) override;

 private:
  struct Member {
    S coefficient, b0, b1;
    Scheme directors;  // the hamilton member that is the same map
  };
  void append(const Scheme& scheme, S factor);
  // The last step taken once more, by the directors alone.
  std::unique_ptr<StepEngine<S>> retaken() const;
  // The engine of the directors, made when it is needed first, placed where the bodies are.
  StepEngine<S>& directors(const Member& member) const;
  bool advance(const Member& member, S t, S h, StepReport& report);
  bool by_directors(const Member& member, S t, S h, Trouble trouble, StepReport& report);
  Trouble trouble_of(const StepResult<S>& result) const;
  void describe(const StepResult<S>& result, S h, StepReport& report) const;
  void take(const State<S>& state);
  bool start_here(const Start& start, Consistency& found);
  void refuse_long(S step) const;
  void regularise(double eps);
  S potential() const;
  void find_multipliers() const;
  S action() const;
  StepReport step_rods(S h);
  // Rods: the bodies as the kernel has them; and those before the last step, by taking it back.
  void sync() const;
  void recover() const;

  System system_;
  Scheme scheme_;
  Model<S> model_;
  mutable Motion<S> motion_;
  std::unique_ptr<RodMotion<S>> rods_;  // does the steps of a mechanism of rods
  mutable bool synced_ = true;
  mutable S seen_t_{};  // of the bodies when they were synced last
  mutable std::unique_ptr<Motion<S, Dual<S>>> dual_;
  std::unique_ptr<Evaluation<S>> symmetries_;
  std::vector<Member> members_;
  mutable std::unique_ptr<StepEngine<S>> directors_;
  mutable const Scheme* directors_of_ = nullptr;
  mutable std::vector<BodyState<S>> before_, from_;  // the bodies before the last step, and before its last substep
  mutable State<S> state_;
  mutable bool current_ = false;          // state_ is that of the bodies
  mutable bool directors_moved_ = false;  // by a step of its own
  mutable Trace<S> trace_;
  mutable std::vector<S> velocity_;
  S t_{}, t_low_{}, before_t_{}, last_h_{}, work_{}, supplied_{};
  std::vector<S> sources_;  // of the work over the last step, but for what the directors did
  double eps_ = 0;
  int redundant_ = 0;                                                  // rows, at the start
  int close_ = 0;                                                      // pivots that are small from the start
  bool loop_ = false, fell_back_ = false, last_by_directors_ = false;  // any substep of the last step, its last one
};

}  // namespace extremal::lie
