// The rotation of a free body in one step: F with  F J_d - J_d F^T = skew(g),  J = tr(J_d) I - J_d
// [LewMata2016, section 4.1], where g = h Lambda0^T pi_half in body axes; then Lambda1 = Lambda0 F.
//
//   RotationStep<double> step(1, 2, 3);
//   if (!step.step(g, f)) ...               // h omega is too large: take a smaller step
//
// With o = J^-1 g (the angle h omega that an explicit step would turn) a solution exists for |o| < 1. Four ways to it:
//   J_d = diag(0, a, b)   a lamina, thus every section of a rod: closed form
//   J = j I               closed form: F - F^T = 2 skew(o) says sin(angle) = |o|
//   J = diag(c, a, a)     a body of revolution: Halley's iteration for one number
//   any other             Newton for the Cayley vector c = tan(angle/2) e:  g + g x c + (g.c) c - 2 J c = 0
//
// The lamina, derived. By two of the three equations the first row of F is (cos, -o3, o2) with
// cos = sqrt(1 - o2^2 - o3^2). F is thus known up to a turn by phi about axis 1, before which comes the shortest turn
// that has this row: f = (cos(phi/2), sin(phi/2), 0, 0) * (1 + cos, 0, o2, o3)/norm. The third equation is
// P sin(phi) + Q cos(phi) = y with 2A = 1 + cos, e = (J3 - J2)/J1,
//   P = 4 A^2 + e (o2^2 - o3^2),  Q = 2 e o2 o3,  y = 4 A o1,
// of which the solution next to phi = 0 is taken. |o| < 1 implies P^2 + Q^2 > y^2.
//
// The body of revolution, derived. For the unit quaternion (w, f) of F the equation is 2 w J f + 2 f x J f = g. With
// e = (c - a)/a its first line is w f1 = o1 / 2, and the two others are (w - i e f1) (f2 + i f3) = (o2 + i o3) / 2. So
// |f| = 1 is an equation for u = w^2 alone,
//   (u^2 - u + o1^2/4) (u^2 + e^2 o1^2/4) + u^2 (o2^2 + o3^2)/4 = 0,
// whose largest root is next to that for e o1 = 0, u = (1 + sqrt(1 - |o|^2)) / 2.
#pragma once

#include <array>

#include "bodies/quaternion.hpp"
#include "extremal/error.hpp"

namespace extremal::lie {

// J2 = J3: e = 0 above. o = J^-1 g. Without branches: a loop over many bodies is vectorised; where no solution exists
// the result is not a number.
template <class S>
[[gnu::always_inline]] inline Quaternion<S> round_lamina_rotation(const Vec3<S>& o) {
  using math::sqrt;
  const S twice = S(1) + sqrt(S(1) - (o.y * o.y + o.z * o.z)), a = S(0.5) * twice;
  const S up = sqrt(a + o.x), down = sqrt(a - o.x), w = S(0.5) * (up + down), x = S(0.5) * (up - down);
  const S f = S(1) / twice, y = f * o.y, z = f * o.z;
  return {w, x, w * y - x * z, w * z + x * y};
}

template <class S>
[[gnu::always_inline]] inline Quaternion<S> lamina_rotation(const Vec3<S>& o, const S& e) {
  using math::sqrt;
  const S yy = o.y * o.y, zz = o.z * o.z, twice = S(1) + sqrt(S(1) - (yy + zz));
  const S p = twice * twice + e * (yy - zz), q = (e + e) * (o.y * o.z), r = (twice + twice) * o.x;
  const S norm = p * p + q * q, root = sqrt(norm - r * r);
  const S c = norm + q * r + p * root, s = p * r - q * root;  // 1 + cos(phi) and sin(phi), both times `norm`
  const S scale = S(0.5) * sqrt(twice / (norm * c)), w = scale * c, x = scale * s;
  const S f = S(1) / twice, y = f * o.y, z = f * o.z;
  return {w, x, w * y - x * z, w * z + x * y};
}

// The equation of RotationStep::middle_step at a Cayley vector c: its residual, on any scalar over S, and Newton's
// correction by the inverse of its derivative.
template <class S>
struct MiddleEquation {
  Vec3<S> c1, c2, c3;  // cofactors of the derivative
  S scale;             // -1 / determinant

  MiddleEquation(const Vec3<S>& j, const Vec3<S>& g, const Vec3<S>& c) {
    const Vec3<S> a = scaled(j, c);
    const S d = dot(c, a), s = S(2) * (S(1) + dot(c, c));
    const auto row = [&](const S& own, const S& along) {
      return Vec3<S>{-S(2) * own * a.x - s * along * c.x, -S(2) * own * a.y - s * along * c.y,
                     -S(2) * own * a.z - s * along * c.z};
    };
    const Vec3<S> r1 = row(c.x, g.x) + Vec3<S>{j.x - d, a.z - c.z * j.y, c.y * j.z - a.y};
    const Vec3<S> r2 = row(c.y, g.y) + Vec3<S>{c.z * j.x - a.z, j.y - d, a.x - c.x * j.z};
    const Vec3<S> r3 = row(c.z, g.z) + Vec3<S>{a.y - c.y * j.x, c.x * j.y - a.x, j.z - d};
    c1 = cross(r2, r3), c2 = cross(r3, r1), c3 = cross(r1, r2);
    scale = S(-1) / dot(r1, c1);
  }
  template <class T>
  static Vec3<T> residual(const Vec3<T>& j, const Vec3<T>& g, const Vec3<T>& c) {
    const Vec3<T> a = scaled(j, c);
    const T s = T(S(1)) + dot(c, c);
    return a + cross(c, a) - dot(c, a) * c - (T(S(0.5)) * s * s) * g;
  }
  Vec3<S> correction(const Vec3<S>& r) const { return scale * (r.x * c1 + r.y * c2 + r.z * c3); }
};

template <class S>
class RotationStep {
 public:
  // Principal moments of inertia about body axes. Throws InputError unless each is positive and at most the sum of the
  // other two, which is so for every body.
  RotationStep(const S& j1, const S& j2, const S& j3) : j_{j1, j2, j3} {
    const S slack = S(8) * Scalar<S>::epsilon;
    int first = 0;
    for (int k = 0; k < 3; ++k) {
      const S &own = j_[at(k)], others = j_[at(k + 1)] + j_[at(k + 2)];
      if (!(own > S(0)) || !math::finite(own) || own > others + slack * own)
        throw InputError("inertia: " + to_text(j1) + ", " + to_text(j2) + ", " + to_text(j3) +
                         "; expected three positive moments, none greater than the sum of the other two; " +
                         "try the moments about the principal axes of the body");
      if (math::abs(own - others) <= slack * own) path_ = Path::lamina, first = k;
    }
    for (int k = 0; path_ == Path::general && k < 3; ++k)
      if (j_[at(k + 1)] == j_[at(k + 2)]) path_ = Path::revolution, first = k;
    for (int k = 0; k < 3; ++k) axis_[at(k)] = at(first + k), inverse_[at(k)] = S(1) / j_[at(first + k)];
    if (path_ == Path::lamina)
      asymmetry_ = (j_[axis_[2]] - j_[axis_[1]]) / j_[axis_[0]];
    else if (j1 == j2 && j2 == j3)
      path_ = Path::sphere;
    else
      asymmetry_ = (j_[axis_[0]] - j_[axis_[1]]) / j_[axis_[1]];
  }

  // The unit quaternion f of F. False, and f untouched, if |J^-1 g|^2 >= limit or Newton fails, where there is no
  // closed form. In line: which way a body takes is the same for all its steps.
  [[gnu::always_inline]] bool step(const S g[3], S f[4], S limit = S(1)) const {
    const Vec3<S> o{g[axis_[0]] * inverse_[0], g[axis_[1]] * inverse_[1], g[axis_[2]] * inverse_[2]};
    const S squared = dot(o, o);
    if (!(squared < limit)) return false;
    Quaternion<S> r;
    if (path_ == Path::revolution) {
      if (!revolution(o, squared, r)) return newton(g, f);
    } else if (path_ == Path::general) {
      return newton(g, f);
    } else {
      r = path_ == Path::sphere ? sphere(o)
          : asymmetry_ == S(0)  ? round_lamina_rotation(o)
                                : lamina_rotation(o, asymmetry_);
    }
    f[0] = r.w;
    f[1 + axis_[0]] = r.x, f[1 + axis_[1]] = r.y, f[1 + axis_[2]] = r.z;
    return true;
  }

  // The same for the kinetic energy of the midpoint rule, with the angular velocity (F - F^T) / (2 h) [LewMata2016,
  // section 4.1, remark]: g = (tr(F) I - F^T) J o / 2 with skew(o) = (F - F^T) / 2, in the Cayley vector
  //   J c + c x J c - (c . J c) c = (1 + c . c)^2 g / 2.
  // A solution exists for |J^-1 g| < 1/2: of a sphere it is sin(2 angle) / 2.
  bool middle_step(const S g_[3], S f[4], S limit = S(0.25)) const {
    const Vec3<S> g{g_[0], g_[1], g_[2]}, j{j_[0], j_[1], j_[2]}, o{g.x / j.x, g.y / j.y, g.z / j.z};
    if (!(dot(o, o) < limit)) return false;
    return solve(S(0.5) * o, f, [&](const Vec3<S>& c) {
      const MiddleEquation<S> at(j, g, c);
      return at.correction(at.residual(j, g, c));
    });
  }

  // d theta / d g by rows, where  delta F F^T = skew(delta theta):  theta in the body axes of the start of the step, as
  // g is; in space it is Lambda0 (d theta / d g) Lambda0^T. From skew(x) B + B^T skew(x) = skew((tr(B) I - B) x) with
  // B = F J_d the inverse is  d g / d theta = tr(F J_d) I - F J_d.  False if it is singular.
  bool derivative(const S f[4], S dtheta_dg[9]) const {
    const Columns<S> c = columns(Quaternion<S>{f[0], f[1], f[2], f[3]});
    const S half_trace = S(0.5) * (j_[0] + j_[1] + j_[2]);
    const Vec3<S> b1 = (half_trace - j_[0]) * c.e1, b2 = (half_trace - j_[1]) * c.e2, b3 = (half_trace - j_[2]) * c.e3;
    // Rows of the matrix to invert, then the rows of cofactors as cross products of them.
    const Vec3<S> r1{b2.y + b3.z, -b2.x, -b3.x}, r2{-b1.y, b1.x + b3.z, -b3.y}, r3{-b1.z, -b2.z, b1.x + b2.y};
    const Vec3<S> c1 = cross(r2, r3), c2 = cross(r3, r1), c3 = cross(r1, r2);
    const S determinant = dot(r1, c1);
    if (!(math::abs(determinant) > S(0))) return false;
    const S s = S(1) / determinant;
    const S inverse[9] = {s * c1.x, s * c2.x, s * c3.x, s * c1.y, s * c2.y, s * c3.y, s * c1.z, s * c2.z, s * c3.z};
    for (int i = 0; i < 9; ++i) dtheta_dg[i] = inverse[i];
    return true;
  }

  bool closed_form() const { return path_ == Path::lamina || path_ == Path::sphere; }

 private:
  enum class Path { general, revolution, lamina, sphere };

  static constexpr std::size_t at(int axis) { return static_cast<std::size_t>(axis % 3); }

  // sin(angle) e = o
  static Quaternion<S> sphere(const Vec3<S>& o) {
    using math::sqrt;
    const S w = sqrt(S(0.5) + S(0.5) * sqrt(S(1) - dot(o, o))), s = S(0.5) / w;
    return {w, s * o.x, s * o.y, s * o.z};
  }

  // Halley's iteration, of third order, as a division takes longer than all else here: a correction of eps^(1/3)/10 is
  // the last. False where the root is close to being a double one.
  bool revolution(const Vec3<S>& o, const S& squared, Quaternion<S>& f) const {
    using math::sqrt;
    const S b = S(0.5) * o.x, y = S(0.5) * o.y, z = S(0.5) * o.z;
    const S bb = b * b, c = asymmetry_ * asymmetry_ * bb, q = y * y + z * z;
    S u = S(0.5) + S(0.5) * sqrt(S(1) - squared);
    for (int iteration = 0; iteration < 8; ++iteration) {
      const S uu = u * u, first = (uu - u) + bb, second = uu + c, twice = u + u;
      const S value = first * second + q * uu, slope = (twice - S(1)) * second + twice * (first + q);
      const S bend = first + second + (twice - S(1)) * twice + q;  // half the second derivative
      const S correction = value * slope / (slope * slope - value * bend);
      u -= correction;
      if (!(correction * correction <= cubic_)) continue;
      if (!(u > S(0.5))) return false;
      const S w = sqrt(u), x = b * w * (S(1) / u), s = asymmetry_ * x, scale = u / (u * u + c);
      f = {w, x, scale * (w * y - s * z), scale * (w * z + s * y)};
      return true;
    }
    return false;
  }

  // Newton's method for a Cayley vector c. Stops on the size of the correction: the residual stagnates at a rounding
  // error that is not known beforehand. The convergence is quadratic, so that after a correction of eps^(3/4) the next
  // one would be lost in rounding.
  template <class CorrectionAt>
  [[gnu::always_inline]] bool solve(Vec3<S> c, S f[4], CorrectionAt correction_at) const {
    for (int iteration = 0; iteration < 40; ++iteration) {
      const Vec3<S> correction = correction_at(c);
      c = c + correction;
      const S size = dot(correction, correction);
      if (!math::finite(size)) return false;
      if (size <= tolerance_ * (S(1) + dot(c, c))) {
        const S w = S(1) / math::sqrt(S(1) + dot(c, c));
        f[0] = w, f[1] = w * c.x, f[2] = w * c.y, f[3] = w * c.z;
        return true;
      }
    }
    return false;
  }

  bool newton(const S g_[3], S f[4]) const {
    const Vec3<S> g{g_[0], g_[1], g_[2]}, j{j_[0], j_[1], j_[2]}, twice = j + j;
    return solve(Vec3<S>{g.x / twice.x, g.y / twice.y, g.z / twice.z}, f, [&](const Vec3<S>& c) {
      const S gc = dot(g, c);
      const Vec3<S> residual = g + cross(g, c) + gc * c - scaled(twice, c);
      const Vec3<S> r1{gc + c.x * g.x - twice.x, c.x * g.y - g.z, c.x * g.z + g.y};
      const Vec3<S> r2{c.y * g.x + g.z, gc + c.y * g.y - twice.y, c.y * g.z - g.x};
      const Vec3<S> r3{c.z * g.x - g.y, c.z * g.y + g.x, gc + c.z * g.z - twice.z};
      const Vec3<S> c1 = cross(r2, r3), c2 = cross(r3, r1), c3 = cross(r1, r2);
      const S determinant = dot(r1, c1);
      return (S(-1) / determinant) * (residual.x * c1 + residual.y * c2 + residual.z * c3);
    });
  }

  std::array<S, 3> j_, inverse_{};     // inverse_ in the order of axis_
  std::array<std::size_t, 3> axis_{};  // that normal to the lamina first
  Path path_ = Path::general;
  S asymmetry_ = S(0);  // e above
  S cubic_ = math::pow(Scalar<S>::epsilon, S(2) / S(3)) / S(100);
  S tolerance_ = Scalar<S>::epsilon * math::sqrt(Scalar<S>::epsilon);  // of the square of a correction
};

}  // namespace extremal::lie
