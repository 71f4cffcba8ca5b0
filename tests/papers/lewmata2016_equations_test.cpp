// Equations of [LewMata2016] as they are printed and as they must be, where other tests do not have them: the order of
// a discrete Lagrangian, the sign of a potential, rotations of bodies and of rods.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "bodies/rod_element.hpp"
#include "distance.hpp"
#include "extremal/check.hpp"
#include "extremal/models.hpp"

namespace extremal::papers::lewmata2016_equations_test {
namespace {

using Matrix3 = std::array<std::array<quad, 3>, 3>;

// (76) has r + 1 as the power of h, so that a discrete Lagrangian of order r gives an integrator of order r; the text
// has it that one of order r + 1 does.
TEST(DiscreteLagrangian, OfOrderRGivesAnIntegratorOfOrderR) {
  const Model m = model("hoop");
  for (const auto& [name, r] : {std::pair{"rectangle(0)", 1}, {"trapezoidal", 2}, {"midpoint", 2}, {"quadratic", 4}}) {
    const Scheme scheme = Scheme::named(name);
    const Law lagrangian = law::variational_order(m.system, scheme, m.start, {.step = m.span.step});
    const Law integrator = law::order(m.system, scheme, m.start, {.step = m.span.step})[0];
    EXPECT_NEAR(std::stod(lagrangian.measured), r, 0.25) << name;
    EXPECT_NEAR(std::stod(integrator.measured), r, 0.25) << name;
  }
}

// The example of section 3.5: L_d = M (q1 - q0)^2 / 2h - h U(q_1/2), printed with + h U. The map that follows is the
// midpoint rule z1 = z0 + h J H_z(z_1/2).
TEST(Midpoint, HasMinusThePotential) {
  const Model m = model("hoop");  // m = r = 1, U = 9.81 sin(theta)
  const quad h = quad(1) / 20, g = quad(981) / 100;
  Stepper<quad> stepper(m.system, Scheme::named("midpoint"));
  stepper.start(m.start);
  const State<quad> a = stepper.state();
  ASSERT_TRUE(stepper.step(h).converged);
  const State<quad>& b = stepper.state();
  const quad slope = g * math::cos((a.q[0] + b.q[0]) / 2);
  EXPECT_LT(magnitude(b.q[0] - a.q[0] - h * (a.p[0] + b.p[0]) / 2), 1e-31);
  EXPECT_LT(magnitude(b.p[0] - a.p[0] + h * slope), 1e-31);
  EXPECT_GT(magnitude(b.p[0] - a.p[0] - h * slope), 0.1);
}

// a b, a b^T, and what is left of x - x^T - skew(w).
Matrix3 product(const Matrix3& a, const Matrix3& b, bool transposed = false) {
  Matrix3 out{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) out[i][j] += a[i][k] * (transposed ? b[j][k] : b[k][j]);
  return out;
}
Matrix3 transposed(const Matrix3& a) { return product({{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, a, true); }
double residual(const Matrix3& x, const std::array<quad, 3>& w) {
  double worst = 0;
  for (std::size_t i = 0; i < 3; ++i)
    worst = std::max(worst, magnitude(x[(i + 2) % 3][(i + 1) % 3] - x[(i + 1) % 3][(i + 2) % 3] - w[i]));
  return worst;
}

// Columns of the state of a single body are its directors: rotation, and momentum in space.
Matrix3 rotation(const State<quad>& s) {
  Matrix3 R;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t d = 0; d < 3; ++d) R[i][d] = s.q[3 + 3 * d + i];
  return R;
}

// (91), (114): F J_d - J_d F^T = h skew(R0^T pi) with F = R0^T R1 in the body; in space Lambda_in = R1 R0^T, with
// j_d = R0 J_d R0^T and h pi. Printed are Lambda_in = R0^T R1 with inertia in space, and twice the load's moment
// instead of the sum of both, which a free body does not see (RodLoads has them).
TEST(Equation114, TakesTheRotationInSpace) {
  const Model m = model("free-body");                        // J = diag(1, 2, 3)
  const Matrix3 inertia{{{2, 0, 0}, {0, 1, 0}, {0, 0, 0}}};  // J_d = tr(J)/2 - J
  const quad h = quad(1) / 10;
  Stepper<quad> stepper(m.system, Scheme::named("lie(trapezoidal)"));
  stepper.start(m.start);
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(stepper.step(h).converged);
  const State<quad> before = stepper.state();
  ASSERT_TRUE(stepper.step(h).converged);
  const Matrix3 R0 = rotation(before), R1 = rotation(stepper.state());
  std::array<quad, 3> pi{}, body{};
  for (std::size_t d = 3; d < 12; d += 3)
    for (std::size_t i = 0; i < 3; ++i)
      pi[i] += h * (before.q[d + (i + 1) % 3] * before.p[d + (i + 2) % 3] -
                    before.q[d + (i + 2) % 3] * before.p[d + (i + 1) % 3]);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) body[i] += R0[k][i] * pi[k];
  const Matrix3 F = product(transposed(R0), R1), in_space = product(R1, R0, true);
  const Matrix3 in_space_inertia = product(product(R0, inertia), R0, true);
  EXPECT_LT(residual(product(F, inertia), body), 1e-30);
  EXPECT_LT(residual(product(in_space, in_space_inertia), pi), 1e-30);
  EXPECT_GT(residual(product(F, in_space_inertia), pi), 1e-3);
}

// (108): m (x^{k+1} - 2 x^k + x^{k-1}) / dt^2 = -s^k with s_i = (-1)^i n; printed are - x^{k-1} and + s^k. An element
// that is stretched by a tenth.
TEST(Equation108, HasTheSecondDifferenceAndPullsNodesTogether) {
  Mechanism mechanism("element");
  const Rod rod = mechanism.rod(
      "rod",
      {.section =
           {.EA = 20, .GA2 = 8, .GA3 = 6, .GJ = 2, .EI2 = 3, .EI3 = 1, .mass = 2, .inertia2 = "1/3", .inertia3 = "1/2"},
       .from = {0, 0, 0},
       .to = {1, 0, 0},
       .elements = 1,
       .normal = {0, 0, 1}});
  mechanism.place(rod.node(1), {.position = {"1.1", 0, 0}});
  const double h = 0.01, mass = 1;  // half of the element's
  Stepper<double> stepper(mechanism.system(), Scheme::named("lie(trapezoidal)"));
  stepper.start(mechanism.start());
  std::vector<std::vector<double>> q{stepper.state().q};
  for (int k = 0; k < 2; ++k) {
    ASSERT_TRUE(stepper.step(h).converged);
    q.push_back(stepper.state().q);
  }
  const double n = mechanism.sections(q[1])[0].N[0];
  EXPECT_NEAR(n, 20 * (q[1][12] - q[1][0] - 1), 1e-12);
  EXPECT_GT(n, 1.9);
  for (const auto& [first, s] : {std::pair{std::size_t(0), -n}, {std::size_t(12), n}})
    EXPECT_NEAR(mass * (q[2][first] - 2 * q[1][first] + q[0][first]) / (h * h), -s, 1e-9);
}

// Section 4.2.4 interpolates the total rotation vectors of nodes. Where one of them passes an angle of pi, and becomes
// the other representative of the same rotation, its element bends at once; the relative rotation knows nothing of it.
TEST(InterpolatedRotations, JumpAtPiIfTheyAreTotal) {
  const quad pi = math::acos(quad(-1)), turn = quad(1) / 100;
  const lie::RodElement<quad> e{1, {1, 1, 1}, {1, 1, 1}, {1, 0, 0}, {0, 0, 0}};
  const auto vector = [&](quad angle) { return angle > pi ? angle - 2 * pi : angle; };  // of a rotation about e3
  const auto about = [](quad angle) { return lie::Quaternion<quad>{math::cos(angle / 2), 0, 0, math::sin(angle / 2)}; };
  for (const quad& first : {quad(1), pi - turn / 2}) {
    const lie::RodStrain<quad> strain = rod_strain(e, {0, 0, 0}, about(first), {1, 0, 0}, about(first + turn));
    EXPECT_LT(magnitude(strain.omega.z - turn), 1e-31);
    const quad total = vector(first + turn) - vector(first);
    if (first == quad(1))
      EXPECT_LT(magnitude(total - turn), 1e-31);
    else
      EXPECT_GT(magnitude(total), 6);
  }
}

// (127) is the same rotation for q and -q. Of appendix C.1 the branch of a large diagonal entry lacks its square root.
TEST(Quaternion, IsUniqueUpToItsSignAndNeedsASquareRoot) {
  const lie::Quaternion<quad> q{quad(1) / 10, quad(7) / 10, quad(1) / 10, quad(7) / 10};
  const lie::Columns<quad> R = columns(q), same = columns(quad(-1) * q);
  for (const auto& [a, b] : {std::pair{R.e1, same.e1}, {R.e2, same.e2}, {R.e3, same.e3}})
    EXPECT_LT(magnitude(dot(a - b, a - b)), 1e-64);
  const quad inside = R.e1.x / 2 + (1 - (R.e1.x + R.e2.y + R.e3.z)) / 4;
  EXPECT_LT(magnitude(math::sqrt(inside) - q.x), 1e-32);
  EXPECT_GT(magnitude(inside - q.x), 0.1);
}

}  // namespace
}  // namespace extremal::papers::lewmata2016_equations_test
