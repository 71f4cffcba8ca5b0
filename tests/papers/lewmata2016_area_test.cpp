// The area of a set of starts [LewMata2016, figure 11]: squares of starts of the hoop with m = r = g = 1, and the same
// for a system with constraints; what is not symplectic is the negative control.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "extremal/error.hpp"
#include "extremal/study.hpp"
#include "refusal.hpp"
#include "validation.hpp"

namespace extremal::papers::lewmata2016_area_test {
namespace {

using testing::HasSubstr;

Model hoop() {
  Model m = model("hoop", {{"g", 1}});
  m.span = {.step = "0.5", .until = 4};
  return m;
}

std::vector<Scheme> named(const std::vector<std::string>& names) {
  std::vector<Scheme> all;
  for (const std::string& name : names) all.push_back(Scheme::named(name));
  return all;
}

const study::StartBox outer{{"theta", 0, 4}, {"p:theta", -2, 2}}, inner{{"theta", 0, 2}, {"p:theta", -1, 1}};

// The paper: the area enclosed is 16, and remains so. The polygon through the points has it too, to its own accuracy.
TEST(Area, OfFigure11IsKeptBySymplecticSchemesOnly) {
  const study::AreaStudy all = study::area(
      hoop(),
      named({"rectangle(0)", "trapezoidal", "spark(2)", "phase_space(1, continuity=both_right)", "energy_momentum"}),
      {outer, inner});
  ASSERT_EQ(all.series.size(), 10U);
  EXPECT_TRUE(all.holds());
  for (const study::AreaSeries& one : all.series) {
    SCOPED_TRACE(one.scheme.name);
    ASSERT_EQ(one.looks.size(), 5U);
    EXPECT_NEAR(one.looks[0].area, &one == &all.series[0] || one.box.first.to == Number(4) ? 16 : 4, 1e-12);
    EXPECT_LT(one.floor(), 1e-8);
    EXPECT_EQ(one.keeps(), one.declared) << one.change();
    const study::AreaLook& last = one.looks.back();
    double polygon = 0;
    for (std::size_t k = 0; k + 1 < last.x.size(); ++k)
      polygon += (last.x[k] * last.y[k + 1] - last.x[k + 1] * last.y[k]) / 2;
    EXPECT_NEAR(std::fabs(polygon), last.area, 0.02 * last.area);
    record("area", fmt::format("| {} | {} | {} |", one.scheme.name, one.box.first.to == Number(4) ? 16 : 4,
                               one.keeps() ? "below 1e-8" : fmt::format("{:.2g}", one.change())));
  }
  // Radau IIA loses area as it loses energy.
  EXPECT_LT(all.series[6].looks.back().area, 0.996 * 16);
}

// On T*Q of a sphere the starts are velocities, and the area that of p . dq over both angles.
TEST(Area, OnAConstraintManifold) {
  Model m = model("spherical-pendulum");
  m.span = {.step = "0.1", .until = 2};
  const study::StartBox box{{"v:x", "-0.5", "0.5"}, {"v:y", "0.1", "1"}};
  const study::AreaStudy all = study::area(m, named({"rattle", "man(LGG, 2)"}), {box}, {.looks = 2});
  // At the start all are at one place: no area, and none later; the change is measured against what p . dq could be.
  for (const study::AreaSeries& one : all.series) {
    EXPECT_EQ(one.keeps(), one.declared) << one.scheme.name << ": " << one.change();
    EXPECT_LT(std::fabs(one.looks.front().area), 1e-12);
    EXPECT_GT(one.size, 0.1);
  }
  const study::StartBox places{{"x", "0.5", "0.7"}, {"v:y", "0.1", "1"}};
  m.start.slack = 1;
  const study::AreaStudy moved = study::area(m, named({"rattle", "man(LGG, 2)"}), {places}, {.looks = 2});
  EXPECT_TRUE(moved.series[0].keeps()) << moved.series[0].change() << " " << moved.series[0].floor();
  EXPECT_FALSE(moved.series[1].keeps()) << moved.series[1].change() << " " << moved.series[1].floor();
  EXPECT_FALSE(moved.series[1].declared);
}

// The numbers of different coordinates enclose nothing, and go on to enclose nothing.
TEST(Area, OfNumbersThatAreNotConjugateIsNone) {
  const Model m = model("two-particles");
  Model shorter = m;
  shorter.span.until = 1;
  const study::StartBox box{{"x1", 0, 1}, {"p:x2", -1, 1}};
  const study::AreaStudy all = study::area(shorter, named({"rattle", "energy_momentum"}), {box}, {.looks = 2});
  EXPECT_EQ(all.series[0].told(), "keeps its area") << all.series[0].change() << " " << all.series[0].floor();
  EXPECT_EQ(all.series[1].told(), "changes its area") << all.series[1].change() << " " << all.series[1].floor();
  EXPECT_TRUE(all.holds());
}

// Steps on which the motion turns by radians fold the boundary: its polynomials cannot follow, and nothing is claimed.
TEST(Area, IsNotMeasuredWhereItIsNotResolved) {
  const study::StartBox wide{{"theta", 0, 40}, {"p:theta", -20, 20}};
  const study::AreaSeries one = study::area(hoop(), named({"spark(3)"}), {wide}).series[0];
  EXPECT_EQ(one.verdict(), study::AreaVerdict::not_resolved) << one.floor();
  EXPECT_THAT(one.told(), HasSubstr("not measured"));
  EXPECT_TRUE(one.holds());
}

// A damper takes area in the motion itself: at the rate of its damping.
TEST(Area, IsNotAskedOfForcedSystems) {
  Model m = model("pendulum-polar-damped");
  m.span = {.step = "0.1", .until = 2};
  const study::StartBox box{{"theta", "0.5", 1}, {"p:theta", -1, 1}};
  const study::AreaSeries one = study::area(m, named({"spark(3)"}), {box}, {.looks = 2}).series[0];
  EXPECT_EQ(one.verdict(), study::AreaVerdict::forced);
  EXPECT_TRUE(one.holds());
  EXPECT_NEAR(one.looks[2].area / one.looks[0].area, std::pow(one.looks[1].area / one.looks[0].area, 2), 1e-7);
}

TEST(Area, Refuses) {
  const auto reason = [](const study::StartBox& box) {
    return refusal([&] { study::area(hoop(), named({"rattle"}), {box}); });
  };
  EXPECT_THAT(reason({{"thetta", 0, 1}, {"p:theta", 0, 1}}), HasSubstr("theta"));
  EXPECT_THAT(reason({{"theta", 0, 1}, {"theta", 0, 1}}), HasSubstr("twice"));
  EXPECT_THAT(reason({{"theta", 0, 1}, {"t", 0, 1}}), HasSubstr("p: of each"));
  EXPECT_THAT(refusal([] { study::area(hoop(), named({"rattle"}), {outer}, {.looks = 9}); }), HasSubstr("9 looks"));
}

}  // namespace
}  // namespace extremal::papers::lewmata2016_area_test
