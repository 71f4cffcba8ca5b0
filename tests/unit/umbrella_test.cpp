// One header is enough for a program that is written as the README has them, and leaves it its own names.
#include "extremal/extremal.hpp"

#include <gtest/gtest.h>

namespace algebra_of_a_reader {
struct Lie {
  int rank = 8;
};
}  // namespace algebra_of_a_reader

namespace umbrella_test {

// A name that both have would be ambiguous.
using namespace extremal;
using namespace algebra_of_a_reader;

TEST(Umbrella, HasModelsAndLeavesNamesToUsers) {
  const Model pendulum = model("pendulum");
  const auto run = extremal::run(pendulum.system, "rattle", pendulum.start, {.step = "0.05", .until = 1});
  EXPECT_EQ(run.status, Status::complete);
  EXPECT_EQ(Lie().rank, 8);
}

}  // namespace umbrella_test
