// What is left where stiff springs cancel each other is round-off, and breaks no symmetry.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "extremal/stepper.hpp"

namespace extremal::symmetry_round_off_test {
namespace {

// A ball about the origin between a spring that pulls and one that pushes, and gravity of a given size.
double defect(double gravity) {
  System s("ball");
  const auto ball = s.coordinates("x", "y");
  s.kinetic(ball, [](auto, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  for (const double length : {1.0, 3.0})
    s.potential(ball, [length](auto q) {
      const auto stretch = sqrt(q[0] * q[0] + q[1] * q[1]) - length;
      return 0.5e9 * stretch * stretch;
    });
  s.potential(ball, [gravity](auto q) { return gravity * q[1]; });
  s.symmetry("about z", ball, [](auto q) { return rows(-q[1], q[0]); });
  Stepper<double> stepper(s, Scheme::named("rattle"));
  double most = 0;
  for (int k = 0; k < 20; ++k) {
    const double angle = 0.1 + 0.3 * k;
    stepper.place({0, {2 * std::cos(angle), 2 * std::sin(angle)}, {0, 0}});
    most = std::max(most, stepper.symmetry_defect(0));
  }
  return most;
}

TEST(Symmetry, IsNotBrokenByRoundOff) { EXPECT_LE(defect(0), 1e-8); }

// Negative control: by a force a million times smaller than the springs' it is.
TEST(Symmetry, IsBrokenByASmallForce) { EXPECT_GT(defect(1e3), 0.1); }

}  // namespace
}  // namespace extremal::symmetry_round_off_test
