#include "lie/motion.hpp"

#include "numbers/instantiate.hpp"

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

// The same for RotationStep::middle_step.
template <class S>
Quaternion<S> follow_middle(const Vec3<S>&, const Vec3<S>&, const S* f) {
  return {f[0], f[1], f[2], f[3]};
}
template <class S>
Quaternion<Dual<S>> follow_middle(const Vec3<S>& J, const Vec3<Dual<S>>& g, const S* f) {
  using T = Dual<S>;
  const Vec3<S> c{f[1] / f[0], f[2] / f[0], f[3] / f[0]};
  const MiddleEquation<S> at(J, values(g), c);
  const Vec3<T> r = at.residual(lifted<S, T>(J), g, lifted<S, T>(c));
  const Vec3<T> end = lifted<S, T>(c) +
                      T(at.scale) * (r.x * lifted<S, T>(at.c1) + r.y * lifted<S, T>(at.c2) + r.z * lifted<S, T>(at.c3));
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
bool Motion<S, T>::drift(S t, S h, const StepRule<S>& rule, StepResult<S>& result) {
  const T step(h);
  if (model_.damped) decay(h * rule.b0, half_, true);
  const S limit = S(rule.most_turn() * rule.most_turn());
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
    const RotationStep<S>& turn = model_.rotations[sz(body.rotation)];
    if (!(rule.middle ? turn.middle_step(&k.x, f, limit) : turn.step(&k.x, f, limit))) {
      const Vec3<S> angle = scaled(body.inverse_inertia, k);
      result.residual = math::sqrt(dot(angle, angle));
      result.outcome = math::finite(result.residual) ? Outcome::too_fast : Outcome::not_finite;
      result.where = static_cast<int>(i);
      return false;
    }
    to.q = renormalised(from.q) * (rule.middle ? follow_middle(body.inertia, g, f) : follow(body.inertia, g, f));
    next_pose_[i] = {to.x, columns(to.q)};
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
                               bool middle) const {
  const auto& constants = model_.bodies[body];
  const Vec3<T> shift = to.x - from.x;
  const Quaternion<T> turn = conj(from.q) * to.q;
  const T by = middle ? turn.w : T(S(1));
  const Vec3<T> axis{by * turn.x, by * turn.y, by * turn.z};
  return T(constants.mass / (S(2) * h)) * dot(shift, shift) +
         T(S(2) / h) * dot(axis, scaled(lifted<S, T>(constants.inertia), axis));
}

// next_ and next_pose_ are those of its start.
template <class S, class T>
T Motion<S, T>::action(S t, const StepRule<S>& rule) {
  const S h = last_h_;
  T sum = rule.middle ? T(-h * (rule.b0 + rule.b1)) * forces_.middle_potential(t + h / S(2), next_pose_, pose_)
                      : T(-h * rule.b0) * forces_.potential(t, next_, next_pose_) -
                            T(h * rule.b1) * forces_.potential(t + h, now_, pose_);
  for (std::size_t i = 0; i < now_.size(); ++i) sum = sum + kinetic_action(i, next_[i], now_[i], h, rule.middle);
  return sum;
}

template <class S, class T>
StepResult<S> Motion<S, T>::step(S t, S h, const StepRule<S>& rule) {
  StepResult<S> result;
  const S b0 = rule.b0, b1 = rule.b1;
  for (std::size_t i = 0; i < now_.size(); ++i) half_[i] = {now_[i].p, now_[i].pi};
  if (!rule.middle) kick(forces_.at(t, now_, pose_), h * b0, half_);
  const bool damped = implicit(rule), joined = model_.rows > 0;
  const bool driven = std::is_same_v<S, T> && !model_.drives.empty();
  S given(0);  // the work of the drives
  if (driven) {
    given = -driven_kinetic();
    if (!rule.middle) given -= h * b0 * driven_power(forces_.at(t, now_, pose_));
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
    if (forces_.worked()) forces_.add_work(pose_, next_pose_, h, t, rule, work_.data());
    for (std::size_t i = 0; model_.damped && i < now_.size(); ++i)
      if (model_.bodies[i].drive < 0)
        work_.end()[-2] -= S(2) * (b0 + b1) * model_.bodies[i].damping * kinetic_action(i, now_[i], next_[i], h, false);
  }
  if (driven) given += driven_work(mu_) - (damped ? h * b0 * driven_power(drag_) : S(0));
  if (model_.damped) decay(h * b1, half_, false);
  if (damped) find_drag(true, t, h, rule, drag_);
  for (std::size_t i = 0; i < now_.size(); ++i) {
    next_[i].p = half_[i].p;
    next_[i].pi = half_[i].pi;
  }
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
  if (!rule.middle) kick(forces_.at(t + h, now_, pose_), h * b1, now_);
  if (damped) kick(drag_, h * b1, now_);
  if (joined) project();
  if (driven) {
    given += driven_kinetic();
    if (!rule.middle) given -= h * b1 * driven_power(forces_.at(t + h, now_, pose_));
    if (damped) given -= h * b1 * driven_power(drag_);
    find_driven_rate();
    work_.back() = given + driven_work(nu_);
  }
  result.outcome = Outcome::done;
  return result;
}

template <class S, class T>
bool Motion<S, T>::is_finite() const {
  S sum(0);
  for (const BodyState<T>& body : now_) {
    const Vec3<S> all = values(body.x) + values(body.p) + values(body.pi);
    sum += all.x + all.y + all.z + value(body.q.w);
  }
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
