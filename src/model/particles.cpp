// Particles on a line, on a hoop and in the plane.
#include "model/stock.hpp"

namespace extremal::stock {

// A particle on a hoop under gravity; theta counts from the horizontal [LewMata2016, eq. 4].
Model hoop() {
  System s("hoop");
  const auto particle = s.coordinates("theta");
  const auto mass = s.parameter("m", 1), radius = s.parameter("r", 1), gravity = s.parameter("g", "9.81");
  s.kinetic(
      particle, [](const auto&, const auto& v, auto m, auto r) { return 0.5 * m * r * r * v[0] * v[0]; }, mass, radius);
  s.potential(
      particle, [](const auto& q, auto m, auto r, auto g) { return m * g * r * sin(q[0]); }, mass, radius, gravity);
  return {.system = s,
          .start = {.q = {"0.5"}, .p = {1}},
          .span = {.step = "0.05", .until = 20},
          .title = "particle on a hoop, by its angle",
          .citation = "LewMata2016"};
}

// The linear oscillator of [LewMata2016, figs. 15 and 16], with H = 5. Linear: schemes may be better on it than
// they are.
Model oscillator() {
  System s("oscillator");
  const auto particle = s.coordinates("q");
  const auto mass = s.parameter("m", 1), stiffness = s.parameter("k", 10), rest = s.parameter("rest", 1);
  s.kinetic(particle, [](const auto&, const auto& v, auto m) { return 0.5 * m * v[0] * v[0]; }, mass);
  s.potential(
      particle, [](const auto& q, auto k, auto q0) { return 0.5 * k * (q[0] - q0) * (q[0] - q0); }, stiffness, rest);
  return {.system = s,
          .start = {.q = {2}, .v = {0}},
          .span = {.step = "0.1", .until = 20},
          .title = "linear oscillator about a rest position",
          .citation = "LewMata2016"};
}

namespace {

// Rigid motions of the plane, for any number of particles.
void add_plane_symmetries(System& s, const std::vector<Coordinates<2>>& balls) {
  s.symmetry("along x", balls, [](const auto&) { return rows(1, 0); });
  s.symmetry("along y", balls, [](const auto&) { return rows(0, 1); });
  s.symmetry("about z", balls, [](const auto& q) { return rows(-q[1], q[0]); });
}

}  // namespace

// Two masses and a spring with the energy (mu / 2) ln^2(length / l0): the mechanical part of the thermoelastic
// springs of [LewMata2016, section 2.2].
Model two_particles() {
  System s("two-particles");
  const auto first = s.coordinates("x1", "y1"), second = s.coordinates("x2", "y2");
  const auto mass1 = s.parameter("m1", 1), mass2 = s.parameter("m2", 2);
  const auto modulus = s.parameter("mu", 10), natural = s.parameter("l0", 1);
  const auto kinetic = [](const auto&, const auto& v, auto m) { return 0.5 * m * (v[0] * v[0] + v[1] * v[1]); };
  s.kinetic(first, kinetic, mass1);
  s.kinetic(second, kinetic, mass2);
  s.potential(
      join(first, second),
      [](const auto& q, auto mu, auto l0) {
        const auto x = q[2] - q[0], y = q[3] - q[1];
        const auto strain = 0.5 * log((x * x + y * y) / (l0 * l0));
        return 0.5 * mu * strain * strain;
      },
      modulus, natural);
  add_plane_symmetries(s, {first, second});
  return {.system = s,
          .start = {.q = {0, 0, "1.2", "0.3"}, .v = {"0.4", "-0.8", "-0.3", "0.9"}},
          .span = {.step = "0.05", .until = 20},
          .title = "two masses and a nonlinear spring",
          .citation = "LewMata2016"};
}

// Six balls in a chain of rigid bars, springs between second neighbours [Man2020, eqs. 57-59]. The motion stays
// antisymmetric about the centre: ball 7 - i is at (5/2 - x, sqrt(3)/2 - y).
Model six_balls() {
  System s("six-balls");
  std::vector<Coordinates<2>> balls;
  for (int i = 1; i <= 6; ++i) balls.push_back(s.coordinates("x" + std::to_string(i), "y" + std::to_string(i)));
  std::vector<Coordinates<4>> bars, springs;
  for (std::size_t i = 0; i + 1 < balls.size(); ++i) bars.push_back(join(balls[i], balls[i + 1]));
  for (std::size_t i = 0; i + 2 < balls.size(); ++i) springs.push_back(join(balls[i], balls[i + 2]));

  const auto mass = s.parameter("m", 1), stiffness = s.parameter("k", 1);
  const auto natural = s.parameter("l0", 1), length = s.parameter("l", 1);
  s.kinetic(balls, [](const auto&, const auto& v, auto m) { return 0.5 * m * (v[0] * v[0] + v[1] * v[1]); }, mass);
  s.potential(
      springs,
      [](const auto& q, auto k, auto l0) {
        const auto x = q[2] - q[0], y = q[3] - q[1];
        const auto stretch = sqrt(x * x + y * y) - l0;
        return 0.5 * k * stretch * stretch;
      },
      stiffness, natural);
  s.constraint(
      "bar", bars,
      [](const auto& q, auto l) {
        const auto x = q[2] - q[0], y = q[3] - q[1];
        return x * x + y * y - l * l;
      },
      length);
  add_plane_symmetries(s, balls);
  return {.system = s,
          .start = {.q = {"(1-sqrt(2))/2", "(sqrt(3)-sqrt(2))/2", "1/2", "sqrt(3)/2", 1, 0, "3/2", "sqrt(3)/2", 2, 0,
                          "2+sqrt(2)/2", "sqrt(2)/2"},
                    .v = std::vector<Number>(12)},
          .span = {.step = "0.1", .until = 40},
          .title = "chain of six balls with bars and springs",
          .citation = "Man2020"};
}

}  // namespace extremal::stock
