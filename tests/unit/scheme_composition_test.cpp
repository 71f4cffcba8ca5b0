#include <gtest/gtest.h>

#include "extremal/error.hpp"
#include "extremal/scheme.hpp"
#include "scheme/order_conditions.hpp"

namespace extremal::scheme_composition_test {
namespace {

std::string refusal(const std::string& text) {
  try {
    Scheme::named(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

quad sum_of_powers(const Scheme& scheme, int n) {
  quad sum = 0;
  for (const Substep& sub : scheme.substeps()) {
    quad power = 1;
    for (int i = 0; i < n; ++i) power *= sub.coefficient;
    sum += power;
  }
  return sum;
}

TEST(Composition, KahanLiCoefficientsMeetTheOrderConditions) {
  for (int order : {6, 8}) {
    std::vector<quad> published = kahan_li_published(order);
    const std::vector<quad>& polished = kahan_li_coefficients(order);
    ASSERT_EQ(polished.size(), order == 6 ? 9u : 17u);
    EXPECT_EQ(order_defects(polished, order).size(), order == 6 ? 4u : 8u);
    for (quad defect : order_defects(polished, order)) EXPECT_LE(static_cast<double>(math::abs(defect)), 1e-33);
    for (quad defect : order_defects(published, order)) EXPECT_LE(static_cast<double>(math::abs(defect)), 1e-25);
    for (std::size_t i = 0; i < polished.size(); ++i) {
      EXPECT_LE(static_cast<double>(math::abs(polished[i] - published[i])), 1e-25);
      EXPECT_TRUE(polished[i] == polished[polished.size() - 1 - i]);
    }
  }
  // The conditions tell the orders apart.
  EXPECT_GE(static_cast<double>(math::abs(order_defects(kahan_li_coefficients(6), 8)[4])), 1e-3);
}

TEST(Composition, OrderConditionsOfKnownCompositions) {
  EXPECT_TRUE(order_defects({1}, 4)[1] == 1);  // a single step of order 2 has the error term Y3
  quad u = 1 / (4 - math::pow(quad(4), quad(1) / 3));
  std::vector<quad> suzuki = order_defects({u, u, 1 - 4 * u, u, u}, 6);
  EXPECT_LE(static_cast<double>(math::abs(suzuki[0])), 1e-33);
  EXPECT_LE(static_cast<double>(math::abs(suzuki[1])), 1e-33);
  EXPECT_GE(static_cast<double>(math::abs(suzuki[2])), 1e-3);
}

TEST(Composition, SuzukiCancelsTheLeadingError) {
  for (const char* name : {"suzuki(4, rattle)", "suzuki(6, spark(2))", "suzuki(8, lobatto(4))"}) {
    Scheme scheme = Scheme::named(name);
    ASSERT_EQ(scheme.substeps().size(), 5u);
    EXPECT_LE(static_cast<double>(math::abs(sum_of_powers(scheme, 1) - 1)), 1e-33);
    EXPECT_LE(static_cast<double>(math::abs(sum_of_powers(scheme, scheme.declared.order.q - 1))), 1e-33) << name;
    EXPECT_EQ(scheme.declared.symmetry, Symmetry::full);
    EXPECT_TRUE(scheme.declared.symplectic);
  }
  EXPECT_FALSE(Scheme::named("suzuki(4, man(LGG, 2))").declared.symplectic);
}

TEST(Composition, NestsInItsNameAndIsFlatInItsData) {
  Scheme scheme = Scheme::named("suzuki(6, suzuki(4, midpoint))");
  EXPECT_EQ(scheme.substeps().size(), 25u);
  for (const Substep& sub : scheme.substeps()) EXPECT_FALSE(sub.scheme.composed());
  EXPECT_LE(static_cast<double>(math::abs(sum_of_powers(scheme, 1) - 1)), 1e-33);
  EXPECT_EQ(scheme.declared.order, (Order{6, 6, 6}));
  EXPECT_NE(refusal("suzuki(14,suzuki(12,suzuki(10,suzuki(8,suzuki(6,suzuki(4,rattle))))))").find("substeps"),
            std::string::npos);
}

TEST(Composition, DeclaresWhatFollowsFromItsParts) {
  Declared euler_pair = Scheme::named("compose(0.5:rectangle(0), 0.5:rectangle(1))").declared;
  EXPECT_EQ(euler_pair.order, (Order{2, 2, 2}));
  EXPECT_EQ(euler_pair.order_free, 2);
  EXPECT_EQ(euler_pair.symmetry, Symmetry::full);
  Declared uneven = Scheme::named("compose(0.4:rectangle(0), 0.6:rectangle(1))").declared;
  EXPECT_EQ(uneven.order, (Order{1, 1, 1}));
  EXPECT_EQ(uneven.symmetry, Symmetry::none);
  EXPECT_EQ(Scheme::named("compose(0.5:rectangle(0), 0.5:rectangle(0))").declared.symmetry, Symmetry::none);
  Declared mixed = Scheme::named("compose(0.25:spark(2), 0.5:rattle, 0.25:spark(2))").declared;
  EXPECT_EQ(mixed.order, (Order{2, 2, 2}));
  EXPECT_EQ(mixed.symmetry, Symmetry::full);
  EXPECT_EQ(mixed.citation, "Jay2007, Wenger2017, Andersen1983, HairerLubichWanner2006");
  EXPECT_EQ(Scheme::named("kahan_li(8, rattle)").declared.order, (Order{8, 8, 8}));
  EXPECT_EQ(Scheme::named("kahan_li(8, midpoint)").declared.order, (Order{8, 8, 8}));
  EXPECT_EQ(Scheme::named("suzuki(4, galerkin(2, gauss(2), w=1))").declared.order_free, 4);
}

TEST(Composition, RefusesPartsThatDoNotQualify) {
  auto expect = [](const char* text, const char* reason) {
    EXPECT_NE(refusal(text).find(reason), std::string::npos) << text << "\n" << refusal(text);
  };
  expect("compose(0.5:rattle, 0.4:rattle)", "found coefficients with sum 0.9; expected sum 1");
  expect("compose(0.5:rattle, 0.50000000000000001:rattle)", "found coefficients with sum 1.00000000000000001");
  expect("compose(1:rattle, 0:rattle)", "coefficient 0");
  expect("compose", "no parts");
  expect("compose(rattle)", "expected coefficient:scheme");
  expect("compose(1/0:rattle)", "expected a finite number");
  expect("compose(1:shake)", "closure=projected");
  expect("suzuki(5, rattle)", "expected an even order");
  expect("suzuki(6, rattle)", "found rattle of order 2; expected a symmetric scheme of order 4");
  expect("suzuki(4, rectangle(0))", "which is not symmetric");
  expect("suzuki(4, shake)", "closure=projected");
  expect("kahan_li(7, rattle)", "expected 6 or 8");
  expect("kahan_li(8, spark(2))", "found spark(2) of order 4; expected a symmetric scheme of order 2");
}

TEST(Adjoint, MirrorsTheRules) {
  Scheme alpha = Scheme::named("alpha(0.3)"), radau = Scheme::named("radau_constraint(3)");
  EXPECT_EQ(adjoint(alpha).name, "adjoint(alpha(0.3))");
  EXPECT_TRUE(adjoint(alpha).as<Galerkin>()->lagrangian.mirrored);
  EXPECT_TRUE(adjoint(radau).as<Galerkin>()->constraint.mirrored);
  EXPECT_FALSE(adjoint(radau).as<Galerkin>()->lagrangian.mirrored);
  EXPECT_EQ(adjoint(radau).declared.order, radau.declared.order);
  for (const Scheme& scheme : {alpha, radau}) {
    EXPECT_EQ(adjoint(adjoint(scheme)).name, scheme.name);
    EXPECT_TRUE(adjoint(adjoint(scheme)) == scheme);
  }
  EXPECT_EQ(Scheme::named("adjoint(adjoint(alpha(0.3)))").name, "alpha(0.3)");
}

TEST(Adjoint, OfARectangleRuleIsTheOther) {
  Scheme zero = Scheme::named("rectangle(0)"), one = Scheme::named("rectangle(1)");
  EXPECT_EQ(adjoint(zero).name, one.name);
  EXPECT_TRUE(adjoint(zero) == one);
  EXPECT_TRUE(adjoint(one) == zero);
}

TEST(Adjoint, OfASymmetricSchemeIsItself) {
  for (const char* name : {"rattle", "spark(3)", "man(EGG, 4)", "kahan_li(8, rattle)", "alpha(1/2)",
                           "compose(0.5:rectangle(0), 0.5:rectangle(1))"})
    EXPECT_EQ(adjoint(Scheme::named(name)).name, Scheme::named(name).name);
}

TEST(Adjoint, OfACompositionRunsBackwards) {
  Scheme scheme = Scheme::named("compose(0.3:rectangle(0), 0.7:alpha(0.2))"), back = adjoint(scheme);
  EXPECT_EQ(back.name, "adjoint(compose(0.3:rectangle(0), 0.7:alpha(0.2)))");
  ASSERT_EQ(back.substeps().size(), 2u);
  EXPECT_EQ(back.substeps()[0].scheme.name, "adjoint(alpha(0.2))");
  EXPECT_EQ(back.substeps()[1].scheme.name, "rectangle(1)");
  EXPECT_TRUE(back.substeps()[1].coefficient == scheme.substeps()[0].coefficient);
  EXPECT_EQ(adjoint(back).name, scheme.name);
  EXPECT_EQ(Scheme::named(back.name).substeps()[0].scheme.name, "adjoint(alpha(0.2))");
}

TEST(Adjoint, NeedsProjectedMomenta) {
  for (const char* name : {"shake", "wenger(3, 2, gauss(3))", "galerkin(2, gauss(2), closure=given_lambda0)"}) {
    EXPECT_THROW(adjoint(Scheme::named(name)), InputError);
    EXPECT_NE(refusal("adjoint(" + std::string(name) + ")").find("closure=projected, which is the same motion"),
              std::string::npos);
  }
}

TEST(Perturbed, ChangesTheLagrangiansWeightsAndNothingElse) {
  Scheme scheme = Scheme::named("suzuki(4, rattle)"), changed = perturbed(scheme, 1e-3);
  EXPECT_EQ(changed.name, scheme.name);
  EXPECT_EQ(changed.declared.order, scheme.declared.order);
  for (std::size_t i = 0; i < scheme.substeps().size(); ++i) {
    EXPECT_EQ(changed.substeps()[i].scheme.as<Galerkin>()->lagrangian.perturbation.amount(), 1e-3);
    EXPECT_TRUE(perturbed(changed.substeps()[i].scheme, 0) == scheme.substeps()[i].scheme);
  }
  EXPECT_EQ(perturbed(Scheme::named("spark(2)"), 0.1).as<Galerkin>()->lagrangian.perturbation.amount(), 0.1);
}

}  // namespace
}  // namespace extremal::scheme_composition_test
