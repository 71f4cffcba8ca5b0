// Friction, limits, PID, gears, screws, given motions and inputs of joints, each against a closed form or an
// integration in minimal coordinates.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <array>
#include <cmath>

#include "extremal/error.hpp"
#include "extremal/mechanism.hpp"
#include "extremal/models.hpp"
#include "refusal.hpp"

namespace extremal::joint_couplings_test {
namespace {

using testing::HasSubstr;

Mechanism wheel(const Number& rate) {
  Mechanism out("wheel", Space::planar);
  const Body disc = out.body("disc", {.mass = 2, .inertia = "1/2"});
  out.revolute("axle", out.ground(1, 2), disc);
  out.place(disc, {.position = {1, 2}, .angular_velocity = rate});
  return out;
}

// J w' = -F w / r with r = sqrt(w^2 + e^2): r - e asinh(e / w) falls at the rate F / J.
TEST(JointFriction, SlowsAWheelByTheClosedForm) {
  Mechanism out = wheel(10);
  out.joint_friction("rub", "axle", 2, "1/2");
  const auto run = extremal::run(out.system(), "spark(3)", out.start(), {.step = "0.005", .until = 3});
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  const auto level = [](double w) { return std::sqrt(w * w + 0.25) - 0.5 * std::asinh(0.5 / w); };
  for (std::size_t k = 0; k < run.column("t").size(); ++k)
    EXPECT_NEAR(level(run.column("v:axle.angle")[k]), level(10) - 4 * run.column("t")[k], 1e-8) << k;
  // What the friction took is what the wheel lost.
  EXPECT_LT(run.energy_max_error, 1e-10);
  EXPECT_EQ(run.supplied, 0);
  const double w = run.column("v:axle.angle").back();
  EXPECT_NEAR(run.dissipated, 0.25 * (100 - w * w), 1e-10);
}

// m v v' = -k x (1 + c v) beyond the limit: v / c - ln(1 + c v) / c^2 is the same going in and coming out.
TEST(JointLimit, GivesBackWhatItsDampingLeaves) {
  for (const double c : {0.0, 0.2}) {
    Mechanism out("slider", Space::planar);
    const Body block = out.body("block", {.mass = 2, .inertia = 1});
    out.prismatic("rail", out.ground(0, 0), block, {1, 0});
    out.place(block, {.position = {"1/2", 0}, .velocity = {3, 0}});
    out.joint_limit("stop", "rail", -2, 1, 5000, c == 0 ? Number(0) : Number("1/5"));
    const auto run = extremal::run(out.system(), "spark(2)", out.start(), {.step = "0.0001", .until = "0.4"});
    ASSERT_EQ(run.status, Status::complete) << run.reason;
    const double v = run.column("v:rail.stroke").back();
    if (c == 0) {
      EXPECT_NEAR(v, -3, 1e-6);
      EXPECT_LT(run.energy_max_error, 1e-5);  // of steps across the touch, k (v h)^2 = 4.5e-4 in size
    } else {
      const auto level = [&](double x) { return x / c - std::log(1 + c * x) / (c * c); };
      EXPECT_NEAR(level(v), level(3), 1e-5);
      EXPECT_NEAR(run.dissipated, 9 - v * v, 1e-5);
    }
    // From touch to touch half a period of the spring, with the damping about that.
    const auto& x = run.column("rail.stroke");
    EXPECT_NEAR(*std::max_element(x.begin(), x.end()), 1 + 3 * std::sqrt(2.0 / 5000), c == 0 ? 1e-6 : 0.02);
  }
}

TEST(JointLimit, IsRefusedWithoutALimit) {
  Mechanism out = wheel(0);
  EXPECT_THAT(refusal([&] { out.joint_limit("l", "axle", {}, {}, 1); }), HasSubstr("neither lower nor upper"));
  EXPECT_THAT(refusal([&] { out.joint_limit("l", "axle", 2, 1, 1); }), HasSubstr("expected the lower below the upper"));
  EXPECT_THAT(refusal([&] { out.joint_friction("f", "axle", 1, 0); }), HasSubstr("creep 0; expected a positive rate"));
  EXPECT_THAT(refusal([&] { out.gear("g", "axle", "axle", 2); }), HasSubstr("a joint that follows itself"));
}

// J a'' = -m g l cos a + k (f - a) - c a' + i z, z' = f - a.
using Point3 = std::array<double, 3>;
template <class Target>
Point3 pendulum(Target f, double end, int steps) {
  const auto slope = [&](double t, const Point3& x) {
    const double e = f(t) - x[0];
    return Point3{x[1], (-9.81 * std::cos(x[0]) + 30 * e - 6 * x[1] + 40 * x[2]) / 1.5, e};
  };
  Point3 x{};
  const double h = end / steps;
  const auto moved = [](const Point3& a, double s, const Point3& b) {
    return Point3{a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]};
  };
  for (int k = 0; k < steps; ++k) {
    const double t = k * h;
    const Point3 a = slope(t, x), b = slope(t + h / 2, moved(x, h / 2, a)), c = slope(t + h / 2, moved(x, h / 2, b)),
                 d = slope(t + h, moved(x, h, c));
    for (std::size_t i = 0; i < 3; ++i) x[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return x;
}

const std::string arm = R"toml(space = "planar"
gravity = [0, -9.81]
[[body]]
name = "bar"
inertia = 0.5
position = [1, 0]
[[joint]]
name = "pivot"
type = "revolute"
from = "ground"
to = { body = "bar", at = [-1, 0] }
[[servo]]
name = "hold"
joint = "pivot"
stiffness = 30
damping = 6
integral = 40
)toml";

TEST(Pid, MovesAnArmAsInItsAngleAndItsIntegral) {
  const Model model = read_model_text(arm + "target = \"sin(t)\"\n", "arm.toml");
  const auto run = extremal::run(model.system, "spark(4)", model.start, {.step = "0.01", .until = 3});
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  const Point3 x = pendulum([](double t) { return std::sin(t); }, 3, 30000);
  EXPECT_NEAR(run.column("joint:pivot:angle").back(), x[0], 1e-9);
  EXPECT_NEAR(run.column("v:joint:pivot:angle").back(), x[1], 1e-9);
  EXPECT_NEAR(run.column("hold.integral").back(), x[2], 1e-9);
  EXPECT_NEAR(run.column("motor:hold").back(), 30 * (std::sin(3) - x[0]) - 6 * x[1] + 40 * x[2], 1e-7);
  EXPECT_LT(run.energy_max_error, 1e-9);
}

// The same with a target that a program may set, which is an input in the formula.
TEST(Pid, TakesItsTargetFromAnInput) {
  const Model model = read_model_text(
      "inputs = [\"u\"]\n" + arm + "target = \"w + sin(t)\"\n[parameters]\nu = 0.25\nw = \"2*u\"\n", "arm.toml");
  ASSERT_EQ(model.system.parameter_names(), std::vector<std::string>{"u"});
  const auto run = extremal::run(model.system, "spark(4)", model.start, {.step = "0.01", .until = 3});
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  const Point3 x = pendulum([](double t) { return 0.5 + std::sin(t); }, 3, 30000);
  EXPECT_NEAR(run.column("joint:pivot:angle").back(), x[0], 1e-9);
  EXPECT_NEAR(run.column("hold.integral").back(), x[2], 1e-9);
  // Another value needs no other file; the integral starts at the error of the first.
  const auto other =
      extremal::run(model.system.with("u", "-1/4"), "spark(4)", model.start, {.step = "0.01", .until = "0.01"});
  EXPECT_LT(other.column("v:joint:pivot:angle").back(), run.column("v:joint:pivot:angle")[1] - 0.1);
}

TEST(Inputs, AreRefusedWhereNumbersStayAsTheyAre) {
  const auto said = [&](const std::string& text) { return refusal([&] { read_model_text(text, "arm.toml"); }); };
  const std::string inputs = "inputs = [\"u\"]\n", end = "target = 0\n[parameters]\nu = 1\nw = \"2*u\"\n";
  std::string heavy = arm;
  heavy.insert(heavy.find("inertia"), "mass = \"w\"\n");
  EXPECT_THAT(said(inputs + heavy + end), HasSubstr("arm.toml:6:9: found \"w\", an input or what depends on one"));
  EXPECT_THAT(said(inputs + arm + end + "[[torque]]\nname = \"T\"\non = \"bar\"\ncomponents = [\"u*t\"]\n"),
              HasSubstr("found an input, or what depends on one, in a function of t"));
  EXPECT_THAT(said("inputs = [\"v\"]\n" + arm + end), HasSubstr("unknown parameter \"v\""));
  EXPECT_THAT(said("inputs = [\"w\"]\n" + arm + end), HasSubstr("expected a parameter that is a number by itself"));
}

// A nut on a screw: stroke = pitch * angle, over many turns; m p^2 + J is what its torque turns.
TEST(Gear, OfOneJointIsAScrew) {
  const Model model = read_model_text(R"toml(
[[body]]
name = "nut"
mass = 4
inertia = [1, 1, 0.5]
[[joint]]
name = "thread"
type = "cylindrical"
from = "ground"
to = "nut"
axis = [0, 0, 1]
[[gear]]
name = "pitch"
joint = "thread.stroke"
follows = "thread.angle"
ratio = 0.25
[[joint_motor]]
name = "turn"
joint = "thread.angle"
torque = "3 + 0*angle'"
[start]
joints = { "thread.angle" = { rate = 2 } }
)toml",
                                      "screw.toml");
  const auto run = extremal::run(model.system, "spark(3)", model.start, {.step = "0.01", .until = 5});
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  const double angle = 2 * 5 + 3 / (0.5 + 4 * 0.0625) * 12.5;  // nine and a half turns
  EXPECT_NEAR(run.column("joint:thread:angle").back(), angle, 1e-6);
  EXPECT_NEAR(run.column("joint:thread:stroke").back(), run.column("joint:thread:angle").back() / 4, 1e-12);
  EXPECT_NEAR(run.column("position:nut:z").back(), run.column("joint:thread:stroke").back(), 1e-13);
  EXPECT_EQ(run.column("motor:turn").back(), 3);
}

// The torque of a motion that is given: J a'' + m g l cos a, at every node and to round-off.
TEST(JointDrive, TellsTheTorqueThatAMotionNeeds) {
  Mechanism out("arm", Space::planar);
  out.gravity(0, "-9.81");
  const Body bar = out.body("bar", {.mass = 1, .inertia = "1/2"});
  out.revolute("pivot", out.ground(0, 0), bar.at(-1, 0));
  out.place(bar, {.position = {1, 0}});
  out.joint_drive("swing", "pivot", [](auto t) { return 12.0 * sin(t); });  // nearly two turns to either side
  const auto run = extremal::run(out.system(), "rattle", out.start(), {.step = "0.01", .until = 4});
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  for (std::size_t k = 0; k < run.column("t").size(); ++k) {
    const double s = 12 * std::sin(run.column("t")[k]);
    EXPECT_NEAR(run.column("pivot.angle")[k], s, 1e-12);
    EXPECT_NEAR(run.column("motor:swing")[k], -1.5 * s + 9.81 * std::cos(s), 1e-10) << k;
  }
}

// Names of joints in formulas make their coordinates known, and [observe] has them all without that.
TEST(JointNames, AreKnownToFormulasAndToObservers) {
  const std::string text = R"toml(space = "planar"
[[body]]
name = "a"
inertia = 0.5
[[body]]
name = "b"
inertia = 0.25
position = [3, 0]
[[joint]]
name = "left axle"
type = "revolute"
from = "ground"
to = "a"
[[joint]]
name = "B"
type = "revolute"
from = { at = [3, 0] }
to = "b"
[start]
joints = { "left axle" = { rate = 8 } }
[observe]
both = "'left axle.angle' + 2*B.angle'"
)toml";
  const Model free = read_model_text(text, "two.toml");
  EXPECT_EQ(free.system.size(), 12);
  const auto turning = extremal::run<double>(free.system, Scheme::named("lie(trapezoidal)"), free.start,
                                             {.step = "0.01", .until = 2}, {.observers = free.observers});
  EXPECT_NEAR(turning.column("both").back(), turning.column("joint:left axle:angle").back(), 1e-12);
  EXPECT_GT(turning.column("both").back(), 15);
  // A cam: B follows the square of the other's angle. With a' at the start, J a'^2 / 2 is shared.
  const Model cam = read_model_text(
      text + "[[constraint]]\nname = \"cam\"\nformula = \"B.angle - 'left axle.angle'^2/2\"\n", "cam.toml");
  EXPECT_EQ(cam.system.size(), 14);
  const auto run = extremal::run<double>(cam.system, Scheme::named("spark(3)"), cam.start,
                                         {.step = "0.005", .until = 1}, {.observers = cam.observers});
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  for (std::size_t k = 0; k < run.column("t").size(); ++k) {
    const double a = run.column("joint:left axle:angle")[k], v = run.column("v:joint:left axle:angle")[k];
    EXPECT_NEAR(run.column("joint:B:angle")[k], a * a / 2, 1e-12);
    EXPECT_NEAR((0.5 + 0.25 * a * a) * v * v, 32, 1e-6);
    EXPECT_NEAR(run.column("both")[k], a + 2 * a * v, 1e-9);
  }
}

}  // namespace
}  // namespace extremal::joint_couplings_test
