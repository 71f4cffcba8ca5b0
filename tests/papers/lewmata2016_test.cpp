// The discrete Lagrangians of [LewMata2016, section 3] and what errors in print hide: orders on the hoop, the
// trapezoidal map, the energy of the oscillator in figures 15 and 16, and the thermoelastic springs of section 2.
#include <gtest/gtest.h>

#include "distance.hpp"
#include "extremal/error.hpp"
#include "extremal/models.hpp"
#include "reference_data.hpp"

namespace extremal::papers {
namespace {

template <class S>
State<S> end_state(const Model& m, const Scheme& scheme, int end, int steps) {
  Stepper<S> stepper(m.system, scheme);
  stepper.start(m.start);
  for (int k = 0; k < steps; ++k)
    if (!stepper.step(S(end) / S(steps)).converged) throw std::runtime_error(scheme.name + ": no convergence");
  return stepper.state();
}

struct Member {
  const char* scheme;
  int order;
};

// The slope of the error at `end` between consecutive numbers of steps.
void expect_order(const Model& m, const Member& member, const State<quad>& exact, int end, std::vector<int> counts) {
  SCOPED_TRACE(member.scheme);
  const Scheme scheme = Scheme::named(member.scheme);
  EXPECT_EQ(scheme.declared.order_free, member.order);
  double q = 0, p = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const State<quad> state = end_state<quad>(m, scheme, end, counts[i]);
    const double fine_q = distance(state.q, exact.q), fine_p = distance(state.p, exact.p);
    if (i > 0) {
      const double refinement = std::log(static_cast<double>(counts[i]) / counts[i - 1]);
      EXPECT_NEAR(std::log(q / fine_q) / refinement, member.order, 0.25) << counts[i] << " steps, q";
      EXPECT_NEAR(std::log(p / fine_p) / refinement, member.order, 0.25) << counts[i] << " steps, p";
    }
    q = fine_q;
    p = fine_p;
  }
}

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

// Three masses and three thermoelastic springs; the rates of three thermal displacements are the temperatures above the
// reference theta_r, theta = theta_r + phi'. The free energy of a spring is
//   A = (mu/2) ln^2(l/l0) - beta (theta - theta_r) ln(l/l0) + c (theta - theta_r - theta ln(theta/theta_r)),
// the entropy the momentum of phi, dL/dtheta = -dA/dtheta.
Model thermoelastic_triangle() {
  System s("thermoelastic-triangle");
  std::vector<Coordinates<3>> balls;
  for (int i = 1; i <= 3; ++i) {
    const std::string k = std::to_string(i);
    balls.push_back(s.coordinates("x" + k, "y" + k, "z" + k));
  }
  const char *masses[] = {"1", "1.5", "2"}, *moduli[] = {"10", "12", "8"}, *betas[] = {"0.02", "0.015", "0.025"},
             *capacities[] = {"0.05", "0.04", "0.06"};
  const std::size_t ends[][2] = {{0, 1}, {1, 2}, {2, 0}};
  const auto reference = s.parameter("theta", 300);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string k = std::to_string(i + 1);
    const auto mass = s.parameter("m" + k, masses[i]);
    s.kinetic(
        balls[i],
        [](const auto&, const auto& v, auto m) { return 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }, mass);
    const auto phi = s.coordinates("phi" + k);
    const auto modulus = s.parameter("mu" + k, moduli[i]), beta = s.parameter("beta" + k, betas[i]),
               capacity = s.parameter("c" + k, capacities[i]);
    s.lagrangian(
        join(balls[ends[i][0]], balls[ends[i][1]], phi),
        [](const auto& q, const auto& v, auto mu, auto b, auto c, auto r) {
          const auto x = q[3] - q[0], y = q[4] - q[1], z = q[5] - q[2];
          const auto strain = 0.5 * log(x * x + y * y + z * z), warmth = v[6], theta = r + warmth;
          return -(0.5 * mu * strain * strain - b * warmth * strain + c * (warmth - theta * log(theta / r)));
        },
        modulus, beta, capacity, reference);
  }
  s.symmetry("along x", balls, [](const auto&) { return rows(1, 0, 0); });
  s.symmetry("about x", balls, [](const auto& q) { return rows(0, -q[2], q[1]); });
  s.symmetry("about y", balls, [](const auto& q) { return rows(q[2], 0, -q[0]); });
  s.symmetry("about z", balls, [](const auto& q) { return rows(-q[1], q[0], 0); });
  return {.system = s,
          .start = {.q = {0, 0, 0, "1.1", "0.1", 0, "0.4", "0.9", "0.2", 0, 0, 0},
                    .v = {"0.1", "-0.2", "0.3", "-0.3", "0.4", "0.1", "0.2", "0.1", "-0.4", 10, -5, 0}}};
}

TEST(Thermoelastic, OrdersAndTheExactState) {
  const Model m = thermoelastic_triangle();
  const Scheme fine = Scheme::named("galerkin(8, gauss(8))");
  const auto run = extremal::run<quad>(m.system, fine, m.start, {.step = "1/40", .until = 2});
  const auto at_end = [&run](const std::vector<std::string>& names) {
    std::vector<quad> all;
    for (const auto& name : names) all.push_back(run.column(name).back());
    return all;
  };
  const auto digits = [](const std::vector<std::string>& texts) { return quads(Json(texts)); };
  EXPECT_LT(
      distance(at_end({"x1", "y1", "z1"}), digits({".12495237386452574", ".56367364304446415", ".55144790221218361"})),
      1e-16);
  EXPECT_LT(
      distance(at_end({"x2", "y2", "z2"}), digits({"1.0948199279253231", ".52471185287871158", ".040648772388255604"})),
      2e-16);
  EXPECT_LT(
      distance(at_end({"x3", "y3", "z3"}), digits({".39140886712374478", ".89962928881873424", "-.45621053039728351"})),
      1e-16);
  EXPECT_LT(distance(at_end({"p:x1", "p:y1", "p:z1"}),
                     digits({"-.045757994489079066", ".30962838315914046", ".51383861963197996"})),
            1e-16);
  EXPECT_LT(distance(at_end({"v:phi1", "v:phi2", "v:phi3"}),
                     digits({"10.86726074795819", "11.03642713069648", "-10.54389729411836"})),
            1e-14);

  const State<quad> exact = end_state<quad>(m, fine, 2, 80);
  for (const Member& member : {Member{"rectangle(0)", 1}, Member{"rectangle(1)", 1}, Member{"midpoint", 2},
                               Member{"trapezoidal", 2}, Member{"quadratic", 4}, Member{"galerkin(2, gauss(2))", 4}})
    expect_order(m, member, exact, 2, {80, 160, 320});
}

// 2000 steps of the midpoint rule in double; the bounds are what a plain implementation without compensated sums had.
TEST(Thermoelastic, MomentaAndEntropiesAreConserved) {
  const Model m = thermoelastic_triangle();
  const auto run = extremal::run<double>(m.system, "midpoint", m.start, {.step = "0.01", .until = 20});
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  for (const auto& momentum : run.momentum_error)
    EXPECT_LT(momentum.values[0], momentum.name == "along x" ? 2.7e-15 : 1.9e-14) << momentum.name;
  for (const char* name : {"p:phi1", "p:phi2", "p:phi3"}) {
    const auto& entropy = run.column(name);
    for (const double value : entropy) EXPECT_LE(std::fabs(value - entropy[0]), 0x1p-52 * entropy[0]) << name;
  }
  // The energy E of the springs counts theta_r times the entropies, which do not change.
  const double entropies = run.column("p:phi1")[0] + run.column("p:phi2")[0] + run.column("p:phi3")[0];
  EXPECT_NEAR(run.energy_initial + 300 * entropies, 1.8486261065807536, 1e-14);
  EXPECT_NEAR(run.energy_max_error, 2.1e-5, half_unit(2.1e-5, 2));
}

}  // namespace
}  // namespace extremal::papers
