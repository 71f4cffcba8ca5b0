// BranchWatch: whether a step has changed to another branch of motions.
//
// Where two branches of motions cross (a parallelogram folded flat may unfold crossed), a step may end on the other one
// with g = 0 to round-off; and the equations of ggl have further roots close to singular configurations. Only the
// velocity shows it: it changes by what no acceleration explains. On a smooth motion the jump
// |v1 - v0 - h (a0 + a1) / 2| is O(h^3), for ggl O(h^2) as h times the change of the acceleration is. At rest there is
// nothing but round-off to compare.
#pragma once

#include <algorithm>
#include <vector>

#include "kernel/node.hpp"
#include "kernel/rank.hpp"
#include "numbers/index.hpp"
#include "step/motion.hpp"

namespace extremal {

template <class S>
class BranchWatch {
 public:
  explicit BranchWatch(const System& system)
      : loop_(system.constraint_count() > 0 && !system.has(Role::hamiltonian) && has_loop(system)),
        driven_(std::any_of(system.terms().begin(), system.terms().end(), [](const auto& t) { return t->uses_time; })) {
    for (auto* v : {&a_, &from_v_, &from_a_}) v->assign(sz(system.size()), S(0));
    lambda_.assign(sz(system.constraint_count()), S(0));
  }

  // Without loops there is one branch only, and kicks cannot be told from changes of the branch.
  bool is_needed() const { return loop_; }
  void rest() { loop_ = false; }
  // The motion is another one.
  void forget() { known_ = false; }
  void begin(NodeSolver<S>& node, const Motion<S>& motion) {
    find_acceleration(node, motion);
    from_v_ = motion.v;
    from_a_ = a_;
  }
  // After a substep over h.
  bool is_left(NodeSolver<S>& node, const Motion<S>& motion, S h) {
    known_ = false;
    find_acceleration(node, motion);
    const std::vector<S>& v = motion.v;
    S jump(0), speed(0), turn(0);
    for (std::size_t i = 0; i < v.size(); ++i) {
      const S d = v[i] - from_v_[i] - h * (a_[i] + from_a_[i]) / S(2), b = h * (a_[i] - from_a_[i]);
      jump += d * d;
      turn += b * b;
      speed += v[i] * v[i] + from_v_[i] * from_v_[i];
    }
    from_v_ = v;
    from_a_ = a_;
    jump = math::sqrt(jump), turn = math::sqrt(turn), speed = math::sqrt(speed);
    // Loads that depend on time may jump, and the acceleration with them.
    const bool large = jump > S(0.1) * speed && !(driven_ && jump <= turn);
    const bool unexplained = jump > S(0.003) * speed + S(3) * turn;
    if (!math::finite(jump)) return true;
    return speed > S(0) && (large || unexplained) && jump > round_off(node, motion, h);
  }

 private:
  // Of a velocity after a step: a thousand units in the last place of q, which is what Newton's method leaves of it at
  // the most, in a step; and of the accelerations that cancel each other where a mechanism carries loads.
  S round_off(NodeSolver<S>& node, const Motion<S>& motion, S h) const {
    S reach(0);
    for (const S& x : motion.state.q) reach += x * x;
    const S loads = node.loads(motion.state.q.data(), motion.v.data(), motion.state.t, lambda_.data());
    return S(1000) * Scalar<S>::epsilon * (math::sqrt(reach) / math::abs(h) + math::abs(h) * loads);
  }
  void find_acceleration(NodeSolver<S>& node, const Motion<S>& motion) {
    if (known_) return;
    if (!node.acceleration(motion.state.q.data(), motion.v.data(), motion.state.t, a_.data(), lambda_.data()))
      std::fill(a_.begin(), a_.end(), S(0));
    known_ = true;
  }

  bool loop_, driven_;
  bool known_ = false;  // a_ and lambda_ are those of the motion
  std::vector<S> a_, lambda_, from_v_, from_a_;
};

}  // namespace extremal
