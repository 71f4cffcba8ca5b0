// Of PointEngine: steps of small systems with eliminated stages (small/step.hpp), and how they and the others take
// turns.
#pragma once

#include "kernel/engine.hpp"

namespace extremal {

template <class S>
void PointEngine<S>::make_small() {
  std::vector<S> parameters;
  for (const Number& p : system_.parameters()) parameters.push_back(p.as<S>());
  small_ = SmallMotion<S>::make(system_, parameters, small_plan<S>(scheme_));
}

template <class S>
void PointEngine<S>::leave_small() {
  by_small_ = ready_ = false;
  if (small_ != nullptr) small_->forget();
}

// False, and nothing has happened, if the general kernel has to take the step. It then takes some more: where steps are
// too long for the elimination they stay so for a while.
template <class S>
bool PointEngine<S>::small_step(S h, StepReport& report) {
  if (pause_ > 0) {
    --pause_;
    return false;
  }
  ensure_velocity();
  if (!ready_) {
    for (auto& m : members_) m->place(node_, state_.t, state_.q.data(), state_.p.data());
    save_into(saved_);
    save_state(start_.data());
    if (!by_small_) previous_ = start_;
    ready_ = true;
  }
  save_motion();
  const S t0 = state_.t;
  const SmallState<S> state{state_.q.data(), state_.p.data(), q_low_.data(), p_low_.data(), v_.data()};
  const bool fine = small_->step(t0, h, state, [&](S t, const S* q, const S* v, S* lambda) {
    return lambda_.empty() || node_.acceleration(q, v, t, a_.data(), lambda);
  });
  report.iterations += small_->iterations();
  if (!fine) {
    restore_state(start_.data());
    const bool follows = by_small_;
    leave_small();
    if (follows) continue_members();
    patience_ = std::min(2 * patience_ + 1, 63);
    pause_ = patience_;
    return false;
  }
  if (patience_ > 0) --patience_;
  start_.swap(previous_);
  pass(t0, h);
  plan_ = &substeps_;
  by_small_ = has_stepped_ = true;
  acceleration_known_ = detailed_ = false;
  report.residual = static_cast<double>(small_->residual());
  report.converged = true;
  return true;
}

// saved_ is the checkpoint before the last step but for the state, if that was a small one.
template <class S>
void PointEngine<S>::complete_saved() {
  if (by_small_) std::copy(previous_.begin(), previous_.end(), saved_.numbers.begin());
}

// The general kernel continues polynomials of the step before: it takes that one, too, where it has not.
template <class S>
void PointEngine<S>::continue_members() {
  const S now = state_.t;
  restore_state(previous_.data());
  const S length = now - state_.t;
  StepReport report;
  attempt(substeps_, length, report);
  restore_state(start_.data());
  by_small_ = false;
}

// What only the members can tell of a step is found by having them take it again.
template <class S>
void PointEngine<S>::detail() {
  if (!by_small_ || detailed_) return;
  const Checkpoint<S> here = save();
  restore_state(previous_.data());
  StepReport report;
  attempt(substeps_, last_h_, report);
  restore_state(here.numbers.data());
  for (auto& m : members_) m->place(node_, state_.t, state_.q.data(), state_.p.data());  // no history
  acceleration_known_ = false;
  detailed_ = true;
}

}  // namespace extremal
