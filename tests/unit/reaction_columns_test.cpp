// Columns "reaction:JOINT:fx", ..., "reaction:JOINT:tz": what a joint exerts on its second side at its point there.
#include <gtest/gtest.h>
#include <cmath>

#include "extremal/error.hpp"
#include "extremal/mechanism.hpp"
#include "extremal/models.hpp"

namespace extremal::reaction_columns_test {
namespace {

// Of directors and of rotations.
const char* const schemes[] = {"rattle", "spark(2)", "lie(trapezoidal)"};

constexpr double m = 2, g = 9.81, arm = 0.75;

// A bar in space whose end is at the origin and whose centre is at (arm, 0, 0), held there by a joint.
Mechanism bar(const char* joint, bool ground_first, const Number& spin = 0, const Number& gravity = "9.81") {
  Mechanism out("bar", Space::spatial);
  out.gravity(0, 0, Number("-(" + gravity.text() + ")"));
  const Body body = out.body("bar", {.mass = 2, .inertia = {"0.1", "0.4", "0.4"}});
  const Number x = "0.75";
  out.place(
      body,
      {.position = {x, 0, 0}, .velocity = {0, Number("0.75*" + spin.text()), 0}, .angular_velocity = {0, 0, spin}});
  const Point end = body.at("-0.75", 0, 0), ground = out.ground(0, 0, 0);
  const Point &a = ground_first ? ground : end, &b = ground_first ? end : ground;
  if (joint == std::string("fixed"))
    out.fixed("J", a, b);
  else
    out.revolute("J", a, b, {0, 0, 1});
  return out;
}

void expect_last(const Run<double>& run, const std::string& name, double expected) {
  ASSERT_EQ(run.steps, 5) << run.reason;  // suspect, as nothing but round-off moves
  EXPECT_NEAR(run.column("reaction:J:" + name).back(), expected, 1e-11) << run.scheme << " " << name;
}

TEST(ReactionColumns, CarryTheWeight) {
  for (const char* scheme : schemes) {
    const Mechanism held = bar("fixed", true);
    const auto run = extremal::run(held.system(), scheme, held.start(), {.step = "0.01", .until = "0.05"});
    for (const char* zero : {"fx", "fy", "tx", "tz"}) expect_last(run, zero, 0);
    expect_last(run, "fz", m * g);
    expect_last(run, "ty", -m * g * arm);  // of the weight about the joint it is +m g arm
  }
}

// The opposite, where the second side is the ground.
TEST(ReactionColumns, AreThoseOnTheSecondSide) {
  for (const char* scheme : schemes) {
    const Mechanism held = bar("fixed", false);
    const auto run = extremal::run(held.system(), scheme, held.start(), {.step = "0.01", .until = "0.05"});
    expect_last(run, "fz", -m * g);
    expect_last(run, "ty", m * g * arm);
  }
}

// -m w^2 r, the weight, and the moment that keeps the axis where it is.
TEST(ReactionColumns, HoldABarThatTurns) {
  for (const char* scheme : schemes) {
    const Mechanism turning = bar("revolute", true, 3);
    const auto run = extremal::run(turning.system(), scheme, turning.start(), {.step = "0.001", .until = "0.1"});
    const double x = run.column("bar.x").back(), y = run.column("bar.y").back();
    const double tolerance = scheme == schemes[1] ? 1e-9 : 1e-4;  // of second order: (w h)^2 m w^2 arm
    ASSERT_EQ(run.status, Status::complete) << run.reason;
    const auto last = [&](const char* name) { return run.column(std::string("reaction:J:") + name).back(); };
    EXPECT_NEAR(last("fx"), -m * 9 * x, tolerance) << scheme;
    EXPECT_NEAR(last("fy"), -m * 9 * y, tolerance) << scheme;
    EXPECT_NEAR(last("fz"), m * g, 1e-9) << scheme;
    EXPECT_NEAR(last("tx"), m * g * y, 1e-9) << scheme;
    EXPECT_NEAR(last("ty"), -m * g * x, 1e-9) << scheme;
    EXPECT_NEAR(last("tz"), 0, 1e-9) << scheme;
  }
}

TEST(ReactionColumns, HaveThreeNumbersInThePlane) {
  Mechanism out("pendulum", Space::planar);
  out.gravity(0, "-9.81");
  const Body body = out.body("bar", {.mass = 2, .inertia = "0.4"});
  out.revolute("J", out.ground(0, 0), body.at(0, "0.75"));
  out.place(body, {.position = {0, "-0.75"}});
  const auto run = extremal::run(out.system(), "rattle", out.start(), {.step = "0.01", .until = "0.05"});
  expect_last(run, "fx", 0);
  expect_last(run, "fy", m * g);
  expect_last(run, "tz", 0);
  EXPECT_THROW(run.column("reaction:J:fz"), InputError);
  EXPECT_EQ(run.columns[run.columns.size() - 14].name, "reaction:J:tz");  // behind all others
}

// Mechanism::reactions has those on the first side, at its point there.
TEST(ReactionColumns, AreOppositeToThoseOfTheMechanism) {
  const Model model = extremal::model("double-four-bar");
  const auto run = extremal::run(model.system, "spark(2)", model.start, {.step = "0.01", .until = "0.1"});
  for (const Column<double>& first : model.mechanism->reactions(run)) {
    const std::size_t kind = first.name.find(".force");
    if (kind == std::string::npos) continue;
    const std::string joint = first.name.substr(0, kind), component = first.name.substr(first.name.size() - 1);
    const std::vector<double>& second = run.column("reaction:" + joint + ":f" + component);
    for (std::size_t k = 0; k < second.size(); ++k) EXPECT_EQ(second[k], -first.values[k]) << first.name;
  }
}

// A system without joints has no such columns, and a system of points none either.
TEST(ReactionColumns, AreOfJointsOnly) {
  const Model model = extremal::model("pendulum");
  const auto run = extremal::run(model.system, "rattle", model.start, {.step = "0.01", .until = "0.05"});
  for (const auto& column : run.columns) EXPECT_FALSE(column.name.starts_with("reaction:")) << column.name;
}

}  // namespace
}  // namespace extremal::reaction_columns_test
