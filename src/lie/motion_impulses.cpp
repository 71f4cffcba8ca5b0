// Motion: the impulses of joints, forces that depend on the end of the step, and the work of drives.
#include <algorithm>

#include "lie/motion.hpp"

#include "numbers/instantiate.hpp"
#include "numbers/node_time.hpp"

namespace extremal::lie {
namespace {

// An impulse that changes the velocity by more than this against its guess is no smooth motion.
constexpr double sudden = 0.03;

// The iteration ends at the floor of round-off, or this far above it where errors have stopped to fall (by one half at
// least, of which so many in a row are failure), or are those of a last look.
constexpr double still_falling = 0.5, stagnant = 16, last_look = 4;
constexpr int most_slow = 4;
// One correction more ends it if errors fall like this and what it leaves is a quarter of the floor.
constexpr double falls_fast = 0.1, part_of_floor = 0.25;

}  // namespace

template <class S, class T>
void Motion<S, T>::find_slopes() {
  if constexpr (!std::is_same_v<S, T>) {
    S most(0);
    for (const Pose<T>& pose : next_pose_) {
      for (const T& x : {pose.x.x, pose.x.y, pose.x.z}) most = math::max(most, slope(x));
      for (const Vec3<T>& d : {pose.R.e1, pose.R.e2, pose.R.e3})
        for (const T& x : {d.x, d.y, d.z}) most = math::max(most, model_.arm * slope(x));
    }
    const S scale = math::max(reach_, model_.arm);
    slopes_ = scale > S(0) ? math::max(S(1), most / scale) : S(1);
  }
}

template <class S, class T>
S Motion<S, T>::rate() {
  workers_.share(now_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) velocity_[i] = {velocity(i), angular_velocity(i)};
  });
  return joints_.rate(velocity_, g_);
}

template <class S, class T>
S Motion<S, T>::largest(const std::vector<T>& list) const {
  const auto larger = [](const S& a, const S& b) { return math::max(a, b); };
  return workers_.template gather<S>(
      list.size(),
      [&](std::size_t begin, std::size_t end) {
        S most(0);
        for (std::size_t k = begin; k < end; ++k) most = math::max(most, size(list[k], slopes_));
        return most;
      },
      larger);
}

template <class S, class T>
S Motion<S, T>::floor() const {
  return S(4) * Scalar<S>::epsilon * math::max(reach_, model_.arm);
}

// Again until nothing is left: S may be regularised, and the slope of a dual number follows one pass behind its value.
template <class S, class T>
void Motion<S, T>::project() {
  if (model_.rows == 0) return;
  fill(nu_, T(S(0)));
  S before(0);
  for (int pass = 0; pass < most_iterations; ++pass) {
    const S scale = rate();
    if (pass > 0) {
      const S error = largest(g_);
      // What is left may be round-off, which a pass that gains nothing has reached.
      if (std::is_same_v<S, T> && error <= S(2) * Scalar<S>::epsilon * scale) return;
      if (pass > 1 && !(error < before / S(2))) return;
      before = error;
    }
    joints_.solve(g_, S(1), nu_);
    joints_.subtract(g_, now_);
    if (joints_.exact(g_, scale)) return;
  }
}

// Forces of constraints change smoothly: a cubic through those of the last four steps, if they were as long.
template <class S, class T>
void Motion<S, T>::guess(S h) {
  workers_.share(mu_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      S x(0);
      if (known_ >= 4 && last_h_ == h)
        x = S(4) * (history_[0][k] + history_[2][k]) - S(6) * history_[1][k] - history_[3][k];
      else if (known_ >= 3 && last_h_ == h)
        x = S(3) * (history_[0][k] - history_[1][k]) + history_[2][k];
      else if (known_ >= 2 && last_h_ == h)
        x = S(2) * history_[0][k] - history_[1][k];
      else if (known_ >= 1)
        x = history_[0][k] * (h / last_h_);
      mu_[k] = guess_[k] = T(x);
    }
  });
}

// Impulses in the kernel of S, which it has where joints are redundant, move nothing; but the kernel turns with the
// mechanism, and in the next step they would. Without them mu is the shortest, and changes smoothly: S mu, solved for.
// What regularisation takes off the rest with them, eps of it, the next pass puts back.
template <class S, class T>
void Motion<S, T>::shorten(std::vector<T>& mu, int passes) {
  const Vec3<T> none{T(S(0)), T(S(0)), T(S(0))};
  rest_.swap(mu);
  fill(mu, T(S(0)));
  S enough(0);
  for (int pass = 0; pass < passes; ++pass) {
    fill(change_, Momenta<T>{none, none});
    joints_.subtract(rest_, change_);
    workers_.share(change_.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto& body = model_.bodies[i];
        const Columns<T>& R = pose_[i].R;
        velocity_[i] = {T(body.inverse_mass) * change_[i].p,
                        R.to_space(scaled(lifted<S, T>(body.inverse_inertia), R.to_body(change_[i].pi)))};
      }
    });
    joints_.rate(velocity_, g_);
    const S left = largest(g_);
    if (pass == 0) enough = Scalar<S>::epsilon * left;
    if (left <= enough) return;
    joints_.solve(g_, S(-1), mu);
    workers_.share(rest_.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) rest_[k] = rest_[k] + g_[k];
    });
  }
}

template <class S, class T>
void Motion<S, T>::remember(S h) {
  for (int k = 3; k > 0; --k) history_[k].swap(history_[k - 1]);
  const std::vector<T>* kept = &mu_;
  if (!joints_.regular()) {
    correction_ = mu_;
    shorten(correction_, 5);
    kept = &correction_;
  }
  workers_.share(mu_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) history_[0][k] = value((*kept)[k]);
  });
  known_ = last_h_ == h ? std::min(known_ + 1, 4) : 1;
}

// A step that ends on another branch of the motion than it began has closed joints all the same; but its impulses are
// none that the forces explain. Velocities are compared by their energy; at rest they are round-off: a thousand units
// in the last place of the positions in a step, and of the impulses.
template <class S, class T>
bool Motion<S, T>::jumped(S h) {
  if (!watching_ || model_.rows == 0 || known_ == 0 || last_h_ != h) return false;
  const Vec3<T> none{T(S(0)), T(S(0)), T(S(0))};
  const auto energy = [&](const std::vector<Momenta<T>>& of) {
    S sum(0);
    for (std::size_t i = 0; i < of.size(); ++i) {
      const auto& body = model_.bodies[i];
      const Vec3<S> p = values(of[i].p), pi = values(pose_[i].R.to_body(of[i].pi));
      sum += body.inverse_mass * dot(p, p) + dot(pi, scaled(body.inverse_inertia, pi));
    }
    return sum;
  };
  const auto of_impulses = [&](const std::vector<T>& mu) {
    fill(change_, Momenta<T>{none, none});
    joints_.subtract(mu, change_);
    return energy(change_);
  };
  for (std::size_t k = 0; k < g_.size(); ++k) g_[k] = mu_[k] - guess_[k];
  const S change = of_impulses(g_);
  if (change <= S(sudden * sudden) * energy(half_)) return false;
  S mass(0);
  for (const auto& body : model_.bodies) mass += body.mass;
  const S floor = S(1000) * Scalar<S>::epsilon, slowest = math::max(reach_, model_.arm) / h;
  return !(change <= floor * floor * (mass * slowest * slowest + of_impulses(mu_)));
}

template <class S, class T>
void Motion<S, T>::find_drag(bool at_end, S t, S h, const StepRule<S>& rule, std::vector<Covector<T>>& out) {
  const std::vector<Pose<T>>& at = at_end ? next_pose_ : pose_;
  if (rule.middle)
    forces_.middle(at, pose_, next_pose_, h, t + h / S(2), out);
  else
    forces_.drag(at, pose_, next_pose_, h, node_time(t, h, S(at_end ? 1 : 0), model_.inset), out);
}

// With the end that was just found; returns how far that will move it.
template <class S, class T>
S Motion<S, T>::renew_drag(S h, S t, const StepRule<S>& rule) {
  find_drag(false, t, h, rule, renewed_);
  S most(0);
  for (std::size_t i = 0; i < drag_.size(); ++i) {
    const auto& body = model_.bodies[i];
    const Vec3<T> force = renewed_[i].r - drag_[i].r, torque = renewed_[i].theta - drag_[i].theta;
    const S turn = math::max(body.inverse_inertia.x, math::max(body.inverse_inertia.y, body.inverse_inertia.z));
    for (const T& x : {force.x, force.y, force.z}) most = math::max(most, body.inverse_mass * size(x, slopes_));
    for (const T& x : {torque.x, torque.y, torque.z}) most = math::max(most, turn * size(x, slopes_));
  }
  drag_.swap(renewed_);
  return h * h * rule.b0 * most;
}

// One step of Newton's method for mu. Redundant rows of g leave the range of S, by h times themselves, and a
// regularised S answers with impulses of 1 / eps times that in its kernel.
template <class S, class T>
void Motion<S, T>::correct(S h) {
  if (joints_.regular()) {
    joints_.solve(g_, S(1) / h, mu_);
    return;
  }
  fill(correction_, T(S(0)));
  joints_.solve(g_, S(1) / h, correction_);
  shorten(correction_, 1);
  workers_.share(mu_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) mu_[k] = mu_[k] + correction_[k];
  });
}

// Impulses that close the joints at the end of the step, and forces that depend on the velocity it has.
template <class S, class T>
bool Motion<S, T>::iterate(S t, S h, const StepRule<S>& rule, StepResult<S>& result) {
  const bool damped = implicit(rule), joined = model_.rows > 0;
  copy(half_, kicked_);
  guess(h);
  if (damped) {
    // What the momenta say of the velocity, for a first guess.
    for (std::size_t i = 0; i < now_.size(); ++i) {
      next_pose_[i] = pose_[i];
      next_pose_[i].x = pose_[i].x + T(h) * velocity(i);
    }
    find_drag(false, t, h, rule, drag_);
  }
  S before(0);
  bool finish = false;
  int slow = 0;
  for (;; ++result.iterations) {
    if (result.iterations > 0) copy(kicked_, half_);
    if (damped) kick(drag_, h * rule.b0, half_);
    if (joined) joints_.subtract(mu_, half_);
    if (!drift(t, h, rule, result)) return false;
    if (result.iterations >= most_iterations) return false;

    find_slopes();
    S error(0);
    if (joined) {
      // The last look needs G as well: the projection at the end of the step does.
      error = joints_.look(next_pose_, finish, slopes_, g_);
      result.residual = error;
      result.where = joints_.worst();
    }
    if (damped) error = math::max(error, renew_drag(h, t, rule));
    if (!math::finite(error)) {
      result.outcome = Outcome::not_finite;
      return false;
    }
    const S rest = floor(), rate_of = before > S(0) ? error / before : S(1);
    if (error <= (finish ? S(last_look) * rest : rest)) return true;
    finish = false;
    // Stagnation a little above the floor is round-off; any other that lasts is failure.
    slow = rate_of > S(still_falling) ? slow + 1 : 0;
    if (slow > 0 && result.iterations > 2 && error <= S(stagnant) * rest) return true;
    if (slow > most_slow) return false;
    before = error;
    if (joined) correct(h);
    // The correction just made leaves error * rate.
    finish = result.iterations >= 1 && rate_of < S(falls_fast) && error * rate_of <= S(part_of_floor) * rest;
  }
}

template <class S, class T>
S Motion<S, T>::driven_kinetic() const {
  S sum(0);
  for (std::size_t i = 0; i < now_.size(); ++i)
    if (model_.bodies[i].drive >= 0)
      sum += value(dot(now_[i].p, velocity(i))) + value(dot(now_[i].pi, angular_velocity(i)));
  return sum / S(2);
}

template <class S, class T>
S Motion<S, T>::driven_power(const std::vector<Covector<T>>& force) const {
  S sum(0);
  for (std::size_t i = 0; i < now_.size(); ++i)
    if (model_.bodies[i].drive >= 0)
      sum += value(dot(force[i].r, velocity(i))) + value(dot(force[i].theta, angular_velocity(i)));
  return sum;
}

template <class S, class T>
void Motion<S, T>::find_driven_rate() {
  if (model_.rows == 0) return;
  const Vec3<T> none{T(S(0)), T(S(0)), T(S(0))};
  for (std::size_t i = 0; i < now_.size(); ++i) {
    const bool driven = model_.bodies[i].drive >= 0;
    velocity_[i] = {driven ? velocity(i) : none, driven ? angular_velocity(i) : none};
  }
  joints_.rate(velocity_, driven_rate_);
}

// The impulses are -G^T mu, and a drive holds against them.
template <class S, class T>
S Motion<S, T>::driven_work(const std::vector<T>& impulses) const {
  S sum(0);
  for (std::size_t k = 0; k < impulses.size(); ++k) sum += value(impulses[k] * driven_rate_[k]);
  return sum;
}

#define EXTREMAL_IMPULSES(S, T)                                                                     \
  template void Motion<S, T>::remember(S);                                                          \
  template bool Motion<S, T>::jumped(S);                                                            \
  template bool Motion<S, T>::iterate(S, S, const StepRule<S>&, StepResult<S>&);                    \
  template void Motion<S, T>::find_drag(bool, S, S, const StepRule<S>&, std::vector<Covector<T>>&); \
  template void Motion<S, T>::project();                                                            \
  template S Motion<S, T>::driven_kinetic() const;                                                  \
  template S Motion<S, T>::driven_power(const std::vector<Covector<T>>&) const;                     \
  template void Motion<S, T>::find_driven_rate();                                                   \
  template S Motion<S, T>::driven_work(const std::vector<T>&) const;                                \
  template S Motion<S, T>::rate();                                                                  \
  template S Motion<S, T>::floor() const;                                                           \
  template S Motion<S, T>::largest(const std::vector<T>&) const;
#define EXTREMAL_INSTANTIATE(S) EXTREMAL_IMPULSES(S, S) EXTREMAL_IMPULSES(S, Dual<S>)
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE
#undef EXTREMAL_IMPULSES

}  // namespace extremal::lie
