// What rods, sections and drives refuse, each in one line that names it; and what sections are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

#include "extremal/mechanism.hpp"
#include "extremal/models.hpp"
#include "refusal.hpp"

namespace extremal::rod_refusals_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Section soft() { return {.EA = 1, .GA2 = 1, .GA3 = 1, .GJ = 1, .EI2 = 1, .EI3 = 1}; }

RodData straight() { return {.section = soft(), .from = {0, 0, 0}, .to = {1, 0, 0}, .elements = 2}; }

// The message for a straight rod after a change.
template <class Change>
std::string refused(Change change) {
  Mechanism m("rig");
  RodData data = straight();
  change(data);
  const std::string text = refusal([&] { m.rod("beam", data); });
  if (!text.empty()) {
    EXPECT_THAT(text, AllOf(HasSubstr("rig: rod \"beam\""), HasSubstr("expected"), Not(HasSubstr("\n"))));
    EXPECT_EQ(m.system().size(), 0) << "something of it was added";
  }
  return text;
}

TEST(RodRefuses, StiffnessThatIsNotPositive) {
  EXPECT_EQ(refused([](RodData&) {}), "");
  EXPECT_THAT(refused([](RodData& d) { d.section.EA = -1; }), HasSubstr("EA -1; expected a positive"));
  EXPECT_THAT(refused([](RodData& d) { d.section.GA2 = 0; }), HasSubstr("GA2 0"));
  EXPECT_THAT(refused([](RodData& d) { d.section.GA3 = 0; }), HasSubstr("GA3 0"));
  EXPECT_THAT(refused([](RodData& d) { d.section.GJ = 0; }), HasSubstr("GJ 0"));
  EXPECT_THAT(refused([](RodData& d) { d.section.EI2 = "-1e-9"; }), HasSubstr("EI2 -1e-9"));
  EXPECT_THAT(refused([](RodData& d) { d.section.EI3 = 0; }), HasSubstr("EI3 0"));
}

TEST(RodRefuses, MassAndInertiaThatAreNotPositive) {
  EXPECT_THAT(refused([](RodData& d) { d.section.mass = 0; }), HasSubstr("mass per length 0"));
  EXPECT_THAT(refused([](RodData& d) { d.section.inertia2 = 0; }), HasSubstr("inertia2 0"));
  EXPECT_THAT(refused([](RodData& d) { d.section.inertia3 = -1; }), HasSubstr("inertia3 -1"));
  EXPECT_THAT(refused([](RodData& d) { d.damping = -1; }), HasSubstr("damping -1"));
}

TEST(RodRefuses, CurvesThatAreNone) {
  EXPECT_THAT(refused([](RodData& d) { d.from = d.to = {}; }), HasSubstr("no curve; expected from and to, or points"));
  EXPECT_THAT(refused([](RodData& d) { d.points = {{0, 0, 0}, {1, 0, 0}}; }), HasSubstr("both ends and points"));
  EXPECT_THAT(refused([](RodData& d) { d.elements = 0; }), HasSubstr("0 elements; expected 1 or more"));
  EXPECT_THAT(refused([](RodData& d) { d.to = d.from; }), HasSubstr("an element of length 0 after node 0"));
  EXPECT_THAT(refused([](RodData& d) { d.to = {1, 0}; }), HasSubstr("2 components; expected 3"));
  EXPECT_THAT(refused([](RodData& d) { d.length = -1; }), HasSubstr("length -1"));
  const auto through = [](std::vector<Numbers> points, bool closed = false) {
    return refused([&](RodData& d) {
      d.from = d.to = {};
      d.elements = 0;
      d.points = points;
      d.closed = closed;
    });
  };
  EXPECT_EQ(through({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}), "");
  EXPECT_EQ(through({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, true), "");
  EXPECT_THAT(through({{0, 0, 0}}), HasSubstr("1 points; expected 2 or more"));
  EXPECT_THAT(through({{0, 0, 0}, {1, 0, 0}}, true), HasSubstr("2 points; expected 3 or more"));
  EXPECT_THAT(through({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}), HasSubstr("an element of length 0 after node 1"));
  EXPECT_THAT(through({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}}, true), HasSubstr("length 0 after node 3"));
  EXPECT_THAT(through({{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}), HasSubstr("the curve turns back at node 1"));
  EXPECT_THAT(refused([](RodData& d) {
                d.from = d.to = {};
                d.points = {{0, 0, 0}, {1, 0, 0}};
              }),
              HasSubstr("elements for a rod of given points"));
}

TEST(RodRefuses, LoadsThatAreNoVectors) {
  EXPECT_THAT(refused([](RodData& d) { d.force = {1, 2}; }), HasSubstr("a force of 2 components; expected 3"));
  EXPECT_THAT(refused([](RodData& d) { d.moment = {1}; }), HasSubstr("a moment of 1 components; expected 3"));
}

TEST(RodRefuses, NormalsAlongTheRod) {
  EXPECT_THAT(refused([](RodData& d) { d.normal = {2, 0, 0}; }), HasSubstr("the normal is along the rod at node 0"));
  EXPECT_THAT(refused([](RodData& d) { d.normal = {0, 0, 0}; }), HasSubstr("length 0"));
  EXPECT_EQ(refused([](RodData& d) { d.normal = {1, 0, "1e-3"}; }), "");
}

TEST(RodRefuses, EndsThatAreHeldAndClosed) {
  for (const RodEnd end : {RodEnd::pinned, RodEnd::clamped})
    EXPECT_THAT(refused([&](RodData& d) {
                  d.from = d.to = {};
                  d.elements = 0;
                  d.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
                  d.closed = true;
                  d.last = end;
                }),
                HasSubstr("a closed rod with an end that is held"));
  EXPECT_THAT(refused([](RodData& d) { d.closed = true; }), HasSubstr("a straight rod that is closed"));
}

TEST(RodRefuses, NodesNamesAndSpacesThatDoNotExist) {
  Mechanism m("rig"), plane("plane", Space::planar);
  const Rod rod = m.rod("beam", straight());
  EXPECT_EQ(rod.nodes(), 3);
  EXPECT_EQ(rod.elements(), 2);
  for (const int index : {-1, 3})
    EXPECT_THAT(refusal([&] { m.force("load", rod.node(index), {0, 0, 1}); }),
                AllOf(HasSubstr("rod \"beam\": no node " + std::to_string(index)), HasSubstr("from 0 to 2")));
  EXPECT_THAT(refusal([&] { m.rod("beam", straight()); }), HasSubstr("the name is taken"));
  EXPECT_THAT(refusal([&] { plane.rod("beam", straight()); }), HasSubstr("this mechanism is planar"));
}

TEST(DriveRefuses, WhatCannotBeDriven) {
  Mechanism m("rig"), plane("plane", Space::planar);
  const Body box = m.body("box", {.mass = 1, .inertia = {1, 1, 1}}), dot = m.point_mass("dot", 1);
  const Body flat = plane.body("flat", {.mass = 1, .inertia = 1});
  EXPECT_THAT(refusal([&] { m.drive("engine", m.ground_body(), {}); }), HasSubstr("the ground; expected a body"));
  EXPECT_THAT(refusal([&] { m.drive("engine", dot, {}); }), HasSubstr("point mass \"dot\""));
  EXPECT_THAT(refusal([&] { m.drive("engine", box, {.position = {0, 1}}); }), HasSubstr("2 components; expected 3"));
  EXPECT_THAT(refusal([&] { plane.drive("engine", flat, {}); }), HasSubstr("this mechanism is planar"));
}

TEST(Drive, LeavesNoMomentum) {
  const auto momenta = [](bool driven) {
    Mechanism m("rig");
    const Rod rod = m.rod("beam", straight());
    if (driven) m.drive("shaker", rod.first(), {.position = {0, [](auto t) { return sin(t); }, 0}});
    Stepper<double> stepper(m.system(), Scheme::named("lie(trapezoidal)"));
    stepper.start(m.start());
    return stepper.observe().momenta.size();
  };
  EXPECT_EQ(momenta(false), 6u);
  EXPECT_EQ(momenta(true), 0u);
}

TEST(RodModels, RefuseRingsThatHaveNoOppositeNode) {
  EXPECT_THAT(refusal([] { model("elastic-ring(7)"); }),
              AllOf(HasSubstr("model elastic-ring(7): models/elastic-ring.toml:"), HasSubstr("{nodes/2} = 3.5"),
                    HasSubstr("expected a whole number")));
}

double as(const Number& x) { return x.as<double>(); }
const double pi = 3.14159265358979323846;

TEST(Section, OfARectangle) {
  const Section s = Section::rectangle({.E = 2, .G = 3, .density = 5}, 4, 1);
  EXPECT_NEAR(as(s.EA), 2 * 4, 1e-14);
  EXPECT_NEAR(as(s.GA2), 3 * 4 * 5.0 / 6, 1e-14);
  EXPECT_NEAR(as(s.GA3), as(s.GA2), 1e-14);
  EXPECT_NEAR(as(s.EI2), 2 * 4.0 / 12, 1e-14);   // over the height
  EXPECT_NEAR(as(s.EI3), 2 * 64.0 / 12, 1e-13);  // over the width
  EXPECT_NEAR(as(s.mass), 5 * 4, 1e-14);
  EXPECT_NEAR(as(s.inertia2), 5 * 4.0 / 12, 1e-14);
  EXPECT_NEAR(as(s.inertia3), 5 * 64.0 / 12, 1e-13);
}

// [a^3 b times] 0.1406 for a square, 0.229 for 2 : 1, 0.281 for 4 : 1, 1/3 (1 - 0.63 b / a) for a strip: handbooks.
TEST(Section, HasTheTorsionConstantOfSaintVenant) {
  const auto factor = [](int width, int height) {
    const double a = std::max(width, height), b = std::min(width, height);
    return as(Section::rectangle({}, width, height).GJ) / (a * b * b * b);
  };
  EXPECT_NEAR(factor(1, 1), 0.140577, 5e-7);
  EXPECT_NEAR(factor(3, 3), 0.140577, 5e-7);
  EXPECT_NEAR(factor(2, 1), 0.228682, 5e-7);
  EXPECT_NEAR(factor(1, 2), factor(2, 1), 1e-15);
  EXPECT_NEAR(factor(4, 1), 0.280813, 5e-7);
  EXPECT_NEAR(factor(1000, 1), (1 - 0.630249 / 1000) / 3, 1e-9);
}

TEST(Section, OfACircleAndATube) {
  const Section circle = Section::circle({.E = 2, .G = 3, .density = 5}, 2);
  EXPECT_NEAR(as(circle.EA), 2 * pi * 4, 1e-13);
  EXPECT_NEAR(as(circle.GA2), 0.9 * 3 * pi * 4, 1e-13);
  EXPECT_NEAR(as(circle.EI2), 2 * pi * 16 / 4, 1e-13);
  EXPECT_NEAR(as(circle.GJ), 3 * pi * 16 / 2, 1e-13);
  EXPECT_NEAR(as(circle.inertia3), 5 * pi * 16 / 4, 1e-13);
  const Section tube = Section::tube({.E = 2, .G = 3, .density = 5}, 2, 1);
  EXPECT_NEAR(as(tube.EA), 2 * pi * 3, 1e-13);
  EXPECT_NEAR(as(tube.GA3), 0.5 * 3 * pi * 3, 1e-13);
  EXPECT_NEAR(as(tube.EI3), 2 * pi * 15 / 4, 1e-13);
  EXPECT_NEAR(as(tube.GJ), 3 * pi * 15 / 2, 1e-13);
  EXPECT_NEAR(as(tube.mass), 5 * pi * 3, 1e-13);
}

TEST(Section, IsExactAtEveryScalar) {
  const quad third = Section::rectangle({.E = "1/3"}, 1, 1).EA.as<quad>();
  EXPECT_LE(static_cast<double>(math::abs(third - quad(1) / 3)), 1e-33);
}

TEST(SectionRefuses, ShapesThatAreNone) {
  EXPECT_THAT(refusal([] { Section::circle({}, 0); }), HasSubstr("section: radius 0; expected a positive"));
  EXPECT_THAT(refusal([] { Section::rectangle({}, 1, -1); }), HasSubstr("height -1"));
  EXPECT_THAT(refusal([] { Section::rectangle({}, 0, 1); }), HasSubstr("width 0"));
  EXPECT_THAT(refusal([] { Section::circle({.E = 0}, 1); }), HasSubstr("E 0"));
  EXPECT_THAT(refusal([] { Section::circle({.G = -1}, 1); }), HasSubstr("G -1"));
  EXPECT_THAT(refusal([] { Section::circle({.density = 0}, 1); }), HasSubstr("density 0"));
  EXPECT_THAT(refusal([] { Section::tube({}, 1, 1); }),
              HasSubstr("inner radius 1; expected one below the outer radius 1"));
}

// Axis 1 of an element is along its chord, at the ends of the rod too.
TEST(RodFrames, FollowACircle) {
  Mechanism m("arc");
  RodData data{.section = soft(), .normal = {0, 0, 1}};
  for (int i = 0; i <= 4; ++i) {
    const std::string angle = "pi/8*" + std::to_string(i);
    data.points.push_back({"sin(" + angle + ")", "1-cos(" + angle + ")", 0});
  }
  m.rod("arc", data);
  const Start start = m.start();
  for (std::size_t i = 0; i <= 4; ++i) {
    EXPECT_NEAR(as(start.q[12 * i + 3]), std::cos(pi / 8 * static_cast<double>(i)), 1e-15) << i;
    EXPECT_NEAR(as(start.q[12 * i + 4]), std::sin(pi / 8 * static_cast<double>(i)), 1e-15) << i;
  }
}

// Round a corner the normal turns with the tangent, in the plane of the corner or out of it.
TEST(RodFrames, AreCarriedWithoutTwist) {
  Mechanism m("corner");
  m.rod("corner", {.section = soft(), .points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {0, 1, 1}}});
  const Start start = m.start();
  const auto dot_of = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) sum += as(start.q[a + k]) * as(start.q[b + k]);
    return sum;
  };
  for (std::size_t i = 0; i < 5; ++i)
    for (const std::size_t d : {3U, 6U, 9U}) {
      EXPECT_NEAR(dot_of(12 * i + d, 12 * i + d), 1, 1e-15);
      EXPECT_NEAR(dot_of(12 * i + d, 12 * i + (d == 9 ? 3 : d + 3)), 0, 1e-15);
    }
  // The part of the relative rotation about the tangents vanishes: d2 . d3' = d3 . d2'.
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(dot_of(12 * i + 6, 12 * i + 21), dot_of(12 * i + 9, 12 * i + 18), 1e-15) << i;
}

// Given a length, elements are that much longer than their chords: mass grows, the step bound too.
TEST(RodLength, StretchesAllElements) {
  const auto mass_and_bound = [](const Number& length) {
    Mechanism m("rig");
    RodData data = straight();
    data.length = length;
    m.rod("beam", data);
    Stepper<double> stepper(m.system(), Scheme::named("lie(trapezoidal)"));
    Start start = m.start();
    start.v.assign(start.q.size(), Number(0));
    for (const std::size_t i : {0U, 12U, 24U}) start.v[i] = 1;
    stepper.start(start);
    EXPECT_NEAR(stepper.observe().potential, 0, 1e-25);  // free of stress all the same
    return std::pair{2 * stepper.observe().kinetic, as(m.step_bound())};
  };
  const auto chord = mass_and_bound(0), longer = mass_and_bound("3/2");
  EXPECT_NEAR(chord.first, 1, 1e-15);
  EXPECT_NEAR(longer.first, 1.5, 1e-15);
  EXPECT_GT(longer.second, chord.second);
}

}  // namespace
}  // namespace extremal::rod_refusals_test
