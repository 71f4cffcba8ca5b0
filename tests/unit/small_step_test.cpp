// Steps with eliminated stages, against the general kernel: the equations are the same, so that motions agree to
// round-off.
#include <gtest/gtest.h>
#include <algorithm>

#include <cmath>
#include <extremal/extremal.hpp>

#include "kernel/step_engine.hpp"

namespace extremal::small_step_test {
namespace {

// The same system twice: once so that it is recognised as separable, once with its kinetic energy given as a
// Lagrangian, which only the general kernel takes.
enum class Seen { separable, general };

template <class Sites, class F, class... P>
void kinetic(System& s, Seen seen, const Sites& sites, F f, P... p) {
  if (seen == Seen::separable)
    s.kinetic(sites, f, p...);
  else
    s.lagrangian(sites, f, p...);
}

struct Case {
  const char* name;
  System (*make)(Seen);
  Start start;
};

System pendulum(Seen seen) {
  System s("pendulum");
  const auto ball = s.coordinates("x", "y");
  kinetic(s, seen, ball, [](auto, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  s.potential(ball, [](auto q) { return 9.81 * q[1]; });
  s.constraint("rod", ball, [](auto q) { return q[0] * q[0] + q[1] * q[1] - 1.0; });
  return s;
}
// On an ellipse that is not about the origin, with unequal masses: rattle has a closed form.
System ellipse(Seen seen) {
  System s("ellipse");
  const auto ball = s.coordinates("x", "y");
  const auto a = s.parameter("a", 0.3);
  kinetic(s, seen, ball, [](auto, auto v) { return 0.5 * (1.3 * v[0] * v[0] + 0.7 * v[1] * v[1]); });
  s.potential(ball, [](auto q) { return 4.0 * q[1] - 1.5 * q[0]; });
  s.constraint(
      "ellipse", ball,
      [](auto q, auto weight) {
        const auto x = q[0] - 3.1, y = q[1] + 4.7;
        return weight * x * x + 0.5 * y * y - 0.7;
      },
      a);
  return s;
}
// Of degree two, but no sum of squares.
System parabola(Seen seen) {
  System s("parabola");
  const auto ball = s.coordinates("x", "y");
  kinetic(s, seen, ball, [](auto, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  s.potential(ball, [](auto q) { return 9.81 * q[1]; });
  s.constraint("parabola", ball, [](auto q) { return q[1] - q[0] * q[0] - 0.1 * q[0] * q[1]; });
  return s;
}
// Unequal masses that are coupled in T, a spring, and two constraints, one of which is not quadratic.
System coupled(Seen seen) {
  System s("coupled");
  const auto a = s.coordinates("x", "y"), b = s.coordinates("u", "v");
  kinetic(s, seen, join(a, b), [](auto, auto v) {
    return 0.5 * (v[0] * v[0] + 2.0 * v[1] * v[1] + 1.5 * v[2] * v[2] + v[3] * v[3]) + 0.3 * v[0] * v[2];
  });
  s.potential(join(a, b), [](auto q) { return 3.0 * q[1] + 2.0 * q[3] + 4.0 * (q[0] - q[2]) * (q[0] - q[2]); });
  s.constraint("circle", a, [](auto q) { return q[0] * q[0] + q[1] * q[1] - 1.0; });
  s.constraint("wave", b, [](auto q) { return q[1] - 0.2 * sin(q[0]); });
  return s;
}
System driven(Seen seen) {
  System s("driven");
  const auto ball = s.coordinates("x", "y");
  kinetic(s, seen, ball, [](auto, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  s.potential(ball, [](auto q, auto t) { return 9.81 * q[1] + 0.5 * sin(3.0 * t) * q[0]; }, time);
  s.constraint(
      "rod", ball,
      [](auto q, auto t) {
        const auto x = q[0] - 0.1 * sin(2.0 * t);
        return x * x + q[1] * q[1] - 1.0;
      },
      time);
  return s;
}
System oscillator(Seen seen) {
  System s("oscillator");
  const auto a = s.coordinates("a", "b");
  kinetic(s, seen, a, [](auto, auto v) { return 0.5 * (v[0] * v[0] + 2.0 * v[1] * v[1]); });
  s.potential(a, [](auto q) { return 1.0 - cos(q[0]) + 0.25 * pow(q[1], 4) + 0.1 * q[0] * q[1]; });
  return s;
}

const Case cases[] = {{"pendulum", pendulum, {.q = {1, 0}}},
                      {"ellipse", ellipse, {.q = {3.1, "-4.7 + sqrt(1.4)"}, .v = {1, 0}}},
                      {"parabola", parabola, {.q = {0, 0}, .v = {1, 0}}},
                      {"coupled", coupled, {.q = {0.6, -0.8, 0.3, "0.2*sin(0.3)"}, .v = {0.4, 0.3, 0, 0}}},
                      {"driven", driven, {.q = {"0.6", "-0.8"}}},
                      {"oscillator", oscillator, {.q = {1, 0.5}, .v = {0, 1}}}};
const char* const schemes[] = {"rattle",     "lobatto(3)",          "spark(2)",          "spark(4)",    "spark(6)",
                               "lobatto(5)", "kahan_li(6, rattle)", "suzuki(4, rattle)", "rectangle(0)"};

template <class S>
double apart(const std::vector<S>& x, const std::vector<S>& y) {
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, std::fabs(static_cast<double>(x[i] - y[i])));
  return most;
}

TEST(SmallStep, MovesAsTheGeneralKernel) {
  for (const Case& c : cases)
    for (const char* scheme : schemes) {
      SCOPED_TRACE(std::string(c.name) + " " + scheme);
      auto small = make_engine<double>(c.make(Seen::separable), Scheme::named(scheme));
      Stepper<double> general(c.make(Seen::general), Scheme::named(scheme));
      small->start(c.start, 0.01);
      general.start(c.start);
      for (int k = 0; k < 200; ++k) {
        ASSERT_TRUE(small->step(0.01).converged);
        ASSERT_TRUE(general.step(0.01).converged);
        EXPECT_TRUE(small->in_small_steps());
      }
      EXPECT_LT(apart(small->state().q, general.state().q), 2e-12);
      EXPECT_LT(apart(small->state().p, general.state().p), 2e-11);
      EXPECT_DOUBLE_EQ(small->state().t, general.state().t);
      const Observation<double> there = general.observe();
      Observation<double> here;
      small->observe(here, true);
      EXPECT_NEAR(here.energy(), there.energy(), 1e-11);
      EXPECT_LT(here.constraint, 1e-14);
      EXPECT_LT(here.hidden, 1e-14);
      EXPECT_LT(apart(here.lambda, there.lambda), 1e-8);
      std::vector<double> own, general_own;
      ASSERT_EQ(small->end_multiplier(own), general.end_multiplier(general_own));
      EXPECT_LT(apart(own, general_own), 1e-8);
    }
}

TEST(SmallStep, MovesAsTheGeneralKernelInQuad) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    Stepper<quad> small(c.make(Seen::separable), Scheme::named("spark(3)")),
        general(c.make(Seen::general), Scheme::named("spark(3)"));
    small.start(c.start);
    general.start(c.start);
    for (int k = 0; k < 20; ++k) {
      ASSERT_TRUE(small.step(quad(1) / 64).converged);
      ASSERT_TRUE(general.step(quad(1) / 64).converged);
    }
    EXPECT_LT(apart(small.state().q, general.state().q), 1e-30);
    EXPECT_LT(apart(small.state().p, general.state().p), 1e-29);
  }
}

// What is asked of a step is that of the general kernel, whose unknowns the stages become.
TEST(SmallStep, IsKnownInDetail) {
  for (const Case& c : cases)
    for (const char* scheme : {"rattle", "spark(3)", "suzuki(4, rattle)"}) {
      SCOPED_TRACE(std::string(c.name) + " " + scheme);
      Stepper<double> small(c.make(Seen::separable), Scheme::named(scheme)),
          general(c.make(Seen::general), Scheme::named(scheme));
      small.start(c.start);
      general.start(c.start);
      for (int k = 0; k < 5; ++k) {
        small.step(0.01);
        general.step(0.01);
        EXPECT_NEAR(small.action(), general.action(), 1e-12);
        EXPECT_LT(apart(small.multipliers(), general.multipliers()), 1e-8);
        DensePoint<double> here, there;
        small.dense(0.3, here);
        general.dense(0.3, there);
        EXPECT_LT(apart(here.q, there.q), 1e-12);
        EXPECT_LT(apart(here.p, there.p), 1e-11);
        EXPECT_LT(apart(small.tangent(), general.tangent()), 1e-9);
      }
      EXPECT_LT(apart(small.state().q, general.state().q), 1e-13);
    }
}

// Asking changes nothing, and a checkpoint holds everything.
TEST(SmallStep, GoesOnBitForBit) {
  for (const Case& c : cases)
    for (const char* scheme : {"rattle", "spark(6)", "kahan_li(6, rattle)"}) {
      SCOPED_TRACE(std::string(c.name) + " " + scheme);
      const System system = c.make(Seen::separable);
      Stepper<double> straight(system, Scheme::named(scheme)), asked(system, Scheme::named(scheme)),
          resumed(system, Scheme::named(scheme));
      straight.start(c.start);
      asked.start(c.start);
      for (int k = 0; k < 60; ++k) {
        straight.step(0.02);
        asked.step(0.02);
        if (k % 7 == 3) asked.tangent();
        if (k % 7 == 5) asked.action();
        if (k == 30) resumed.restore(asked.save());
        if (k > 30) resumed.step(0.02);
      }
      EXPECT_EQ(straight.state().q, asked.state().q);
      EXPECT_EQ(straight.state().p, asked.state().p);
      EXPECT_EQ(straight.state().q, resumed.state().q);
      EXPECT_EQ(straight.state().p, resumed.state().p);
    }
}

// Of a step in closed form nothing is iterated. Where the two roots come close to each other, or there is none, the
// general kernel takes it; and a motion that is bent by its constraint alone goes on without a loss of digits far away.
TEST(SmallStep, HasAClosedFormOnACircle) {
  const auto hung = [](double x) {
    System s;
    const auto ball = s.coordinates("x", "y");
    s.kinetic(ball, [](auto, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
    s.potential(ball, [](auto q) { return 9.81 * q[1]; });
    s.constraint("rod", ball, [x](auto q) { return (q[0] - x) * (q[0] - x) + q[1] * q[1] - 1.0; });
    return s;
  };
  auto near = make_engine<double>(hung(0), Scheme::named("rattle")),
       far = make_engine<double>(hung(4096), Scheme::named("rattle"));
  near->start({.q = {1, 0}}, 0.01);
  far->start({.q = {4097, 0}}, 0.01);
  for (int k = 0; k < 300; ++k) {
    const StepReport report = near->step(0.01);
    ASSERT_TRUE(report.converged && far->step(0.01).converged);
    EXPECT_EQ(report.iterations, 0);
    EXPECT_LT(report.residual, 1e-15);
    EXPECT_TRUE(near->in_small_steps());
  }
  EXPECT_NEAR(far->state().q[0] - 4096, near->state().q[0], 1e-10);
  EXPECT_NEAR(far->state().q[1], near->state().q[1], 1e-10);
  // The root of the discriminant is less than half of beta, by the height through which it falls in a step.
  EXPECT_TRUE(near->step(0.2).converged);
  for (int k = 0; k < 20; ++k) near->step(0.4);
  EXPECT_FALSE(near->in_small_steps());
}

// Steps that are too long for the elimination are taken by the general kernel, without a word.
TEST(SmallStep, LeavesLongStepsToTheGeneralKernel) {
  const auto make = [](double stiffness) {
    System s;
    const auto a = s.coordinates("a");
    s.kinetic(a, [](auto, auto v) { return 0.5 * v[0] * v[0]; });
    s.potential(a, [stiffness](auto q) { return 0.5 * stiffness * q[0] * q[0] * (1.0 + 0.1 * q[0] * q[0]); });
    return s;
  };
  for (const double stiffness : {1.0, 1e4}) {
    auto engine = make_engine<double>(make(stiffness), Scheme::named("spark(2)"));
    engine->start({.q = {1}}, 0.1);
    for (int k = 0; k < 20; ++k) ASSERT_TRUE(engine->step(0.1).converged);
    EXPECT_EQ(engine->in_small_steps(), stiffness == 1.0);
  }
}

}  // namespace
}  // namespace extremal::small_step_test
