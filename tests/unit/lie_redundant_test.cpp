// lie on closed loops with redundant joints: its own iteration takes the steps, not the directors, wherever the motion
// is smooth.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "extremal/mechanism.hpp"
#include "extremal/models.hpp"
#include "extremal/run.hpp"

namespace extremal::lie_redundant_test {
namespace {

// A crank that turns all the way round, its coupler and rocker, of bodies in space: three rows of four hinges too many.
Mechanism four_bar() {
  Mechanism m("crank and rocker");
  m.gravity(0, "-9.81", "-2");
  struct Bar {
    const char *name, *x0, *y0, *x1, *y1;
  };
  const Bar bars[] = {{"crank", "0", "0", "0.3", "0.4"},
                      {"coupler", "0.3", "0.4", "1.3", "1.15"},
                      {"rocker", "1.5", "0", "1.3", "1.15"}};
  const auto between = [](const std::string& a, const std::string& b, const char* sign) {
    return "((" + b + ")" + sign + "(" + a + "))";
  };
  std::vector<Body> body;
  std::vector<std::string> half;
  for (const Bar& bar : bars) {
    const std::string dx = between(bar.x0, bar.x1, "-"), dy = between(bar.y0, bar.y1, "-");
    half.push_back("sqrt(" + dx + "^2 + " + dy + "^2)/2");
    body.push_back(m.body(bar.name, {.mass = 1, .inertia = {"1/500", "1/12", "1/12"}}));
    m.place(body.back(), {.position = {between(bar.x0, bar.x1, "+") + "/2", between(bar.y0, bar.y1, "+") + "/2", 0},
                          .rotation = {0, 0, "atan2(" + dy + ", " + dx + ")"},
                          .angular_velocity = {0, 0, bar.name == std::string("crank") ? "9" : "0"}});
  }
  const Numbers axis = {0, 0, 1};
  m.revolute("A", m.ground(0, 0, 0), body[0].at("-" + half[0], 0, 0), axis);
  m.revolute("B", body[0].at(half[0], 0, 0), body[1].at("-" + half[1], 0, 0), axis);
  m.revolute("C", body[1].at(half[1], 0, 0), body[2].at(half[2], 0, 0), axis);
  m.revolute("D", m.ground("1.5", 0, 0), body[2].at("-" + half[2], 0, 0), axis);
  return m;
}

// A centrifugal governor: a shaft that spins, two arms and two links that lift a collar: six rows too many.
Mechanism governor() {
  Mechanism m("governor");
  m.gravity(0, 0, "-9.81");
  const Numbers spin = {0, 0, 10}, y = {0, 1, 0}, z = {0, 0, 1};
  const Body shaft = m.body("shaft", {.mass = 2, .inertia = {"1/6", "1/6", "1/100"}});
  const Body collar = m.body("collar", {.mass = "1/2", .inertia = {"1/1000", "1/1000", "1/500"}});
  m.place(shaft, {.angular_velocity = spin});
  m.place(collar, {.position = {0, 0, "1/2 - 0.8*cos(0.7)"}, .angular_velocity = spin});
  m.revolute("bearing", m.ground(0, 0, 0), shaft, z);
  m.prismatic("slide", shaft, collar, z);
  for (const char* side : {"1", "-1"}) {
    const std::string s = side;
    const Body arm = m.body("arm " + s, {.mass = 1, .inertia = {"1/75", "1/75", "1/5000"}});
    const Body link = m.body("link " + s, {.mass = "1/5", .inertia = {"1/375", "1/375", "1/20000"}});
    const Number x = s + "*0.2*sin(0.7)", v = s + "*2*sin(0.7)";
    m.place(arm, {.position = {x, 0, "1/2 - 0.2*cos(0.7)"},
                  .rotation = {0, "-" + s + "*0.7", 0},
                  .velocity = {0, v, 0},
                  .angular_velocity = spin});
    m.place(link, {.position = {x, 0, "1/2 - 0.6*cos(0.7)"},
                   .rotation = {0, s + "*0.7", 0},
                   .velocity = {0, v, 0},
                   .angular_velocity = spin});
    m.revolute("top " + s, shaft.at(0, 0, "1/2"), arm.at(0, 0, "0.2"), y);
    m.revolute("elbow " + s, arm.at(0, 0, "-0.2"), link.at(0, 0, "0.2"), y);
    m.revolute("foot " + s, collar, link.at(0, 0, "-0.2"), y);
  }
  return m;
}

// n legs on a circle and the couplers between their ends, all parallelograms.
Mechanism ring(int n) {
  Mechanism m("ring");
  m.gravity(0, "-9.81", 0);
  const BodyData data{.mass = 1, .inertia = {"1/600", "1/12", "1/12"}};
  const Numbers axis = {0, 0, 1};
  const std::string all = std::to_string(n), reach = "2*sin(pi/" + all + ")";
  std::vector<Body> legs, couplers;
  for (int i = 0; i < n; ++i) {
    const std::string k = std::to_string(i), foot = "2*pi*" + k + "/" + all, middle = foot + " + pi/" + all,
                      far = "2*cos(pi/" + all + ")*";
    legs.push_back(m.body("leg " + k, data));
    couplers.push_back(m.body("coupler " + k, data));
    m.place(legs.back(), {.position = {"2*cos(" + foot + ") + cos(1.2)/2", "2*sin(" + foot + ") + sin(1.2)/2", 0},
                          .rotation = {0, 0, "1.2"},
                          .velocity = {"sin(1.2)/2", "-cos(1.2)/2", 0},
                          .angular_velocity = {0, 0, -1}});
    m.place(couplers.back(),
            {.position = {far + "cos(" + middle + ") + cos(1.2)", far + "sin(" + middle + ") + sin(1.2)", 0},
             .rotation = {0, 0, middle + " + pi/2"},
             .velocity = {"sin(1.2)", "-cos(1.2)", 0}});
    m.revolute("foot " + k, m.ground("2*cos(" + foot + ")", "2*sin(" + foot + ")", 0), legs.back().at("-1/2", 0, 0),
               axis);
  }
  for (std::size_t i = 0; i < legs.size(); ++i) {
    const std::string k = std::to_string(i);
    m.revolute("left " + k, legs[i].at("1/2", 0, 0), couplers[i].at("-" + reach, 0, 0), axis);
    m.revolute("right " + k, legs[(i + 1) % legs.size()].at("1/2", 0, 0), couplers[i].at(reach, 0, 0), axis);
  }
  return m;
}

struct Case {
  const char* name;
  System system;
  Start start;
  int redundant;
};

std::vector<Case> smooth() {
  std::vector<Case> all;
  const auto add = [&](const char* name, const Mechanism& m, int redundant) {
    all.push_back({name, m.system(), m.start(), redundant});
  };
  add("four-bar", four_bar(), 3);
  add("governor", governor(), 6);
  add("ring", ring(7), 22);
  const Model bennett = model("bennett");
  all.push_back({"bennett", bennett.system, bennett.start, 3});
  return all;
}

TEST(LieRedundant, SmoothLoopsAreItsOwn) {
  for (const Case& c : smooth()) {
    SCOPED_TRACE(c.name);
    const Span span{.step = "0.01", .until = 2, .every = 200};
    const auto run = extremal::run(c.system, "lie(trapezoidal)", c.start, span);
    ASSERT_EQ(run.status, Status::complete) << run.reason;
    EXPECT_EQ(run.consistency.redundant, c.redundant);
    EXPECT_EQ(run.remedies.total(), 0) << run.remedies.text(run.scheme, run.steps);
    EXPECT_EQ(run.retries, 0);
    EXPECT_LE(run.newton_mean, 8);
    EXPECT_LE(run.constraint_max, 2e-14);
    // And it is the map that it was.
    const auto directors = extremal::run(c.system, "rattle", c.start, span);
    for (const std::string& name : c.system.coordinate_names())
      EXPECT_NEAR(run.column(name).back(), directors.column(name).back(), 1e-10) << name;
  }
}

// Also with more digits, in which the iteration has farther to go, and in compositions.
TEST(LieRedundant, SmoothLoopsAreItsOwnInQuad) {
  const Mechanism m = governor();
  for (const char* scheme : {"lie(trapezoidal)", "suzuki(4, lie(trapezoidal))"}) {
    const auto run = extremal::run<quad>(m.system(), scheme, m.start(), {.step = "0.01", .until = "0.2"});
    ASSERT_EQ(run.status, Status::complete) << run.reason;
    EXPECT_EQ(run.remedies.total(), 0) << scheme;
    EXPECT_LE(static_cast<double>(run.constraint_max), 1e-31) << scheme;
  }
}

// The control: where it is not smooth the directors still take the steps, and each of them has a reason.
TEST(LieRedundant, SingularPositionsAreNot) {
  for (const char* name : {"four-bar-spatial", "four-bar-tilted"}) {
    SCOPED_TRACE(name);
    const Model m = model(name);
    const auto run = extremal::run(m.system, "lie(trapezoidal)", m.start, {.step = "0.01", .until = 5});
    ASSERT_EQ(run.status, Status::complete) << run.reason;
    const long long taken = run.remedies.by(Remedy::directors);
    EXPECT_GT(taken, 0);
    EXPECT_LT(taken, 40) << run.remedies.text(run.scheme, run.steps);
    EXPECT_EQ(run.remedies.total(), taken);
    EXPECT_EQ(run.retries, taken);
    long long reasons = 0;
    for (const long long count : run.remedies.refused) reasons += count;
    EXPECT_EQ(reasons, taken);
    EXPECT_LE(run.constraint_max, 1e-13);
  }
}

}  // namespace
}  // namespace extremal::lie_redundant_test
