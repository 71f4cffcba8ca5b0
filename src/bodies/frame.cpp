#include "bodies/frame.hpp"

namespace extremal {

Triple cleaned(Triple unit) {
  for (quad& x : unit) {
    if (math::abs(x) < 8 * Scalar<quad>::epsilon) x = 0;
    if (math::abs(math::abs(x) - 1) < 8 * Scalar<quad>::epsilon) x = x > 0 ? 1 : -1;
  }
  return unit;
}

Directors rotation(const Triple& x) {
  const quad angle = norm(x);
  if (!(angle > 0)) return no_rotation;
  const Triple u = (1 / angle) * x;
  const quad c = math::cos(angle), s = math::sin(angle);
  Directors d;
  // Rodrigues: c e + s u x e + (1 - c)(u . e) u
  for (std::size_t i = 0; i < 3; ++i) {
    const Triple& e = no_rotation[i];
    d[i] = cleaned(c * e + s * cross(u, e) + ((1 - c) * dot(u, e)) * u);
  }
  return d;
}

Directors rotation(int k, quad angle) {
  Triple x{};
  x[static_cast<std::size_t>(k)] = angle;
  return rotation(x);
}

Directors product(const Directors& a, const Directors& b) {
  return {cleaned(outward(a, b[0])), cleaned(outward(a, b[1])), cleaned(outward(a, b[2]))};
}

Directors orthonormal(const Directors& d) {
  Directors result;
  result[0] = (1 / norm(d[0])) * d[0];
  const Triple second = d[1] - dot(d[1], result[0]) * result[0];
  result[1] = (1 / norm(second)) * second;
  result[2] = cross(result[0], result[1]);
  for (Triple& x : result) x = cleaned(x);
  return result;
}

std::array<Triple, 2> normals(const Triple& u) {
  std::size_t least = 0;
  for (std::size_t i = 1; i < 3; ++i)
    if (math::abs(u[i]) < math::abs(u[least])) least = i;
  Triple n = cross(u, no_rotation[least]);
  n = cleaned((1 / norm(n)) * n);
  return {n, cleaned(cross(u, n))};
}

}  // namespace extremal
