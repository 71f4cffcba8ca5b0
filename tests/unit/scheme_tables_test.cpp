#include "scheme/tables.hpp"

#include <gtest/gtest.h>

#include <array>

#include "algebra/lu.hpp"
#include "extremal/error.hpp"
#include "extremal/stepper.hpp"
#include "extremal/system.hpp"
#include "runge_kutta.hpp"
#include "scheme/tableau.hpp"

namespace extremal::scheme_tables_test {
namespace {

template <class S = quad>
Tables<S> of(const std::string& name) {
  return tables<S>(*Scheme::named(name).as<Galerkin>());
}

double size(quad x) { return static_cast<double>(math::abs(x)); }
std::size_t at(int row, int columns, int column) { return static_cast<std::size_t>(row * columns + column); }

std::vector<std::string> members() {
  std::vector<std::string> names;
  for (const Scheme& scheme : registry())
    if (scheme.as<Galerkin>() != nullptr) names.push_back(scheme.name);
  names.insert(names.end(), {"spark(12)", "galerkin(8, gauss(9), w=5)", "galerkin(3, gauss(3), constraint=radau(2))"});
  return names;
}

TEST(Tables, IdentitiesOfEveryMember) {
  for (const std::string& name : members()) {
    Tables<quad> t = of(name);
    auto rows = [&](int n) { return static_cast<std::size_t>(n * (t.s + 1)); };
    ASSERT_EQ(t.l.size(), rows(t.r)) << name;
    ASSERT_EQ(t.dl.size(), rows(t.r)) << name;
    ASSERT_EQ(t.lphi.size(), rows(t.J)) << name;
    ASSERT_EQ(t.lpsi.size(), rows(t.I)) << name;
    ASSERT_EQ(t.d.size(), static_cast<std::size_t>(t.s) + 1) << name;
    EXPECT_EQ(t.J, t.I + (t.coupled_hidden ? 1 : 0)) << name;
    EXPECT_FALSE(t.projects && t.coupled_hidden) << name;

    quad sum = 0;
    for (quad b : t.b) sum += b;
    EXPECT_LE(size(sum - 1), 1e-33) << name;
    for (int i = 0; i < t.r; ++i) {  // q = 1 and q = t: values 1 and c, slopes 0 and 1
      quad one = 0, linear = 0, flat = 0, slope = 0;
      for (int k = 0; k <= t.s; ++k) {
        auto d = t.d[static_cast<std::size_t>(k)];
        one += t.l[at(i, t.s + 1, k)];
        linear += t.l[at(i, t.s + 1, k)] * d;
        flat += t.dl[at(i, t.s + 1, k)];
        slope += t.dl[at(i, t.s + 1, k)] * d;
      }
      EXPECT_LE(size(one - 1), 1e-32) << name;
      EXPECT_LE(size(linear - t.c[static_cast<std::size_t>(i)]), 1e-32) << name;
      EXPECT_LE(size(flat), 1e-30) << name;
      EXPECT_LE(size(slope - 1), 1e-30) << name;
    }
    for (int j = 0; j < t.J; ++j) {
      quad one = 0;
      for (int k = 0; k <= t.s; ++k) one += t.lphi[at(j, t.s + 1, k)];
      EXPECT_LE(size(one - 1), 1e-32) << name;
    }
  }
}

TEST(Tables, MultipliersAtTheNodeAndInside) {
  for (const char* name : {"rattle", "shake", "spark(3)", "lobatto(4)", "wenger(4, 2, gauss(4))", "quadratic",
                           "galerkin(3, gauss(3), control=equidistant)"}) {
    const Galerkin scheme = *Scheme::named(name).as<Galerkin>();
    Tables<quad> t = of(name);
    Quadrature rule = quadrature(scheme.constraint);
    EXPECT_EQ(t.J, scheme.multiplier_degree) << name;
    EXPECT_TRUE(t.node_weight == rule.weights.front()) << name;
    for (std::size_t j = 0; j < t.phi.size(); ++j) {
      EXPECT_TRUE(t.phi[j] == rule.nodes[j] && t.e[j] == rule.weights[j]) << name;
      EXPECT_TRUE(t.psi[j] == rule.nodes[j + 1]) << name;
    }
    for (int k = 0; k <= t.s; ++k) {  // exactly the first and the last control point
      EXPECT_TRUE(t.lphi[at(0, t.s + 1, k)] == (k == 0 ? 1 : 0)) << name;
      EXPECT_TRUE(t.lpsi[at(t.I - 1, t.s + 1, k)] == (k == t.s ? 1 : 0)) << name;
    }
    EXPECT_EQ(t.projects, scheme.closure != Closure::variational) << name;
    EXPECT_TRUE(t.spread.empty() && t.collect.empty()) << name;
  }
}

TEST(Tables, RadauNodesAndTheirMirror) {
  Tables<quad> t = of("radau_constraint(3)"), m = of("adjoint(radau_constraint(3))");
  Rule rule;
  rule.kind = RuleKind::radau;
  rule.nodes = 3;
  Quadrature q = quadrature(rule);
  ASSERT_EQ(t.J, 3);
  EXPECT_TRUE(t.node_weight == q.weights[2] && t.e[0] == q.weights[2] && m.e[0] == q.weights[2]);
  EXPECT_TRUE(t.phi[0] == 0 && t.phi[1] == q.nodes[0] && t.phi[2] == q.nodes[1]);
  EXPECT_TRUE(t.psi[0] == q.nodes[0] && t.psi[1] == q.nodes[1] && t.psi[2] == 1);
  EXPECT_TRUE(m.phi[0] == 0 && m.phi[1] == 1 - q.nodes[1] && m.phi[2] == 1 - q.nodes[0]);
  EXPECT_TRUE(m.e[1] == q.weights[1] && m.e[2] == q.weights[0]);
  EXPECT_TRUE(m.psi[1] == m.phi[2] && m.psi[2] == 1);
  EXPECT_TRUE(t.projects);
}

TEST(Tables, MirroredLagrangianRule) {
  Tables<quad> t = of("galerkin(2, radau(3))"), m = of("adjoint(galerkin(2, radau(3)))");
  for (int i = 0; i < t.r; ++i)
    for (int k = 0; k <= t.s; ++k) {  // l_k(1 - c) = l_(s-k)(c)
      EXPECT_LE(size(m.l[at(i, 3, k)] - t.l[at(2 - i, 3, 2 - k)]), 1e-33);
      EXPECT_LE(size(m.dl[at(i, 3, k)] + t.dl[at(2 - i, 3, 2 - k)]), 1e-32);
    }
}

TEST(Tables, PositionClosure) {
  Tables<quad> lobatto = of("man(EGL, 4)"), gauss = of("man(LGG, 4)");
  EXPECT_EQ(lobatto.J, 3);
  EXPECT_TRUE(lobatto.projects && !lobatto.coupled_hidden && lobatto.node_weight > 0);
  EXPECT_EQ(gauss.J, 4);
  EXPECT_EQ(gauss.I, 3);
  EXPECT_TRUE(!gauss.projects && gauss.coupled_hidden && gauss.node_weight == 0);
  for (const Tables<quad>* t : {&lobatto, &gauss})
    for (int i = 0; i < t->I; ++i)
      for (int k = 0; k <= t->s; ++k) EXPECT_TRUE(t->lpsi[at(i, t->s + 1, k)] == (k == i + 1 ? 1 : 0));
}

TEST(Tables, GaussConstraint) {
  Tables<quad> t = of("galerkin(3, gauss(3), constraint=gauss(3), closure=variational)");
  EXPECT_EQ(t.J, 3);
  EXPECT_EQ(t.I, 3);
  EXPECT_TRUE(t.phi == t.psi && !t.projects && !t.coupled_hidden && t.node_weight == 0);
}

TEST(Tables, GivenLambda0) {
  Tables<quad> t = of("galerkin(3, gauss(3), closure=given_lambda0)");
  ASSERT_EQ(t.spread.size(), static_cast<std::size_t>(t.J * t.w));
  ASSERT_EQ(t.collect.size(), static_cast<std::size_t>(t.w * t.J));
  quad total = 0;
  for (int j = 0; j < t.J; ++j) {
    auto row = static_cast<std::size_t>(j);
    quad one = t.spread0[row], weight = t.collect_end[row];
    for (int k = 0; k < t.w; ++k) one += t.spread[at(j, t.w, k)];
    for (int m = 0; m < t.w; ++m) weight += t.collect[at(m, t.J, j)];
    EXPECT_LE(size(one - 1), 1e-33);
    EXPECT_LE(size(weight - t.e[row]), 1e-33);
    total += weight;
  }
  EXPECT_LE(size(total - 1), 1e-33);
  EXPECT_FALSE(t.projects);
}

TEST(Tables, AreRoundedOnce) {
  for (const char* name : {"spark(4)", "man(LGG, 3)"}) {
    Tables<quad> exact = of(name);
    Tables<double> t = of<double>(name);
    Tables<long double> wide = of<long double>(name);
    for (std::size_t i = 0; i < exact.dl.size(); ++i) {
      EXPECT_EQ(t.dl[i], static_cast<double>(exact.dl[i]));
      EXPECT_EQ(wide.dl[i], static_cast<long double>(exact.dl[i]));
    }
    EXPECT_EQ(t.J, exact.J);
    EXPECT_EQ(t.coupled_hidden, exact.coupled_hidden);
  }
}

// Hamilton members as partitioned Runge-Kutta methods: textbook coefficients where there are as many nodes as the
// degree, and the same steps with more [Wenger2017, section 3.5].
double farthest(const std::vector<std::vector<quad>>& a, const papers::Matrix& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j)
      worst = std::max(worst, static_cast<double>(math::abs(a[i][j] - b[i][j])));
  return worst;
}

TEST(TableauOfHamilton, IsGaussWithGauss) {
  for (int s = 1; s <= 5; ++s) {
    const ButcherPair pair = butcher(Scheme::named("spark(" + std::to_string(s) + ")"));
    const papers::Tableau gauss = papers::gauss_tableau(s);
    EXPECT_LE(farthest(pair.A_q, gauss.a), 1e-31) << s;
    EXPECT_LE(farthest(pair.A_p, gauss.a), 1e-31) << s;
  }
}

struct Point {
  quad q, p;
};

// V = cos q + q^3 / 5 and mass 2, by iteration.
Point by_pair(const ButcherPair& pair, Point at, quad h) {
  const auto force = [](quad q) { return math::sin(q) - 3 * q * q / 5; };
  const std::size_t r = pair.c.size();
  std::vector<Point> stage(r, at);
  for (int iteration = 0; iteration < 200; ++iteration)
    for (std::size_t i = 0; i < r; ++i) {
      Point better = at;
      for (std::size_t j = 0; j < r; ++j) {
        better.q += h * pair.A_q[i][j] * stage[j].p / 2;
        better.p += h * pair.A_p[i][j] * force(stage[j].q);
      }
      stage[i] = better;
    }
  const Point from = at;
  for (std::size_t j = 0; j < r; ++j) {
    at.q += h * pair.b[j] * stage[j].p / 2;
    at.p += h * pair.b[j] * force(stage[j].q);
  }
  EXPECT_GT(math::abs(at.q - from.q), quad(1e-3));
  return at;
}

// Fewer, as many and more nodes than one would need; unsymmetric rules and other control points.
TEST(TableauOfHamilton, IsTheStepWithConstantMass) {
  System s("one");
  const auto x = s.coordinates("x");
  s.kinetic(x, [](const auto&, const auto& v) { return v[0] * v[0]; });
  s.potential(x, [](const auto& q) { return cos(q[0]) + q[0] * q[0] * q[0] / 5; });
  const quad h = quad(1) / 20;
  for (const char* name :
       {"rectangle(0)", "alpha(0.3)", "trapezoidal", "midpoint", "quadratic", "rattle", "lobatto(3)",
        "galerkin(2, gauss(2))", "galerkin(2, gauss(4))", "galerkin(2, radau(2))", "galerkin(3, lobatto(3))",
        "wenger(2, 2, lobatto(3))", "man(ELG, 4)", "galerkin(3, gauss(4), control=equidistant)",
        "galerkin(4, lobatto(6), control=chebyshev)"}) {
    const ButcherPair pair = butcher(Scheme::named(name));
    Stepper<quad> stepper(s, Scheme::named(name));
    stepper.start({.q = {1}, .p = {"0.7"}});
    ASSERT_TRUE(stepper.step(h).converged) << name;
    const Point end = by_pair(pair, {quad(1), quad(7) / 10}, h);
    EXPECT_LE(static_cast<double>(math::abs(end.q - stepper.state().q[0])), 1e-31) << name;
    EXPECT_LE(static_cast<double>(math::abs(end.p - stepper.state().p[0])), 1e-30) << name;
    for (std::size_t i = 0; i < pair.b.size(); ++i)
      for (std::size_t j = 0; j < pair.b.size(); ++j)
        EXPECT_LE(static_cast<double>(
                      math::abs(pair.b[i] * pair.A_p[i][j] + pair.b[j] * pair.A_q[j][i] - pair.b[i] * pair.b[j])),
                  1e-32)
            << name;
  }
}

// A pendulum of mass 2 with V = cos x + y + x^3 / 5 by the constrained method: velocities of the stages and multipliers
// are unknowns of Newton's method, with a matrix by differences.
struct Swing {
  std::array<quad, 2> q, p;
};
Swing by_constrained_pair(const ButcherPair& pair, const Swing& from, quad h) {
  const std::size_t r = pair.c.size(), J = pair.f.size(), size = 2 * r + J;
  const auto force = [](const std::array<quad, 2>& q) {
    return std::array<quad, 2>{math::sin(q[0]) - 3 * q[0] * q[0] / 5, quad(-1)};
  };
  const auto place = [&](const std::vector<quad>& row, const std::vector<quad>& x) {
    std::array<quad, 2> q = from.q;
    for (std::size_t k = 0; k < r; ++k)
      for (std::size_t a = 0; a < 2; ++a) q[a] += h * row[k] * x[2 * k + a];
    return q;
  };
  // p0 + h sum (weights of forces) F - h sum (weights of multipliers) G^T lambda, with G = 2 q^T.
  const auto momentum = [&](const std::vector<quad>& of_force, const std::vector<quad>& of_lambda,
                            const std::vector<quad>& x) {
    std::array<quad, 2> p = from.p;
    for (std::size_t a = 0; a < 2; ++a) {
      for (std::size_t k = 0; k < r; ++k) p[a] += h * of_force[k] * force(place(pair.A_q[k], x))[a];
      for (std::size_t j = 0; j < J; ++j) p[a] -= h * of_lambda[j] * 2 * place(pair.A_f[j], x)[a] * x[2 * r + j];
    }
    return p;
  };
  const auto residual = [&](const std::vector<quad>& x) {
    std::vector<quad> out;
    for (std::size_t i = 0; i < r; ++i) {
      const std::array<quad, 2> p = momentum(pair.A_p[i], pair.A_lambda[i], x);
      for (std::size_t a = 0; a < 2; ++a) out.push_back(2 * x[2 * i + a] - p[a]);
    }
    for (const std::vector<quad>& row : pair.A_g) {
      const std::array<quad, 2> q = place(row, x);
      out.push_back((q[0] * q[0] + q[1] * q[1] - 1) / (h * h));
    }
    return out;
  };
  std::vector<quad> x(size);
  for (std::size_t i = 0; i < 2 * r; ++i) x[i] = from.p[i % 2] / 2;
  for (int iteration = 0; iteration < 8; ++iteration) {
    std::vector<quad> r0 = residual(x);
    Lu<quad> lu(static_cast<int>(size));
    for (std::size_t j = 0; j < size; ++j) {
      std::vector<quad> moved = x;
      moved[j] += quad(1e-16);
      const std::vector<quad> r1 = residual(moved);
      for (std::size_t i = 0; i < size; ++i) lu.row(static_cast<int>(i))[j] = (r1[i] - r0[i]) / quad(1e-16);
    }
    EXPECT_LT(lu.factor(), 0);
    lu.solve(r0.data());
    for (std::size_t i = 0; i < size; ++i) x[i] -= r0[i];
  }
  Swing end{from.q, momentum(pair.b, pair.e, x)};
  for (std::size_t k = 0; k < r; ++k)
    for (std::size_t a = 0; a < 2; ++a) end.q[a] += h * pair.b[k] * x[2 * k + a];
  const quad across = end.q[0] * end.p[0] + end.q[1] * end.p[1];
  for (std::size_t a = 0; a < 2; ++a) end.p[a] -= across * end.q[a];
  return end;
}

// Fewer, as many and more nodes than the degree, other places of constraints than of multipliers.
TEST(TableauOfHamilton, IsTheStepWithConstraints) {
  System s("swing");
  const auto x = s.coordinates("x", "y");
  s.kinetic(x, [](const auto&, const auto& v) { return v[0] * v[0] + v[1] * v[1]; });
  s.potential(x, [](const auto& q) { return cos(q[0]) + q[1] + q[0] * q[0] * q[0] / 5; });
  s.constraint("rod", x, [](const auto& q) { return q[0] * q[0] + q[1] * q[1] - 1.0; });
  const quad h = quad(1) / 20;
  for (const char* name :
       {"rattle", "spark(1)", "spark(3)", "lobatto(3)", "galerkin(2, gauss(3))", "galerkin(2, gauss(5))",
        "wenger(3, 2, gauss(4))", "wenger(2, 2, lobatto(4))", "radau_constraint(2)", "man(ELL, 4)",
        "man(LLL, 4, points=at(0.2, 0.6, 1))", "galerkin(3, gauss(5), control=chebyshev)"}) {
    const ButcherPair pair = butcher(Scheme::named(name));
    Stepper<quad> stepper(s, Scheme::named(name));
    stepper.start({.q = {"0.6", "-0.8"}, .p = {"0.8", "0.6"}});
    ASSERT_TRUE(stepper.step(h).converged) << name;
    const Swing start{{quad(3) / 5, quad(-4) / 5}, {quad(4) / 5, quad(3) / 5}};
    const Swing end = by_constrained_pair(pair, start, h);
    quad across(0);
    const State<quad>& at = stepper.state();
    for (std::size_t a = 0; a < 2; ++a) across += at.q[a] * at.p[a];
    for (std::size_t a = 0; a < 2; ++a) {
      EXPECT_LE(static_cast<double>(math::abs(end.q[a] - at.q[a])), 1e-30) << name;
      EXPECT_LE(static_cast<double>(math::abs(end.p[a] - (at.p[a] - across * at.q[a]))), 1e-28) << name;
      EXPECT_GT(static_cast<double>(math::abs(end.q[a] - start.q[a])), 1e-3) << name;
    }
    for (std::size_t i = 0; i < pair.b.size(); ++i)
      for (std::size_t j = 0; j < pair.e.size(); ++j)
        EXPECT_LE(static_cast<double>(
                      math::abs(pair.b[i] * pair.A_lambda[i][j] + pair.e[j] * pair.A_f[j][i] - pair.b[i] * pair.e[j])),
                  1e-32)
            << name;
  }
  EXPECT_TRUE(butcher(Scheme::named("galerkin(3, gauss(3), closure=given_lambda0)")).f.empty());
}

TEST(TableauOfHamilton, RefusesCoefficientsThatDependOnTheStep) {
  EXPECT_THROW(butcher(Scheme::named("galerkin(3, gauss(3), basis=fourier(2))")), InputError);
}

}  // namespace
}  // namespace extremal::scheme_tables_test
