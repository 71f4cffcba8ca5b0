// expect: this term's function must take (q, v) and then one argument per parameter named after it
#include <extremal/extremal.hpp>

int main() {
  extremal::System pendulum;
  auto ball = pendulum.coordinates("x", "y");
  pendulum.kinetic(ball, [](auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
}
