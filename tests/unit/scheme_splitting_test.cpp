#include <gtest/gtest.h>

#include "extremal/error.hpp"
#include "extremal/scheme.hpp"
#include "scheme/splitting.hpp"

namespace extremal::scheme_splitting_test {
namespace {

double largest(const std::vector<quad>& list) {
  quad most = 0;
  for (const quad x : list) most = math::max(most, math::abs(x));
  return static_cast<double>(most);
}

std::string refusal(const std::string& text) {
  try {
    Scheme::named(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// As published they meet the conditions to their 15 digits, and are next to the ones that do in quad.
TEST(Splitting, CoefficientsMeetTheOrderConditions) {
  for (const int order : {4, 6}) {
    const Splitting published = blanes_moan_published(order);
    const Splitting& exact = blanes_moan(order);
    ASSERT_EQ(exact.drifts.size(), order == 4 ? 6u : 11u);
    ASSERT_EQ(exact.kicks.size(), exact.drifts.size() + 1);
    EXPECT_EQ(order_defects(exact, order).size(), order == 4 ? 4u : 8u);
    EXPECT_LE(largest(order_defects(published, order)), 1e-15);
    EXPECT_GE(largest(order_defects(published, order)), 1e-20);
    EXPECT_LE(largest(order_defects(exact, order)), 1e-33);
    for (std::size_t i = 0; i < exact.kicks.size(); ++i) {
      EXPECT_LE(largest({exact.kicks[i] - published.kicks[i]}), 1e-15);
      EXPECT_TRUE(exact.kicks[i] == exact.kicks[exact.kicks.size() - 1 - i]);
    }
    for (std::size_t i = 0; i < exact.drifts.size(); ++i) {
      EXPECT_LE(largest({exact.drifts[i] - published.drifts[i]}), 1e-15);
      EXPECT_TRUE(exact.drifts[i] == exact.drifts[exact.drifts.size() - 1 - i]);
    }
  }
}

// The conditions tell the orders apart, and the leapfrog has the error terms that are known of it.
TEST(Splitting, ConditionsOfKnownSplittings) {
  EXPECT_GE(largest(order_defects(blanes_moan(4), 6)), 1e-7);
  const quad half = quad(1) / 2;
  const std::vector<quad> leapfrog = order_defects({{half, half}, {1}}, 4);
  // B/2 A B/2: the word AAB has 1/2 . 1/2 in place of 1/6, ABB 1/2 . 1/4 in place of 1/6.
  EXPECT_TRUE(leapfrog[0] == 0 && leapfrog[1] == 0);
  EXPECT_LE(largest({leapfrog[2] - (quad(1) / 4 - quad(1) / 6)}), 1e-33);
  EXPECT_LE(largest({leapfrog[3] - (quad(1) / 8 - quad(1) / 6)}), 1e-33);
}

TEST(Splitting, IsASymmetricSchemeOfItsOrder) {
  for (const int order : {4, 6}) {
    const Scheme scheme = Scheme::named("rkn(" + std::to_string(order) + ", lie(free))");
    EXPECT_EQ(scheme.declared.order, (Order{order, order, order}));
    EXPECT_EQ(scheme.declared.symmetry, Symmetry::full);
    EXPECT_TRUE(scheme.declared.symplectic);
    EXPECT_TRUE(adjoint(scheme) == scheme);
    quad time = 0, kicks = 0;
    for (const Substep& sub : scheme.substeps()) {
      const LieGroup* lie = sub.scheme.as<LieGroup>();
      ASSERT_NE(lie, nullptr);
      time += sub.coefficient;
      kicks += sub.coefficient * (lie->first + lie->last);
    }
    EXPECT_LE(largest({time - 1, kicks - 1}), 1e-33);
  }
}

TEST(Splitting, RefusesOtherMembers) {
  EXPECT_NE(refusal("rkn(4, lie(trapezoidal))").find("expected lie(free)"), std::string::npos);
  EXPECT_NE(refusal("rkn(4, rattle)").find("expected lie(free)"), std::string::npos);
  EXPECT_NE(refusal("rkn(5, lie(free))").find("expected 4 or 6"), std::string::npos);
  EXPECT_NE(refusal("rkn(4, suzuki(4, lie(free)))").find("expected lie(free)"), std::string::npos);
}

}  // namespace
}  // namespace extremal::scheme_splitting_test
