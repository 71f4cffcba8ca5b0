// Many pendulums at once, each with a gravity of its own. One learns: Members are one motion and the arrays in which
// they differ, and an Ensemble takes the steps of all of them side by side, in the lanes of the processor, with the
// bits that each would have alone.
#include <extremal/extremal.hpp>
#include <iostream>

int main() {
  using namespace extremal;
  System pendulum("pendulum");
  const auto ball = pendulum.coordinates("x", "y");
  pendulum.kinetic(ball, [](auto q, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  pendulum.potential(ball, [](auto q, auto g) { return g * q[1]; }, pendulum.parameter("g", "9.81"));
  pendulum.constraint("rod", ball, [](auto q) { return 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0); });

  const std::vector<double> g = {8, 9, 10, 11, 12};
  Members members{.system = pendulum, .start = {.q = {1, 0}}, .count = g.size()};
  Ensemble all(Scheme::named("rattle"), members.set("g", g), 0.01);
  all.step(100);
  for (int k = 0; k < all.size(); ++k)
    std::cout << "g = " << g[static_cast<std::size_t>(k)] << ": x = " << all.state(k).q[0]
              << " at t = " << all.state(k).t << "\n";
}
