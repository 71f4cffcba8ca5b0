// OwnCoordinate: the angle or stroke of a joint that is a coordinate of the system, as a function of the directors.
//
// With the vectors u, w of the first body and e of the second, an angle is phi of cos phi = c = u . e and
// sin phi = s = w . e, over all turns; what acts on phi acts on the directors by dphi = (c ds - s dc) / (c^2 + s^2).
// A stroke is a . (x_b - x_a). Laws of joints are terms of phi; loads.hpp hands their forces on to the bodies.
#pragma once

#include <type_traits>

#include "lie/dual.hpp"

namespace extremal::lie {

template <class S>
struct OwnCoordinate {
  struct End {
    int first = -1;     // coordinate of the body; -1: the ground
    bool turns = true;  // or a point mass
    Vec3<S> at{};
  };
  bool angular = true;
  int index = 0, row = 0;  // among the system's coordinates, and that ties it to the bodies among the constraints
  End a, b;
  Vec3<S> axis{};
  S zero{}, near{};  // where it was last: which turn is meant
  int dimension = 3;

  template <class T>
  T value(const T* q) const {
    if (!angular) return dot(seen(a, axis, q), place(b, q) - place(a, q));
    const T c = cosine(q), s = sine(q);
    const S phi = zero + math::atan2(lie::value(s), lie::value(c)), turn = S(8) * math::atan2(S(1), S(1)),
            turns = (near - phi) / turn;
    T out(phi);
    if (math::abs(turns) < S(1e15))
      out = T(phi + turn * S(static_cast<long long>(turns + S(turns < S(0) ? -0.5 : 0.5))));
    if constexpr (!std::is_same_v<S, T>) out.g[0] = (c.a * s.g[0] - s.a * c.g[0]) / (c.a * c.a + s.a * s.a);
    return out;
  }

  S rate(const S* q, const S* v) const {
    if (!angular)
      return dot(moving(a, axis, v), place(b, q) - place(a, q)) +
             dot(seen(a, axis, q), moving_place(b, v) - moving_place(a, v));
    const Vec3<S> u = seen(a, a.at, q), w = seen(a, axis, q), e = seen(b, b.at, q), er = moving(b, b.at, v);
    const S c = dot(u, e), s = dot(w, e), dc = dot(moving(a, a.at, v), e) + dot(u, er),
            ds = dot(moving(a, axis, v), e) + dot(w, er);
    return (c * ds - s * dc) / (c * c + s * s);
  }

  // A torque or force f on it, as forces on the bodies.
  template <class T>
  void act(const T* q, const T& f, T* force) const {
    if (!angular) {
      const Vec3<T> along = seen(a, axis, q), gap = place(b, q) - place(a, q);
      push(a, axis, f * gap, force);
      push(a, a.at, T(S(-1)) * (f * along), force);
      push(b, b.at, f * along, force);
      push_place(a, T(S(-1)) * (f * along), force);
      push_place(b, f * along, force);
      return;
    }
    const Vec3<T> u = seen(a, a.at, q), w = seen(a, axis, q), e = seen(b, b.at, q);
    const T c = dot(u, e), s = dot(w, e), square = c * c + s * s, by_s = f * c / square,
            by_c = T(S(-1)) * f * s / square;
    push(a, axis, by_s * e, force);
    push(a, a.at, by_c * e, force);
    push(b, b.at, by_s * w + by_c * u, force);
  }

 private:
  template <class T>
  Vec3<T> part(const T* x) const {
    return {x[0], x[1], dimension == 3 ? x[2] : T(S(0))};
  }
  // A direction or arm of a body, of the directors in x or of their rates.
  template <class T>
  Vec3<T> moving(const End& end, const Vec3<S>& in_body, const T* x) const {
    Vec3<T> sum{T(S(0)), T(S(0)), T(S(0))};
    if (end.first < 0 || !end.turns) return sum;
    const S along[] = {in_body.x, in_body.y, in_body.z};
    for (int i = 0; i < dimension; ++i) sum = sum + T(along[i]) * part(x + end.first + dimension * (i + 1));
    return sum;
  }
  template <class T>
  Vec3<T> seen(const End& end, const Vec3<S>& in_body, const T* q) const {
    return end.first < 0 ? lifted<S, T>(in_body) : moving(end, in_body, q);
  }
  template <class T>
  Vec3<T> moving_place(const End& end, const T* x) const {
    return end.first < 0 ? Vec3<T>{T(S(0)), T(S(0)), T(S(0))} : part(x + end.first) + moving(end, end.at, x);
  }
  template <class T>
  Vec3<T> place(const End& end, const T* q) const {
    return end.first < 0 ? lifted<S, T>(end.at) : moving_place(end, q);
  }
  template <class T>
  T cosine(const T* q) const {
    return dot(seen(a, a.at, q), seen(b, b.at, q));
  }
  template <class T>
  T sine(const T* q) const {
    return dot(seen(a, axis, q), seen(b, b.at, q));
  }
  template <class T>
  void push_place(const End& end, const Vec3<T>& by, T* force) const {
    if (end.first >= 0) add(by, force + end.first);
  }
  template <class T>
  void push(const End& end, const Vec3<S>& in_body, const Vec3<T>& by, T* force) const {
    if (end.first < 0 || !end.turns) return;
    const S along[] = {in_body.x, in_body.y, in_body.z};
    for (int i = 0; i < dimension; ++i) add(T(along[i]) * by, force + end.first + dimension * (i + 1));
  }
  template <class T>
  void add(const Vec3<T>& x, T* to) const {
    to[0] = to[0] + x.x;
    to[1] = to[1] + x.y;
    if (dimension == 3) to[2] = to[2] + x.z;
  }
};

}  // namespace extremal::lie
