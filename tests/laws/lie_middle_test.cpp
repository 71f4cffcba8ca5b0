// lie(midpoint): the discrete Lagrangian of [LewMata2016, section 4.1, remark], by its own formula, and its laws where
// bodies have joints and loads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "extremal/check.hpp"
#include "extremal/error.hpp"
#include "extremal/mechanism.hpp"
#include "extremal/run.hpp"

namespace extremal::lie_middle_test {
namespace {

using testing::HasSubstr;

Mechanism free_body() {
  Mechanism m("free body");
  m.gravity(0, "0.5", "-9.81");
  const Body a = m.body("a", {.mass = 2, .inertia = {"0.3", "0.5", "0.6"}});
  m.place(a, {.rotation = {"0.2", "0.1", "-0.3"}, .velocity = {1, "0.5", 0}, .angular_velocity = {3, "-2", 5}});
  return m;
}

// Springs, dampers and motors act through the directors, forces and torques plainly; the bearing is at the centre of a
// body, and a driven body carries the others.
Mechanism loaded() {
  Mechanism m("loaded");
  m.gravity(0, 0, "-9.81");
  const Body base = m.body("base", {.mass = 3, .inertia = {1, 1, 1}});
  const Body a = m.body("a", {.mass = 1, .inertia = {"0.1", "0.2", "0.25"}});
  const Body b = m.body("b", {.mass = 2, .inertia = {"0.3", "0.2", "0.25"}});
  m.place(a, {.position = {"0.5", 0, 0}, .velocity = {0, 0, "-0.5"}, .angular_velocity = {0, 1, 0}});
  m.place(b, {.position = {"1.5", 0, 0}});
  m.drive("shaker", base, {.position = {0, [](auto t) { return 0.05 * sin(2.0 * t); }, 0}});
  m.revolute("hinge", base.at(0, 0, 0), a.at("-0.5", 0, 0), {0, 1, 0});
  m.universal("cross", a.at("0.5", 0, 0), b.at("-0.5", 0, 0), {0, 1, 0}, {0, 0, 1});
  m.spring("spring", m.ground(0, 1, 1), b.at("0.5", "0.1", 0), {.stiffness = 5, .length = 1});
  m.line_damper("line", m.ground(0, 1, 0), b, "0.3");
  m.rotational_damper("drag", a, b, "0.1");
  m.motor("motor", base, a, [](auto t) { return 0.5 * sin(3.0 * t); }, {0, 1, 0});
  m.torque("twist", b, {"0.1", [](auto t) { return 0.2 * cos(t); }, 0});
  m.force("push", b.at("0.5", 0, 0), {0, [](auto t) { return cos(t); }, 0}, Frame::body);
  return m;
}

// Conservative, with a spring between two bodies.
Mechanism sprung() {
  Mechanism m("sprung");
  m.gravity(0, 0, "-9.81");
  const Body a = m.body("a", {.mass = 1, .inertia = {"0.1", "0.2", "0.25"}});
  const Body b = m.body("b", {.mass = 2, .inertia = {"0.3", "0.2", "0.25"}});
  m.place(a, {.angular_velocity = {1, "0.5", 2}});
  m.place(b, {.position = {"0.8", "0.3", 0}, .velocity = {0, 1, 0}, .angular_velocity = {0, 1, 0}});
  m.spherical("bearing", m.ground(0, 0, 0), a);
  m.spring("spring", a.at("0.5", 0, 0), b.at("-0.5", "0.1", 0), {.stiffness = 20, .length = "0.3"});
  return m;
}

// h L of the step that was taken, by the remark: tr(J_d (1 - (R1^T R0)^2)) / (4 h), in the matrices of the directors.
TEST(LieMiddle, HasTheLagrangianOfTheRemark) {
  const Mechanism m = free_body();
  const quad h = quad(1) / 50, Jd[3] = {quad(4) / 10, quad(2) / 10, quad(1) / 10};
  Stepper<quad> s(m.system(), Scheme::named("lie(midpoint)"));
  s.start(m.start(), h);
  for (int k = 0; k < 3; ++k) {
    const State<quad> from = s.state();
    ASSERT_TRUE(s.step(h).converged);
    const State<quad>& to = s.state();
    quad F[3][3], trace(0), shift(0), height(0);  // F = R1^T R0
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        F[i][j] = 0;
        for (int c = 0; c < 3; ++c)
          F[i][j] += to.q[static_cast<std::size_t>(3 + 3 * i + c)] * from.q[static_cast<std::size_t>(3 + 3 * j + c)];
      }
    for (int i = 0; i < 3; ++i) {
      quad square(0);
      for (int j = 0; j < 3; ++j) square += F[i][j] * F[j][i];
      trace += Jd[i] * (quad(1) - square);
    }
    const quad gravity[3] = {0, quad(1) / 2, quad(-981) / 100};
    for (std::size_t c = 0; c < 3; ++c) {
      shift += (to.q[c] - from.q[c]) * (to.q[c] - from.q[c]);
      height += gravity[c] * (to.q[c] + from.q[c]) / 2;
    }
    const quad expected = shift / h + trace / (4 * h) + h * 2 * height;  // m = 2
    EXPECT_NEAR(static_cast<double>(s.action() - expected), 0, 1e-31);
  }
}

// The control: between two rotations it is another map than the trapezoidal rule, which a free body's directors share.
TEST(LieMiddle, IsNotTheTrapezoidalRule) {
  const Mechanism m = free_body();
  Stepper<double> one(m.system(), Scheme::named("lie(midpoint)")), other(m.system(), Scheme::named("lie(trapezoidal)"));
  for (auto* s : {&one, &other}) {
    s->start(m.start(), 0.02);
    ASSERT_TRUE(s->step(0.02).converged);
  }
  double far = 0;
  for (std::size_t i = 3; i < 12; ++i) far = std::max(far, std::abs(one.state().q[i] - other.state().q[i]));
  EXPECT_GT(far, 1e-6);
  EXPECT_LT(far, 1e-3);
}

TEST(LieMiddle, HoldsItsLawsWithASpring) {
  const Mechanism m = sprung();
  const Certificate certificate =
      check(m.system(), Scheme::named("lie(midpoint)"), m.start(), {.step = "0.02", .long_steps = 100});
  EXPECT_TRUE(certificate.holds()) << certificate.text();
}

// The largest error of a coordinate at the end of a run, against a run of higher order.
std::vector<double> errors(const Mechanism& m, const char* scheme, const std::vector<const char*>& steps) {
  const System system = m.system();
  const auto end = [&](const char* step, const char* name) {
    return run(system, name, m.start(), {.step = step, .until = "0.4"});
  };
  const auto exact = end("0.005", "kahan_li(6, lie(trapezoidal))");
  std::vector<double> all;
  for (const char* step : steps) {
    const auto found = end(step, scheme);
    // What goes in and out of the energy is accounted for, to the order of the scheme.
    EXPECT_LE(found.energy_max_error, 200 * std::pow(Number(step).as<double>(), 2));
    double most = 0;
    for (const std::string& name : system.coordinate_names())
      most = std::max(most, std::abs(found.column(name).back() - exact.column(name).back()));
    all.push_back(most);
  }
  return all;
}

TEST(LieMiddle, IsOfFourthOrderInAComposition) {
  const std::vector<double> found = errors(sprung(), "suzuki(4, lie(midpoint))", {"0.04", "0.02"});
  EXPECT_NEAR(std::log2(found[0] / found[1]), 4, 0.25);
}

// With dampers, motors, drives and loads in time: the order, and that a step of -h undoes one of h.
TEST(LieMiddle, IsOfSecondOrderWithLoads) {
  const Mechanism m = loaded();
  const System system = m.system();
  const Scheme scheme = Scheme::named("lie(midpoint)");
  const Law back = law::adjointness(system, scheme, m.start(), {.step = "0.01"});
  EXPECT_TRUE(back.holds) << back.measured;
  const std::vector<double> found = errors(m, "lie(midpoint)", {"0.02", "0.01"});
  EXPECT_NEAR(std::log2(found[0] / found[1]), 2, 0.1);
}

template <class F>
std::string refusal(F f) {
  try {
    f();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(LieMiddle, RefusesWhatItCannotMove) {
  const Mechanism fast = free_body();
  EXPECT_THAT(refusal([&] { run(fast.system(), "lie(midpoint)", fast.start(), {.step = "0.1", .until = 1}); }),
              HasSubstr("needs less than 0.45; try step <= 0.0"));
  Mechanism rod("rod");
  rod.rod("rod", {.section = {.EA = 100,
                              .GA2 = 50,
                              .GA3 = 60,
                              .GJ = 3,
                              .EI2 = 4,
                              .EI3 = 5,
                              .mass = 1,
                              .inertia2 = "0.1",
                              .inertia3 = "0.2"},
                  .from = {0, 0, 0},
                  .to = {1, 0, 0},
                  .elements = 2});
  EXPECT_THAT(
      refusal([&] { Stepper<double>(rod.system(), Scheme::named("lie(midpoint)")); }),
      testing::AllOf(HasSubstr("rod: has rods; lie(midpoint) is for bodies"), HasSubstr("try lie(trapezoidal)")));
  const char* mixed = "compose(0.5:lie(trapezoidal), 0.5:lie(midpoint))";
  EXPECT_THAT(refusal([&] { Stepper<double>(fast.system(), Scheme::named(mixed)); }),
              HasSubstr("composes a rule at the ends with one in the middle"));
}

}  // namespace
}  // namespace extremal::lie_middle_test
