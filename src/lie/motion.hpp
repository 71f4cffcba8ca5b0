// Motion: the steps of a mechanism whose bodies are known by centre, unit quaternion and momenta in space axes.
//
//   P  = p0 + h b_0 f0 - G0^T mu                   half-step momenta, linear and angular; mu such that
//   x1 = x0 + h P / m,  R1 = R0 F(h R0^T Pi)       g(x1, R1) = 0
//   p1 = P + h b_1 f1 - G1^T nu                    nu such that G1 M1^-1 p1 = 0
// [LewMata2016, section 4.1; constraints as in RATTLE, Andersen1983]. Newton's matrix for mu is h S0 with
// S = G M^-1 G^T, which the projection of p0 has factored already: what it leaves out is O(h).
//
// S is the scalar of all constants and matrices, T that of the motion: S itself, or a dual number over it, which makes
// the derivative of the step.
#pragma once

#include <vector>

#include "lie/loads.hpp"
#include "lie/model.hpp"
#include "lie/schur.hpp"

namespace extremal::lie {

template <class S>
using Dual = Jet<S, 1, 1>;

// p, pi: linear momentum, and angular momentum about the centre.
template <class T>
struct BodyState {
  Vec3<T> x;
  Quaternion<T> q;
  Vec3<T> p, pi;
};

// What a load acts along in a step: the displacement of the centre, or the turn as the directors at one end of the step
// count it, sum d_i x (d_i1 - d_i0) / 2.
template <class T>
T swept(const RigidLoad& load, const Pose<T>& from, const Pose<T>& to, const Pose<T>& here) {
  Vec3<T> along = to.x - from.x;
  if (load.torque)
    along = T(0.5) * (cross(here.R.e1, to.R.e1 - from.R.e1) + cross(here.R.e2, to.R.e2 - from.R.e2) +
                      cross(here.R.e3, to.R.e3 - from.R.e3));
  return load.component == 0 ? along.x : load.component == 1 ? along.y : along.z;
}

template <class T>
struct Momenta {
  Vec3<T> p, pi;
};

enum class Outcome { done, too_fast, stalled, singular };

template <class S>
struct StepResult {
  Outcome outcome = Outcome::stalled;
  int iterations = 0;
  S jump{};        // of the impulses against their guess, as a velocity, relative to the speed; both by their energy
  S residual{};    // largest |g|; for a body that is too fast h |omega|
  int where = -1;  // its row, or the body
};

template <class S, class T = S>
class Motion {
 public:
  explicit Motion(const Model<S>& model);

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
  // Whether StepResult::jump is wanted.
  void watch_jumps(bool wanted) { watching_ = wanted; }
  // The bodies before the last step.
  const std::vector<BodyState<T>>& previous() const { return next_; }
  // Forgets the impulses of former steps.
  void forget() { known_ = 0; }
  // On failure bodies() is as it was; prepare() before the next step.
  StepResult<S> step(S t, S h, S b0, S b1);

  int close_pivots() const { return pivot_.close; }
  int singular_row() const { return pivot_.row; }
  const std::vector<T>& impulses() const { return mu_; }    // of the last step, at its start
  const std::vector<T>& projection() const { return nu_; }  // and at its end
  S gap();                                                  // largest |g|
  S hidden();                                               // largest |G v|
  T kinetic() const;
  T potential() const;  // of gravity and rods; that of the loads is theirs
  Vec3<T> velocity(int body) const { return velocity(body, now_[sz(body)]); }
  Vec3<T> angular_velocity(int body) const { return angular_velocity(body, now_[sz(body)]); }
  Loads<S, T>& loads() { return loads_; }
  // Of the last step: h times the kinetic part of the discrete Lagrangian, and the work of the loads that are forces.
  const T& kinetic_action() const { return action_; }
  const T& work() const { return work_; }

  // Impulses of the last three steps, newest first, and the length of the last, for a checkpoint.
  void save(std::vector<S>& out) const;
  const S* restore(const S* from);

 private:
  static std::size_t sz(int i) { return static_cast<std::size_t>(i); }
  static constexpr int most_iterations = 100;
  const Pose<T>& at(const std::vector<Pose<T>>& poses, int body) const { return body < 0 ? ground_ : poses[sz(body)]; }
  void evaluate(const std::vector<Pose<T>>& poses, std::vector<T>& g, std::vector<Covector<T>>* Ga,
                std::vector<Covector<T>>* Gb) const;
  // momenta -= factor G^T mu
  template <class M>
  void subtract(const std::vector<T>& mu, std::vector<M>& momenta) const;
  Vec3<T> velocity(int body, const BodyState<T>& state) const;
  Vec3<T> angular_velocity(int body, const BodyState<T>& state) const;
  void drive(S t, std::vector<BodyState<T>>& bodies) const;
  void add_rods();
  template <class M>
  void decay(S factor, std::vector<M>& momenta, bool divide) const;
  template <class M>
  void kick(const std::vector<Covector<T>>& force, S factor, std::vector<M>& momenta) const;
  void forces(S t);
  int drift(S t, S h, S* speed);
  bool factor();
  void find_reach();
  void find_slopes();
  S rate(const std::vector<BodyState<T>>& bodies, std::vector<T>& out) const;  // G v
  void solve(std::vector<T>& b, S factor, std::vector<T>& sum);
  void guess(S h);
  S jump(S h);
  S largest(const std::vector<T>& list, int* where) const;
  void drag(const std::vector<Pose<T>>& at, S h, S t, std::vector<Covector<T>>& out);
  S renew_drag(S h, S t, S b0);
  S floor() const;

  const Model<S>& model_;
  Loads<S, T> loads_;
  Schur<S> schur_;
  typename Schur<S>::Pivot pivot_;
  std::vector<BodyState<T>> now_, next_;
  std::vector<Momenta<T>> half_, change_;
  std::vector<Pose<T>> pose_, next_pose_;
  Pose<T> ground_;
  std::vector<Covector<T>> force_, drag_, renewed_, Ga_, Gb_, next_Ga_, next_Gb_;
  std::vector<T> mu_, guess_, nu_, g_;
  std::vector<S> rhs_, eps_;
  std::vector<Covector<S>> value_Ga_, value_Gb_;
  std::vector<InverseMass<S>> inverse_;
  std::vector<S> history_[3];
  int known_ = 0;
  S last_h_{}, reach_{}, slopes_{1};
  bool forces_known_ = false, watching_ = false;
  S forces_time_{};
  T action_{}, work_{}, decayed_{};
};

}  // namespace extremal::lie
