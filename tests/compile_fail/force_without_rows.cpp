// expect: a force or symmetry must return one entry per coordinate
#include <extremal/extremal.hpp>

int main() {
  extremal::System pendulum;
  auto ball = pendulum.coordinates("x", "y");
  pendulum.force("drag", ball, [](auto, auto v) { return -0.1 * v[0]; });
}
