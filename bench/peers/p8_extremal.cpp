// P8: extremal, an ensemble of pendulums written with lambdas.
#include <extremal/extremal.hpp>

#include "measure.hpp"

int main() {
  extremal::System s;
  const auto ball = s.coordinates("x", "y");
  s.kinetic(ball, [](auto q, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  const auto g = s.parameter("g", "9.81");
  s.potential(ball, [](auto q, auto g) { return g * q[1]; }, g);
  s.constraint("rod", ball, [](auto q) { return q[0] * q[0] + q[1] * q[1] - 1.0; });

  constexpr int trajectories = 256, steps = 256;
  const double h = 1e-2;
  std::vector<double> starts;
  for (int i = 0; i < trajectories; ++i) {
    const double angle = 0.1 + 2.0 * i / trajectories;
    starts.insert(starts.end(), {std::sin(angle), -std::cos(angle)});
  }
  extremal::Members members{.system = s, .start = {.q = {1, 0}}, .count = trajectories};
  members.positions(starts);
  for (const char* scheme : {"rattle", "lobatto(3)"}) {
    extremal::Ensemble ensemble(extremal::Scheme::named(scheme), members, h);
    const double time = peers::least_seconds([&] { ensemble.step(steps); }, 0.3, 50);
    double error = 0;
    for (int i = 0; i < trajectories; ++i) {
      const std::vector<double> q = ensemble.state(i).q;
      error = std::max(error, ensemble.failed(i) ? INFINITY : std::fabs(std::hypot(q[0], q[1]) - 1));
    }
    peers::print({.workload = "P8",
                  .contestant = "extremal",
                  .method = scheme,
                  .setting = "h = 0.01",
                  .value = 1e9 * time / trajectories / steps,
                  .error = error});
  }
}
