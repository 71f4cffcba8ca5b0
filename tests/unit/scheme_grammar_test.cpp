#include <gtest/gtest.h>

#include <set>

#include "extremal/error.hpp"
#include "extremal/scheme.hpp"

namespace extremal::scheme_grammar_test {
namespace {

std::string refusal(const std::string& text) {
  try {
    Scheme::named(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string canonical(const std::string& text) { return Scheme::named(text).name; }

void expect_equal(const Scheme& a, const Scheme& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_TRUE(a == b) << a.name;
  ASSERT_EQ(a.substeps().size(), b.substeps().size()) << a.name;
  for (std::size_t i = 0; i < a.substeps().size(); ++i) expect_equal(a.substeps()[i].scheme, b.substeps()[i].scheme);
  EXPECT_EQ(a.declared.order, b.declared.order) << a.name;
  EXPECT_EQ(a.declared.order_free, b.declared.order_free) << a.name;
  EXPECT_EQ(a.declared.symmetry, b.declared.symmetry) << a.name;
  EXPECT_EQ(a.declared.symplectic, b.declared.symplectic) << a.name;
  EXPECT_EQ(a.declared.citation, b.declared.citation) << a.name;
  EXPECT_EQ(a.declared.flags, b.declared.flags) << a.name;
}

TEST(SchemeName, RoundTripsForTheWholeRegistry) {
  std::set<std::string> names;
  for (const Scheme& scheme : registry()) {
    expect_equal(scheme, Scheme::named(scheme.name));
    EXPECT_TRUE(names.insert(scheme.name).second) << scheme.name;
    EXPECT_FALSE(scheme.declared.citation.empty()) << scheme.name;
  }
  EXPECT_GE(registry().size(), 50u);
}

TEST(SchemeName, IsCanonical) {
  EXPECT_EQ(canonical(" spark( 3 ) "), "spark(3)");
  EXPECT_EQ(canonical("galerkin(3,gauss(3),w=3,closure=hidden)"), "galerkin(3, gauss(3), closure=hidden)");
  EXPECT_EQ(canonical("galerkin(3,gauss(3),closure=projected,control=lobatto,constraint=lobatto(4))"),
            "galerkin(3, gauss(3))");
  EXPECT_EQ(canonical("galerkin(3,gauss(3),closure=variational,control=chebyshev,w=2)"),
            "galerkin(3, gauss(3), w=2, control=chebyshev, closure=variational)");
  EXPECT_EQ(canonical("galerkin(3,gauss(3),w=2,constraint=radau(2))"), "galerkin(3, gauss(3), constraint=radau(2))");
  EXPECT_EQ(canonical("compose(1/3:rattle,2/3:rattle)"), "compose(1/3:rattle, 2/3:rattle)");
  EXPECT_EQ(canonical("man(EGL,4)"), "man(EGL, 4)");
  for (const char* text : {"galerkin(3,gauss(3),w=2,constraint=radau(2))", "galerkin(1,ends(0))",
                           "adjoint(galerkin(1,ends(0)))", "galerkin(2,gauss(3),constraint=gauss(3),closure=position)",
                           "compose(1/3:suzuki(4,rattle),2/3:adjoint(alpha(1/7)))", "adjoint(galerkin(2,radau(3)))"})
    expect_equal(Scheme::named(text), Scheme::named(canonical(text)));
}

TEST(SchemeName, NamesOfTheSameMethodHaveTheSameData) {
  auto same = [](const char* a, const char* b) {
    EXPECT_TRUE(Scheme::named(a) == Scheme::named(b)) << a << " " << b;
    EXPECT_EQ(Scheme::named(a).declared.order, Scheme::named(b).declared.order) << a << " " << b;
  };
  same("spark(3)", "galerkin(3, gauss(3), w=3, closure=hidden)");
  same("rattle", "galerkin(1, lobatto(2), w=1, closure=hidden)");
  same("shake", "wenger(1, 1, lobatto(2))");
  same("lobatto(4)", "galerkin(4, lobatto(4), w=3, closure=hidden)");
  same("midpoint", "galerkin(1, gauss(1))");
  same("trapezoidal", "galerkin(1, lobatto(2))");
  same("quadratic", "galerkin(2, lobatto(3))");
  same("rectangle(0)", "alpha(0)");
  same("rectangle(1)", "galerkin(1, ends(1))");
  same("radau_constraint(2)", "galerkin(2, gauss(2), constraint=radau(2))");
  same("man(LGL, 3)", "galerkin(2, gauss(3), closure=position)");
  same("man(ELG, 4)", "galerkin(3, lobatto(4), control=equidistant, constraint=gauss(4), closure=position)");
}

TEST(SchemeName, UnknownNamesAreMetWithTheNearest) {
  EXPECT_EQ(refusal("sparkk(3)"),
            "scheme \"sparkk(3)\": unknown name \"sparkk\"; did you mean \"spark\"? known: adjoint, alpha, compose, "
            "energy_momentum, galerkin, ggl, kahan_li, lie, livens, lobatto, man, midpoint, multirate, phase_space, "
            "quadratic, radau_constraint, rattle, rectangle, rkn, shake, "
            "spark, suzuki, trapezoidal, wenger");
  EXPECT_NE(refusal("Rattle").find("did you mean \"rattle\"?"), std::string::npos);
  EXPECT_NE(refusal("radau(3)").find("did you mean \"radau_constraint\"?"), std::string::npos);
  EXPECT_NE(refusal("galerkin(2, gaus(2))").find("unknown rule \"gaus\"; did you mean \"gauss\"?"), std::string::npos);
  EXPECT_NE(refusal("galerkin(2, gauss(2), closure=hiden)").find("did you mean \"hidden\"?"), std::string::npos);
  EXPECT_NE(refusal("suzuki(4, ratle)").find("did you mean \"rattle\"?"), std::string::npos);
  EXPECT_EQ(refusal("leapfrog_of_the_future").find("did you mean"), std::string::npos);
}

TEST(SchemeName, WrongArgumentsAreMetWithAnExample) {
  EXPECT_EQ(refusal("spark(0)"),
            "scheme \"spark(0)\": spark(s): found s = 0; expected an integer from 1 to 31; e.g. spark(3)");
  EXPECT_EQ(refusal("spark"), "scheme \"spark\": spark(s): found 0 arguments; expected 1; e.g. spark(3)");
  EXPECT_EQ(refusal("rattle(2)"), "scheme \"rattle(2)\": rattle: found 1 argument; expected 0; e.g. rattle");
  EXPECT_EQ(refusal("alpha(1.5)"),
            "scheme \"alpha(1.5)\": alpha(a): found a = 1.5; expected 0 <= a <= 1; e.g. alpha(0.3)");
  EXPECT_EQ(refusal("man(XGG, 3)"),
            "scheme \"man(XGG, 3)\": man(letters, m, points=..): found \"XGG\"; expected L or E, then twice L or G; "
            "e.g. man(LGL, 3)");
  for (const char* text :
       {"spark(3.5)", "spark(99999999999)", "spark(3,4)", "spark(s=3)", "rectangle(2)", "lobatto(1)", "alpha(x)",
        "man(LGG, 1)", "wenger(3, 2)", "wenger(3, 2, radau(3))", "galerkin(3)", "galerkin(3, gauss(3), v=2)",
        "galerkin(3, gauss(3), w=2, w=2)", "galerkin(3, gauss(3), 0.5:w)", "galerkin(40, gauss(40))",
        "galerkin(3, ends(0.5))", "suzuki(4)", "compose(a=1:rattle)", "adjoint(1:rattle)"})
    EXPECT_TRUE(refusal(text).find("e.g.") != std::string::npos || refusal(text).find("known:") != std::string::npos)
        << text;
}

TEST(SchemeName, MalformedTextIsRefusedInOneLine) {
  std::string deep = "alpha(0.3)";
  for (int i = 0; i < 100; ++i) deep = "adjoint(" + deep + ")";
  for (const std::string& text : {std::string(),
                                  std::string("  "),
                                  std::string("("),
                                  std::string("3"),
                                  std::string("spark("),
                                  std::string("spark(3"),
                                  std::string("spark(3))"),
                                  std::string("spark(3)x"),
                                  std::string("spark)3("),
                                  std::string("spark(3)\nrattle"),
                                  std::string("spa rk(3)"),
                                  std::string("spark(,)"),
                                  std::string("rattle()"),
                                  std::string("galerkin(3, gauss(3), =2)"),
                                  std::string("compose(:rattle)"),
                                  std::string("spark(\x01)"),
                                  std::string(100000, '('),
                                  std::string(100000, 'a'),
                                  std::string("spark(") + std::string(100000, '1') + ")",
                                  deep}) {
    std::string what = refusal(text);
    EXPECT_NE(what, "") << text.substr(0, 40);
    EXPECT_LE(what.size(), 1400u) << text.substr(0, 40);
    for (char c : what) EXPECT_FALSE(c == '\n' || c == '\x01');
  }
}

TEST(SchemeName, InadmissibleCombinationsAreRefusedWithTheReason) {
  auto expect = [](const char* text, const char* reason) {
    EXPECT_NE(refusal(text).find(reason), std::string::npos) << text << "\n" << refusal(text);
  };
  expect("galerkin(3, gauss(2))",
         "found gauss(2) with degree 3; expected at least 3 points: with fewer the step equations "
         "are singular or lose their order; e.g. galerkin(3, gauss(3))");
  expect("galerkin(4, lobatto(3))", "found lobatto(3) with degree 4");
  expect("galerkin(2, ends(0.3))", "expected degree 1 with the rule ends");
  expect("wenger(2, 3, gauss(2))",
         "found w = 3 with degree 2; expected w <= 2, else the step equations are linearly dependent");
  expect("galerkin(3, gauss(3), constraint=lobatto(3))",
         "found lobatto(3) with w = 3; expected lobatto(w + 1) = lobatto(4) [Wenger2017, theorem 1]; e.g. galerkin(3, "
         "gauss(3), w=2)");
  expect("galerkin(2, gauss(2), constraint=radau(3))", "w = 3 with degree 2");
  expect("galerkin(3, gauss(3), w=2, constraint=radau(3))", "expected w = 3 multipliers for radau(3)");
  expect("galerkin(3, gauss(3), constraint=radau(3), closure=hidden)",
         "closure=projected: a Radau rule weighs only one side");
  expect("galerkin(3, gauss(3), constraint=gauss(3))", "expected a rule with a node at 1");
  expect("galerkin(3, gauss(3), constraint=gauss(3), closure=hidden)", "expected a rule with a node at 1");
  expect("galerkin(3, gauss(3), constraint=gauss(2), closure=variational)", "with fewer nodes the motion blows up");
  expect("galerkin(2, gauss(2), w=1, closure=position)", "expected w = s = 2");
  expect("galerkin(2, gauss(2), constraint=gauss(2), closure=position)", "expected lobatto(3) or gauss(3)");
  expect("galerkin(2, gauss(2), constraint=radau(2), closure=position)", "expected lobatto(3) or gauss(3)");
  expect("galerkin(2, gauss(2), constraint=lobatto(3), closure=given_lambda0)",
         "the last multiplier would be undetermined");
  expect("galerkin(2, gauss(2), constraint=gauss(3), closure=given_lambda0)", "in the mean over two steps");
  expect("galerkin(2, gauss(2), w=1, closure=given_lambda0)", "blows up");
}

}  // namespace
}  // namespace extremal::scheme_grammar_test
