// The elastic energy of a rod element as a function of the centres and directors of its nodes, and its gradient.
//
// The directors stand for quaternions, q = quaternion_at(d), whatever they are: off the rotations the energy is that of
// these formulas, and the multipliers of rigidity depend on it. The gradient goes the way of rod_strain backwards. With
// the quantities of rod_element.hpp, n = N, s = q1 + q2 = (s0, u), scale = 1 / (2 C^2) and a(z) = atan(t)/t, t^2 = z,
//   D . N = d . N + scale Q,  Q = s0 u . (N x d) + (u . N)(u . d) - (u . u)(N . d),   a' = (B - 1/(1 + z)) / 2.
#pragma once

#include "bodies/rod_element.hpp"

namespace extremal::lie {

template <class S>
[[gnu::always_inline]] inline Vec3<S> vec3_at(const S* x) {
  return {x[0], x[1], x[2]};
}
template <class S>
inline Quaternion<S> quaternion_at(const S* directors) {
  const Columns<S> r{vec3_at(directors), vec3_at(directors + 3), vec3_at(directors + 6)};
  return from_columns(r, steady_component(r));
}

// x: centre and directors of the one node, then of the other.
template <class T, class S>
T rod_energy_of_directors(const RodElement<S>& e, const T* x) {
  const auto lift = [](const Vec3<S>& a) { return Vec3<T>{T(a.x), T(a.y), T(a.z)}; };
  const RodElement<T> element{T(e.inverse_length), lift(e.force_stiffness), lift(e.moment_stiffness), lift(e.gamma0),
                              lift(e.omega0)};
  const RodStrain<T> strain =
      rod_strain(element, vec3_at(x), quaternion_at(x + 3), vec3_at(x + 12), quaternion_at(x + 15));
  return rod_energy(element, strain).total();
}

// out += (d quaternion_at / d directors)^T g, 9 numbers. The first component is a root, L = sqrt(1 + ..) / 2, and the
// others are sums of two entries times f = 1 / (4 L).
template <class S>
inline void add_through_columns(const S* directors, const Quaternion<S>& q, const Quaternion<S>& g, S* out) {
  const int first = steady_component(Columns<S>{vec3_at(directors), vec3_at(directors + 3), vec3_at(directors + 6)});
  const S all = g.w * q.w + g.x * q.x + g.y * q.y + g.z * q.z;
  // Entries (i, j) of the pairs that w and x, y, z are the differences of, and the sums: e2z and e3y, e3x and e1z, e1y
  // and e2x.
  constexpr int up[3] = {5, 6, 1}, down[3] = {7, 2, 3};
  const S u[3] = {g.x, g.y, g.z}, own[3] = {q.x, q.y, q.z};
  if (first == 0) {
    const S f = S(0.25) / q.w, along = (g.w - (all - g.w * q.w) / q.w) * f / S(2);
    for (int k = 0; k < 3; ++k) {
      out[4 * k] += along;
      out[up[k]] += f * u[k];
      out[down[k]] -= f * u[k];
    }
    return;
  }
  const int k = first - 1;
  const S f = S(0.25) / own[k], along = (u[k] - (all - u[k] * own[k]) / own[k]) * f / S(2);
  for (int i = 0; i < 3; ++i) out[4 * i] += i == k ? along : -along;
  out[up[k]] += f * g.w;
  out[down[k]] -= f * g.w;
  for (int i = 0; i < 3; ++i) {
    if (i == k) continue;
    const int pair = 3 - i - k;  // the entries with both indices
    out[up[pair]] += f * u[i];
    out[down[pair]] += f * u[i];
  }
}

// Returns the energy; out has 24 numbers.
template <class S>
inline S rod_gradient_of_directors(const RodElement<S>& e, const S* x, S* out) {
  const Quaternion<S> q1 = quaternion_at(x + 3), given = quaternion_at(x + 15);
  const S sign = (q1.w * given.w + q1.x * given.x) + (q1.y * given.y + q1.z * given.z) < S(0) ? S(-1) : S(1);
  const Quaternion<S> q2 = sign * given;
  const Vec3<S> d = vec3_at(x + 12) - vec3_at(x), u1{q1.x, q1.y, q1.z}, u2{q2.x, q2.y, q2.z};
  const RelativeRotation<S> r = relative_rotation(q1, q2);
  const Columns<S> axes = columns(r.sum, r.scale);
  const RodStrain<S> strain{e.inverse_length * axes.to_body(d) - e.gamma0,
                            ((r.k + r.k) * e.inverse_length) * r.v - e.omega0};
  const RodStress<S> stress = rod_stress(e, strain);
  const Vec3<S>&N = stress.force, &M = stress.moment;

  // k = 2 w a(z) with w = 1 / (C (1 + C)) and z = w^2 v.v / 4.
  const S c = math::sqrt(S(0.5) + S(0.5) * ((q1.w * q2.w + q1.x * q2.x) + (q1.y * q2.y + q1.z * q2.z)));
  const S w = S(1) / (c * (S(1) + c)), vv = dot(r.v, r.v), z = S(0.25) * w * w * vv, b = arc_tangent_defect(z);
  const S a = S(1) - z * b, slope = S(0.5) * (b - S(1) / (S(1) + z));
  const S by_k = S(2) * dot(M, r.v), by_w = by_k * (S(2) * a + w * w * slope * vv);
  const Vec3<S> by_v = (r.k + r.k) * M + (by_k * w * w * w * slope) * r.v;
  // Q and its slopes.
  const Vec3<S> u{r.sum.x, r.sum.y, r.sum.z}, nd = cross(N, d);
  const S un = dot(u, N), ud = dot(u, d), n_d = dot(N, d), turned = dot(u, nd);
  const S Q = r.sum.w * turned + un * ud - dot(u, u) * n_d;
  const S by_c = -(S(1) + c + c) * w * w * by_w - Q / (c * c * c), by_r0 = by_c / (S(4) * c);
  const Vec3<S> by_u = r.scale * (r.sum.w * nd + ud * N + un * d - (n_d + n_d) * u);
  const S by_s0 = r.scale * turned;

  const Vec3<S> g1 = by_u + by_r0 * u2 + (cross(by_v, u2) - q2.w * by_v);
  const Vec3<S> g2 = by_u + by_r0 * u1 + (cross(u1, by_v) + q1.w * by_v);
  const Quaternion<S> by_q1{by_s0 + by_r0 * q2.w + dot(by_v, u2), g1.x, g1.y, g1.z};
  const Quaternion<S> by_q2{by_s0 + by_r0 * q1.w - dot(by_v, u1), g2.x, g2.y, g2.z};

  for (int i = 0; i < 24; ++i) out[i] = S(0);
  const Vec3<S> force = axes.to_space(N);
  out[0] = -force.x, out[1] = -force.y, out[2] = -force.z;
  out[12] = force.x, out[13] = force.y, out[14] = force.z;
  add_through_columns(x + 3, q1, by_q1, out + 3);
  add_through_columns(x + 15, given, sign * by_q2, out + 15);
  return rod_energy(e, strain).total();
}

}  // namespace extremal::lie
