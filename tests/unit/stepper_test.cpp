#include "extremal/stepper.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

#include <array>
#include <atomic>
#include <cstdlib>
#include <new>

#include "extremal/error.hpp"
#include "extremal/models.hpp"
#include "formula/formulas.hpp"
#include "lie/rod_kernel.hpp"

// Counts every allocation of the program, so that a test can hold that a step makes none.
static std::atomic<long> allocations{0};

[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size == 0 ? 1 : size)) return p;
  throw std::bad_alloc();
}
// The one that algorithms with a temporary buffer use.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace extremal::stepper_test {
namespace {

class EveryKind : public testing::TestWithParam<const char*> {};

TEST_P(EveryKind, StepAllocatesNothing) {
  for (const char* name : {"pendulum", "triple-pendulum", "hoop"}) {
    const Model m = model(name);
    Stepper<double> stepper(m.system, Scheme::named(GetParam()));
    stepper.start(m.start);
    ASSERT_TRUE(stepper.step(0.01).converged) << name;
    const long before = allocations;
    for (int k = 0; k < 20; ++k) ASSERT_TRUE(stepper.step(0.01).converged) << name;
    EXPECT_EQ(allocations - before, 0) << name;
  }
  // The counter counts: a direct call, which no compiler may leave out.
  const long before = allocations;
  ::operator delete(::operator new(16));
  EXPECT_EQ(allocations - before, 1);
}

TEST(RodStep, AllocatesNothingWithAnyNumberOfThreads) {
  lie::Rod<double> rod;
  for (int i = 0; i <= 1000; ++i) rod.positions.push_back({0.01 * i, 0, 0}), rod.rotations.push_back({1, 0, 0, 0});
  rod.sections = {{1, {2, 1, 1}, {1, 1, 1, 1, 1, 1}}};
  lie::RodKernel<double> kernel({rod});
  kernel.gravity({0, 0, -9.81});
  for (const int threads : {1, 3}) {
    kernel.threads(threads);
    kernel.begin(1e-3);
    ASSERT_TRUE(kernel.step(1e-3));
    const long before = allocations;
    for (int k = 0; k < 20; ++k) ASSERT_TRUE(kernel.step(1e-3));
    EXPECT_EQ(allocations - before, 0) << threads;
  }
}

// The livens family needs a constant mass; third derivatives and discrete derivatives have workspaces of their own.
TEST(LivensStep, AllocatesNothing) {
  for (const char* place : {"six-balls", "pendulum-cartesian-moving-pivot", "pendulum-cartesian-damped"})
    for (const char* name : {"ggl", "ggl(4)", "livens(2)", "energy_momentum"}) {
      const Model m = model(place);
      Stepper<double> stepper(m.system, Scheme::named(name));
      stepper.start(m.start);
      stepper.step(0.01);
      const long before = allocations;
      bool converged = true;
      for (int k = 0; k < 5; ++k) converged = stepper.step(0.01).converged && converged;
      EXPECT_EQ(allocations - before, 0) << place << " " << name;
      EXPECT_TRUE(converged) << place << " " << name;
    }
}

// Formulas small enough for a frame on the stack, and one that is not.
TEST(FormulaStep, AllocatesNothing) {
  System s("text");
  s.coordinates("x", "y");
  Formulas f(s);
  std::string long_sum = "9.81*y";
  for (int k = 1; k < 300; ++k)
    long_sum += "+ sin(x + " + std::to_string(k) + ")*cos(y - " + std::to_string(k) + ")/1000";
  f.add(Role::kinetic, "(x'^2 + y'^2)/2");
  f.add(Role::potential, long_sum);
  f.add(Role::constraint, "rod", {"x^2 + y^2 - 1"});
  for (const char* name : {"rattle", "spark(2)", "midpoint"}) {
    Stepper<double> stepper(s, Scheme::named(name));
    stepper.start({.q = {"0.6", "-0.8"}});
    ASSERT_TRUE(stepper.step(0.01).converged) << name;
    const long before = allocations;
    for (int k = 0; k < 5; ++k) ASSERT_TRUE(stepper.step(0.01).converged) << name;
    EXPECT_EQ(allocations - before, 0) << name;
  }
}

// Large enough for the block elimination; loops, and redundant constraints in two of them.
constexpr std::array mechanisms = {"chain-spatial(20)", "four-bar-spatial", "bennett", "four-bar-chain(10)"};

TEST(Mechanisms, StepsAllocateNothing) {
  for (const char* place : mechanisms)
    for (const char* name : {"rattle", "spark(2)", "man(LGG, 3)", "suzuki(4, rattle)", "ggl(2)", "energy_momentum"}) {
      const Model m = model(place);
      Stepper<double> stepper(m.system, Scheme::named(name));
      stepper.start(m.start);
      stepper.step(0.005);
      const long before = allocations;
      bool converged = true;
      for (int k = 0; k < 5; ++k) converged = stepper.step(0.005).converged && converged;
      EXPECT_EQ(allocations - before, 0) << place << " " << name;
      EXPECT_TRUE(converged) << place << " " << name;
    }
}

TEST(Mechanisms, CheckpointsContinueBitForBit) {
  for (const char* place : mechanisms)
    for (const char* name : {"rattle", "spark(3)", "ggl(2)"}) {
      const Model m = model(place);
      const Scheme scheme = Scheme::named(name);
      Stepper<double> whole(m.system, scheme), broken(m.system, scheme);
      whole.start(m.start);
      for (int k = 0; k < 5; ++k) whole.step(0.01);
      broken.restore(whole.save());
      for (int k = 0; k < 5; ++k) whole.step(0.01);
      for (int k = 0; k < 5; ++k) broken.step(0.01);
      EXPECT_EQ(whole.state().q, broken.state().q) << place << " " << name;
      EXPECT_EQ(whole.state().p, broken.state().p) << place << " " << name;
    }
}

TEST_P(EveryKind, CheckpointsContinueBitForBit) {
  const Model m = model("triple-pendulum");
  const Scheme scheme = Scheme::named(GetParam());
  Stepper<double> whole(m.system, scheme), broken(m.system, scheme);
  whole.start(m.start);
  for (int k = 0; k < 7; ++k) whole.step(0.03);
  const Checkpoint<double> saved = whole.save();
  for (int k = 0; k < 11; ++k) whole.step(0.03);
  broken.restore(saved);
  for (int k = 0; k < 11; ++k) broken.step(0.03);
  EXPECT_EQ(whole.state().t, broken.state().t);
  EXPECT_EQ(whole.state().q, broken.state().q);
  EXPECT_EQ(whole.state().p, broken.state().p);
}

TEST_P(EveryKind, ObservingDoesNotChangeTheMotion) {
  const Model m = model("pendulum");
  const Scheme scheme = Scheme::named(GetParam());
  Stepper<double> watched(m.system, scheme), alone(m.system, scheme);
  watched.start(m.start);
  alone.start(m.start);
  for (int k = 0; k < 9; ++k) {
    watched.observe();
    if (k > 0 && scheme.declared.on_manifold) watched.tangent();
    watched.step(0.05);
    alone.step(0.05);
  }
  EXPECT_EQ(watched.state().q, alone.state().q);
  EXPECT_EQ(watched.state().p, alone.state().p);
}

INSTANTIATE_TEST_SUITE_P(Schemes, EveryKind,
                         testing::Values("rattle", "shake", "spark(3)", "lobatto(3)", "man(LGG, 3)", "man(ELL, 4)",
                                         "radau_constraint(2)", "suzuki(4, rattle)",
                                         "galerkin(2, gauss(2), closure=given_lambda0)"));

// Compensated summation: plain double loses 1.4e-12 of the momentum here, see docs/validation.md.
TEST(Stepper, MomentumAboutTheVertical) {
  for (const char* name : {"spherical-pendulum", "double-pendulum-3d"})
    for (const char* scheme : {"rattle", "spark(2)", "spark(3)"}) {
      const Model m = model(name);
      Stepper<double> stepper(m.system, Scheme::named(scheme));
      stepper.start(m.start);
      Observation<double> seen;
      stepper.observe(seen, false);
      const double first = seen.momenta[0];
      double worst = 0;
      for (int k = 0; k < 100000; ++k) {
        ASSERT_TRUE(stepper.step(0.01).converged);
        stepper.observe(seen, false);
        worst = std::max(worst, std::fabs(seen.momenta[0] - first));
      }
      EXPECT_LT(worst, 1e-13) << name << " " << scheme;
      EXPECT_GT(std::fabs(first), 0.1);
    }
}

TEST(Stepper, FailureNamesTheRowAndKeepsTheState) {
  const Model m = model("pendulum");
  Stepper<double> stepper(m.system, Scheme::named("rattle"));
  stepper.start(m.start);
  stepper.step(0.01);
  const State<double> before = stepper.state();
  const StepReport report = stepper.step(5.0);  // the parabola misses the circle by far
  EXPECT_FALSE(report.converged);
  EXPECT_NE(report.worst.find("\"rod\""), std::string::npos) << report.worst;
  EXPECT_EQ(stepper.state().q, before.q);
  EXPECT_EQ(stepper.state().p, before.p);
  EXPECT_EQ(stepper.state().t, before.t);
  EXPECT_TRUE(stepper.step(0.01).converged);
}

System doubled_rod(bool doubled) {
  System s("doubled");
  auto ball = s.coordinates("x", "y");
  s.kinetic(ball, [](auto, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  s.potential(ball, [](auto q) { return 9.81 * q[1]; });
  s.constraint("rod", ball, [](auto q) { return q[0] * q[0] + q[1] * q[1] - 1.0; });
  if (doubled) s.constraint("rod again", ball, [](auto q) { return 2.0 * (q[0] * q[0] + q[1] * q[1] - 1.0); });
  return s;
}

// The motion is that of the rod alone; the multipliers are the shortest that give its force.
TEST(Stepper, RedundantConstraintsAreNamedAndCarried) {
  const Start start{.q = {1, 0}, .v = {0, 1}};
  for (const char* scheme : {"rattle", "spark(2)", "spark(3)", "lobatto(3)", "man(LGG, 3)", "kahan_li(6, rattle)"}) {
    Stepper<double> one(doubled_rod(false), Scheme::named(scheme)), two(doubled_rod(true), Scheme::named(scheme));
    EXPECT_EQ(one.start(start).redundant, 0);
    const Consistency found = two.start(start);
    EXPECT_EQ(found.redundant, 1);
    EXPECT_EQ(found.dependent, (std::vector<std::string>{"rod", "rod again"}));
    for (int k = 0; k < 200; ++k) {
      ASSERT_TRUE(one.step(0.02).converged);
      ASSERT_TRUE(two.step(0.02).converged);
    }
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(one.state().q[i], two.state().q[i], 1e-12) << scheme;
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(one.state().p[i], two.state().p[i], 1e-12) << scheme;
    const double lambda = one.observe().lambda[0];
    if (Scheme::named(scheme).composed()) {
      EXPECT_NEAR(two.observe().lambda[0], lambda / 5, 1e-6 * std::fabs(lambda)) << scheme;
      EXPECT_NEAR(two.observe().lambda[1], 2 * lambda / 5, 1e-6 * std::fabs(lambda)) << scheme;
    }
  }
}

TEST(Stepper, ContradictingConstraintsAreRefused) {
  System s = doubled_rod(true);
  auto peg = s.coordinates("z", "w");
  s.kinetic(peg, [](auto, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  s.constraint("short", peg, [](auto q) { return q[0] * q[0] + q[1] * q[1] - 1.0; });
  s.constraint("long", peg, [](auto q) { return q[0] * q[0] + q[1] * q[1] - 1.1; });
  Stepper<double> stepper(s, Scheme::named("rattle"));
  try {
    stepper.start({.q = {1, 0, 1, 0}, .slack = 1});
    FAIL() << "two lengths of one rod were accepted";
  } catch (const InputError& e) {
    const std::string what = e.what();
    EXPECT_TRUE(what.find("\"short\"") != std::string::npos || what.find("\"long\"") != std::string::npos) << what;
  }
}

TEST(Stepper, RefusesWhatItCannotCarry) {
  System s("hamiltonian");
  auto x = s.coordinates("x");
  s.hamiltonian(x, [](auto q, auto p) { return 0.5 * p[0] * p[0] + q[0] * q[0]; });
  EXPECT_THROW(Stepper<double>(s, Scheme::named("rattle")), InputError);
  System empty("empty");
  EXPECT_THROW(Stepper<double>(empty, Scheme::named("rattle")), InputError);
  System massless("massless");
  auto y = massless.coordinates("a", "b");
  massless.kinetic(y, [](auto, auto v) { return v[0] * v[0]; });
  Stepper<double> stepper(massless, Scheme::named("midpoint"));
  try {
    stepper.start({.q = {0, 0}});
    FAIL() << "a coordinate without inertia was accepted";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("\"b\" has no inertia"), std::string::npos) << e.what();
  }
}

TEST(Stepper, DenseOutputMeetsTheEnds) {
  const Model m = model("double-pendulum-3d");
  Stepper<double> stepper(m.system, Scheme::named("spark(3)"));
  stepper.start(m.start);
  const auto q0 = stepper.state().q;
  stepper.step(0.05);
  DensePoint<double> at;
  stepper.dense(0, at);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_DOUBLE_EQ(at.q[i], q0[i]);
  stepper.dense(1, at);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(at.q[i], stepper.state().q[i], 1e-15);
}

}  // namespace
}  // namespace extremal::stepper_test
