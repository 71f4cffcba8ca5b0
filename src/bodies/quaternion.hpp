// Unit quaternions for rotations, on any scalar: double, long double, quad, jets of them.
//
//   q = (cos(a/2), sin(a/2) n) turns by the angle a about n; the rotation of a product is the product of the rotations,
//   and q and -q are the same rotation [LewMata2016, appendix C].
//
// Components are named members, not arrays: a loop over many bodies is then vectorised like one over plain numbers.
#pragma once

#include "extremal/scalar.hpp"

namespace extremal::lie {

template <class S>
struct Vec3 {
  S x, y, z;

  [[gnu::always_inline]] friend Vec3 operator+(const Vec3& a, const Vec3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  [[gnu::always_inline]] friend Vec3 operator-(const Vec3& a, const Vec3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  [[gnu::always_inline]] friend Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  [[gnu::always_inline]] friend Vec3 operator*(const S& s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
};

template <class S>
[[gnu::always_inline]] inline S dot(const Vec3<S>& a, const Vec3<S>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class S>
[[gnu::always_inline]] inline Vec3<S> cross(const Vec3<S>& a, const Vec3<S>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// Component by component: a diagonal matrix times a vector.
template <class S>
[[gnu::always_inline]] inline Vec3<S> scaled(const Vec3<S>& a, const Vec3<S>& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

template <class S>
struct Quaternion {
  S w, x, y, z;

  [[gnu::always_inline]] friend Quaternion operator*(const Quaternion& a, const Quaternion& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
  }
  [[gnu::always_inline]] friend Quaternion operator*(const S& s, const Quaternion& a) {
    return {s * a.w, s * a.x, s * a.y, s * a.z};
  }
};

template <class S>
[[gnu::always_inline]] inline Quaternion<S> conj(const Quaternion<S>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}
template <class S>
[[gnu::always_inline]] inline S squared_norm(const Quaternion<S>& q) {
  return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

// One Newton step towards |q| = 1: exact to round-off for a q whose norm has drifted by round-off.
template <class S>
[[gnu::always_inline]] inline Quaternion<S> renormalised(const Quaternion<S>& q) {
  return (S(0.5) * (S(3) - squared_norm(q))) * q;
}

// The columns of the rotation matrix: the body axes seen from space.
template <class S>
struct Columns {
  Vec3<S> e1, e2, e3;

  [[gnu::always_inline]] Vec3<S> to_space(const Vec3<S>& a) const { return a.x * e1 + a.y * e2 + a.z * e3; }
  [[gnu::always_inline]] Vec3<S> to_body(const Vec3<S>& a) const { return {dot(e1, a), dot(e2, a), dot(e3, a)}; }
};

// [LewMata2016, eq. 127] of a unit quaternion, or of any other with scale = 2/|q|^2.
template <class S>
[[gnu::always_inline]] inline Columns<S> columns(const Quaternion<S>& q, const S& scale = S(2)) {
  const S x2 = scale * q.x, y2 = scale * q.y, z2 = scale * q.z;
  const S xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
  const S xy = q.x * y2, xz = q.x * z2, yz = q.y * z2, wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
  return {
      {S(1) - (yy + zz), xy + wz, xz - wy}, {xy - wz, S(1) - (xx + zz), yz + wx}, {xz + wy, yz - wx, S(1) - (xx + yy)}};
}

// One rotation of one vector costs less than the matrix: a + w t + u x t with t = 2 u x a, u the vector part.
template <class S>
[[gnu::always_inline]] inline Vec3<S> rotate(const Quaternion<S>& q, const Vec3<S>& a) {
  const Vec3<S> u{q.x, q.y, q.z}, c = cross(u, a), t = c + c;
  return a + (q.w * t + cross(u, t));
}

template <class S>
[[gnu::always_inline]] inline Vec3<S> rotate_back(const Quaternion<S>& q, const Vec3<S>& a) {
  const Vec3<S> u{q.x, q.y, q.z}, c = cross(a, u), t = c + c;
  return a + (q.w * t + cross(t, u));
}

// The quaternion by its component `first` (w, x, y, z), which must not be small [LewMata2016, C.1], where the square
// root is missing. The others are sums of two entries divided by it.
template <class S>
inline Quaternion<S> from_columns(const Columns<S>& r, int first) {
  using math::sqrt;
  if (first == 0) {
    const S w = S(0.5) * sqrt(S(1) + (r.e1.x + r.e2.y + r.e3.z)), f = S(0.25) / w;
    return {w, f * (r.e2.z - r.e3.y), f * (r.e3.x - r.e1.z), f * (r.e1.y - r.e2.x)};
  }
  if (first == 1) {
    const S x = S(0.5) * sqrt(S(1) + r.e1.x - r.e2.y - r.e3.z), f = S(0.25) / x;
    return {f * (r.e2.z - r.e3.y), x, f * (r.e1.y + r.e2.x), f * (r.e1.z + r.e3.x)};
  }
  if (first == 2) {
    const S y = S(0.5) * sqrt(S(1) + r.e2.y - r.e1.x - r.e3.z), f = S(0.25) / y;
    return {f * (r.e3.x - r.e1.z), f * (r.e1.y + r.e2.x), y, f * (r.e2.z + r.e3.y)};
  }
  const S z = S(0.5) * sqrt(S(1) + r.e3.z - r.e1.x - r.e2.y), f = S(0.25) / z;
  return {f * (r.e1.y - r.e2.x), f * (r.e1.z + r.e3.x), f * (r.e2.z + r.e3.y), z};
}

// By the largest of the four components, so that nothing cancels.
template <class S>
inline Quaternion<S> from_columns(const Columns<S>& r) {
  const S trace = r.e1.x + r.e2.y + r.e3.z;
  const S largest = math::max(math::max(trace, r.e1.x), math::max(r.e2.y, r.e3.z));
  return from_columns(r, !(trace < largest) ? 0 : !(r.e1.x < largest) ? 1 : !(r.e2.y < largest) ? 2 : 3);
}

// A component that is large enough, for functions of directors that are no rotation quite: there the formulas differ,
// and with them the derivatives. Frames along the axes have two or four equal components; the borders between the
// formulas are put away from such frames, or Newton's method would go to and fro between two of them.
template <class S>
inline int steady_component(const Columns<S>& r) {
  const S &x = r.e1.x, &y = r.e2.y, &z = r.e3.z;
  if (!(x + y + z < S(-0.45))) return 0;
  if (!(x < math::max(y, z) - S(0.3))) return 1;
  return !(y < z - S(0.3)) ? 2 : 3;
}

// exp of a rotation vector: sin(a/2)/a by its series where the quotient would lose digits or not exist.
template <class S>
inline Quaternion<S> from_rotation_vector(const Vec3<S>& a) {
  using math::cos, math::sin, math::sqrt;
  const S squared = dot(a, a), quarter = S(0.25) * squared;
  if (quarter < S(0.0625)) {
    S sine = S(0), cosine = S(0);  // of the half angle, the sine divided by it: sums of at most (1/16)^n/(2n)!
    for (int n = 12; n > 0; --n) {
      sine = (S(1) + sine) * quarter / S(-(2 * n) * (2 * n + 1));
      cosine = (S(1) + cosine) * quarter / S(-(2 * n - 1) * (2 * n));
    }
    const S f = S(0.5) * (S(1) + sine);
    return {S(1) + cosine, f * a.x, f * a.y, f * a.z};
  }
  const S angle = sqrt(squared), f = sin(S(0.5) * angle) / angle;
  return {cos(S(0.5) * angle), f * a.x, f * a.y, f * a.z};
}

// Turn by psi about axis 3, then by theta about the new axis 1, then by phi about the new axis 3.
template <class S>
inline Quaternion<S> from_euler_angles(const S& psi, const S& theta, const S& phi) {
  using math::cos, math::sin;
  const S half = S(0.5);
  const Quaternion<S> precession{cos(half * psi), S(0), S(0), sin(half * psi)};
  const Quaternion<S> nutation{cos(half * theta), sin(half * theta), S(0), S(0)};
  const Quaternion<S> spin{cos(half * phi), S(0), S(0), sin(half * phi)};
  return precession * nutation * spin;
}

}  // namespace extremal::lie
