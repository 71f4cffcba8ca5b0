// A load that jumps in time where a step ends: its impulse is right to round-off, whatever the last bit of t is.
#include <gtest/gtest.h>
#include <cmath>

#include "extremal/mechanism.hpp"
#include "extremal/models.hpp"

namespace extremal::time_jumps_test {
namespace {

Model pushed(const std::string& components) {
  return read_model_text(
      "[[body]]\nname = \"b\"\nmass = 2\ninertia = [1, 1, 1]\n[[force]]\nname = \"f\"\non = \"b\"\n"
      "components = [\"" +
          components + "\", 0, 0]\n",
      "b.toml");
}

// On for 0.6 s of 2 s: momentum 3 * 0.6, and the place of the motion where the scheme has order enough. Of the steps,
// some have t a bit before the jumps and some a bit after.
TEST(TimeJumps, LeaveTheImpulseRight) {
  const Model m = pushed("if(t < 0.7, 0, 3) - if(t < 1.3, 0, 3)");
  const double impulse = 3 * (1.3 - 0.7);
  for (const char* scheme : {"trapezoidal", "rattle", "lobatto(2)", "lobatto(3)", "spark(3)", "lie(trapezoidal)", "ggl",
                             "suzuki(4, rattle)"})
    for (const int steps : {20, 40, 300, 1000, 3000, 12000}) {
      if (std::string(scheme) == "suzuki(4, rattle)" && steps > 300) continue;
      const auto run = extremal::run(m.system, scheme, m.start,
                                     {.step = Number("2/" + std::to_string(steps)), .until = 2, .every = steps});
      ASSERT_EQ(run.status, Status::complete) << scheme << " " << run.reason;
      const double off = run.column("p:b.x").back() - impulse;
      // A composition has substeps that end elsewhere.
      if (std::string(scheme) == "suzuki(4, rattle)") {
        EXPECT_LT(std::fabs(off), 6.0 / steps);
        continue;
      }
      EXPECT_LT(std::fabs(off), 1e-12) << scheme << ", " << steps << " steps";
      if (scheme == std::string("lobatto(3)") || scheme == std::string("spark(3)")) {
        EXPECT_NEAR(run.column("b.x").back(), 0.5 * 1.5 * 0.36 + 0.9 * 0.7, 1e-12) << scheme << " " << steps;
      }
    }
}

// Conditions that do not depend on time are none of these, and no bit changes.
TEST(TimeJumps, AreFoundInFormulas) {
  const auto jumps = [](const std::string& formula) {
    const Model m = read_model_text(
        "coordinates = [\"x\"]\nkinetic = \"x'^2/2\"\n[[force]]\nname = \"f\"\nalong = { x = \"" + formula + "\" }\n",
        "x.toml");
    return m.system.terms().back()->jumps;
  };
  EXPECT_TRUE(jumps("if(t < 1, 1, 0)"));
  EXPECT_TRUE(jumps("max(0, sin(t))"));
  EXPECT_TRUE(jumps("floor(2*t)*x"));
  EXPECT_TRUE(jumps("abs(t - 1)"));
  EXPECT_FALSE(jumps("sin(t)*max(0, x)"));
  EXPECT_FALSE(jumps("exp(-t)"));
  EXPECT_TRUE(TimeFunction::with_jumps([](auto t) { return t < 1.0 ? 0.0 * t : t; }).jumps());
}

}  // namespace
}  // namespace extremal::time_jumps_test
