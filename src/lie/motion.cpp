#include "lie/motion.hpp"

namespace extremal::lie {
namespace {

// The quaternion of F at g, from that at the value of g: one step of Newton's method for the Cayley vector c,
//   g + g x c + (g . c) c - 2 J c = 0,
// in dual numbers with the matrix of the values is exact in the slope.
template <class S>
Quaternion<S> follow(const Vec3<S>&, const Vec3<S>&, const S* f) {
  return {f[0], f[1], f[2], f[3]};
}
template <class S>
Quaternion<Dual<S>> follow(const Vec3<S>& J, const Vec3<Dual<S>>& g, const S* f) {
  using T = Dual<S>;
  const Vec3<S> c{f[1] / f[0], f[2] / f[0], f[3] / f[0]}, k = values(g);
  const Vec3<T> start = lifted<S, T>(c), twice = lifted<S, T>(J + J);
  const Vec3<T> F = g + cross(g, start) + dot(g, start) * start - scaled(twice, start);
  const S d = dot(k, c);
  const Vec3<S> r1{d + c.x * k.x - S(2) * J.x, c.x * k.y - k.z, c.x * k.z + k.y};
  const Vec3<S> r2{c.y * k.x + k.z, d + c.y * k.y - S(2) * J.y, c.y * k.z - k.x};
  const Vec3<S> r3{c.z * k.x - k.y, c.z * k.y + k.x, d + c.z * k.z - S(2) * J.z};
  const Vec3<S> c1 = cross(r2, r3), c2 = cross(r3, r1), c3 = cross(r1, r2);
  const T scale(S(-1) / dot(r1, c1));
  const Vec3<T> end = start + scale * (F.x * lifted<S, T>(c1) + F.y * lifted<S, T>(c2) + F.z * lifted<S, T>(c3));
  const T w = T(S(1)) / sqrt(T(S(1)) + dot(end, end));
  return {w, w * end.x, w * end.y, w * end.z};
}

}  // namespace

template <class S, class T>
Motion<S, T>::Motion(const Model<S>& model) : model_(model), forces_(model), joints_(model) {
  const std::size_t n = model.bodies.size(), m = sz(model.rows);
  const T none(S(0)), one(S(1));
  const Vec3<T> origin{none, none, none};
  now_.assign(n, {origin, {one, none, none, none}, origin, origin});
  next_ = now_;
  half_.assign(n, {origin, origin});
  change_ = kicked_ = velocity_ = half_;
  pose_.assign(n, {origin, columns(Quaternion<T>{one, none, none, none})});
  next_pose_ = pose_;
  drag_.assign(n, {origin, origin});
  renewed_ = drag_;
  mu_.assign(m, none);
  guess_ = nu_ = g_ = mu_;
  for (auto& h : history_) h.assign(m, S(0));
}

template <class S, class T>
template <class M>
void Motion<S, T>::kick(const std::vector<Covector<T>>& force, S factor, std::vector<M>& momenta) const {
  const T c(factor);
  for (std::size_t i = 0; i < momenta.size(); ++i) {
    const auto& body = model_.bodies[i];
    if (body.moves) momenta[i].p = momenta[i].p + c * force[i].r;
    if (body.swings) momenta[i].pi = momenta[i].pi + c * force[i].theta;
  }
}

// F = -c M v over the step: (1 + h b_0 c) P = p0 + .. before the drift and p1 = (1 - h b_1 c) P + .. after it, for the
// directors as for the momenta, since sum E_i d_i x (d_i1 - d_i0) = h Pi.
template <class S, class T>
template <class M>
void Motion<S, T>::decay(S factor, std::vector<M>& momenta, bool divide) const {
  for (std::size_t i = 0; i < momenta.size(); ++i) {
    const S c = model_.bodies[i].damping;
    if (c == S(0)) continue;
    const T by(divide ? S(1) / (S(1) + factor * c) : S(1) - factor * c);
    momenta[i].p = by * momenta[i].p;
    momenta[i].pi = by * momenta[i].pi;
  }
}

template <class S, class T>
void Motion<S, T>::find_reach() {
  reach_ = S(0);
  for (const BodyState<T>& body : now_) {
    const Vec3<S> x = values(body.x);
    reach_ = math::max(reach_, math::max(math::abs(x.x), math::max(math::abs(x.y), math::abs(x.z))));
  }
}

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
Vec3<T> Motion<S, T>::velocity(std::size_t body) const {
  const auto& constants = model_.bodies[body];
  return T(constants.drive < 0 ? constants.inverse_mass : S(1) / constants.mass) * now_[body].p;
}
template <class S, class T>
Vec3<T> Motion<S, T>::angular_velocity(std::size_t body) const {
  const Columns<T>& R = pose_[body].R;
  const auto& constants = model_.bodies[body];
  Vec3<S> inverse = constants.inverse_inertia;
  if (constants.drive >= 0) {
    const Vec3<S>& J = constants.inertia;
    inverse = {S(1) / J.x, S(1) / J.y, S(1) / J.z};
  }
  return R.to_space(scaled(lifted<S, T>(inverse), R.to_body(now_[body].pi)));
}

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
S Motion<S, T>::rate() {
  for (std::size_t i = 0; i < now_.size(); ++i) velocity_[i] = {velocity(i), angular_velocity(i)};
  return joints_.rate(velocity_, g_);
}

template <class S, class T>
S Motion<S, T>::largest(const std::vector<T>& list) const {
  S most(0);
  for (const T& x : list) {
    const S own = size(x, slopes_);
    if (!(own <= most)) most = own;
  }
  return most;
}

template <class S, class T>
S Motion<S, T>::floor() const {
  return S(4) * Scalar<S>::epsilon * math::max(reach_, model_.arm);
}

// Again until nothing is left: S may be regularised, and the slope of a dual number follows one pass behind its value.
template <class S, class T>
void Motion<S, T>::project() {
  if (model_.rows == 0) return;
  std::fill(nu_.begin(), nu_.end(), T(S(0)));
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

// Positions at the end of the step from the half-step momenta. Returns the body that turns too far, or -1.
template <class S, class T>
int Motion<S, T>::drift(S t, S h, S* speed) {
  const T step(h);
  for (std::size_t i = 0; i < now_.size(); ++i) {
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
    const Vec3<S> k = values(g);
    S f[4];
    if (!model_.rotations[sz(body.rotation)].step(&k.x, f, S(0.81))) {
      const Vec3<S> angle = scaled(body.inverse_inertia, k);
      *speed = math::sqrt(dot(angle, angle));
      return static_cast<int>(i);
    }
    to.q = renormalised(from.q * follow(body.inertia, g, f));
    next_pose_[i] = {to.x, columns(to.q)};
  }
  if (!model_.drives.empty()) {
    drive(t + h, next_);
    for (std::size_t i = 0; i < next_.size(); ++i)
      if (model_.bodies[i].drive >= 0) next_pose_[i] = {next_[i].x, columns(next_[i].q)};
  }
  return -1;
}

template <class S, class T>
T Motion<S, T>::action(std::size_t body, const BodyState<T>& from, const BodyState<T>& to, S h) const {
  const auto& constants = model_.bodies[body];
  const Vec3<T> shift = to.x - from.x;
  const Quaternion<T> turn = conj(from.q) * to.q;
  const Vec3<T> axis{turn.x, turn.y, turn.z};
  return T(constants.mass / (S(2) * h)) * dot(shift, shift) +
         T(S(2) / h) * dot(axis, scaled(lifted<S, T>(constants.inertia), axis));
}

template <class S, class T>
T Motion<S, T>::kinetic_action() const {
  T sum(S(0));
  for (std::size_t i = 0; i < now_.size(); ++i) sum = sum + action(i, next_[i], now_[i], last_h_);
  return sum;
}

// Forces of constraints change smoothly: a parabola through those of the last three steps, if they were as long.
template <class S, class T>
void Motion<S, T>::guess(S h) {
  for (std::size_t k = 0; k < mu_.size(); ++k) {
    S x(0);
    if (known_ >= 3 && last_h_ == h)
      x = S(3) * (history_[0][k] - history_[1][k]) + history_[2][k];
    else if (known_ >= 2 && last_h_ == h)
      x = S(2) * history_[0][k] - history_[1][k];
    else if (known_ >= 1)
      x = history_[0][k] * (h / last_h_);
    mu_[k] = guess_[k] = T(x);
  }
}

template <class S, class T>
void Motion<S, T>::remember(S h) {
  for (int k = 2; k > 0; --k) history_[k].swap(history_[k - 1]);
  for (std::size_t k = 0; k < mu_.size(); ++k) history_[0][k] = value(mu_[k]);
  known_ = last_h_ == h ? std::min(known_ + 1, 3) : 1;
  last_h_ = h;
}

// A step that ends on another branch of the motion than it began has closed joints all the same; but its impulses are
// none that the forces explain.
template <class S, class T>
S Motion<S, T>::jump(S h) {
  if (!watching_ || model_.rows == 0 || known_ == 0 || last_h_ != h) return S(0);
  for (std::size_t k = 0; k < g_.size(); ++k) g_[k] = mu_[k] - guess_[k];
  const Vec3<T> none{T(S(0)), T(S(0)), T(S(0))};
  std::fill(change_.begin(), change_.end(), Momenta<T>{none, none});
  joints_.subtract(g_, change_);
  S change(0), speed(0);
  const auto energy = [&](std::size_t i, const Momenta<T>& state) {
    const auto& body = model_.bodies[i];
    const Vec3<S> p = values(state.p), pi = values(pose_[i].R.to_body(state.pi));
    return body.inverse_mass * dot(p, p) + dot(pi, scaled(body.inverse_inertia, pi));
  };
  for (std::size_t i = 0; i < now_.size(); ++i) {
    change += energy(i, change_[i]);
    speed += energy(i, half_[i]);
  }
  return speed > S(0) ? math::sqrt(change / speed) : S(0);
}

template <class S, class T>
StepResult<S> Motion<S, T>::step(S t, S h, S b0, S b1) {
  StepResult<S> result;
  const auto too_fast = [&](int body) {
    result.outcome = Outcome::too_fast;
    result.where = body;
    return result;
  };
  for (std::size_t i = 0; i < now_.size(); ++i) kicked_[i] = {now_[i].p, now_[i].pi};
  kick(forces_.at(t, now_, pose_), h * b0, kicked_);
  guess(h);
  const bool damped = forces_.damped(), joined = model_.rows > 0;
  if (damped) {
    // What the momenta say of the velocity, for a first guess.
    for (std::size_t i = 0; i < now_.size(); ++i) {
      next_pose_[i] = pose_[i];
      next_pose_[i].x = pose_[i].x + T(h) * velocity(i);
    }
    forces_.drag(pose_, pose_, next_pose_, h, t, drag_);
  }
  S before(0);
  bool finish = false;
  int slow = 0;
  for (;; ++result.iterations) {
    half_ = kicked_;
    if (damped) kick(drag_, h * b0, half_);
    if (joined) joints_.subtract(mu_, half_);
    if (model_.damped) decay(h * b0, half_, true);
    if (const int body = drift(t, h, &result.residual); body >= 0) return too_fast(body);
    if (!joined && !damped) break;
    if (result.iterations >= most_iterations) return result;

    find_slopes();
    S error(0);
    if (joined) {
      // The last look needs G as well: the projection at the end of the step does.
      error = joints_.look(next_pose_, finish, slopes_, g_);
      result.residual = error;
      result.where = joints_.worst();
    }
    if (damped) error = math::max(error, renew_drag(h, t, b0));
    if (!math::finite(error)) return result;
    const S rest = floor(), rate_of = before > S(0) ? error / before : S(1);
    if (error <= (finish ? S(4) * rest : rest)) break;
    finish = false;
    // Stagnation a little above the floor is round-off; any other that lasts is failure.
    slow = rate_of > S(0.5) ? slow + 1 : 0;
    if (slow > 0 && result.iterations > 2 && error <= S(16) * rest) break;
    if (slow > 4) return result;
    before = error;
    if (joined) joints_.solve(g_, S(1) / h, mu_);
    // The correction just made leaves error * rate.
    finish = result.iterations >= 1 && rate_of < S(0.1) && error * rate_of <= rest / S(4);
  }
  result.jump = jump(h);
  remember(h);

  work_ = forces_.work(pose_, next_pose_, h, t, b0, b1);
  for (std::size_t i = 0; model_.damped && i < now_.size(); ++i)
    work_ = work_ - T(S(2) * (b0 + b1) * model_.bodies[i].damping) * action(i, now_[i], next_[i], h);
  if (damped) forces_.drag(next_pose_, pose_, next_pose_, h, t + h, drag_);
  for (std::size_t i = 0; i < now_.size(); ++i) {
    next_[i].p = half_[i].p;
    next_[i].pi = half_[i].pi;
  }
  if (model_.damped) decay(h * b1, next_, false);
  if (!model_.drives.empty()) drive(t + h, next_);
  now_.swap(next_);
  pose_.swap(next_pose_);
  find_reach();
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
  kick(forces_.at(t + h, now_, pose_), h * b1, now_);
  if (damped) kick(drag_, h * b1, now_);
  project();
  result.outcome = Outcome::done;
  return result;
}

// With the velocity of the end that was just found; returns how far that will move it.
template <class S, class T>
S Motion<S, T>::renew_drag(S h, S t, S b0) {
  forces_.drag(pose_, pose_, next_pose_, h, t, renewed_);
  S most(0);
  for (std::size_t i = 0; i < drag_.size(); ++i) {
    const auto& body = model_.bodies[i];
    const Vec3<T> force = renewed_[i].r - drag_[i].r, torque = renewed_[i].theta - drag_[i].theta;
    const S turn = math::max(body.inverse_inertia.x, math::max(body.inverse_inertia.y, body.inverse_inertia.z));
    for (const T& x : {force.x, force.y, force.z}) most = math::max(most, body.inverse_mass * size(x, slopes_));
    for (const T& x : {torque.x, torque.y, torque.z}) most = math::max(most, turn * size(x, slopes_));
  }
  drag_.swap(renewed_);
  return h * h * b0 * most;
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

template class Motion<double>;
template class Motion<long double>;
template class Motion<quad>;
template class Motion<double, Dual<double>>;
template class Motion<long double, Dual<long double>>;
template class Motion<quad, Dual<quad>>;

}  // namespace extremal::lie
