#include <extremal/extremal.hpp>
#include <iostream>

int main() {
  extremal::System pendulum;
  auto ball = pendulum.coordinates("x", "y");
  pendulum.kinetic(ball, [](auto q, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  auto g = pendulum.parameter("g", "9.81");  // decimal text: exact at every scalar
  pendulum.potential(ball, [](auto q, auto g) { return g * q[1]; }, g);
  pendulum.constraint("rod", ball, [](auto q) { return q[0] * q[0] + q[1] * q[1] - 1.0; });

  auto run = extremal::run(pendulum, "lobatto(3)", {.q = {1, 0}, .v = {0, 0}}, {.step = 0.05, .until = 100});
  std::cout << run.summary() << "\n";
}
