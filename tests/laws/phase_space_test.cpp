// Laws of the phase_space family [Muehlebach2016] that go beyond those of every scheme, by degree: orders inside the
// step, the energy-like balance, artificial forces.
//
// Defects are compared with the floor of quad, 1e-30, unless a test says otherwise.
#include <gtest/gtest.h>
#include <cmath>

#include <algorithm>
#include <array>

#include "exact_motion.hpp"
#include "phase_steps.hpp"

namespace extremal::phase_space_test {
namespace {

using papers::exact_motion;
using phase_steps::Balance;
using phase_steps::balance;
using phase_steps::distance;
using phase_steps::gauss;
using phase_steps::magnitude;
using phase_steps::member;
using phase_steps::moving;
using phase_steps::quad_floor;
using phase_steps::stepper_of;

class OfDegree : public testing::TestWithParam<int> {};

// q~ and p~ have order k + 1 in the mean over the run, the constraint force order k.
TEST_P(OfDegree, OrderInsideTheStep) {
  const int k = GetParam();
  const Quadrature rule = quadrature({RuleKind::gauss, 4});
  const quad until = quad(3) / 2;
  for (const char* name : {"pendulum-polar", "pendulum-cartesian"}) {
    const Model m = moving(name);
    Stepper<quad> observer(m.system, Scheme::named("phase_space(8)"));
    std::vector<std::array<double, 3>> errors;
    for (const int steps : {20, 40, 80}) {
      std::vector<quad> times;
      for (int i = 0; i < steps; ++i)
        for (const quad& c : rule.nodes) times.push_back((i + c) * until / steps);
      const auto exact = exact_motion<quad>(m, times);
      Stepper<quad> stepper = stepper_of<quad>(m, member(k));
      std::array<double, 3> mean{};
      DensePoint<quad> d;
      for (int i = 0; i < steps; ++i) {
        ASSERT_TRUE(stepper.step(until / steps).converged);
        for (std::size_t j = 0; j < rule.nodes.size(); ++j) {
          const State<quad>& x = exact[sz(i) * rule.nodes.size() + j];
          stepper.dense(rule.nodes[j], d);
          const double weight = static_cast<double>(rule.weights[j]) / steps;
          mean[0] += weight * std::pow(distance(d.q, x.q), 2);
          mean[1] += weight * std::pow(distance(d.p, x.p), 2);
          if (d.lambda.empty()) continue;
          observer.place(x);
          mean[2] += weight * std::pow(distance(d.lambda, observer.observe().lambda), 2);
        }
      }
      errors.push_back(mean);
    }
    for (std::size_t i = 1; i < errors.size(); ++i)
      for (std::size_t what = 0; what < (m.system.constraint_count() > 0 ? 3u : 2u); ++what) {
        const double slope = 0.5 * std::log2(errors[i - 1][what] / errors[i][what]);
        EXPECT_NEAR(slope, what == 2 ? k : k + 1, 0.25) << name << " " << what;
      }
  }
}

// omega(J u, J w) = omega(u, w) for all u, w with G dq = 0.
double symplectic_defect(Stepper<quad>& stepper, const std::vector<quad>& q0, quad t0, int n, int constraints) {
  std::vector<std::vector<quad>> directions;
  for (int i = 0; i < n; ++i) {
    directions.emplace_back(sz(2 * n), quad(0));
    directions.back()[sz(n + i)] = 1;
  }
  if (constraints == 0) {
    for (int i = 0; i < n; ++i) {
      directions.emplace_back(sz(2 * n), quad(0));
      directions.back()[sz(i)] = 1;
    }
  } else {  // one constraint in the plane
    const std::vector<quad> G = stepper.constraint_jacobian(q0, t0);
    directions.push_back({-G[1], G[0], 0, 0});
  }
  const std::vector<quad> J = stepper.tangent();
  const auto image = [&](const std::vector<quad>& u) {
    std::vector<quad> out(u.size(), quad(0));
    for (std::size_t i = 0; i < u.size(); ++i)
      for (std::size_t j = 0; j < u.size(); ++j) out[i] += J[i * u.size() + j] * u[j];
    return out;
  };
  const auto omega = [&](const std::vector<quad>& u, const std::vector<quad>& w) {
    quad sum = 0;
    for (int i = 0; i < n; ++i) sum += u[sz(i)] * w[sz(n + i)] - u[sz(n + i)] * w[sz(i)];
    return sum;
  };
  double worst = 0;
  for (const auto& u : directions)
    for (const auto& w : directions) worst = std::max(worst, magnitude(omega(image(u), image(w)) - omega(u, w)));
  return worst;
}

double symplectic_defect(const char* name, const std::string& scheme) {
  const Model m = model(name);
  Stepper<quad> stepper = stepper_of<quad>(m, scheme);
  const quad h = quad(1) / 10;
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(stepper.step(h).converged);
  const State<quad> before = stepper.state();
  EXPECT_TRUE(stepper.step(h).converged);
  return symplectic_defect(stepper, before.q, before.t, m.system.size(), m.system.constraint_count());
}

TEST_P(OfDegree, IsSymplectic) {
  for (const char* name :
       {"pendulum-cartesian", "nonseparable", "pendulum-polar-varying-length", "pendulum-cartesian-moving-pivot"})
    for (const char* side : {"", ", continuity=q_right", ", continuity=q_continuous"})
      EXPECT_LE(symplectic_defect(name, member(GetParam(), side)), quad_floor) << name << side;
  // Both from the same side are not, and neither is a damped pendulum.
  for (const char* side : {", continuity=both_left", ", continuity=both_right"})
    EXPECT_GE(symplectic_defect("nonseparable", member(GetParam(), side)), 1e-22) << side;
  EXPECT_GE(symplectic_defect("pendulum-cartesian-damped", member(GetParam())), 1e-3);
}

// g = 0 and the hidden constraint at the nodes to round-off in 1e5 steps, no drift of the energy.
TEST_P(OfDegree, LongRun) {
  const Model m = model("pendulum-cartesian");
  const auto r = run<double>(m.system, member(GetParam()), m.start, {.step = "0.05", .until = 5000, .every = 1000});
  ASSERT_EQ(r.status, Status::complete) << r.reason;
  EXPECT_EQ(r.steps, 100000);
  EXPECT_LE(r.constraint_max, 1e-14);
  EXPECT_LE(r.hidden_max, 3e-14);
  // Bounds of the energy error seen in the first 1000 steps, and a slope within what rounding may do to 9.81 in each
  // step: a twentieth of its last digit.
  const auto beginning = run<double>(m.system, member(GetParam()), m.start, {.step = "0.05", .until = 50});
  const double rounding = 0.05 * 0x1p-52 * 9.81 / 0.05;
  EXPECT_LE(std::fabs(r.drift.slope), 3 * r.drift.slope_error + rounding);
  EXPECT_LE(r.energy_max_error, 1.1 * beginning.energy_max_error + 5000 * rounding);
  EXPECT_LE(r.newton_max, 5);
}

// All products are polynomials in the Cartesian pendulum: of degree 3k - 2 at the most in the balance.
TEST_P(OfDegree, EnergyBalance) {
  const int k = GetParam(), exact = (3 * k) / 2;
  const Balance polynomial = balance("pendulum-cartesian", member(k, gauss(std::max(k + 1, exact))));
  EXPECT_LE(polynomial.energy, quad_floor);
  EXPECT_LE(polynomial.quadrature, quad_floor);
  if (exact > k + 1) {  // one point less is visible, also in the constraint products
    EXPECT_GE(balance("pendulum-cartesian", member(k, gauss(exact - 1))).energy, 1e-17);
  }
  // The sine is no polynomial: k + 1 points miss H1 - H0 but not the quadrature of dH/dt. With dH/dt of its own, too.
  for (const char* name : {"pendulum-polar", "pendulum-polar-moving-pivot", "pendulum-polar-varying-length"}) {
    const Balance coarse = balance(name, member(k, gauss(k + 1))), fine = balance(name, member(k, gauss(24)));
    EXPECT_GE(coarse.energy, 1e-20) << name;
    EXPECT_LE(coarse.quadrature, quad_floor) << name;
    EXPECT_LE(fine.energy, quad_floor) << name;
  }
  // A moving pivot in the constraint: its work p_g' . g_t.
  for (const char* name : {"pendulum-cartesian-moving-pivot", "pendulum-cartesian-varying-length"})
    EXPECT_LE(balance(name, member(k, gauss(24))).energy, quad_floor) << name;
}

// z, v ~ h^k, impulse and jump ~ h^{k+1}.
TEST_P(OfDegree, OrdersOfTheArtificialForces) {
  const int k = GetParam();
  for (const char* name : {"pendulum-polar", "pendulum-cartesian"}) {
    std::array<double, 4> before{};
    for (const int f : {1, 2, 4}) {
      Stepper<quad> stepper = stepper_of<quad>(model(name), member(k, gauss(12)));
      std::array<double, 4> now{};
      for (int i = 0; i < 10 * f; ++i) {
        ASSERT_TRUE(stepper.step(quad(3) / (40 * f)).converged);
        StepBalance<quad> b;
        stepper.balance(b);
        const std::array<quad, 4> all{b.force, b.velocity, b.impulse, b.jump};
        for (std::size_t j = 0; j < 4; ++j) now[j] += static_cast<double>(all[j] * all[j]) / f;
      }
      for (std::size_t j = 0; f > 1 && j < 4; ++j) {
        EXPECT_NEAR(0.5 * std::log2(before[j] / now[j]), j < 2 ? k : k + 1, 0.25) << name << " " << j;
      }
      before = now;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(PhaseSpace, OfDegree, testing::Range(1, 6));

}  // namespace
}  // namespace extremal::phase_space_test
