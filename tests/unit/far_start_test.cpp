// A position that is far from the constraints is moved onto them in every precision: the nearest point is found by an
// iteration that gains as many digits in a step as the distance allows.
#include <gtest/gtest.h>

#include "extremal/models.hpp"
#include "extremal/stepper.hpp"

namespace extremal::far_start_test {
namespace {

template <class S>
double missed() {
  const Model m = read_model_text(
      "coordinates = ['x1', 'y1', 'x2', 'y2']\nkinetic = [\"(x1'^2 + y1'^2)/2\", \"x2'^2 + y2'^2\"]\n"
      "[[constraint]]\nname = 'crank'\nformula = '(x1^2 + y1^2 - 1)/2'\n"
      "[[constraint]]\nname = 'coupler'\nformula = '((x2 - x1)^2 + (y2 - y1)^2 - 9)/6'\n"
      "[[constraint]]\nname = 'rocker'\nformula = '((x2 - 3)^2 + y2^2 - 4)/4'\n"
      "[start]\nx1 = 'cos(1)'\ny1 = 'sin(1)'\nx2 = 3.1\ny2 = 2.9\nslack = 5\n",
      "far.toml");
  Stepper<S> stepper(m.system, Scheme::named("rattle"));
  EXPECT_GT(stepper.start(m.start).position, 0.1);
  return static_cast<double>(stepper.observe().constraint);
}

TEST(FarStart, IsMovedOntoTheConstraintsInEveryPrecision) {
  EXPECT_LT(missed<double>(), 1e-14);
  EXPECT_LT(missed<long double>(), 1e-17);
  EXPECT_LT(missed<quad>(), 1e-32);
}

}  // namespace
}  // namespace extremal::far_start_test
