#include "extremal/check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "check/probe.hpp"
#include "extremal/error.hpp"
#include "extremal/models.hpp"

namespace extremal::check_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

struct Motion {
  std::vector<State<quad>> states;
  std::vector<quad> actions, energies;
};

Motion motion(const Model& m, const char* scheme, quad step, int steps) {
  Stepper<quad> stepper(m.system, Scheme::named(scheme));
  stepper.start(m.start, step);
  Motion result{{stepper.state()}, {}, {}};
  for (int k = 0; k < steps; ++k) {
    EXPECT_TRUE(stepper.step(step).converged);
    result.states.push_back(stepper.state());
    result.actions.push_back(stepper.action());
    result.energies.push_back(stepper.observe().energy());
  }
  return result;
}

double spread(const std::vector<quad>& x) {
  const auto [least, most] = std::minmax_element(x.begin(), x.end());
  return static_cast<double>(*most - *least);
}

// [LewMata2016, figs. 15 and 16]: momentum first, then position, conserves p^2 + 10 x^2 - 10 h x p with x = q - 1.
TEST(ModifiedEnergy, IsTheQuadraticInvariantOfTheOscillator) {
  const quad h = Number("0.1").as<quad>();
  for (const char* name : {"rectangle(0)", "rectangle(1)"}) {
    const Motion m = motion(model("oscillator"), name, h, 200);
    EXPECT_GT(spread(m.energies), 0.5) << name;
    // The two rectangle rules update p first and q first.
    const quad sign = name == std::string("rectangle(0)") ? quad(-1) : quad(1);
    for (const int reach : {1, 2, 5}) {
      const std::vector<quad> modified = modified_energy(m.states, m.actions, h, reach);
      ASSERT_EQ(modified.size(), m.states.size() - 2 * static_cast<std::size_t>(reach));
      // Sums of a few products of size 5 / h.
      EXPECT_LT(spread(modified), static_cast<double>(Scalar<quad>::epsilon) * 64 * 5 / 0.1) << name << ", " << reach;
      quad ratio = 0;
      for (std::size_t i = 0; i < modified.size(); ++i) {
        const State<quad>& s = m.states[i + static_cast<std::size_t>(reach)];
        const quad x = s.q[0] - quad(1), p = s.p[0];
        const quad invariant = p * p + quad(10) * x * x + sign * quad(10) * h * x * p;
        if (i == 0) ratio = modified[i] / invariant;
        EXPECT_LT(static_cast<double>(math::abs(modified[i] / invariant / ratio - quad(1))), 1e-31) << name;
      }
      EXPECT_NEAR(static_cast<double>(ratio), 0.5, 0.1) << name;
    }
  }
}

TEST(ModifiedEnergy, FluctuatesAtAHigherOrderThanTheEnergy) {
  for (const char* name : {"hoop", "pendulum"}) {
    const Model m = model(name);
    double energy[2], modified[2];
    for (const int k : {0, 1}) {
      const int steps = 100 << k;
      const quad h = quad(1) / quad(steps);
      const Motion whole = motion(m, "rattle", h, steps);
      energy[k] = spread(whole.energies);
      modified[k] = spread(modified_energy(whole.states, whole.actions, h, 2));
    }
    EXPECT_NEAR(std::log2(energy[0] / energy[1]), 2, 0.25) << name;
    EXPECT_NEAR(std::log2(modified[0] / modified[1]), 4, 0.25) << name;
    EXPECT_LT(modified[0], 0.1 * energy[0]) << name;
  }
}

// What an estimate with the best number of nodes leaves of the changes falls faster than any power of h, as the bound
// exp(-h0 / 2h) says; [LewMata2016, section 3.5] prints exp(h0 / 2h), which grows.
TEST(ModifiedEnergy, IsKeptBetterThanAnyPowerOfTheStep) {
  std::vector<double> best;
  for (const int steps : {5, 10, 20}) {
    const quad h = quad(1) / quad(steps);
    const Motion m = motion(model("hoop"), "rattle", h, 4 * steps);
    double least = spread(m.energies);
    for (int reach = 1; 2 * reach < 4 * steps - 1 && reach <= 12; ++reach)
      least = std::min(least, spread(modified_energy(m.states, m.actions, h, reach)));
    best.push_back(least);
  }
  EXPECT_GT(std::log2(best[1] / best[2]), 1.5 * std::log2(best[0] / best[1]));
}

// The estimate knows the scheme through its action: with another action it is no steadier than the energy.
TEST(ModifiedEnergy, NeedsTheActionOfTheScheme) {
  const quad h = quad(1) / quad(50);
  Motion m = motion(model("hoop"), "rattle", h, 100);
  const double right = spread(modified_energy(m.states, m.actions, h, 4));
  m.actions = motion(model("hoop"), "midpoint", h, 100).actions;
  EXPECT_GT(spread(modified_energy(m.states, m.actions, h, 4)), 100 * right);
}

TEST(ModifiedEnergy, RefusesShortMotions) {
  const Motion m = motion(model("hoop"), "rattle", quad(0.125), 4);
  EXPECT_NO_THROW(modified_energy(m.states, m.actions, quad(0.125), 2));
  EXPECT_THROW(modified_energy(m.states, m.actions, quad(0.125), 3), InputError);
  EXPECT_THROW(modified_energy(m.states, m.actions, quad(0.125), 0), InputError);
  EXPECT_THROW(modified_energy(m.states, {}, quad(0.125), 1), InputError);
}

TEST(Certificate, SaysHoldsInItsLastLine) {
  const Model m = model("pendulum");
  const Certificate c = check(m.system, Scheme::named("rattle"), m.start, {.step = m.span.step, .long_steps = 200});
  EXPECT_TRUE(c.holds()) << c.text();
  EXPECT_EQ(c.model, "pendulum");
  EXPECT_EQ(c.scheme, "rattle");
  EXPECT_THAT(c.text(), EndsWith("\nholds\n"));
  for (const char* law : {"order of q", "order of p", "order of lambda", "variational order", "symplecticity",
                          "reversibility", "adjointness", "constraints", "hidden constraints", "energy drift",
                          "modified energy", "derivatives of \"rod\""})
    EXPECT_THAT(c.text(), HasSubstr(std::string("\n") + law + " ")) << law;
}

TEST(Certificate, NamesWhatFails) {
  Certificate c{"model", "scheme", "quad", {}};
  EXPECT_TRUE(c.holds());
  c.laws = {{"first", "yes", "yes", 0, 0, true},
            {"a second, longer", "4", "3.01", 0.99, 0.25, false},
            {"third", "yes", "no: 1.0e-03", 1e-3, 1e-15, false}};
  EXPECT_FALSE(c.holds());
  EXPECT_THAT(c.text(), EndsWith("\nfails: a second, longer, third\n"));
  // Columns are aligned and no line ends in blanks.
  std::istringstream lines(c.text());
  std::string line;
  std::vector<std::string> all;
  while (std::getline(lines, line)) all.push_back(line);
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[0], "model, scheme (quad)");
  const std::size_t declared = all[1].find("declared");
  EXPECT_EQ(all[2].find("yes"), declared);
  EXPECT_EQ(all[3].find("4"), declared);
  for (const std::string& text : all) EXPECT_NE(text.back(), ' ');
}

TEST(Check, IsTheSameEveryTime) {
  const Model m = model("two-particles");
  const auto text = [&] {
    return check(m.system, Scheme::named("spark(2)"), m.start, {.step = m.span.step, .long_steps = 100}).text();
  };
  EXPECT_EQ(text(), text());
}

TEST(Check, RefusesBadInput) {
  const Model m = model("pendulum");
  EXPECT_THROW(check(m.system, Scheme::named("rattle"), {.q = {1}}), InputError);
  EXPECT_THROW(law::derivatives(m.system, {.q = {1}}), InputError);
  EXPECT_THROW(check(m.system, Scheme::named("rattle"), m.start, {.step = 0}), InputError);
  EXPECT_THROW(check(m.system, Scheme::named("rattle"), m.start, {.step = "0.1", .long_steps = 0}), InputError);
}

// Trouble with a step is a law that does not hold, never an exception.
TEST(Check, ReportsStepsThatAreNotSolved) {
  const Model m = model("pendulum");
  const Certificate c = check(m.system, Scheme::named("spark(2)"), m.start, {.step = 5, .long_steps = 20});
  EXPECT_FALSE(c.holds());
  EXPECT_THAT(c.text(), HasSubstr("is not solved"));
}

// Forces do work and time-dependent systems have no energy to conserve; the rest is held.
TEST(Check, KnowsForcesAndTime) {
  System driven("driven");
  const auto angle = driven.coordinates("phi");
  driven.kinetic(angle, [](const auto&, const auto& v) { return 0.5 * v[0] * v[0]; });
  driven.potential(angle, [](const auto& q, const auto& t) { return -cos(q[0]) * (1 + 0.5 * cos(2 * t)); }, time);
  const Start start{.q = {1}, .v = {"0.3"}};
  const auto law = [](const Certificate& c, const std::string& name) {
    return *std::find_if(c.laws.begin(), c.laws.end(), [&](const Law& l) { return l.name == name; });
  };
  const Certificate timed = check(driven, Scheme::named("spark(2)"), start, {.long_steps = 100});
  EXPECT_TRUE(timed.holds()) << timed.text();
  EXPECT_EQ(law(timed, "energy drift").declared, "-");
  EXPECT_EQ(law(timed, "symplecticity").measured, "yes");

  driven.force("friction", angle, [](const auto&, const auto& v) { return rows(-0.25 * v[0]); });
  const Certificate damped = check(driven, Scheme::named("spark(2)"), start, {.long_steps = 100});
  EXPECT_TRUE(damped.holds()) << damped.text();
  EXPECT_EQ(law(damped, "symplecticity").declared, "-");
  EXPECT_EQ(law(damped, "symplecticity").measured, "not asked: forces do work");  // the flow contracts
  EXPECT_EQ(law(damped, "reversibility").measured, "yes");  // the method is symmetric all the same
}

// The length of the rod is prescribed: g depends on time.
TEST(Check, KnowsConstraintsThatMove) {
  System winch("winch");
  const auto ball = winch.coordinates("x", "y");
  winch.kinetic(ball, [](const auto&, const auto& v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  winch.potential(ball, [](const auto& q) { return q[1] + 0.25 * pow(q[0], 4); });
  winch.constraint(
      "rod", ball,
      [](const auto& q, const auto& t) {
        const auto length = 1 + 0.25 * sin(t);
        return 0.5 * (q[0] * q[0] + q[1] * q[1] - length * length);
      },
      time);
  const Certificate c =
      check(winch, Scheme::named("spark(2)"), {.q = {"0.6", "-0.8"}, .v = {"0.95", "0.4"}}, {.long_steps = 100});
  EXPECT_TRUE(c.holds()) << c.text();
}

TEST(Law, OrderOfALinearSystemMayBeHigher) {
  const Model m = model("oscillator");
  const std::vector<Law> laws = law::order(m.system, Scheme::named("rectangle(0)"), m.start, {.step = m.span.step});
  ASSERT_EQ(laws.size(), 2u);  // no constraints, no lambda
  EXPECT_TRUE(laws[0].holds);
  EXPECT_TRUE(laws[1].holds);
}

TEST(Law, OrderOfAFreeParticleIsExact) {
  System free("free");
  const auto x = free.coordinates("x");
  free.kinetic(x, [](const auto&, const auto& v) { return 0.5 * v[0] * v[0]; });
  for (const Law& law : law::order(free, Scheme::named("midpoint"), {.q = {1}, .v = {2}})) {
    EXPECT_TRUE(law.holds);
    EXPECT_THAT(law.measured, HasSubstr("exact"));
  }
}

// The reference has to be better than what it measures, and the slope has to have settled: 5.56 was said here once.
TEST(Check, OrdersAreTakenWhereTheyHaveSettled) {
  const Model m = model("double-pendulum-3d");
  for (const Law& law : law::order(m.system, Scheme::named("spark(3)"), m.start))
    EXPECT_TRUE(law.holds) << law.name << ": " << law.measured;
}

// Beyond the stability limit h = 2 of the oscillator the energy grows without bound, at a slope that its own scatter
// hides.
TEST(Check, AnEnergyThatGrowsWithoutBoundFails) {
  System s("oscillator");
  const auto x = s.coordinates("x");
  s.kinetic(x, [](const auto&, const auto& v) { return 0.5 * v[0] * v[0]; });
  s.potential(x, [](const auto& q) { return 0.5 * q[0] * q[0]; });
  const Start start{.q = {1}, .v = {0}};
  const Law beyond = law::energy(s, Scheme::named("rattle"), start, {.step = "2.0005"});
  EXPECT_TRUE(beyond.fails()) << beyond.measured;
  const Law below = law::energy(s, Scheme::named("rattle"), start, {.step = "0.5"});
  EXPECT_TRUE(below.holds) << below.measured;
}

// Errors at steps that are halved, by the slopes between them.
Law law_of(const std::vector<double>& slopes) {
  laws::Slope slope(6);
  quad error = 1;
  slope.add(error, quad(1e-30));
  for (const double s : slopes) slope.add(error /= math::pow(quad(2), quad(s)), quad(1e-30));
  return slope.law("order of q", false);
}

TEST(Check, TellsNotMeasurableFromWrong) {
  EXPECT_TRUE(law_of({5.2, 5.97, 5.99}).holds);
  EXPECT_TRUE(law_of({5, 5, 5}).fails());
  EXPECT_TRUE(law_of({8, 8, 8}).fails());          // super-convergent is wrong, too
  EXPECT_FALSE(law_of({5, 5.4, 5.6}).measurable);  // on its way
  EXPECT_FALSE(law_of({5.50, 5.54, 5.58}).measurable);
  EXPECT_FALSE(law_of({5}).measurable);
  const Certificate open{"m", "s", "quad", {law_of({5, 5.4, 5.6})}}, wrong{"m", "s", "quad", {law_of({5, 5, 5})}};
  EXPECT_TRUE(open.holds());
  EXPECT_THAT(open.text(), testing::HasSubstr("not measurable at this step: order of q"));
  EXPECT_FALSE(wrong.holds());
}

}  // namespace
}  // namespace extremal::check_test
