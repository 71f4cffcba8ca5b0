// Laws of the lie family on mechanisms: what the registry asks of every scheme, and that a scheme is the hamilton
// member of the same rule on the bodies' directors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

#include "distance.hpp"
#include "extremal/check.hpp"
#include "extremal/error.hpp"
#include "extremal/mechanism.hpp"
#include "extremal/models.hpp"
#include "needs_bodies.hpp"

namespace extremal::lie_test {
namespace {

using testing::HasSubstr;

std::vector<std::string> lie_schemes() {
  std::vector<std::string> names;
  for (const Scheme& scheme : registry())
    if (needs_bodies(scheme)) names.push_back(scheme.name);
  return names;
}

Section stiff() {
  return {
      .EA = 100, .GA2 = 50, .GA3 = 60, .GJ = 3, .EI2 = 4, .EI3 = 5, .mass = 1, .inertia2 = "0.1", .inertia3 = "0.2"};
}

// A rod that is clamped, curved and loaded, with a body at its end.
Mechanism rod_with_body() {
  Mechanism m("rod with a body");
  m.gravity(0, 0, "-9.81");
  const Rod rod =
      m.rod("rod", {.section = stiff(), .points = {{0, 0, 0}, {"0.5", 0, 0}, {1, "0.2", 0}}, .first = RodEnd::clamped});
  const Body ball = m.body("ball", {.mass = 1, .inertia = {"0.1", "0.2", "0.25"}});
  m.place(ball, {.position = {1, "0.2", "0.1"}, .angular_velocity = {0, 0, 1}});
  m.spherical("tip", rod.last(), ball.at(0, 0, "-0.1"));
  m.torque("twist", rod.node(1), {"0.5", 0, "0.2"});
  return m;
}

// Springs, dampers and motors act through the directors.
Mechanism loaded_pair() {
  Mechanism m("loaded pair");
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
  return m;
}

Mechanism driven_rod() {
  Mechanism m("driven rod");
  const Rod rod =
      m.rod("rod", {.section = stiff(), .from = {0, 0, 0}, .to = {1, 0, 0}, .elements = 2, .damping = "0.3"});
  m.drive("hand", rod.first(),
          {.position = {[](auto t) { return 0.1 * sin(2.0 * t); }, 0, 0},
           .rotation = {0, [](auto t) { return 0.3 * sin(t); }, 0}});
  return m;
}

class LieLaws : public testing::TestWithParam<std::tuple<const char*, std::string>> {};

TEST_P(LieLaws, Hold) {
  const auto [name, scheme] = GetParam();
  const Model m = model(name);
  if (scheme.starts_with("rkn") && std::string(name) != "top") {
    // Their joints stay, with which kicks and drifts have no order: LieFree.RefusesWhatItCannotMove.
    EXPECT_THROW(Stepper<double>(m.system, Scheme::named(scheme)), InputError);
    return;
  }
  const Number step = std::string(name) == "top" ? "0.001" : m.span.step;
  const Certificate certificate = check(m.system, Scheme::named(scheme), m.start, {.step = step, .long_steps = 2000});
  EXPECT_TRUE(certificate.holds()) << certificate.text();
  EXPECT_GE(certificate.laws.size(), 12u);
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, LieLaws,
                         testing::Combine(testing::Values("top", "chain(2)", "chain-spatial(2)"),
                                          testing::ValuesIn(lie_schemes())),
                         [](const auto& info) {
                           return papers::identifier(std::get<0>(info.param)) + "_" +
                                  papers::identifier(std::get<1>(info.param));
                         });

TEST(LieRods, AreSymplecticAndReversible) {
  const Mechanism m = rod_with_body();
  const System system = m.system();
  const CheckOptions options{.step = "0.01", .long_steps = 100};
  for (const char* name : {"lie(trapezoidal)", "suzuki(4, lie(trapezoidal))"}) {
    const Scheme scheme = Scheme::named(name);
    for (const Law& law :
         {law::adjointness(system, scheme, m.start(), options), law::reversibility(system, scheme, m.start(), options)})
      EXPECT_TRUE(law.holds) << name << ", " << law.name << ": " << law.measured << ", floor " << law.floor;
  }
}

struct Pair {
  const char *lie, *directors;
};

// The states of the two after some steps, in units of round-off of the larger.
template <class S>
double difference(const System& system, const Start& start, const Pair& pair, S h, int steps) {
  Stepper<S> a(system, Scheme::named(pair.lie)), b(system, Scheme::named(pair.directors));
  a.start(start, h);
  b.start(start, h);
  S work_a(0), work_b(0);
  for (int k = 0; k < steps; ++k) {
    EXPECT_TRUE(a.step(h).converged && b.step(h).converged) << system.name() << ", " << pair.lie << ", step " << k;
    work_a += a.work();
    work_b += b.work();
  }
  // Of what is driven lie takes the kinetic energy at the nodes, the hamilton member the sum of its rule.
  const bool driven = system.name() == "driven rod";
  EXPECT_LE(static_cast<double>(math::abs(work_a - work_b)), driven ? 0.1 * steps * static_cast<double>(h * h) : 1);
  double worst = driven ? 0 : static_cast<double>(math::abs(work_a - work_b));
  for (std::size_t i = 0; i < a.state().q.size(); ++i) {
    worst = std::max(worst, static_cast<double>(math::abs(a.state().q[i] - b.state().q[i])));
    worst = std::max(worst, static_cast<double>(math::abs(a.state().p[i] - b.state().p[i])));
  }
  worst = std::max(worst, static_cast<double>(math::abs(a.action() - b.action())));
  return worst / static_cast<double>(Scalar<S>::epsilon);
}

TEST(Lie, IsTheHamiltonMemberOnDirectors) {
  struct Case {
    System system;
    Start start;
    double h;
  };
  std::vector<Case> cases;
  for (const Mechanism& m : {rod_with_body(), loaded_pair(), driven_rod()})
    cases.push_back({m.system(), m.start(), 0.005});
  for (const char* name : {"top", "chain(3)", "chain-spatial(3)", "bennett", "double-four-bar-damped"}) {
    const Model m = model(name);
    cases.push_back({m.system, m.start, std::string(name) == "top" ? 0.001 : 0.005});
  }
  for (const Case& c : cases)
    for (const Pair& pair : {Pair{"lie(trapezoidal)", "rattle"}, Pair{"lie(alpha(0.3))", "alpha(0.3)"},
                             Pair{"suzuki(4, lie(trapezoidal))", "suzuki(4, rattle)"}}) {
      SCOPED_TRACE(c.system.name() + ", " + pair.lie);
      EXPECT_LT(difference<double>(c.system, c.start, pair, c.h, 20), 1000);
      EXPECT_LT(difference<quad>(c.system, c.start, pair, quad(c.h), 3), 1000);
    }
}

// Another rule is another map: the comparison sees it.
TEST(Lie, IsNotTheMemberOfAnotherRule) {
  const Model m = model("chain-spatial(3)");
  EXPECT_GT(difference<double>(m.system, m.start, {"lie(trapezoidal)", "alpha(0.4999)"}, 0.005, 20), 1e9);
}

TEST(Lie, RedundantLoopsAreTakenOver) {
  const Model m = model("four-bar-spatial");
  const auto run = extremal::run(m.system, "lie(trapezoidal)", m.start, {.step = "0.01", .until = 10});
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  EXPECT_GT(run.consistency.redundant, 0);
  // Close to flat, and only there, the directors take the step.
  EXPECT_GT(run.remedies.by(Remedy::directors), 0);
  EXPECT_LT(run.remedies.by(Remedy::directors), 100);
  EXPECT_LT(run.constraint_max, 1e-13);
  const auto directors = extremal::run(m.system, "rattle", m.start, {.step = "0.01", .until = 10});
  EXPECT_LT(std::fabs(run.energy_max_error - directors.energy_max_error), 1e-6 * directors.energy_max_error);
}

TEST(Lie, ARunIsRepeatedBitForBit) {
  for (const Mechanism& m : {rod_with_body(), loaded_pair()}) {
    Stepper<double> a(m.system(), Scheme::named("lie(trapezoidal)")), b(m.system(), Scheme::named("lie(trapezoidal)"));
    a.start(m.start());
    for (int k = 0; k < 10; ++k) a.step(0.005);
    b.restore(a.save());
    for (int k = 0; k < 10; ++k) {
      a.step(0.005);
      b.step(0.005);
    }
    EXPECT_EQ(a.state().q, b.state().q);
    EXPECT_EQ(a.state().p, b.state().p);
  }
}

template <class F>
std::string refusal(F f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Lie, RefusesWhatItCannotMove) {
  const Model top = model("top");
  EXPECT_THAT(refusal([&] { run(top.system, "lie(trapezoidal)", top.start, {.step = "0.01", .until = 1}); }),
              testing::AllOf(HasSubstr("turns by h |omega| = "), HasSubstr("needs less than 0.9; try step <= 0.00")));
  const Mechanism rod = rod_with_body();
  EXPECT_THAT(refusal([&] { run(rod.system(), "lie(trapezoidal)", rod.start(), {.step = "0.1", .until = 1}); }),
              testing::AllOf(HasSubstr("is above the bound"), HasSubstr("try step <= ")));
  Mechanism needle("needle");
  needle.body("needle", {.mass = 1, .inertia = {0, 1, 1}});
  EXPECT_THAT(refusal([&] { Stepper<double>(needle.system(), Scheme::named("lie(trapezoidal)")); }),
              HasSubstr("body \"needle\" has no inertia about its axis 1"));
  System pinned = model("chain(2)").system;
  const auto extra = pinned.coordinates("s");
  pinned.kinetic(extra, [](const auto&, const auto& v) { return 0.5 * v[0] * v[0]; });
  EXPECT_THAT(refusal([&] { Stepper<double>(pinned, Scheme::named("lie(trapezoidal)")); }),
              HasSubstr("is neither a joint nor a load"));
  for (const char* name : {"lie(quadratic)", "lie(spark(2))", "lie(ggl)"})
    EXPECT_THAT(refusal([&] { Scheme::named(name); }), HasSubstr("trapezoidal, alpha(a) or rectangle(0|1)"));
  EXPECT_THAT(refusal([] {
                const Model m = model("chain(2)");
                Stepper<double>(m.system, Scheme::named("compose(0.5:lie(trapezoidal), 0.5:rattle)"));
              }),
              HasSubstr("expected lie members only"));
}

}  // namespace
}  // namespace extremal::lie_test
