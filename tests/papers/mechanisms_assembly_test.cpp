// Assembly: starts that are not closed are closed or refused with the joint's name, and bodies without extent in some
// direction move like others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "distance.hpp"
#include "extremal/models.hpp"
#include "refusal.hpp"

namespace extremal::papers::mechanisms_assembly_test {
namespace {

using testing::HasSubstr;

std::vector<Number> scaled(const std::vector<Number>& x, double factor) {
  std::vector<Number> all;
  for (const Number& each : x) all.push_back(Number::exactly(each.as<quad>() * quad(factor)));
  return all;
}

// Every position and director one percent too long, and the velocities as they were, which do not fit either.
TEST(Assembly, ClosesWhatIsOnePercentOpen) {
  for (const char* name : {"double-four-bar", "four-bar-spatial", "four-bar-tilted"})
    for (const char* scheme : {"rattle", "spark(2)", "ggl"}) {
      SCOPED_TRACE(std::string(name) + " " + scheme);
      const Model m = model(name);
      Start open = m.start;
      open.q = scaled(open.q, 1.01);
      Stepper<double> stepper(m.system, Scheme::named(scheme));
      const Consistency found = stepper.start(open);
      // The largest coordinate, 2, was 0.02 too large.
      EXPECT_GT(found.position, 0.01);
      EXPECT_LT(found.position, 0.04);
      const auto closed = stepper.observe();
      EXPECT_LE(closed.constraint, 1e-14);
      EXPECT_LE(closed.hidden, 1e-13);
      ASSERT_TRUE(stepper.step(0.01).converged);
      Stepper<double> usual(m.system, Scheme::named(scheme));
      EXPECT_LE(usual.start(m.start).position, 1e-14);  // control: nothing to do
    }
}

TEST(Assembly, MakesVelocitiesConsistent) {
  const Model m = model("four-bar-tilted");
  Start other = m.start;
  other.v[0] = other.v[0].as<double>() + 0.3;
  Stepper<double> stepper(m.system, Scheme::named("rattle"));
  EXPECT_GT(stepper.start(other).momentum, 0.1);
  EXPECT_LE(stepper.observe().hidden, 1e-13);
  EXPECT_LE(stepper.start(m.start).momentum, 1e-13);
}

TEST(Assembly, RefusesWhatIsTooFarOpen) {
  const Model m = model("double-four-bar");
  Start open = m.start;
  open.q = scaled(open.q, 1.2);
  const std::string message = refusal([&] { Stepper<double>(m.system, Scheme::named("rattle")).start(open); });
  EXPECT_THAT(message, testing::AllOf(HasSubstr("is open"), HasSubstr("expected at most 0.05")));
}

// Two bars of length 1 between pins at a given distance.
Mechanism two_bars(const std::string& distance) {
  Mechanism m("two bars", Space::planar);
  const Body a = m.body("a", {.mass = 1, .inertia = "1/12"}), b = m.body("b", {.mass = 1, .inertia = "1/12"});
  m.revolute("left pin", m.ground(0, 0), a.at("-1/2", 0));
  m.revolute("hinge", a.at("1/2", 0), b.at("-1/2", 0));
  m.revolute("right pin", b.at("1/2", 0), m.ground(distance, 0));
  m.place(a, {.position = {"0.5", "0.05"}, .angle = "0.1"});
  m.place(b, {.position = {"1.5", "0.05"}, .angle = "-0.1"});
  return m;
}

std::string refused(const Mechanism& m) {
  return refusal([&] { Stepper<double>(m.system(), Scheme::named("rattle")).start(m.start()); });
}

TEST(Assembly, NamesTheJointThatIsFarOpen) {
  EXPECT_EQ(refused(two_bars("1.99")), "");
  EXPECT_THAT(refused(two_bars("2.06")),
              testing::AllOf(HasSubstr("joint \"right pin\" of \"b\" and the ground is open"), HasSubstr("apart")));
}

// Open by less than the slack, but no position closes it: the bars are too short.
TEST(Assembly, NamesAJointThatCannotBeClosed) {
  for (const char* distance : {"2.01", "2.02", "2.03", "2.04"})
    EXPECT_THAT(refused(two_bars(distance)),
                testing::AllOf(HasSubstr("cannot be closed"),
                               testing::AnyOf(HasSubstr("left pin"), HasSubstr("hinge"), HasSubstr("right pin"))))
        << distance;
}

// Three bars of length 1 on pins at a distance of 1.3, in the plane or with the joints and bodies of space. They are
// placed a little open.
Mechanism four_bar(Space space, const BodyData& bar) {
  Mechanism m("four-bar", space);
  const bool flat = space == Space::planar;
  const Numbers axis = flat ? Numbers{} : Numbers{0, 0, 1};
  const auto ground = [&](const Number& x) { return flat ? m.ground(x, 0) : m.ground(x, 0, 0); };
  const auto end = [&](const Body& body, const char* x) { return flat ? body.at(x, 0) : body.at(x, 0, 0); };
  const auto place = [&](const Body& body, const char* x, const char* y, const char* angle, const char* rate) {
    if (flat)
      m.place(body, {.position = {x, y}, .angle = angle, .velocity = {"1/2", 0}, .angular_velocity = rate});
    else
      m.place(body, {.position = {x, y, 0},
                     .rotation = {0, 0, angle},
                     .velocity = {"1/2", 0, 0},
                     .angular_velocity = {0, 0, rate}});
  };
  flat ? m.gravity(0, "-9.81") : m.gravity(0, "-9.81", 0);
  const Body left = m.body("left", bar), top = m.body("top", bar), right = m.body("right", bar);
  m.revolute("A", ground(0), end(left, "-1/2"), axis);
  m.revolute("B", end(left, "1/2"), end(top, "-1/2"), axis);
  m.revolute("C", end(top, "1/2"), end(right, "1/2"), axis);
  m.revolute("D", ground("1.3"), end(right, "-1/2"), axis);
  m.slack("0.5");
  place(left, "0", "0.5", "pi/2", "-1");
  place(top, "0.5", "1", "0", "0");
  place(right, "1.15", "0.5", "pi-1.25", "-1");
  return m;
}

std::vector<double> centres(const Run<double>& run) {
  std::vector<double> all;
  for (const char* name : {"left.x", "left.y", "top.x", "top.y", "right.x", "right.y"}) {
    const auto& column = run.column(name);
    all.insert(all.end(), column.begin(), column.end());
  }
  return all;
}

Run<double> run_of(const Mechanism& m, const char* scheme) {
  // Closed first, in the metric of the bars that have inertia everywhere, so that all start from the same place.
  const bool flat = m.space() == Space::planar;
  const Mechanism regular = four_bar(Space::planar, {.mass = 1, .inertia = "1/12"});
  Stepper<double> closing(regular.system(), Scheme::named("rattle"));
  closing.start(regular.start());
  const auto q = closing.state().q, v = closing.observe().v;
  Start start;
  for (std::size_t body = 0; body < 3; ++body) {
    const auto part = [&](std::vector<Number>& to, const std::vector<double>& from, double normal) {
      for (std::size_t k = 0; k < 3; ++k) {
        to.insert(to.end(), {from[6 * body + 2 * k], from[6 * body + 2 * k + 1]});
        if (!flat) to.push_back(0);
      }
      if (!flat) to.insert(to.end(), {0, 0, normal});
    };
    part(start.q, q, 1);
    part(start.v, v, 0);
  }
  return extremal::run(m.system(), scheme, start, {.step = "0.01", .until = 1});
}

// A bar without extent across has one director with inertia: the mass matrix is singular, and regular on the tangent
// space. In the plane only the sum of the values of Euler's tensor counts, for every discrete motion.
TEST(ThinBars, MoveLikeThickOnes) {
  const Mechanism thick = four_bar(Space::planar, {.mass = 1, .inertia = "1/12"}),
                  thin = four_bar(Space::planar, {.mass = 1, .euler = {"1/12", 0}}),
                  heavier = four_bar(Space::planar, {.mass = 1, .euler = {"1/10", 0}});
  for (const char* scheme : {"rattle", "spark(2)"}) {
    SCOPED_TRACE(scheme);
    const auto a = run_of(thick, scheme), b = run_of(thin, scheme), c = run_of(heavier, scheme);
    for (const auto* run : {&a, &b, &c}) {
      ASSERT_EQ(run->status, Status::complete) << run->reason;
      EXPECT_LE(run->constraint_max, 1e-13);
    }
    EXPECT_NEAR(a.energy_initial, b.energy_initial, 1e-12);
    EXPECT_LE(distance(centres(a), centres(b)), 1e-12);
    EXPECT_GT(distance(centres(a), centres(c)), 1e-3);  // control: it is not the joints alone that decide
  }
  EXPECT_THAT(refusal([&] { Stepper<double>(thin.system(), Scheme::named("ggl")).start(thin.start()); }),
              HasSubstr("regular mass matrix"));
}

// In space two of the three directors may be without inertia, where the joints hold the axis of the bar's spin: a bar
// with a little of it, and one with none, are the planar bar. The loop has three redundant rows.
TEST(ThinBars, MoveInSpaceToo) {
  const Mechanism plane = four_bar(Space::planar, {.mass = 1, .inertia = "1/12"});
  const Numbers little{"1/12-1/1200", "1/1200", "1/1200"}, one{"1/12-1/1200", "1/1200", 0}, none{"1/12", 0, 0};
  for (const Numbers& euler : {little, one, none}) {
    const Mechanism space = four_bar(Space::spatial, {.mass = 1, .euler = euler});
    for (const char* scheme : {"rattle", "spark(2)"}) {
      SCOPED_TRACE(scheme);
      const auto a = run_of(plane, scheme);
      extremal::Run<double> b;
      ASSERT_EQ(refusal([&] { b = run_of(space, scheme); }), "");
      ASSERT_EQ(b.status, Status::complete) << b.reason;
      EXPECT_EQ(b.consistency.redundant, 3);
      EXPECT_LE(distance(centres(a), centres(b)), 1e-9);
    }
  }
}

}  // namespace
}  // namespace extremal::papers::mechanisms_assembly_test
