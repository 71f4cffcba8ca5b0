// Two particles joined by a rigid rod [LewMata2016, figures 1 and 5, eqs. 5 and 18]: the middle moves straight on, the
// rod turns at a constant rate, and the momenta are 2 m (x_CG', y_CG', L^2 theta').
#include <gtest/gtest.h>

#include <cmath>

#include "extremal/check.hpp"
#include "extremal/models.hpp"

namespace extremal::papers::lewmata2016_rigid_rod_test {
namespace {

TEST(RigidRod, HasTheMomentaOfEquation18) {
  const Model m = model("rigid-rod", {{"m", "1.5"}, {"L", "0.5"}});
  const auto all = run(m.system, "rattle", m.start, m.span, {.observers = m.observers});
  ASSERT_EQ(all.status, Status::complete) << all.reason;
  for (const double x : {all.column("momentum:along x").back(), all.column("momentum:along x").front()})
    EXPECT_NEAR(x, 2 * 1.5 * 1, 1e-13);
  EXPECT_NEAR(all.column("momentum:along y").back(), 2 * 1.5 * 2, 1e-13);
  EXPECT_NEAR(all.column("p_theta").back(), 2 * 1.5 * 0.25 * 2, 1e-12);
  // About the origin: that of the middle, and that of the angle.
  EXPECT_NEAR(all.column("momentum:about z").back(), 3 * (1 * 2 - 2 * 1) + 1.5, 1e-12);
  // Section 3.3.3: velocities are those of the momenta.
  for (const std::string x : {"x1", "y1", "x2", "y2"})
    for (std::size_t k = 0; k < all.column(x).size(); ++k)
      EXPECT_NEAR(all.column("v:" + x)[k], all.column("p:" + x)[k] / 1.5, 1e-14) << x << k;
  for (const Column<double>& error : all.momentum_error) EXPECT_LT(error.values[0], 1e-12) << error.name;
}

// Figure 5: translations and rotations leave L and g as they are.
TEST(RigidRod, HasTheSymmetriesOfFigure5) {
  const Model m = model("rigid-rod");
  Stepper<double> stepper(m.system, Scheme::named("rattle"));
  stepper.start(m.start);
  for (int k = 0; k < 3; ++k) EXPECT_LT(stepper.symmetry_defect(k), 1e-15) << k;
}

// Eq. 73 has the momenta of the midpoint rule with the wrong sign, and p1 = -p0: they are 2 m (dx, dy, L^2 dtheta) / h,
// at both ends.
TEST(RigidRod, HasTheMomentaOfEquation73WithTheOtherSign) {
  const double mass = 1.5, length = 0.5, h = 0.1;
  System rod("rod");
  const auto q = rod.coordinates("x", "y", "theta");
  rod.kinetic(q, [=](const auto&, const auto& v) {
    return mass * (v[0] * v[0] + v[1] * v[1] + length * length * v[2] * v[2]);
  });
  Stepper<double> stepper(rod, Scheme::named("midpoint"));
  stepper.start({.q = {0, 0, 1}, .v = {1, 2, -3}});
  const State<double> before = stepper.state();
  ASSERT_TRUE(stepper.step(h).converged);
  const State<double>& after = stepper.state();
  for (std::size_t i = 0; i < 3; ++i) {
    const double expected = 2 * mass / h * (i == 2 ? length * length : 1) * (after.q[i] - before.q[i]);
    EXPECT_NEAR(before.p[i], expected, 1e-13);
    EXPECT_NEAR(after.p[i], expected, 1e-13);
    EXPECT_GT(std::fabs(expected), 0.5);
  }
}

TEST(RigidRod, MovesAsTheEquationsOfItsCoordinatesSay) {
  const Model m = model("rigid-rod");
  const auto all = run<quad>(m.system, "spark(6)", m.start, m.span, {.observers = m.observers});
  const auto t = static_cast<double>(all.column("t").back());
  const quad theta = quad(1) + quad(2) * all.column("t").back();
  EXPECT_LT(static_cast<double>(math::abs(all.column("x_cg").back() - (1 + all.column("t").back()))), 1e-30) << t;
  EXPECT_LT(static_cast<double>(math::abs(all.column("y_cg").back() - (2 + 2 * all.column("t").back()))), 1e-30);
  const quad half = (all.column("x1").back() - all.column("x2").back()) / 2;
  EXPECT_LT(static_cast<double>(math::abs(half - math::cos(theta))), 1e-12);
  // (54g): in the coordinates of eq. 5 the midpoint rule is exact; with the rod as a constraint it has order 2.
  for (const Law& law : law::order(m.system, Scheme::named("midpoint"), m.start, {.step = m.span.step}))
    EXPECT_TRUE(law.holds) << law.name << ": " << law.measured;
}

}  // namespace
}  // namespace extremal::papers::lewmata2016_rigid_rod_test
