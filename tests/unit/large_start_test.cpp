// The start of a large mechanism: nothing in it grows with the square of the number of bodies.
#include <gtest/gtest.h>

#include "extremal/models.hpp"
#include "extremal/stepper.hpp"

namespace extremal::large_start_test {
namespace {

// A dense matrix of coordinates and constraints has 4e9 numbers here, more than there is memory for and than an int
// counts.
TEST(LargeStart, MakesNoDenseMatrix) {
  const Model chain = model("chain-spatial(6000)");
  Stepper<double> stepper(chain.system, Scheme::named("rattle"));
  stepper.start(chain.start);
  EXPECT_TRUE(stepper.step(1e-4).converged);
}

}  // namespace
}  // namespace extremal::large_start_test
