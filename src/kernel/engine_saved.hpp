// Of PointEngine: checkpoints. A checkpoint is the state, the start of the last small step, what small steps and
// members remember.
#pragma once

#include "kernel/engine.hpp"

namespace extremal {

template <class S>
Checkpoint<S> PointEngine<S>::save() const {
  Checkpoint<S> out;
  save_into(out);
  return out;
}

template <class S>
void PointEngine<S>::restore(const Checkpoint<S>& checkpoint) {
  const S* from = restore_state(checkpoint.numbers.data());
  acceleration_known_ = false;
  if (small_ != nullptr) {
    std::copy_n(from, previous_.size(), previous_.begin());
    from = small_->restore(from + previous_.size());
  }
  ready_ = false;
  detailed_ = true;  // as far as anything is known of the step before
  for (auto& m : members_) from = m->restore(from);
  if (const bool scaled = checkpoint.numbers[Header::scaled] != S(0); scaled || !node_.scales().empty())
    restore_scales(from, scaled);
}

template <class S>
void PointEngine<S>::restore_scales(const S* from, bool scaled) {
  const std::vector<double>& now = node_.scales();
  const std::size_t size = scaled ? sz(system_.size() + system_.constraint_count()) : 0;
  if (now.size() == size && std::equal(now.begin(), now.end(), from, [](double x, S y) { return S(x) == y; })) return;
  std::vector<double> scales(size);
  for (double& x : scales) x = static_cast<double>(*from++);
  node_.equilibrate(scales);
  equilibrate();
}

template <class S>
std::size_t PointEngine<S>::lane_numbers() const {
  if (small_ == nullptr) return 0;
  std::vector<S> numbers;
  small_->save(numbers);
  return 2 * previous_.size() + numbers.size();
}

template <class S>
void PointEngine<S>::save_into(Checkpoint<S>& out) const {
  out.numbers.resize(previous_.size());
  save_state(out.numbers.data());
  if (small_ != nullptr) {
    out.numbers.insert(out.numbers.end(), previous_.begin(), previous_.end());
    small_->save(out.numbers);
  }
  for (const auto& m : members_) m->save(out.numbers);
  out.numbers.insert(out.numbers.end(), node_.scales().begin(), node_.scales().end());
}

template <class S>
void PointEngine<S>::save_state(S* to) const {
  for (const S x :
       {state_.t, t_low_, S(velocity_known_ ? 1 : 0), S(has_stepped_ ? 1 : 0), S(eps_), S(close_),
        S(node_.suitable_eps()), S(pause_), S(patience_), S(by_small_ ? 1 : 0), S(node_.scales().empty() ? 0 : 1)})
    *to++ = x;
  for (const auto* v : {&state_.q, &state_.p, &q_low_, &p_low_, &v_}) to = std::copy(v->begin(), v->end(), to);
}

// The same within small steps, where not much else has changed.
template <class S>
void PointEngine<S>::save_motion() {
  const std::size_t n = state_.q.size();
  S* to = start_.data();
  to[Header::t] = state_.t;
  to[Header::t_low] = t_low_;
  to[Header::has_stepped] = S(has_stepped_ ? 1 : 0);
  to[Header::patience] = S(patience_);
  to[Header::by_small] = S(by_small_ ? 1 : 0);
  to += Header::size;
  for (std::size_t i = 0; i < n; ++i) {
    to[i] = state_.q[i];
    to[n + i] = state_.p[i];
    to[2 * n + i] = q_low_[i];
    to[3 * n + i] = p_low_[i];
    to[4 * n + i] = v_[i];
  }
}

template <class S>
const S* PointEngine<S>::restore_state(const S* from) {
  state_.t = *from++;
  t_low_ = *from++;
  velocity_known_ = *from++ != S(0);
  has_stepped_ = *from++ != S(0);
  regularise(static_cast<double>(*from++));
  close_ = static_cast<int>(*from++);
  node_.suitable_eps(static_cast<double>(*from++));
  pause_ = static_cast<int>(*from++);
  patience_ = static_cast<int>(*from++);
  by_small_ = *from++ != S(0);
  ++from;  // scaled
  for (auto* v : {&state_.q, &state_.p, &q_low_, &p_low_, &v_}) {
    std::copy_n(from, v->size(), v->begin());
    from += v->size();
  }
  return from;
}

}  // namespace extremal
