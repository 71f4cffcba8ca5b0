// The rotation of a free body over a step, exactly: a body of revolution with moments (c, a, a) about axes (1, 2, 3)
// and the angular momentum Pi in space precesses about Pi and spins about its axis, both steadily,
//   R1 = exp(h Pi / a) R0 exp(h (1 / c - 1 / a) (R0^T Pi)_1 e_1).
// With g = h R0^T Pi in body axes it is R1 = R0 F, F = exp(g / a) exp((1 / c - 1 / a) g_1 e_1), of any length h. In the
// plane there is the spin alone.
//
// With three different moments g and the quaternion f of F follow, over the step from 0 to 1, Euler's equations
//   g' = g x w,   f' = f (0, w) / 2,   w = J^-1 g,
// polynomial in g and f, so that the coefficients of their power series follow one from the other: it is summed to
// round-off, in pieces of the step. With a_1 = (J_2 - J_3) / J_1 and so on, w_1' = a_1 w_2 w_3, the series of elliptic
// functions, whose poles are pi / 2 away at least in units of |w| sqrt|a_i a_j|: a piece turns by 1 / (1 + A),
// A = max |a_i| <= 1, a third of that.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "bodies/quaternion.hpp"
#include "lie/dual.hpp"

namespace extremal::lie {

template <class S>
class FreeRotation {
 public:
  FreeRotation(const Vec3<S>& J, bool planar) {
    const S moments[3] = {J.x, J.y, J.z};
    const S slack = S(16) * Scalar<S>::epsilon;
    for (int k = 0; k < 3; ++k) {
      const S &own = moments[k], &next = moments[(k + 1) % 3], &last = moments[(k + 2) % 3];
      if (planar ? k != 2 : !(math::abs(next - last) <= slack * next)) continue;
      axis_ = k;
      precession_ = planar ? S(0) : S(1) / next;
      spin_ = S(1) / own - precession_;
    }
    inverse_ = {S(1) / J.x, S(1) / J.y, S(1) / J.z};
    const S most = math::max(math::abs(J.y - J.z) * inverse_.x,
                             math::max(math::abs(J.z - J.x) * inverse_.y, math::abs(J.x - J.y) * inverse_.z));
    piece_ = S(1) / (S(1) + most);
  }

  template <class T>
  Quaternion<T> operator()(const Vec3<T>& g) const {
    using math::cos, math::sin;
    if (axis_ < 0) return by_series(g);
    const T& along = axis_ == 0 ? g.x : axis_ == 1 ? g.y : g.z;
    const T half = T(S(0.5) * spin_) * along, c = cos(half), s = sin(half);
    if (precession_ == S(0)) return {c, T(S(0)), T(S(0)), s};
    const Quaternion<T> f = turn(T(precession_) * g);
    if (axis_ == 0) return {c * f.w - s * f.x, c * f.x + s * f.w, c * f.y + s * f.z, c * f.z - s * f.y};
    if (axis_ == 1) return {c * f.w - s * f.y, c * f.x - s * f.z, c * f.y + s * f.w, c * f.z + s * f.x};
    return {c * f.w - s * f.z, c * f.x + s * f.y, c * f.y - s * f.x, c * f.z + s * f.w};
  }

 private:
  // exp of a rotation vector. Close to 0 sin(x) / x, and its slope more so, is its series, to x^8.
  template <class T>
  Quaternion<T> turn(const Vec3<T>& a) const {
    using math::cos, math::sin, math::sqrt;
    const T squared = dot(a, a), quarter = T(S(0.25)) * squared;
    if (value(quarter) < close_) {
      T sine(S(0)), cosine(S(0));
      for (int n = 4; n > 0; --n) {
        sine = (T(S(1)) + sine) * quarter * T(S(-1) / S(2 * n * (2 * n + 1)));
        cosine = (T(S(1)) + cosine) * quarter * T(S(-1) / S((2 * n - 1) * 2 * n));
      }
      const T f = T(S(0.5)) * (T(S(1)) + sine);
      return {T(S(1)) + cosine, f * a.x, f * a.y, f * a.z};
    }
    const T angle = sqrt(squared), half = T(S(0.5)) * angle, f = sin(half) / angle;
    return {cos(half), f * a.x, f * a.y, f * a.z};
  }

  template <class T>
  Quaternion<T> by_series(Vec3<T> g) const {
    const Vec3<S> w = scaled(inverse_, values(g));
    const S angle = math::sqrt(dot(w, w));
    Quaternion<T> f{T(S(1)), T(S(0)), T(S(0)), T(S(0))};
    if (!(angle <= S(most_angle))) return {T(S(NAN)), f.x, f.y, f.z};
    const int pieces = 1 + static_cast<int>(static_cast<double>(angle / piece_));
    for (int k = 0; k < pieces; ++k) f = f * advance(S(1) / S(pieces), g);
    return f;
  }

  // The turn over a part of the step, which takes g along.
  template <class T>
  Quaternion<T> advance(const S& part, Vec3<T>& g) const {
    std::array<T, most_terms> gx, gy, gz, wx, wy, wz, fw, fx, fy, fz;
    gx[0] = T(part) * g.x, gy[0] = T(part) * g.y, gz[0] = T(part) * g.z;
    fw[0] = T(S(1)), fx[0] = fy[0] = fz[0] = T(S(0));
    Vec3<T> sum{gx[0], gy[0], gz[0]};
    Quaternion<T> f{fw[0], fx[0], fy[0], fz[0]};
    const T ax(inverse_.z - inverse_.y), ay(inverse_.x - inverse_.z), az(inverse_.y - inverse_.x);
    int small = 0;  // terms in a row: one alone may vanish by symmetry
    for (std::size_t k = 0; k + 1 < most_terms && small < 2; ++k) {
      wx[k] = T(inverse_.x) * gx[k], wy[k] = T(inverse_.y) * gy[k], wz[k] = T(inverse_.z) * gz[k];
      T x(S(0)), y(S(0)), z(S(0)), a(S(0)), b(S(0)), c(S(0)), d(S(0));
      for (std::size_t i = 0, n = k; i <= k; ++i, --n) {
        x += gy[i] * gz[n], y += gz[i] * gx[n], z += gx[i] * gy[n];
        a += fx[i] * wx[n] + fy[i] * wy[n] + fz[i] * wz[n];
        b += fw[i] * wx[n] + fy[i] * wz[n] - fz[i] * wy[n];
        c += fw[i] * wy[n] + fz[i] * wx[n] - fx[i] * wz[n];
        d += fw[i] * wz[n] + fx[i] * wy[n] - fy[i] * wx[n];
      }
      const S share = S(1) / S(static_cast<int>(k) + 1);
      const T by(share), half(share / S(2));
      gx[k + 1] = by * ax * x, gy[k + 1] = by * ay * y, gz[k + 1] = by * az * z;
      fw[k + 1] = -(half * a), fx[k + 1] = half * b, fy[k + 1] = half * c, fz[k + 1] = half * d;
      sum = {sum.x + gx[k + 1], sum.y + gy[k + 1], sum.z + gz[k + 1]};
      f = {f.w + fw[k + 1], f.x + fx[k + 1], f.y + fy[k + 1], f.z + fz[k + 1]};
      const S change = math::abs(value(gx[k + 1])) * inverse_.x + math::abs(value(gy[k + 1])) * inverse_.y +
                       math::abs(value(gz[k + 1])) * inverse_.z;
      const S size = math::abs(value(fw[k + 1])) + math::abs(value(fx[k + 1])) + math::abs(value(fy[k + 1])) +
                     math::abs(value(fz[k + 1]));
      small = change + size <= S(0.0625) * Scalar<S>::epsilon ? small + 1 : 0;
    }
    g = T(S(1) / part) * sum;
    return f;
  }

  static constexpr std::size_t most_terms = 96;
  static constexpr double most_angle = 1e4;
  int axis_ = -1;
  Vec3<S> inverse_{};
  S piece_{1};
  S precession_{}, spin_{};  // 1 / a, and 1 / c - 1 / a
  S close_ = math::pow(Scalar<S>::epsilon, S(1) / S(5));
};

}  // namespace extremal::lie
