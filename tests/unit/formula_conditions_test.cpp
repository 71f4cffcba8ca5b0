// Conditions, branches, min, max, sign, floor, mod and names in quotes.
#include <gtest/gtest.h>

#include <cmath>

#include "extremal/run.hpp"
#include "formula/formulas.hpp"
#include "refusal.hpp"

namespace extremal::formula_conditions_test {
namespace {

quad constant(const char* text) { return Number(text).as<quad>(); }

TEST(FormulaConditions, OfNumbersAreOneOrZero) {
  const std::pair<const char*, int> cases[] = {{"1 < 2", 1},
                                               {"2 < 1", 0},
                                               {"2 <= 2", 1},
                                               {"2 >= 3", 0},
                                               {"3 > 2", 1},
                                               {"1 == 1", 1},
                                               {"1 != 1", 0},
                                               {"not 1 < 2", 0},
                                               {"1 < 2 and 2 < 1", 0},
                                               {"1 < 2 or 2 < 1", 1},
                                               {"1 < 2 or 1 < 3", 1},
                                               {"not (1 < 2 and 2 < 1)", 1},
                                               {"if(1 < 2, 5, 7)", 5},
                                               {"if(1 + 1 > 2*2, 5, 7)", 7},
                                               {"min(3, 2) + 10*max(3, 2)", 32},
                                               {"sign(-3) + 10*sign(0) + 100*sign(2)", 99},
                                               {"floor(-1.5)", -2},
                                               {"mod(7, 3) + 10*mod(-1, 3)", 21},
                                               {"(1 < 2)*4", 4}};
  for (const auto& [text, expected] : cases) {
    EXPECT_TRUE(constant(text) == quad(expected)) << text;
    Graph g;
    const int n = parse(text, g, [&](std::string_view, bool) { return g.coordinate(0); });
    ASSERT_TRUE(g.is_constant(n)) << text;
    EXPECT_TRUE(g.value(n) == quad(expected)) << text;
  }
}

// Value, slope and curvature of a potential of x, by its term.
template <class S>
struct Potential {
  System system{"s"};
  explicit Potential(const char* text) {
    system.coordinates("x");
    Formulas f(system);
    f.parameters({{"a", "0.25"}});
    f.add(Role::potential, text);
  }
  std::array<S, 3> at(S x) const {
    const S t = 0, weight = 1, a = S(0.25);
    const Nodes<S> node{1, 1, &x, nullptr, &t, &a};
    std::array<S, 3> result;
    system.terms()[0]->template at<S>().gradient(node, &result[0], &result[1]);
    system.terms()[0]->template at<S>().hessian(node, &weight, &result[2]);
    return result;
  }
};

template <class S>
class FormulaBranches : public testing::Test {};
using Scalars = testing::Types<double, long double, quad>;
TYPED_TEST_SUITE(FormulaBranches, Scalars);

// The derivatives are those of the branch that is taken, which is known in closed form.
TYPED_TEST(FormulaBranches, HaveTheDerivativesOfWhatIsTaken) {
  using S = TypeParam;
  struct Case {
    const char* text;
    std::array<S, 3> (*expected)(S);
  };
  const Case cases[] = {{"2*max(0, x - a)^2",
                         [](S x) {
                           const S d = x > S(0.25) ? x - S(0.25) : S(0);
                           return std::array<S, 3>{2 * d * d, 4 * d, S(x >= S(0.25) ? 4 : 0)};
                         }},
                        // The other branch is no number, and so are its slopes.
                        {"if(x > 0, sqrt(x), x*x)",
                         [](S x) {
                           if (x > 0) {
                             const S r = math::sqrt(x);
                             return std::array<S, 3>{r, S(0.5) / r, S(-0.25) / (x * r)};
                           }
                           return std::array<S, 3>{x * x, 2 * x, S(2)};
                         }},
                        {"if(x <= 0, 0, if(x < 1, log(x)*x, 1/x))",
                         [](S x) {
                           if (x <= 0) return std::array<S, 3>{0, 0, 0};
                           if (x < 1) return std::array<S, 3>{math::log(x) * x, math::log(x) + 1, 1 / x};
                           return std::array<S, 3>{1 / x, -1 / (x * x), 2 / (x * x * x)};
                         }},
                        {"min(x^2, 1) + x",
                         [](S x) {
                           const bool in = x * x < 1;
                           return std::array<S, 3>{(in ? x * x : S(1)) + x, (in ? 2 * x : S(0)) + 1, S(in ? 2 : 0)};
                         }},
                        {"x*sign(x)",
                         [](S x) {
                           const S s = S(x > 0 ? 1 : x < 0 ? -1 : 0);
                           return std::array<S, 3>{x * s, s, 0};
                         }},
                        {"mod(x, 1)^2", [](S x) {
                           const S d = x - math::floor(x);
                           return std::array<S, 3>{d * d, 2 * d, S(2)};
                         }}};
  for (const Case& c : cases) {
    const Potential<S> potential(c.text);
    for (const double x : {-2.5, -1.0, -0.3, 0.0, 0.2, 0.25, 0.75, 1.5, 3.0}) {
      const auto found = potential.at(S(x)), expected = c.expected(S(x));
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_LE(static_cast<double>(math::abs(found[k] - expected[k]) / (1 + math::abs(expected[k]))),
                  4 * static_cast<double>(Scalar<S>::epsilon))
            << c.text << " at " << x << ", derivative " << k;
    }
  }
}

// A comparison with what is no number is none: it must not choose a branch in silence.
TEST(FormulaBranches, DoNotHideWhatIsNoNumber) {
  const Potential<double> potential("if(sqrt(x) < 1, x, 2*x)");
  EXPECT_TRUE(std::isnan(potential.at(-1.0)[0]));
  EXPECT_EQ(potential.at(0.25)[0], 0.25);
  EXPECT_TRUE(std::isnan(Potential<double>("x + min(sqrt(x), 1)").at(-1.0)[0]));
}

// A ball that bounces on a one-sided spring keeps its energy.
TEST(FormulaBranches, GiveOneSidedSprings) {
  System s("ball");
  s.coordinates("y");
  Formulas f(s);
  f.parameters({{"k", "1000"}});
  f.add(Role::kinetic, "y'^2/2");
  f.add(Role::potential, "9.81*y + k/2*max(0, -y)^2");
  const auto bounced = run<double>(s, "spark(2)", {.q = {1}, .v = {0}}, {.step = 0.001, .until = 10});
  ASSERT_EQ(bounced.status, Status::complete) << bounced.reason;
  double deepest = 0, highest = 0;
  for (const double y : bounced.column("y")) deepest = std::min(deepest, y), highest = std::max(highest, y);
  EXPECT_NEAR(highest, 1, 1e-3);
  EXPECT_NEAR(deepest, -(9.81 + std::sqrt(9.81 * 9.81 + 2 * 9.81 * 1000)) / 1000, 1e-3);  // all of it in the spring
}

TEST(FormulaConditions, SayWhatIsWrong) {
  System s("s");
  s.coordinates("x", "front leg.x");
  Formulas f(s);
  const auto said = [&](const char* text) { return refusal([&] { f.add(Role::potential, text); }); };
  EXPECT_NE(said("if(x < 1, x)").find("column 12: found \")\"; expected \",\": if has three arguments"),
            std::string::npos);
  EXPECT_NE(said("0 < x < 1").find("column 7: found \"<\"; expected one comparison at a time"), std::string::npos);
  EXPECT_NE(said("x = 1").find("column 3: found \"=\"; expected an operator or the end; to compare"),
            std::string::npos);
  EXPECT_NE(said("x < ").find("found the end; expected a number"), std::string::npos);
  EXPECT_NE(said("'front leg.x").find("a name in quotes ends with '"), std::string::npos);
  EXPECT_NE(said("'frond leg.x'").find("unknown name \"frond leg.x\"; did you mean \"front leg.x\"?"),
            std::string::npos);
  EXPECT_FALSE(is_formula_name("and"));
  EXPECT_FALSE(is_formula_name("if"));
  EXPECT_TRUE(is_formula_name("order"));
  EXPECT_EQ(said("'front leg.x'^2 + x"), "");
  EXPECT_EQ(refusal([&] { f.add(Role::kinetic, "'front leg.x''^2 + x'^2"); }), "");
  const double q[2] = {3, 5}, v[2] = {7, 11}, t = 0;
  double potential = 0, kinetic = 0;
  const Nodes<double> node{1, 2, q, v, &t, nullptr};
  s.terms()[0]->at<double>().value(node, &potential);
  s.terms()[1]->at<double>().value(node, &kinetic);
  EXPECT_EQ(potential, 28);
  EXPECT_EQ(kinetic, 170);
}

TEST(FormulaConditions, NestedBranchesOfBranchesStayWithinTheirLimit) {
  std::string text = "x";
  for (int k = 0; k < 60; ++k) text = "if(x > " + std::to_string(k) + ", sqrt(x) + " + text + ", x)";
  const Potential<double> potential(text.c_str());
  const auto at = potential.at(2.25);  // three roots and x
  EXPECT_NEAR(at[0], 0, 1e3);
  EXPECT_TRUE(std::isfinite(at[1]) && std::isfinite(at[2]));
}

}  // namespace
}  // namespace extremal::formula_conditions_test
