// expect: an energy term's function must return one number
#include <extremal/extremal.hpp>

int main() {
  extremal::System pendulum;
  auto ball = pendulum.coordinates("x", "y");
  pendulum.potential(ball, [](auto q) { return extremal::rows(q[0], q[1]); });
}
