// Negative controls: each law can fail, and a slightly wrong scheme is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "distance.hpp"
#include "extremal/check.hpp"
#include "extremal/models.hpp"
#include "needs_bodies.hpp"

namespace extremal::control_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

bool all_hold(const std::vector<Law>& laws) {
  for (const Law& law : laws)
    if (!law.holds) return false;
  return true;
}

Law named(const std::vector<Law>& laws, const std::string& name) {
  for (const Law& law : laws)
    if (law.name == name) return law;
  ADD_FAILURE() << "no law \"" << name << "\"";
  return {};
}

// One weight of the Lagrangian's rule is changed. The declarations are those of the true scheme.
class Perturbed : public testing::TestWithParam<std::size_t> {};

TEST_P(Perturbed, IsRefused) {
  const Scheme& scheme = registry()[GetParam()];
  const Model m = model(needs_bodies(scheme) ? "chain(1)" : "hoop");
  const CheckOptions options{.step = m.span.step};
  const Scheme wrong = perturbed(scheme, scheme.declared.order_free >= 4 ? 1e-6 : 1e-2);
  const std::vector<Law> orders = law::order(m.system, wrong, m.start, options);
  EXPECT_FALSE(named(orders, "order of q").holds) << named(orders, "order of q").measured;
  EXPECT_FALSE(named(orders, "order of p").holds) << named(orders, "order of p").measured;
  // Nothing is declared of the action of a scheme that has none.
  if (scheme.declared.symplectic_free) {
    EXPECT_FALSE(law::variational_order(m.system, wrong, m.start, options).holds);
  }
  // The rule is no longer symmetric, unless it has one node.
  if (scheme.declared.symmetry != Symmetry::none && !scheme.composed() && scheme.declared.points > 1) {
    EXPECT_FALSE(law::reversibility(m.system, wrong, m.start, options).holds);
  }
}

std::vector<std::size_t> all_schemes() {
  std::vector<std::size_t> indices(registry().size());
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = i;
  return indices;
}

INSTANTIATE_TEST_SUITE_P(Registry, Perturbed, testing::ValuesIn(all_schemes()),
                         [](const auto& info) { return papers::identifier(registry()[info.param].name); });

TEST(Control, OrderThatIsNotReached) {
  const Model m = model("triple-pendulum");
  Scheme scheme = Scheme::named("spark(2)");
  ASSERT_TRUE(all_hold(law::order(m.system, scheme, m.start, {.step = m.span.step})));
  scheme.declared.order = {6, 5, 3};
  const std::vector<Law> laws = law::order(m.system, scheme, m.start, {.step = m.span.step});
  for (const char* name : {"order of q", "order of p", "order of lambda"})
    EXPECT_FALSE(named(laws, name).holds) << name;
  EXPECT_FALSE(law::variational_order(m.system, scheme, m.start, {.step = m.span.step}).holds);
}

TEST(Control, OrderThatIsHigherThanDeclared) {
  const Model m = model("triple-pendulum");
  Scheme scheme = Scheme::named("spark(2)");
  scheme.declared.order.q = 3;
  const Law law = named(law::order(m.system, scheme, m.start, {.step = m.span.step}), "order of q");
  EXPECT_FALSE(law.holds);
  EXPECT_THAT(law.measured, HasSubstr("super-convergent"));
}

// [Man2020]'s LGG is not symplectic: the action is not stationary in lambda where the constraint rule has no control
// point.
TEST(Control, SymplecticityOfAnActionThatIsNotStationary) {
  const Model m = model("triple-pendulum");
  Scheme scheme = Scheme::named("man(LGG, 2)");
  const Law honest = law::symplecticity(m.system, scheme, m.start, {.step = m.span.step});
  EXPECT_TRUE(honest.holds);
  EXPECT_THAT(honest.measured, StartsWith("no: "));
  EXPECT_THAT(honest.measured, HasSubstr("~ h^3"));  // order + 1
  EXPECT_GT(honest.defect, 1e20 * honest.floor);
  scheme.declared.symplectic = true;
  EXPECT_FALSE(law::symplecticity(m.system, scheme, m.start, {.step = m.span.step}).holds);
}

TEST(Control, ReversibilityOfARectangleRule) {
  const Model m = model("pendulum");
  Scheme scheme = Scheme::named("rectangle(0)");
  const Law honest = law::reversibility(m.system, scheme, m.start, {.step = m.span.step});
  EXPECT_TRUE(honest.holds);
  EXPECT_THAT(honest.measured, StartsWith("no: "));
  scheme.declared.symmetry = Symmetry::full;
  EXPECT_FALSE(law::reversibility(m.system, scheme, m.start, {.step = m.span.step}).holds);
}

TEST(Control, ReversibilityOfMomentaThatAreNotProjected) {
  const Model m = model("pendulum");
  Scheme scheme = Scheme::named("shake");
  const Law honest = law::reversibility(m.system, scheme, m.start, {.step = m.span.step});
  EXPECT_TRUE(honest.holds);
  EXPECT_THAT(honest.measured, StartsWith("in q"));
  scheme.declared.symmetry = Symmetry::full;
  EXPECT_FALSE(law::reversibility(m.system, scheme, m.start, {.step = m.span.step}).holds);
}

TEST(Control, AdjointOfAnotherScheme) {
  const Model m = model("pendulum");
  const Scheme scheme = Scheme::named("alpha(0.3)");
  EXPECT_TRUE(law::adjointness(m.system, scheme, m.start, {.step = m.span.step}).holds);
  EXPECT_FALSE(law::adjointness(m.system, perturbed(scheme, 1e-6), m.start, {.step = m.span.step}).holds);
}

TEST(Control, SymmetryThatIsNone) {
  Model m = model("pendulum");
  const auto ball = Coordinates<2>{{0, 1}};
  m.system.symmetry("about z", ball, [](const auto& q) { return rows(-q[1], q[0]); });
  m.system.symmetry("along x", ball, [](const auto&) { return rows(1, 0); });
  const std::vector<Law> laws = law::noether(m.system, Scheme::named("rattle"), m.start, {.step = m.span.step});
  EXPECT_THAT(named(laws, "momentum \"about z\"").measured, StartsWith("not a symmetry: L"));  // gravity
  EXPECT_THAT(named(laws, "momentum \"along x\"").measured, StartsWith("not a symmetry: g"));  // the rod
  for (const Law& law : laws) {
    EXPECT_EQ(law.declared, "-");
    EXPECT_GT(law.defect, 1e20 * law.floor);
  }
}

// A free particle in polar coordinates: its momentum along x is conserved, but not by polynomials in r and phi.
TEST(Control, SymmetryThatIsNotLinear) {
  System polar("polar");
  const auto r_phi = polar.coordinates("r", "phi");
  polar.kinetic(r_phi, [](const auto& q, const auto& v) { return 0.5 * (v[0] * v[0] + q[0] * q[0] * v[1] * v[1]); });
  polar.symmetry("along x", r_phi, [](const auto& q) { return rows(cos(q[1]), -sin(q[1]) / q[0]); });
  polar.symmetry("about z", r_phi, [](const auto&) { return rows(0, 1); });
  const std::vector<Law> laws = law::noether(polar, Scheme::named("spark(2)"), {.q = {1, "0.3"}, .v = {"0.2", 1}});
  EXPECT_THAT(named(laws, "momentum \"along x\"").measured, StartsWith("not linear"));
  EXPECT_GT(named(laws, "momentum \"along x\"").defect, 1e20 * named(laws, "momentum \"along x\"").floor);
  EXPECT_EQ(named(laws, "momentum \"about z\"").measured, "yes");
}

// G a = 0 on the circle only. Schemes whose multipliers act on the circle conserve the angular momentum, one whose
// constraint rule has nodes beside it does not.
TEST(Control, MomentumThatConstraintsBesideTheManifoldChange) {
  System circle("circle");
  const auto ball = circle.coordinates("x", "y");
  circle.kinetic(ball, [](const auto&, const auto& v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  circle.constraint("ring", ball, [](const auto& q) { return (q[0] * q[0] + q[1] * q[1] - 1) * (2 + q[0]); });
  circle.symmetry("about z", ball, [](const auto& q) { return rows(-q[1], q[0]); });
  const Start start{.q = {"0.6", "0.8"}, .v = {"-0.8", "0.6"}};
  EXPECT_TRUE(all_hold(law::noether(circle, Scheme::named("man(LLL, 3)"), start)));
  EXPECT_FALSE(all_hold(law::noether(circle, Scheme::named("man(LGG, 3)"), start)));
}

TEST(Control, HiddenConstraintOfShake) {
  const Model m = model("pendulum");
  const Law shake =
      named(law::constraints(m.system, Scheme::named("shake"), m.start, {.step = m.span.step}), "hidden constraints");
  EXPECT_EQ(shake.declared, "no");
  EXPECT_THAT(shake.measured, StartsWith("no: "));
  EXPECT_GT(shake.defect, 1e6 * shake.floor);
  const Law rattle =
      named(law::constraints(m.system, Scheme::named("rattle"), m.start, {.step = m.span.step}), "hidden constraints");
  EXPECT_EQ(rattle.declared, "yes");
  EXPECT_EQ(rattle.measured, "yes");
}

// With g = 0 at Gauss nodes only, the motion leaves the manifold and gains energy.
TEST(Control, ConstraintsAndEnergyOfASchemeThatDrifts) {
  const Model m = model("pendulum");
  Scheme scheme = Scheme::named("galerkin(3, gauss(3), constraint=gauss(3), closure=variational)");
  const CheckOptions options{.step = m.span.step};
  EXPECT_TRUE(all_hold(law::constraints(m.system, scheme, m.start, options)));
  EXPECT_TRUE(law::energy(m.system, scheme, m.start, options).holds);
  scheme.declared.on_manifold = true;
  EXPECT_FALSE(named(law::constraints(m.system, scheme, m.start, options), "constraints").holds);
  EXPECT_FALSE(law::energy(m.system, scheme, m.start, options).holds);
}

// A potential with an analytic gradient, right or with one wrong sign.
struct Spring {
  int sign;
  template <class Q>
  auto operator()(const Q& q) const {
    return 0.5 * q[0] * q[0] + q[0] * q[1];
  }
  template <class Q>
  auto gradient(const Q& q) const {
    return rows(q[0] + q[1], sign * q[0]);
  }
};

// Forgets that it depends on q[0].
struct Forgetful {
  template <class Q>
  auto operator()(const Q& q) const {
    auto x = q[0];
    x = decltype(x)(q[0].a);
    return x * q[1];
  }
};

template <class F>
Law derivative_of(F f) {
  System system;
  const auto x = system.coordinates("x", "y");
  system.kinetic(x, [](const auto&, const auto& v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  system.constraint("under test", x, f);
  return named(law::derivatives(system, {.q = {"0.4", "-0.7"}}), "derivatives of \"under test\"");
}

TEST(Control, DerivativesThatAreWrong) {
  EXPECT_TRUE(derivative_of(Spring{1}).holds);
  const Law wrong = derivative_of(Spring{-1});
  EXPECT_FALSE(wrong.holds);
  EXPECT_THAT(wrong.measured, StartsWith("no: analytic d/dy"));
  const Law forgetful = derivative_of(Forgetful{});
  EXPECT_FALSE(forgetful.holds);
  EXPECT_THAT(forgetful.measured, StartsWith("no: d/dx"));
}

}  // namespace
}  // namespace extremal::control_test
