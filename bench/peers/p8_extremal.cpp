// P8: extremal, a loop over trajectories: an ensemble has no kernel of its own yet.
#include <extremal/extremal.hpp>

#include "measure.hpp"

int main() {
  extremal::System s;
  const auto ball = s.coordinates("x", "y");
  s.kinetic(ball, [](auto q, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  const auto g = s.parameter("g", "9.81");
  s.potential(ball, [](auto q, auto g) { return g * q[1]; }, g);
  s.constraint("rod", ball, [](auto q) { return q[0] * q[0] + q[1] * q[1] - 1.0; });

  constexpr int trajectories = 16, steps = 200;
  const double h = 1e-2;
  extremal::Stepper<double> stepper(s, extremal::Scheme::named("rattle"));
  double error = 0;
  const auto all = [&] {
    for (int i = 0; i < trajectories; ++i) {
      const double angle = 0.1 + 2.0 * i / trajectories;
      stepper.place({0, {std::sin(angle), -std::cos(angle)}, {0, 0}});
      for (int k = 0; k < steps; ++k) stepper.step(h);
      error = std::max(error, std::fabs(std::hypot(stepper.state().q[0], stepper.state().q[1]) - 1));
    }
  };
  const double time = peers::least_seconds(all, 0.3, 50);
  peers::print({.workload = "P8",
                .contestant = "extremal",
                .method = "rattle",
                .setting = "h = 0.01",
                .value = 1e9 * time / trajectories / steps,
                .error = error,
                .note = "a loop over trajectories"});
}
