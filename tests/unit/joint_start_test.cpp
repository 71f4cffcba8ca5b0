// Starts by the coordinates of joints: what is given is kept, the rest follows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cmath>

#include "extremal/error.hpp"
#include "extremal/mechanism.hpp"
#include "extremal/models.hpp"
#include "refusal.hpp"

namespace extremal::joint_start_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// A crank of length 1 at 60 degrees, a rod of length 3.
const std::string slider_crank = R"toml(space = "planar"
[[body]]
name = "crank"
inertia = "1/12"
position = ["1/4", "sqrt(3)/4"]
angle = "pi/3"
[[body]]
name = "rod"
mass = 2
inertia = 1
position = ["1/2 + sqrt(33)/4", "sqrt(3)/4"]
angle = "-asin(sqrt(3)/6)"
[[body]]
name = "block"
inertia = 1
position = ["1/2 + sqrt(33)/2", 0]
[[joint]]
name = "A"
type = "revolute"
from = "ground"
to = { body = "crank", at = ["-1/2", 0] }
angle = "pi/3"
[[joint]]
name = "B"
type = "revolute"
from = { body = "crank", at = ["1/2", 0] }
to = { body = "rod", at = ["-3/2", 0] }
[[joint]]
name = "C"
type = "revolute"
from = { body = "rod", at = ["3/2", 0] }
to = "block"
[[joint]]
name = "D"
type = "prismatic"
from = "ground"
to = "block"
axis = [1, 0]
)toml";

Run<double> begun(const std::string& start, const char* scheme = "rattle") {
  const Model model = read_model_text(slider_crank + "[start]\n" + start + "\n", "slider.toml");
  return extremal::run(model.system, scheme, model.start, {.step = "1e-3", .until = "2e-3"});
}

double first(const Run<double>& run, const char* name) { return run.column(name)[0]; }

double slider(double a) { return std::cos(a) + std::sqrt(9 - std::sin(a) * std::sin(a)); }
double slider_slope(double a) { return -std::sin(a) * (1 + std::cos(a) / std::sqrt(9 - std::sin(a) * std::sin(a))); }

TEST(JointStart, KeepsTheRateThatIsGivenAndTheOthersFollow) {
  for (const char* scheme : {"rattle", "spark(2)", "lie(trapezoidal)"}) {
    const auto run = begun("joints = { A = { rate = 6 } }", scheme);
    EXPECT_NEAR(first(run, "v:joint:A:angle"), 6, 1e-14) << scheme;
    EXPECT_NEAR(first(run, "v:joint:D:stroke"), 6 * slider_slope(std::acos(0.5)), 1e-13) << scheme;
    EXPECT_NEAR(first(run, "joint:A:angle"), std::acos(0.5), 1e-15) << scheme;
  }
}

TEST(JointStart, KeepsThePositionThatIsGiven) {
  const auto run = begun("joints = { A = { position = \"2*pi + 2\", rate = -1 } }");
  // The bodies know their angle but for whole turns.
  EXPECT_NEAR(std::remainder(first(run, "joint:A:angle") - 2, 2 * std::acos(-1.0)), 0, 1e-14);
  EXPECT_NEAR(first(run, "v:joint:A:angle"), -1, 1e-14);
  EXPECT_NEAR(first(run, "joint:D:stroke"), slider(2), 1e-14);
  EXPECT_NEAR(first(run, "v:joint:D:stroke"), -slider_slope(2), 1e-14);
  const auto stroke = begun("joints = { D = { position = 3, rate = \"1/2\" } }");
  EXPECT_NEAR(first(stroke, "joint:D:stroke"), 3, 1e-14);
  EXPECT_NEAR(first(stroke, "v:joint:D:stroke"), 0.5, 1e-14);
  EXPECT_NEAR(slider(first(stroke, "joint:A:angle")), 3, 1e-14);
}

TEST(JointStart, RefusesWhatContradictsWithAllNames) {
  EXPECT_THAT(refusal([&] { begun("joints = { A = { rate = 6 }, D = { rate = 6 } }"); }),
              AllOf(HasSubstr("joints \"A\" and \"D\""), HasSubstr("cannot move as given together")));
  EXPECT_THAT(refusal([&] { begun("joints = { A = { position = 1 }, B = { position = 1 } }"); }),
              AllOf(HasSubstr("joints \"A\" and \"B\""), HasSubstr("cannot be as given together")));
  EXPECT_THAT(refusal([&] { begun("joints = { D = { position = 5 } }"); }),
              HasSubstr("joint \"D\" cannot be as given"));
  EXPECT_THAT(refusal([&] { begun("joints = { E = { rate = 5 } }"); }), HasSubstr("unknown joint \"E\""));
  EXPECT_THAT(refusal([&] { begun("joints = { A = { speed = 5 } }"); }), HasSubstr("slider.toml:"));
}

// Of a body that is free to choose, as little as possible moves: a double pendulum whose upper arm is given.
TEST(JointStart, ChangesOtherVelocitiesAsLittleAsTheKineticEnergySays) {
  Mechanism out("double pendulum", Space::planar);
  const Body upper = out.body("upper", {.mass = 1, .inertia = "0.1"}),
             lower = out.body("lower", {.mass = 2, .inertia = "0.2"});
  out.revolute("A", out.ground(0, 0), upper.at("-1/2", 0));
  out.revolute("B", upper.at("1/2", 0), lower.at("-1/2", 0));
  out.place(upper, {.position = {"1/2", 0}});
  out.place(lower, {.position = {"3/2", 0}});
  out.start_joint("A", {.rate = 3});
  const auto run = extremal::run(out.system(), "rattle", out.start(), {.step = "1e-3", .until = "1e-3"});
  EXPECT_NEAR(first(run, "v:joint:A:angle"), 3, 1e-14);
  // The momentum against B vanishes: (J + m/4) (3 + b') + m/2 3 = 0.
  EXPECT_NEAR(0.7 * (3 + first(run, "v:joint:B:angle")) + 3, 0, 1e-13);
}

// Joints with several coordinates by the name of one; a small mechanism may start far from its placements.
TEST(JointStart, IsKeptForEveryCoordinate) {
  Mechanism out("several");
  const Body puck = out.body("puck", {.mass = 1, .inertia = {1, 2, 3}}),
             cross = out.body("cross", {.mass = 1, .inertia = {1, 1, 1}});
  out.planar("table", out.ground(0, 0, 1), puck, {0, 0, 1});
  out.universal("cardan", puck.at(0, 0, "0.01"), cross.at(0, 0, "-0.01"), {1, 0, 0}, {0, 1, 0});
  out.place(puck, {.position = {0, 0, 1}});
  out.place(cross, {.position = {0, 0, "1.02"}});
  out.start_joint("table.x", {.position = 2, .rate = -1});
  out.start_joint("table.angle", {.position = 1});
  out.start_joint("cardan.angle", {.position = "1/2", .rate = 5});
  out.start_joint("cardan.angle_to", {.position = "-3/4", .rate = 2});
  EXPECT_THAT(refusal([&] { out.start_joint("table", {.rate = 1}); }),
              HasSubstr("has 3 coordinates; expected one of them"));
  EXPECT_THAT(refusal([&] { out.start_joint("table.z", {.rate = 1}); }), HasSubstr("unknown coordinate \"z\""));
  for (const char* scheme : {"rattle", "lie(trapezoidal)"}) {
    const auto run = extremal::run(out.system(), scheme, out.start(), {.step = "1e-3", .until = "2e-3"});
    EXPECT_NEAR(first(run, "joint:table:x"), 2, 1e-14) << scheme;
    EXPECT_NEAR(first(run, "v:joint:table:x"), -1, 1e-14) << scheme;
    EXPECT_NEAR(first(run, "joint:table:angle"), 1, 1e-14) << scheme;
    EXPECT_NEAR(first(run, "joint:cardan:angle"), 0.5, 1e-14) << scheme;
    EXPECT_NEAR(first(run, "v:joint:cardan:angle"), 5, 1e-13) << scheme;
    EXPECT_NEAR(first(run, "joint:cardan:angle_to"), -0.75, 1e-14) << scheme;
    EXPECT_NEAR(first(run, "v:joint:cardan:angle_to"), 2, 1e-13) << scheme;
  }
}

// A scissor of two bars and a shoe on a rail: bars are placed, the shoe goes to where the second bar holds it. And a
// Scotch yoke of which nothing is said but the angle of its wheel.
TEST(JointStart, PlacesBodiesWhereLoopsHoldThem) {
  const std::string scissor = R"toml(space = "planar"
[[body]]
name = "left"
inertia = 1
position = ["cos(0.6)/2", "sin(0.6)/2"]
angle = 0.6
[[body]]
name = "right"
inertia = 1
position = ["cos(0.6)/2", "sin(0.6)/2"]
angle = "pi - 0.6"
[[body]]
name = "shoe"
inertia = 1
[[joint]]
name = "middle"
type = "revolute"
from = "left"
to = "right"
[[joint]]
name = "pivot"
type = "revolute"
from = "ground"
to = { body = "left", at = [-0.5, 0] }
[[joint]]
name = "rail"
type = "prismatic"
from = "ground"
to = "shoe"
axis = [1, 0]
[[joint]]
name = "foot"
type = "revolute"
from = "shoe"
to = { body = "right", at = [-0.5, 0] }
)toml";
  const Model lift = read_model_text(scissor, "scissor.toml");
  const auto q = [&](std::size_t i) { return lift.start.q[i].as<double>(); };
  EXPECT_NEAR(q(12), std::cos(0.6), 1e-6);  // the shoe
  EXPECT_EQ(q(0), std::cos(0.6) / 2);       // and nothing else
  const auto run = extremal::run(lift.system, "rattle", lift.start, {.step = "0.01", .until = "0.01"});
  EXPECT_EQ(run.status, Status::complete) << run.reason;
  const Model yoke = read_model_text(R"toml(space = "planar"
[[body]]
name = "wheel"
inertia = 1
[[body]]
name = "yoke"
inertia = 1
[[joint]]
name = "axle"
type = "revolute"
from = "ground"
to = "wheel"
[[joint]]
name = "guide"
type = "prismatic"
from = "ground"
to = "yoke"
axis = [1, 0]
[[joint]]
name = "slot"
type = "point_on_line"
from = "yoke"
to = { body = "wheel", at = [0.1, 0] }
axis = [0, 1]
[start]
joints = { axle = { position = 0.5, rate = 20 } }
)toml",
                                     "yoke.toml");
  EXPECT_NEAR(yoke.start.q[6].as<double>(), 0.1 * std::cos(0.5), 1e-15);
  EXPECT_NEAR(yoke.start.v[6].as<double>(), -2 * std::sin(0.5), 1e-14);
}

// What is no coordinate may be that of a joint.
TEST(JointStart, IsHintedAt) {
  const auto said = [](const std::string& start) {
    return refusal([&] {
      read_model_text(
          "space = \"planar\"\n[[body]]\nname = \"b\"\ninertia = 1\n[[joint]]\nname = \"A\"\ntype = \"revolute\"\nfrom "
          "= "
          "\"ground\"\nto = \"b\"\n[start]\n" +
              start,
          "b.toml");
    });
  };
  EXPECT_THAT(said("\"A.angle\" = 1\n"), testing::HasSubstr("a joint starts by joints = { \"A\" = { position = 1 } }"));
  EXPECT_THAT(said("velocity = { \"A.angle\" = 1 }\n"),
              testing::HasSubstr("a joint starts by joints = { \"A\" = { rate = 1 } }"));
  EXPECT_THAT(said("A = { rate = 1 }\n"), testing::HasSubstr("a joint starts by joints"));
}

// A crank that rests where it was told to be, without gravity: what moves is round-off, and no reason to doubt.
TEST(JointStart, LeavesAMechanismAtRest) {
  const auto run = begun("joints = { A = { position = 3 } }");
  EXPECT_EQ(run.status, Status::complete) << run.reason;
  EXPECT_NEAR(first(run, "joint:A:angle"), 3, 1e-14);
}

}  // namespace
}  // namespace extremal::joint_start_test
