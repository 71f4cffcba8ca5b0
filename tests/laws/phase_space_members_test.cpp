// Single members of the phase_space family [Muehlebach2016]: artificial forces of the printed example, balances from
// the inside, the gauge of p, other bases, other sides of the nodes.
//
// Defects are compared with the floor of quad, 1e-30, unless a test says otherwise.
#include <gtest/gtest.h>
#include <cmath>

#include <algorithm>
#include <array>

#include "exact_motion.hpp"
#include "phase_steps.hpp"
#include "scheme/space.hpp"

namespace extremal::phase_space_members_test {
namespace {

using papers::exact_motion;
using phase_steps::balance;
using phase_steps::distance;
using phase_steps::end_of;
using phase_steps::gauss;
using phase_steps::magnitude;
using phase_steps::member;
using phase_steps::moving;
using phase_steps::quad_floor;
using phase_steps::stepper_of;

// Example 6.1, the first 1.5 seconds.
TEST(PhaseSpace, ArtificialForcesOfThePendulum) {
  const std::vector<std::array<double, 4>> printed = {{.59105, .042445, 4.2445e-3, .058922},
                                                      {.15082, .010750, 5.3749e-4, 7.5349e-3}};
  for (int f = 1; f <= 2; ++f) {
    Stepper<double> stepper = stepper_of<double>(model("pendulum-polar"), "phase_space(2, quadrature=gauss(8))");
    std::array<double, 4> sum{};
    for (int i = 0; i < 5 * f; ++i) {
      ASSERT_TRUE(stepper.step(0.3 / f).converged);
      StepBalance<double> b;
      stepper.balance(b);
      const std::array<double, 4> all{b.force, b.velocity, b.jump, b.impulse};
      for (std::size_t j = 0; j < 4; ++j) sum[j] += all[j] * all[j] / (5 * f);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      const double figure = printed[sz(f - 1)][j];
      EXPECT_NEAR(std::sqrt(sum[j]), figure, papers::half_unit(figure, 5)) << f << " " << j;
    }
  }
}

// The functions of a step of the polar pendulum and their slopes, from values inside it alone.
struct Inside {
  quad q, p, dq, dp;
  quad energy() const { return p * p / 8 - gravity() * math::cos(q); }
  quad force() const { return dp + gravity() * math::sin(q); }  // z
  static quad gravity() { return Number("19.62").as<quad>(); }
};
Inside inside(Stepper<quad>& stepper, int degree, quad c, quad h) {
  const std::vector<quad> points = control_points(Points::lobatto, degree);
  const BasisTable basis = lagrange_basis(points, {c});
  Inside out{};
  DensePoint<quad> d;
  for (std::size_t a = 0; a < points.size(); ++a) {
    stepper.dense(points[a], d);
    out.q += basis.values[0][a] * d.q[0];
    out.p += basis.values[0][a] * d.p[0];
    out.dq += basis.slopes[0][a] * d.q[0] / h;
    out.dp += basis.slopes[0][a] * d.p[0] / h;
  }
  return out;
}

// The artificial force does no virtual work in the ansatz: int phi z dt + phi(1) (p1 - p~(1)) = 0. And with all jumps,
//   q~'(1) (p1 - p~(1)) + q~'(0) (p~(0) - p0) - p~'(1) (q1 - q~(1)) - p~'(0) (q~(0) - q0) + H(1) - H(0) = 0,
// on whatever side the jumps are.
TEST(PhaseSpace, BalancesFromTheInside) {
  const int k = 3;
  const Quadrature rule = quadrature({RuleKind::gauss, 24});
  const quad h = quad(1) / 10;
  for (const char* side : {"q_left", "q_right", "q_continuous", "both_left", "both_right"}) {
    Stepper<quad> stepper = stepper_of<quad>(model("pendulum-polar"), member(k, gauss(24) + ", continuity=" + side));
    for (int i = 0; i < 3; ++i) {
      const State<quad> before = stepper.state();
      ASSERT_TRUE(stepper.step(h).converged);
      const State<quad> after = stepper.state();
      const Inside a = inside(stepper, k, 0, h), b = inside(stepper, k, 1, h);
      const quad q_start = a.q - before.q[0], p_start = a.p - before.p[0];
      const quad q_end = after.q[0] - b.q, p_end = after.p[0] - b.p;
      const quad energy = b.dq * p_end + a.dq * p_start - b.dp * q_end - a.dp * q_start + b.energy() - a.energy();
      EXPECT_LE(magnitude(energy), quad_floor) << side;
      if (side != std::string("q_left")) continue;
      StepBalance<quad> told;
      stepper.balance(told);
      EXPECT_LE(magnitude(told.energy - energy), quad_floor);
      EXPECT_LE(magnitude(told.jump - math::abs(q_start)), quad_floor);
      EXPECT_LE(magnitude(told.impulse - math::abs(p_end)), quad_floor);
      EXPECT_GE(magnitude(told.jump), 1e-8);
      for (int n = 0; n <= k; ++n) {
        quad work = p_end;
        for (std::size_t j = 0; j < rule.nodes.size(); ++j) {
          quad phi = 1;
          for (int e = 0; e < n; ++e) phi *= rule.nodes[j];
          work += h * rule.weights[j] * phi * inside(stepper, k, rule.nodes[j], h).force();
        }
        EXPECT_LE(magnitude(work), quad_floor) << n;
      }
    }
  }
}

// F*_{-h} o F_h = id; the step itself is not symmetric, unless q~ is continuous.
TEST(PhaseSpace, AdjointPairs) {
  const quad h = quad(1) / 10;
  for (const char* name : {"pendulum-polar", "pendulum-cartesian", "nonseparable", "pendulum-polar-moving-pivot",
                           "pendulum-cartesian-moving-pivot", "pendulum-cartesian-damped"})
    for (const std::string scheme : {"phase_space(1)", "phase_space(2)", "phase_space(3)", "phase_space(2, pg=1)",
                                     "phase_space(3, basis=fourier(2))", "phase_space(2, quadrature=riemann(0.01))",
                                     "phase_space(2, continuity=q_continuous)"}) {
      const Model m = model(name);
      Stepper<quad> forward = stepper_of<quad>(m, scheme);
      ASSERT_TRUE(forward.step(h).converged);
      const State<quad> before = forward.state();
      ASSERT_TRUE(forward.step(h).converged);
      const auto back = [&](const Scheme& by) {
        Stepper<quad> stepper(m.system, by);
        stepper.place(forward.state());
        EXPECT_TRUE(stepper.step(-h).converged);
        return distance(stepper.state(), before);
      };
      const Scheme itself = Scheme::named(scheme);
      EXPECT_LE(back(adjoint(itself)), quad_floor) << name << " " << scheme;
      if (itself.declared.symmetry == Symmetry::none)
        EXPECT_GE(back(itself), 1e-14) << name << " " << scheme;
      else
        EXPECT_LE(back(itself), quad_floor) << name << " " << scheme;
    }
}

// However the span is written down, its cardinal functions are the same: to the condition of the small system.
TEST(PhaseSpace, ParametrisationsAgree) {
  std::vector<quad> x;
  for (int i = 0; i <= 20; ++i) x.push_back(quad(i) / 20);
  for (int k = 1; k <= 8; ++k) {
    const std::vector<quad> points = control_points(Points::lobatto, k);
    const BasisTable usual = lagrange_basis(points, x), powers = cardinal_basis(monomials(k), points, x),
                     legendre = cardinal_basis(legendre_polynomials(k), points, x);
    double slope = 1, by_powers = 0, by_legendre = 0;
    for (std::size_t i = 0; i < x.size(); ++i) slope = std::max(slope, papers::size(usual.slopes[i]));
    for (std::size_t i = 0; i < x.size(); ++i) {
      by_powers = std::max({by_powers, distance(usual.values[i], powers.values[i]),
                            distance(usual.slopes[i], powers.slopes[i]) / slope});
      by_legendre = std::max({by_legendre, distance(usual.values[i], legendre.values[i]),
                              distance(usual.slopes[i], legendre.slopes[i]) / slope});
    }
    const double epsilon = static_cast<double>(Scalar<quad>::epsilon);
    EXPECT_LE(by_legendre, 10 * epsilon) << k;
    EXPECT_LE(by_powers, epsilon * std::pow(6.0, k)) << k;  // monomials on [0, 1]: their condition grows like 6^k
  }
}

TEST(PhaseSpace, ErrorFallsGeometricallyWithTheDegree) {
  const Model m = model("pendulum-polar");
  const State<quad> exact = exact_motion<quad>(m, {quad(15)})[0];
  double last = 1;
  for (int k = 1; k <= 10; ++k) {
    const double error = distance(end_of<quad>(m, member(k), quad(15), 50), exact);
    EXPECT_LE(error, last / 8) << k;
    last = error;
  }
  EXPECT_LE(last, 1e-17);
}

// With a constraint the degree of p_g is raised with those of q~ and p~.
TEST(PhaseSpace, ErrorFallsGeometricallyOnConstraintsToo) {
  const Model m = model("pendulum-cartesian");
  const State<quad> exact = exact_motion<quad>(m, {quad(3)})[0];
  double last = 1;
  for (int k = 1; k <= 8; ++k) {
    const double error = distance(end_of<quad>(m, member(k), quad(3), 15), exact);
    EXPECT_LE(error, last / 8) << k;
    last = error;
  }
  EXPECT_LE(last, 1e-13);
}

// The normal part of p is a gauge: with it a step gives the same motion and the same force.
TEST(PhaseSpace, InconsistentMomenta) {
  Model m = moving("pendulum-cartesian");
  const Start consistent = m.start;
  m.start.p = {"cos(2)+3*sin(2)", "sin(2)-3*cos(2)"};
  const auto wrong = run<quad>(m.system, "phase_space(2)", m.start, {.step = "0.1", .until = 2}),
             right = run<quad>(m.system, "phase_space(2)", consistent, {.step = "0.1", .until = 2});
  EXPECT_GT(wrong.consistency.momentum, 1);
  for (const char* column : {"x", "y", "p:x", "p:y", "lambda:rod"})
    EXPECT_LE(distance(wrong.column(column), right.column(column)), 1e-29) << column;
  for (int k = 1; k <= 3; ++k) {
    Stepper<quad> projected(m.system, Scheme::named(member(k))), raw(m.system, Scheme::named(member(k)));
    projected.start(consistent);
    State<quad> state = projected.state();
    for (std::size_t i = 0; i < 2; ++i) state.p[i] += 3 * state.q[i];
    raw.place(state);
    DensePoint<quad> a, b;
    for (int i = 0; i < 3; ++i) {
      ASSERT_TRUE(projected.step(quad(1) / 10).converged);
      ASSERT_TRUE(raw.step(quad(1) / 10).converged);
      projected.dense(quad(1) / 3, a);
      raw.dense(quad(1) / 3, b);
      EXPECT_LE(distance(projected.state(), raw.state()), quad_floor);
      EXPECT_LE(distance(a.q, b.q), quad_floor);
      EXPECT_LE(distance(a.p, b.p), quad_floor);
      EXPECT_LE(distance(a.lambda, b.lambda), 1e-28);
    }
  }
}

// H = p^2/2 + 50 x^2 + x^4/10 with steps of a radian: 1, t, cos 10t, sin 10t against the cubic polynomials.
TEST(PhaseSpace, OscillationsInTheirOwnBasis) {
  System s("stiff");
  const auto x = s.coordinates("x");
  const auto weak = s.parameter("weak", "0.1");
  s.kinetic(x, [](const auto&, const auto& v) { return 0.5 * v[0] * v[0]; });
  s.potential(x, [](const auto& q, auto e) { return 50.0 * q[0] * q[0] + e * q[0] * q[0] * q[0] * q[0]; }, weak);
  const Model m{.system = s, .start = {.q = {"0.3"}}, .span = {}, .title = "", .citation = ""};
  std::vector<quad> times;
  for (int i = 1; i <= 40; ++i) times.push_back(quad(i) / 10);
  const auto exact = exact_motion<quad>(m, times, 0.025);
  const auto errors = [&](const std::string& scheme) {
    Stepper<quad> stepper = stepper_of<quad>(m, scheme);
    std::array<double, 2> worst{};
    for (const State<quad>& state : exact) {
      EXPECT_TRUE(stepper.step(quad(1) / 10).converged);
      worst[0] = std::max(worst[0], distance(stepper.state().q, state.q));
      worst[1] = std::max(worst[1], distance(stepper.state().p, state.p));
    }
    return worst;
  };
  const auto expect_gain = [&](const std::string& polynomials, const std::string& oscillating, double q, double p) {
    const auto plain = errors(polynomials), own = errors(oscillating);
    EXPECT_GT(plain[0], q * own[0]) << own[0];
    EXPECT_GT(plain[1], p * own[1]) << own[1];
  };
  expect_gain("phase_space(3)", "phase_space(3, basis=fourier(10))", 500, 150);
  expect_gain("phase_space(3, quadrature=gauss(5))", "phase_space(3, quadrature=gauss(5), basis=fourier(10))", 3e4,
              1e4);
  expect_gain("galerkin(3, gauss(4))", "galerkin(3, gauss(4), basis=fourier(10))", 1e5, 1e3);
  // The balance needs q~' and p~' in the ansatz, as with polynomials.
  EXPECT_LE(balance("pendulum-polar", "phase_space(3, basis=fourier(2), quadrature=gauss(24))").energy, quad_floor);
}

// A continuous q~ and a constant mass: the Galerkin integrator. With constraints the Lobatto rule leaves as many
// moments of g as there are nodes inside, so that g = 0 at all of them; the Gauss rules of the two families differ.
TEST(PhaseSpace, ContinuousIsGalerkin) {
  const auto apart = [](const char* name, int k, const std::string& rule) {
    const Model m = model(name);
    const State<quad> a = end_of<quad>(m, member(k, ", quadrature=" + rule + ", continuity=q_continuous"), quad(1), 10),
                      b = end_of<quad>(m, "galerkin(" + std::to_string(k) + ", " + rule + ")", quad(1), 10);
    return distance(a, b);
  };
  for (int k = 1; k <= 5; ++k)
    for (int n = k; n <= k + 2; ++n) {
      const std::string rule = "gauss(" + std::to_string(n) + ")";
      EXPECT_LE(apart("pendulum-polar", k, rule), 1e-31) << k << " " << rule;
      EXPECT_LE(apart("pendulum-polar-moving-pivot", k, rule), 1e-31) << k << " " << rule;
      // A force of the same sign, as (B.10) has it and (B.8) not.
      EXPECT_LE(apart("pendulum-polar-forced", k, rule), 1e-31) << k << " " << rule;
      // The mass varies with time: one point more than p~ has coefficients and p = M q~' is met in the mean only.
      if (n == k)
        EXPECT_LE(apart("pendulum-polar-varying-length", k, rule), 1e-31);
      else
        EXPECT_GE(apart("pendulum-polar-varying-length", k, rule), 1e-17);
    }
  for (int k = 1; k <= 5; ++k) {
    const std::string lobatto = "lobatto(" + std::to_string(k + 1) + ")";
    EXPECT_LE(apart("pendulum-cartesian", k, lobatto), 1e-31) << k;
  }
  EXPECT_GE(apart("pendulum-cartesian", 2, "gauss(3)"), 1e-4);
}

// Both functions from the same side: Radau IIA loses energy and contracts the phase plane, its adjoint does the
// opposite, to the same size.
TEST(PhaseSpace, SameSideGainsOrLoses) {
  for (int k = 2; k <= 3; ++k) {
    const auto change = [&](const char* side) {
      Stepper<double> stepper =
          stepper_of<double>(model("pendulum-polar"), member(k, std::string(", continuity=") + side));
      const double start = stepper.observe().energy();
      int up = 0, down = 0;
      double last = start;
      for (int i = 0; i < 2000; ++i) {
        EXPECT_TRUE(stepper.step(0.2).converged);
        const double now = stepper.observe().energy();
        up += now > last;
        down += now < last;
        last = now;
      }
      const std::vector<double> J = stepper.tangent();
      return std::array<double, 4>{last - start, J[0] * J[3] - J[1] * J[2] - 1, up / 2000.0, down / 2000.0};
    };
    const auto left = change("both_left"), right = change("both_right"), symplectic = change("q_left");
    EXPECT_EQ(left[2], 1);  // in every step
    EXPECT_EQ(right[3], 1);
    EXPECT_GT(left[0], k == 2 ? 0.1 : 6e-4);
    EXPECT_NEAR(right[0] / left[0], -1, 0.01);
    EXPECT_LT(std::fabs(symplectic[0]), 0.01 * left[0]);
    EXPECT_LE(std::fabs(symplectic[1]), 1e-14);
  }
}

// Times of the span are evaluated inside the steps: the same numbers, no step more.
TEST(PhaseSpace, DenseOutputOfARun) {
  for (const char* name : {"pendulum-polar", "pendulum-cartesian"})
    for (const char* scheme : {"phase_space(2)", "phase_space(3, continuity=q_right)", "spark(3)"}) {
      const Model m = model(name);
      const auto plain = run<double>(m.system, scheme, m.start, {.step = "0.25", .until = 2}),
                 dense = run<double>(m.system, scheme, m.start,
                                     {.step = "0.25", .until = 2, .at = {0, "0.0625", "0.25", "0.625", "1.9375", 2}});
      EXPECT_EQ(dense.steps, 8);
      EXPECT_EQ(dense.steps, plain.steps);
      ASSERT_EQ(dense.columns.size(), plain.columns.size());
      for (std::size_t i = 0; i < plain.columns.size(); ++i)
        EXPECT_EQ(dense.columns[i].values, plain.columns[i].values) << plain.columns[i].name;
      EXPECT_TRUE(plain.dense.empty());

      Stepper<double> stepper = stepper_of<double>(m, scheme);
      const std::vector<std::vector<double>> inside{{0, 0.25, 1}, {}, {0.5}, {}, {}, {}, {}, {0.75, 1}};
      std::size_t row = 0;
      DensePoint<double> d;
      for (int i = 0; i < 8; ++i) {
        ASSERT_TRUE(stepper.step(0.25).converged);
        for (const double c : inside[sz(i)]) {
          stepper.dense(c, d);
          std::size_t column = 0;
          EXPECT_EQ(dense.dense[column++].values.at(row), (i + c) * 0.25);
          for (const auto* values : {&d.q, &d.p, &d.lambda})
            for (const double value : *values) EXPECT_EQ(dense.dense[column++].values.at(row), value) << scheme;
          EXPECT_EQ(column, dense.dense.size());
          ++row;
        }
      }
      EXPECT_EQ(row, 6u);
    }
}

}  // namespace
}  // namespace extremal::phase_space_members_test
