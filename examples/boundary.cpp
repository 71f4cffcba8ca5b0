// Which push sends a pendulum from here to there in half a second? One learns: boundary values are solved on the same
// discrete equations as initial values, so that a run from the momentum that was found arrives where it should.
#include <extremal/extremal.hpp>
#include <iostream>

int main() {
  using namespace extremal;
  System pendulum("pendulum");
  const auto ball = pendulum.coordinates("x", "y");
  pendulum.kinetic(ball, [](auto q, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  pendulum.potential(ball, [](auto q, auto g) { return g * q[1]; }, pendulum.parameter("g", "9.81"));
  pendulum.constraint("rod", ball, [](auto q) { return 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0); });

  const Span span{.step = "0.01", .until = "1/2"};
  const auto path = boundary(pendulum, "spark(2)", {.begin = {0, -1}, .end = {"0.8", "-0.6"}}, span);
  if (!path.converged) {
    std::cout << path.reason << "\n";
    return 1;
  }
  const auto& p = path.states.front().p;
  std::cout << "push with (" << p[0] << ", " << p[1] << ")\n";
  Start start{.q = {0, -1}};
  for (const double x : p) start.p.push_back(Number(x));
  const auto run = extremal::run(pendulum, "spark(2)", start, span);
  std::cout << "arrives at (" << run.column("x").back() << ", " << run.column("y").back() << ")\n";
}
