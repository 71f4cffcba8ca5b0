// What a step leaves behind: asked once or twice, of whichever taker, it is the same, and no step is taken for it.
#include <gtest/gtest.h>

#include <cmath>
#include <extremal/extremal.hpp>
#include <memory>

#include "kernel/step_engine.hpp"

namespace extremal::trace_test {
namespace {

// A pendulum whose ball hangs on a moving point; every evaluation of its potential is counted.
System driven(std::shared_ptr<long> count, bool separable = true) {
  System s("driven");
  const auto ball = s.coordinates("x", "y");
  const auto kinetic = [](auto, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); };
  if (separable)
    s.kinetic(ball, kinetic);
  else
    s.lagrangian(ball, kinetic);
  s.potential(
      ball,
      [count](auto q, auto t) {
        ++*count;
        return 9.81 * q[1] + 0.5 * sin(3.0 * t) * q[0];
      },
      time);
  s.constraint(
      "rod", ball,
      [](auto q, auto t) {
        const auto x = q[0] - 0.1 * sin(2.0 * t);
        return x * x + q[1] * q[1] - 1.0;
      },
      time);
  return s;
}
const Start start{.q = {"0.6", "-0.8"}};
const char* const schemes[] = {"rattle", "lobatto(3)", "spark(3)", "suzuki(4, rattle)"};

double apart(const std::vector<double>& x, const std::vector<double>& y) {
  double most = x.size() == y.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < x.size() && i < y.size(); ++i) most = std::max(most, std::fabs(x[i] - y[i]));
  return most;
}

// The terms are evaluated once at the nodes of the step, and not at all when something else is asked. By taking the
// step again, the general kernel would evaluate them several times.
TEST(Trace, OfASmallStepCostsNoStep) {
  for (const char* scheme : {"rattle", "lobatto(3)", "spark(3)"}) {
    SCOPED_TRACE(scheme);
    const auto count = std::make_shared<long>(0), general_count = std::make_shared<long>(0);
    Stepper<double> small(driven(count), Scheme::named(scheme));
    Stepper<double> general(driven(general_count, false), Scheme::named(scheme));
    small.start(start);
    general.start(start);
    for (int k = 0; k < 5; ++k) ASSERT_TRUE(small.step(0.01).converged && general.step(0.01).converged);
    const long before_step = *general_count;
    ASSERT_TRUE(general.step(0.01).converged);
    ASSERT_TRUE(small.step(0.01).converged);
    const long step = *general_count - before_step, before = *count;
    const double work = small.work();
    const long asked = *count - before;
    EXPECT_GT(asked, 0);  // or they would not have been counted
    EXPECT_LT(asked, step);
    EXPECT_EQ(small.work(), work);
    small.supplied(), small.action(), small.multipliers(), small.node_work();
    EXPECT_EQ(*count - before, asked);
    EXPECT_NEAR(work, general.work(), 1e-13);
  }
}

TEST(Trace, OfASmallStepIsThatOfTheGeneralOne) {
  for (const char* scheme : schemes) {
    SCOPED_TRACE(scheme);
    const auto count = std::make_shared<long>(0);
    Stepper<double> small(driven(count), Scheme::named(scheme)), general(driven(count, false), Scheme::named(scheme));
    small.start(start);
    general.start(start);
    for (int k = 0; k < 20; ++k) {
      ASSERT_TRUE(small.step(0.02).converged && general.step(0.02).converged);
      EXPECT_NEAR(small.work(), general.work(), 1e-12);
      EXPECT_NEAR(small.supplied(), general.supplied(), 1e-12);
      EXPECT_NEAR(small.action(), general.action(), 1e-12);
      EXPECT_EQ(small.multiplier_nodes(), general.multiplier_nodes());
      EXPECT_LT(apart(small.multipliers(), general.multipliers()), 1e-9);
      EXPECT_LT(apart(small.tangent(), general.tangent()), 1e-10);
    }
    DensePoint<double> end;
    small.dense(1, end);
    EXPECT_LT(apart(end.q, small.state().q), 1e-14);
  }
}

// In quad, where the digits of double would show.
TEST(Trace, OfASmallStepIsExactInQuad) {
  const auto count = std::make_shared<long>(0);
  Stepper<quad> small(driven(count), Scheme::named("spark(3)")),
      general(driven(count, false), Scheme::named("spark(3)"));
  small.start(start);
  general.start(start);
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(small.step(quad(1) / 64).converged && general.step(quad(1) / 64).converged);
  EXPECT_LT(std::fabs(static_cast<double>(small.action() - general.action())), 1e-31);
  EXPECT_LT(std::fabs(static_cast<double>(small.work() - general.work())), 1e-31);
  const std::vector<quad> a = small.tangent(), b = general.tangent();
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_LT(std::fabs(static_cast<double>(a[i] - b[i])), 1e-28);
}

// Compositions have one taker for many substeps; the derivative is that of all of them.
TEST(Trace, HasTheDerivativeOfEverySubstep) {
  System s("plane");
  const auto q = s.coordinates("x", "y");
  s.lagrangian(q, [](auto, auto v) { return 0.5 * (v[0] * v[0] + 2.0 * v[1] * v[1]); });
  s.potential(q, [](auto x) { return cos(x[0]) + x[0] * x[0] * x[1] + 0.25 * pow(x[1], 4); });
  for (const char* scheme : {"suzuki(4, rattle)", "suzuki(4, energy_momentum)", "kahan_li(6, midpoint)", "ggl"}) {
    SCOPED_TRACE(scheme);
    const double h = 0.05, d = 1e-6;
    const State<double> at{0, {0.4, -0.3}, {0.7, 0.2}};
    Stepper<double> stepper(s, Scheme::named(scheme));
    stepper.place(at);
    ASSERT_TRUE(stepper.step(h).converged);
    const std::vector<double> tangent = stepper.tangent();
    EXPECT_EQ(stepper.tangent(), tangent);
    for (int c = 0; c < 4; ++c) {
      std::vector<double> ends[2];
      for (const int side : {0, 1}) {
        State<double> moved = at;
        (c < 2 ? moved.q : moved.p)[static_cast<std::size_t>(c % 2)] += side == 0 ? -d : d;
        stepper.place(moved);
        ASSERT_TRUE(stepper.step(h).converged);
        ends[side] = stepper.state().q;
        ends[side].insert(ends[side].end(), stepper.state().p.begin(), stepper.state().p.end());
      }
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(tangent[i * 4 + static_cast<std::size_t>(c)], (ends[1][i] - ends[0][i]) / (2 * d), 1e-8);
    }
  }
}

// Two bodies on a string, the first hung by a point, with a load whose every evaluation is counted.
struct Swing {
  std::shared_ptr<long> count = std::make_shared<long>(0);
  System system;
  Start start;

  Swing() {
    Mechanism m("swing");
    m.gravity(0, 0, "-9.81");
    const Body a = m.body("a", {.mass = 1, .inertia = {"0.1", "0.1", "0.05"}});
    const Body b = m.body("b", {.mass = 2, .inertia = {"0.3", "0.2", "0.25"}});
    m.place(a, {.position = {0, 0, "-0.5"}});
    m.place(b, {.position = {"0.3", "0.2", -1}});
    m.spherical("tip", m.ground(0, 0, 0), a.at(0, 0, "0.5"));
    m.spherical("ball", a.at("0.2", "0.1", "-0.3"), b.at("-0.1", "-0.1", "0.2"));
    system = m.system();
    system.potential(Coordinates<2>{{0, 1}}, [counted = count](auto q) {
      ++*counted;
      return 5.0 * q[0] * q[0] + 2.0 * q[0] * q[1];
    });
    start = m.start();
  }
};

// The action and the multipliers of a step on rotations follow from where it began and ended; of the load they need a
// value and a derivative at either end of a substep. By taking the step again they would need more.
TEST(Trace, OfALieStepCostsNoStep) {
  for (const auto& [scheme, substeps] : {std::pair{"lie(trapezoidal)", 1}, {"suzuki(4, lie(trapezoidal))", 5}}) {
    SCOPED_TRACE(scheme);
    const Swing swing;
    Stepper<double> stepper(swing.system, Scheme::named(scheme));
    stepper.start(swing.start);
    for (int k = 0; k < 5; ++k) ASSERT_TRUE(stepper.step(0.01).converged);
    const long start = *swing.count;
    ASSERT_TRUE(stepper.step(0.01).converged);
    const long before = *swing.count;
    stepper.action();
    const long asked = *swing.count - before;
    EXPECT_GT(asked, 0);  // or they would not have been counted
    EXPECT_EQ(asked, 2 * substeps + 2);
    EXPECT_GE(before - start, substeps);
    stepper.action(), stepper.multipliers();
    EXPECT_EQ(*swing.count - before, asked);
    // Put elsewhere, the motion has no last step.
    stepper.place(stepper.state());
    EXPECT_EQ(stepper.action(), 0);
    EXPECT_EQ(stepper.multipliers(), std::vector<double>(stepper.multipliers().size(), 0.0));
  }
}

TEST(Trace, OfALieStepIsReadWithoutAConsequence) {
  const Swing swing;
  const Model ring = model("elastic-ring");
  const std::pair<const System*, const Start*> swings{&swing.system, &swing.start}, rods{&ring.system, &ring.start};
  for (const auto& [motion, scheme] :
       {std::pair{swings, "lie(trapezoidal)"}, {swings, "kahan_li(6, lie(trapezoidal))"}, {rods, "lie(trapezoidal)"}}) {
    SCOPED_TRACE(scheme);
    Stepper<double> straight(*motion.first, Scheme::named(scheme)), asked(*motion.first, Scheme::named(scheme));
    straight.start(*motion.second);
    asked.start(*motion.second);
    for (int k = 0; k < 10; ++k) {
      ASSERT_TRUE(straight.step(0.001).converged && asked.step(0.001).converged);
      DensePoint<double> inside, again;
      const double action = asked.action();
      const std::vector<double> multipliers = asked.multipliers();
      asked.dense(0.3, inside), asked.dense(0.3, again), asked.observe();
      EXPECT_EQ(inside.q, again.q);
      EXPECT_EQ(asked.action(), action);
      EXPECT_EQ(asked.multipliers(), multipliers);
    }
    EXPECT_EQ(straight.state().q, asked.state().q);
    EXPECT_EQ(straight.state().p, asked.state().p);
  }
}

// Questions between steps leave the motion alone to the last bit, by whichever taker.
TEST(Trace, IsReadWithoutAConsequence) {
  for (const bool separable : {true, false})
    for (const char* scheme : {"rattle", "spark(3)", "suzuki(4, rattle)", "ggl", "phase_space(2)"}) {
      SCOPED_TRACE(scheme);
      const auto count = std::make_shared<long>(0);
      auto straight = make_engine<double>(driven(count, separable), Scheme::named(scheme));
      auto asked = make_engine<double>(driven(count, separable), Scheme::named(scheme));
      straight->start(start, 0.01);
      asked->start(start, 0.01);
      for (int k = 0; k < 30; ++k) {
        ASSERT_TRUE(straight->step(0.01).converged && asked->step(0.01).converged);
        const StepEngine<double>& question = *asked;  // all of them are const
        const double work = question.work().done;
        std::vector<double> lambda;
        DensePoint<double> inside;
        StepBalance<double> balance;
        Observation<double> seen;
        question.tangent(), question.dense(0.3, inside), question.balance(balance);
        question.end_multiplier(lambda), question.observe(seen, true);
        EXPECT_EQ(question.trace().work().done, work);
      }
      EXPECT_EQ(straight->state().q, asked->state().q);
      EXPECT_EQ(straight->state().p, asked->state().p);
    }
}

}  // namespace
}  // namespace extremal::trace_test
