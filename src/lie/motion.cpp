#include "lie/motion.hpp"

#include <algorithm>

#include "lie/follow.hpp"
#include "numbers/instantiate.hpp"
#include "numbers/node_time.hpp"

namespace extremal::lie {

template <class S, class T>
Motion<S, T>::Motion(const Model<S>& model, Workers& workers)
    : model_(model), workers_(workers), forces_(model), joints_(model, workers) {
  const std::size_t n = model.bodies.size(), m = sz(model.rows);
  const T none(S(0)), one(S(1));
  const Vec3<T> origin{none, none, none};
  now_.assign(n, {origin, {one, none, none, none}, origin, origin});
  next_ = now_;
  half_.assign(n, {origin, origin});
  change_ = kicked_ = velocity_ = half_;
  pose_.assign(n, {origin, columns(Quaternion<T>{one, none, none, none})});
  next_pose_ = pose_;
  turned_.assign(n, origin);
  drag_.assign(n, {origin, origin});
  renewed_ = drag_;
  mu_.assign(m, none);
  guess_ = correction_ = rest_ = nu_ = g_ = mu_;
  for (auto& h : history_) h.assign(m, S(0));
  work_.assign(sz(forces_.sources()) + 2, S(0));
  driven_rate_ = mu_;
}

// F = -c M v over the step: (1 + h b_0 c) P = p0 + .. before the drift and p1 = (1 - h b_1 c) P + .. after it, for the
// directors as for the momenta, since sum E_i d_i x (d_i1 - d_i0) = h Pi.
template <class S, class T>
template <class M>
void Motion<S, T>::decay(S factor, std::vector<M>& momenta, bool divide) const {
  workers_.share(momenta.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const S c = model_.bodies[i].damping;
      if (c == S(0)) continue;
      const T by(divide ? S(1) / (S(1) + factor * c) : S(1) - factor * c);
      momenta[i].p = by * momenta[i].p;
      momenta[i].pi = by * momenta[i].pi;
    }
  });
}

template <class S, class T>
void Motion<S, T>::find_reach() {
  const auto larger = [](const S& a, const S& b) { return math::max(a, b); };
  reach_ = workers_.template gather<S>(
      now_.size(),
      [&](std::size_t begin, std::size_t end) {
        S most(0);
        for (std::size_t i = begin; i < end; ++i) {
          const Vec3<S> x = values(now_[i].x);
          most = math::max(most, math::max(math::abs(x.x), math::max(math::abs(x.y), math::abs(x.z))));
        }
        return most;
      },
      larger);
}

template <class S, class T>
bool Motion<S, T>::prepare() {
  for (std::size_t i = 0; i < now_.size(); ++i) pose_[i] = {now_[i].x, columns(now_[i].q)};
  find_reach();
  forces_.forget();
  if (model_.rows == 0) return true;
  joints_.look(pose_, true, slopes_, g_);
  joints_.arrive(pose_, g_);
  return joints_.factor(pose_);
}

template <class S, class T>
void Motion<S, T>::regularise(double eps) {
  joints_.regularise(eps);
}

// Of a body that is held or driven it is not momentum by mass.
template <class S, class T>
void Motion<S, T>::drive(S t, std::vector<BodyState<T>>& bodies) const {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto& body = model_.bodies[i];
    if (body.drive < 0) continue;
    const auto at = model_.driven(body.drive, t);
    const bool moved = !model_.drives[sz(body.drive)].motion.position.empty();
    if (moved) bodies[i].x = lifted<S, T>(at.x);
    bodies[i].q = {T(at.q.w), T(at.q.x), T(at.q.y), T(at.q.z)};
    const Columns<S> R = columns(at.q);
    bodies[i].p = lifted<S, T>(body.mass * at.v);
    bodies[i].pi = lifted<S, T>(R.to_space(scaled(body.inertia, R.to_body(at.omega))));
  }
}

template <class S, class T>
void Motion<S, T>::follow_drives(S t) {
  drive(t, now_);
}

template <class S, class T>
bool Motion<S, T>::glides(const StepRule<S>& rule) const {
  return rule.free && model_.rows == 0 && !model_.damped && model_.drives.empty() && !forces_.damped() &&
         !forces_.worked();
}

// In one loop over the bodies, to the bits of a step as all others take it: kick, drift, and the kick at the end, where
// the force on a body is known of its own pose.
template <class S, class T>
void Motion<S, T>::glide(S first, S last, S h, const StepRule<S>& rule) {
  const bool own = forces_.weight_only();
  const std::vector<Covector<T>>* force = own ? nullptr : &forces_.at(first, now_, pose_);
  const T step(h), kick0(h * rule.b0), kick1(h * rule.b1);
  const Vec3<T> gravity = lifted<S, T>(model_.gravity), none{T(S(0)), T(S(0)), T(S(0))};
  workers_.share(now_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto& body = model_.bodies[i];
      const BodyState<T>& from = now_[i];
      BodyState<T>& to = next_[i];
      Pose<T>& pose = next_pose_[i];
      const Vec3<T> weight = T(body.mass) * gravity;
      const auto torque = [&](const Columns<T>& R) { return body.hung ? cross(body.arm(R), weight) : none; };
      to.x = from.x;
      to.p = from.p;
      if (body.moves) {
        to.p = to.p + kick0 * (own ? weight : (*force)[i].r);
        to.x = to.x + (step * T(body.inverse_mass)) * to.p;
        if (own) to.p = to.p + kick1 * weight;
      }
      to.q = from.q;
      to.pi = from.pi;
      pose = {to.x, pose_[i].R};
      if (!body.swings) continue;
      to.pi = to.pi + kick0 * (own ? torque(pose_[i].R) : (*force)[i].theta);
      const Vec3<T> g = step * pose_[i].R.to_body(to.pi);
      turned_[i] = g;
      to.q = renormalised(from.q) * model_.free_rotations[sz(body.rotation)](g);
      pose.R = columns(to.q);
      if (own) to.pi = to.pi + kick1 * torque(pose.R);
    }
  });
  now_.swap(next_);
  pose_.swap(next_pose_);
  last_h_ = h;
  forces_.forget();
  if (!own) kick(forces_.at(last, now_, pose_), h * rule.b1, now_);
}

template <class S, class T>
bool Motion<S, T>::drift(S t, S h, const StepRule<S>& rule, StepResult<S>& result) {
  const T step(h);
  if (model_.damped) decay(h * rule.b0, half_, true);
  const S limit = S(rule.most_turn() * rule.most_turn());
  // Up to the first body that is too fast, if there is one.
  const auto drift_some = [this, step, limit, free = rule.free, middle = rule.middle](std::size_t begin,
                                                                                      std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto& body = model_.bodies[i];
      const BodyState<T>& from = now_[i];
      BodyState<T>& to = next_[i];
      to.x = body.moves ? from.x + (step * T(body.inverse_mass)) * half_[i].p : from.x;
      if (!body.swings) {
        to.q = from.q;
        next_pose_[i] = {to.x, pose_[i].R};
        continue;
      }
      const Vec3<T> g = step * pose_[i].R.to_body(half_[i].pi);
      if (free) {
        turned_[i] = g;
        to.q = renormalised(from.q) * model_.free_rotations[sz(body.rotation)](g);
        next_pose_[i] = {to.x, columns(to.q)};
        continue;
      }
      const Vec3<S> k = values(g);
      S f[4];
      const RotationStep<S>& turn = model_.rotations[sz(body.rotation)];
      if (!(middle ? turn.middle_step(&k.x, f, limit) : turn.step(&k.x, f, limit))) return i;
      to.q = renormalised(from.q) * (middle ? follow_middle(body.inertia, g, f) : follow(body.inertia, g, f));
      next_pose_[i] = {to.x, columns(to.q)};
    }
    return now_.size();
  };
  const std::size_t stopped = workers_.template gather<std::size_t>(
      now_.size(), drift_some, [](std::size_t a, std::size_t b) { return std::min(a, b); });
  if (stopped < now_.size()) {
    const Vec3<S> k = values(T(h) * pose_[stopped].R.to_body(half_[stopped].pi));
    const Vec3<S> angle = scaled(model_.bodies[stopped].inverse_inertia, k);
    result.residual = math::sqrt(dot(angle, angle));
    result.outcome = math::finite(result.residual) ? Outcome::too_fast : Outcome::not_finite;
    result.where = static_cast<int>(stopped);
    return false;
  }
  if (!model_.drives.empty()) {
    drive(t + h, next_);
    for (std::size_t i = 0; i < next_.size(); ++i)
      if (model_.bodies[i].drive >= 0) next_pose_[i] = {next_[i].x, columns(next_[i].q)};
  }
  return true;
}

template <class S, class T>
T Motion<S, T>::kinetic_action(std::size_t body, const BodyState<T>& from, const BodyState<T>& to, S h,
                               const StepRule<S>& rule, const Vec3<T>& turned) const {
  const auto& constants = model_.bodies[body];
  const Vec3<T> shift = to.x - from.x;
  const T straight = T(constants.mass / (S(2) * h)) * dot(shift, shift);
  if (rule.free) {
    if (!constants.swings) return straight;
    return straight + T(S(1) / (S(2) * h)) * dot(turned, scaled(lifted<S, T>(constants.inverse_inertia), turned));
  }
  const Quaternion<T> turn = conj(from.q) * to.q;
  const T by = rule.middle ? turn.w : T(S(1));
  const Vec3<T> axis{by * turn.x, by * turn.y, by * turn.z};
  return straight + T(S(2) / h) * dot(axis, scaled(lifted<S, T>(constants.inertia), axis));
}

template <class S, class T>
template <class M>
void Motion<S, T>::add_kick_work(S t, S weight, const std::vector<M>& before, const std::vector<BodyState<T>>& after) {
  const T half(S(0.5));
  for (std::size_t i = 0; i < after.size(); ++i) {
    const auto& body = model_.bodies[i];
    const Columns<T>& R = pose_[i].R;
    velocity_[i] = {
        half * T(body.inverse_mass) * (before[i].p + after[i].p),
        R.to_space(scaled(lifted<S, T>(body.inverse_inertia), R.to_body(half * (before[i].pi + after[i].pi))))};
    if (body.drive >= 0) velocity_[i] = {velocity(i), angular_velocity(i)};
    if (body.hung) velocity_[i].p = cross(velocity_[i].pi, body.arm(R));
  }
  forces_.add_kick_work(pose_, velocity_, t, weight, work_.data());
}

template <class S, class T>
StepResult<S> Motion<S, T>::step(S t, S h, const StepRule<S>& rule) {
  StepResult<S> result;
  const S b0 = rule.b0, b1 = rule.b1;
  const S first = node_time(t, h, S(0), model_.inset), last = node_time(t, h, S(1), model_.inset);
  if (glides(rule)) {
    glide(first, last, h, rule);
    result.outcome = Outcome::done;
    return result;
  }
  workers_.share(now_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) half_[i] = {now_[i].p, now_[i].pi};
  });
  if (!rule.middle) kick(forces_.at(first, now_, pose_), h * b0, half_);
  const bool damped = implicit(rule), joined = model_.rows > 0;
  const bool driven = std::is_same_v<S, T> && !model_.drives.empty();
  // Of free rotations the work of kicks has the order of the motion; that along the chord has order 2.
  const bool kick_work = std::is_same_v<S, T> && rule.free && !damped && forces_.worked();
  S given(0);  // the work of the drives
  if (driven) {
    given = -driven_kinetic();
    if (!rule.middle) given -= h * b0 * driven_power(forces_.at(first, now_, pose_));
    find_driven_rate();
  }
  if (joined || damped) {
    if (!iterate(t, h, rule, result)) return result;
    result.jumped = jumped(h);
    remember(h);
  } else if (!drift(t, h, rule, result)) {
    return result;
  }

  if constexpr (std::is_same_v<S, T>) {  // nobody asks for its derivative
    std::fill(work_.begin(), work_.end(), S(0));
    if (kick_work) {
      for (std::size_t i = 0; i < now_.size(); ++i) next_[i].p = half_[i].p, next_[i].pi = half_[i].pi;
      add_kick_work(t, h * b0, now_, next_);
    } else if (forces_.worked()) {
      forces_.add_work(pose_, next_pose_, h, t, rule, work_.data());
    }
    for (std::size_t i = 0; model_.damped && i < now_.size(); ++i)
      if (model_.bodies[i].drive < 0)
        work_.end()[-2] -=
            S(2) * (b0 + b1) * model_.bodies[i].damping * kinetic_action(i, now_[i], next_[i], h, rule, turned_[i]);
  }
  if (driven) given += driven_work(mu_) - (damped ? h * b0 * driven_power(drag_) : S(0));
  if (model_.damped) decay(h * b1, half_, false);
  if (damped) find_drag(true, t, h, rule, drag_);
  workers_.share(now_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) next_[i].p = half_[i].p, next_[i].pi = half_[i].pi;
  });
  if (!model_.drives.empty()) drive(t + h, next_);
  now_.swap(next_);
  pose_.swap(next_pose_);
  last_h_ = h;
  if (joined || damped) find_reach();
  if (joined) {
    joints_.arrive(pose_, g_);
    if (!joints_.factor(pose_)) {
      now_.swap(next_);
      result.outcome = Outcome::singular;
      result.where = joints_.pivot().row;
      return result;
    }
  }
  forces_.forget();
  if (!rule.middle) kick(forces_.at(last, now_, pose_), h * b1, now_);
  if (damped) kick(drag_, h * b1, now_);
  if constexpr (std::is_same_v<S, T>) {
    if (kick_work) add_kick_work(t + h, h * b1, half_, now_);
  }
  if (joined) project();
  if (driven) {
    given += driven_kinetic();
    if (!rule.middle) given -= h * b1 * driven_power(forces_.at(last, now_, pose_));
    if (damped) given -= h * b1 * driven_power(drag_);
    find_driven_rate();
    work_.back() = given + driven_work(nu_);
  }
  result.outcome = Outcome::done;
  return result;
}

template <class S, class T>
bool Motion<S, T>::is_finite() const {
  const S sum = workers_.template gather<S>(
      now_.size(),
      [&](std::size_t begin, std::size_t end) {
        S own(0);
        for (std::size_t i = begin; i < end; ++i) {
          const BodyState<T>& body = now_[i];
          const Vec3<S> all = values(body.x) + values(body.p) + values(body.pi);
          own += all.x + all.y + all.z + value(body.q.w);
        }
        return own;
      },
      [](const S& a, const S& b) { return a + b; });
  return math::finite(sum);
}

template <class S, class T>
S Motion<S, T>::gap() {
  return model_.rows > 0 ? joints_.look(pose_, false, slopes_, g_) : S(0);
}
template <class S, class T>
S Motion<S, T>::hidden() {
  if (model_.rows == 0) return S(0);
  rate();
  return largest(g_);
}

template <class S, class T>
T Motion<S, T>::kinetic() const {
  T sum(S(0));
  for (std::size_t i = 0; i < now_.size(); ++i) {
    sum = sum + dot(now_[i].p, velocity(i));
    if (model_.bodies[i].turns) sum = sum + dot(now_[i].pi, angular_velocity(i));
  }
  return T(S(1) / S(2)) * sum;
}

template <class S, class T>
void Motion<S, T>::save(std::vector<S>& out) const {
  out.push_back(S(known_));
  out.push_back(last_h_);
  for (const auto& h : history_) out.insert(out.end(), h.begin(), h.end());
}
template <class S, class T>
const S* Motion<S, T>::restore(const S* from) {
  known_ = static_cast<int>(*from++);
  last_h_ = *from++;
  for (auto& h : history_) {
    std::copy_n(from, h.size(), h.begin());
    from += h.size();
  }
  return from;
}

#define EXTREMAL_INSTANTIATE(S) \
  template class Motion<S>;     \
  template class Motion<S, Dual<S>>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal::lie
