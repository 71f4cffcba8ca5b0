// Motion: the steps of a mechanism whose bodies are known by centre, unit quaternion and momenta in space axes.
//
//   P  = p0 + h b_0 f0 - G0^T mu                   half-step momenta, linear and angular; mu such that
//   x1 = x0 + h P / m,  R1 = R0 F(h R0^T Pi)       g(x1, R1) = 0
//   p1 = P + h b_1 f1 - G1^T nu                    nu such that G1 M1^-1 p1 = 0
// [LewMata2016, section 4.1; constraints as in RATTLE, Andersen1983]. Newton's matrix for mu is h S0 with
// S = G M^-1 G^T, which the projection of p0 has factored already: what it leaves out is O(h). Forces that depend on
// the end of the step, by the velocity or because they are those of its middle, are iterated with mu.
//
// S is the scalar of all constants and matrices, T that of the motion: S itself, or a dual number over it, which makes
// the derivative of the step.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "lie/body_state.hpp"
#include "lie/forces.hpp"
#include "lie/joints.hpp"
#include "lie/model.hpp"
#include "numbers/index.hpp"

namespace extremal::lie {

enum class Outcome { done, too_fast, stalled, singular, not_finite };

template <class S>
struct StepResult {
  Outcome outcome = Outcome::stalled;
  int iterations = 0;
  bool jumped = false;  // the impulses are none that those of the steps before lead to
  S residual{};         // largest |g|; for a body that is too fast h |omega|
  int where = -1;       // its row, or the body
};

// A step that was taken, for what is asked of it. `turned` is Motion::free_turns() of the step, where bodies turn
// freely.
template <class S, class T = S>
struct TakenStep {
  S t, h;
  const StepRule<S>& rule;
  const std::vector<BodyState<T>>&from, &to;
  const std::vector<Vec3<T>>& turned;
};

template <class S, class T = S>
class Motion {
 public:
  Motion(const Model<S>& model, Workers& workers);

  std::vector<BodyState<T>>& bodies() { return now_; }
  const std::vector<BodyState<T>>& bodies() const { return now_; }
  const std::vector<Pose<T>>& poses() const { return pose_; }

  // Puts driven bodies where they are at a time; prepare() after it.
  void follow_drives(S t);
  // After bodies() was changed: poses, G and the factors of S at the current state. False if S is singular.
  bool prepare();
  // Makes the momenta consistent, G M^-1 p = 0.
  void project();
  // Regularises S by eps times the rows' weights; the residuals stay as they are.
  void regularise(double eps);
  // Whether StepResult::jumped is wanted.
  void watch_jumps(bool wanted) { watching_ = wanted; }
  // The bodies before the last step.
  const std::vector<BodyState<T>>& previous() const { return next_; }
  // Forgets the impulses of former steps.
  void forget() { known_ = 0; }
  // On failure bodies() is as it was; prepare() before the next step.
  StepResult<S> step(S t, S h, const StepRule<S>& rule);

  bool is_finite() const;
  bool drags() const { return forces_.damped(); }  // some load depends on the velocity

  int close_pivots() const { return joints_.pivot().close; }
  const std::vector<T>& impulses() const { return mu_; }    // of the last step, at its start
  const std::vector<T>& projection() const { return nu_; }  // and at its end
  S gap();                                                  // largest |g|
  S floor() const;                                          // what round-off leaves of g
  S hidden();                                               // largest |G v|
  T kinetic() const;
  T potential(S t) { return forces_.potential(t, now_, pose_); }
  Vec3<T> angular_velocity(std::size_t body) const;
  // Of the last step: the work of every load that is a force, of damping, and of all drives.
  const std::vector<S>& work() const { return work_; }

  // Of free rotations in the last step, body by body: h R0^T Pi.
  const std::vector<Vec3<T>>& free_turns() const { return turned_; }
  // motion_taken.cpp, of a step that was taken: h times the discrete Lagrangian; and the impulses at one of its ends,
  // one for each of Model::held_points, that the motion has no multipliers of.
  T action(const TakenStep<S, T>& step);
  std::vector<Vec3<T>> held_impulses(const TakenStep<S, T>& step, bool at_end);

  // Impulses of the last four steps, newest first, and the length of the last, for a checkpoint.
  void save(std::vector<S>& out) const;
  const S* restore(const S* from);

 private:
  static constexpr int most_iterations = 100;
  void drive(S t, std::vector<BodyState<T>>& bodies) const;
  template <class M>
  void decay(S factor, std::vector<M>& momenta, bool divide) const;
  template <class M>
  void kick(const std::vector<Covector<T>>& force, S factor, std::vector<M>& momenta) const;
  // Positions at the end of the step from the half-step momenta. False if a body turns too far.
  bool drift(S t, S h, const StepRule<S>& rule, StepResult<S>& result);
  // Steps of bodies that nothing joins, drives or damps, freely turned between kicks.
  bool glides(const StepRule<S>& rule) const;
  void glide(S first, S last, S h, const StepRule<S>& rule);
  bool iterate(S t, S h, const StepRule<S>& rule, StepResult<S>& result);
  void find_reach();  // floor() needs it
  void find_slopes();
  Vec3<T> velocity(std::size_t body) const;
  S rate();  // g_ = G v, of the current state
  // Of driven bodies where they are: kinetic energy, the power of forces, and what impulses at the joints do.
  S driven_kinetic() const;
  S driven_power(const std::vector<Covector<T>>& force) const;
  void find_driven_rate();
  S driven_work(const std::vector<T>& impulses) const;
  S largest(const std::vector<T>& list) const;
  void guess(S h);
  void shorten(std::vector<T>& mu, int passes);
  void correct(S h);
  void remember(S h);
  bool jumped(S h);
  // Forces of the step that depend on its end, as they act at one of its ends.
  bool implicit(const StepRule<S>& rule) const { return rule.middle || forces_.damped(); }
  void find_drag(bool at_end, S t, S h, const StepRule<S>& rule, std::vector<Covector<T>>& out);
  S renew_drag(S h, S t, const StepRule<S>& rule);
  // The kinetic action of a body between the ends of the last step, or of the one to come.
  T kinetic_action(std::size_t body, const BodyState<T>& from, const BodyState<T>& to, S h, const StepRule<S>& rule,
                   const Vec3<T>& turned) const;
  // The work of a kick at the poses `at`, exact for the mean of the velocities before and after it.
  template <class M>
  void add_kick_work(S t, S weight, const std::vector<M>& before, const std::vector<BodyState<T>>& after);

  template <class Item>
  void fill(std::vector<Item>& to, const Item& item) {
    workers_.share(to.size(), [&](std::size_t begin, std::size_t end) {
      std::fill(to.begin() + static_cast<std::ptrdiff_t>(begin), to.begin() + static_cast<std::ptrdiff_t>(end), item);
    });
  }
  template <class Item>
  void copy(const std::vector<Item>& from, std::vector<Item>& to) {
    workers_.share(to.size(), [&](std::size_t begin, std::size_t end) {
      std::copy(from.data() + begin, from.data() + end, to.data() + begin);
    });
  }

  const Model<S>& model_;
  Workers& workers_;
  Forces<S, T> forces_;
  Joints<S, T> joints_;
  std::vector<BodyState<T>> now_, next_;
  std::vector<Momenta<T>> kicked_, half_, change_, velocity_;
  std::vector<Pose<T>> pose_, next_pose_;
  std::vector<Covector<T>> drag_, renewed_;
  std::vector<T> mu_, guess_, correction_, rest_, nu_, g_;
  std::vector<Vec3<T>> turned_;
  std::vector<S> history_[4];
  int known_ = 0;
  S last_h_{}, reach_{}, slopes_{1};
  bool watching_ = false;
  std::vector<S> work_;
  std::vector<T> driven_rate_;
};

template <class S, class T>
template <class M>
void Motion<S, T>::kick(const std::vector<Covector<T>>& force, S factor, std::vector<M>& momenta) const {
  const T c(factor);
  workers_.share(momenta.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto& body = model_.bodies[i];
      if (body.moves) momenta[i].p = momenta[i].p + c * force[i].r;
      if (body.swings) momenta[i].pi = momenta[i].pi + c * force[i].theta;
    }
  });
}

template <class S, class T>
inline Vec3<T> Motion<S, T>::velocity(std::size_t body) const {
  const auto& constants = model_.bodies[body];
  return T(constants.drive < 0 ? constants.inverse_mass : S(1) / constants.mass) * now_[body].p;
}

template <class S, class T>
inline Vec3<T> Motion<S, T>::angular_velocity(std::size_t body) const {
  const Columns<T>& R = pose_[body].R;
  const auto& constants = model_.bodies[body];
  Vec3<S> inverse = constants.inverse_inertia;
  if (constants.drive >= 0) {
    const Vec3<S>& J = constants.inertia;
    inverse = {S(1) / J.x, S(1) / J.y, S(1) / J.z};
  }
  return R.to_space(scaled(lifted<S, T>(inverse), R.to_body(now_[body].pi)));
}

}  // namespace extremal::lie
