// Studies as the library offers them.
#include "extremal/study.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>

#include <cmath>
#include <limits>

#include "refusal.hpp"
#include "study/svg.hpp"
#include "well_formed.hpp"

namespace extremal::study::study_test {
namespace {

using testing::HasSubstr;

TEST(Fit, IsALineThroughWhatIsAboveRoundOff) {
  const std::vector<int> steps{10, 20, 40, 80, 160};
  std::vector<double> errors, floors(5, 1e-9);
  for (const int n : steps) errors.push_back(3 * std::pow(n, -4.0));  // 4.6e-9 at the end
  EXPECT_NEAR(fit(steps, errors, floors).slope, 4, 1e-12);
  EXPECT_EQ(fit(steps, errors, floors).points, 3);
  // A coarse point that is not asymptotic is left out, and so is a fine one of round-off.
  errors[0] = 1e-30 + errors[1];
  EXPECT_NEAR(fit(steps, errors, floors).slope, 4, 1e-12);
  errors[4] = 1e-10;
  EXPECT_NEAR(fit(steps, errors, floors).slope, 4, 1e-12);
  // Without the floor it would count.
  EXPECT_GT(fit(steps, errors, std::vector<double>(5, 0)).slope, 6);
}

TEST(Fit, SaysWhenThereIsNothingToMeasure) {
  const Fit exact = fit({1, 2, 4}, {1e-20, 1e-20, 1e-20}, {1e-19, 1e-19, 1e-19});
  EXPECT_EQ(exact.points, 0);
  EXPECT_FALSE(exact.reaches(4) || exact.falls_short(4));
  const Fit one = fit({1, 2, 4}, {1e-3, 1e-20, 1e-20}, {1e-19, 1e-19, 1e-19});
  EXPECT_EQ(one.points, 1);
  EXPECT_FALSE(one.reaches(4) || one.falls_short(4));  // not measurable is neither
  // Slopes 3 and 3.5 are on their way to 4, or to 6; slopes 3 and 3 are not.
  const Fit rising = fit({1, 2, 4}, {1, 1 / 8.0, 1 / 8.0 / std::pow(2, 3.5)}, {0, 0, 0});
  EXPECT_FALSE(rising.reaches(4) || rising.falls_short(4));
  EXPECT_TRUE(fit({1, 2, 4}, {1, 1 / 8.0, 1 / 64.0}, {0, 0, 0}).falls_short(4));
  const Fit stuck = fit({1, 2, 4}, {1e-3, 1e-3, 1e-3}, {0, 0, 0});
  EXPECT_TRUE(stuck.falls_short(1));
  EXPECT_TRUE(stuck.reaches(0));  // nothing was declared
}

TEST(Orders, AreThoseDeclared) {
  const OrderStudy all = orders(
      model("pendulum"), {Scheme::named("rattle"), Scheme::named("spark(2)"), Scheme::named("wenger(2, 2, gauss(2))")});
  EXPECT_EQ(all.until, Number("2"));
  ASSERT_EQ(all.series.size(), 3U);
  for (const OrderSeries& s : all.series) {
    EXPECT_NEAR(s.q.slope, s.declared.q, 0.1) << s.scheme.name;
    EXPECT_NEAR(s.p.slope, s.declared.p, 0.1) << s.scheme.name;
    EXPECT_NEAR(s.lambda.slope, s.declared.lambda, 0.1) << s.scheme.name;
  }
  EXPECT_TRUE(all.holds());
}

// The negative control: a weight that is wrong by 1e-3 leaves an error that does not decrease.
TEST(Orders, OfASchemeThatLacksThemFallShort) {
  const Scheme wrong = perturbed(Scheme::named("spark(2)"), 1e-3);
  EXPECT_EQ(wrong.declared.order.q, 4);
  const OrderStudy all = orders(model("spring-pendulum"), {wrong});
  EXPECT_LT(all.series[0].q.slope, 3);
  EXPECT_FALSE(all.holds());
}

TEST(Orders, ExcludeWhatDoubleCannotSee) {
  const OrderStudy all =
      orders(model("pendulum"), {Scheme::named("spark(4)")}, {.steps = {10, 20, 40, 160, 320}, .precision = "double"});
  EXPECT_NEAR(all.series[0].q.slope, 8, 0.5);
  EXPECT_LT(all.series[0].errors.back().q, 1e-13);
}

TEST(Orders, NeedThreeStepsThatAscend) {
  const Model m = model("pendulum");
  const std::vector<Scheme> rattle{Scheme::named("rattle")};
  EXPECT_THAT(refusal([&] { orders(m, rattle, {.steps = {20}}); }), HasSubstr("expected 3 numbers of steps"));
  EXPECT_THAT(refusal([&] { orders(m, rattle, {.steps = {20, 10, 40}}); }), HasSubstr("ascend"));
  EXPECT_THAT(refusal([&] { orders(m, {}); }), HasSubstr("no scheme"));
  EXPECT_THAT(refusal([&] { orders(m, {Scheme::named("shake")}, {.steps = {3, 4, 5}}); }), HasSubstr("common divisor"));
}

TEST(WorkPrecision, InterpolatesBetweenRuns) {
  const WorkSeries series{
      .points = {{.steps = 1, .error = 1e-2, .seconds = 1}, {.steps = 2, .error = 1e-4, .seconds = 4}}};
  EXPECT_NEAR(series.seconds_for(1e-3), 2, 1e-12);
  EXPECT_NEAR(series.seconds_for(1e-4), 4, 1e-12);
  EXPECT_TRUE(std::isnan(series.seconds_for(1e-5)));
  EXPECT_TRUE(std::isnan(series.seconds_for(1)));
  EXPECT_TRUE(series.below_at_coarsest(1));
  EXPECT_FALSE(series.below_at_coarsest(1e-5));  // which is not reached
}

TEST(WorkPrecision, CountsItsWork) {
  const WorkStudy all =
      work_precision(model("pendulum"), {Scheme::named("spark(2)")}, {.steps = {20, 40}, .repetitions = 1});
  const auto& points = all.series.at(0).points;
  ASSERT_EQ(points.size(), 2U);
  EXPECT_NEAR(slope(points[0].error, points[1].error, 2), 4, 0.3);
  EXPECT_GT(points[1].iterations, 40);
  EXPECT_EQ(points[1].evaluations, 2 * points[1].iterations);
  EXPECT_GT(points[1].seconds, 0);
}

TEST(LongTime, KeepsTheLargestOfEachWindow) {
  const Model m = model("spherical-pendulum");
  const LongTime all = long_time(m, Scheme::named("rattle"), "0.05", 10, {.windows = 7});
  const auto run = extremal::run(m.system, "rattle", m.start, {.step = "0.05", .until = 10});
  ASSERT_GE(all.watched.size(), 2U);  // the energy and a momentum
  const Watched& energy = all.watched[0];
  EXPECT_EQ(energy.windows.size(), 7U);
  EXPECT_NEAR(energy.largest, run.energy_max_error / std::fabs(run.energy_initial), 1e-15);
  double most = 0, weighted = 0;
  for (const Window& window : energy.windows) {
    most = std::max(most, window.largest);
    EXPECT_LE(std::fabs(window.mean), window.largest);
    weighted += window.mean;
  }
  EXPECT_EQ(most, energy.largest);
  EXPECT_NE(weighted, 0);
  EXPECT_EQ(energy.windows.front().from, 0);
  EXPECT_NEAR(energy.windows.back().to, 10, 1e-12);
  EXPECT_NEAR(energy.drift.slope, run.drift.slope / std::fabs(run.energy_initial), 1e-12);
  EXPECT_LT(all.watched[1].largest, 1e-13);
}

TEST(LongTime, WatchesSumsOfColumns) {
  const LongTime all = long_time(model("six-balls"), Scheme::named("man(LGG, 2)"), "0.1", 10,
                                 {.watches = {{"x1 + x6", {"x1", "x6"}}, {"x1", {"x1"}}}, .windows = 5});
  EXPECT_LT(all.watched[0].largest, 1e-13);
  EXPECT_GT(all.watched[1].largest, 1e-2);  // the control: a coordinate alone moves
  EXPECT_THAT(
      refusal([] { long_time(model("pendulum"), Scheme::named("rattle"), "0.1", 1, {.watches = {{"z", {"z"}}}}); }),
      HasSubstr("no column \"z\""));
}

TEST(Compare, MeasuresAgainstAQuarterOfTheStep) {
  Model m = model("pendulum");
  m.span = {.step = "0.05", .until = 2};
  const Comparison all = compare(m, {Scheme::named("rattle"), Scheme::named("spark(2)")});
  EXPECT_THAT(all.reference, HasSubstr("spark(2)"));
  EXPECT_GT(all.rows[0].difference, 100 * all.rows[1].difference);
  EXPECT_EQ(all.rows[0].steps, 40);
}

TEST(Studies, StopWhenAsked) {
  const std::atomic<bool> stop = true;
  EXPECT_THROW(orders(model("pendulum"), {Scheme::named("rattle")}, {.control = {.stop = &stop}}), Interrupted);
}

TEST(Svg, IsWellFormedAndHasEveryCurve) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Plot orders{.title = "a < b & \"c\"", .x_label = "step", .y_label = "error", .log_x = true, .log_y = true};
  for (int i = 0; i < 12; ++i)
    orders.curves.push_back({"scheme(" + std::to_string(i) + ")", {0.1, 0.05, 0.025}, {1e-2, 0, std::pow(10.0, -i)}});
  orders.slopes = {2, 4, 12};
  Plot motion{.title = "motion", .curves = {{"ball", {0, 1, nan, 2}, {0, 1, 2, 3}, false}}, .square = true};
  const std::string file = svg({orders, motion, Plot{}});
  EXPECT_EQ(xml_mistake(file), "");
  for (int i = 0; i < 12; ++i) EXPECT_THAT(file, HasSubstr(">scheme(" + std::to_string(i) + ")<"));
  EXPECT_THAT(file, HasSubstr("a &lt; b &amp; &quot;c&quot;"));
  for (const char* never : {"nan", "inf"}) EXPECT_THAT(file, testing::Not(HasSubstr(never)));
}

TEST(Svg, MistakesAreFound) {
  for (const char* wrong : {"", "<a>", "<a></b>", "<a x=1/>", "<a>&</a>", "<a/><b/>", "<a x=\"<\"/>", "text"})
    EXPECT_NE(xml_mistake(wrong), "") << wrong;
  EXPECT_EQ(xml_mistake("<?xml version=\"1.0\"?>\n<a x=\"1 > 0\"><b/>&lt;</a>\n"), "");
}

}  // namespace
}  // namespace extremal::study::study_test
