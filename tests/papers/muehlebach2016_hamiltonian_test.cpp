// A Hamiltonian together with constraints [Muehlebach2016, section 4]: H(p, q, t) on a sphere whose radius varies,
// against a solution of its own; its orders, laws, and what is refused.
//
//   H = a |p|^2 / 2 + cos(c t) b . p + z + x y / 5,   a = 1 + x^2 / 2,   b = (y z / 5, 3 x / 10, x y / 10),
//   g = |q|^2 - r(t)^2,   r = 1 + e sin(t).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "extremal/check.hpp"
#include "extremal/models.hpp"
#include "measured_order.hpp"
#include "refusal.hpp"

namespace extremal::muehlebach2016_hamiltonian_test {
namespace {

using testing::HasSubstr;
using Three = std::array<quad, 3>;

quad dot(const Three& a, const Three& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Whether H and g depend on time.
enum class Kind { still, driven };

// The shipped model.
Model sphere(Kind kind) {
  if (kind == Kind::driven) return model("sphere-hamiltonian");
  return model("sphere-hamiltonian", {{"c", 0}, {"e", 0}});
}

// (q, p)' by hand, with the multiplier from the second derivative of g.
struct Rates {
  Three q, p;
  quad lambda;
};
Rates rates(Kind kind, const Three& q, const Three& p, quad t) {
  const quad c = kind == Kind::driven ? 2 : 0, e = kind == Kind::driven ? quad(1) / 10 : quad(0);
  const quad x = q[0], y = q[1], z = q[2], on = math::cos(c * t), a = 1 + x * x / 2, pp = dot(p, p);
  const Three b{y * z / 5, 3 * x / 10, x * y / 10};
  Rates out;
  for (std::size_t i = 0; i < 3; ++i) out.q[i] = a * p[i] + on * b[i];
  const Three& v = out.q;
  const Three Hq{x * pp / 2 + y / 5 + on * (3 * p[1] / 10 + y * p[2] / 10), x / 5 + on * (z * p[0] / 5 + x * p[2] / 10),
                 1 + on * y * p[0] / 5};
  // v' = (a_q . v) p + cos(ct) b_q v - c sin(ct) b - a (H_q + 2 lambda q).
  const Three b_v{(v[1] * z + y * v[2]) / 5, 3 * v[0] / 10, (v[0] * y + x * v[1]) / 10};
  Three rest;
  for (std::size_t i = 0; i < 3; ++i) rest[i] = x * v[0] * p[i] + on * b_v[i] - c * math::sin(c * t) * b[i] - a * Hq[i];
  const quad r = 1 + e * math::sin(t), r1 = e * math::cos(t), r2 = -e * math::sin(t);
  // v . v + q . v' = r'^2 + r r''.
  out.lambda = (dot(v, v) + dot(q, rest) - r1 * r1 - r * r2) / (2 * a * dot(q, q));
  for (std::size_t i = 0; i < 3; ++i) out.p[i] = -Hq[i] - 2 * out.lambda * q[i];
  return out;
}

// Gragg's method with 2, 4, .., 20 substeps, extrapolated to order 20.
State<quad> reference(Kind kind, const State<quad>& start, int end, int steps) {
  constexpr std::size_t columns = 10;
  using Six = std::array<quad, 6>;
  const auto f = [&](const Six& y, quad t) {
    const Rates rate = rates(kind, {y[0], y[1], y[2]}, {y[3], y[4], y[5]}, t);
    return Six{rate.q[0], rate.q[1], rate.q[2], rate.p[0], rate.p[1], rate.p[2]};
  };
  const auto sum = [](Six y, quad factor, const Six& x) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += factor * x[i];
    return y;
  };
  const quad H = quad(end) / steps;
  Six y{start.q[0], start.q[1], start.q[2], start.p[0], start.p[1], start.p[2]};
  for (int step = 0; step < steps; ++step) {
    std::array<std::array<Six, columns>, columns> T;
    for (std::size_t k = 0; k < columns; ++k) {
      const int n = 2 * (static_cast<int>(k) + 1);
      const quad h = H / n, t = step * H;
      Six before = y, now = sum(y, h, f(y, t));
      for (int j = 1; j < n; ++j) {
        const Six next = sum(before, 2 * h, f(now, t + j * h));
        before = now;
        now = next;
      }
      T[k][0] = now;
      for (std::size_t j = 1; j <= k; ++j) {
        const quad ratio = quad(n) / (n - 2 * static_cast<int>(j)), factor = 1 / (ratio * ratio - 1);
        T[k][j] = sum(sum(T[k][j - 1], factor, T[k][j - 1]), -factor, T[k - 1][j - 1]);
      }
    }
    y = T[columns - 1][columns - 1];
  }
  State<quad> out;
  out.t = end;
  out.q = {y[0], y[1], y[2]};
  out.p = {y[3], y[4], y[5]};
  return out;
}

State<quad> consistent_start(const Model& m) {
  Stepper<quad> stepper(m.system, Scheme::named("phase_space(2)"));
  stepper.start(m.start);
  return stepper.state();
}

class OnSphere : public testing::TestWithParam<Kind> {};

// The solution keeps g = 0 and G v + g_t = 0, which nothing of it imposes.
TEST_P(OnSphere, TheReferenceStays) {
  const Model m = sphere(GetParam());
  const State<quad> start = consistent_start(m), end = reference(GetParam(), start, 1, 40),
                    finer = reference(GetParam(), start, 1, 50);
  EXPECT_LE(papers::distance(end.q, finer.q), 1e-28);
  const quad e = GetParam() == Kind::driven ? quad(1) / 10 : quad(0), r = 1 + e * math::sin(quad(1));
  const Three q{end.q[0], end.q[1], end.q[2]}, p{end.p[0], end.p[1], end.p[2]};
  EXPECT_LE(static_cast<double>(math::abs(dot(q, q) - r * r)), 1e-27);
  EXPECT_LE(static_cast<double>(math::abs(dot(q, rates(GetParam(), q, p, 1).q) - r * e * math::cos(quad(1)))), 1e-27);
}

// 2k + 1 in q, p and the multiplier by [Wenger2017, eq. 70].
TEST_P(OnSphere, OrdersAreTwiceTheDegreePlusOne) {
  const Model m = sphere(GetParam());
  const State<quad> exact = reference(GetParam(), consistent_start(m), 1, 40);
  papers::expect_order(m, {"phase_space(1)", 3}, exact, 1, {20, 40, 80});
  papers::expect_order(m, {"phase_space(2)", 5}, exact, 1, {10, 20, 40});
  papers::expect_order(m, {"phase_space(3)", 7}, exact, 1, {8, 16, 24});
  papers::expect_order(m, {"adjoint(phase_space(2))", 5}, exact, 1, {10, 20, 40});
}

TEST_P(OnSphere, TheMultiplierHasTheOrderOfTheState) {
  const Model m = sphere(GetParam());
  const State<quad> exact = reference(GetParam(), consistent_start(m), 1, 40);
  const quad lambda =
      rates(GetParam(), {exact.q[0], exact.q[1], exact.q[2]}, {exact.p[0], exact.p[1], exact.p[2]}, 1).lambda;
  std::vector<double> errors;
  for (const int steps : {10, 20, 40}) {
    Stepper<quad> stepper(m.system, Scheme::named("phase_space(2)"));
    stepper.start(m.start);
    for (int k = 0; k < steps; ++k) ASSERT_TRUE(stepper.step(quad(1) / steps).converged);
    Observation<quad> seen;
    stepper.observe(seen, true);
    errors.push_back(static_cast<double>(math::abs(seen.lambda[0] - lambda)));
    EXPECT_LE(static_cast<double>(seen.constraint), 1e-31);
    EXPECT_LE(static_cast<double>(seen.hidden), 1e-31);
  }
  EXPECT_NEAR(study::slope(errors[1], errors[2], 2), 5, 0.25);
}

INSTANTIATE_TEST_SUITE_P(Muehlebach, OnSphere, testing::Values(Kind::still, Kind::driven),
                         [](const auto& info) { return std::string(info.param == Kind::still ? "still" : "driven"); });

TEST(HamiltonianWithConstraints, KeepsTheLaws) {
  const Model m = sphere(Kind::still);
  for (const char* scheme : {"phase_space(1)", "phase_space(2)", "phase_space(2, pg=1)"}) {
    const Certificate certificate =
        check(m.system, Scheme::named(scheme), m.start, {.step = "0.05", .long_steps = 500});
    EXPECT_TRUE(certificate.holds()) << certificate.text();
  }
  const Law wrong =
      law::order(m.system, perturbed(Scheme::named("phase_space(2)"), 1e-6), m.start, {.step = "0.05"})[0];
  EXPECT_FALSE(wrong.holds) << wrong.measured;
}

// L = |v - b|^2 / (2 a) - V has the same steps, to the last digits.
TEST(HamiltonianWithConstraints, IsItsLagrangian) {
  const Model m = sphere(Kind::still);
  const Model lagrangian = read_model_text(R"model(
name = "lagrangian"
coordinates = ["x", "y", "z"]
lagrangian = "((x' - y*z/5)^2 + (y' - 3*x/10)^2 + (z' - x*y/10)^2)/(2*(1 + x^2/2)) - z - x*y/5"
[[constraint]]
name = "sphere"
formula = "x^2 + y^2 + z^2 - 1"
[start]
x = 0.6
z = -0.8
momentum = { x = 0.4, y = 0.9, z = 0.3 }
)model",
                                           "lagrangian.toml");
  for (const char* scheme : {"phase_space(1)", "phase_space(3)", "phase_space(2, continuity=q_continuous)"}) {
    const State<quad> one = papers::end_state<quad>(m, Scheme::named(scheme), 1, 10),
                      other = papers::end_state<quad>(lagrangian, Scheme::named(scheme), 1, 10);
    EXPECT_LE(papers::distance(one.q, other.q), 1e-30) << scheme;
    EXPECT_LE(papers::distance(one.p, other.p), 1e-30) << scheme;
  }
}

// Functions of C++ in the place of formulas.
TEST(HamiltonianWithConstraints, IsMadeInCppToo) {
  const Model m = sphere(Kind::still);
  System s("sphere");
  const auto at = s.coordinates("x", "y", "z");
  s.hamiltonian(at, [](const auto& q, const auto& p) {
    return (1.0 + 0.5 * q[0] * q[0]) * 0.5 * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) + q[2] + q[0] * q[1] / 5.0 +
           q[1] * q[2] / 5.0 * p[0] + 3.0 * q[0] / 10.0 * p[1] + q[0] * q[1] / 10.0 * p[2];
  });
  s.constraint("sphere", at, [](const auto& q) { return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 1.0; });
  Stepper<quad> formulas(m.system, Scheme::named("phase_space(2)")), functions(s, Scheme::named("phase_space(2)"));
  formulas.start(m.start);
  functions.start(m.start);
  for (int k = 0; k < 10; ++k)
    ASSERT_TRUE(formulas.step(quad(1) / 20).converged && functions.step(quad(1) / 20).converged);
  EXPECT_LE(papers::distance(formulas.state().q, functions.state().q), 1e-30);
  EXPECT_LE(papers::distance(formulas.state().p, functions.state().p), 1e-30);
}

// A start that is a little off is put on the sphere and on its tangent space.
TEST(HamiltonianWithConstraints, IsMadeConsistentAtTheStart) {
  Model m = sphere(Kind::still);
  m.start.q[0] = "0.61";
  m.start.slack = "0.1";
  Stepper<double> stepper(m.system, Scheme::named("phase_space(2)"));
  const Consistency found = stepper.start(m.start);
  EXPECT_GT(found.position, 1e-3);
  EXPECT_GT(found.momentum, 1e-3);
  Observation<double> seen;
  stepper.observe(seen, true);
  EXPECT_LE(seen.constraint, 1e-15);
  EXPECT_LE(seen.hidden, 1e-15);
}

std::string refused(const std::string& hamiltonian, const std::string& constraint, const char* scheme) {
  return refusal([&] {
    const Model m = read_model_text("coordinates = [\"x\", \"y\", \"z\"]\nhamiltonian = \"" + hamiltonian +
                                        "\"\n[[constraint]]\nname = \"rows\"\nformula = " + constraint +
                                        "\n[start]\nz = 1\nmomentum = { x = 1 }\n",
                                    "m.toml");
    Stepper<double>(m.system, Scheme::named(scheme)).start(m.start);
  });
}

TEST(HamiltonianWithConstraints, IsRefusedWhereItIsSingular) {
  const std::string usual = "(p.x^2 + p.y^2 + p.z^2)/2";
  EXPECT_EQ(refused(usual, "\"x^2 + y^2 + z^2 - 1\"", "phase_space(2)"), "");
  // No momentum along z: the plane's force is not determined.
  EXPECT_THAT(refused("(p.x^2 + p.y^2)/2", "\"z - 1 + x^2\"", "phase_space(2)"),
              HasSubstr("G H_pp G^T is singular at constraint \"rows\""));
  EXPECT_THAT(refused(usual, "[\"z - 1\", \"2*z - 2\"]", "phase_space(2)"),
              HasSubstr("depends on those of the others"));
  EXPECT_THAT(refused(usual, "\"(z - 1)^2\"", "phase_space(2)"), HasSubstr("its derivative vanishes"));
  EXPECT_THAT(refused(usual, "\"z - 1\"", "spark(2)"), HasSubstr("is given by a Hamiltonian"));
}

// Where G H_pp G^T is regular steps are taken, though z has no momentum. Laws are not said to fail: they are not asked.
TEST(HamiltonianWithConstraints, OfASingularHppRunsButIsNotChecked) {
  const Model m = read_model_text(
      "name = 'tied'\ncoordinates = ['x', 'y', 'z']\nhamiltonian = '(p.x^2 + p.y^2)/2 + x^2/2 + y*z'\n"
      "[[constraint]]\nname = 'tie'\nformula = 'z - x'\n[start]\nx = 1\nz = 1\nmomentum = { y = 1 }\n",
      "tied.toml");
  // z' = H_pz = 0 holds x, too; y' = p_y, p_y' = -z.
  const State<quad> end = papers::end_state<quad>(m, Scheme::named("phase_space(2)"), 1, 10);
  EXPECT_LE(static_cast<double>(math::abs(end.q[0] - 1) + math::abs(end.q[2] - 1)), 1e-30);
  EXPECT_LE(static_cast<double>(math::abs(end.q[1] - quad(0.5))), 1e-30);
  EXPECT_THAT(refusal([&] { check(m.system, Scheme::named("phase_space(2)"), m.start, {.step = "0.1"}); }),
              HasSubstr("tied: H_pp is singular"));
}

}  // namespace
}  // namespace extremal::muehlebach2016_hamiltonian_test
