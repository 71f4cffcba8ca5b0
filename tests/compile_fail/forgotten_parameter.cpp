// expect: this term's function must take (q) and then one argument per parameter named after it
#include <extremal/extremal.hpp>

int main() {
  extremal::System pendulum;
  auto ball = pendulum.coordinates("x", "y");
  pendulum.potential(ball, [](auto q, auto g) { return g * q[1]; });
}
