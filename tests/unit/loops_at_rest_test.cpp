// Closed loops at rest, coming to rest and leaving it: what changes there is round-off, and a test of branches that
// compares round-off with round-off would stop them. A real change of branch, however slow, is still seen:
// tests/papers/mechanisms_test.cpp and kinon2023_linkage_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "extremal/error.hpp"
#include "extremal/mechanism.hpp"
#include "extremal/models.hpp"
#include "full.hpp"

namespace extremal::loops_at_rest_test {
namespace {

// A parallelogram that hangs from the ground, each bar of length 1; turning at `omega`, all three bars alike.
struct Parallelogram {
  Mechanism mechanism;
  Body crank;
};
Parallelogram parallelogram(Space space, const Number& omega = 0) {
  const bool flat = space == Space::planar;
  Mechanism m("parallelogram", space);
  const BodyData data =
      flat ? BodyData{.mass = 1, .inertia = {"1/12"}} : BodyData{.mass = 1, .inertia = {"1/1000", "1/12", "1/12"}};
  const Body crank = m.body("crank", data), coupler = m.body("coupler", data), rocker = m.body("rocker", data);
  const Number half = omega.text() + "/2";
  if (flat) {
    m.gravity(0, "-9.81");
    m.place(crank, {.position = {0, "-1/2"}, .angle = {"-pi/2"}, .velocity = {half, 0}, .angular_velocity = {omega}});
    m.place(coupler, {.position = {"1/2", -1}, .velocity = {omega, 0}});
    m.place(rocker, {.position = {1, "-1/2"}, .angle = {"-pi/2"}, .velocity = {half, 0}, .angular_velocity = {omega}});
    m.revolute("A", m.ground(0, 0), crank.at("-1/2", 0));
    m.revolute("B", crank.at("1/2", 0), coupler.at("-1/2", 0));
    m.revolute("C", coupler.at("1/2", 0), rocker.at("1/2", 0));
    m.revolute("D", rocker.at("-1/2", 0), m.ground(1, 0));
  } else {
    const Numbers axis = {0, 0, 1};
    m.gravity(0, "-9.81", 0);
    m.place(crank, {.position = {0, "-1/2", 0}, .rotation = {0, 0, "-pi/2"}});
    m.place(coupler, {.position = {"1/2", -1, 0}});
    m.place(rocker, {.position = {1, "-1/2", 0}, .rotation = {0, 0, "-pi/2"}});
    m.revolute("A", m.ground(0, 0, 0), crank.at("-1/2", 0, 0), axis);
    m.revolute("B", crank.at("1/2", 0, 0), coupler.at("-1/2", 0, 0), axis);
    m.revolute("C", coupler.at("1/2", 0, 0), rocker.at("1/2", 0, 0), axis);
    m.revolute("D", rocker.at("-1/2", 0, 0), m.ground(1, 0, 0), axis);
  }
  return {m, crank};
}

// Two bars that lean on each other, pinned to the ground; skew, so that numbers are rounded. It cannot move.
Mechanism truss(bool doubled) {
  Mechanism m(doubled ? "doubled" : "truss", Space::planar);
  m.gravity(0, "-9.81");
  const Body left = m.body("left", {.mass = 1, .inertia = {"0.1"}}),
             right = m.body("right", {.mass = 3, .inertia = {"0.2"}});
  m.place(left, {.position = {"1/4", "sqrt(3)/4"}, .angle = {"pi/3"}});
  m.place(right, {.position = {"5/4", "sqrt(3)/4"}, .angle = {"-pi/6"}});
  m.revolute("P", m.ground(0, 0), left.at("-1/2", 0));
  m.revolute("Q", left.at("1/2", 0), right.at("-sqrt(3)/2", 0));
  m.revolute("R", right.at("sqrt(3)/2", 0), m.ground(2, 0));
  if (doubled) m.revolute("P again", m.ground(0, 0), left.at("-1/2", 0));
  return m;
}

bool suits(const Scheme& scheme) { return !scheme.declared.needs.independence; }

template <class S>
void stays(const Mechanism& m, const Scheme& scheme, int steps) {
  SCOPED_TRACE(m.name() + ", " + scheme.name + ", " + Scalar<S>::name);
  const System system = m.system();
  std::unique_ptr<Stepper<S>> stepper;
  try {
    stepper = std::make_unique<Stepper<S>>(system, scheme);
    stepper->start(m.start());
  } catch (const InputError&) {
    return;  // a rule of one end has no multipliers at the other
  }
  const std::vector<S> from = stepper->state().q;
  for (int k = 0; k < steps; ++k) {
    const StepReport report = stepper->step(S(0.01));
    ASSERT_TRUE(report.converged) << "step " << k << ": " << report.worst;
    ASSERT_EQ(report.retries, 0);
  }
  double moved = 0;
  for (std::size_t i = 0; i < from.size(); ++i)
    moved = std::max(moved, static_cast<double>(math::abs(stepper->state().q[i] - from[i])));
  EXPECT_LE(moved, 1e5 * static_cast<double>(Scalar<S>::epsilon));
}

TEST(LoopAtRest, StaysThereWithEveryScheme) {
  for (const Scheme& scheme : registry()) {
    if (!suits(scheme)) continue;
    stays<double>(parallelogram(Space::planar).mechanism, scheme, 20);
    stays<double>(truss(false), scheme, 20);
  }
  for (const char* name : {"rattle", "spark(2)", "ggl", "lie(trapezoidal)"}) {
    stays<double>(truss(true), Scheme::named(name), 20);
    stays<double>(parallelogram(Space::spatial).mechanism, Scheme::named(name), 20);
  }
}

TEST(LoopAtRest, StaysThereInMoreDigits) {
  for (const char* name : {"rattle", "spark(3)", "lie(trapezoidal)"}) {
    stays<long double>(parallelogram(Space::planar).mechanism, Scheme::named(name), 10);
    stays<quad>(parallelogram(Space::planar).mechanism, Scheme::named(name), 10);
    stays<quad>(truss(true), Scheme::named(name), 10);
  }
}

TEST(LoopAtRest, IsReachedByADampedOne) {
  for (const char* name : {"rattle", "spark(2)", "ggl", "lie(trapezoidal)"}) {
    auto [m, crank] = parallelogram(Space::planar, 1);
    m.rotational_damper("bearing", m.ground_body(), crank, 5);
    const auto run = extremal::run(m.system(), name, m.start(), {.step = "0.02", .until = 60, .every = 100});
    EXPECT_EQ(run.status, Status::complete) << name << ": " << run.reason;
    EXPECT_NEAR(run.column("kinetic").back(), 0, 1e-25) << name;
  }
}

TEST(LoopAtRest, IsReachedByTheDoubleFourBar) {
  const Model m = model("double-four-bar-damped");
  std::vector<std::string> schemes{"spark(2)"};
  if (papers::full()) schemes.insert(schemes.end(), {"rattle", "spark(3)", "lobatto(3)", "ggl", "lie(trapezoidal)"});
  for (const std::string& scheme : schemes) {
    const auto run =
        extremal::run(m.system, scheme, m.start, {.step = "0.01", .until = papers::full() ? 400 : 250, .every = 1000});
    EXPECT_EQ(run.status, Status::complete) << scheme << ": " << run.reason;
    EXPECT_NEAR(run.column("kinetic").back(), 0, 1e-20) << scheme;
    if (scheme != "ggl") {  // of which some steps are redone on the way
      EXPECT_EQ(run.retries, 0) << scheme;
    }
  }
}

TEST(LoopAtRest, IsLeftWhenAMotorStarts) {
  for (const char* name : {"rattle", "spark(2)", "ggl", "lie(trapezoidal)"}) {
    auto [m, crank] = parallelogram(Space::planar);
    m.motor("motor", m.ground_body(), crank, [](auto t) {
      using std::tanh;
      return 0.5 + 0.5 * tanh(1000 * (t - 1));
    });
    const auto run = extremal::run(m.system(), name, m.start(), {.step = "0.01", .until = 2, .every = 10});
    EXPECT_EQ(run.status, Status::complete) << name << ": " << run.reason;
    EXPECT_GT(run.column("kinetic").back(), 1e-3) << name;
  }
}

}  // namespace
}  // namespace extremal::loops_at_rest_test
