// Constraint points that are not the control points [Man2020, section 3.1]: what table 3 says of control points is true
// of constraint points, since control points are but a basis of the same polynomials.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "distance.hpp"
#include "extremal/check.hpp"
#include "extremal/error.hpp"
#include "extremal/models.hpp"
#include "refusal.hpp"
#include "validation.hpp"

namespace extremal::papers::man_points_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

State<quad> after(const Model& m, const std::string& scheme, int steps, const Number& step) {
  Stepper<quad> stepper(m.system, Scheme::named(scheme));
  stepper.start(m.start);
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(stepper.step(step.as<quad>()).converged) << scheme;
  return stepper.state();
}

double apart(const Model& m, const std::string& one, const std::string& other) {
  const State<quad> a = after(m, one, 20, m.span.step), b = after(m, other, 20, m.span.step);
  return std::max(distance(a.q, b.q), distance(a.p, b.p));
}

TEST(ManPoints, DecideTheMotionAndControlPointsDoNot) {
  for (const char* name : {"spring-pendulum", "triple-pendulum"}) {
    const Model m = model(name);
    for (const char* rules : {"LL", "GG"}) {
      const std::string equal = std::string("man(E") + rules + ", 4", lobatto = std::string("man(L") + rules + ", 4";
      EXPECT_LT(apart(m, equal + ", points=lobatto)", lobatto + ")"), 1e-29) << name;
      EXPECT_LT(apart(m, lobatto + ", points=equidistant)", equal + ")"), 1e-29) << name;
      EXPECT_GT(apart(m, equal + ")", lobatto + ")"), 1e-9) << name;
    }
  }
}

// The declared order is that of the quadrature through the points; the laws of the registry measure it on seven models,
// here it is measured for the table.
TEST(ManPoints, HaveTheOrderOfAQuadratureThroughThem) {
  const Model m = model("spring-pendulum");
  struct Case {
    const char* scheme;
    int order;
    bool symplectic;
    Symmetry symmetry;
  };
  for (const auto& [text, order, symplectic, symmetry] :
       {Case{"man(ELL, 4, points=lobatto)", 6, true, Symmetry::full},
        {"man(LLL, 4, points=equidistant)", 4, false, Symmetry::full},
        {"man(LLL, 5, points=chebyshev)", 6, false, Symmetry::full},
        {"man(LGG, 3, points=at(1/3, 1))", 3, false, Symmetry::none},
        {"man(LLL, 4, points=at(0.2, 0.6, 1))", 4, false, Symmetry::none}}) {
    const Scheme scheme = Scheme::named(text);
    SCOPED_TRACE(text);
    EXPECT_EQ(scheme.declared.order, (Order{order, order, order}));
    EXPECT_EQ(scheme.declared.symplectic, symplectic);
    EXPECT_EQ(scheme.declared.symmetry, symmetry);
    EXPECT_EQ(Scheme::named(scheme.name), scheme);
    const std::vector<Law> laws = law::order(m.system, scheme, m.start, {.step = m.span.step});
    for (const Law& law : laws) EXPECT_TRUE(law.holds) << law.name << ": " << law.measured;
    const Law area = law::symplecticity(m.system, scheme, m.start, {.step = m.span.step});
    EXPECT_TRUE(area.holds) << area.measured;
    EXPECT_EQ(area.measured.starts_with("yes"), symplectic) << area.measured;
    record("man-points",
           fmt::format("| {} | {} | {} | {} |", scheme.name, order, laws[0].measured, symplectic ? "yes" : "no"));
  }
}

TEST(ManPoints, MirrorInTheAdjoint) {
  const Model m = model("spring-pendulum");
  const Scheme scheme = Scheme::named("man(LGG, 3, points=at(0.3, 1))");
  EXPECT_EQ(adjoint(scheme), Scheme::named("man(LGG, 3, points=at(1-(0.3), 1))"));
  const Law law = law::adjointness(m.system, scheme, m.start, {.step = m.span.step});
  EXPECT_TRUE(law.holds) << law.measured;
}

TEST(ManPoints, AreRefusedWhereTheEquationsAreSingular) {
  const auto reason = [](const char* text) { return refusal([&] { Scheme::named(text); }); };
  EXPECT_THAT(reason("man(LGG, 3, points=at(0.5, 0.5))"), HasSubstr("ascend from above 0"));
  EXPECT_THAT(reason("man(LGG, 3, points=at(0, 1))"), HasSubstr("ascend from above 0"));
  EXPECT_THAT(reason("man(LGG, 3, points=at(0.3, 0.9))"), AllOf(HasSubstr("0.9"), HasSubstr("next step starts")));
  EXPECT_THAT(reason("man(LGG, 3, points=at(0.2, 0.5, 1))"),
              AllOf(HasSubstr("3 points with degree 2"), HasSubstr("2:")));
  EXPECT_THAT(reason("man(LGG, 3, points=gauss)"), HasSubstr("lobatto"));
  EXPECT_THAT(reason("man(LGG, 3, points=lobatto, points=lobatto)"), HasSubstr("twice"));
  EXPECT_THAT(reason("galerkin(2, gauss(2), points=at(0.3, 1))"), HasSubstr("closure=position"));
}

}  // namespace
}  // namespace extremal::papers::man_points_test
