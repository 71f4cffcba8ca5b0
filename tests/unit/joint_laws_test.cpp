// Springs, dampers, servos, motors and rotors of joints, told by the joint's name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <cmath>

#include "extremal/error.hpp"
#include "extremal/mechanism.hpp"
#include "extremal/models.hpp"
#include "kernel/find_blocks.hpp"
#include "places.hpp"
#include "refusal.hpp"

namespace extremal::joint_laws_test {
namespace {

using testing::HasSubstr;

constexpr const char* arm = R"toml(space = "planar"
gravity = [0, -9.81]
[parameters]
k = 40
d = 5
[[body]]
name = "upper"
mass = 2
inertia = 0.2
position = [0.5, 0]
[[body]]
name = "lower"
mass = 1.5
inertia = 0.1
position = [1.4, 0]
[[joint]]
name = "shoulder"
type = "revolute"
from = "ground"
to = { body = "upper", at = [-0.5, 0] }
armature = 0.3
[[joint]]
name = "elbow"
type = "revolute"
from = { body = "upper", at = [0.5, 0] }
to = { body = "lower", at = [-0.4, 0] }
armature = 0.15
[[servo]]
name = "lift"
joint = "shoulder"
stiffness = 60
damping = 8
target = "sin(t)"
[[joint_motor]]
name = "bend"
joint = "elbow"
torque = "k*(cos(2*t) - 1 - angle) - d*angle' + 0.5*sin(angle)"
)toml";

using Point4 = std::array<double, 4>;

// The same arm in its two angles.
Point4 slope(double t, const Point4& x) {
  const double q1 = x[0], q2 = x[1], w1 = x[2], w2 = x[3], m1 = 2, m2 = 1.5, l = 1, c1 = 0.5, c2 = 0.4, g = 9.81;
  const double m12 = 0.1 + m2 * (c2 * c2 + l * c2 * std::cos(q2)), m22 = 0.1 + m2 * c2 * c2;
  const double m11 = 0.2 + m1 * c1 * c1 + m2 * (l * l + l * c2 * std::cos(q2)) + m12;
  const double h = m2 * l * c2 * std::sin(q2), weight = m2 * c2 * g * std::cos(q1 + q2);
  const double lift = 60 * (std::sin(t) - q1) - 8 * w1;
  const double bend = 40 * (std::cos(2 * t) - 1 - q2) - 5 * w2 + 0.5 * std::sin(q2);
  const double f1 = lift + h * (2 * w1 * w2 + w2 * w2) - (m1 * c1 + m2 * l) * g * std::cos(q1) - weight;
  const double f2 = bend - h * w1 * w1 - weight;
  const double a = m11 + 0.3, b = m22 + 0.15, det = a * b - m12 * m12;
  return {w1, w2, (b * f1 - m12 * f2) / det, (a * f2 - m12 * f1) / det};
}

// From rest at zero, by Runge-Kutta's fourth order.
Point4 integrated(Point4 (*slope)(double, const Point4&), double end, int steps) {
  Point4 x{};
  const double h = end / steps;
  const auto moved = [](const Point4& a, double f, const Point4& b) {
    Point4 y;
    for (std::size_t i = 0; i < 4; ++i) y[i] = a[i] + f * b[i];
    return y;
  };
  for (int k = 0; k < steps; ++k) {
    const double t = k * h;
    const Point4 s1 = slope(t, x), s2 = slope(t + h / 2, moved(x, h / 2, s1)),
                 s3 = slope(t + h / 2, moved(x, h / 2, s2)), s4 = slope(t + h, moved(x, h, s3));
    for (std::size_t i = 0; i < 4; ++i) x[i] += h / 6 * (s1[i] + 2 * s2[i] + 2 * s3[i] + s4[i]);
  }
  return x;
}

TEST(JointLaws, MoveAnArmAsInItsTwoAngles) {
  const Model model = read_model_text(arm, "arm.toml");
  const auto run = extremal::run(model.system, "spark(4)", model.start, {.step = "0.01", .until = 3});
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  const Point4 x = integrated(slope, 3, 30000);
  const char* names[] = {"joint:shoulder:angle", "joint:elbow:angle", "v:joint:shoulder:angle", "v:joint:elbow:angle"};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(run.column(names[i]).back(), x[i], 1e-9) << names[i];
  EXPECT_NEAR(run.column("elbow.angle").back(), x[1], 1e-9);
  // Gravity and rotors are in the energy, the motors' work is beside it.
  EXPECT_LT(run.energy_max_error, 1e-10);
  EXPECT_GT(std::abs(run.column("work").back()), 1);
}

// The two angles of examples/arm.toml, whose elbow has a servo and a damper.
Point4 example_slope(double t, const Point4& x) {
  const double q1 = x[0], q2 = x[1], w1 = x[2], w2 = x[3];
  const double m12 = 0.1 + 1.5 * (0.16 + 0.4 * std::cos(q2)), a = 0.7 + 1.5 * (1 + 0.4 * std::cos(q2)) + m12 + 0.3,
               b = 0.34 + 0.15;
  const double h = 0.6 * std::sin(q2), weight = 0.6 * 9.81 * std::cos(q1 + q2);
  const double lift = 60 * (std::sin(t) - q1) - 8 * w1;
  const double bend = 40 * (std::cos(2 * t) - 1 - q2) - 5 * w2, grease = -0.6 * w2;
  const double f1 = lift + h * (2 * w1 * w2 + w2 * w2) - 2.5 * 9.81 * std::cos(q1) - weight;
  const double f2 = bend + grease - h * w1 * w1 - weight, det = a * b - m12 * m12;
  return {w1, w2, (b * f1 - m12 * f2) / det, (a * f2 - m12 * f1) / det};
}

double kinetic_of_example(const Point4& x) {
  const double m12 = 0.1 + 1.5 * (0.16 + 0.4 * std::cos(x[1])), a = 0.7 + 1.5 * (1 + 0.4 * std::cos(x[1])) + m12 + 0.3;
  return a / 2 * x[2] * x[2] + m12 * x[2] * x[3] + 0.49 / 2 * x[3] * x[3];
}

// Integrals over evenly spaced values, by Boole's rule.
double integral(const std::vector<double>& f, double h) {
  double sum = 0;
  for (std::size_t k = 0; k + 4 < f.size(); k += 4)
    sum += 2 * h / 45 * (7 * (f[k] + f[k + 4]) + 32 * (f[k + 1] + f[k + 3]) + 12 * f[k + 2]);
  return sum;
}

TEST(JointLaws, OfTheExampleHaveTheMotionAndTheWorkOfTwoAngles) {
  const Model model = extremal::read_model(std::string(places::sources) + "/examples/arm.toml");
  const Point4 x = integrated(example_slope, 3, 30000);
  const char* names[] = {"joint:shoulder:angle", "joint:elbow:angle", "v:joint:shoulder:angle", "v:joint:elbow:angle"};
  const auto as_told = extremal::run(model.system, model.scheme, model.start, model.span);
  ASSERT_EQ(as_told.status, Status::complete) << as_told.reason;
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(as_told.column(names[i]).back(), x[i], 1e-9) << names[i];

  // Motors, damper, weight and what moves, each by itself from the columns of the run.
  const double h = 0.0025;
  const auto run = extremal::run(model.system, "spark(4)", model.start, {.step = "0.0025", .until = 3});
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  const std::size_t rows = run.column("t").size();
  ASSERT_EQ(rows, 1201u);
  std::vector<double> lift(rows), bend(rows), grease(rows), weight(rows);
  for (std::size_t k = 0; k < rows; ++k) {
    const double q1 = run.column(names[0])[k], q2 = run.column(names[1])[k], w1 = run.column(names[2])[k],
                 w2 = run.column(names[3])[k];
    lift[k] = run.column("motor:lift")[k] * w1;
    bend[k] = run.column("motor:bend")[k] * w2;
    grease[k] = -0.6 * w2 * w2;
    weight[k] = -9.81 * (2.5 * std::cos(q1) * w1 + 0.6 * std::cos(q1 + q2) * (w1 + w2));
  }
  const double motors = integral(lift, h) + integral(bend, h), lost = integral(grease, h), fallen = integral(weight, h);
  EXPECT_LT(motors, -1);  // they brake what falls
  EXPECT_LT(lost, -0.1);
  EXPECT_NEAR(run.column("work").back(), motors + lost, 1e-10);
  EXPECT_NEAR(run.column("potential").front() - run.column("potential").back(), fallen, 1e-10);
  EXPECT_NEAR(run.column("kinetic").back(), motors + lost + fallen, 1e-10);
  EXPECT_NEAR(run.column("kinetic").back(), kinetic_of_example(x), 1e-10);
  EXPECT_LT(run.energy_max_error, 1e-10);
  EXPECT_NEAR(run.supplied - run.dissipated, run.column("work").back(), 1e-13);
  EXPECT_GT(run.dissipated, -lost);
}

Mechanism wheel(Space space, const Number& rate) {
  Mechanism out("wheel", space);
  if (space == Space::planar) {
    const Body body = out.body("disc", {.mass = 2, .inertia = "0.3"});
    out.revolute("axle", out.ground(1, 2), body);
    out.place(body, {.position = {1, 2}, .angular_velocity = rate});
  } else {
    const Body body = out.body("disc", {.mass = 2, .inertia = {"0.3", "0.3", "0.3"}});
    out.revolute("axle", out.ground(1, 2, 3), body, {0, 0, 1});
    out.place(body, {.position = {1, 2, 3}, .rotation = {"0.4", 1, 2}, .angular_velocity = {0, 0, rate}});
  }
  return out;
}

// 40 rad from rest, six turns, and back through rest: a torsion spring of two bodies would have its kink at half a
// turn.
TEST(JointLaws, OfASpringHoldOverManyTurns) {
  for (const Space space : {Space::planar, Space::spatial}) {
    Mechanism out = wheel(space, 40);
    out.joint_spring("coil", "axle", "0.3", 1);
    const auto run = extremal::run(out.system(), "spark(4)", out.start(), {.step = "0.01", .until = 6});
    ASSERT_EQ(run.status, Status::complete) << run.reason;
    for (std::size_t k = 0; k < run.column("t").size(); ++k) {
      const double t = run.column("t")[k], angle = 1 - std::cos(t) + 40 * std::sin(t);
      EXPECT_NEAR(run.column("axle.angle")[k], angle, 1e-6);
      EXPECT_NEAR(run.column("joint:axle:angle")[k], run.column("axle.angle")[k], 1e-11);
    }
    EXPECT_LT(run.energy_max_error, 1e-6);
  }
}

// Of mass 2 + 1: s'' = -(5 (s - 1/2) + 2 s') / 3 - g / 3 along the axis, and the work of the damper in the balance.
TEST(JointLaws, OfASliderCountItsRotor) {
  Mechanism out("slider", Space::spatial);
  const Body block = out.body("block", {.mass = 2, .inertia = {1, 1, 1}});
  out.joint("prismatic", "rail", out.ground(0, 0, 0), block.at("0.1", "0.2", "0.3"),
            {.axis = {1, 2, 2}, .armature = 1});
  out.place(block, {.position = {"-0.1", "-0.2", "-0.3"}});
  out.joint_spring("coil", "rail", 5, "1/2", "3/2");
  out.joint_damper("oil", "rail", "1/2");
  const auto run = extremal::run(out.system(), "spark(3)", out.start(), {.step = "0.01", .until = 2});
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  const double a = 1.0 / 3, w = std::sqrt(5.0 / 3 - a * a);
  for (std::size_t k = 0; k < run.column("t").size(); ++k) {
    const double t = run.column("t")[k];
    const double s = 0.5 - 0.5 * std::exp(-a * t) * (std::cos(w * t) + a / w * std::sin(w * t));
    EXPECT_NEAR(run.column("joint:rail:stroke")[k], s, 1e-11);
  }
  EXPECT_LT(run.energy_max_error, 1e-11);
  EXPECT_LT(run.column("work").back(), -0.1);
}

// big.angle = -small.angle / 2: the inertias are 0.3 and 0.3 / 4 of it.
TEST(JointLaws, AllowGearsByAFormula) {
  const Model model = read_model_text(R"toml(space = "planar"
[[body]]
name = "big"
inertia = 0.3
[[body]]
name = "small"
inertia = 0.1
position = [3, 0]
[[joint]]
name = "A"
type = "revolute"
from = "ground"
to = "big"
coordinate = true
[[joint]]
name = "B"
type = "revolute"
from = { at = [3, 0] }
to = "small"
coordinate = true
[[constraint]]
name = "gear"
formula = "2*A.angle + B.angle"
[[joint_motor]]
name = "M"
joint = "A"
torque = "1.4*cos(t)"
)toml",
                                      "gear.toml");
  const auto run = extremal::run(model.system, "spark(3)", model.start, {.step = "0.01", .until = 5});
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  EXPECT_NEAR(run.column("joint:A:angle").back(), 2 * (1 - std::cos(5.0)), 1e-9);
  EXPECT_NEAR(run.column("joint:B:angle").back(), -4 * (1 - std::cos(5.0)), 1e-9);
}

TEST(JointLaws, TakeAnyTermFromCpp) {
  Mechanism out = wheel(Space::planar, 0);
  out.own_coordinate("axle");
  System system = out.system();
  system.force(
      "motor", out.coordinate("axle"), [](auto q, auto v, auto t) { return rows(0.3 * cos(t) + 0.0 * q[0] * v[0]); },
      time);
  const auto run = extremal::run(system, "rattle", out.start(), {.step = "0.001", .until = 3});
  EXPECT_NEAR(run.column("axle.angle").back(), 1 - std::cos(3.0), 1e-5);
}

// A coordinate without inertia and its row of g are a block of their own, behind the bodies, if no gear asks for it:
// with all in one block a step of a robot would take many times as long.
TEST(JointLaws, LeaveBodiesInBlocksOfTheirOwn) {
  std::string text = "gravity = [0, 0, -9.81]\n";
  constexpr int links = 6;
  for (int i = 0; i < links; ++i) {
    const std::string n = std::to_string(i), before = std::to_string(i - 1);
    text += "[[body]]\nname = \"L" + n + "\"\ninertia = [0.01, 0.02, 0.025]\n[[joint]]\nname = \"J" + n +
            "\"\ntype = \"revolute\"\nfrom = " +
            (i == 0 ? "\"ground\"" : "{ body = \"L" + before + "\", at = [0.1, 0, 0] }") + "\nto = { body = \"L" + n +
            "\", at = [-0.1, 0, 0] }\naxis = [0, 0.6, 0.8]\n[[servo]]\nname = \"S" + n + "\"\njoint = \"J" + n +
            "\"\nstiffness = 2\ntarget = 0.3\n";
  }
  const auto blocks_of = [](const Model& model) {
    Evaluation<double> evaluation(model.system, 1, Storage::sparse);
    return find_blocks(model.system, evaluation.coupling(), evaluation.jacobian());
  };
  // A plate has a director without inertia, which needs more than its own rows.
  std::string plate = text;
  plate.replace(plate.find("0.025"), 5, "0.03");
  EXPECT_EQ(blocks_of(read_model_text(plate, "plate.toml")).count, 1);
  const std::string gear = "[[gear]]\nname = \"G\"\njoint = \"J4\"\nfollows = \"J1\"\nratio = -2\n";
  for (const std::string& more : {std::string(), gear}) {
    const Model model = read_model_text(text + more, "arm.toml");
    const Blocks blocks = blocks_of(model);
    const int joints = links - 1, gears = more.empty() ? 0 : 1;  // that to the ground is the first body's
    // A gear would have to wait for two of these.
    EXPECT_EQ(blocks.count, gears > 0 ? 1 : 2 * links + joints);
    EXPECT_EQ(std::count(blocks.joint.begin(), blocks.joint.end(), true), gears > 0 ? 0 : joints + links);
    const auto run = extremal::run(model.system, "spark(2)", model.start, {.step = "0.002", .until = "0.1"});
    ASSERT_EQ(run.status, Status::complete) << run.reason;
    EXPECT_EQ(run.remedies.total(), 0);
    EXPECT_LT(run.energy_max_error, 1e-7);
    const double shoulder = run.column("joint:J1:angle").back(), wrist = run.column("joint:J4:angle").back();
    if (gears > 0) {
      EXPECT_NEAR(wrist, -2 * shoulder, 1e-13);
    }
  }
}

TEST(JointLaws, AreRefusedInWords) {
  Mechanism out = wheel(Space::planar, 0);
  EXPECT_THAT(refusal([&] { out.joint_damper("c", "axel", 1); }),
              HasSubstr("unknown joint \"axel\"; did you mean \"axle\"?"));
  EXPECT_THAT(refusal([&] { out.joint_spring("c", "axle", -1); }), HasSubstr("stiffness -1; expected 0 or more"));
  EXPECT_THAT(refusal([&] { out.coordinate("axle"); }), HasSubstr("try own_coordinate"));
  Mechanism ball("ball", Space::spatial);
  ball.spherical("S", ball.ground(0, 0, 0), ball.body("b", {.mass = 1, .inertia = {1, 1, 1}}));
  EXPECT_THAT(refusal([&] { ball.joint_damper("c", "S", 1); }),
              HasSubstr("joint \"S\" is spherical and has 3 coordinates; expected a revolute joint"));
  const std::string text = std::string(arm) + "[[joint_motor]]\nname = \"x\"\njoint = \"elbow\"\ntorque = \"angel\"\n";
  EXPECT_THAT(refusal([&] { read_model_text(text, "arm.toml"); }), HasSubstr("arm.toml:41:11: unknown name"));
}

}  // namespace
}  // namespace extremal::joint_laws_test
