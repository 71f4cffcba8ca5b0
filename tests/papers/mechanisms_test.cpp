// Singular configurations: linkages that pass through positions where their constraints lose rank, at any step size,
// and starts that are refused because the motion may branch there.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "distance.hpp"
#include "extremal/models.hpp"
#include "full.hpp"
#include "refusal.hpp"
#include "validation.hpp"

namespace extremal::papers::mechanisms_test {
namespace {

using testing::HasSubstr;

constexpr double x4_at_10 = 0.328458111540815379;  // of the angle's equation, by Taylor series with 40 digits

// 200 numbers of steps to t = 10, so that h runs from 5e-4 to 2e-2 in equal ratios.
int steps_of(int i) { return static_cast<int>(std::lround(10 / (5e-4 * std::pow(40.0, i / 199.0)))); }

struct End {
  Run<double> run;
  double h = 0, error = 0;
};
End end_of(const Model& m, const char* scheme, int steps) {
  End end{extremal::run(m.system, scheme, m.start,
                        {.step = Number(fmt::format("10/{}", steps)), .until = 10, .every = steps}),
          10.0 / steps, 0};
  end.error = std::fabs(end.run.column("bar 1.d1x").back() - x4_at_10);
  return end;
}

TEST(DoubleFourBar, IsWhereItsAngleIs) {
  const Model m = model("double-four-bar");
  const End fine = end_of(m, "spark(3)", 1000), coarse = end_of(m, "spark(2)", 1000);
  ASSERT_EQ(fine.run.status, Status::complete) << fine.run.reason;
  ASSERT_EQ(coarse.run.status, Status::complete) << coarse.run.reason;
  EXPECT_LE(fine.error, 1e-8);
  EXPECT_LE(coarse.error, 1e-6);
  EXPECT_GT(coarse.error, 100 * fine.error);
}

TEST(DoubleFourBar, PassesAtEveryStepByRattle) {
  const Model m = model("double-four-bar");
  for (int i = full() ? 0 : 7; i < 200; i += full() ? 1 : 20) {
    const End end = end_of(m, "rattle", steps_of(i));
    ASSERT_EQ(end.run.status, Status::complete) << end.h << ": " << end.run.reason;
    EXPECT_LE(end.error, 3 * 17.9 * end.h * end.h) << end.h;
  }
}

// The equations of a ggl step have folds near singular configurations. A step that is taken in another way ends on
// another energy level than ggl's own, by at most what a step changes the energy, 800 h^2; that turns theta(10) = -30
// by up to 30 * 800 h^2 / (2 * 35) each time. The error of the others is of order 1.
TEST(DoubleFourBar, PassesAtEveryStepByGglWithItsFallBacksReported) {
  const Model m = model("double-four-bar");
  int runs = 0, with_retries = 0;
  for (int i = full() ? 0 : 7; i < 200; i += full() ? 1 : 20) {
    const End end = end_of(m, "ggl", steps_of(i));
    ASSERT_EQ(end.run.status, Status::complete) << end.h << ": " << end.run.reason;
    EXPECT_LE(end.error, 1.5 * end.h + 343 * end.h * end.h * static_cast<double>(end.run.retries))
        << end.h << ", retries " << end.run.retries;
    ++runs;
    with_retries += end.run.retries > 0;
  }
  EXPECT_GT(with_retries, 0);
  EXPECT_LT(with_retries, runs);  // where there was none, it was ggl all the way
  record("mechanisms-ggl", fmt::format("| {} | {} |", runs, with_retries));
}

// Close to a fold Newton's method may find another solution of the ggl equations, far from the motion. A step changes
// the energy by at most 800 h^2 elsewhere; twice as much has to be reported. At these numbers of steps it happens.
TEST(DoubleFourBar, NoStepOfGglLeavesTheMotionUnreported) {
  const Model m = model("double-four-bar");
  for (const int steps : {3251, 2163, 1287, 957}) {
    Stepper<double> stepper(m.system, Scheme::named("ggl"));
    stepper.start(m.start);
    const double h = 10.0 / steps;
    double energy = stepper.observe().energy();
    for (int k = 0; k < steps; ++k) {
      const StepReport report = stepper.step(h);
      ASSERT_TRUE(report.converged) << report.worst;
      Observation<double> now;
      stepper.observe(now, false);
      const double change = std::fabs(now.energy() - energy);
      energy = now.energy();
      EXPECT_TRUE(change <= 1600 * h * h || report.retries > 0 || report.singular > 0)
          << steps << " steps, number " << k << ": energy changed by " << change << " after " << report.iterations
          << " iterations";
    }
  }
}

TEST(FourBarChain, OfFortyLoopsKeepsItsEnergy) {
  const Model m = model("four-bar-chain");
  const auto run = extremal::run(m.system, "spark(3)", m.start, {.step = "0.01", .until = 20, .every = 2000});
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  EXPECT_EQ(m.system.size(), 12 * 40 + 6);
  EXPECT_LE(run.energy_max_error / run.energy_initial, 1e-6);
  EXPECT_LE(run.constraint_max, 1e-12);
}

struct Sweep {
  const char* scheme;
  int order;
  double constant;
};
class EveryStep : public testing::TestWithParam<Sweep> {};
INSTANTIATE_TEST_SUITE_P(FourBarSpatial, EveryStep,
                         testing::Values(Sweep{"rattle", 2, 17.9}, Sweep{"spark(2)", 4, 14.3},
                                         Sweep{"spark(3)", 6, 9.1}),
                         [](const auto& instance) { return identifier(instance.param.scheme); });

// In space, with redundant joints: the error is that of the scheme, or the run says that it came close to a singular
// configuration. A handful normally.
TEST_P(EveryStep, IsAccurateOrSaysWhyNot) {
  const Model m = model("four-bar-spatial");
  const Sweep& sweep = GetParam();
  int runs = 0, accurate = 0;
  for (int i = full() ? 0 : 59; i < 200; i += full() ? 1 : 35) {
    const End end = end_of(m, sweep.scheme, steps_of(i));
    const bool small = end.error <= 3 * sweep.constant * std::pow(end.h, sweep.order) + 1e-9;
    const bool said = end.run.singular > 0 || end.run.retries > 0 || end.run.status != Status::complete;
    EXPECT_TRUE(small || said) << end.h << ": error " << end.error;
    ++runs;
    accurate += small && end.run.status == Status::complete;
  }
  EXPECT_GE(10 * accurate, 9 * runs);
  record("mechanisms-steps", fmt::format("| {} | {} | {} |", sweep.scheme, runs, accurate));
}

// Legs of length 1 on the ground at x, x + 1, ..., all at the same angle, and couplers between their upper ends.
Mechanism linkage(const std::string& angle, const std::string& coupler = "1", int loops = 2, int x = 0) {
  Mechanism m("linkage", Space::planar);
  m.gravity(0, "-9.81");
  const std::string c = "cos(" + angle + ")", s = "sin(" + angle + ")";
  std::vector<Body> legs;
  for (int i = 0; i <= loops; ++i) {
    const std::string k = std::to_string(i + 1);
    legs.push_back(m.body("leg " + k, {.mass = 1, .inertia = "1/12"}));
    m.place(legs.back(), {.position = {std::to_string(x + i) + "+" + c + "/2", s + "/2"},
                          .angle = angle,
                          .velocity = {s + "/2", "-" + c + "/2"},
                          .angular_velocity = -1});
    m.revolute("foot " + k, m.ground(x + i, 0), legs.back().at("-1/2", 0));
  }
  for (int i = 0; i < loops; ++i) {
    const std::string k = std::to_string(i + 1);
    const Body bar = m.body("coupler " + k, {.mass = 1, .inertia = "1/12"});
    m.place(bar, {.position = {std::to_string(x + i) + "+1/2+" + c, s}, .velocity = {s, "-" + c}});
    m.revolute("left " + k, legs[static_cast<std::size_t>(i)].at("1/2", 0), bar.at("-(" + coupler + ")/2", 0));
    m.revolute("right " + k, legs[static_cast<std::size_t>(i + 1)].at("1/2", 0), bar.at("(" + coupler + ")/2", 0));
  }
  return m;
}

TEST(SingularStart, IsRefused) {
  for (const char* angle : {"0", "pi", "1e-9"}) {
    const Mechanism m = linkage(angle);
    for (const char* scheme : {"rattle", "spark(2)", "ggl"})
      EXPECT_THAT(refusal([&] { Stepper<double>(m.system(), Scheme::named(scheme)).start(m.start()); }),
                  testing::AllOf(HasSubstr("singular configuration"), HasSubstr("left 1"), HasSubstr("foot 3")))
          << angle;
  }
}

// Neighbours are looked for at a distance that the links have, not one that the origin has.
TEST(SingularStart, IsRefusedWhereverItIs) {
  for (const Mechanism& m : {linkage("0", "1", 1, 1000), linkage("0", "1", 2, 10000)})
    EXPECT_THAT(refusal([&] { Stepper<double>(m.system(), Scheme::named("rattle")).start(m.start()); }),
                HasSubstr("singular configuration"));
  for (const Mechanism& m : {linkage("1", "1", 1, 1000), linkage("1", "1", 2, 10000)})
    EXPECT_EQ(Stepper<double>(m.system(), Scheme::named("rattle")).start(m.start()).redundant, 0);
}

// All legs turn together, however close to flat the start is.
TEST(SingularStart, IsAcceptedALittleOff) {
  for (const char* angle : {"1e-3", "-1e-3"}) {
    const Mechanism m = linkage(angle);
    const auto run = extremal::run(m.system(), "spark(2)", m.start(), {.step = "0.01", .until = 1});
    ASSERT_EQ(run.status, Status::complete) << run.reason;
    EXPECT_EQ(run.consistency.redundant, 0);
    EXPECT_LE(distance(run.column("leg 1.d1x"), run.column("leg 3.d1x")), 1e-9);
    EXPECT_LE(run.energy_max_error, 1e-5);
  }
}

// The control of the detection of branches: couplers that are a little short turn the motion sharply where equal ones
// let it through. A step that is too long for the turn jumps; that is seen, and short steps go on.
TEST(SingularConfiguration, ChangeOfBranchIsSeen) {
  const Mechanism sharp = linkage("pi/2", "0.99", 1);
  const auto coarse = extremal::run(sharp.system(), "rattle", sharp.start(), {.step = "0.01", .until = 1});
  EXPECT_EQ(coarse.status, Status::failed);
  EXPECT_THAT(coarse.reason, HasSubstr("the velocity jumps"));
  const auto fine = extremal::run(sharp.system(), "rattle", sharp.start(), {.step = "0.0005", .until = 1});
  const auto finer = extremal::run(sharp.system(), "rattle", sharp.start(), {.step = "0.00025", .until = 1});
  ASSERT_EQ(fine.status, Status::complete) << fine.reason;
  EXPECT_EQ(fine.retries, 0);
  EXPECT_NEAR(fine.column("leg 1.d1x").back(), finer.column("leg 1.d1x").back(), 1e-2);
  EXPECT_GT(std::fabs(fine.column("leg 1.d1y").back() - fine.column("leg 2.d1y").back()), 0.01);
}

}  // namespace
}  // namespace extremal::papers::mechanisms_test
