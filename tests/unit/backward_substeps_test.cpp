// Compositions of order above 2 have negative substeps, in which damping feeds the motion: on systems with forces they
// say so, and where damping is strong they do not reach their order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "extremal/check.hpp"
#include "extremal/models.hpp"
#include "extremal/run.hpp"

namespace extremal::backward_substeps_test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(BackwardSubsteps, AreDeclaredByAllSchemesThatHaveThemAndByNoOther) {
  int count = 0;
  for (const Scheme& scheme : registry()) {
    const bool back = std::any_of(scheme.substeps().begin(), scheme.substeps().end(),
                                  [](const Substep& sub) { return sub.coefficient < 0; });
    EXPECT_EQ(!scheme.declared.damped.empty(), back) << scheme.name;
    if (back) {
      EXPECT_FALSE(adjoint(scheme).declared.damped.empty()) << scheme.name;
    }
    count += back ? 1 : 0;
  }
  EXPECT_GT(count, 3);
  for (const char* name : {"suzuki(4, rattle)", "kahan_li(6, rattle)", "ggl(4)", "compose(1.5:rattle, -0.5:rattle)"})
    EXPECT_THAT(Scheme::named(name).declared.damped, StartsWith("goes back in time")) << name;
  for (const char* name : {"rattle", "spark(3)", "ggl(2)", "compose(0.5:rectangle(0), 0.5:rectangle(1))"})
    EXPECT_EQ(Scheme::named(name).declared.damped, "") << name;
}

TEST(BackwardSubsteps, AreNotedWhereForcesAct) {
  const auto note = HasSubstr("goes back in time");
  const Model damped = model("pendulum-cartesian-damped"), free = model("pendulum");
  const Span span{.step = "0.05", .until = "0.5"};
  EXPECT_THAT(run(damped.system, "suzuki(4, rattle)", damped.start, span).notes, Contains(note));
  EXPECT_THAT(run(free.system, "suzuki(4, rattle)", free.start, span).notes, Not(Contains(note)));
  EXPECT_THAT(run(damped.system, "spark(2)", damped.start, span).notes, Not(Contains(note)));
  const CheckOptions quick{.step = "0.1", .long_steps = 20};
  EXPECT_THAT(check(damped.system, Scheme::named("suzuki(4, rattle)"), damped.start, quick).text(), note);
  EXPECT_THAT(check(damped.system, Scheme::named("spark(2)"), damped.start, quick).text(), Not(note));
}

// Two masses and a damper between them that is strong for these steps: what the note says is so.
TEST(BackwardSubsteps, LoseOrdersWhereDampingIsStrong) {
  const Model m = read_model_text(
      "coordinates = ['x', 'y']\nkinetic = [\"x'^2/2\", \"y'^2/2\"]\npotential = ['x^2/2 + x^4/4', '50*(y - x)^2']\n"
      "[parameters]\nc = 100\n"
      "[[force]]\nname = 'damper'\nalong = { x = \"c*(y' - x')\", y = \"c*(x' - y')\" }\n"
      "[start]\nx = 1\nvelocity = { x = 0, y = 1 }\n",
      "damped.toml");
  const auto end = [&](const char* scheme, const char* step, double c) {
    const Model set = read_model_text(m.text, "damped.toml", {{"c", Number::exactly(quad(c))}});
    return run<quad>(set.system, scheme, set.start, {.step = step, .until = 2}).column("x").back();
  };
  const auto order = [&](const char* scheme, double c) {
    const quad exact = end("spark(6)", "1/320", c);
    const double coarse = static_cast<double>(math::abs(end(scheme, "1/40", c) - exact)),
                 fine = static_cast<double>(math::abs(end(scheme, "1/80", c) - exact));
    return std::log2(coarse / fine);
  };
  EXPECT_NEAR(order("suzuki(4, rattle)", 0.1), 4, 0.25);
  EXPECT_NEAR(order("kahan_li(6, rattle)", 0.1), 6, 0.4);
  EXPECT_LT(order("suzuki(4, rattle)", 100), 3);
  EXPECT_LT(order("kahan_li(6, rattle)", 100), 3);
}

}  // namespace
}  // namespace extremal::backward_substeps_test
