// Slow potentials in the kernels: small steps, in which they are forces at the ends, and general ones, in which they
// are kicks, have the same steps and tell the same of them; so have lanes, and runs that are interrupted. Explicit
// steps of more coordinates than other small ones have.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "distance.hpp"
#include "extremal/batch.hpp"
#include "extremal/stepper.hpp"
#include "stiff_chain.hpp"

namespace extremal::multirate_kernels_test {
namespace {

// A ball on a stiff spring at the end of a rod whose other end moves, in a field that varies. As a Lagrangian it is not
// known to be separable, and steps are general.
System driven(bool separable) {
  System s("driven");
  const auto rod = s.coordinates("x", "y"), ball = s.coordinates("u", "w");
  const auto kinetic = [](auto, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); };
  for (const auto& point : {rod, ball}) {
    if (separable)
      s.kinetic(point, kinetic);
    else
      s.lagrangian(point, kinetic);
  }
  s.potential(join(rod, ball), [](auto q) {
    const auto x = q[2] - q[0], y = q[3] - q[1];
    return 200.0 * (x * x + y * y);
  });
  s.slow_potential(
      join(rod, ball),
      [](auto q, auto t) { return 9.81 * (q[1] + q[3]) + 0.5 * sin(3.0 * t) * q[2] + 0.1 * q[0] * q[0] * q[3]; }, time);
  s.constraint(
      "rod", rod,
      [](auto q, auto t) {
        const auto x = q[0] - 0.1 * sin(2.0 * t);
        return x * x + q[1] * q[1] - 1.0;
      },
      time);
  return s;
}
const Start start{.q = {"0.6", "-0.8", "0.65", "-0.85"}};
const char* const schemes[] = {"multirate(4, rattle)", "multirate(3, lobatto(3))", "suzuki(4, multirate(2, rattle))"};

TEST(SlowPotentials, AreToldAlikeOfSmallAndGeneralSteps) {
  for (const char* scheme : schemes) {
    SCOPED_TRACE(scheme);
    Stepper<quad> small(driven(true), Scheme::named(scheme)), general(driven(false), Scheme::named(scheme));
    small.start(start);
    general.start(start);
    const auto near = [](const quad& x, const quad& y) { return static_cast<double>(math::abs(x - y)); };
    for (int k = 0; k < 5; ++k) {
      ASSERT_TRUE(small.step(quad(1) / 50).converged && general.step(quad(1) / 50).converged);
      EXPECT_LE(papers::distance(small.state().q, general.state().q), 1e-30);
      EXPECT_LE(papers::distance(small.state().p, general.state().p), 1e-29);
      EXPECT_LE(near(small.work(), general.work()), 1e-29);
      EXPECT_LE(near(small.action(), general.action()), 1e-29);
      EXPECT_LE(papers::distance(small.tangent(), general.tangent()), 1e-26);
    }
  }
}

// The derivative of both kicks and of the step between them, by differences.
TEST(SlowPotentials, AreInTheDerivative) {
  System s("plane");
  const auto q = s.coordinates("x", "y");
  s.lagrangian(q, [](auto, auto v) { return 0.5 * (v[0] * v[0] + 2.0 * v[1] * v[1]); });
  s.potential(q, [](auto x) { return 10.0 * (cos(x[0]) + x[0] * x[0] * x[1]); });
  s.slow_potential(q, [](auto x) { return 0.25 * x[1] * x[1] * x[1] * x[1] + sin(x[0] * x[1]); });
  const double h = 0.05, d = 1e-6;
  const State<double> at{0, {0.4, -0.3}, {0.7, 0.2}};
  Stepper<double> stepper(s, Scheme::named("multirate(3, rattle)"));
  stepper.place(at);
  ASSERT_TRUE(stepper.step(h).converged);
  const std::vector<double> tangent = stepper.tangent();
  for (std::size_t c = 0; c < 4; ++c) {
    std::vector<double> ends[2];
    for (const int side : {0, 1}) {
      State<double> moved = at;
      (c < 2 ? moved.q : moved.p)[c % 2] += side == 0 ? -d : d;
      stepper.place(moved);
      ASSERT_TRUE(stepper.step(h).converged);
      ends[side] = stepper.state().q;
      ends[side].insert(ends[side].end(), stepper.state().p.begin(), stepper.state().p.end());
    }
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(tangent[i * 4 + c], (ends[1][i] - ends[0][i]) / (2 * d), 1e-8);
  }
}

// The balance of energy has what the field does, by the order of the scheme.
TEST(SlowPotentials, DoTheirWork) {
  const auto error = [](const char* step) {
    const auto run = extremal::run<quad>(driven(true), Scheme::named("multirate(4, rattle)"), start,
                                         {.step = Number(step), .until = Number("1")});
    return static_cast<double>(run.energy_max_error);
  };
  const double coarse = error("0.01"), fine = error("0.005");
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.25);
}

TEST(SlowPotentials, AreTheSameInLanes) {
  const Span span{.step = Number("0.01"), .until = Number("1"), .every = 7};
  for (const char* name : schemes) {
    const Scheme scheme = Scheme::named(name);
    const Model m = model("stiff-triple-pendulum");
    const std::vector<double> speeds{0, 0.125, 0.25, 0.5, 1};
    Members members{.system = m.system, .start = m.start, .count = speeds.size()};
    members.place("v:" + m.system.coordinate_names().back(), speeds);
    ASSERT_TRUE(fits_batch(members.system, scheme, span)) << name;
    const Batch batch = run_batch(scheme, span, members);
    for (std::size_t k = 0; k < speeds.size(); ++k) {
      const auto alone = run(members.system_of(k), scheme, members.start_of(k), span);
      for (const char* column : {"x1", "x3", "energy"}) {
        const std::vector<double>& values = alone.column(column);
        ASSERT_EQ(batch.runs[k].rows, values.size());
        for (std::size_t row = 0; row < values.size(); ++row)
          EXPECT_EQ(batch.value(k, row, batch.column(column)), values[row]) << name;
      }
    }
  }
}

TEST(SlowPotentials, GoOnBitForBit) {
  for (const bool separable : {true, false}) {
    const Scheme scheme = Scheme::named("multirate(4, rattle)");
    Stepper<double> straight(driven(separable), scheme), other(driven(separable), scheme);
    straight.start(start);
    other.start(start);
    for (int k = 0; k < 10; ++k) ASSERT_TRUE(straight.step(0.02).converged);
    other.restore(straight.save());
    for (int k = 0; k < 10; ++k) ASSERT_TRUE(straight.step(0.02).converged && other.step(0.02).converged);
    EXPECT_EQ(straight.state().q, other.state().q);
    EXPECT_EQ(straight.state().p, other.state().p);
  }
}

// Up to 64 coordinates an explicit step is small: one evaluation of every potential. Beyond, it is general.
TEST(ExplicitSteps, AreSmallWhereNothingIsSolved) {
  const auto calls = [](int pairs, const char* scheme) {
    const Model m = papers::stiff_chain(pairs);
    Stepper<double> stepper(m.system, Scheme::named(scheme));
    stepper.start(m.start);
    EXPECT_TRUE(stepper.step(0.01).converged);
    papers::potential_calls = 0;
    for (int k = 0; k < 10; ++k) EXPECT_TRUE(stepper.step(0.01).converged);
    return papers::potential_calls;
  };
  EXPECT_EQ(calls(30, "rattle"), 10 * 61);
  EXPECT_EQ(calls(30, "multirate(5, rattle)"), 10 * (5 * 30 + 31));
  EXPECT_GT(calls(33, "rattle"), 2 * 10 * 67);
  EXPECT_GT(calls(30, "spark(2)"), 4 * 10 * 61);
}

}  // namespace
}  // namespace extremal::multirate_kernels_test
