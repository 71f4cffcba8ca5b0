// Arms of two and of six joints, their links in frames as drawings have them and placed by their joints, against the
// recursive Newton-Euler equations in their angles: motion, orders, torques of a given motion, and the same by
// directors and rotations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <array>
#include <cmath>
#include <vector>

#include "extremal/mechanism.hpp"
#include "extremal/models.hpp"

namespace extremal::arm_test {
namespace {

using Angles = std::vector<double>;
using Vec = std::array<double, 3>;
using Mat = std::array<Vec, 3>;  // columns

struct Link {
  Vec axis, offset, centre;  // of its joint, seen from the joint before; of mass, seen from its joint
  double mass;
  std::array<double, 6> tensor;  // xx, yy, zz, xy, xz, yz about the centre
};

using Arm = std::vector<Link>;

const Arm arm = {
    {{0, 0, 1}, {0, 0, 0.4}, {0.02, 0, 0.1}, 4, {0.05, 0.05, 0.02, 0.001, 0, 0.002}},
    {{0, 1, 0}, {0.03, 0, 0.2}, {0.2, 0.05, 0}, 3, {0.01, 0.06, 0.06, 0.002, -0.001, 0}},
    {{0, 1, 0}, {0.45, 0, 0}, {0.15, -0.04, 0.02}, 2, {0.006, 0.03, 0.03, 0, 0.001, 0.0005}},
    {{1, 0, 0}, {0.3, 0, 0.05}, {0.05, 0, 0}, 1, {0.002, 0.004, 0.004, 0, 0, 0}},
    {{0, 0.6, 0.8}, {0.1, 0, 0}, {0.04, 0.01, 0}, 0.8, {0.001, 0.002, 0.0015, 0.0001, 0, 0}},
    {{1, 0, 0}, {0.08, 0, 0}, {0.06, 0, 0.03}, 0.5, {0.0004, 0.001, 0.0012, 0, 0.0001, 0}},
};

// Two bars whose axes are askew: a double pendulum in space.
const Arm two_bars = {
    {{0, 1, 0}, {0, 0, 0}, {0.5, 0, 0}, 1, {0.02, 0.09, 0.1, 0, 0, 0}},
    {{0, 0.6, 0.8}, {1, 0, 0}, {0.45, 0.1, 0}, 2, {0.02, 0.09, 0.1, 0.004, 0, -0.002}},
};

Vec operator+(const Vec& a, const Vec& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vec operator*(double s, const Vec& a) { return {s * a[0], s * a[1], s * a[2]}; }
double dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vec cross(const Vec& a, const Vec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vec turned(const Mat& r, const Vec& x) { return x[0] * r[0] + (x[1] * r[1] + x[2] * r[2]); }
Vec back(const Mat& r, const Vec& x) { return {dot(r[0], x), dot(r[1], x), dot(r[2], x)}; }
Mat about(const Vec& axis, double angle) {
  Mat out;
  for (std::size_t k = 0; k < 3; ++k) {
    Vec e{};
    e[k] = 1;
    out[k] = std::cos(angle) * e + (std::sin(angle) * cross(axis, e) + (1 - std::cos(angle)) * axis[k] * axis);
  }
  return out;
}

// The torques that accelerations `a` at the angles q and rates v need.
Angles torques(const Arm& arm, const Angles& q, const Angles& v, const Angles& a, double gravity) {
  const std::size_t joints = arm.size();
  Mat R{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Vec w{}, dw{}, acc{0, 0, gravity};
  std::vector<Vec> z(joints), arms(joints), force(joints), moment(joints);
  for (std::size_t i = 0; i < joints; ++i) {
    const Link& link = arm[i];
    const Vec d = turned(R, link.offset);
    arms[i] = d;
    acc = acc + (cross(dw, d) + cross(w, cross(w, d)));
    const Mat turn = about(link.axis, q[i]);
    R = {turned(R, turn[0]), turned(R, turn[1]), turned(R, turn[2])};
    z[i] = turned(R, link.axis);
    dw = dw + (a[i] * z[i] + v[i] * cross(w, z[i]));
    w = w + v[i] * z[i];
    const Vec c = turned(R, link.centre);
    force[i] = link.mass * (acc + (cross(dw, c) + cross(w, cross(w, c))));
    const auto& J = link.tensor;
    const auto spin = [&](const Vec& x) {
      const Vec b = back(R, x);
      return turned(R, {J[0] * b[0] + J[3] * b[1] + J[4] * b[2], J[3] * b[0] + J[1] * b[1] + J[5] * b[2],
                        J[4] * b[0] + J[5] * b[1] + J[2] * b[2]});
    };
    moment[i] = spin(dw) + (cross(w, spin(w)) + cross(c, force[i]));
  }
  Angles out(joints);
  Vec f{}, n{};
  for (std::size_t i = joints; i-- > 0;) {
    if (i + 1 < joints) n = n + cross(arms[i + 1], f);
    f = f + force[i];
    n = n + moment[i];
    out[i] = dot(z[i], n);
  }
  return out;
}

Angles acceleration(const Arm& arm, const Angles& q, const Angles& v) {
  const std::size_t joints = arm.size();
  const Angles none(joints), bias = torques(arm, q, v, none, 9.81);
  std::vector<Angles> m(joints, Angles(joints + 1));
  for (std::size_t k = 0; k < joints; ++k) {
    Angles unit(joints);
    unit[k] = 1;
    const Angles column = torques(arm, q, none, unit, 0);
    for (std::size_t i = 0; i < joints; ++i) m[i][k] = column[i];
    m[k][joints] = -bias[k];
  }
  for (std::size_t k = 0; k < joints; ++k)
    for (std::size_t i = k + 1; i < joints; ++i)
      for (std::size_t j = joints + 1; j-- > k;) m[i][j] -= m[i][k] / m[k][k] * m[k][j];
  Angles a(joints);
  for (std::size_t i = joints; i-- > 0;) {
    a[i] = m[i][joints];
    for (std::size_t j = i + 1; j < joints; ++j) a[i] -= m[i][j] * a[j];
    a[i] /= m[i][i];
  }
  return a;
}

std::string digits(double x) {
  std::string text = std::to_string(x);
  return text;
}

// No body is placed: the joints say where they are.
std::string text(const Arm& arm) {
  std::string out = "gravity = [0, 0, -9.81]\n";
  const auto list = [](const auto& x) {
    std::string all;
    for (const double one : x) all += (all.empty() ? "[" : ", ") + digits(one);
    return all + "]";
  };
  for (std::size_t i = 0; i < arm.size(); ++i) {
    const Link& link = arm[i];
    const std::string n = std::to_string(i + 1);
    out += "[[body]]\nname = \"L" + n + "\"\nmass = " + digits(link.mass) + "\ncentre = " + list(link.centre) +
           "\ninertia = " + list(link.tensor) + "\n[[joint]]\nname = \"J" + n + "\"\ntype = \"revolute\"\nfrom = " +
           (i == 0 ? "{ at = " : "{ body = \"L" + std::to_string(i) + "\", at = ") + list(link.offset) +
           " }\nto = { body = \"L" + n + "\", at = [0, 0, 0] }\naxis = " + list(link.axis) + "\n";
  }
  return out;
}

constexpr double begin_angles[] = {0.3, -0.5, 0.9, 0.4, -0.7, 0.2}, begin_rates[] = {1.5, -0.8, 0.6, 3, -2, 4};

Model started(const Arm& arm) {
  std::string start = "[start.joints]\n";
  for (std::size_t i = 0; i < arm.size(); ++i)
    start += "J" + std::to_string(i + 1) + " = { position = " + digits(begin_angles[i]) +
             ", rate = " + digits(begin_rates[i]) + " }\n";
  return read_model_text(text(arm) + start, "arm.toml");
}

std::string column(std::size_t i, const char* prefix = "joint:") {
  return prefix + ("J" + std::to_string(i + 1)) + ":angle";
}

// The angles after half a second, by Runge-Kutta's fourth order with steps of 1/8000: to about 1e-13.
Angles half_a_second(const Arm& arm) {
  Angles q(begin_angles, begin_angles + arm.size()), v(begin_rates, begin_rates + arm.size());
  constexpr int steps = 4000;
  const double h = 0.5 / steps;
  const auto moved = [](const Angles& x, double f, const Angles& y) {
    Angles r(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) r[i] = x[i] + f * y[i];
    return r;
  };
  const auto a = [&](const Angles& at, const Angles& rates) { return acceleration(arm, at, rates); };
  for (int k = 0; k < steps; ++k) {
    const Angles a1 = a(q, v), v2 = moved(v, h / 2, a1), a2 = a(moved(q, h / 2, v), v2), v3 = moved(v, h / 2, a2),
                 a3 = a(moved(q, h / 2, v2), v3), v4 = moved(v, h, a3), a4 = a(moved(q, h, v3), v4);
    for (std::size_t i = 0; i < q.size(); ++i) {
      q[i] += h / 6 * (v[i] + 2 * v2[i] + 2 * v3[i] + v4[i]);
      v[i] += h / 6 * (a1[i] + 2 * a2[i] + 2 * a3[i] + a4[i]);
    }
  }
  return q;
}

// How far the angles of a run are off in the end.
double off(const Arm& arm, const Angles& q, const char* scheme, const char* step) {
  const Model model = started(arm);
  const auto run = extremal::run(model.system, scheme, model.start, {.step = step, .until = "0.5"});
  EXPECT_EQ(run.status, Status::complete) << run.reason;
  double most = 0;
  for (std::size_t i = 0; i < arm.size(); ++i) {
    EXPECT_NEAR(run.column(column(i))[0], begin_angles[i], 1e-14);
    EXPECT_NEAR(run.column(column(i, "v:joint:"))[0], begin_rates[i], 1e-13);
    most = std::max(most, std::fabs(run.column(column(i)).back() - q[i]));
  }
  return most;
}

// The exponent of the error by two steps, the second half as long.
double order(const Arm& arm, const Angles& q, const char* scheme, const char* step, const char* half) {
  return std::log2(off(arm, q, scheme, step) / off(arm, q, scheme, half));
}

TEST(SixJointArm, MovesAsInItsAngles) {
  const Angles q = half_a_second(arm);
  EXPECT_LT(off(arm, q, "spark(4)", "0.005"), 1e-9);
  EXPECT_NEAR(order(arm, q, "rattle", "0.0025", "0.00125"), 2, 0.25);
  EXPECT_NEAR(order(arm, q, "spark(2)", "0.0025", "0.00125"), 4, 0.25);
  EXPECT_NEAR(order(arm, q, "spark(3)", "0.01", "0.005"), 6, 0.25);
}

TEST(DoublePendulumInSpace, MovesAsInItsAngles) {
  const Angles q = half_a_second(two_bars);
  EXPECT_LT(off(two_bars, q, "spark(4)", "0.01"), 1e-11);
  EXPECT_NEAR(order(two_bars, q, "rattle", "0.0025", "0.00125"), 2, 0.25);
  EXPECT_NEAR(order(two_bars, q, "lie(trapezoidal)", "0.0025", "0.00125"), 2, 0.25);
  EXPECT_NEAR(order(two_bars, q, "spark(2)", "0.01", "0.005"), 4, 0.25);
  EXPECT_NEAR(order(two_bars, q, "spark(3)", "0.02", "0.01"), 6, 0.25);
  // The same with a tenth more of mass is another pendulum.
  Arm heavier = two_bars;
  heavier[1].mass *= 1.1;
  EXPECT_GT(off(heavier, q, "spark(4)", "0.01"), 1e-3);
}

TEST(SixJointArm, IsTheSameByDirectorsAndByRotations) {
  for (const Arm& each : {arm, two_bars}) {
    const Model model = started(each);
    const auto a = extremal::run(model.system, "rattle", model.start, {.step = "0.002", .until = "0.4"}),
               b = extremal::run(model.system, "lie(trapezoidal)", model.start, {.step = "0.002", .until = "0.4"});
    for (std::size_t i = 0; i < each.size(); ++i)
      EXPECT_NEAR(a.column(column(i)).back(), b.column(column(i)).back(), 1e-12);
  }
}

// Inverse dynamics: every joint driven, its torques those of the recursion to round-off.
TEST(SixJointArm, NeedsTheTorquesOfTheRecursion) {
  std::string drives;
  const std::size_t joints = arm.size();
  for (std::size_t i = 0; i < joints; ++i) {
    const std::string n = std::to_string(i + 1);
    drives += "[[joint_drive]]\nname = \"M" + n + "\"\njoint = \"J" + n + "\"\nposition = \"sin(" + n + "*t)/" + n +
              " + t^2*" + n + "/4\"\n";
  }
  const Model model = read_model_text(text(arm) + drives, "driven.toml");
  const auto run = extremal::run(model.system, "rattle", model.start, {.step = "0.05", .until = 1});
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  for (std::size_t row = 0; row < run.column("t").size(); ++row) {
    const double t = run.column("t")[row];
    Angles q(joints), v(joints), a(joints);
    for (std::size_t i = 0; i < joints; ++i) {
      const double n = static_cast<double>(i + 1);
      q[i] = std::sin(n * t) / n + t * t * n / 4, v[i] = std::cos(n * t) + t * n / 2,
      a[i] = -n * std::sin(n * t) + n / 2;
    }
    const Angles tau = torques(arm, q, v, a, 9.81);
    for (std::size_t i = 0; i < joints; ++i) {
      EXPECT_NEAR(run.column(column(i))[row], q[i], 1e-12);
      EXPECT_NEAR(run.column("motor:M" + std::to_string(i + 1))[row], tau[i], 1e-9) << i << " at " << t;
    }
  }
}

// Where a link is: its frame has the origin in its joint.
TEST(SixJointArm, HasItsLinksWhereTheAnglesPutThem) {
  const Model model = started(arm);
  const auto run = extremal::run(model.system, "rattle", model.start, {.step = "0.002", .until = "0.01"});
  Mat R{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Vec p{}, w{};
  for (std::size_t i = 0; i < arm.size(); ++i) {
    p = p + turned(R, arm[i].offset);
    const Mat turn = about(arm[i].axis, begin_angles[i]);
    R = {turned(R, turn[0]), turned(R, turn[1]), turned(R, turn[2])};
    w = w + begin_rates[i] * turned(R, arm[i].axis);
    const std::string body = "L" + std::to_string(i + 1) + ":";
    const auto first = [&](const char* variable, const char* component) {
      return run.column(variable + (":" + body) + component)[0];
    };
    const double qw = first("quaternion", "w"), qx = first("quaternion", "x"), qy = first("quaternion", "y"),
                 qz = first("quaternion", "z");
    constexpr const char* xyz[] = {"x", "y", "z"};
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(first("position", xyz[k]), p[k], 1e-14);
      EXPECT_NEAR(first("omega", xyz[k]), w[k], 1e-13);
    }
    EXPECT_NEAR(1 - 2 * (qy * qy + qz * qz), R[0][0], 1e-14);
    EXPECT_NEAR(2 * (qx * qy + qw * qz), R[0][1], 1e-14);
    EXPECT_NEAR(2 * (qy * qz + qw * qx), R[1][2], 1e-14);
  }
}

}  // namespace
}  // namespace extremal::arm_test
