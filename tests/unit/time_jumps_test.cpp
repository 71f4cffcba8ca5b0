// A load that jumps in time where a step ends: its impulse is right to round-off, whatever the last bit of t is.
#include <gmock/gmock.h>
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

std::string told(const Model& model, const char* scheme, const char* step) {
  const auto run = extremal::run(model.system, scheme, model.start, {.step = step, .until = "1.5"});
  EXPECT_EQ(run.status, Status::complete) << run.reason;
  std::string all;
  for (const std::string& note : run.notes) all += note + "\n";
  return all;
}

TEST(TimeJumps, AreToldWhereStepsDoNotEndThere) {
  using testing::HasSubstr;
  using testing::IsEmpty;
  const Model jump = pushed("if(t < 0.6, 0, 3)"), kink = pushed("max(0, t - 0.6)"),
              twice = pushed("sign(sin(2*pi*(t + 0.1)))"), smooth = pushed("sin(40*t)");
  EXPECT_THAT(told(jump, "spark(2)", "0.125"), HasSubstr("jumps at t = 0.6, inside step 5;"));
  EXPECT_THAT(told(jump, "spark(2)", "0.125"), HasSubstr("as 0.12\n"));
  EXPECT_THAT(told(jump, "spark(2)", "0.1"), IsEmpty());
  EXPECT_THAT(told(jump, "spark(2)", "0.15"), IsEmpty());
  EXPECT_THAT(told(kink, "spark(2)", "0.5"), HasSubstr("has a kink at t = 0.6, inside step 2"));
  EXPECT_THAT(told(kink, "spark(2)", "0.5"), HasSubstr("try steps that end there, as 0.3"));
  EXPECT_THAT(told(kink, "lie(trapezoidal)", "0.3"), IsEmpty());
  EXPECT_THAT(told(twice, "rattle", "0.15"), HasSubstr("and so on in "));
  EXPECT_THAT(told(smooth, "rattle", "0.03"), IsEmpty());
  EXPECT_THAT(told(jump, "suzuki(4, rattle)", "0.1"), HasSubstr("try a scheme of one step"));
}

// A rope that stops to get longer stops what hangs on it.
TEST(TimeJumps, OfConstraintsAreImpacts) {
  const Model rope = read_model_text(
      "coordinates = [\"x\", \"y\"]\nkinetic = \"(x'^2 + y'^2)/2\"\npotential = \"9.81*y\"\n[[constraint]]\n"
      "name = \"rope\"\nformula = \"x^2 + y^2 - (1 + 0.2*min(t, 1))^2\"\n[start]\ny = -1\nvelocity = { x = 0.5, y = "
      "-0.2 }\n",
      "rope.toml");
  for (const char* step : {"0.05", "0.03"})
    EXPECT_THAT(told(rope, "spark(2)", step),
                testing::HasSubstr("\"rope\" has a kink at t = 1, inside step " +
                                   std::string(step[3] == '5' ? "21" : "34") + "; velocities jump there"));
}

}  // namespace
}  // namespace extremal::time_jumps_test
