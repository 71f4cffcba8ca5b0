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

// A servo follows a table, with an integral or without.
TEST(Pid, FollowsATable) {
  const std::string line = "target = \"ramp(t)\"\n[tables]\nramp = { points = [[0, 0], [1, 0.5], [2, 1], [4, 2]] }\n";
  std::string rotor = arm;
  rotor.insert(rotor.find("[[servo]]"), "armature = 0.1\n");
  for (const bool integral : {true, false}) {
    std::string text = rotor, other = rotor;
    if (!integral)
      for (std::string* each : {&text, &other}) each->replace(each->find("integral = 40\n"), 14, "");
    const Model table = read_model_text(text + line, "arm.toml"),
                formula = read_model_text(other + "target = \"t/2\"\n", "arm.toml");
    const Span span{.step = "0.01", .until = 1};
    const auto one = extremal::run(table.system, "spark(3)", table.start, span),
               two = extremal::run(formula.system, "spark(3)", formula.start, span);
    ASSERT_EQ(one.status, Status::complete) << one.reason;
    EXPECT_NEAR(one.column("joint:pivot:angle").back(), two.column("joint:pivot:angle").back(), 1e-9);
  }
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

// A crank and rocker of links 1/2, 6/5 and 9/10 on a base of 11/10: the angles of coupler and rocker follow that of the
// crank, and the motion is one of the reduced inertia I(a) and the potential V(a).
struct FourBar {
  static constexpr double crank = 0.5, coupler = 1.2, rocker = 0.9, base = 1.1, mass[] = {1, 2, 1.5},
                          inertia[] = {0.05, 0.3, 0.12}, g = 9.81;
  struct Place {
    double coupler, rocker;
  };
  static Place at(double a) {
    const double x = base - crank * std::cos(a), y = -crank * std::sin(a), d = std::hypot(x, y);
    const double c = std::atan2(y, x) + std::acos((coupler * coupler + d * d - rocker * rocker) / (2 * coupler * d));
    return {c, std::atan2(coupler * std::sin(c) - y, coupler * std::cos(c) - x)};
  }
  static double reduced(double a) {
    const auto [c, r] = at(a);
    const double dc = crank * std::sin(r - a) / (coupler * std::sin(c - r)),
                 dr = crank * std::sin(c - a) / (rocker * std::sin(c - r));
    const double x = -crank * std::sin(a) - coupler / 2 * std::sin(c) * dc,
                 y = crank * std::cos(a) + coupler / 2 * std::cos(c) * dc;
    return inertia[0] + mass[0] * crank * crank / 4 + inertia[1] * dc * dc + mass[1] * (x * x + y * y) +
           (inertia[2] + mass[2] * rocker * rocker / 4) * dr * dr;
  }
  static double potential(double a) {
    const auto [c, r] = at(a);
    return g * (mass[0] * crank / 2 * std::sin(a) + mass[1] * (crank * std::sin(a) + coupler / 2 * std::sin(c)) +
                mass[2] * rocker / 2 * std::sin(r));
  }
  static double slope(double (*f)(double), double a) {
    const double h = 1e-3;
    return (8 * (f(a + h) - f(a - h)) - f(a + 2 * h) + f(a - 2 * h)) / (12 * h);
  }
  // Virtual work.
  static double torque(double a, double rate, double acceleration) {
    return reduced(a) * acceleration + slope(reduced, a) / 2 * rate * rate + slope(potential, a);
  }

  static std::string text(double a) {
    const auto [c, r] = at(a);
    std::string out = "space = \"planar\"\ngravity = [0, -9.81]\n";
    const auto digits = [](double x) { return to_text(x); };
    const auto body = [&](const char* name, std::size_t k, double x, double y, double angle) {
      out += std::string("[[body]]\nname = \"") + name + "\"\nmass = " + digits(mass[k]) +
             "\ninertia = " + digits(inertia[k]) + "\nposition = [" + digits(x) + ", " + digits(y) +
             "]\nangle = " + digits(angle) + "\n";
    };
    const double px = crank * std::cos(a), py = crank * std::sin(a);
    body("crank", 0, px / 2, py / 2, a);
    body("coupler", 1, px + coupler / 2 * std::cos(c), py + coupler / 2 * std::sin(c), c);
    body("rocker", 2, base + rocker / 2 * std::cos(r), rocker / 2 * std::sin(r), r);
    return out + R"toml([[joint]]
name = "A"
type = "revolute"
from = "ground"
to = { body = "crank", at = [-0.25, 0] }
[[joint]]
name = "B"
type = "revolute"
from = { body = "crank", at = [0.25, 0] }
to = { body = "coupler", at = [-0.6, 0] }
[[joint]]
name = "C"
type = "revolute"
from = { body = "coupler", at = [0.6, 0] }
to = { body = "rocker", at = [0.45, 0] }
[[joint]]
name = "D"
type = "revolute"
from = { at = [1.1, 0] }
to = { body = "rocker", at = [-0.45, 0] }
)toml";
  }
};

// Inverse dynamics of a closed loop over more than a turn, against virtual work; and the torques that were found move
// the linkage as was wanted.
TEST(JointDrive, TellsTheTorqueOfAClosedLoopWhichMovesItSo) {
  const double begin = 0.4;
  const std::string linkage = FourBar::text(begin);
  const Model driven = read_model_text(
      linkage + "[[joint_drive]]\nname = \"turn\"\njoint = \"A\"\nposition = \"3*t + 0.3*sin(2*t)\"\n", "driven.toml");
  const auto run = extremal::run(driven.system, "rattle", driven.start, {.step = "0.005", .until = "2.5"});
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  std::string points;
  for (std::size_t k = 0; k < run.column("t").size(); ++k) {
    const double t = run.column("t")[k], a = begin + 3 * t + 0.3 * std::sin(2 * t), rate = 3 + 0.6 * std::cos(2 * t);
    const double found = run.column("motor:turn")[k];
    EXPECT_NEAR(run.column("joint:A:angle")[k], a - begin, 1e-12);
    EXPECT_NEAR(found, FourBar::torque(a, rate, -1.2 * std::sin(2 * t)), 1e-8) << t;
    points += (k > 0 ? ", [" : "[") + to_text(t) + ", " + to_text(found) + "]";
  }
  EXPECT_GT(run.column("joint:A:angle").back(), 7);
  const auto with_torque = [&](const std::string& torque) {
    const Model moved =
        read_model_text(linkage + "[[joint_motor]]\nname = \"turn\"\njoint = \"A\"\ntorque = \"" + torque +
                            "\"\n[start]\njoints = { A = { rate = 3.6 } }\n[tables]\nfound = { points = [" + points +
                            "], between = \"cubic\" }\n",
                        "moved.toml");
    const auto forward = extremal::run(moved.system, "spark(3)", moved.start, {.step = "0.005", .until = "2.5"});
    EXPECT_EQ(forward.status, Status::complete) << forward.reason;
    double most = 0;
    for (std::size_t k = 0; k < run.column("t").size(); ++k)
      most = std::max(most, std::fabs(forward.column("joint:A:angle")[k] - run.column("joint:A:angle")[k]));
    return most;
  };
  EXPECT_LT(with_torque("found(t)"), 1e-6);
  EXPECT_GT(with_torque("1.01*found(t)"), 1e-3);
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
