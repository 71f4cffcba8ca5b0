// Many pendulums at once, each with a gravity of its own. One learns: parameters are exchanged by System::with, and an
// Ensemble takes the steps of all motions side by side, in the lanes of the processor, with the bits that each would
// have alone.
#include <extremal/extremal.hpp>
#include <iostream>

int main() {
  using namespace extremal;
  System pendulum("pendulum");
  const auto ball = pendulum.coordinates("x", "y");
  pendulum.kinetic(ball, [](auto q, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  pendulum.potential(ball, [](auto q, auto g) { return g * q[1]; }, pendulum.parameter("g", "9.81"));
  pendulum.constraint("rod", ball, [](auto q) { return 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0); });

  std::vector<Ensemble::Member> members;
  for (int k = 0; k <= 4; ++k) members.push_back({pendulum.with("g", 8 + k), {.q = {1, 0}}, 0.01});
  Ensemble all(Scheme::named("rattle"), members);
  all.step(100);
  for (int k = 0; k < all.size(); ++k)
    std::cout << "g = " << 8 + k << ": x = " << all.state(k).q[0] << " at t = " << all.state(k).t << "\n";
}
