// The rotation of a step from its value, which RotationStep finds, on any scalar: with its slope on dual numbers.
#pragma once

#include "lie/dual.hpp"
#include "lie/rotation_step.hpp"

namespace extremal::lie {

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

}  // namespace extremal::lie
