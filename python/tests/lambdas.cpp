// The systems of test_bits.py as functions of C++, and the same from model files that the Python package has written:
//
//   python_lambdas pendulum rattle 0.01 1000            q after 1000 steps, every bit of it
//   python_lambdas pendulum.toml rattle 0.01 1000       the same of the file
#include <cstdio>
#include <cstdlib>
#include <extremal/extremal.hpp>
#include <extremal/models.hpp>
#include <string>

namespace {

using extremal::Start;
using extremal::System;

struct Problem {
  System system;
  Start start;
};

Problem pendulum() {
  System s("pendulum");
  const auto m = s.parameter("m", 2), g = s.parameter("g", "9.81");
  const auto ball = s.coordinates("x", "y");
  s.kinetic(ball, [](auto, auto v, auto mass) { return mass / 2 * (v[0] * v[0] + v[1] * v[1]); }, m);
  s.potential(ball, [](auto q, auto mass, auto gravity) { return mass * gravity * q[1]; }, m, g);
  s.constraint("rod", ball, [](auto q) { return q[0] * q[0] + q[1] * q[1] - 1.0; });
  return {s, {.q = {1, 0}}};
}

// In angles, of unit masses and lengths.
Problem double_pendulum() {
  System s("double_pendulum");
  const auto g = s.parameter("g", "9.81");
  const auto both = s.coordinates("a", "b");
  s.kinetic(both, [](auto q, auto v) { return v[0] * v[0] + v[1] * v[1] / 2.0 + v[0] * v[1] * cos(q[0] - q[1]); });
  s.potential(both, [](auto q, auto gravity) { return -gravity * (2.0 * cos(q[0]) + cos(q[1])); }, g);
  return {s, {.q = {1, "1/2"}}};
}

Problem kepler() {
  System s("kepler");
  const auto mu = s.parameter("mu", 1);
  const auto planet = s.coordinates("x", "y");
  s.kinetic(planet, [](auto, auto v) { return (v[0] * v[0] + v[1] * v[1]) / 2.0; });
  s.potential(planet, [](auto q, auto k) { return -k / sqrt(q[0] * q[0] + q[1] * q[1]); }, mu);
  s.force("drag", planet, [](auto, auto v) { return extremal::rows(-v[0] / 100.0, -v[1] / 100.0); });
  return {s, {.q = {1, 0}, .v = {0, "1.2"}}};
}

// Balls on massless rods, let go.
Problem chain(int count) {
  System s("chain");
  Start start;
  const auto g = s.parameter("g", "9.81");
  std::vector<extremal::Coordinates<2>> balls;
  std::vector<extremal::Coordinates<4>> pairs;
  for (int k = 0; k < count; ++k) {
    balls.push_back(s.coordinates("x" + std::to_string(k), "y" + std::to_string(k)));
    if (k > 0) pairs.push_back(join(balls[balls.size() - 2], balls.back()));
    start.q.insert(start.q.end(), {k + 1, 0});
  }
  s.kinetic(balls, [](auto, auto v) { return (v[0] * v[0] + v[1] * v[1]) / 2.0; });
  s.potential(balls, [](auto q, auto gravity) { return gravity * q[1]; }, g);
  s.constraint("first", balls[0], [](auto q) { return q[0] * q[0] + q[1] * q[1] - 1.0; });
  s.constraint("link", pairs, [](auto q) {
    const auto dx = q[2] - q[0], dy = q[3] - q[1];
    return dx * dx + dy * dy - 1.0;
  });
  return {s, start};
}

Problem named(const std::string& name) {
  if (name == "pendulum") return pendulum();
  if (name == "double_pendulum") return double_pendulum();
  if (name == "kepler") return kepler();
  if (name == "chain") return chain(10);
  const extremal::Model model = extremal::read_model(name);
  return {model.system, model.start};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fputs("python_lambdas SYSTEM|FILE SCHEME STEP STEPS\n", stderr);
    return 2;
  }
  const Problem problem = named(argv[1]);
  extremal::Stepper<double> stepper(problem.system, extremal::Scheme::named(argv[2]));
  stepper.start(problem.start);
  const double h = std::strtod(argv[3], nullptr);
  const long steps = std::strtol(argv[4], nullptr, 10);
  for (long k = 0; k < steps; ++k)
    if (!stepper.step(h).converged) return 1;
  for (const double x : stepper.state().q) std::printf("%a\n", x);
  return 0;
}
