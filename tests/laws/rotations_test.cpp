// Hamilton members on rigid bodies are solved for rotations where they close the constraints at their control points.
// It is the step of the directors, to round-off, with all that is told of it.
#include <gtest/gtest.h>
#include <algorithm>

#include "by_directors.hpp"
#include "distance.hpp"
#include "extremal/mechanism.hpp"
#include "extremal/models.hpp"
#include "extremal/stepper.hpp"
#include "kernel/reduced_solver.hpp"

namespace extremal::rotations_test {
namespace {

using papers::distance;

struct Case {
  System system;
  Start start;
  double h;
};

Case of_model(const char* name, double h) {
  const Model m = model(name);
  return {m.system, m.start, h};
}
Case of(const Mechanism& m, double h) { return {m.system(), m.start(), h}; }

// Springs, dampers, motors and forces of time between bodies on a hinge and a universal joint, and a point mass.
Mechanism loaded() {
  Mechanism m("loaded");
  m.gravity(0, 0, "-9.81");
  const Body a = m.body("a", {.mass = 1, .inertia = {"0.1", "0.2", "0.25"}});
  const Body b = m.body("b", {.mass = 2, .inertia = {"0.3", "0.2", "0.25"}});
  m.place(a, {.position = {"0.5", 0, 0}, .velocity = {0, 0, "-0.5"}, .angular_velocity = {0, 1, 0}});
  m.place(b, {.position = {"1.5", 0, 0}});
  m.revolute("hinge", m.ground(0, 0, 0), a.at("-0.5", 0, 0), {0, 1, 0});
  m.universal("cross", a.at("0.5", 0, 0), b.at("-0.5", 0, 0), {0, 1, 0}, {0, 0, 1});
  m.spring("spring", m.ground(0, 1, 1), b.at("0.5", "0.1", 0), {.stiffness = 5, .length = 1});
  m.torsion_spring("torsion", m.ground_body(), a, 2, 0, {0, 1, 0});
  m.line_damper("line", m.ground(0, 1, 0), b, "0.3");
  m.rotational_damper("drag", a, b, "0.1");
  m.motor("motor", m.ground_body(), a, [](auto t) { return 0.5 * sin(3.0 * t); }, {0, 1, 0});
  m.force("push", b.at("0.5", 0, 0), {0, [](auto t) { return cos(t); }, 0}, Frame::body);
  m.torque("twist", b, {0, "0.2", [](auto t) { return sin(2.0 * t); }});
  return m;
}

// Joints that keep a point on a line and at a distance, on a body that is driven.
Mechanism driven() {
  Mechanism m("driven");
  m.gravity(0, 0, "-9.81");
  const Body hand = m.body("hand", {.mass = 1, .inertia = {"0.1", "0.2", "0.25"}});
  const Body slider = m.body("slider", {.mass = 1, .inertia = {"0.1", "0.1", "0.15"}});
  const Body bob = m.body("bob", {.mass = 1, .inertia = {"0.05", "0.05", "0.05"}});
  m.place(slider, {.position = {"0.4", 0, 0}});
  m.place(bob, {.position = {"0.4", 0, -1}});
  m.drive("given", hand,
          {.position = {[](auto t) { return 0.1 * sin(2.0 * t); }, 0, 0},
           .rotation = {0, [](auto t) { return 0.3 * sin(t); }, 0}});
  m.prismatic("rail", hand.at(0, 0, 0), slider.at("-0.4", 0, 0), {1, 0, 0});
  m.distance("link", slider.at(0, 0, 0), bob.at(0, 0, "0.2"), "0.8");
  return m;
}

std::vector<Case> cases() {
  return {of_model("chain(3)", 0.02), of_model("chain-spatial(4)", 0.02),
          of_model("top", 0.002),     of_model("double-four-bar", 0.02),
          of_model("bennett", 0.02),  of_model("double-four-bar-damped", 0.02),
          of(loaded(), 0.02),         of(driven(), 0.02)};
}

const std::vector<const char*>& members() {
  static const std::vector<const char*> all{"rattle",
                                            "spark(2)",
                                            "spark(3)",
                                            "spark(4)",
                                            "midpoint",
                                            "wenger(2, 2, gauss(2))",
                                            "shake",
                                            "wenger(3, 3, lobatto(4))",
                                            "suzuki(6, spark(2))",
                                            "galerkin(2, lobatto(3))"};
  return all;
}

// The solver itself solves the first step of every case from a guess that is a straight line.
template <class S>
bool solves_first(const Case& c, const Galerkin& scheme) {
  auto solver = make_reduced_solver<S>(c.system, scheme);
  if (solver == nullptr) return false;
  Stepper<S> stepper(c.system, Scheme::named("rattle"));
  stepper.start(c.start);
  GalerkinResidual<S> residual(c.system, scheme);
  const GalerkinLayout& layout = residual.layout();
  std::vector<S> x(static_cast<std::size_t>(layout.size), S(0));
  const State<S> from = stepper.state();
  const std::vector<S> v = stepper.observe().v;
  const std::vector<quad> points = control_points(Points::lobatto, scheme.degree);
  for (int k = 0; k < layout.s; ++k)
    for (int a = 0; a < layout.n; ++a)
      x[static_cast<std::size_t>(layout.z(k) + a)] =
          static_cast<S>(points[static_cast<std::size_t>(k + 1)]) * S(c.h) * v[static_cast<std::size_t>(a)];
  StepReport report;
  return solver->solve({from.q.data(), from.p.data(), from.t, S(c.h)}, residual, x, report);
}

TEST(Rotations, SolveTheStepsOfBodies) {
  for (const Case& c : cases()) {
    if (c.system.name() == "bennett") continue;  // redundant: matrices are regularised, those of the directors
    for (const char* name : {"spark(1)", "spark(2)", "spark(3)"}) {
      const Galerkin scheme = *Scheme::named(name).as<Galerkin>();
      EXPECT_TRUE(solves_first<double>(c, scheme)) << c.system.name() << ", " << name;
      EXPECT_TRUE(solves_first<quad>(c, scheme)) << c.system.name() << ", " << name << ", quad";
    }
  }
}

TEST(Rotations, AreNotForOtherSystemsAndMembers) {
  const Case chain = of_model("chain(3)", 0.01);
  const auto made = [](const System& system, const char* name) {
    return make_reduced_solver<double>(system, *Scheme::named(name).as<Galerkin>()) != nullptr;
  };
  EXPECT_TRUE(made(chain.system, "spark(3)"));
  EXPECT_FALSE(made(by_directors(chain.system), "spark(3)"));
  EXPECT_FALSE(made(model("pendulum").system, "spark(3)"));
  EXPECT_TRUE(made(chain.system, "wenger(3, 3, gauss(3))"));
  EXPECT_FALSE(made(chain.system, "wenger(3, 2, gauss(3))"));  // its constraints are not at its control points,
  EXPECT_FALSE(made(chain.system, "lobatto(3)"));              // where the directors of a step are none of a rotation
  EXPECT_FALSE(made(chain.system, "man(EGG, 3)"));
  EXPECT_FALSE(made(model("elastic-ring").system, "spark(3)"));
}

template <class S>
void expect_same(const Case& c, const char* scheme, int steps, double bound) {
  SCOPED_TRACE(c.system.name() + ", " + scheme);
  Stepper<S> a(c.system, Scheme::named(scheme)), b(by_directors(c.system), Scheme::named(scheme));
  a.start(c.start);
  b.start(c.start);
  S work_a(0), work_b(0);
  for (int k = 0; k < steps; ++k) {
    ASSERT_TRUE(a.step(S(c.h)).converged && b.step(S(c.h)).converged) << k;
    work_a += a.work();
    work_b += b.work();
  }
  EXPECT_LT(distance(a.state().q, b.state().q), bound);
  EXPECT_LT(distance(a.state().p, b.state().p), 10 * bound);
  EXPECT_LT(static_cast<double>(math::abs(work_a - work_b)), 10 * bound);
  EXPECT_LT(static_cast<double>(math::abs(a.action() - b.action())), 10 * bound);
  // Forces of a step are differences of momenta divided by h, and h^2 lambda is what is solved for.
  const double loose = 10 * bound / (c.h * c.h);
  EXPECT_LT(distance(a.multipliers(), b.multipliers()), loose);
  EXPECT_LT(distance(a.tangent(), b.tangent()), loose);
  DensePoint<S> one, two;
  a.dense(S(0.3), one);
  b.dense(S(0.3), two);
  EXPECT_LT(distance(one.q, two.q), bound);
  EXPECT_LT(distance(one.lambda, two.lambda), loose);
}

TEST(Rotations, AreTheMapOfTheDirectors) {
  for (const Case& c : cases())
    for (const char* scheme : members()) expect_same<double>(c, scheme, 25, 1e-12);
}
TEST(Rotations, AreTheMapOfTheDirectorsInQuad) {
  for (const Case& c : cases())
    for (const char* scheme :
         {"spark(2)", "spark(3)", "wenger(3, 3, lobatto(4))", "galerkin(2, lobatto(3))", "suzuki(4, rattle)"})
      expect_same<quad>(c, scheme, 2, 1e-30);
}

}  // namespace
}  // namespace extremal::rotations_test
