// Coordinates without inertia, as directors whose Euler moment vanishes: energy_momentum conserves the energy of its
// own momenta, which leave the tangent space; what needs the inverse of the mass is refused by name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "extremal/mechanism.hpp"
#include "extremal/models.hpp"
#include "extremal/run.hpp"
#include "refusal.hpp"

namespace extremal::singular_mass_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// The heavy top of Brüls and Cardona: the moments of its principal axes are J, 2 J, J.
Mechanism heavy_top(const Numbers& inertia = {"0.234375", "0.46875", "0.234375"}) {
  Mechanism m("heavy top");
  m.gravity(0, 0, "-9.81");
  const Body top = m.body("top", {.mass = 15, .inertia = inertia});
  m.place(top, {.position = {0, 1, 0}, .velocity = {"4.61538", 0, 0}, .angular_velocity = {0, 150, "-4.61538"}});
  m.spherical("tip", m.ground(0, 0, 0), top.at(0, -1, 0));
  return m;
}

double energy_error(const System& system, const Start& start, const char* step) {
  const auto r = run(system, "energy_momentum", start, {.step = step, .until = "0.1"});
  EXPECT_EQ(r.status, Status::complete) << r.reason;
  EXPECT_GT(r.energy_range, 1e-3);
  return r.energy_max_error / r.energy_initial;
}

TEST(SingularMass, EnergyOfTheHeavyTopIsConservedToRoundOff) {
  for (const char* step : {"0.001", "0.002"}) {
    EXPECT_LT(energy_error(heavy_top().system(), heavy_top().start(), step), 1e-12);  // was 6e-8 at 0.001
    const Mechanism other = heavy_top({"0.1", "0.3", "0.2"});                         // up to round-off of its numbers
    EXPECT_LT(energy_error(other.system(), other.start(), step), 1e-12);
    const Mechanism regular = heavy_top({"0.25", "0.46875", "0.234375"});
    EXPECT_LT(energy_error(regular.system(), regular.start(), step), 1e-12);
  }
}

TEST(SingularMass, WhatNeedsItsInverseIsRefusedByName) {
  const Mechanism m = heavy_top();
  for (const char* scheme : {"phase_space(1)", "phase_space(2)", "phase_space(2, continuity=q_continuous)", "ggl",
                             "ggl(2)", "adjoint(ggl)", "compose(0.5:phase_space(1), 0.5:rattle)"})
    EXPECT_THAT(refusal([&] {
                  Stepper<double> stepper(m.system(), Scheme::named(scheme));
                  stepper.start(m.start());
                }),
                AllOf(HasSubstr("heavy top: coordinate \"top.d2x\" has no inertia of its own"),
                      HasSubstr(Scheme::named(scheme).name), HasSubstr("try rattle")))
        << scheme;
  for (const char* scheme : {"rattle", "spark(2)", "energy_momentum", "lie(trapezoidal)", "livens(2)"}) {
    Stepper<double> stepper(m.system(), Scheme::named(scheme));
    stepper.start(m.start());
    EXPECT_TRUE(stepper.step(0.001).converged) << scheme;
  }
}

// x and y move together, and only their sum has inertia: no kinetic energy belongs to a momentum off the tangent space.
TEST(SingularMass, ACombinationWithoutInertiaIsRefused) {
  const Model m = read_model_text(
      "coordinates = ['x', 'y', 'z']\nkinetic = \"(x' + y')^2/2 + z'^2/2\"\npotential = '9.81*(x + y)'\n"
      "[[constraint]]\nname = 'rod'\nformula = '(x^2 + z^2 - 1)/2'\n"
      "[[constraint]]\nname = 'wire'\nformula = 'x - y'\n[start]\nz = 1\n",
      "sum.toml");
  for (const char* scheme : {"energy_momentum", "energy_momentum(ggl)", "ggl", "phase_space(1)"})
    EXPECT_THAT(refusal([&] {
                  Stepper<double> stepper(m.system, Scheme::named(scheme));
                  stepper.start(m.start);
                }),
                HasSubstr("a combination of coordinates has no inertia of its own"))
        << scheme;
  for (const char* scheme : {"rattle", "livens(2)"}) {
    Stepper<double> stepper(m.system, Scheme::named(scheme));
    stepper.start(m.start);
    EXPECT_TRUE(stepper.step(0.01).converged) << scheme;
  }
}

// livens(s) asks for L_vv where G v = 0 only: the same motion as that of spark(3), at its own order.
TEST(SingularMass, IsCarriedByPolynomialsOfTheGglPrinciple) {
  const Mechanism top = heavy_top();
  const auto places = [&](const char* scheme, const char* step) {
    const auto all = run<quad>(top.system(), scheme, top.start(), {.step = step, .until = "0.02"});
    EXPECT_EQ(all.status, Status::complete) << all.reason;
    return std::array<quad, 3>{all.column("top.x").back(), all.column("top.y").back(), all.column("top.z").back()};
  };
  const auto exact = places("spark(5)", "0.0005");
  const auto error = [&](const char* step) {
    const auto found = places("livens(2)", step);
    double worst = 0;
    for (std::size_t i = 0; i < 3; ++i) worst = std::max(worst, static_cast<double>(math::abs(found[i] - exact[i])));
    return worst;
  };
  const double coarse = error("0.001"), fine = error("0.0005");
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.25) << fine;
}

}  // namespace
}  // namespace extremal::singular_mass_test
