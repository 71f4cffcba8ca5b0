#include "lie/directors.hpp"

#include "numbers/instantiate.hpp"

namespace extremal::lie {

template <class S, class T>
void to_directors(const Model<S>& model, const std::vector<BodyState<T>>& bodies, T* q, T* p, T* v) {
  const int D = model.dimension;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const auto& body = model.bodies[b];
    const BodyState<T>& state = bodies[b];
    Vec3<T> x = state.x, momentum = state.p;
    if (body.turns) {
      const Columns<T> R = columns(state.q);
      const Vec3<S>& J = body.inertia;
      const Vec3<S> inverse = body.drive < 0 ? body.inverse_inertia : Vec3<S>{S(1) / J.x, S(1) / J.y, S(1) / J.z};
      const Vec3<T> omega = R.to_space(scaled(lifted<S, T>(inverse), R.to_body(state.pi)));
      const Vec3<T>* d[3] = {&R.e1, &R.e2, &R.e3};
      const S weights[3] = {body.euler.x, body.euler.y, body.euler.z};
      for (int i = 0; i < D; ++i) {
        const Vec3<T> rate = cross(omega, *d[i]);
        put(*d[i], D, q + body.first + D * (i + 1));
        put(T(weights[i]) * rate, D, p + body.first + D * (i + 1));
        if (v != nullptr) put(rate, D, v + body.first + D * (i + 1));
      }
      if (body.hung) {
        const Vec3<T> arm = body.arm(R);
        x = x + arm;
        momentum = T(body.mass) * cross(omega, arm);
      }
    }
    put(x, D, q + body.first);
    put(momentum, D, p + body.first);
    if (v != nullptr) put(T(S(1) / body.mass) * momentum, D, v + body.first);
  }
  for (const OwnCoordinate<S>& one : model.of_joints) {
    q[one.index] = one.value(q);
    p[one.index] = T(S(0));
    if constexpr (std::is_same_v<S, T>)
      if (v != nullptr) v[one.index] = one.rate(q, v);
  }
}

template <class S>
void from_directors(const Model<S>& model, const S* q, const S* p, std::vector<BodyState<S>>& bodies) {
  const int D = model.dimension;
  const Vec3<S> none{S(0), S(0), S(0)};
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const auto& body = model.bodies[b];
    BodyState<S>& to = bodies[b];
    const S *own_q = q + body.first, *own_p = p + body.first;
    to.x = get(own_q, D);
    to.p = body.moves ? get(own_p, D) : none;
    to.pi = none;
    if (!body.turns) continue;
    Columns<S> R{{S(1), S(0), S(0)}, {S(0), S(1), S(0)}, {S(0), S(0), S(1)}};
    Vec3<S>* d[3] = {&R.e1, &R.e2, &R.e3};
    for (int i = 0; i < D; ++i) {
      *d[i] = get(own_q + D * (i + 1), D);
      to.pi = to.pi + cross(*d[i], get(own_p + D * (i + 1), D));
    }
    const Quaternion<S> turn = from_columns(R);
    to.q = (S(1) / math::sqrt(squared_norm(turn))) * turn;
    if (body.hung) {
      to.pi = to.pi + cross(body.arm(columns(to.q)), get(own_p, D));
      to.x = body.anchor;
    }
    if (!body.swings) to.pi = none;
  }
}

#define EXTREMAL_INSTANTIATE(S)                                                                                      \
  template void to_directors(const Model<S>&, const std::vector<BodyState<S>>&, S*, S*, S*);                         \
  template void to_directors(const Model<S>&, const std::vector<BodyState<Dual<S>>>&, Dual<S>*, Dual<S>*, Dual<S>*); \
  template void from_directors(const Model<S>&, const S*, const S*, std::vector<BodyState<S>>&);
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal::lie
