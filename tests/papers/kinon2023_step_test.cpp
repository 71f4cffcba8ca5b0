// One step of [Kinon2023, eq. 57] seen from outside: with the states at its ends and the impulse Lambda everything else
// follows, the momentum before its projection too, and the equations can be checked. For constant diagonal mass,
// constant weight and quadratic constraints.
#include <gtest/gtest.h>

#include <algorithm>

#include "distance.hpp"
#include "extremal/models.hpp"
#include "hand_written.hpp"

namespace extremal::papers::kinon2023_step_test {
namespace {

struct GglStep {
  Vector p;                  // the momentum at the end before it is projected: G(qbar) M^-1 p = 0
  quad kinetic = 0;          // its energy
  double hidden_at_end = 0;  // largest |G(q1) M^-1 p|
  double residual = 0;       // of M (q1 - qbar) = G(qbar)^T Gamma and p + S M^-1 p = M v
};

Vector lifted(const std::vector<double>& x) { return {x.begin(), x.end()}; }

// `stepper` has just left `before`.
GglStep ggl_step(Stepper<double>& stepper, const State<double>& before, const Vector& mass, const Vector& weight,
                 double h) {
  const std::size_t n = mass.size();
  const std::vector<double> last = stepper.multipliers();
  const std::size_t m = last.size() / 2;  // Lambda, then what the projection took off
  const auto jacobian = [&](const Vector& q) {
    std::vector<double> at;
    for (const quad x : q) at.push_back(static_cast<double>(x));
    const std::vector<double> G = stepper.constraint_jacobian(at, before.t);
    Matrix rows(m, Vector(n));
    for (std::size_t k = 0; k < m; ++k)
      for (std::size_t i = 0; i < n; ++i) rows[k][i] = G[k * n + i];
    return rows;
  };
  const auto divided = [&](Vector x) {
    for (std::size_t i = 0; i < n; ++i) x[i] /= mass[i];
    return x;
  };
  const auto gram = [&](const Matrix& A, const Matrix& B) {  // A M^-1 B^T
    Matrix out(m);
    for (std::size_t k = 0; k < m; ++k) out[k] = product(B, divided(A[k]));
    return out;
  };
  const Vector q0 = lifted(before.q), q1 = lifted(stepper.state().q), p1 = lifted(stepper.state().p);
  Vector Mv = lifted(before.p), Lambda(m);
  for (std::size_t k = 0; k < m; ++k) Lambda[k] = quad(h) * last[k];
  add(Mv, -quad(h), weight);
  add_transposed(Mv, -1, jacobian(q0), Lambda);
  Vector qbar = q0;
  add(qbar, h, divided(Mv));
  const Matrix G = jacobian(qbar), G1 = jacobian(q1);

  GglStep step;
  Vector across = product(G, divided(p1));
  for (quad& x : across) x = -x;
  step.p = p1;
  add_transposed(step.p, 1, G1, solve(gram(G, G1), across));
  const Vector v = divided(step.p);
  for (std::size_t i = 0; i < n; ++i) step.kinetic += step.p[i] * v[i] / 2;
  step.hidden_at_end = size(product(G1, v));

  Vector moved = q1;
  add(moved, -1, qbar);
  const Vector Gamma = solve(gram(G, G), product(G, moved));
  Vector first(n), second = step.p;
  for (std::size_t i = 0; i < n; ++i) first[i] = mass[i] * moved[i];
  add_transposed(first, -1, G, Gamma);
  // G is affine in q: D^2 g_k x = G_k(x) - G_k(0).
  add_transposed(second, 1, jacobian(v), Gamma);
  add_transposed(second, -1, jacobian(Vector(n)), Gamma);
  add(second, -1, Mv);
  step.residual = std::max(size(first), size(second));
  return step;
}

// The published bands are those of the momentum before the projection, which meets the hidden constraint at qbar.
TEST(GglStep, OfTheTopSolvesThePapersEquations) {
  const Model m = model("top");
  const quad cone = Number("2700*pi*0.05^2*0.1/3").as<quad>(), inertia = Number("3/10*0.05^2").as<quad>() * cone;
  Vector mass(12, inertia / 2), weight(12);
  for (std::size_t i = 0; i < 3; ++i) mass[i] = cone;
  weight[2] = cone * Number("9.81").as<quad>();
  Stepper<double> stepper(m.system, Scheme::named("ggl"));
  stepper.start(m.start);
  const double at_start = stepper.observe().energy(), h = 0.002;
  double low = 1, high = -1, residual = 0, hidden = 0;
  for (int k = 0; k < 1000; ++k) {
    const State<double> before = stepper.state();
    ASSERT_TRUE(stepper.step(h).converged);
    const GglStep step = ggl_step(stepper, before, mass, weight, h);
    const double excess = static_cast<double>(step.kinetic) + stepper.observe().potential - at_start;
    low = std::min(low, excess);
    high = std::max(high, excess);
    residual = std::max(residual, step.residual);
    hidden = std::max(hidden, step.hidden_at_end);
  }
  EXPECT_NEAR(low, 1.8e-5, 1.01 * half_unit(1.8e-5, 2));
  EXPECT_NEAR(high, 1.93e-4, 1.01 * half_unit(1.93e-4, 3));
  EXPECT_NEAR(hidden, 0.374, 1.01 * half_unit(0.374, 3));
  EXPECT_LE(residual, 1e-13);
}

// (x4, v4) of an independent program, whose velocity is that of the momentum before the projection: 12 decimals.
TEST(GglStep, OfTheFourBarIsWhereItWas) {
  const Model m = model("double-four-bar");
  Vector mass(30, quad(1) / 24), weight(30);
  for (std::size_t body = 0; body < 5; ++body) {
    mass[6 * body] = mass[6 * body + 1] = 1;
    weight[6 * body + 1] = Number("9.81").as<quad>();
  }
  Stepper<double> stepper(m.system, Scheme::named("ggl"));
  stepper.start(m.start);
  struct At {
    int steps;
    double x4, v4;
  };
  int k = 0;
  for (const At& at : {At{100, 0.101740992076, 1.051655338545}, At{500, 0.695286815718, 1.957344754094},
                       At{1000, -0.195069204898, -6.677627812898}}) {
    State<double> before;
    for (; k < at.steps; ++k) {
      before = stepper.state();
      const StepReport report = stepper.step(0.001);
      ASSERT_TRUE(report.converged && report.retries == 0) << report.worst;
    }
    const GglStep step = ggl_step(stepper, before, mass, weight, 0.001);
    EXPECT_LE(step.residual, 1e-13) << at.steps;
    EXPECT_NEAR(stepper.state().q[2], at.x4, 6e-13) << at.steps;  // x4 is d1x of bar 1
    EXPECT_NEAR(static_cast<double>(step.p[2] / mass[2]), at.v4, 3e-12) << at.steps;
  }
}

}  // namespace
}  // namespace extremal::papers::kinon2023_step_test
