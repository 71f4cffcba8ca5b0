#include "lie/forces.hpp"

#include <algorithm>

#include "numbers/instantiate.hpp"
#include "numbers/node_time.hpp"

namespace extremal::lie {
namespace {

template <class S, class T>
RodElement<T> lifted_rod(const RodElement<S>& rod) {
  return {T(rod.inverse_length), lifted<S, T>(rod.force_stiffness), lifted<S, T>(rod.moment_stiffness),
          lifted<S, T>(rod.gamma0), lifted<S, T>(rod.omega0)};
}

}  // namespace

template <class S, class T>
Forces<S, T>::Forces(const Model<S>& model) : model_(model), loads_(model) {
  const Vec3<T> none{T(S(0)), T(S(0)), T(S(0))};
  force_.assign(model.bodies.size(), {none, none});
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (model.bodies[i].hung) hung_.push_back(i);
  weight_only_ = model.elements.empty() && model.plain_loads.empty() && !loads_.any();
}

template <class S, class T>
const std::vector<Covector<T>>& Forces<S, T>::at(S t, const std::vector<BodyState<T>>& bodies, const Poses& poses) {
  if (known_ && (time_ == t || !(loads_.timed() || model_.timed))) return force_;
  known_ = true;
  time_ = t;
  if (found_ && weight_only_) {
    turn_hung(poses, force_);
    return force_;
  }
  const Vec3<T> g = lifted<S, T>(model_.gravity), none{T(S(0)), T(S(0)), T(S(0))};
  for (std::size_t i = 0; i < force_.size(); ++i) force_[i] = {T(model_.bodies[i].mass) * g, none};
  add_rods(bodies);
  add_plain(t, force_);
  if (!loads_.damped()) loads_.add(poses, poses, poses, S(0), t, force_);
  turn_hung(poses, force_);
  found_ = true;
  return force_;
}

template <class S, class T>
void Forces<S, T>::add_plain(S t, std::vector<Covector<T>>& forces) const {
  for (const RigidLoad& load : model_.plain_loads) {
    Covector<T>& on = forces[sz(load.body)];
    Vec3<T>& to = load.torque ? on.theta : on.r;
    T& component = load.component == 0 ? to.x : load.component == 1 ? to.y : to.z;
    component = component + T(load.f.at(t)[0]);
  }
}

// There are no rods, and no bodies that hang.
template <class S, class T>
void Forces<S, T>::middle(const Poses& at, const Poses& from, const Poses& to, S h, S t,
                          std::vector<Covector<T>>& out) {
  const Vec3<T> g = lifted<S, T>(model_.gravity), none{T(S(0)), T(S(0)), T(S(0))};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = {T(model_.bodies[i].mass) * g, none};
  add_plain(t, out);
  loads_.add_middle(at, from, to, h, t, out);
}

template <class S, class T>
void Forces<S, T>::add_rods(const std::vector<BodyState<T>>& bodies) {
  for (const auto& element : model_.elements) {
    const std::size_t a = sz(element.a), b = sz(element.b);
    const RodForces<T> f =
        rod_forces(lifted_rod<S, T>(element.rod), bodies[a].x, bodies[a].q, bodies[b].x, bodies[b].q);
    force_[a] = {force_[a].r + f.n, force_[a].theta + f.t1()};
    force_[b] = {force_[b].r - f.n, force_[b].theta + f.t2()};
  }
}

template <class S, class T>
void Forces<S, T>::turn_hung(const Poses& poses, std::vector<Covector<T>>& forces) const {
  for (const std::size_t i : hung_) {
    const Vec3<T> turn = cross(model_.bodies[i].arm(poses[i].R), forces[i].r);
    forces[i].theta = weight_only_ ? turn : forces[i].theta + turn;
  }
}

template <class S, class T>
void Forces<S, T>::drag(const Poses& at, const Poses& from, const Poses& to, S h, S t, std::vector<Covector<T>>& out) {
  const Vec3<T> none{T(S(0)), T(S(0)), T(S(0))};
  std::fill(out.begin(), out.end(), Covector<T>{none, none});
  loads_.add(at, from, to, h, t, out);
  turn_hung(at, out);
}

template <class S, class T>
void Forces<S, T>::add_work(const Poses& from, const Poses& to, S h, S t, const StepRule<S>& rule, S* out) {
  if constexpr (std::is_same_v<S, T>) {  // nobody asks for its derivative
    const S middle = t + h / S(2), first = rule.middle ? middle : node_time(t, h, S(0), model_.inset),
            second = rule.middle ? middle : node_time(t, h, S(1), model_.inset);
    if (rule.middle)
      loads_.add_middle_work(from, to, h, middle, rule.b0 + rule.b1, out);
    else
      loads_.add_work(from, to, h, first, second, rule.b0, rule.b1, out);
    out += loads_.sources();
    for (const RigidLoad& load : model_.plain_loads) {
      const auto& body = model_.bodies[sz(load.body)];
      const Pose<T>&a = from[sz(load.body)], &b = to[sz(load.body)];
      const Vec3<T> shift = body.centre(b) - body.centre(a);
      *out++ += rule.b0 * load.f.at(first)[0] * swept(load, shift, a, b, a) +
                rule.b1 * load.f.at(second)[0] * swept(load, shift, a, b, b);
    }
  }
}

template <class S, class T>
void Forces<S, T>::add_kick_work(const Poses& at, const std::vector<Momenta<T>>& velocities, S t, S weight, S* out) {
  if constexpr (std::is_same_v<S, T>) {  // nobody asks for its derivative
    loads_.add_kick_work(at, velocities, t, weight, out);
    out += loads_.sources();
    for (const RigidLoad& load : model_.plain_loads) {
      const Momenta<T>& of = velocities[sz(load.body)];
      const Vec3<T>& along = load.torque ? of.pi : of.p;
      const T& component = load.component == 0 ? along.x : load.component == 1 ? along.y : along.z;
      *out++ += weight * load.f.at(t)[0] * component;
    }
  }
}

template <class S, class T>
T Forces<S, T>::potential(S t, const std::vector<BodyState<T>>& bodies, const Poses& poses) {
  T sum(S(0));
  if constexpr (std::is_same_v<S, T>) {  // nobody asks for its derivative
    for (std::size_t i = 0; i < bodies.size(); ++i)
      sum -= model_.bodies[i].mass * dot(model_.gravity, model_.bodies[i].centre(poses[i]));
    for (const auto& element : model_.elements) {
      const BodyState<T>&a = bodies[sz(element.a)], &b = bodies[sz(element.b)];
      sum += rod_energy(element.rod, rod_strain(element.rod, a.x, a.q, b.x, b.q)).total();
    }
    sum += loads_.potential(poses, poses, t);
  }
  return sum;
}

template <class S, class T>
T Forces<S, T>::middle_potential(S t, const Poses& from, const Poses& to) {
  T sum(S(0));
  if constexpr (std::is_same_v<S, T>) {  // nobody asks for its derivative
    for (std::size_t i = 0; i < from.size(); ++i)
      sum -= model_.bodies[i].mass / S(2) * dot(model_.gravity, from[i].x + to[i].x);
    sum += loads_.potential(from, to, t);
  }
  return sum;
}

#define EXTREMAL_INSTANTIATE(S) \
  template class Forces<S, S>;  \
  template class Forces<S, Dual<S>>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal::lie
