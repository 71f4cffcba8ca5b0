#include <gtest/gtest.h>

#include "extremal/error.hpp"
#include "scheme/declared.hpp"

namespace extremal::scheme_quadrature_test {
namespace {

Rule rule(RuleKind kind, int nodes) {
  Rule result;
  result.kind = kind;
  result.nodes = nodes;
  return result;
}

quad power(quad x, int n) {
  quad result = 1;
  for (int i = 0; i < n; ++i) result *= x;
  return result;
}

double integration_error(const Quadrature& q, int degree) {
  quad sum = 0;
  for (std::size_t i = 0; i < q.nodes.size(); ++i) sum += q.weights[i] * power(q.nodes[i], degree);
  return static_cast<double>(math::abs(sum - quad(1) / (degree + 1)));
}

void expect_exact(RuleKind kind, int least, int exactness_of_one, bool mirrored = false) {
  for (int n = least; n <= 32; ++n) {
    Rule r = rule(kind, n);
    r.mirrored = mirrored;
    Quadrature q = quadrature(r);
    ASSERT_EQ(q.nodes.size(), static_cast<std::size_t>(n));
    int exactness = 2 * n - 2 + exactness_of_one;
    for (int degree = 0; degree <= exactness; ++degree)
      EXPECT_LE(integration_error(q, degree), 2e-33) << n << " " << degree;
    if (n <= 20) {  // beyond, the error of the next degree is small itself
      EXPECT_GE(integration_error(q, exactness + 1), 1e-30) << n;
    }
    for (std::size_t i = 0; i < q.nodes.size(); ++i) {
      EXPECT_TRUE(q.weights[i] > 0);
      EXPECT_TRUE(i == 0 ? q.nodes[0] >= 0 : q.nodes[i] > q.nodes[i - 1]);
    }
    EXPECT_TRUE(q.nodes.back() <= 1);
  }
}

TEST(Quadrature, GaussIsExactToDegree2nMinus1) { expect_exact(RuleKind::gauss, 1, 1); }
TEST(Quadrature, LobattoIsExactToDegree2nMinus3) { expect_exact(RuleKind::lobatto, 2, -1); }
TEST(Quadrature, RadauIsExactToDegree2nMinus2) { expect_exact(RuleKind::radau, 1, 0); }
TEST(Quadrature, MirroredRadauIsExactToDegree2nMinus2) { expect_exact(RuleKind::radau, 1, 0, true); }

TEST(Quadrature, KnownRules) {
  Quadrature two = quadrature(rule(RuleKind::gauss, 2));
  EXPECT_LE(static_cast<double>(math::abs(two.nodes[0] - (3 - math::sqrt(quad(3))) / 6)), 1e-34);
  Quadrature three = quadrature(rule(RuleKind::lobatto, 3));
  EXPECT_TRUE(three.nodes[0] == 0 && three.nodes[1] == quad(1) / 2 && three.nodes[2] == 1);
  EXPECT_LE(static_cast<double>(math::abs(three.weights[1] - quad(2) / 3)), 1e-33);
  Quadrature radau = quadrature(rule(RuleKind::radau, 2));
  EXPECT_LE(static_cast<double>(math::abs(radau.nodes[0] - quad(1) / 3)), 1e-34);
  EXPECT_TRUE(radau.nodes[1] == 1);
}

TEST(Quadrature, SymmetricRulesMirrorThemselvesToTheLastBit) {
  for (RuleKind kind : {RuleKind::gauss, RuleKind::lobatto})
    for (int n = 2; n <= 32; ++n) {
      Rule mirrored = rule(kind, n);
      mirrored.mirrored = true;
      Quadrature q = quadrature(rule(kind, n)), m = quadrature(mirrored);
      for (std::size_t i = 0; i < q.nodes.size(); ++i) {
        EXPECT_TRUE(q.nodes[i] + q.nodes[q.nodes.size() - 1 - i] == 1);
        EXPECT_TRUE(q.weights[i] == m.weights[i]);
      }
    }
}

TEST(Quadrature, MirroringReversesNodesAndWeights) {
  Rule mirrored = rule(RuleKind::radau, 4);
  mirrored.mirrored = true;
  Quadrature q = quadrature(rule(RuleKind::radau, 4)), m = quadrature(mirrored);
  EXPECT_TRUE(m.nodes.front() == 0);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(m.nodes[i] == 1 - q.nodes[3 - i]);
    EXPECT_TRUE(m.weights[i] == q.weights[3 - i]);
  }
}

TEST(Quadrature, EndsDropsANodeWithoutWeight) {
  Rule ends = rule(RuleKind::ends, 2);
  ends.a = "0.3";
  Quadrature q = quadrature(ends);
  ASSERT_EQ(q.nodes.size(), 2u);
  EXPECT_TRUE(q.nodes[0] == 0 && q.nodes[1] == 1 && q.weights[1] == quad(3) / 10 && q.weights[0] == 1 - quad(3) / 10);
  ends.mirrored = true;
  EXPECT_TRUE(quadrature(ends).weights[0] == quad(3) / 10);
  ends.mirrored = false;
  for (int end : {0, 1}) {
    ends.a = end;
    q = quadrature(ends);
    ASSERT_EQ(q.nodes.size(), 1u);
    EXPECT_TRUE(q.nodes[0] == end && q.weights[0] == 1);
  }
}

TEST(Quadrature, PerturbationChangesTheFirstWeightOnly) {
  const Rule changed = perturbed(rule(RuleKind::gauss, 3), 0.5);
  Quadrature q = quadrature(rule(RuleKind::gauss, 3)), p = quadrature(changed);
  EXPECT_TRUE(p.weights[0] == q.weights[0] * 3 / 2);
  EXPECT_TRUE(p.weights[1] == q.weights[1] && p.weights[2] == q.weights[2]);
}

TEST(Quadrature, RefusesCountsItDoesNotHave) {
  EXPECT_THROW(quadrature(rule(RuleKind::gauss, 0)), InputError);
  EXPECT_THROW(quadrature(rule(RuleKind::gauss, 33)), InputError);
  EXPECT_THROW(quadrature(rule(RuleKind::lobatto, 1)), InputError);
  EXPECT_THROW(quadrature(rule(RuleKind::radau, -1)), InputError);
  EXPECT_THROW(control_points(Points::lobatto, 0), InputError);
  EXPECT_THROW(control_points(Points::equidistant, 32), InputError);
}

TEST(ControlPoints, RunFrom0To1Symmetrically) {
  for (Points kind : {Points::lobatto, Points::equidistant, Points::chebyshev})
    for (int degree = 1; degree <= 31; ++degree) {
      std::vector<quad> d = control_points(kind, degree);
      ASSERT_EQ(d.size(), static_cast<std::size_t>(degree) + 1);
      EXPECT_TRUE(d.front() == 0 && d.back() == 1);
      for (std::size_t k = 1; k < d.size(); ++k) {
        EXPECT_TRUE(d[k] > d[k - 1]);
        EXPECT_TRUE(d[k] + d[d.size() - 1 - k] == 1);
      }
    }
  std::vector<quad> chebyshev = control_points(Points::chebyshev, 4);
  EXPECT_LE(static_cast<double>(math::abs(chebyshev[1] - (2 - math::sqrt(quad(2))) / 4)), 1e-34);
  EXPECT_TRUE(control_points(Points::equidistant, 4)[1] == quad(1) / 4);
}

TEST(Basis, IsExactAtItsPoints) {
  for (int degree : {1, 2, 5, 31}) {
    std::vector<quad> d = control_points(Points::lobatto, degree);
    BasisTable table = lagrange_basis(d, d);
    for (std::size_t i = 0; i < d.size(); ++i)
      for (std::size_t k = 0; k < d.size(); ++k) EXPECT_TRUE(table.values[i][k] == (i == k ? 1 : 0));
  }
}

TEST(Basis, ReproducesPolynomialsAndTheirSlopes) {
  for (int degree = 1; degree <= 31; ++degree) {
    std::vector<quad> d = control_points(Points::chebyshev, degree), x = quadrature(rule(RuleKind::gauss, 7)).nodes;
    BasisTable table = lagrange_basis(d, x);
    for (std::size_t i = 0; i < x.size(); ++i)
      for (int n = 0; n <= degree; ++n) {
        quad value = 0, slope = 0;
        for (std::size_t k = 0; k < d.size(); ++k) {
          value += table.values[i][k] * power(d[k], n);
          slope += table.slopes[i][k] * power(d[k], n);
        }
        EXPECT_LE(static_cast<double>(math::abs(value - power(x[i], n))), 1e-31) << degree << " " << n;
        quad expected = n == 0 ? quad(0) : n * power(x[i], n - 1);
        EXPECT_LE(static_cast<double>(math::abs(slope - expected)), 1e-29) << degree << " " << n;
      }
  }
}

}  // namespace
}  // namespace extremal::scheme_quadrature_test
