// Forces: gravity, rods and loads on the bodies of a mechanism.
//
// A force on the centre of a body that is held at another point is a torque about that point.
#pragma once

#include <vector>

#include "lie/body_state.hpp"
#include "lie/dual.hpp"
#include "lie/loads.hpp"
#include "lie/model.hpp"
#include "numbers/index.hpp"

namespace extremal::lie {

// What a load acts along in a step: the displacement of the centre, or the turn as the directors at one end of the step
// count it, sum d_i x (d_i1 - d_i0) / 2.
template <class T>
T swept(const RigidLoad& load, const Vec3<T>& shift, const Pose<T>& from, const Pose<T>& to, const Pose<T>& here) {
  Vec3<T> along = shift;
  if (load.torque)
    along = T(0.5) * (cross(here.R.e1, to.R.e1 - from.R.e1) + cross(here.R.e2, to.R.e2 - from.R.e2) +
                      cross(here.R.e3, to.R.e3 - from.R.e3));
  return load.component == 0 ? along.x : load.component == 1 ? along.y : along.z;
}

template <class S, class T>
class Forces {
 public:
  using Poses = std::vector<Pose<T>>;

  explicit Forces(const Model<S>& model);

  // The bodies were moved.
  void forget() { known_ = false; }
  // Those that do not depend on the velocity, one per body, found anew where bodies or time have moved.
  const std::vector<Covector<T>>& at(S t, const std::vector<BodyState<T>>& bodies, const Poses& poses);
  // Whether there is nothing but weight, whose torque on a body that hangs is that of its own pose.
  bool weight_only() const { return weight_only_; }
  // All loads, where some of them depend on the velocity: that between two places, the ends of a step.
  bool damped() const { return loads_.damped(); }
  void drag(const Poses& at, const Poses& from, const Poses& to, S h, S t, std::vector<Covector<T>>& out);
  // All forces in the middle between two places, as they act on the bodies at one of them.
  void middle(const Poses& at, const Poses& from, const Poses& to, S h, S t, std::vector<Covector<T>>& out);
  // Of those that are no potentials, over a step.
  bool worked() const { return loads_.forced() || !model_.plain_loads.empty(); }
  // One after the other: those given as terms, then the plain ones.
  int sources() const { return loads_.sources() + static_cast<int>(model_.plain_loads.size()); }
  void add_work(const Poses& from, const Poses& to, S h, S t, const StepRule<S>& rule, S* out);
  // The same of a kick of a weight, for the velocities of centres and bodies at it.
  void add_kick_work(const Poses& at, const std::vector<Momenta<T>>& velocities, S t, S weight, S* out);
  T potential(S t, const std::vector<BodyState<T>>& bodies, const Poses& poses);
  T middle_potential(S t, const Poses& from, const Poses& to);

 private:
  void add_plain(S t, std::vector<Covector<T>>& forces) const;
  void add_rods(const std::vector<BodyState<T>>& bodies);
  void turn_hung(const Poses& poses, std::vector<Covector<T>>& forces) const;

  const Model<S>& model_;
  Loads<S, T> loads_;
  std::vector<Covector<T>> force_;
  std::vector<std::size_t> hung_;
  bool known_ = false, found_ = false;
  bool weight_only_ = false;  // there is nothing else: only the torques of bodies that hang change
  S time_{};
};

}  // namespace extremal::lie
