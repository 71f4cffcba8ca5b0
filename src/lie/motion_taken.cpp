// Motion: what is asked of a step that was taken, by where it began and where it ended.
#include "lie/motion.hpp"

#include "numbers/instantiate.hpp"
#include "numbers/node_time.hpp"

namespace extremal::lie {
namespace {

template <class T>
std::vector<Pose<T>> poses_of(const std::vector<BodyState<T>>& bodies) {
  std::vector<Pose<T>> out;
  out.reserve(bodies.size());
  for (const BodyState<T>& body : bodies) out.push_back({body.x, columns(body.q)});
  return out;
}

}  // namespace

template <class S, class T>
T Motion<S, T>::action(const TakenStep<S, T>& step) {
  const auto& [t, h, rule, from, to, turned] = step;
  const std::vector<Pose<T>> begin = poses_of(from), end = poses_of(to);
  T sum = rule.middle ? T(-h * (rule.b0 + rule.b1)) * forces_.middle_potential(t + h / S(2), begin, end)
                      : T(-h * rule.b0) * forces_.potential(t, from, begin) -
                            T(h * rule.b1) * forces_.potential(t + h, to, end);
  const Vec3<T> none{T(S(0)), T(S(0)), T(S(0))};
  for (std::size_t i = 0; i < from.size(); ++i)
    sum = sum + kinetic_action(i, from[i], to[i], h, rule, rule.free ? turned[i] : none);
  return sum;
}

// On directors a centre has a balance of its own: with its momentum p and its way dx in the step the impulse is
//   p0 + h b_0 f0 - (1 + h b_0 c) m dx / h   at the start,   (1 - h b_1 c) m dx / h + h b_1 f1 - p1   at the end,
// less those of the joints that have multipliers.
template <class S, class T>
std::vector<Vec3<T>> Motion<S, T>::held_impulses(const TakenStep<S, T>& step, bool at_end) {
  const auto& [t, h, rule, from, to, turned] = step;
  const std::vector<Pose<T>> begin = poses_of(from), end = poses_of(to);
  const std::vector<Pose<T>>& here = at_end ? end : begin;
  const std::vector<BodyState<T>>& states = at_end ? to : from;
  const S weight = at_end ? rule.b1 : rule.b0, time = node_time(t, h, S(at_end ? 1 : 0), model_.inset);
  const T by(h * weight);
  const Vec3<T> none{T(S(0)), T(S(0)), T(S(0))};
  std::vector<Covector<T>> more(from.size(), {none, none});
  std::vector<Vec3<T>> impulse(from.size(), none);
  if (!rule.middle) {
    forces_.forget();
    const std::vector<Covector<T>>& force = forces_.at(time, states, here);
    for (std::size_t i = 0; i < impulse.size(); ++i) impulse[i] = by * force[i].r;
    forces_.forget();
  }
  if (rule.middle)
    forces_.middle(here, begin, end, h, t + h / S(2), more);
  else if (forces_.damped())
    forces_.drag(here, begin, end, h, time, more);
  for (std::size_t i = 0; i < impulse.size(); ++i) impulse[i] = impulse[i] + by * more[i].r;
  const std::vector<T>& mu = at_end ? nu_ : mu_;
  const Pose<T> ground{none, columns(Quaternion<T>{T(S(1)), T(S(0)), T(S(0)), T(S(0))})};
  for (const Joint<S>& joint : model_.joints) {
    std::vector<T> g(sz(joint.count()));
    std::vector<Covector<T>> Ga(g.size()), Gb(g.size());
    joint.evaluate(joint.a < 0 ? ground : here[sz(joint.a)], joint.b < 0 ? ground : here[sz(joint.b)], g.data(),
                   Ga.data(), Gb.data());
    for (std::size_t k = 0; k < g.size(); ++k) {
      const T& size = mu[sz(joint.first) + k];
      if (joint.a >= 0) impulse[sz(joint.a)] = impulse[sz(joint.a)] - size * Ga[k].r;
      if (joint.b >= 0) impulse[sz(joint.b)] = impulse[sz(joint.b)] - size * Gb[k].r;
    }
  }
  std::vector<Vec3<T>> out;
  for (const auto& point : model_.held_points) {
    const std::size_t i = sz(point.body);
    const auto& body = model_.bodies[i];
    const Vec3<T> way = T(body.mass / h) * (body.centre(end[i]) - body.centre(begin[i]));
    Vec3<T> momentum = none;
    if (body.hung) {
      const Columns<T>& R = here[i].R;
      const Vec3<T> omega = R.to_space(scaled(lifted<S, T>(body.inverse_inertia), R.to_body(states[i].pi)));
      momentum = T(body.mass) * cross(omega, body.arm(R));
    }
    const T kept(at_end ? S(1) - h * weight * body.damping : S(1) + h * weight * body.damping);
    out.push_back(impulse[i] + (at_end ? kept * way - momentum : momentum - kept * way));
  }
  return out;
}

#define EXTREMAL_INSTANTIATE(S)                         \
  template S Motion<S>::action(const TakenStep<S, S>&); \
  template std::vector<Vec3<S>> Motion<S>::held_impulses(const TakenStep<S, S>&, bool);
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal::lie
