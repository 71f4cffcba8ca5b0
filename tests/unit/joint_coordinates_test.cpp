// Columns "joint:JOINT:angle" and "v:joint:JOINT:angle": what joints leave, as coordinates of their own.
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>

#include "extremal/error.hpp"
#include "extremal/mechanism.hpp"
#include "extremal/models.hpp"

namespace extremal::joint_coordinates_test {
namespace {

constexpr double pi = std::numbers::pi;

// Of directors and of rotations.
const char* const schemes[] = {"rattle", "spark(2)", "lie(trapezoidal)"};

// A wheel on the ground that turns at a steady rate, in the plane or in space about (1, 2, 2)/3.
Mechanism wheel(Space space, const Number& rate, const Numbers& angle = {}) {
  Mechanism out("wheel", space);
  if (space == Space::planar) {
    const Body body = out.body("disc", {.mass = 2, .inertia = "0.3"});
    out.revolute("axle", out.ground(1, 2), body.at(0, 0), {}, angle);
    out.place(body, {.position = {1, 2}, .angle = "0.7", .angular_velocity = rate});
  } else {
    const Body body = out.body("disc", {.mass = 2, .inertia = {"0.3", "0.3", "0.3"}});
    out.revolute("axle", out.ground(1, 2, 3), body.at(0, 0, 0), {1, 2, 2}, angle);
    const auto part = [&](const char* n) { return Number("(" + rate.text() + ")*" + n + "/3"); };
    out.place(body, {.position = {1, 2, 3},
                     .rotation = {"0.3", "-0.8", "0.4"},
                     .angular_velocity = {part("1"), part("2"), part("2")}});
  }
  return out;
}

TEST(JointCoordinates, CountTheTurnsOfAWheel) {
  for (const Space space : {Space::planar, Space::spatial})
    for (const char* scheme : schemes) {
      const Mechanism turning = wheel(space, "-40", "1/4");
      const auto run = extremal::run(turning.system(), scheme, turning.start(),
                                     {.step = "0.01", .until = 160, .every = 1000});  // 1018 turns, 64 from row to row
      ASSERT_EQ(run.steps, 16000) << run.reason;
      const std::vector<double>&t = run.column("t"), &angle = run.column("joint:axle:angle"),
            &rate = run.column("v:joint:axle:angle");
      ASSERT_EQ(t.size(), 17u);
      // The steps of second order turn by asin(w h), at a pace of their own.
      const bool second = scheme != schemes[1];
      const double pace = second ? -std::asin(0.4) / 0.01 : (angle[16] - angle[0]) / 160;
      EXPECT_NEAR(pace, -40, second ? 1.2 : 0.01) << scheme;
      for (std::size_t k = 0; k < t.size(); ++k) {
        EXPECT_NEAR(angle[k], 0.25 + pace * t[k], 1e-8) << scheme << " " << k;
        EXPECT_NEAR(rate[k], -40, 1e-9) << scheme << " " << k;
      }
    }
}

// 318 turns from the first row to the second, a radian in a step.
TEST(JointCoordinates, CountTurnsThatNoRowSees) {
  const Mechanism turning = wheel(Space::planar, "100");
  const auto run =
      extremal::run(turning.system(), "spark(3)", turning.start(), {.step = "0.01", .until = 20, .every = 2000});
  ASSERT_EQ(run.steps, 2000) << run.reason;
  EXPECT_NEAR(run.column("joint:axle:angle").back(), 2000, 1);
}

struct Both {
  std::vector<double> q, v;
};
Both numbers(const Start& start) {
  Both both;
  for (const Number& x : start.q) both.q.push_back(x.as<double>());
  for (const Number& x : start.v) both.v.push_back(x.as<double>());
  return both;
}

// The second body of a joint, placed anew after the joint's zero is fixed by a first placement.
std::vector<JointCoordinate<double>> moved(Mechanism& out, const Body& body, const Placement& first,
                                           const Placement& then) {
  out.place(body, first);
  const System system = out.system();  // zero is where the bodies are now
  Mechanism other = out;
  other.place(body, then);
  const Both there = numbers(other.start());
  return out.joint_coordinates(there.q, there.v);
}

TEST(JointCoordinates, HaveTheSignOfTheAxisAndTheRateOfTheMotion) {
  Mechanism out("one", Space::spatial);
  const Body body = out.body("b", {.mass = 1, .inertia = {1, 1, 1}});
  out.joint("cylindrical", "C", out.ground(1, 0, 0), body.at(0, 1, 0), {.axis = {0, 0, 2}, .angle = "1/2"});
  const auto c = moved(out, body, {.position = {1, -1, 0}},
                       {.position = {"1 + sin(0.3)", "-cos(0.3)", "0.25"},
                        .rotation = {0, 0, "0.3"},
                        .velocity = {"2*cos(0.3)", "2*sin(0.3)", 5},
                        .angular_velocity = {0, 0, 2}});
  ASSERT_EQ(c.size(), 2u);
  EXPECT_EQ(c[0].joint + c[0].name + c[1].name, "Cstrokeangle");
  EXPECT_NEAR(c[0].value, 0.25, 1e-15);
  EXPECT_NEAR(c[0].rate, 5, 1e-14);
  EXPECT_NEAR(c[1].value, 0.8, 1e-15);
  EXPECT_NEAR(c[1].rate, 2, 1e-14);
}

TEST(JointCoordinates, OfABallAreItsRotationVector) {
  Mechanism out("one", Space::spatial);
  const Body body = out.body("b", {.mass = 1, .inertia = {1, 1, 1}});
  out.spherical("S", out.ground(0, 0, 0), body);
  const auto c = moved(out, body, {}, {.rotation = {"0.3", "-2", "1"}, .angular_velocity = {1, 2, 3}});
  ASSERT_EQ(c.size(), 3u);
  const double r[] = {0.3, -2, 1};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(c[k].name, std::string("r") + "xyz"[k]);
    EXPECT_NEAR(c[k].value, r[k], 1e-14);
    EXPECT_NEAR(c[k].rate, static_cast<double>(k) + 1, 1e-14);
  }
}

// First about x of the ground by 0.4, then about y of the body by -0.9.
TEST(JointCoordinates, OfAUniversalJointAreItsTwoAngles) {
  Mechanism out("one", Space::spatial);
  const Body body = out.body("b", {.mass = 1, .inertia = {1, 1, 1}});
  out.universal("U", out.ground(0, 0, 0), body, {1, 0, 0}, {0, 1, 0});
  // R = Rx(0.4) Ry(-0.9); omega = 3 x + 2 (the turned y).
  const auto c = moved(out, body, {},
                       {.matrix = {"cos(0.9)", 0, "-sin(0.9)", "-sin(0.4)*sin(0.9)", "cos(0.4)", "-sin(0.4)*cos(0.9)",
                                   "cos(0.4)*sin(0.9)", "sin(0.4)", "cos(0.4)*cos(0.9)"},
                        .angular_velocity = {3, "2*cos(0.4)", "2*sin(0.4)"}});
  ASSERT_EQ(c.size(), 2u);
  EXPECT_EQ(c[0].name + " " + c[1].name, "angle angle_to");
  EXPECT_NEAR(c[0].value, 0.4, 1e-15);
  EXPECT_NEAR(c[0].rate, 3, 1e-14);
  EXPECT_NEAR(c[1].value, -0.9, 1e-15);
  EXPECT_NEAR(c[1].rate, 2, 1e-14);
}

TEST(JointCoordinates, OfAPlanarJointAreItsPlaceAndItsAngle) {
  Mechanism out("one", Space::spatial);
  const Body body = out.body("b", {.mass = 1, .inertia = {1, 1, 1}});
  out.planar("P", out.ground(0, 0, 1), body, {0, 0, 1});
  const auto c = moved(
      out, body, {.position = {0, 0, 1}},
      {.position = {2, 3, 1}, .rotation = {0, 0, "-1.1"}, .velocity = {4, 5, 0}, .angular_velocity = {0, 0, "0.5"}});
  ASSERT_EQ(c.size(), 3u);
  EXPECT_EQ(c[0].name + c[1].name + c[2].name, "xyangle");
  EXPECT_NEAR(std::hypot(c[0].value, c[1].value), std::hypot(2, 3), 1e-15);
  EXPECT_NEAR(c[0].value * c[0].rate + c[1].value * c[1].rate, 2 * 4 + 3 * 5, 1e-14);
  EXPECT_NEAR(c[2].value, -1.1, 1e-15);
  EXPECT_NEAR(c[2].rate, 0.5, 1e-15);
}

Mechanism slider_crank() {
  Mechanism out("slider-crank", Space::planar);
  const Body crank = out.body("crank", {.mass = 1, .inertia = "1/12"}),
             rod = out.body("rod", {.mass = 2, .inertia = 1}), block = out.body("block", {.mass = 1, .inertia = 1});
  out.revolute("A", out.ground(0, 0), crank.at("-1/2", 0));
  out.revolute("B", crank.at("1/2", 0), rod.at("-3/2", 0));
  out.revolute("C", rod.at("3/2", 0), block);
  out.prismatic("D", out.ground(0, 0), block, {1, 0});
  out.place(crank, {.position = {"1/2", 0}, .velocity = {0, 3}, .angular_velocity = 6});
  out.place(rod, {.position = {"5/2", 0}, .velocity = {0, 3}, .angular_velocity = -2});
  out.place(block, {.position = {4, 0}});
  return out;
}

// Of a crank of length 1 and a rod of length 3 the slider is at cos a + sqrt(9 - sin^2 a).
TEST(JointCoordinates, OfASliderCrankFollowTheClosedForm) {
  const Mechanism out = slider_crank();
  for (const char* scheme : schemes) {
    const auto run = extremal::run(out.system(), scheme, out.start(), {.step = "0.005", .until = 5});
    ASSERT_EQ(run.status, Status::complete) << run.reason;
    const auto column = [&](const char* name) -> const std::vector<double>& { return run.column(name); };
    for (std::size_t k = 0; k < column("t").size(); ++k) {
      const double a = column("joint:A:angle")[k], s = column("joint:D:stroke")[k], w = column("v:joint:A:angle")[k];
      const double root = std::sqrt(9 - std::sin(a) * std::sin(a)), b = std::asin(-std::sin(a) / 3);
      EXPECT_NEAR(s, std::cos(a) + root, 1e-11) << scheme;
      EXPECT_NEAR(column("v:joint:D:stroke")[k], -std::sin(a) * w * (1 + std::cos(a) / root), 1e-10) << scheme;
      EXPECT_NEAR(column("joint:B:angle")[k], b - a, 1e-11) << scheme;
      EXPECT_NEAR(column("joint:C:angle")[k], -b, 1e-11) << scheme;
    }
    EXPECT_GT(column("joint:A:angle").back(), 4 * pi) << scheme;
  }
}

// Bennett's relation between neighbours, tan(a/2) tan(b/2) = sin 60 / sin 30; opposite joints turn alike.
TEST(JointCoordinates, OfBennettsLinkageFollowTheClosedForm) {
  const Model model = extremal::model("bennett");
  for (const char* scheme : schemes) {
    const auto run = extremal::run(model.system, scheme, model.start, {.step = "0.01", .until = 5});
    ASSERT_EQ(run.status, Status::complete) << run.reason;
    const auto angle = [&](int joint, std::size_t k) {
      return run.column("joint:P" + std::to_string(joint) + ":angle")[k];
    };
    for (std::size_t k = 0; k < run.columns[0].values.size(); ++k) {
      EXPECT_NEAR(angle(1, k), angle(3, k), 1e-12) << scheme;
      EXPECT_NEAR(angle(2, k), -angle(4, k), 1e-12) << scheme;
      const double a = (pi / 2 - angle(1, k)) / 2, b = (2 * pi / 3 + angle(2, k)) / 2;
      EXPECT_NEAR(std::sin(a) * std::sin(b), std::sqrt(3.0) * std::cos(a) * std::cos(b), 1e-12) << scheme;
    }
  }
}

// Steps of rattle on directors and of rotations by the trapezoidal rule are the same.
TEST(JointCoordinates, AreTheSameByDirectorsAndByRotations) {
  Mechanism out("double pendulum", Space::spatial);
  out.gravity(0, 0, "-9.81");
  const Body upper = out.body("upper", {.mass = 1, .inertia = {"0.02", "0.09", "0.1"}}),
             lower = out.body("lower", {.mass = 2, .inertia = {"0.02", "0.09", "0.1"}});
  out.revolute("shoulder", out.ground(0, 0, 0), upper.at("-1/2", 0, 0), {0, 1, 0});
  out.revolute("elbow", upper.at("1/2", 0, 0), lower.at("-1/2", 0, 0), {0, "3/5", "4/5"});
  out.place(upper, {.position = {"1/2", 0, 0}});
  out.place(lower, {.position = {"3/2", 0, 0}});
  const Span span{.step = "0.005", .until = 2};
  const auto directors = extremal::run(out.system(), "rattle", out.start(), span),
             rotations = extremal::run(out.system(), "lie(trapezoidal)", out.start(), span);
  for (const char* name : {"joint:shoulder:angle", "joint:elbow:angle", "v:joint:elbow:angle"})
    for (std::size_t k = 0; k < directors.column(name).size(); ++k)
      EXPECT_NEAR(directors.column(name)[k], rotations.column(name)[k], 1e-12) << name << " " << k;
}

// The largest difference of any joint's coordinate or rate, relative to what the coordinate has come to.
double difference(const Run<double>& a, const Run<double>& b) {
  double most = 0;
  for (const auto& column : a.columns)
    if (column.name.find("joint:") != std::string::npos)
      for (std::size_t k = 0; k < column.values.size(); ++k) {
        const double x = column.values[k], y = b.column(column.name)[k];
        most = std::max(most, std::fabs(x - y) / std::max(1.0, std::fabs(x)));
      }
  return most;
}

TEST(JointCoordinates, OfLoopsAreTheSameByDirectorsAndByRotations) {
  const Model bennett = extremal::model("bennett");
  const Mechanism crank = slider_crank();
  const auto both = [](const System& system, const Start& start, const char* rotations) {
    const Span span{.step = "0.005", .until = 2};
    return difference(extremal::run(system, "rattle", start, span), extremal::run(system, rotations, start, span));
  };
  EXPECT_LT(both(bennett.system, bennett.start, "lie(trapezoidal)"), 1e-12);
  EXPECT_LT(both(crank.system(), crank.start(), "lie(trapezoidal)"), 1e-12);
  EXPECT_GT(both(crank.system(), crank.start(), "lie(midpoint)"), 1e-6);  // another map
}

TEST(JointCoordinates, OfAThousandTurnsAreTheSameByDirectorsAndByRotations) {
  for (const Space space : {Space::planar, Space::spatial}) {
    const Mechanism turning = wheel(space, 40);
    const Span span{.step = "0.01", .until = 160, .every = 1000};
    const auto directors = extremal::run(turning.system(), "rattle", turning.start(), span),
               rotations = extremal::run(turning.system(), "lie(trapezoidal)", turning.start(), span);
    EXPECT_GT(directors.column("joint:axle:angle").back(), 2000 * pi);
    EXPECT_LT(difference(directors, rotations), 1e-12);
  }
}

TEST(JointCoordinates, AreThereAtEveryScalar) {
  const Mechanism turning = wheel(Space::spatial, 3);
  const auto run = extremal::run<quad>(turning.system(), "rattle", turning.start(), {.step = "0.01", .until = "0.1"});
  const quad angle = run.column("joint:axle:angle").back(), first = run.column("joint:axle:angle")[1];
  EXPECT_LT(static_cast<double>(math::abs(angle - 10 * first)), 1e-29);
}

// The closed forms of the loops above, to the digits of the scalar.
template <class S>
double miss_of_loops(const char* scheme) {
  S most(0);
  const auto add = [&](const S& x) { most = math::max(most, math::abs(x)); };
  const Mechanism crank = slider_crank();
  const auto run = extremal::run<S>(crank.system(), scheme, crank.start(), {.step = "0.01", .until = "0.3"});
  EXPECT_EQ(run.status, Status::complete) << run.reason;
  for (std::size_t k = 0; k < run.column("t").size(); ++k) {
    const auto at = [&](const char* name) { return run.column(name)[k]; };
    const S a = at("joint:A:angle"), sine = math::sin(a), root = math::sqrt(S(9) - sine * sine);
    add(at("joint:D:stroke") - math::cos(a) - root);
    add(at("v:joint:D:stroke") + sine * at("v:joint:A:angle") * (S(1) + math::cos(a) / root));
    add(math::sin(at("joint:C:angle")) - sine / S(3));
    add(at("joint:A:angle") + at("joint:B:angle") + at("joint:C:angle"));
  }
  const Model bennett = extremal::model("bennett");
  const auto loop = extremal::run<S>(bennett.system, scheme, bennett.start, {.step = "0.02", .until = "0.2"});
  EXPECT_EQ(loop.status, Status::complete) << loop.reason;
  for (std::size_t k = 0; k < loop.column("t").size(); ++k) {
    const auto angle = [&](int joint) { return loop.column("joint:P" + std::to_string(joint) + ":angle")[k]; };
    add(angle(1) - angle(3));
    add(angle(2) + angle(4));
  }
  return static_cast<double>(most);
}

TEST(JointCoordinates, OfLoopsHaveTheDigitsOfTheirScalar) {
  for (const char* scheme : schemes) {
    EXPECT_LT(miss_of_loops<quad>(scheme), 1e-27) << scheme;
    EXPECT_LT(miss_of_loops<long double>(scheme), 1e-15) << scheme;
  }
}

TEST(JointCoordinates, GoOnFromACheckpoint) {
  const Mechanism turning = wheel(Space::planar, 40);
  struct Keep : RowSink<double> {
    Checkpoint<double> last;
    bool pulse(const Progress& progress) override { return progress.step < 900; }
    void checkpoint(const Checkpoint<double>& here) override { last = here; }
  } keep;
  const Span span{.step = "0.01", .until = 10, .every = 500};
  const auto whole = extremal::run(turning.system(), "rattle", turning.start(), span, {.sinks = {&keep}});
  ASSERT_FALSE(keep.last.numbers.empty());
  const auto rest = extremal::run(turning.system(), "rattle", turning.start(), span, {.from = &keep.last});
  EXPECT_EQ(rest.column("joint:axle:angle").back(), whole.column("joint:axle:angle").back());
}

// A point mass turns about nothing, and what does not move against the ground has no coordinates.
TEST(JointCoordinates, AreOfFreedomsOnly) {
  Mechanism out("masses", Space::planar);
  const Body mass = out.point_mass("m", 1), bar = out.body("bar", {.mass = 1, .inertia = 1});
  out.revolute("R", out.ground(0, 0), bar.at(-1, 0));
  out.fixed("F", bar.at(1, 0), mass);
  out.place(bar, {.position = {1, 0}});
  out.place(mass, {.position = {2, 0}});
  const auto run = extremal::run(out.system(), "rattle", out.start(), {.step = "0.01", .until = "0.02"});
  int found = 0;
  for (const auto& column : run.columns) found += column.name.find("joint:") != std::string::npos;
  EXPECT_EQ(found, 2);
  EXPECT_THROW(out.joint("prismatic", "D", out.ground(0, 0), bar, {.axis = {1, 0}, .angle = 1}), InputError);
}

}  // namespace
}  // namespace extremal::joint_coordinates_test
