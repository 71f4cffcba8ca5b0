// Bodies that hang on the ground by a point turn about it in the lie family, without multipliers. The map is that of
// the joint all the same, and so is all that is said of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "distance.hpp"
#include "extremal/check.hpp"
#include "extremal/mechanism.hpp"
#include "extremal/models.hpp"
#include "extremal/stepper.hpp"
#include "refusal.hpp"

namespace extremal::lie_hung_test {
namespace {

using papers::distance;
using testing::HasSubstr;

// A body that hangs by a point of its axis 3 or, `aside`, by one of none of its axes, which needs multipliers; a second
// one on a ball joint off all axes, a third on a hinge; loads on the first.
Mechanism hung(bool aside) {
  Mechanism m("hung");
  m.gravity("0.5", 0, "-9.81");
  const Body a = m.body("a", {.mass = 1, .inertia = {"0.1", "0.2", "0.25"}});
  const Body b = m.body("b", {.mass = 2, .inertia = {"0.3", "0.2", "0.25"}});
  const Body c = m.body("c", {.mass = "0.5", .inertia = {"0.03", "0.03", "0.01"}});
  m.place(a, {.position = {aside ? "0.1" : "0", 0, "-0.5"}, .angular_velocity = {0, 0, 0}});
  m.place(b, {.position = {"0.3", "0.2", -1}});
  m.place(c, {.position = {"0.3", "0.7", -1}});
  m.spherical("tip", m.ground(0, 0, 0), a.at(aside ? "-0.1" : "0", 0, "0.5"));
  m.spherical("ball", a.at(aside ? "0.1" : "0.2", "0.1", "-0.3"), b.at("-0.1", "-0.1", "0.2"));
  m.revolute("hinge", b.at(0, "0.3", 0), c.at(0, "-0.2", 0), {1, 0, 0});
  m.spring("spring", m.ground(0, 1, 1), a.at("0.1", 0, "-0.5"), {.stiffness = 5, .length = 1});
  m.line_damper("line", m.ground(0, 1, 0), a, "0.3");
  m.rotational_damper("drag", a, b, "0.1");
  m.force("push", a, {0, [](auto t) { return cos(3.0 * t); }, 1});
  m.torque("twist", a, {"0.5", 0, [](auto t) { return sin(t); }});
  return m;
}

Mechanism plane_pendulum() {
  Mechanism m("plane pendulum", Space::planar);
  m.gravity(0, "-9.81");
  const Body a = m.body("a", {.mass = 1, .inertia = {"0.1"}});
  const Body b = m.body("b", {.mass = 2, .inertia = {"0.3"}});
  m.place(a, {.position = {"0.5", 0}});
  m.place(b, {.position = {1, "-0.5"}});
  m.revolute("pin", m.ground(0, 0), a.at("-0.5", 0));
  m.revolute("knee", a.at("0.5", 0), b.at(0, "0.5"));
  m.force("push", a, {0, [](auto t) { return cos(3.0 * t); }});
  return m;
}

template <class S>
struct Both {
  Both(const Mechanism& m, const char* lie, const char* directors)
      : system(m.system()), a(system, Scheme::named(lie)), b(system, Scheme::named(directors)) {
    a.start(m.start());
    b.start(m.start());
  }
  void step(double h, int steps) {
    for (int k = 0; k < steps; ++k) {
      EXPECT_TRUE(a.step(S(h)).converged && b.step(S(h)).converged);
      work = math::max(work, math::abs(a.work() - b.work()));
    }
  }
  System system;
  Stepper<S> a, b;
  S work{};
};

template <class S>
void expect_same(const Mechanism& m, const char* lie, const char* directors, int steps) {
  SCOPED_TRACE(m.system().name() + ", " + lie);
  Both<S> both(m, lie, directors);
  both.step(0.01, steps);
  const double eps = static_cast<double>(Scalar<S>::epsilon);
  EXPECT_LT(distance(both.a.state().q, both.b.state().q), 1e3 * eps);
  EXPECT_LT(distance(both.a.state().p, both.b.state().p), 1e4 * eps);
  EXPECT_LT(static_cast<double>(both.work), 1e3 * eps);
  EXPECT_LT(static_cast<double>(math::abs(both.a.action() - both.b.action())), 1e3 * eps);
  const Observation<S> one = both.a.observe(), two = both.b.observe();
  EXPECT_LT(static_cast<double>(math::abs(one.energy() - two.energy())), 1e4 * eps);
  EXPECT_LT(distance(one.v, two.v), 1e4 * eps);
}

TEST(LieHung, TheMapIsThatOfTheJoint) {
  for (const Mechanism& m : {hung(false), hung(true), plane_pendulum()})
    for (const auto& [lie, directors] :
         {std::pair{"lie(trapezoidal)", "rattle"}, std::pair{"lie(alpha(0.3))", "alpha(0.3)"},
          std::pair{"suzuki(4, lie(trapezoidal))", "suzuki(4, rattle)"}}) {
      expect_same<double>(m, lie, directors, 20);
      expect_same<quad>(m, lie, directors, 4);
    }
}

// A pendulum alone is a body that turns freely: no iteration.
TEST(LieHung, ATopNeedsNoIteration) {
  const Model m = model("top-lie");
  Stepper<double> stepper(m.system, Scheme::named("lie(trapezoidal)"));
  stepper.start(m.start);
  EXPECT_EQ(stepper.step(0.001).iterations, 0);
  // The hinge of the others does.
  Both<double> both(hung(false), "lie(trapezoidal)", "rattle");
  EXPECT_GT(both.a.step(0.01).iterations, 0);
}

TEST(LieHung, MultipliersOfTheJointAreThose) {
  for (const auto& [lie, directors] :
       {std::pair{"lie(trapezoidal)", "rattle"}, std::pair{"lie(alpha(0.3))", "alpha(0.3)"},
        std::pair{"suzuki(4, lie(trapezoidal))", "suzuki(4, rattle)"}}) {
    SCOPED_TRACE(lie);
    Both<quad> both(hung(false), lie, directors);
    both.step(0.01, 3);
    const std::vector<quad> one = both.a.multipliers(), two = both.b.multipliers();
    ASSERT_EQ(one.size(), two.size());
    const std::vector<std::string>& names = both.system.constraint_names();
    int compared = 0;
    for (std::size_t k = 0; k < one.size(); ++k) {
      if (names[k % names.size()].find("tip") == std::string::npos) continue;
      EXPECT_GT(static_cast<double>(math::abs(two[k])), 1e-3) << k;
      EXPECT_LT(static_cast<double>(math::abs(one[k] - two[k])), 1e-26) << k;
      ++compared;
    }
    EXPECT_EQ(compared, 6);
    // The question leaves the motion as it is.
    both.step(0.01, 2);
    EXPECT_LT(distance(both.a.state().q, both.b.state().q), 1e-30);
  }
}

// A wheel that is held at its centre does not move there at all, and its bearing still carries what pulls at it.
TEST(LieHung, MultipliersOfABearingAtTheCentreAreThose) {
  Mechanism m("wheel");
  m.gravity(0, 0, "-9.81");
  const Body wheel = m.body("wheel", {.mass = 2, .inertia = {"0.1", "0.1", "0.2"}});
  const Body bob = m.body("bob", {.mass = 1, .inertia = {"0.03", "0.03", "0.01"}});
  m.place(wheel, {.angular_velocity = {1, "0.5", 3}});
  m.place(bob, {.position = {"0.5", 0, "-0.3"}});
  m.spherical("bearing", wheel, m.ground(0, 0, 0));
  m.spherical("rim", wheel.at("0.5", 0, 0), bob.at(0, 0, "0.3"));
  m.spring("spring", m.ground(0, 1, 1), wheel, {.stiffness = 5, .length = "0.3", .damping = "0.2"});
  Both<quad> both(m, "lie(trapezoidal)", "rattle");
  both.step(0.01, 3);
  const std::vector<quad> one = both.a.multipliers(), two = both.b.multipliers();
  const std::vector<std::string>& names = both.system.constraint_names();
  ASSERT_EQ(one.size(), two.size());
  int compared = 0;
  for (std::size_t k = 0; k < one.size(); ++k) {
    if (names[k % names.size()].find("bearing") == std::string::npos) continue;
    EXPECT_GT(static_cast<double>(math::abs(two[k])), 1e-3) << k;
    EXPECT_LT(static_cast<double>(math::abs(one[k] - two[k])), 1e-26) << k;
    ++compared;
  }
  EXPECT_EQ(compared, 6);
}

TEST(LieHung, AStartOffTheJointIsPutOnIt) {
  Mechanism m = plane_pendulum();
  Start start = m.start();
  const System system = m.system();
  start.q[0] = "0.51";
  Stepper<double> a(system, Scheme::named("lie(trapezoidal)")), b(system, Scheme::named("rattle"));
  const Consistency found = a.start(start), expected = b.start(start);
  EXPECT_GT(expected.position, 1e-3);
  EXPECT_DOUBLE_EQ(found.position, expected.position);
  EXPECT_LT(distance(a.state().q, b.state().q), 1e-14);
}

// A joint at the centre of a body leaves it without places as unknowns. They are looked at all the same: a little off
// they are put on the joint, and a joint that is open is refused, as by a scheme that has its rows.
TEST(LieHung, AJointAtACentreIsLookedAt) {
  const auto balanced = [](const char* away) {
    Mechanism m("balanced");
    const Body a = m.body("a", {.mass = 1, .inertia = {"0.2", "0.2", "0.25"}});
    m.place(a, {.position = {0, 0, away}, .angular_velocity = {1, 10, "0.2"}});
    m.spherical("bearing", m.ground(0, 0, 0), a.at(0, 0, 0));
    return m;
  };
  const Mechanism closed = balanced("0"), off = balanced("1e-3"), open = balanced("-1");
  for (const char* scheme : {"lie(trapezoidal)", "lie(midpoint)", "lie(free)", "rattle"}) {
    SCOPED_TRACE(scheme);
    const System system = open.system();
    Stepper<double> stepper(system, Scheme::named(scheme));
    EXPECT_LT(stepper.start(closed.start()).position, 1e-15);
    EXPECT_NEAR(stepper.start(off.start()).position, 1e-3, 1e-9);
    EXPECT_NEAR(stepper.state().q[2], 0, 1e-15);
    EXPECT_THAT(refusal([&] { stepper.start(open.start()); }), HasSubstr("\"bearing\""));
  }
}

}  // namespace
}  // namespace extremal::lie_hung_test
