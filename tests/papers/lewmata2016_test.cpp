// The discrete Lagrangians of [LewMata2016, section 3] and what errors in print hide: orders on the hoop, the
// trapezoidal map, the energy of the oscillator in figures 15 and 16, what alpha changes and what not.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

#include "extremal/error.hpp"
#include "measured_order.hpp"
#include "reference_data.hpp"
#include "validation.hpp"

namespace extremal::papers::lewmata2016_test {
namespace {

State<quad> hoop_at_2() {
  const State<quad> exact = end_state<quad>(model("hoop"), Scheme::named("galerkin(10, gauss(10))"), 2, 80);
  EXPECT_LT(distance(exact.q, std::vector{quad_of("-2.651132129350377726")}), 1e-18);
  EXPECT_LT(distance(exact.p, std::vector{quad_of("4.432604236757199267")}), 1e-18);
  return exact;
}

TEST(Hoop, OrdersFromPositionAndMomentum) {
  const State<quad> exact = hoop_at_2();
  for (const Member& member :
       {Member{"rectangle(0)", 1}, Member{"rectangle(1)", 1}, Member{"alpha(0.3)", 1}, Member{"alpha(0.5)", 2},
        Member{"midpoint", 2}, Member{"trapezoidal", 2}, Member{"quadratic", 4}, Member{"galerkin(2, lobatto(3))", 4},
        Member{"galerkin(2, gauss(2))", 4}, Member{"galerkin(1, gauss(1))", 2}, Member{"galerkin(1, lobatto(2))", 2},
        Member{"galerkin(3, gauss(3))", 6}, Member{"galerkin(3, lobatto(4))", 6}, Member{"galerkin(4, gauss(4))", 8},
        Member{"galerkin(4, lobatto(5))", 8}, Member{"galerkin(5, gauss(5))", 10},
        Member{"galerkin(5, lobatto(6))", 10}})
    expect_order(model("hoop"), member, exact, 2, {160, 320, 640});
  EXPECT_THROW(Scheme::named("galerkin(3, gauss(2))"), InputError);  // order 2 only: refused
}

// p1 = p0 - (h/2) m g r (cos theta0 + cos theta1); the sign between the cosines is printed wrong.
TEST(Hoop, TrapezoidalMap) {
  const Model m = model("hoop");
  const quad h = quad(1) / 20, gravity = quad(981) / 100;
  Stepper<quad> stepper(m.system, Scheme::named("trapezoidal"));
  stepper.start(m.start);
  const quad theta0 = stepper.state().q[0], p0 = stepper.state().p[0];
  ASSERT_TRUE(stepper.step(h).converged);
  const quad half = p0 - h / 2 * gravity * math::cos(theta0), theta1 = theta0 + h * half,
             p1 = half - h / 2 * gravity * math::cos(theta1);
  EXPECT_LT(magnitude(stepper.state().q[0] - theta1), 1e-32);
  EXPECT_LT(magnitude(stepper.state().p[0] - p1), 1e-32);

  // Its discrete Lagrangian is the mean of those of the two rectangle rules, but it is not the mean of their maps.
  quad mean_q(0), mean_p(0);
  for (const char* scheme : {"rectangle(0)", "rectangle(1)"}) {
    const State<quad> one = [&] {
      Stepper<quad> rectangle(m.system, Scheme::named(scheme));
      rectangle.start(m.start);
      EXPECT_TRUE(rectangle.step(h).converged);
      return rectangle.state();
    }();
    mean_q += one.q[0] / 2;
    mean_p += one.p[0] / 2;
  }
  EXPECT_LT(magnitude(mean_q - theta1), 1e-30);
  EXPECT_GT(magnitude(mean_p - p1), 1e-4);
}

// H of figures 15 and 16 along a map of (x, p), x = q - 1, and the invariant of the scheme that moves p first, then q.
struct Energy {
  double least = 1e9, most = 0, invariant_error = 0;
  void watch(long double x, long double p, long double h) {
    const auto energy = static_cast<double>((p * p + 10 * x * x) / 2);
    least = std::min(least, energy);
    most = std::max(most, energy);
    invariant_error = std::max(invariant_error, magnitude(p * p + 10 * x * x - 10 * h * x * p - 10));
  }
};

// p^2 + 10 x^2 - 10 h x p is invariant, so that H stays between 5 / (1 + h sqrt(10) / 2) and 5 / (1 - h sqrt(10) / 2).
// After 10^6 steps the phases are dense: the bounds are attained up to the square of their distance.
TEST(Oscillator, EnergyOfTheRectangleSchemeFillsItsBand) {
  const Model m = model("oscillator");
  const long double h = Number("0.1").as<long double>();
  Stepper<long double> stepper(m.system, Scheme::named("rectangle(0)"));
  stepper.start(m.start);
  Energy energy;
  for (int k = 0; k < 1000000; ++k) {
    ASSERT_TRUE(stepper.step(h).converged);
    energy.watch(stepper.state().q[0] - 1, stepper.state().p[0], h);
  }
  EXPECT_NEAR(energy.least, 4.317364702521, 1e-11);
  EXPECT_NEAR(energy.most, 5.939045553889, 1e-11);
  EXPECT_LT(energy.invariant_error, 1e-13);
}

// The negative control: H = 5 (1 + 10 h^2)^n leaves the band at once.
TEST(Oscillator, EnergyOfExplicitEulerLeavesTheBand) {
  const long double h = 0.1L;
  long double x = 1, p = 0;
  Energy energy;
  for (int k = 0; k < 100; ++k) {
    const long double force = -10 * x;
    x += h * p;
    p += h * force;
    energy.watch(x, p, h);
  }
  EXPECT_GT(energy.most, 5.939045553889);
  EXPECT_GT(energy.invariant_error, 1);
  EXPECT_NEAR(energy.most / (5 * std::pow(1.1, 100)), 1, 1e-12);
}

// The positions q^0, q^1, ... that follow from the first two by the discrete Euler-Lagrange equations
// [LewMata2016, eq. 58], and their momenta.
std::vector<State<quad>> from_two_positions(const Model& m, const char* scheme, const Start& start, quad h, int steps) {
  Stepper<quad> stepper(m.system, Scheme::named(scheme));
  stepper.start(start, h);
  std::vector<State<quad>> all{stepper.state()};
  for (int k = 0; k < steps; ++k) {
    EXPECT_TRUE(stepper.step(h).converged);
    all.push_back(stepper.state());
  }
  return all;
}

// q(0) and q(h) of the exact motion, up to O(h^17).
Start two_positions(const Model& m, quad h) {
  Stepper<quad> exact(m.system, Scheme::named("galerkin(8, gauss(8))"));
  exact.start(m.start);
  EXPECT_TRUE(exact.step(h).converged);
  Start start{.q = m.start.q};
  for (const quad& x : exact.state().q) start.next.push_back(Number::exactly(x));
  return start;
}

// With L = v . M v / 2 - V(q), M constant, the equations are the same for every alpha [LewMata2016, eq. 59]: what
// differs is the momentum that belongs to two positions.
TEST(Alpha, DoesNotCountForTwoPositionsOfASeparableSystem) {
  const quad h = quad(1) / 20;
  for (const char* name : {"hoop", "oscillator", "two-particles"}) {
    SCOPED_TRACE(name);
    const Model m = model(name);
    const Start start = two_positions(m, h);
    const auto plain = from_two_positions(m, "rectangle(0)", start, h, 100);
    for (const char* scheme : {"alpha(0.3)", "trapezoidal", "rectangle(1)"}) {
      SCOPED_TRACE(scheme);
      const auto other = from_two_positions(m, scheme, start, h, 100);
      double q = 0, p = 0;
      for (std::size_t k = 0; k < plain.size(); ++k) {
        q = std::max(q, distance(plain[k].q, other[k].q));
        p = std::max(p, distance(plain[k].p, other[k].p));
      }
      EXPECT_LT(q, 1e-31);
      EXPECT_GT(p, 1e-2);
    }
    // The midpoint rule is another scheme.
    EXPECT_GT(distance(plain.back().q, from_two_positions(m, "midpoint", start, h, 100).back().q), 1e-4);
  }
}

// Temperatures are velocities, and A(q, theta) mixes them with q: here alpha counts. Two positions say what the
// temperature of the first step is; the entropy that belongs to it is that of the length at its begin, its end or a
// mean of both, and these differ by O(h).
TEST(Alpha, CountsForTwoPositionsOfAThermoelasticSystem) {
  const Model m = model("thermoelastic-triangle");
  const std::size_t places = 9;
  std::vector<double> places_before, phi_before;
  for (const int steps : {50, 100, 200, 400}) {
    SCOPED_TRACE(steps);
    const quad h = quad(2) / quad(steps);
    const Start start = two_positions(m, h);
    const State<quad> plain = from_two_positions(m, "rectangle(0)", start, h, steps).back();
    std::vector<double> places_now, phi_now;
    for (const char* scheme : {"trapezoidal", "rectangle(1)"}) {
      const State<quad> other = from_two_positions(m, scheme, start, h, steps).back();
      double q = 0, phi = 0;
      for (std::size_t i = 0; i < plain.q.size(); ++i) {
        double& worst = i < places ? q : phi;
        worst = std::max(worst, magnitude(plain.q[i] - other.q[i]));
      }
      places_now.push_back(q);
      phi_now.push_back(phi);
      record("alpha-two-positions",
             fmt::format("| {} | {} | {:.2e} | {:.2e} |", static_cast<double>(h), scheme, q, phi));
    }
    if (steps == 200) {
      EXPECT_NEAR(places_now[0], 5.69e-4, half_unit(5.69e-4, 3));
      EXPECT_NEAR(places_now[1], 1.06e-3, half_unit(1.06e-3, 3));
      EXPECT_NEAR(phi_now[1], 1.02, half_unit(1.02, 3));
    }
    for (std::size_t i = 0; i < places_before.size(); ++i) {
      EXPECT_NEAR(std::log2(places_before[i] / places_now[i]), 1, 0.25) << i;
      EXPECT_NEAR(std::log2(phi_before[i] / phi_now[i]), 1, 0.25) << i;
    }
    places_before = places_now;
    phi_before = phi_now;
  }
}

}  // namespace
}  // namespace extremal::papers::lewmata2016_test
