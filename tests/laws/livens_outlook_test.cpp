// The outlook of [Kinon2023]: what livens(s) has in common with spark(s) and what not; the energy-momentum scheme with
// the hidden constraint; and the momenta of ggl before their projection.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "distance.hpp"
#include "extremal/check.hpp"
#include "extremal/error.hpp"
#include "extremal/models.hpp"

namespace extremal::livens_outlook_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// The largest distance of q between two schemes over ten steps, in quad.
double apart(const Model& m, const std::string& one, const std::string& other, const Number& step) {
  const Span span{.step = step, .until = Number("10*(" + step.text() + ")")};
  const auto a = run<quad>(m.system, Scheme::named(one), m.start, span);
  const auto b = run<quad>(m.system, Scheme::named(other), m.start, span);
  double worst = 0;
  for (const std::string& name : m.system.coordinate_names())
    for (std::size_t k = 0; k < a.column(name).size(); ++k)
      worst = std::max(worst, static_cast<double>(math::abs(a.column(name)[k] - b.column(name)[k])));
  return worst;
}

// Without constraints gamma is not there; with quadratic ones a chord is tangent in its middle, and gamma is zero.
TEST(LivensGalerkin, IsSparkWhereGammaVanishes) {
  for (const char* name : {"hoop", "two-particles"})
    for (const char* s : {"1", "2", "3"}) {
      const std::string degree = std::string("(") + s + ")";
      EXPECT_LE(apart(model(name), "livens" + degree, "spark" + degree, "0.05"), 1e-30) << name << degree;
    }
  for (const char* name : {"pendulum", "spring-pendulum", "double-pendulum-3d"})
    EXPECT_LE(apart(model(name), "livens(1)", "spark(1)", "0.05"), 1e-30) << name;
}

// Elsewhere they differ, and by more than round-off, but not by more than either errs: at the order 2s.
TEST(LivensGalerkin, IsAnotherMapThanSparkWhereItDoesNot) {
  const Model m = model("double-pendulum-3d");
  for (const char* s : {"2", "3"}) {
    const std::string degree = std::string("(") + s + ")";
    const double coarse = apart(m, "livens" + degree, "spark" + degree, "0.04"),
                 fine = apart(m, "livens" + degree, "spark" + degree, "0.02");
    EXPECT_GT(fine, 1e-20) << degree;
    // Over ten steps, a time that is proportional to h.
    EXPECT_GT(std::log2(coarse / fine), Scheme::named("livens" + degree).declared.order.q) << degree;
  }
}

// What [Kinon2023] says of (41): without constraints it is the symplectic Euler method, the rectangle of [LewMata2016].
TEST(Ggl, IsTheSymplecticEulerMethodWithoutConstraints) {
  for (const char* name : {"hoop", "two-particles"}) {
    EXPECT_LE(apart(model(name), "ggl", "rectangle(0)", "0.05"), 1e-30) << name;
    EXPECT_LE(apart(model(name), "adjoint(ggl)", "rectangle(1)", "0.05"), 1e-30) << name;
  }
}

// A wrong weight costs the order (control_test.cpp), but every discrete action has a symplectic map.
TEST(LivensGalerkin, WithAWrongWeightIsSymplectic) {
  const Model m = model("pendulum");
  const Scheme wrong = perturbed(Scheme::named("livens(2)"), 1e-3);
  EXPECT_TRUE(law::symplecticity(m.system, wrong, m.start, {.step = m.span.step}).holds);
}

// Masses that depend on q and t, a part of L that is linear in v, and a damper, on a sphere: what [Kinon2023] has M for
// is L_v and its derivatives. The triple pendulum, whose mass depends on q, is a model of registry_test.cpp.
Model bent(const std::string& more = "") {
  return read_model_text(R"model(
name = "bent"
coordinates = ["x", "y", "z"]
lagrangian = """((1 + x^2/2 + sin(t)/5)*x'^2 + y'^2 + 2*z'^2 + cos(z)*x'*y')/2
  + 3/10*x*y' - z - x*y/5"""
[[constraint]]
name = "sphere"
formula = "x^2 + y^2 + z^2 - 1"
[start]
x = 0.6
z = -0.8
velocity = { x = 0.4, y = 0.9, z = 0.3 }
)model" + more,
                         "bent.toml");
}

TEST(LivensGalerkin, CarriesAnyLagrangian) {
  const Model m = bent();
  const CheckOptions options{.step = "0.05"};
  for (const char* name : {"livens(1)", "livens(2)", "livens(3)"}) {
    const Scheme scheme = Scheme::named(name);
    std::vector<Law> laws = law::order(m.system, scheme, m.start, options);
    laws.push_back(law::symplecticity(m.system, scheme, m.start, options));
    laws.push_back(law::adjointness(m.system, scheme, m.start, options));
    for (const Law& law : laws) EXPECT_TRUE(law.holds) << name << ": " << law.name << ": " << law.measured;
  }
  // Gamma is not zero there, so that the terms with it have been measured.
  EXPECT_GT(apart(m, "livens(2)", "spark(2)", "0.05"), 1e-14);
  EXPECT_FALSE(law::order(m.system, perturbed(Scheme::named("livens(2)"), 1e-6), m.start, options)[0].holds);
}

// The mass depends on t, a damper takes energy: H - W - H0 has the order of the scheme.
TEST(LivensGalerkin, BalancesTheEnergyOfAnyLagrangian) {
  const Model m = bent("[[force]]\nname = \"damper\"\nalong = { x = \"-x'/2\", y = \"-y'*x'^2\" }\n");
  const auto error = [&](const char* step) {
    const auto all = run<quad>(m.system, "livens(2)", m.start, {.step = step, .until = 1});
    EXPECT_GT(static_cast<double>(math::abs(all.column("energy").back() - all.column("energy").front())), 1e-2);
    return static_cast<double>(all.energy_max_error);
  };
  EXPECT_NEAR(std::log2(error("0.05") / error("0.025")), 4, 0.5);
}

// Joints of a Bennett linkage are redundant where g = 0, and the Gauss points of a step are not there: rows of G v = 0
// that agree on g = 0 may contradict each other. Where they do, the step says so, and the motion until there is the
// linkage's.
TEST(LivensGalerkin, NamesRowsThatAreRedundantOnTheManifoldOnly) {
  const Model m = model("bennett");
  const auto failed = run(m.system, "livens(2)", m.start, {.step = "0.01", .until = 1});
  EXPECT_EQ(failed.status, Status::failed);
  EXPECT_THAT(failed.reason, HasSubstr("redundant only where g = 0 holds"));
  EXPECT_THAT(failed.reason, HasSubstr("try spark(2)"));
  EXPECT_LE(failed.constraint_max, 1e-13);
  for (const char* scheme : {"livens(1)", "livens(3)", "spark(2)"})
    EXPECT_EQ(run(m.system, scheme, m.start, {.step = "0.01", .until = 1}).status, Status::complete) << scheme;
}

TEST(EnergyMomentumGgl, IsNotSymplectic) {
  for (const char* name : {"pendulum", "spring-pendulum", "spherical-pendulum"}) {
    const Model m = model(name);
    const Law law = law::symplecticity(m.system, Scheme::named("energy_momentum(ggl)"), m.start, {.step = m.span.step});
    EXPECT_EQ(law.declared, "no");
    EXPECT_THAT(law.measured, StartsWith("no: ")) << name;
    EXPECT_GT(law.defect, 1e20 * law.floor) << name;
  }
}

// Without the hidden constraint the same discrete derivatives leave G v at the order of the scheme.
TEST(EnergyMomentumGgl, MeetsWhatTheSchemeWithoutGammaMisses) {
  const Model m = model("top");
  const Span span{.step = m.span.step, .until = Number("0.2")};
  EXPECT_GT(run<double>(m.system, Scheme::named("energy_momentum"), m.start, span).hidden_max, 1e-3);
  EXPECT_LE(run<double>(m.system, Scheme::named("energy_momentum(ggl)"), m.start, span).hidden_max, 1e-13);
}

TEST(EnergyMomentumGgl, RefusesWhatItsMidpointIsNotExactFor) {
  const auto reason = [](const System& system, const Start& start) -> std::string {
    try {
      Stepper<double>(system, Scheme::named("energy_momentum(ggl)")).start(start, 0.01);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const Model moving = model("pendulum-cartesian-moving-pivot");
  EXPECT_THAT(reason(moving.system, moving.start), HasSubstr("its constraint \"rod\" depends on t"));
  System cubic("cubic");
  const auto q = cubic.coordinates("x", "y");
  cubic.kinetic(q, [](const auto&, const auto& v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  cubic.constraint("curve", q, [](const auto& x) { return x[0] * x[0] * x[0] - x[1]; });
  EXPECT_THAT(reason(cubic, {.q = {0, 0}, .v = {1, 0}}), HasSubstr("\"curve\" is not quadratic in q"));
}

// Figures 3, 5 and 8: with the scheme's own momenta the energy is too large by 1.8e-5 to 1.93e-4 and the hidden
// constraint is missed by up to .374 at the ends of steps; the motion is that of the projected ones.
TEST(Ggl, HasItsOwnMomentumOnRequest) {
  const Model m = model("top");
  const auto own = run<double>(m.system, Scheme::named("ggl(projection=off)"), m.start, m.span);
  const auto projected = run<double>(m.system, Scheme::named("ggl"), m.start, m.span);
  EXPECT_NEAR(own.hidden_max, 0.374, 0.0005);
  EXPECT_LE(projected.hidden_max, 1e-12);
  const std::vector<double>& energy = own.column("energy");
  EXPECT_NEAR(energy[0], 5.669055190633, 1e-12);
  const auto [least, most] = std::minmax_element(energy.begin() + 1, energy.end());
  EXPECT_NEAR(*least - energy[0], 1.8e-5, papers::half_unit(1.8e-5, 2));
  EXPECT_NEAR(*most - energy[0], 1.93e-4, papers::half_unit(1.93e-4, 3));
  for (const std::string& name : m.system.coordinate_names())
    EXPECT_NEAR(own.column(name).back(), projected.column(name).back(), 1e-9) << name;
}

TEST(Ggl, OwnMomentaKeepTheLaws) {
  const Scheme scheme = Scheme::named("ggl(projection=off)");
  for (const char* name : {"pendulum", "spring-pendulum"}) {
    const Model m = model(name);
    const CheckOptions options{.step = m.span.step};
    for (const Law& law : law::order(m.system, scheme, m.start, options))
      EXPECT_TRUE(law.holds) << law.name << ": " << law.measured;
    for (const Law& law :
         {law::symplecticity(m.system, scheme, m.start, options), law::adjointness(m.system, scheme, m.start, options)})
      EXPECT_TRUE(law.holds) << law.name << ": " << law.measured;
  }
}

}  // namespace
}  // namespace extremal::livens_outlook_test
