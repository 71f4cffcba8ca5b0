// The constraint term by a Gauss rule, as docs/validation.md has it: what is flagged as blowing up does.
#include <gtest/gtest.h>

#include "extremal/models.hpp"

namespace extremal::gauss_constraint_test {
namespace {

TEST(GaussConstraint, BlowsUp) {
  const Model m = model("pendulum");
  const auto hidden = [&](const char* scheme, int until) {
    return run(m.system, scheme, m.start, {.step = "0.05", .until = until}).hidden_max;
  };
  const char* gauss = "galerkin(3, gauss(3), constraint=gauss(3), closure=variational)";
  EXPECT_NEAR(hidden(gauss, 1), 3.3e-3, 1e-4);
  EXPECT_NEAR(hidden(gauss, 5), 14, 1);
  EXPECT_NEAR(hidden(gauss, 10), 1.7e4, 1e3);
  EXPECT_LT(hidden("spark(3)", 10), 1e-14);  // control
}

}  // namespace
}  // namespace extremal::gauss_constraint_test
