// Laws of the livens family that the registry does not ask for: what its energy-momentum rule conserves, constraints
// that are not quadratic or depend on time, forces; and the variants of [Kinon2023] that are not symplectic.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>

#include <cmath>

#include "distance.hpp"
#include "extremal/check.hpp"
#include "extremal/models.hpp"
#include "livens_by_hand.hpp"

namespace extremal::livens_test {
namespace {

using testing::StartsWith;

void expect_all(const std::vector<Law>& laws) {
  for (const Law& law : laws) EXPECT_TRUE(law.holds) << law.name << ": " << law.measured << ", floor " << law.floor;
}

class EnergyMomentumOn : public testing::TestWithParam<const char*> {};

// T and V are rounded once in every step: a random walk of ten thousand.
TEST_P(EnergyMomentumOn, ConservesEnergyAndMomenta) {
  const Model m = model(GetParam());
  const Scheme scheme = Scheme::named("energy_momentum");
  Stepper<double> stepper(m.system, scheme);
  const double h = m.span.step.as<double>();
  stepper.start(m.start, h);
  Observation<double> seen;
  stepper.observe(seen, false);
  const double start = seen.energy();
  double worst = 0, size = 0;
  constexpr int steps = 10000;
  for (int k = 0; k < steps; ++k) {
    const StepReport report = stepper.step(h);
    ASSERT_TRUE(report.converged) << "step " << k << ": " << report.worst;
    stepper.observe(seen, false);
    worst = std::max(worst, std::fabs(seen.energy() - start));
    size = std::max(size, std::fabs(seen.kinetic) + std::fabs(seen.potential));
  }
  EXPECT_LE(worst, 64 * Scalar<double>::epsilon * size * std::sqrt(steps));
  expect_all(law::noether(m.system, scheme, m.start, {.step = m.span.step, .long_steps = steps}));
  // Not by its order: a scheme of the same order errs in the fourth digit.
  const auto other = run<double>(m.system, Scheme::named("trapezoidal"), m.start,
                                 {.step = m.span.step, .until = Number::exactly(quad(100) * quad(h))});
  EXPECT_GT(other.energy_max_error, 1e-6 * size);
}

INSTANTIATE_TEST_SUITE_P(Models, EnergyMomentumOn,
                         testing::Values("pendulum", "spring-pendulum", "two-particles", "six-balls", "hoop"),
                         [](const auto& info) { return papers::identifier(info.param); });

TEST(EnergyMomentum, IsNotSymplectic) {
  for (const char* name : {"pendulum", "spring-pendulum", "two-particles"}) {
    const Model m = model(name);
    const Law law = law::symplecticity(m.system, Scheme::named("energy_momentum"), m.start, {.step = m.span.step});
    EXPECT_EQ(law.declared, "no");
    EXPECT_THAT(law.measured, StartsWith("no: ")) << name;
    EXPECT_GT(law.defect, 1e20 * law.floor) << name;
  }
}

// An energy that is not conserved where it should not be: a potential that depends on time, a damper.
TEST(EnergyMomentum, LosesEnergyToADamper) {
  const Model m = model("pendulum-cartesian-damped");
  expect_all(law::order(m.system, Scheme::named("energy_momentum"), m.start, {.step = m.span.step}));
  const auto damped = run<double>(m.system.with("torque", 0), Scheme::named("energy_momentum"), m.start,
                                  {.step = m.span.step, .until = 20});
  EXPECT_LT(damped.column("energy").back(), damped.column("energy").front() - 1);
}

// Third derivatives of g enter the step and its derivative.
System quartic() {
  System s("quartic");
  const auto q = s.coordinates("x", "y", "z");
  s.kinetic(
      q, [](const auto&, const auto& v) { return 0.5 * (v[0] * v[0] + 2 * v[1] * v[1] + v[2] * v[2] + v[0] * v[1]); });
  s.potential(q, [](const auto& x) { return 0.5 * x[2] * x[2] + 0.3 * x[0] * x[0] * x[1]; });
  s.constraint("ball", q, [](const auto& x) { return x[0] * x[0] * x[0] * x[0] + x[1] * x[1] + exp(x[2]) - 2; });
  return s;
}
Start on_quartic() { return {.q = {1, 0, 0}, .v = {"-0.25", "0.5", 1}}; }

TEST(Ggl, CarriesConstraintsThatAreNotQuadratic) {
  const System s = quartic();
  const CheckOptions options{.step = "0.05", .long_steps = 200};
  for (const char* name : {"ggl", "adjoint(ggl)", "ggl(2)", "livens(1)", "livens(2)", "livens(3)"}) {
    const Scheme scheme = Scheme::named(name);
    expect_all(law::order(s, scheme, on_quartic(), options));
    expect_all(
        {law::symplecticity(s, scheme, on_quartic(), options), law::reversibility(s, scheme, on_quartic(), options),
         law::adjointness(s, scheme, on_quartic(), options), law::variational_order(s, scheme, on_quartic(), options)});
    expect_all(law::constraints(s, scheme, on_quartic(), options));
  }
  const Scheme conserving = Scheme::named("energy_momentum");
  expect_all(law::order(s, conserving, on_quartic(), options));
  const auto run_of = run<double>(s, conserving, on_quartic(), {.step = "0.05", .until = 50});
  EXPECT_EQ(run_of.status, Status::complete) << run_of.reason;
  // E is near 1 and |x^2 y| below 2: T and V never exceed 3 together.
  EXPECT_LE(run_of.energy_max_error, 64 * Scalar<double>::epsilon * 3 * std::sqrt(1000.0));
}

TEST(Ggl, CarriesConstraintsThatDependOnTime) {
  for (const char* place : {"pendulum-cartesian-moving-pivot", "pendulum-cartesian-varying-length"}) {
    const Model m = model(place);
    const CheckOptions options{.step = "0.05"};
    for (const char* name : {"ggl", "ggl(2)", "livens(2)"}) {
      const Scheme scheme = Scheme::named(name);
      expect_all(law::order(m.system, scheme, m.start, options));
      expect_all({law::symplecticity(m.system, scheme, m.start, options),
                  law::reversibility(m.system, scheme, m.start, options),
                  law::adjointness(m.system, scheme, m.start, options)});
    }
  }
}

TEST(Ggl, CarriesForces) {
  const Model m = model("pendulum-cartesian-damped");
  for (const char* name : {"ggl", "adjoint(ggl)", "ggl(2)", "livens(2)"}) {
    const Scheme scheme = Scheme::named(name);
    expect_all(law::order(m.system, scheme, m.start, {.step = m.span.step}));
    expect_all({law::adjointness(m.system, scheme, m.start, {.step = m.span.step})});
  }
}

TEST(Ggl, OnlyTheCorrectedSchemeIsSymplectic) {
  const by_hand::Pendulum pendulum;
  by_hand::State at{{quad(48) / 100, quad(36) / 100, quad(-8) / 10}, {quad(-88) / 100, quad(184) / 100, quad(3) / 10}};
  at = by_hand::projected(at);
  const auto defect = [&](by_hand::Variant variant, quad h) {
    return static_cast<double>(by_hand::symplecticity_defect(
        at, [&](const by_hand::State& s) { return by_hand::ggl(pendulum, s, h, variant); }));
  };
  const quad h = quad(1) / 20;
  const double floor = 1e-18;  // central differences of 2^-36: 2^-72 = 2e-22 times third derivatives
  EXPECT_LE(defect(by_hand::Variant::variational, h), floor);
  for (const auto variant : {by_hand::Variant::printed, by_hand::Variant::classical}) {
    EXPECT_GT(defect(variant, h), 1e12 * floor);
    EXPECT_GT(defect(variant, h / 2), 1e12 * floor);
  }
}

}  // namespace
}  // namespace extremal::livens_test
