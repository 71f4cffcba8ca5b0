// The two pendulums of [Man2020] on which members of the hamilton family differ: a nonlinear potential, and a mass
// matrix that depends on q. Heights count downwards and the constraints have no factor 1/2, as in the paper.
#include "model/stock.hpp"

namespace extremal::stock {

// A bead q1, q2 on a rail, held by a hardening spring, carries a pendulum q3, q4 [Man2020, eqs. 50-52].
Model spring_pendulum() {
  System s("spring-pendulum");
  const auto bead = s.coordinates("q1", "q2"), ball = s.coordinates("q3", "q4");
  const auto mass1 = s.parameter("m1", 1), mass2 = s.parameter("m2", 1);
  const auto length = s.parameter("l", 1), gravity = s.parameter("g", 1);
  const auto kinetic = [](const auto&, const auto& v, auto m) { return 0.5 * m * (v[0] * v[0] + v[1] * v[1]); };
  s.kinetic(bead, kinetic, mass1);
  s.kinetic(ball, kinetic, mass2);
  s.potential(bead, [](const auto& q) { return 0.5 * (q[0] * q[0] + pow(q[0], 4)); });
  s.potential(ball, [](const auto& q, auto m, auto g) { return -(m * g * q[1]); }, mass2, gravity);
  s.constraint("rail", bead, [](const auto& q) { return q[1]; });
  s.constraint(
      "rod", join(bead, ball),
      [](const auto& q, auto l) {
        const auto x = q[2] - q[0], y = q[3] - q[1];
        return x * x + y * y - l * l;
      },
      length);
  return {.system = s,
          .start = {.q = {0, 0, "sqrt(2)/2", "sqrt(2)/2"}, .v = {0, 0, 0, 0}},
          .span = {.step = "0.1", .until = 40},
          .title = "pendulum on a bead with a spring",
          .citation = "Man2020"};
}

// Two angles q1, q2 and, behind a third rod, a mass at q3, q4 [Man2020, eqs. 54-56].
Model triple_pendulum() {
  System s("triple-pendulum");
  const auto angles = s.coordinates("q1", "q2"), ball = s.coordinates("q3", "q4");
  const auto mass1 = s.parameter("m1", 1), mass2 = s.parameter("m2", 1), mass3 = s.parameter("m3", 1);
  const auto length = s.parameter("l", 1), gravity = s.parameter("g", 1);
  s.kinetic(
      angles,
      [](const auto& q, const auto& v, auto m1, auto m2, auto l) {
        const auto upper = v[0] * v[0], lower = v[1] * v[1] + 2 * cos(q[0] - q[1]) * v[0] * v[1];
        return 0.5 * l * l * (m1 * upper + m2 * (upper + lower));
      },
      mass1, mass2, length);
  s.kinetic(ball, [](const auto&, const auto& v, auto m) { return 0.5 * m * (v[0] * v[0] + v[1] * v[1]); }, mass3);
  s.potential(
      angles,
      [](const auto& q, auto m1, auto m2, auto l, auto g) {
        return -(g * l * ((m1 + m2) * cos(q[0]) + m2 * cos(q[1])));
      },
      mass1, mass2, length, gravity);
  s.potential(ball, [](const auto& q, auto m, auto g) { return -(m * g * q[1]); }, mass3, gravity);
  s.constraint(
      "rod", join(angles, ball),
      [](const auto& q, auto l) {
        const auto x = q[2] - l * (sin(q[0]) + sin(q[1])), y = q[3] - l * (cos(q[0]) + cos(q[1]));
        return x * x + y * y - l * l;
      },
      length);
  return {.system = s,
          .start = {.q = {0, 0, "sqrt(2)/2", "2+sqrt(2)/2"}, .v = {0, 0, 0, 0}},
          .span = {.step = "0.1", .until = 40},
          .title = "two angles and a mass behind a third rod",
          .citation = "Man2020"};
}

}  // namespace extremal::stock
