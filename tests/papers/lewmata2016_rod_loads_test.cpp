// Forces and moments per length of a rod [LewMata2016, section 4.2, the external virtual work].
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "distance.hpp"
#include "extremal/mechanism.hpp"
#include "extremal/models.hpp"

namespace extremal::papers::lewmata2016_rod_loads_test {
namespace {

Section beam() {
  return {.EA = 10000,
          .GA2 = 10000,
          .GA3 = 10000,
          .GJ = 1,
          .EI2 = 1,
          .EI3 = 2,
          .mass = 3,
          .inertia2 = "1e-3",
          .inertia3 = "1e-3"};
}

// Its nodes are not evenly spaced: what a node carries is not the same for all.
RodData uneven() {
  return {.section = beam(), .points = {{0, 0, 0}, {"0.1", 0, 0}, {"0.4", "0.1", 0}, {"0.6", "0.1", "0.1"}, {1, 0, 0}}};
}

double length(const RodData& rod) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < rod.points.size(); ++i) {
    double square = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double d = rod.points[i + 1].list()[k].as<double>() - rod.points[i].list()[k].as<double>();
      square += d * d;
    }
    sum += std::sqrt(square);
  }
  return sum;
}

Stepper<double> moved(const Mechanism& m, const char* scheme, double h, int steps) {
  Stepper<double> stepper(m.system(), Scheme::named(scheme));
  stepper.start(m.start());
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(stepper.step(h).converged);
  return stepper;
}

TEST(RodLoads, AForceOfItsWeightIsGravity) {
  Mechanism heavy("heavy"), loaded("loaded");
  RodData rod = uneven();
  rod.first = RodEnd::pinned;
  heavy.gravity(1, 0, -10);
  heavy.rod("beam", rod);
  rod.force = {3, 0, -30};
  loaded.rod("beam", rod);
  const double h = 0.5 * heavy.step_bound().as<double>();
  const auto a = moved(heavy, "lie(trapezoidal)", h, 500), b = moved(loaded, "lie(trapezoidal)", h, 500);
  EXPECT_LT(distance(a.state().q, b.state().q), 1e-12);
  EXPECT_GT(distance(a.state().q, moved(heavy, "lie(trapezoidal)", h, 1).state().q), 1e-3);
}

// A free rod gains the impulse of its loads: 2t - 1 along x and a constant about z, integrated exactly by the
// trapezoidal rule.
TEST(RodLoads, ChangeTheMomentaOfAFreeRod) {
  RodData rod = uneven();
  rod.force = {[](auto t) { return 2.0 * t - 1.0; }, 0, 0};
  rod.moment = {0, "0.3", [](auto t) { return 0.5 * t; }};
  Mechanism m("free");
  m.rod("beam", rod);
  const double h = 0.5 * m.step_bound().as<double>();
  const int steps = 400;
  const auto stepper = moved(m, "lie(trapezoidal)", h, steps);
  const double T = steps * h, L = length(rod);
  double P[3] = {}, J[3] = {}, torque[3] = {};  // torque: of the forces about the origin, from the trapezoidal rule
  Stepper<double> again(m.system(), Scheme::named("lie(trapezoidal)"));
  again.start(m.start());
  const std::size_t n = rod.points.size();
  const std::vector<double> share = [&] {
    std::vector<double> all(n);
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const double half = length({.points = {rod.points[i], rod.points[i + 1]}}) / 2;
      all[i] += half, all[i + 1] += half;
    }
    return all;
  }();
  for (int k = 0; k <= steps; ++k) {
    const double w = (k == 0 || k == steps ? 0.5 : 1) * h, f = 2 * k * h - 1;
    for (std::size_t i = 0; i < n; ++i) {
      torque[1] += w * share[i] * f * again.state().q[12 * i + 2];
      torque[2] -= w * share[i] * f * again.state().q[12 * i + 1];
    }
    if (k < steps) again.step(h);
  }
  // p of a director belongs to its velocity; r x p summed over the centre and the directors is the angular momentum.
  const auto& [q, p] = std::pair{stepper.state().q, stepper.state().p};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      P[k] += p[12 * i + k];
      for (std::size_t d = 0; d < 4; ++d) {
        const std::size_t at = 12 * i + 3 * d;
        J[k] += q[at + (k + 1) % 3] * p[at + (k + 2) % 3] - q[at + (k + 2) % 3] * p[at + (k + 1) % 3];
      }
    }
  EXPECT_NEAR(P[0], L * (T * T - T), 1e-12);
  EXPECT_NEAR(P[1], 0, 1e-12);
  EXPECT_NEAR(P[2], 0, 1e-12);
  EXPECT_GT(std::abs(P[0]), 1e-3);
  EXPECT_NEAR(J[0], 0, 1e-12);
  EXPECT_NEAR(J[1], torque[1] + 0.3 * L * T, 1e-12);
  EXPECT_NEAR(J[2], torque[2] + L * T * T / 4, 1e-12);
}

TEST(RodLoads, AreThoseOfTheDirectorsToo) {
  RodData rod = uneven();
  rod.force = {0, [](auto t) { return 40.0 * sin(30.0 * t); }, 5};
  rod.moment = {[](auto t) { return 2.0 * cos(10.0 * t); }, 0, 1};
  Mechanism m("free");
  m.rod("beam", rod);
  const double h = 0.2 * m.step_bound().as<double>();
  const auto lie = moved(m, "lie(trapezoidal)", h, 50), directors = moved(m, "rattle", h, 50);
  EXPECT_LT(distance(lie.state().q, directors.state().q), 1e-11);
}

// q per length on a cantilever at rest: shear q a and moment q a^2 / 2 at the distance a from the tip, deflection
// q L^4 / (8 EI) + q L^2 / (2 GA).
TEST(RodLoads, BendACantilever) {
  const int n = 16;
  const double q = 1e-4;
  Mechanism m("loaded cantilever");
  m.rod("rod", {.section = beam(),
                .from = {0, 0, 0},
                .to = {1, 0, 0},
                .elements = n,
                .normal = {0, 0, 1},
                .damping = 7,
                .first = RodEnd::clamped,
                .force = {0, 0, -q}});
  const double h = 0.8 * m.step_bound().as<double>();
  const auto stepper = moved(m, "lie(trapezoidal)", h, static_cast<int>(14 / h));
  for (const SectionForce<double>& s : m.sections(stepper.state().q)) {
    const double arm = 1 - (s.element + 0.5) / n;
    EXPECT_NEAR(s.N[2], -q * arm, 1e-4 * q) << s.element;
    EXPECT_NEAR(s.M[1], q * arm * arm / 2, q / (8.0 * n * n) + 1e-4 * q) << s.element;
  }
  EXPECT_NEAR(stepper.state().q[12 * n + 2], -q * (1.0 / 8 + 0.5e-4), 1e-3 * q);
}

// A load that grows until the rod moves faster than its step allows.
TEST(RodLoads, ThatAreTooMuchNameTheNode) {
  RodData rod = uneven();
  rod.first = RodEnd::clamped;
  rod.force = {0, 0, [](auto t) { return 1e5 * t; }};
  Mechanism m("whip");
  m.rod("beam", rod);
  const auto run = extremal::run(m.system(), "lie(trapezoidal)", m.start(), {.step = "2e-4", .until = 10});
  EXPECT_EQ(run.status, Status::failed);
  EXPECT_GT(run.steps, 10);
  EXPECT_NE(run.reason.find("rod node \"beam."), std::string::npos) << run.reason;
  EXPECT_NE(run.reason.find("turns by h |omega| = 1 or more in one step, expected less than 0.9; try step <= 0.0001"),
            std::string::npos)
      << run.reason;
  EXPECT_EQ(run.reason.find("Newton"), std::string::npos) << run.reason;
}

}  // namespace
}  // namespace extremal::papers::lewmata2016_rod_loads_test
