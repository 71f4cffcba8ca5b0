// Vectors and rotations of the builder, in quad. In the plane the third component is 0.
#pragma once

#include <array>

#include "extremal/scalar.hpp"

namespace extremal {

using Triple = std::array<quad, 3>;
using Directors = std::array<Triple, 3>;  // the columns of a rotation

inline Triple operator+(const Triple& x, const Triple& y) { return {x[0] + y[0], x[1] + y[1], x[2] + y[2]}; }
inline Triple operator-(const Triple& x, const Triple& y) { return {x[0] - y[0], x[1] - y[1], x[2] - y[2]}; }
inline Triple operator*(quad c, const Triple& x) { return {c * x[0], c * x[1], c * x[2]}; }
inline quad dot(const Triple& x, const Triple& y) { return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]; }
inline quad norm(const Triple& x) { return math::sqrt(dot(x, x)); }
inline Triple cross(const Triple& x, const Triple& y) {
  return {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
}

inline constexpr Directors no_rotation{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

// A unit vector whose components at round-off become 0, so that they are no monomials of a joint.
Triple cleaned(Triple unit);

// In space, of a vector in the body; and back.
inline Triple outward(const Directors& d, const Triple& x) { return x[0] * d[0] + x[1] * d[1] + x[2] * d[2]; }
inline Triple inward(const Directors& d, const Triple& x) { return {dot(d[0], x), dot(d[1], x), dot(d[2], x)}; }

// The rotation by |x| about x, and the one by an angle about coordinate axis k.
Directors rotation(const Triple& x);
Directors rotation(int k, quad angle);
Directors product(const Directors& a, const Directors& b);
// The nearest frame, for one that is orthonormal to a few digits.
Directors orthonormal(const Directors& d);

// Two unit vectors that make a right-handed frame with the unit vector u: n[0] x n[1] = u.
std::array<Triple, 2> normals(const Triple& u);

}  // namespace extremal
