// Pendulums in Cartesian coordinates: point masses, gravity, and rods as constraints g = (|r|^2 - l^2) / 2.
//
// With the factor 1/2 the multiplier is the tension per unit length [Wenger2017, section 4].
#include "model/stock.hpp"

namespace extremal::stock {

Model pendulum() {
  System s("pendulum");
  const auto ball = s.coordinates("x", "y");
  const auto mass = s.parameter("m", 1), length = s.parameter("l", 1), gravity = s.parameter("g", "9.81");
  s.kinetic(ball, [](const auto&, const auto& v, auto m) { return 0.5 * m * (v[0] * v[0] + v[1] * v[1]); }, mass);
  s.potential(ball, [](const auto& q, auto m, auto g) { return m * g * q[1]; }, mass, gravity);
  s.constraint("rod", ball, [](const auto& q, auto l) { return 0.5 * (q[0] * q[0] + q[1] * q[1] - l * l); }, length);
  return {.system = s,
          .start = {.q = {"0.6", "-0.8"}, .v = {"1.6", "1.2"}},
          .span = {.step = "0.05", .until = 10},
          .title = "pendulum in the plane",
          .citation = "Wenger2017"};
}

Model spherical_pendulum() {
  System s("spherical-pendulum");
  const auto ball = s.coordinates("x", "y", "z");
  const auto mass = s.parameter("m", 1), length = s.parameter("l", 1), gravity = s.parameter("g", "9.81");
  s.kinetic(
      ball, [](const auto&, const auto& v, auto m) { return 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); },
      mass);
  s.potential(ball, [](const auto& q, auto m, auto g) { return m * g * q[2]; }, mass, gravity);
  s.constraint(
      "rod", ball, [](const auto& q, auto l) { return 0.5 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - l * l); },
      length);
  s.symmetry("about z", ball, [](const auto& q) { return rows(-q[1], q[0], 0); });
  return {.system = s,
          .start = {.q = {"0.48", "0.36", "-0.8"}, .v = {"-0.88", "1.84", "0.3"}},
          .span = {.step = "0.05", .until = 20},
          .title = "pendulum in space",
          .citation = "HairerLubichWanner2006"};
}

Model double_pendulum_3d() {
  System s("double-pendulum-3d");
  const auto upper = s.coordinates("x1", "y1", "z1"), lower = s.coordinates("x2", "y2", "z2");
  const auto mass1 = s.parameter("m1", 1), mass2 = s.parameter("m2", 1);
  const auto length1 = s.parameter("l1", 1), length2 = s.parameter("l2", 1);
  const auto gravity = s.parameter("g", "9.81");
  const auto add_ball = [&](const Coordinates<3>& ball, Parameter mass) {
    s.kinetic(
        ball, [](const auto&, const auto& v, auto m) { return 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); },
        mass);
    s.potential(ball, [](const auto& q, auto m, auto g) { return m * g * q[2]; }, mass, gravity);
  };
  add_ball(upper, mass1);
  add_ball(lower, mass2);
  s.constraint(
      "rod 1", upper, [](const auto& q, auto l) { return 0.5 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - l * l); },
      length1);
  s.constraint(
      "rod 2", join(upper, lower),
      [](const auto& q, auto l) {
        const auto x = q[3] - q[0], y = q[4] - q[1], z = q[5] - q[2];
        return 0.5 * (x * x + y * y + z * z - l * l);
      },
      length2);
  s.symmetry("about z", std::vector{upper, lower}, [](const auto& q) { return rows(-q[1], q[0], 0); });
  return {.system = s,
          .start = {.q = {"0.6", 0, "-0.8", "0.6", "0.8", "-1.4"}, .v = {"0.8", 1, "0.6", "0.8", "0.25", "-0.4"}},
          .span = {.step = "0.02", .until = 10},
          .title = "double pendulum in space; chaotic",
          .citation = "Wenger2017"};
}

}  // namespace extremal::stock
