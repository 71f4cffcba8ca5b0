// One element of a geometrically exact rod: two nodes with position and rotation, strains constant along it
// [LewMata2016, section 4.2], the relative rotation interpolated along the geodesic.
//
//   d = x2 - x1,  r = conj(q1) q2 = (r0, v) with r0 >= 0,  s = |v| = sin psi,  psi = half the relative angle
//   k = psi / s,  q_m = (q1 + q2) / |q1 + q2|,  D = Lambda_m^T d
//   Gamma = D / h - Gamma0,  Omega = 2 k v / h - Omega0,  N = C_Gamma Gamma,  M = C_Omega Omega
//   U = h/2 (N.Gamma + M.Omega)
//
// Its gradient, with c = N x D:  f1 = Lambda_m N = -f2,  t1 = Lambda_m (mu - c/2),  t2 = Lambda_m (-mu - c/2),
//   mu = k M + (1 - k)(v.M) v / s^2 - c x v / (2 (1 + r0)),
// which [LewMata2016, eq. 109d] is not: it lacks k, 1 - k and the last term, and the step is then not symplectic.
//
// Everything follows from C = cos(psi/2) = sqrt((1 + r0)/2) and w = 1/(C (1 + C)), one root and one division, without a
// branch and without dividing by s: tan(psi/4)^2 = z = (w s / 2)^2 <= tan(pi/8)^2, and with atan(t)/t = 1 - z B(z)
//   k = 2 w (1 - z B),   (1 - k)/s^2 = w^2 (w B / 2 - (C + 2)/(4 C)).
#pragma once

#include "bodies/arc_tangent.hpp"
#include "bodies/quaternion.hpp"

namespace extremal::lie {

// Axis 1 of the section is the tangent.
template <class S>
struct RodElement {
  S inverse_length;
  Vec3<S> force_stiffness;   // EA, GA2, GA3
  Vec3<S> moment_stiffness;  // GJ, EI2, EI3
  Vec3<S> gamma0, omega0;    // of the stress-free shape; straight: (1, 0, 0) and 0
};

// What the relative rotation of the two nodes gives.
template <class S>
struct RelativeRotation {
  Quaternion<S> sum;  // q1 + q2, along q_m
  S scale;            // 1/(1 + r0) = 2/|q1 + q2|^2
  Vec3<S> v;
  S k;       // psi / s
  S beyond;  // (1 - k) / s^2
};

template <class S>
[[gnu::always_inline]] inline RelativeRotation<S> relative_rotation(const Quaternion<S>& q1, const Quaternion<S>& q2) {
  using math::sqrt;
  const S r0 = (q1.w * q2.w + q1.x * q2.x) + (q1.y * q2.y + q1.z * q2.z);
  const S sign = r0 < S(0) ? S(-1) : S(1);
  const Quaternion<S> q{sign * q2.w, sign * q2.x, sign * q2.y, sign * q2.z};
  const Vec3<S> v{(q1.w * q.x - q1.x * q.w) + (q1.z * q.y - q1.y * q.z),
                  (q1.w * q.y - q1.y * q.w) + (q1.x * q.z - q1.z * q.x),
                  (q1.w * q.z - q1.z * q.w) + (q1.y * q.x - q1.x * q.y)};
  const S c = sqrt(S(0.5) + S(0.5) * (sign * r0)), c1 = S(1) + c;
  const S w = S(1) / (c * c1), half = S(0.5) * w, inverse = half * c1;  // inverse = 1/(2C)
  const S z = (half * half) * dot(v, v), b = arc_tangent_defect(z);
  return {{q1.w + q.w, q1.x + q.x, q1.y + q.y, q1.z + q.z},
          (inverse + inverse) * inverse,
          v,
          (w + w) * (S(1) - z * b),
          (w * w) * (half * b - (S(0.25) + inverse))};
}

template <class S>
struct RodStrain {
  Vec3<S> gamma, omega;
};

template <class S>
inline RodStrain<S> rod_strain(const RodElement<S>& e, const Vec3<S>& x1, const Quaternion<S>& q1, const Vec3<S>& x2,
                               const Quaternion<S>& q2) {
  const RelativeRotation<S> r = relative_rotation(q1, q2);
  return {e.inverse_length * columns(r.sum, r.scale).to_body(x2 - x1) - e.gamma0,
          ((r.k + r.k) * e.inverse_length) * r.v - e.omega0};
}

// Section forces N (tension, shear) and moments M (torsion, bending), in the axes of the middle of the element.
template <class S>
struct RodStress {
  Vec3<S> force, moment;
};

template <class S>
inline RodStress<S> rod_stress(const RodElement<S>& e, const RodStrain<S>& strain) {
  return {scaled(e.force_stiffness, strain.gamma), scaled(e.moment_stiffness, strain.omega)};
}

template <class S>
struct RodEnergy {
  S stretching, shear, torsion, bending;
  S total() const { return stretching + shear + torsion + bending; }
};

template <class S>
inline RodEnergy<S> rod_energy(const RodElement<S>& e, const RodStrain<S>& a) {
  const RodStress<S> n = rod_stress(e, a);
  const S half_length = S(0.5) / e.inverse_length;
  return {half_length * n.force.x * a.gamma.x, half_length * (n.force.y * a.gamma.y + n.force.z * a.gamma.z),
          half_length * n.moment.x * a.omega.x, half_length * (n.moment.y * a.omega.y + n.moment.z * a.omega.z)};
}

// The same as N and M are computed in a step: N = force_rate D - force0, M = k moment_rate v - moment0.
template <class S>
struct RodLaw {
  Vec3<S> force_rate, force0;    // C_Gamma / h, C_Gamma Gamma0
  Vec3<S> moment_rate, moment0;  // 2 C_Omega / h, C_Omega Omega0
};

template <class S>
inline RodLaw<S> rod_law(const RodElement<S>& e) {
  return {e.inverse_length * e.force_stiffness, scaled(e.force_stiffness, e.gamma0),
          (e.inverse_length + e.inverse_length) * e.moment_stiffness, scaled(e.moment_stiffness, e.omega0)};
}

// On node 1: the force n and the torque t1 = m - c/2. On node 2: -n and t2 = -m - c/2, where c = n x d: the balance
// t1 + t2 = d x n does not depend on m. All in space.
template <class S>
struct RodForces {
  Vec3<S> n, m, c;

  Vec3<S> t1() const { return m - S(0.5) * c; }
  Vec3<S> t2() const { return -m - S(0.5) * c; }
};

// With (N x D) x v = D (N.v) - N (D.v) and Lambda_m D = d, Lambda_m N = n.
template <class S>
[[gnu::always_inline]] inline RodForces<S> rod_forces(const RodLaw<S>& law, const RelativeRotation<S>& r,
                                                      const Vec3<S>& d) {
  const Columns<S> axes = columns(r.sum, r.scale);
  const Vec3<S> body = axes.to_body(d);
  const Vec3<S> force = scaled(law.force_rate, body) - law.force0;
  const Vec3<S> moment = r.k * scaled(law.moment_rate, r.v) - law.moment0;
  const Vec3<S> n = axes.to_space(force);
  const S quarter = S(0.5) * r.scale, along_d = quarter * dot(force, r.v), along_n = quarter * dot(body, r.v);
  const Vec3<S> m = axes.to_space(r.k * moment + (r.beyond * dot(r.v, moment)) * r.v);
  return {n, m + (along_n * n - along_d * d), cross(n, d)};
}

template <class S>
inline RodForces<S> rod_forces(const RodElement<S>& e, const Vec3<S>& x1, const Quaternion<S>& q1, const Vec3<S>& x2,
                               const Quaternion<S>& q2) {
  return rod_forces(rod_law(e), relative_rotation(q1, q2), x2 - x1);
}

// The strains that make a configuration stress-free.
template <class S>
inline void make_stress_free(RodElement<S>& e, const Vec3<S>& x1, const Quaternion<S>& q1, const Vec3<S>& x2,
                             const Quaternion<S>& q2) {
  e.gamma0 = e.omega0 = {S(0), S(0), S(0)};
  const RodStrain<S> strain = rod_strain(e, x1, q1, x2, q2);
  e.gamma0 = strain.gamma;
  e.omega0 = strain.omega;
}

}  // namespace extremal::lie
