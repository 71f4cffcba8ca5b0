#include "extremal/run.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

#include "extremal/boundary.hpp"
#include "extremal/error.hpp"
#include "extremal/models.hpp"
#include "refusal.hpp"
#include "run/drift.hpp"

namespace extremal::run_test {
namespace {

TEST(Run, BackAndForth) {
  const Model m = model("spring-pendulum");
  const auto there = run(m.system, "spark(2)", m.start, {.step = "0.1", .until = 2});
  Start back{.t = 2};
  for (const auto& name : m.system.coordinate_names()) {
    back.q.push_back(Number::exactly(there.column(name).back()));
    back.p.push_back(Number::exactly(there.column("p:" + name).back()));
  }
  const auto again = run(m.system, "spark(2)", back, {.step = "-0.1", .until = 0});
  EXPECT_EQ(again.steps, 20);
  EXPECT_NEAR(again.column("t").back(), 0.0, 2e-16);  // twenty times the rounding of 0.1
  for (const auto& name : m.system.coordinate_names())
    EXPECT_NEAR(again.column(name).back(), there.column(name).front(), 1e-14);
}

TEST(Run, OutputEveryKeepsTheLastStep) {
  const Model m = model("pendulum");
  const auto r = run(m.system, "rattle", m.start, {.step = "0.1", .until = 1, .every = 3});
  EXPECT_EQ(r.column("t").size(), 5u);  // 0, .3, .6, .9, 1
  EXPECT_NEAR(r.column("t").back(), 1.0, 1e-15);
  EXPECT_NE(refusal([&] { r.column("z"); }).find("the columns are t, x, y"), std::string::npos);
}

TEST(Run, SpanIsAWholeNumberOfSteps) {
  const Model m = model("pendulum");
  EXPECT_NE(refusal([&] { run(m.system, "rattle", m.start, {.step = "0.3", .until = 1}); }).find("try step = 0.25"),
            std::string::npos);
  EXPECT_NE(refusal([&] { run(m.system, "rattle", m.start, {.step = "-0.1", .until = 1}); }).find("leads away"),
            std::string::npos);
  EXPECT_NE(refusal([&] { run(m.system, "rattle", m.start, {.step = 0, .until = 1}); }).find("other than 0"),
            std::string::npos);
}

TEST(Run, FailureKeepsWhatWasComputed) {
  // Falling from the top with a step far too coarse: some steps succeed, then one does not.
  System s("fall");
  auto ball = s.coordinates("x", "y");
  s.kinetic(ball, [](auto, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  s.potential(ball, [](auto q) { return 10.0 * q[1]; });
  s.constraint("rod", ball, [](auto q) { return q[0] * q[0] + q[1] * q[1] - 1.0; });
  const auto r = run(s, "rattle", {.q = {0, 1}, .v = {"0.1", 0}}, {.step = "0.45", .until = 45});
  ASSERT_EQ(r.status, Status::failed);
  EXPECT_GT(r.steps, 0);
  EXPECT_EQ(r.column("x").size(), static_cast<std::size_t>(r.steps) + 1);
  EXPECT_NE(r.reason.find("constraint \"rod\""), std::string::npos) << r.reason;
  EXPECT_NE(r.reason.find("try step"), std::string::npos) << r.reason;
}

TEST(Run, StartsAreMadeConsistentOrRefused) {
  const Model m = model("pendulum");
  const auto near = run(m.system, "rattle", {.q = {"0.6000001", "-0.8"}, .v = {1, 1}}, {.step = "0.1", .until = 1});
  EXPECT_GT(near.consistency.position, 1e-8);
  EXPECT_LT(near.consistency.position, 1e-6);
  EXPECT_GT(near.consistency.momentum, 0.1);
  EXPECT_LT(near.constraint_max, 1e-15);
  const auto far = refusal([&] { run(m.system, "rattle", {.q = {"0.7", "-0.8"}}, {.step = "0.1", .until = 1}); });
  EXPECT_NE(far.find("constraint \"rod\" is violated by 0.065"), std::string::npos) << far;
  const auto loose = run(m.system, "rattle", {.q = {"0.7", "-0.8"}, .slack = "0.1"}, {.step = "0.1", .until = 1});
  EXPECT_LT(loose.constraint_max, 1e-15);
  EXPECT_NE(refusal([&] { run(m.system, "rattle", {.q = {1}}, {.step = "0.1", .until = 1}); }).find("(x, y)"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              run(m.system, "rattle", {.q = {1, 0}, .v = {0, 0}, .p = {0, 0}}, {.step = "0.1", .until = 1});
            }).find("more than one"),
            std::string::npos);
}

TEST(Run, TwoPositionsAreTheTwoStepForm) {
  for (const char* name : {"pendulum", "triple-pendulum", "hoop"})
    for (const char* scheme : {"rattle", "spark(3)", "rectangle(0)"}) {
      const Model m = model(name);
      const auto first = run<long double>(m.system, scheme, m.start, {.step = "0.05", .until = "0.5"});
      Start two;
      for (const auto& c : m.system.coordinate_names()) {
        two.q.push_back(Number::exactly(first.column(c)[0]));
        two.next.push_back(Number::exactly(first.column(c)[1]));
      }
      const auto second = run<long double>(m.system, scheme, two, {.step = "0.05", .until = "0.5"});
      for (const auto& c : m.system.coordinate_names())
        EXPECT_NEAR(static_cast<double>(second.column(c).back() - first.column(c).back()), 0, 1e-15) << name << scheme;
    }
}

TEST(Boundary, FindsTheInitialValueRun) {
  for (const char* name : {"pendulum", "triple-pendulum"})
    for (const char* scheme : {"rattle", "spark(2)", "lobatto(3)"}) {
      const Model m = model(name);
      const Span span{.step = "0.001", .until = 1};
      const auto r = run(m.system, scheme, m.start, span);
      Boundary ends;
      for (const auto& c : m.system.coordinate_names()) {
        ends.begin.push_back(Number::exactly(r.column(c).front()));
        ends.end.push_back(Number::exactly(r.column(c).back()));
      }
      const auto path = boundary(m.system, scheme, ends, span);
      ASSERT_TRUE(path.converged) << name << " " << scheme;
      ASSERT_EQ(path.states.size(), 1001u);
      double worst = 0;
      for (std::size_t k = 0; k < path.states.size(); ++k)
        for (std::size_t i = 0; i < path.states[k].q.size(); ++i) {
          const auto& c = m.system.coordinate_names()[i];
          worst = std::max(worst, std::fabs(path.states[k].q[i] - r.column(c)[k]));
          worst = std::max(worst, std::fabs(path.states[k].p[i] - r.column("p:" + c)[k]));
        }
      EXPECT_LT(worst, 1e-10) << name << " " << scheme;
    }
}

TEST(Boundary, RefusesWhatItCannotSolve) {
  const Model m = model("pendulum");
  const Boundary ends{.begin = {1, 0}, .end = {0, -1}};
  EXPECT_THROW(boundary(m.system, "man(LGG, 2)", ends, {.step = "0.1", .until = 1}), InputError);
  EXPECT_THROW(boundary(m.system, "suzuki(4, rattle)", ends, {.step = "0.1", .until = 1}), InputError);
  EXPECT_THROW(boundary(m.system, "rattle", ends, {.step = "0.1", .until = 0}), InputError);
}

TEST(Drift, SeesASlopeAndItsError) {
  DriftMeter flat(10000), steep(10000);
  for (int k = 0; k <= 10000; ++k) {
    const double t = 0.01 * k, wave = std::sin(t * 7) + std::cos(t * 1.3);
    flat.add(k, t, wave);
    steep.add(k, t, wave + 0.05 * t);
  }
  EXPECT_LT(std::fabs(flat.line().slope), 3 * flat.line().slope_error);
  EXPECT_NEAR(steep.line().slope, 0.05, 3 * steep.line().slope_error);
  EXPECT_GT(steep.line().slope, 10 * steep.line().slope_error);
}

}  // namespace
}  // namespace extremal::run_test
