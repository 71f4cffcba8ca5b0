// expect: a constraint's function must return one number
#include <extremal/extremal.hpp>

int main() {
  extremal::System pendulum;
  auto ball = pendulum.coordinates("x", "y");
  pendulum.constraint("rod", ball, [](auto q) { q[0] * q[0] + q[1] * q[1] - 1.0; });
}
