// A scheme is one family with its data; what others ask of it is declared, for compositions too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "extremal/stepper.hpp"
#include "refusal.hpp"
#include "scheme/family.hpp"

namespace extremal::scheme_method_test {
namespace {

Declared declared(const char* name) { return Scheme::named(name).declared; }

TEST(SchemeMethod, IsOneFamily) {
  for (const Scheme& scheme : registry()) {
    const int held = (scheme.as<Galerkin>() != nullptr) + (scheme.as<PhaseSpace>() != nullptr) +
                     (scheme.as<Livens>() != nullptr) + (scheme.as<LieGroup>() != nullptr) +
                     (scheme.as<Composition>() != nullptr);
    EXPECT_EQ(held, 1) << scheme.name;
    EXPECT_EQ(scheme.composed(), !scheme.substeps().empty()) << scheme.name;
  }
}

TEST(SchemeMethod, IsWhatSchemesAreComparedBy) {
  EXPECT_TRUE(Scheme::named("spark(3)") == Scheme::named("galerkin(3, gauss(3), w=3, closure=hidden)"));
  EXPECT_TRUE(Scheme::named("ggl(4)") == Scheme::named("suzuki(4, ggl(2))"));
  EXPECT_FALSE(Scheme::named("rattle") == Scheme::named("shake"));
  EXPECT_FALSE(Scheme::named("lie(trapezoidal)") == Scheme::named("trapezoidal"));
  EXPECT_FALSE(Scheme::named("suzuki(4, rattle)") == Scheme::named("suzuki(4, midpoint)"));
  EXPECT_FALSE(Scheme::named("compose(0.4:rattle, 0.6:rattle)") == Scheme::named("compose(0.6:rattle, 0.4:rattle)"));
  for (const Scheme& scheme : registry()) {
    EXPECT_FALSE(perturbed(scheme, 1e-3) == scheme) << scheme.name;
    EXPECT_TRUE(perturbed(perturbed(scheme, 1e-3), 0) == scheme) << scheme.name;
  }
}

TEST(SchemeMethod, DeclaresWhatTheEndOfAStepIs) {
  EXPECT_EQ(declared("rattle").multiplier, EndMultiplier::own);
  EXPECT_EQ(declared("shake").multiplier, EndMultiplier::late);
  for (const char* name : {"trapezoidal", "phase_space(2)", "ggl", "lie(trapezoidal)", "suzuki(4, rattle)"})
    EXPECT_EQ(declared(name).multiplier, EndMultiplier::acceleration) << name;
  for (const char* name : {"shake", "galerkin(2, gauss(2), closure=given_lambda0)"})
    EXPECT_EQ(declared(name).momentum, EndMomentum::bare) << name;
  EXPECT_EQ(declared("energy_momentum").momentum, EndMomentum::near);
  // The last substep says; but what one of them gathers stays.
  EXPECT_EQ(declared("compose(0.5:energy_momentum, 0.5:ggl)").momentum, EndMomentum::tangent);
  EXPECT_EQ(declared("adjoint(compose(0.5:energy_momentum, 0.5:ggl))").momentum, EndMomentum::near);
  EXPECT_EQ(declared("compose(0.5:phase_space(1, projection=off), 0.5:phase_space(1))").momentum,
            EndMomentum::drifting);
  EXPECT_TRUE(declared("phase_space(1)").error_estimate);
  EXPECT_FALSE(declared("compose(0.5:phase_space(1), 0.5:phase_space(1))").error_estimate);
}

TEST(SchemeMethod, NeedsWhatItsSubstepsNeed) {
  const Needs needs = declared("compose(0.5:phase_space(3), 0.5:ggl)").needs;
  EXPECT_TRUE(needs.lagrangian && needs.constant_mass && needs.regular_mass && needs.inertia && needs.independence);
  EXPECT_FALSE(needs.bodies);
  EXPECT_EQ(declared("compose(0.5:phase_space(3), 0.5:ggl)").degree, 3);
  EXPECT_FALSE(declared("suzuki(4, phase_space(1, continuity=q_continuous))").needs.lagrangian);
  EXPECT_TRUE(declared("suzuki(4, lie(trapezoidal))").needs.bodies);
}

// A member of lie among others had the data of some hamilton member there.
TEST(SchemeMethod, RefusesAHamiltonianToMembersThatNeedALagrangian) {
  System spring("spring");
  spring.hamiltonian(spring.coordinates("x"),
                     [](const auto& q, const auto& p) { return 0.5 * (p[0] * p[0] + q[0] * q[0]); });
  EXPECT_EQ(refusal([&] { Stepper<double>(spring, Scheme::named("phase_space(1)")); }), "");
  for (const char* other : {"lie(trapezoidal)", "midpoint", "ggl"})
    EXPECT_THAT(refusal([&] {
                  Stepper<double>(spring, Scheme::named(std::string("compose(0.5:phase_space(1), 0.5:") + other + ")"));
                }),
                testing::HasSubstr("needs kinetic and potential terms or a Lagrangian"))
        << other;
}

TEST(SchemeMethod, OfRotationsHasTheSameOnDirectors) {
  EXPECT_TRUE(on_rotations(Scheme::named("kahan_li(6, lie(trapezoidal))")));
  EXPECT_FALSE(on_rotations(Scheme::named("rattle")));
  EXPECT_TRUE(on_directors(Scheme::named("lie(trapezoidal)")) == Scheme::named("rattle"));
  const Scheme whole = on_directors(Scheme::named("suzuki(4, lie(trapezoidal))"));
  EXPECT_TRUE(whole == Scheme::named("suzuki(4, rattle)"));
  EXPECT_FALSE(whole.declared.needs.bodies);
  EXPECT_EQ(whole.name, "suzuki(4, lie(trapezoidal)) on directors");
}

TEST(SchemeMethod, OfGglHasAStandIn) {
  EXPECT_STREQ(stand_in(Scheme::named("ggl")), "alpha(0)");
  EXPECT_STREQ(stand_in(Scheme::named("adjoint(ggl)")), "alpha(1)");
  for (const char* name : {"energy_momentum", "rattle", "ggl(2)"})
    EXPECT_EQ(stand_in(Scheme::named(name)), nullptr) << name;
}

}  // namespace
}  // namespace extremal::scheme_method_test
