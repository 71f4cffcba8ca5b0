// What a Mechanism refuses, by name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "extremal/mechanism.hpp"
#include "refusal.hpp"

namespace extremal::mechanism_refusals_test {
namespace {

using testing::HasSubstr;

struct Bench {
  Mechanism plane{"plane", Space::planar}, space{"space"}, other{"other"};
  Body bar = plane.body("bar", {.mass = 1, .inertia = 1}), ball = plane.point_mass("ball", 1);
  Body box = space.body("box", {.mass = 1, .inertia = {1, 1, 1}}), dot = space.point_mass("dot", 1);
  Body stranger = other.body("stranger", {.mass = 1, .inertia = {1, 1, 1}});
};

#define EXPECT_REFUSED(action, text) EXPECT_THAT(refusal([&] { action; }), HasSubstr(text))

TEST(MechanismRefuses, BodiesThatDoNotExist) {
  Bench b;
  EXPECT_REFUSED(b.space.body("a", {.mass = 0, .inertia = {1, 1, 1}}),
                 "space: body \"a\": mass 0; expected a positive");
  EXPECT_REFUSED(b.space.point_mass("a", -1), "mass -1; expected a positive");
  EXPECT_REFUSED(b.space.body("a", {.mass = 1, .inertia = {1, 1, 3}}), "none above the sum of the other two");
  EXPECT_REFUSED(b.space.body("a", {.mass = 1, .inertia = {1, -1, 1}}), "moment of inertia -1");
  EXPECT_REFUSED(b.space.body("a", {.mass = 1, .inertia = 1}), "1 moments of inertia; expected 3");
  EXPECT_REFUSED(b.space.body("a", {.mass = 1}), "try point_mass");
  EXPECT_REFUSED(b.space.body("a", {.mass = 1, .inertia = {0, 0, 0}}), "no inertia");
  EXPECT_REFUSED(b.plane.body("a", {.mass = 1, .inertia = {1, 1, 1}}), "3 moments of inertia; expected 1");
  EXPECT_REFUSED(b.plane.body("a", {.mass = 1, .inertia = 1, .euler = {1, 1}}), "both inertia and euler");
  EXPECT_REFUSED(b.plane.body("a", {.mass = 1, .euler = {1, -1}}), "a value -1 of Euler's tensor");
  EXPECT_REFUSED(b.plane.body("bar", {.mass = 1, .inertia = 1}), "the name is taken");
  EXPECT_REFUSED(b.plane.body("", {.mass = 1, .inertia = 1}), "the name is empty");
  // A lamina and a rod are at the limit, and are bodies.
  b.space.body("lamina", {.mass = 1, .inertia = {"1/12", "1/12", "1/6"}});
  b.space.body("rod", {.mass = 1, .inertia = {0, "1/12", "1/12"}});
}

TEST(MechanismRefuses, JointsThatMakeNoSense) {
  Bench b;
  const Point on_bar = b.bar.at(1, 0), ground = b.plane.ground(0, 0), on_box = b.box.at(1, 0, 0);
  EXPECT_REFUSED(b.plane.revolute("J", on_bar, b.bar.at(0, 1)), "joint \"J\": body \"bar\" on both sides");
  EXPECT_REFUSED(b.plane.revolute("J", ground, ground), "the ground on both sides");
  EXPECT_REFUSED(b.plane.revolute("bar", ground, on_bar), "the name is taken");
  EXPECT_REFUSED(b.plane.revolute("J", ground, on_bar, {0, 1}), "an axis in the plane");
  EXPECT_REFUSED(b.plane.spherical("J", ground, on_bar), "this mechanism is planar");
  EXPECT_REFUSED(b.plane.prismatic("J", ground, on_bar, {0, 0}), "an axis of length 0");
  EXPECT_REFUSED(b.plane.prismatic("J", ground, on_bar, {0, 0, 1}), "3 components; expected 2");
  EXPECT_REFUSED(b.plane.prismatic("J", ground, b.ball, {0, 1}), "point mass \"ball\" has no orientation");
  EXPECT_REFUSED(b.plane.point_on_line("J", b.ball, on_bar, {0, 1}), "point mass \"ball\" has no orientation");
  EXPECT_REFUSED(b.plane.revolute("J", ground, b.ball.at(1, 0)), "a point beside point mass \"ball\"");
  EXPECT_REFUSED(b.plane.distance("J", ground, on_bar, 0), "length 0; expected a positive");
  EXPECT_REFUSED(b.space.revolute("J", on_box, b.space.ground(0, 0, 0)), "no axis; expected 3 components");
  EXPECT_REFUSED(b.space.spherical("J", on_box, b.stranger.at(0, 0, 0)), "a point of another mechanism");
  EXPECT_REFUSED(b.space.ground(0, 0), "2 components; expected 3");
  EXPECT_REFUSED(b.space.rows("J"), "there is none of this name");
  // Nothing of this was added.
  EXPECT_EQ(b.plane.system().constraint_count(), 3);
  EXPECT_EQ(b.space.system().constraint_count(), 6);
  b.plane.distance("rod", b.bar, b.ball);
  EXPECT_REFUSED(b.plane.system(), "the points coincide at the placements");
}

TEST(MechanismRefuses, LoadsAndPlacements) {
  Bench b;
  EXPECT_REFUSED(b.plane.spring("S", b.bar, b.ball, {.stiffness = -1}), "load \"S\": stiffness -1");
  EXPECT_REFUSED(b.plane.damper("S", b.bar, b.bar.at(1, 1), 1), "on both sides");
  EXPECT_REFUSED(b.plane.motor("S", b.bar, b.ball, 1), "has no orientation");
  EXPECT_REFUSED(b.space.motor("S", b.space.ground_body(), b.box, 1), "no axis");
  EXPECT_REFUSED(b.space.torque("S", b.box, {1}), "1 components; expected 3");
  EXPECT_REFUSED(b.space.torque("S", b.stranger, {1, 1, 1}), "a body of another mechanism");
  EXPECT_REFUSED(b.space.force("S", b.space.ground(0, 0, 0), {1, 1, 1}), "acts on the ground");
  EXPECT_REFUSED(b.plane.place(b.bar, {.rotation = {0, 1}}), "expected angle");
  EXPECT_REFUSED(b.space.place(b.box, {.angle = 1}), "expected rotation, euler, matrix or quaternion");
  EXPECT_REFUSED(b.space.place(b.box, {.rotation = {0, 0, 1}, .euler = {1, 1, 1}}), "more than one orientation");
  EXPECT_REFUSED(b.space.place(b.box, {.matrix = {1, 0, 0, 0, 1, 0, 0, 0, -1}}), "misses a rotation by 2");
  EXPECT_REFUSED(b.space.place(b.box, {.matrix = {1, 0, 0}}), "3 numbers; expected 9");
  EXPECT_REFUSED(b.space.place(b.dot, {.rotation = {0, 0, 1}}), "for a point mass");
  EXPECT_REFUSED(b.space.place(b.stranger, {}), "a body of another mechanism");
  EXPECT_REFUSED(b.plane.gravity(1), "gravity: 1 components; expected 2");
  EXPECT_REFUSED(b.plane.slack(-1), "expected 0 or more");
  const std::vector<double> none;
  EXPECT_REFUSED(b.plane.reactions(none, none), "reactions, q: 0 values; expected 8");
}

TEST(Placement, IsTheSameInEveryForm) {
  Mechanism m("forms");
  const auto add = [&](const std::string& name, const Placement& placement) {
    m.place(m.body(name, {.mass = 1, .inertia = {1, 1, 1}}), placement);
  };
  add("vector", {.rotation = {0, 0, "pi/6"}});
  add("euler", {.euler = {"pi/8", 0, "pi/24"}});
  add("matrix", {.matrix = {"sqrt(3)/2", "-1/2", 0, "1/2", "0.866025403784438646763723170753", 0, 0, 0, 1}});
  const Start start = m.start();
  for (std::size_t body : {1u, 2u})
    for (std::size_t i = 0; i < 12; ++i)
      EXPECT_NEAR(static_cast<double>(start.q[12 * body + i].as<quad>() - start.q[i].as<quad>()), 0, 1e-30);
  EXPECT_NEAR(start.q[4].as<double>(), 0.5, 1e-16);  // d1 = (cos, sin, 0)
  // Copies are values: what is added to one is not in the other.
  Mechanism copy = m;
  copy.body("more", {.mass = 1, .inertia = {1, 1, 1}});
  EXPECT_EQ(m.system().size(), 36);
  EXPECT_EQ(copy.system().size(), 48);
}

}  // namespace
}  // namespace extremal::mechanism_refusals_test
