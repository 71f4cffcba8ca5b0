#include "lie/motion.hpp"

namespace extremal::lie {
namespace {

template <class S>
S value(const S& x) {
  return x;
}
template <class S>
S value(const Dual<S>& x) {
  return x.a;
}
template <class S>
Vec3<S> values(const Vec3<S>& x) {
  return x;
}
template <class S>
Vec3<S> values(const Vec3<Dual<S>>& x) {
  return {x.x.a, x.y.a, x.z.a};
}

// Value and slope, each against its own zero: `slopes` is how large slopes are where values are 1.
template <class S>
S size(const S& x, const S&) {
  return math::abs(x);
}
template <class S>
S size(const Dual<S>& x, const S& slopes) {
  return math::max(math::abs(x.a), math::abs(x.g[0]) / slopes);
}
template <class S>
S slope(const S&) {
  return S(0);
}
template <class S>
S slope(const Dual<S>& x) {
  return math::abs(x.g[0]);
}

template <class S, class T>
Vec3<T> lifted(const Vec3<S>& x) {
  return {T(x.x), T(x.y), T(x.z)};
}

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
Motion<S, T>::Motion(const Model<S>& model)
    : model_(model), loads_(model), schur_(model.joints, static_cast<int>(model.bodies.size())) {
  const std::size_t n = model.bodies.size(), m = sz(model.rows);
  const T none(S(0)), one(S(1));
  const Vec3<T> origin{none, none, none};
  now_.assign(n, {origin, {one, none, none, none}, origin, origin});
  next_ = now_;
  half_.assign(n, {origin, origin});
  change_ = half_;
  ground_ = {origin, columns(Quaternion<T>{one, none, none, none})};
  pose_.assign(n, ground_);
  next_pose_ = pose_;
  force_.assign(n, {origin, origin});
  drag_ = renewed_ = force_;
  Ga_.assign(m, {origin, origin});
  Gb_ = next_Ga_ = next_Gb_ = Ga_;
  mu_.assign(m, none);
  guess_ = nu_ = g_ = mu_;
  rhs_.assign(m, S(0));
  eps_ = rhs_;
  value_Ga_.resize(m);
  value_Gb_.resize(m);
  inverse_.resize(n);
  for (auto& h : history_) h.assign(m, S(0));
}

template <class S, class T>
void Motion<S, T>::evaluate(const std::vector<Pose<T>>& poses, std::vector<T>& g, std::vector<Covector<T>>* Ga,
                            std::vector<Covector<T>>* Gb) const {
  for (const Joint<S>& joint : model_.joints)
    joint.evaluate(at(poses, joint.a), at(poses, joint.b), g.data() + joint.first,
                   Ga == nullptr ? nullptr : Ga->data() + joint.first,
                   Gb == nullptr ? nullptr : Gb->data() + joint.first);
}

template <class S, class T>
template <class M>
void Motion<S, T>::subtract(const std::vector<T>& mu, std::vector<M>& momenta) const {
  for (const Joint<S>& joint : model_.joints)
    for (const bool b : {false, true}) {
      const int body = b ? joint.b : joint.a;
      if (body < 0) continue;
      const std::vector<Covector<T>>& G = b ? Gb_ : Ga_;
      const auto& constants = model_.bodies[sz(body)];
      M& state = momenta[sz(body)];
      // What holds or drives a body takes the impulse.
      for (int k = joint.first; k < joint.first + joint.count(); ++k) {
        if (constants.moves) state.p = state.p - mu[sz(k)] * G[sz(k)].r;
        if (constants.swings) state.pi = state.pi - mu[sz(k)] * G[sz(k)].theta;
      }
    }
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

// Without those that depend on the velocity: these are added in step().
template <class S, class T>
void Motion<S, T>::forces(S t) {
  const Vec3<T> g = lifted<S, T>(model_.gravity), none{T(S(0)), T(S(0)), T(S(0))};
  for (std::size_t i = 0; i < force_.size(); ++i) force_[i] = {T(model_.bodies[i].mass) * g, none};
  add_rods();
  for (const RigidLoad& load : model_.plain_loads) {
    Covector<T>& on = force_[sz(load.body)];
    Vec3<T>& to = load.torque ? on.theta : on.r;
    T& component = load.component == 0 ? to.x : load.component == 1 ? to.y : to.z;
    component = component + T(load.f.at(t)[0]);
  }
  if (!loads_.damped()) loads_.add(pose_, pose_, pose_, S(0), t, force_);
  forces_known_ = true;
  forces_time_ = t;
}

template <class S, class T>
void Motion<S, T>::add_rods() {
  for (const auto& element : model_.elements) {
    const std::size_t a = sz(element.a), b = sz(element.b);
    RodForces<T> f;
    if constexpr (std::is_same_v<S, T>) {
      f = rod_forces(element.rod, now_[a].x, now_[a].q, now_[b].x, now_[b].q);
    } else {
      const RodElement<T> rod{T(element.rod.inverse_length), lifted<S, T>(element.rod.force_stiffness),
                              lifted<S, T>(element.rod.moment_stiffness), lifted<S, T>(element.rod.gamma0),
                              lifted<S, T>(element.rod.omega0)};
      f = rod_forces(rod, now_[a].x, now_[a].q, now_[b].x, now_[b].q);
    }
    force_[a] = {force_[a].r + f.n, force_[a].theta + f.t1()};
    force_[b] = {force_[b].r - f.n, force_[b].theta + f.t2()};
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
bool Motion<S, T>::factor() {
  for (std::size_t i = 0; i < inverse_.size(); ++i) {
    const auto& body = model_.bodies[i];
    inverse_[i].m = body.inverse_mass;
    if (!body.swings) continue;
    const Vec3<S> e1 = values(pose_[i].R.e1), e2 = values(pose_[i].R.e2), e3 = values(pose_[i].R.e3);
    const Vec3<S>& k = body.inverse_inertia;
    const Vec3<S> a = k.x * e1, b = k.y * e2, c = k.z * e3;
    inverse_[i].J = {e1.x * a + e2.x * b + e3.x * c, e1.y * a + e2.y * b + e3.y * c, e1.z * a + e2.z * b + e3.z * c};
  }
  const Covector<S>*Ga = nullptr, *Gb = nullptr;
  if constexpr (std::is_same_v<S, T>) {
    Ga = Ga_.data();
    Gb = Gb_.data();
  } else {
    for (std::size_t k = 0; k < Ga_.size(); ++k) {
      value_Ga_[k] = {values(Ga_[k].r), values(Ga_[k].theta)};
      value_Gb_[k] = {values(Gb_[k].r), values(Gb_[k].theta)};
    }
    Ga = value_Ga_.data();
    Gb = value_Gb_.data();
  }
  pivot_ = schur_.factor(model_.joints, inverse_.data(), Ga, Gb, eps_.data());
  return pivot_.ratio > S(16) * Scalar<S>::epsilon;
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
  forces_known_ = false;
  if (model_.rows == 0) return true;
  evaluate(pose_, g_, &Ga_, &Gb_);
  return factor();
}

template <class S, class T>
void Motion<S, T>::regularise(double eps) {
  // Relative to the mean diagonal of S; the weights are those of the rows.
  S mean(0);
  for (std::size_t k = 0; k < eps_.size(); ++k) eps_[k] = S(0);
  if (eps == 0 || model_.rows == 0) return;
  for (const Joint<S>& joint : model_.joints)
    for (const int body : {joint.a, joint.b})
      if (body >= 0) mean += S(joint.count()) * model_.bodies[sz(body)].inverse_mass;
  mean /= S(model_.rows);
  for (std::size_t k = 0; k < eps_.size(); ++k) eps_[k] = S(eps) * mean * S(model_.weights[k]);
}

// Of a body that is held or driven it is not momentum by mass.
template <class S, class T>
Vec3<T> Motion<S, T>::velocity(int body, const BodyState<T>& state) const {
  const auto& constants = model_.bodies[sz(body)];
  return T(constants.drive < 0 ? constants.inverse_mass : S(1) / constants.mass) * state.p;
}
template <class S, class T>
Vec3<T> Motion<S, T>::angular_velocity(int body, const BodyState<T>& state) const {
  const Columns<T>& R = pose_[sz(body)].R;
  const auto& constants = model_.bodies[sz(body)];
  Vec3<S> inverse = constants.inverse_inertia;
  if (constants.drive >= 0) {
    const Vec3<S>& J = constants.inertia;
    inverse = {S(1) / J.x, S(1) / J.y, S(1) / J.z};
  }
  return R.to_space(scaled(lifted<S, T>(inverse), R.to_body(state.pi)));
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

// G M^-1 p with the poses and G of the current state; returns the size of what it is summed from.
template <class S, class T>
S Motion<S, T>::rate(const std::vector<BodyState<T>>& bodies, std::vector<T>& out) const {
  S scale(0);
  std::fill(out.begin(), out.end(), T(S(0)));
  for (const Joint<S>& joint : model_.joints)
    for (const bool b : {false, true}) {
      const int body = b ? joint.b : joint.a;
      if (body < 0) continue;
      const Vec3<T> v = velocity(body, bodies[sz(body)]), omega = angular_velocity(body, bodies[sz(body)]);
      const std::vector<Covector<T>>& G = b ? Gb_ : Ga_;
      for (int k = joint.first; k < joint.first + joint.count(); ++k) {
        const T part = dot(G[sz(k)].r, v) + dot(G[sz(k)].theta, omega);
        scale = math::max(scale, math::abs(value(part)));
        out[sz(k)] = out[sz(k)] + part;
      }
    }
  return scale;
}

template <class S, class T>
S Motion<S, T>::largest(const std::vector<T>& list, int* where) const {
  S most(0);
  for (std::size_t k = 0; k < list.size(); ++k) {
    const S x = size(list[k], slopes_);
    if (!(x <= most)) {
      most = x;
      if (where != nullptr) *where = static_cast<int>(k);
    }
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
    const S scale = rate(now_, g_), error = largest(g_, nullptr);
    // What is left may be round-off, which a pass that gains nothing has reached.
    if (pass > 0 && std::is_same_v<S, T> && error <= S(2) * Scalar<S>::epsilon * scale) return;
    if (pass > 1 && !(error < before / S(2))) return;
    before = error;
    solve(g_, S(1), nu_);
    subtract(g_, now_);
  }
}

// sum += factor S^-1 b; b becomes S^-1 b.
template <class S, class T>
void Motion<S, T>::solve(std::vector<T>& b, S factor, std::vector<T>& sum) {
  if constexpr (std::is_same_v<S, T>) {
    schur_.solve(b.data());
  } else {
    for (std::size_t k = 0; k < b.size(); ++k) rhs_[k] = b[k].a;
    schur_.solve(rhs_.data());
    for (std::size_t k = 0; k < b.size(); ++k) b[k].a = rhs_[k], rhs_[k] = b[k].g[0];
    schur_.solve(rhs_.data());
    for (std::size_t k = 0; k < b.size(); ++k) b[k].g[0] = rhs_[k];
  }
  for (std::size_t k = 0; k < b.size(); ++k) sum[k] = sum[k] + T(factor) * b[k];
}

// Positions at the end of the step from the half-step momenta. Returns the body that turns too far, or -1.
template <class S, class T>
int Motion<S, T>::drift(S t, S h, S* speed) {
  const T step(h);
  action_ = decayed_ = T(S(0));
  for (std::size_t i = 0; i < now_.size(); ++i) {
    const auto& body = model_.bodies[i];
    const Vec3<T> shift = (step * T(body.inverse_mass)) * half_[i].p;
    next_[i].x = now_[i].x + shift;
    T action = T(body.mass / (S(2) * h)) * dot(shift, shift);
    next_[i].q = now_[i].q;
    next_pose_[i] = {next_[i].x, pose_[i].R};
    if (!body.swings) {
      action_ = action_ + action;
      decayed_ = decayed_ + T(body.damping) * action;
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
    const Quaternion<T> turn = follow(body.inertia, g, f);
    next_[i].q = renormalised(now_[i].q * turn);
    next_pose_[i].R = columns(next_[i].q);
    const Vec3<T> axis{turn.x, turn.y, turn.z};
    action = action + T(S(2) / h) * dot(axis, scaled(lifted<S, T>(body.inertia), axis));
    action_ = action_ + action;
    decayed_ = decayed_ + T(body.damping) * action;
  }
  if (!model_.drives.empty()) {
    drive(t + h, next_);
    for (std::size_t i = 0; i < next_.size(); ++i) {
      const auto& body = model_.bodies[i];
      if (body.drive < 0) continue;
      next_pose_[i] = {next_[i].x, columns(next_[i].q)};
      const Vec3<T> shift = next_[i].x - now_[i].x;
      const Quaternion<T> turn = conj(now_[i].q) * next_[i].q;
      const Vec3<T> axis{turn.x, turn.y, turn.z};
      const T action = T(body.mass / (S(2) * h)) * dot(shift, shift) +
                       T(S(2) / h) * dot(axis, scaled(lifted<S, T>(body.inertia), axis));
      action_ = action_ + action;
      decayed_ = decayed_ + T(body.damping) * action;
    }
  }
  return -1;
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

// A step that ends on another branch of the motion than it began has closed joints all the same; but its impulses are
// none that the forces explain.
template <class S, class T>
S Motion<S, T>::jump(S h) {
  if (!watching_ || model_.rows == 0 || known_ == 0 || last_h_ != h) return S(0);
  for (std::size_t k = 0; k < g_.size(); ++k) g_[k] = mu_[k] - guess_[k];
  std::fill(change_.begin(), change_.end(), Momenta<T>{ground_.x, ground_.x});
  subtract(g_, change_);
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
  if (!forces_known_ || ((loads_.timed() || model_.timed) && forces_time_ != t)) forces(t);
  guess(h);
  const bool damped = loads_.damped();
  if (damped) {
    // What the momenta say of the velocity, for a first guess.
    for (std::size_t i = 0; i < now_.size(); ++i) {
      next_pose_[i] = pose_[i];
      next_pose_[i].x = pose_[i].x + T(h) * velocity(static_cast<int>(i));
    }
    drag(pose_, h, t, drag_);
  }
  S before(0);
  bool finish = false;
  int slow = 0;
  for (;; ++result.iterations) {
    for (std::size_t i = 0; i < now_.size(); ++i) half_[i] = {now_[i].p, now_[i].pi};
    kick(force_, h * b0, half_);
    if (damped) kick(drag_, h * b0, half_);
    if (model_.rows > 0) subtract(mu_, half_);
    if (model_.damped) decay(h * b0, half_, true);
    if (const int body = drift(t, h, &result.residual); body >= 0) return too_fast(body);
    if (model_.rows == 0 && !damped) break;
    if (result.iterations >= most_iterations) return result;

    find_slopes();
    S error(0);
    if (model_.rows > 0) {
      // The last look needs G as well: the projection at the end of the step does.
      evaluate(next_pose_, g_, finish ? &next_Ga_ : nullptr, finish ? &next_Gb_ : nullptr);
      error = largest(g_, &result.where);
      result.residual = error;
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
    if (model_.rows > 0) solve(g_, S(1) / h, mu_);
    // The correction just made leaves error * rate.
    finish = result.iterations >= 1 && rate_of < S(0.1) && error * rate_of <= rest / S(4);
  }
  result.jump = jump(h);
  for (int k = 2; k > 0; --k) history_[k].swap(history_[k - 1]);
  for (std::size_t k = 0; k < mu_.size(); ++k) history_[0][k] = value(mu_[k]);
  known_ = last_h_ == h ? std::min(known_ + 1, 3) : 1;
  last_h_ = h;

  work_ = loads_.work(pose_, next_pose_, h, t, b0, b1) - T(S(2) * (b0 + b1)) * decayed_;
  for (const RigidLoad& load : model_.plain_loads) {
    const Pose<T>&from = pose_[sz(load.body)], &to = next_pose_[sz(load.body)];
    work_ = work_ + T(b0 * load.f.at(t)[0]) * swept(load, from, to, from) +
            T(b1 * load.f.at(t + h)[0]) * swept(load, from, to, to);
  }
  if (damped) drag(next_pose_, h, t + h, drag_);
  for (std::size_t i = 0; i < now_.size(); ++i) {
    next_[i].p = half_[i].p;
    next_[i].pi = half_[i].pi;
  }
  if (model_.damped) decay(h * b1, next_, false);
  if (!model_.drives.empty()) drive(t + h, next_);
  now_.swap(next_);
  pose_.swap(next_pose_);
  if (model_.rows > 0) {
    if (finish) {
      Ga_.swap(next_Ga_);
      Gb_.swap(next_Gb_);
    } else {
      evaluate(pose_, g_, &Ga_, &Gb_);
    }
  }
  find_reach();
  if (model_.rows > 0 && !factor()) {
    now_.swap(next_);
    result.outcome = Outcome::singular;
    result.where = pivot_.row;
    return result;
  }
  forces(t + h);
  kick(force_, h * b1, now_);
  if (damped) kick(drag_, h * b1, now_);
  project();
  result.outcome = Outcome::done;
  return result;
}

// All loads where some of them depend on the velocity, which is that between the ends of the step.
template <class S, class T>
void Motion<S, T>::drag(const std::vector<Pose<T>>& at, S h, S t, std::vector<Covector<T>>& out) {
  std::fill(out.begin(), out.end(), Covector<T>{ground_.x, ground_.x});
  loads_.add(at, pose_, next_pose_, h, t, out);
}

// With the velocity of the end that was just found; returns how far that will move it.
template <class S, class T>
S Motion<S, T>::renew_drag(S h, S t, S b0) {
  drag(pose_, h, t, renewed_);
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
  if (model_.rows == 0) return S(0);
  evaluate(pose_, g_, nullptr, nullptr);
  return largest(g_, nullptr);
}
template <class S, class T>
S Motion<S, T>::hidden() {
  if (model_.rows == 0) return S(0);
  rate(now_, g_);
  return largest(g_, nullptr);
}

template <class S, class T>
T Motion<S, T>::kinetic() const {
  T sum(S(0));
  for (int i = 0; i < static_cast<int>(now_.size()); ++i) {
    sum = sum + dot(now_[sz(i)].p, velocity(i));
    if (model_.bodies[sz(i)].turns) sum = sum + dot(now_[sz(i)].pi, angular_velocity(i));
  }
  return T(S(1) / S(2)) * sum;
}

template <class S, class T>
T Motion<S, T>::potential() const {
  T sum(S(0));
  const Vec3<T> g = lifted<S, T>(model_.gravity);
  for (std::size_t i = 0; i < now_.size(); ++i) sum = sum - T(model_.bodies[i].mass) * dot(g, now_[i].x);
  for (const auto& element : model_.elements) {
    const BodyState<T>&a = now_[sz(element.a)], &b = now_[sz(element.b)];
    const RodElement<T> rod{T(element.rod.inverse_length), lifted<S, T>(element.rod.force_stiffness),
                            lifted<S, T>(element.rod.moment_stiffness), lifted<S, T>(element.rod.gamma0),
                            lifted<S, T>(element.rod.omega0)};
    sum = sum + rod_energy(rod, rod_strain(rod, a.x, a.q, b.x, b.q)).total();
  }
  return sum;
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
