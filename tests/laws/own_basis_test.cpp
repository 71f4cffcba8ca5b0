// A basis of one's own [Muehlebach2016, section 2.3]: functions of t as formulas, in phase_space and galerkin. Their
// laws are those of the registry; here is what they are, what they gain, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "distance.hpp"
#include "extremal/check.hpp"
#include "extremal/models.hpp"
#include "refusal.hpp"

namespace extremal::own_basis_test {
namespace {

using testing::HasSubstr;
using testing::Not;

State<quad> after(const Model& m, const std::string& scheme, int steps, quad h) {
  Stepper<quad> stepper(m.system, Scheme::named(scheme));
  stepper.start(m.start);
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(stepper.step(h).converged) << scheme;
  return stepper.state();
}

// The span decides, and not how it is written. The floor of quad divided by h^2, which is what the functions differ by.
TEST(OwnBasis, IsItsSpan) {
  const quad h = quad(1) / 10;
  for (const char* name : {"hoop", "pendulum", "triple-pendulum"})
    for (const auto& [one, other] :
         {std::pair{"phase_space(2, basis=functions(1, t, t^2))", "phase_space(2)"},
          {"phase_space(2, basis=functions(3, t + t^2, 1 - t))", "phase_space(2)"},
          {"phase_space(2, basis=functions(1e25, 1e-30*t, t^2))", "phase_space(2)"},
          {"phase_space(2, basis=functions(1, cos(3*t), sin(3*t)))", "phase_space(2, basis=fourier(3))"},
          {"galerkin(2, gauss(2), basis=functions(1, cos(3*t), sin(3*t)))",
           "galerkin(2, gauss(2), basis=fourier(3))"}}) {
      const State<quad> a = after(model(name), one, 5, h), b = after(model(name), other, 5, h);
      EXPECT_LE(papers::distance(a.q, b.q), 1e-28) << name << ": " << one;
      EXPECT_LE(papers::distance(a.p, b.p), 1e-28) << name << ": " << one;
    }
}

// Away from an unstable rest exponentials are the motion: a step is exact where the rule is.
TEST(OwnBasis, HoldsTheMotionThatItSpans) {
  const Model m = read_model_text(
      "coordinates = [\"x\"]\nkinetic = \"x'^2/2\"\npotential = \"-x^2/2\"\n[start]\nx = 1\nvelocity = { x = -0.5 }\n",
      "ridge.toml");
  const std::string rule = ", quadrature=gauss(20)";
  const quad h = quad(1) / 2, end = math::exp(quad(2)) / 4 + 3 * math::exp(quad(-2)) / 4;
  const auto error = [&](const std::string& basis) {
    return static_cast<double>(math::abs(after(m, "phase_space(2" + rule + basis + ")", 4, h).q[0] - end));
  };
  EXPECT_LE(error(", basis=functions(1, exp(t), exp(-t))"), 1e-28);
  EXPECT_GT(error(""), 1e-7);
  EXPECT_GT(error(", basis=functions(1, t, exp(-t))"), 1e-7);
}

TEST(OwnBasis, HasTheAdjointOfReversedFunctions) {
  const Scheme scheme = Scheme::named("phase_space(2, basis=functions(1, t, exp(-2*t)))"), other = adjoint(scheme);
  EXPECT_EQ(other.name, "adjoint(phase_space(2, basis=functions(1, t, exp(-2*t))))");
  EXPECT_TRUE(adjoint(other) == scheme);
  EXPECT_TRUE(Scheme::named(other.name) == other);
  const Model m = model("spring-pendulum");
  const Law law = law::adjointness(m.system, scheme, m.start, {.step = m.span.step});
  EXPECT_TRUE(law.holds) << law.measured;
}

// A shift in time leaves the span of 1, t, exp(t^2); not that of an exponential.
TEST(OwnBasis, TellsWhatItCosts) {
  const auto flags = [](const char* name) {
    std::string all;
    for (const std::string& flag : Scheme::named(name).declared.flags) all += flag + "\n";
    return all;
  };
  EXPECT_THAT(flags("phase_space(2, basis=functions(1, t, exp(t^2)))"), HasSubstr("incomplete basis"));
  EXPECT_THAT(flags("phase_space(2, basis=functions(1, t, exp(3*t)))"), Not(HasSubstr("incomplete basis")));
}

TEST(OwnBasis, IsRefusedWithTheReason) {
  const auto reason = [](const std::string& functions) {
    return refusal([&] { Scheme::named("phase_space(2, basis=functions(" + functions + "))"); });
  };
  EXPECT_EQ(reason("1, t, exp(-t)"), "");
  EXPECT_THAT(reason("1, t"), HasSubstr("functions(1, ..)"));
  EXPECT_THAT(reason("t, t^2, exp(t)"), HasSubstr("no constant; expected 1 among them"));
  EXPECT_THAT(reason("1, t, 2*t - 3"), HasSubstr("2*t-3, whose derivatives at t = 0 up to order 2 depend on"));
  EXPECT_THAT(reason("1, t, t^3"), HasSubstr("others lose their order"));
  EXPECT_THAT(reason("1, t, sqrt(t)"), HasSubstr("sqrt(t); expected functions with finite derivatives at t = 0"));
  EXPECT_THAT(reason("1, t, exp(x)"), HasSubstr("unknown name \"x\""));
  EXPECT_THAT(reason("1, t, exp(t"), Not(testing::IsEmpty()));
  EXPECT_THAT(refusal([] { Scheme::named("galerkin(2, gauss(2), basis=powers(0, 1, 3))"); }),
              HasSubstr("unknown basis \"powers\""));
}

// Regular at the start of a step is not yet regular on all of it: a pole between the nodes would go unseen.
TEST(OwnBasis, IsRefusedOnStepsOnWhichItIsNotSmooth) {
  const Model m = model("pendulum");
  const auto reason = [&](const std::string& scheme, double h) {
    return refusal([&] {
      Stepper<double> stepper(m.system, Scheme::named(scheme));
      stepper.start(m.start, h);
      for (int k = 0; k < 3; ++k) EXPECT_TRUE(stepper.step(h).converged) << scheme;
    });
  };
  for (const std::string form :
       {"phase_space(2, basis=functions(1, t, ", "galerkin(2, gauss(2), basis=functions(1, t, "})
    for (const std::string function : {"1/(1 - 10*t)", "log(1 - 10*t)", "t^2*sqrt(1 - 10*t)", "exp(t) + floor(10*t)",
                                       "exp(t) + 10*max(t - 0.1, 0)", "exp(1e4*t)"}) {
      const std::string scheme = form + function + "))";
      EXPECT_EQ(reason(scheme, 0.002), "") << scheme;
      EXPECT_THAT(reason(scheme, 0.15), HasSubstr("in a step of 0.15, or changes too fast")) << scheme;
    }
  // After a period the functions are what they were at the start, and no step leaves it.
  EXPECT_THAT(reason("phase_space(2, basis=fourier(2*pi))", 1), HasSubstr("dependent on this step"));
  EXPECT_THAT(reason("galerkin(2, gauss(2), basis=fourier(2*pi))", 1), HasSubstr("dependent on this step"));
  EXPECT_EQ(reason("phase_space(2, basis=fourier(2*pi))", 0.1), "");
}

}  // namespace
}  // namespace extremal::own_basis_test
