// Dual numbers over a scalar, and what code for both needs to know of either: T is S, or Dual<S>.
#pragma once

#include "bodies/quaternion.hpp"
#include "extremal/detail/jet.hpp"

namespace extremal::lie {

template <class S>
using Dual = Jet<S, 1, 1>;

template <class S>
[[gnu::always_inline]] inline S value(const S& x) {
  return x;
}
template <class S>
S value(const Dual<S>& x) {
  return x.a;
}
template <class S>
[[gnu::always_inline]] inline Vec3<S> values(const Vec3<S>& x) {
  return x;
}
template <class S>
Vec3<S> values(const Vec3<Dual<S>>& x) {
  return {x.x.a, x.y.a, x.z.a};
}

// Value and slope, each against its own zero: `slopes` is how large slopes are where values are 1.
template <class S>
[[gnu::always_inline]] inline S size(const S& x, const S&) {
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
[[gnu::always_inline]] inline Vec3<T> lifted(const Vec3<S>& x) {
  return {T(x.x), T(x.y), T(x.z)};
}

}  // namespace extremal::lie
