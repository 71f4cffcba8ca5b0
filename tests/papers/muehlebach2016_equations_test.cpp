// Equations of [Muehlebach2016] as they are printed and as they must be: a step of the pendulum by hand in the strong
// and in the weak form, the linear ansatz of section 5, and what the scheme is the exact solution of.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "algebra/lu.hpp"
#include "distance.hpp"
#include "extremal/models.hpp"
#include "scheme/tableau.hpp"

namespace extremal::papers::muehlebach2016_equations_test {
namespace {

// A step of degree 1, by hand, for H = |p|^2 / 2 + y on the unit circle: unknowns q~ and p~ at both ends, p_g at both
// ends and p_z at the end.
enum class Form {
  strong,         // (37) with the strong form of the virtual action, (38)
  equation71,     // the same, but the start takes W at q~(0)+, as (71) prints it
  weak,           // (67) with tau(T) p_z(T) and int tau W' p_g
  without_rate,   // (67) without int tau W' p_g, as it is printed
  at_start,       // (67) with tau(0) p_z(T), as it is printed
  no_constant_pg  // p_g is a multiple of t: assumption 4.1 does not hold
};

using Two = std::array<quad, 2>;
struct OnCircle {
  quad h;
  Form form = Form::strong;

  static quad gap(const Two& q) { return (q[0] * q[0] + q[1] * q[1] - 1) / 2; }

  std::vector<quad> residual(const Two& q, const Two& p, const std::vector<quad>& x) const {
    const bool strong = form == Form::strong || form == Form::equation71 || form == Form::no_constant_pg;
    const Two q0{x[0], x[1]}, q1{x[2], x[3]}, p0{x[4], x[5]}, p1{x[6], x[7]}, pz{x[10], x[11]};
    const quad g0 = x[8], g1 = x[9], node = math::sqrt(quad(1) / 12), gravity[2] = {0, 1};
    std::vector<quad> r(12, quad(0));
    for (const quad c : {quad(0.5) - node, quad(0.5) + node}) {
      const quad phi[2] = {1 - c, c}, slope[2] = {-1, 1}, pg = phi[0] * g0 + phi[1] * g1;
      for (std::size_t i = 0; i < 2; ++i) {
        const quad at_c = phi[0] * q0[i] + phi[1] * q1[i], momentum = phi[0] * p0[i] + phi[1] * p1[i];
        const quad rate = form == Form::without_rate ? quad(0) : q1[i] - q0[i];  // W' = q~'
        for (std::size_t a = 0; a < 2; ++a) {
          if (strong)
            r[2 * a + i] += phi[a] / 2 * (p1[i] - p0[i] + h * gravity[i] - at_c * (g1 - g0));
          else
            r[2 * a + i] +=
                (phi[a] * h * gravity[i] - slope[a] * momentum + slope[a] * at_c * pg + phi[a] * rate * pg) / 2;
          r[4 + 2 * a + i] -= phi[a] / 2 * (q1[i] - q0[i] - h * momentum);
        }
      }
      const quad g = gap({phi[0] * q0[0] + phi[1] * q1[0], phi[0] * q0[1] + phi[1] * q1[1]});
      r[8] += g / 2;
      r[9] -= g / 2;
    }
    r[8] -= gap(q);
    r[9] += gap(q1);
    if (form == Form::no_constant_pg) r[8] = g0;
    for (std::size_t i = 0; i < 2; ++i) {
      if (strong) {
        r[2 + i] += pz[i] - p1[i] + q1[i] * g1;
      } else {
        r[i] -= p0[i] - q0[i] * g0;
        r[(form == Form::at_start ? 0 : 2) + i] += pz[i];
      }
      r[4 + i] -= q0[i] - q[i];
      r[10 + i] = p[i] - p0[i] + (form == Form::equation71 ? q0 : q)[i] * g0;
    }
    return r;
  }

  static Two position(quad angle) { return {math::sin(angle), -math::cos(angle)}; }
  static Two momentum(quad angle, quad rate) { return {rate * math::cos(angle), rate * math::sin(angle)}; }

  // The unknowns of a step from an angle and an angular velocity: Newton's method with a matrix of differences.
  std::vector<quad> solution(quad angle, quad rate) const {
    const Two q = position(angle), p = momentum(angle, rate);
    std::vector<quad> x{q[0], q[1], q[0] + h * p[0], q[1] + h * p[1], p[0], p[1], p[0], p[1], 0, 0, p[0], p[1]};
    for (int iteration = 0; iteration < 40; ++iteration) {
      Lu<quad> lu(12);
      for (std::size_t k = 0; k < 12; ++k) {
        std::vector<quad> up = x, down = x;
        up[k] += quad(1e-10), down[k] -= quad(1e-10);
        const std::vector<quad> a = residual(q, p, up), b = residual(q, p, down);
        for (std::size_t i = 0; i < 12; ++i) lu.row(static_cast<int>(i))[k] = (a[i] - b[i]) / quad(2e-10);
      }
      EXPECT_LT(lu.factor(), 0);
      std::vector<quad> r = residual(q, p, x);
      lu.solve(r.data());
      for (std::size_t i = 0; i < 12; ++i) x[i] -= r[i];
      if (size(r) < 1e-30) break;
    }
    return x;
  }

  Two step(quad angle, quad rate) const {
    const std::vector<quad> x = solution(angle, rate);
    return {math::atan2(x[2], -x[3]), -x[10] * x[3] + x[11] * x[2]};
  }

  // That of the area of (angle, rate): 0 for a symplectic step.
  double defect(quad angle, quad rate) const {
    const quad d = 1e-8;
    const Two a = step(angle + d, rate), b = step(angle - d, rate), e = step(angle, rate + d),
              f = step(angle, rate - d);
    return static_cast<double>(((a[0] - b[0]) * (e[1] - f[1]) - (a[1] - b[1]) * (e[0] - f[0])) / (4 * d * d) - 1);
  }

  // The largest and the last change of the energy over 100 steps.
  struct Change {
    double most = 0, last = 0;
  };
  Change energy(quad angle, quad rate) const {
    const auto H = [&] { return rate * rate / 2 - math::cos(angle); };
    const quad start = H();
    Change change;
    for (int k = 0; k < 100; ++k) {
      const Two next = step(angle, rate);
      angle = next[0], rate = next[1];
      change.last = static_cast<double>(H() - start);
      change.most = std::max(change.most, std::fabs(change.last));
    }
    return change;
  }
};

const quad angle = quad(6) / 10, rate = quad(8) / 10;

// From where angle and rate are these.
Model circle() {
  return read_model_text(
      "coordinates = ['x', 'y']\nkinetic = \"(x'^2 + y'^2)/2\"\npotential = 'y'\n[[constraint]]\nname = 'rod'\n"
      "formula = '(x^2 + y^2 - 1)/2'\n[start]\nx = 'sin(0.6)'\ny = '-cos(0.6)'\n"
      "velocity = { x = '0.8*cos(0.6)', y = '0.8*sin(0.6)' }\n",
      "circle.toml");
}

// That of phase_space(1) against a step by hand.
double apart(const Two& by_hand, quad h) {
  const Model m = circle();
  Stepper<quad> stepper(m.system, Scheme::named("phase_space(1)"));
  stepper.start(m.start);
  EXPECT_TRUE(stepper.step(h).converged);
  const State<quad>& end = stepper.state();
  return std::max(magnitude(math::atan2(end.q[0], -end.q[1]) - by_hand[0]),
                  magnitude(-end.p[0] * end.q[1] + end.p[1] * end.q[0] - by_hand[1]));
}

TEST(Equation71, AsPrintedIsNotSymplecticAndAsIn38ItIsTheStep) {
  const quad h = quad(1) / 10;
  const OnCircle right{h}, printed{h, Form::equation71};
  EXPECT_LT(std::fabs(right.defect(angle, rate)), 1e-13);  // of the differences
  EXPECT_GT(std::fabs(printed.defect(angle, rate)), 1e-7);
  EXPECT_LT(apart(right.step(angle, rate), h), 1e-28);
}

// (67) is the weak form. With tau(T) p_z(T) and with int tau W' p_g it is the step; without that integral the pendulum
// loses energy that the step keeps to 2e-5; and tau(0) p_z(T) makes it no approximation of anything: its residual at
// the step's solution does not become smaller with h.
TEST(Equation67, AsPrintedDampsAndCorrectedItIsTheStep) {
  const quad h = quad(1) / 10;
  EXPECT_LT(apart(OnCircle{h, Form::weak}.step(angle, rate), h), 1e-28);
  EXPECT_GT(apart(OnCircle{h, Form::without_rate}.step(angle, rate), h), 1e-3);
  EXPECT_LT((OnCircle{h, Form::weak}.energy(angle, rate).most), 2e-5);
  EXPECT_LT((OnCircle{h, Form::without_rate}.energy(angle, rate).last), -0.2);
  for (const quad& step : {h, h / 10, h / 100}) {
    const std::vector<quad> x = OnCircle{step}.solution(angle, rate);
    const Two q = OnCircle::position(angle), p = OnCircle::momentum(angle, rate);
    EXPECT_LT(size(OnCircle{step, Form::weak}.residual(q, p, x)), 1e-30);
    EXPECT_GT(size(OnCircle{step, Form::at_start}.residual(q, p, x)), 0.6);
  }
}

// g is kept from node to node because of the constant in p_g.
TEST(Assumption41, IsWhatKeepsTheGap) {
  const auto gap = [](Form form) {
    const std::vector<quad> x = OnCircle{quad(1) / 10, form}.solution(angle, rate);
    return magnitude(OnCircle::gap({x[2], x[3]}));
  };
  EXPECT_LT(gap(Form::strong), 1e-32);
  EXPECT_GT(gap(Form::no_constant_pg), 1e-5);
}

// Admissible variations are those with W(q)^T xi = 0, as the velocity is; with the printed W(xi), on a circle 2 xi,
// none would be but xi = 0.
TEST(Equation29, NeedsTheNormalAtThePosition) {
  const Model m = circle();
  Stepper<double> stepper(m.system, Scheme::named("phase_space(1)"));
  stepper.start(m.start);
  const std::vector<double>& q = stepper.state().q;
  const std::vector<double> v = stepper.observe().v;
  EXPECT_LT(std::fabs(q[0] * v[0] + q[1] * v[1]), 1e-15);
  EXPECT_GT(v[0] * v[0] + v[1] * v[1], 0.6);
}

// Section 5, linear functions by their values at the two Gauss points: A_q = 0 is met by the method of figure 3 if the
// first bracket has the slopes of the variations; printed are their values.
TEST(Equation47, HasTheSlopesOfTheVariations) {
  const ButcherPair t = butcher(Scheme::named("phase_space(1)"));
  const auto phi = [&](std::size_t a, quad at) { return (at - t.c[1 - a]) / (t.c[a] - t.c[1 - a]); };
  const quad p0 = quad(3) / 10, f[2] = {quad(7) / 10, -quad(2) / 10};
  quad p[2], p1 = p0;
  for (std::size_t i = 0; i < 2; ++i) {
    p[i] = p0 + t.A_p[i][0] * f[0] + t.A_p[i][1] * f[1];
    p1 += t.b[i] * f[i];
  }
  EXPECT_LT(magnitude(phi(0, 0) * p[0] + phi(1, 0) * p[1] - p0), 1e-32);
  for (std::size_t a = 0; a < 2; ++a) {
    quad right = phi(a, 1) * p1 - phi(a, 0) * p0, printed = right;
    for (std::size_t j = 0; j < 2; ++j) {
      right -= (p[j] / (t.c[a] - t.c[1 - a]) + phi(a, t.c[j]) * f[j]) / 2;
      printed -= (phi(a, t.c[j]) * p[j] + phi(a, t.c[j]) * f[j]) / 2;
    }
    EXPECT_LT(magnitude(right), 1e-32) << a;
    EXPECT_GT(magnitude(printed), 0.1) << a;
  }
}

// The step of the oscillator is linear and of determinant one: it stays on an ellipse, the level of a quadratic
// Hamiltonian, whose exact solution passes through the nodes. That Hamiltonian is the oscillator's up to the error of
// the scheme.
TEST(PerturbedHamiltonian, IsQuadraticForTheOscillator) {
  const Model m = model("oscillator");  // p^2 / 2 + 5 (q - 1)^2
  std::vector<double> differences;
  for (const quad& h : {quad(1) / 10, quad(1) / 20}) {
    Stepper<quad> stepper(m.system, Scheme::named("phase_space(1)"));
    stepper.start(m.start);
    std::vector<quad> H, exact;
    quad x_square = 0, mixed = 0;
    for (int k = 0; k < 1000; ++k) {
      ASSERT_TRUE(stepper.step(h).converged);
      const std::vector<quad> J = stepper.tangent();
      // Of z -> J z: p^2 / 2 + mixed x p + x_square x^2.
      x_square = -J[2] / (2 * J[1]);
      mixed = (J[0] - J[3]) / (2 * J[1]);
      const quad x = stepper.state().q[0] - 1, p = stepper.state().p[0];
      H.push_back(p * p / 2 + mixed * x * p + x_square * x * x);
      exact.push_back(p * p / 2 + 5 * x * x);
    }
    const auto spread = [](const std::vector<quad>& all) {
      const auto [least, most] = std::minmax_element(all.begin(), all.end());
      return magnitude(*most - *least);
    };
    EXPECT_LT(spread(H), 1e-29);
    EXPECT_GT(spread(exact), 1e-4);
    differences.push_back(std::max(magnitude(x_square - 5), magnitude(mixed)));
  }
  EXPECT_NEAR(std::log2(differences[0] / differences[1]), 3, 0.25);
}

}  // namespace
}  // namespace extremal::papers::muehlebach2016_equations_test
