// Polynomials in the coordinates, and the terms made of them and of loads: exact, at every scalar.
#include <gtest/gtest.h>
#include <algorithm>

#include "bodies/load.hpp"
#include "bodies/quadratic.hpp"
#include "extremal/check.hpp"
#include "extremal/mechanism.hpp"
#include "refusal.hpp"

namespace extremal::mechanism_polynomial_test {
namespace {

Quadratic x(int i) { return Quadratic::variable(i); }

TEST(Quadratic, AddsAndMultiplies) {
  const Quadratic f = (x(0) + Quadratic(2) * x(1) - Quadratic(3)) * (x(1) - x(0));
  EXPECT_EQ(f.degree(), 2);
  const double q[] = {0.5, -1.25};
  EXPECT_DOUBLE_EQ(f.value(q), (0.5 - 2.5 - 3) * (-1.25 - 0.5));
  double slope[] = {0, 1};
  f.add_gradient(q, 2.0, slope);
  EXPECT_DOUBLE_EQ(slope[0], 2 * ((-1.75) - (-5.0)));
  EXPECT_DOUBLE_EQ(slope[1], 1 + 2 * (2 * (-1.75) + (-5.0)));
  // What cancels is gone, so that it makes no site larger.
  EXPECT_TRUE((f - f).monomials().empty());
  EXPECT_EQ((x(0) * x(1) - x(1) * x(0)).degree(), 0);
  EXPECT_EQ((x(3) * x(2)).monomials().size(), 1u);
}

TEST(Quadratic, RefusesHigherDegrees) {
  EXPECT_NE(refusal([] { x(0) * x(1) * x(2); }).find("expected at most 2"), std::string::npos);
  EXPECT_EQ(refusal([] { x(0) * x(1) * Quadratic(3); }), "");
}

// The same functions, as polynomials and as functions that are differentiated by jets.
struct Twins {
  System by_function, by_polynomial;
};

Twins twins() {
  Twins t;
  for (System* s : {&t.by_function, &t.by_polynomial}) {
    const auto a = s->coordinates("a", "b", "c"), b = s->coordinates("d", "e", "f");
    if (s == &t.by_polynomial) {
      std::vector<Quadratic> kinetic, potential, rows;
      for (const int o : {0, 3}) {
        kinetic.push_back(Quadratic(0.5) * x(o) * x(o) + x(o) * x(o + 2) + Quadratic(0.25) * x(o + 1));
        potential.push_back(Quadratic(3) * x(o) * x(o + 1) - x(o + 2) + Quadratic(0.125));
        rows.push_back(x(o) * x(o) - x(o + 1) * x(o + 2) - Quadratic(1));
        rows.push_back(x(o + 2) + Quadratic(2) * x(o));
      }
      const std::vector<int> sites{0, 1, 2, 3, 4, 5};
      s->add_term(std::make_shared<PolynomialTerm>(Role::kinetic, "T", 3, 1, sites, kinetic));
      s->add_term(std::make_shared<PolynomialTerm>(Role::potential, "V", 3, 1, sites, potential));
      s->add_term(std::make_shared<PolynomialTerm>(Role::constraint, "g", 3, 2, sites, rows));
      s->add_term(std::make_shared<PolynomialTerm>(
          Role::force, "F", 2, 2, std::vector<int>{4, 1},
          std::vector<Quadratic>{Quadratic(-1) * x(4) + x(1), x(4) * x(4) - Quadratic(0.5) * x(1)}));
      continue;
    }
    const std::vector both{a, b};
    s->kinetic(both, [](auto, auto v) { return 0.5 * v[0] * v[0] + v[0] * v[2] + 0.25 * v[1]; });
    s->potential(both, [](auto q) { return 3.0 * q[0] * q[1] - q[2] + 0.125; });
    s->constraint("g", both, [](auto q) { return rows(q[0] * q[0] - q[1] * q[2] - 1.0, q[2] + 2.0 * q[0]); });
    s->force("F", Coordinates<2>{{4, 1}}, [](auto, auto v) { return rows(v[1] - v[0], v[0] * v[0] - 0.5 * v[1]); });
  }
  return t;
}

template <class S>
class EveryScalar : public testing::Test {};
using Scalars = testing::Types<double, long double, quad>;
TYPED_TEST_SUITE(EveryScalar, Scalars);

template <class S>
struct Outputs {
  std::vector<S> value, slope, bend;
};

template <class S>
Outputs<S> outputs(const Term& term, int n) {
  const int nodes = 2;
  std::vector<S> q, v, t{S(1) / S(3), S(2) / S(3)}, weights;
  for (int i = 0; i < nodes * n; ++i) q.push_back(S(7 * i % 11 - 4) / S(8)), v.push_back(S(5 * i % 13 - 6) / S(4));
  const auto calls = static_cast<std::size_t>(nodes * term.site_count()),
             rows = static_cast<std::size_t>(term.row_count), M = static_cast<std::size_t>(term.variables);
  Outputs<S> out{std::vector<S>(calls * rows), std::vector<S>(calls * rows * M),
                 std::vector<S>(calls * M * (M + 1) / 2)};
  std::vector<S> again(out.value.size());
  for (std::size_t i = 0; i < out.value.size(); ++i) weights.push_back(S(static_cast<int>(i % 3) + 1));
  const Nodes<S> at{nodes, n, q.data(), v.data(), t.data(), nullptr};
  term.at<S>().value(at, out.value.data());
  term.at<S>().gradient(at, again.data(), out.slope.data());
  term.at<S>().hessian(at, weights.data(), out.bend.data());
  for (std::size_t i = 0; i < again.size(); ++i)  // jets divide by a reciprocal
    EXPECT_TRUE(math::abs(again[i] - out.value[i]) <= S(16) * Scalar<S>::epsilon * (S(1) + math::abs(again[i])));
  return out;
}

template <class S>
double distance(const std::vector<S>& a, const std::vector<S>& b) {
  EXPECT_EQ(a.size(), b.size());
  double d = 0;
  for (std::size_t i = 0; i < a.size(); ++i) d = std::max(d, static_cast<double>(math::abs(a[i] - b[i])));
  return d;
}

TYPED_TEST(EveryScalar, PolynomialTermsAreTheirFunctions) {
  using S = TypeParam;
  const Twins t = twins();
  const double floor = 100 * static_cast<double>(Scalar<S>::epsilon);
  for (std::size_t k = 0; k < 4; ++k) {
    const Term &f = *t.by_function.terms()[k], &p = *t.by_polynomial.terms()[k];
    EXPECT_EQ(f.variables, p.variables);
    EXPECT_EQ(f.degree.q, p.degree.q) << k;
    EXPECT_EQ(f.degree.v, p.degree.v) << k;
    EXPECT_EQ(f.degree.t, p.degree.t) << k;
    const auto a = outputs<S>(f, 6), b = outputs<S>(p, 6), c = outputs<S>(*p.automatic(), 6);
    EXPECT_LE(distance(a.value, b.value), floor) << k;
    EXPECT_LE(distance(a.slope, b.slope), floor) << k;
    EXPECT_LE(distance(a.bend, b.bend), floor) << k;
    EXPECT_EQ(distance(b.bend, c.bend), 0) << k;
  }
  // A control: another polynomial is seen.
  EXPECT_GT(distance(outputs<S>(*t.by_function.terms()[1], 6).value, outputs<S>(*t.by_polynomial.terms()[0], 6).value),
            0.1);
}

TEST(PolynomialTerm, EqualSitesShareTheirPolynomials) {
  std::vector<int> sites;
  std::vector<Quadratic> rows;
  for (int i = 0; i < 50; ++i) {
    sites.insert(sites.end(), {2 * i, 2 * i + 1});
    rows.push_back(x(2 * i) * x(2 * i + 1) - Quadratic(i == 7 ? 2 : 1));
  }
  const PolynomialTerm term(Role::constraint, "g", 2, 1, sites, rows);
  EXPECT_EQ(term.pattern_count(), 2);
  const auto out = outputs<double>(term, 100);
  const auto value = [](int i) { return (7 * i % 11 - 4) / 8.0; };
  EXPECT_DOUBLE_EQ(out.value[7], value(14) * value(15) - 2);
  EXPECT_DOUBLE_EQ(out.value[8], value(16) * value(17) - 1);
}

// One load of every kind, in general position.
Mechanism everything(Space space, bool slow = true) {
  const bool planar = space == Space::planar;
  Mechanism m("everything", space);
  const auto wave = [](const auto& t) { return sin(2.0 * t) + t * t; };
  const Numbers inertia = planar ? Numbers("0.3") : Numbers{"0.3", "0.4", "0.5"};
  const Body a = m.body("a", {.mass = 2, .inertia = inertia}), b = m.body("b", {.mass = 1, .inertia = inertia});
  const Body ball = m.point_mass("ball", "0.7");
  if (planar) {
    m.gravity("0.3", "-9.81");
    m.place(a, {.position = {"0.2", "-0.4"}, .angle = "0.3", .velocity = {1, 2}, .angular_velocity = "0.6"});
    m.place(b, {.position = {"1.3", "0.8"}, .angle = "-0.8"});
    m.place(ball, {.position = {"-0.6", "1.9"}, .velocity = {"0.3", "-0.2"}});
    m.spring("s", a.at("0.3", "0.2"), b.at("-0.1", "0.6"), {.stiffness = 3, .length = "0.5"});
    m.spring("s2", ball, b.at("-0.1", "0.6"), {.stiffness = 3, .length = "0.5"});
    m.torsion_spring("t", a, b, 2, "0.4");
    m.damper("d", a.at("0.3", "0.2"), m.ground(1, 2), "0.4");
    m.damper("d2", a.at("0.3", "0.2"), b.at("0.7", "-0.2"), "0.4");
    m.line_damper("l", a.at("0.3", "0.2"), ball, "0.4");
    m.rotational_damper("r", a, b, "0.7");
    m.force("f", a.at(1, "0.2"), {wave, 2});
    m.force("f2", a.at(1, "0.2"), {wave, 2}, Frame::body);
    m.torque("T", b, {wave});
    m.motor("M", m.ground_body(), b, wave);
    return m;
  }
  m.gravity("0.3", "-9.81", 1);
  m.place(a, {.position = {"0.2", "-0.4", 1}, .rotation = {"0.3", "0.2", -1}, .angular_velocity = {1, 2, "0.6"}});
  m.place(b, {.position = {"1.3", "0.8", "-0.3"}, .euler = {"-0.8", "0.4", "1.3"}});
  m.place(ball, {.position = {"-0.6", "1.9", 0}, .velocity = {"0.3", "-0.2", 0}});
  m.spring("s", a.at("0.3", "0.2", 1), b.at("-0.1", "0.6", 0), {.stiffness = 3, .length = "0.5"});
  m.torsion_spring("t", a, b, 2, "0.4", {1, 2, 3});
  m.damper("d", a.at("0.3", "0.2", 0), b.at("0.1", "0.2", "0.3"), "0.4");
  m.line_damper("l", a.at("0.3", "0.2", 0), ball, "0.4");
  m.rotational_damper("r", a, b, "0.7", {1, 2, 3});
  if (slow) m.rotational_damper("r2", a, b, "0.7");
  m.rotational_damper("r3", m.ground_body(), b, "0.7");
  m.force("f", a.at(1, "0.2", 0), {wave, 2, 0});
  m.force("f2", a.at(1, "0.2", "0.4"), {wave, 2, 3}, Frame::body);
  m.torque("T", b, {wave, 1, wave});
  m.motor("M", a, b, wave, {1, 2, 3});
  return m;
}

class EverySpace : public testing::TestWithParam<Space> {};
INSTANTIATE_TEST_SUITE_P(Mechanism, EverySpace, testing::Values(Space::planar, Space::spatial));

TEST_P(EverySpace, DerivativesOfLoadsAgreeWithDifferences) {
  const Mechanism m = everything(GetParam(), false);
  int loads = 0;
  for (const Law& law : law::derivatives(m.system(), m.start())) {
    EXPECT_TRUE(law.holds) << law.name << ": " << law.measured << ", floor " << law.floor;
    ++loads;
  }
  EXPECT_GE(loads, 10);
}

// What the law would take too long for: along one direction, all terms at once.
TEST_P(EverySpace, GradientsAreDirectionalDifferences) {
  const System system = everything(GetParam()).system();
  const auto n = static_cast<std::size_t>(system.size());
  const quad step = 1e-12;
  for (const auto& term : system.terms()) {
    std::vector<quad> q, v, dq, dv;
    for (int i = 0; i < system.size(); ++i) {
      q.push_back(quad(7 * i % 11 - 4) / 8);
      v.push_back(quad(5 * i % 13 - 6) / 4);
      dq.push_back(quad(3 * i % 7 - 2));
      dv.push_back(quad(3 * i % 5 - 1));
    }
    const auto rows = static_cast<std::size_t>(term->site_count() * term->row_count);
    std::vector<quad> value(rows), slope(rows * static_cast<std::size_t>(term->variables)), side[2];
    const auto nodes = [&](const quad& t) { return Nodes<quad>{1, system.size(), q.data(), v.data(), &t, nullptr}; };
    quad t = quad(1) / 3;
    term->at<quad>().gradient(nodes(t), value.data(), slope.data());
    for (const int s : {1, -1}) {
      for (std::size_t i = 0; i < n; ++i)
        q[i] += (s > 0 ? 1 : -2) * step * dq[i], v[i] += (s > 0 ? 1 : -2) * step * dv[i];
      t += (s > 0 ? 1 : -2) * step;
      side[s > 0].resize(rows);
      term->at<quad>().value(nodes(t), side[s > 0].data());
    }
    for (std::size_t r = 0; r < rows; ++r) {
      const auto site = r / static_cast<std::size_t>(term->row_count), N = static_cast<std::size_t>(term->coordinates);
      const quad* g = slope.data() + r * static_cast<std::size_t>(term->variables);
      quad expected = term->uses_time ? g[term->variables - 1] : quad(0);
      for (std::size_t c = 0; c < N; ++c) {
        const auto i = static_cast<std::size_t>(term->sites[site * N + c]);
        expected += g[c] * dq[i];
        if (term->velocity()) expected += g[N + c] * dv[i];
      }
      // The difference errs by step^2 times a third derivative, and by round-off over the step.
      EXPECT_NEAR(static_cast<double>((side[1][r] - side[0][r]) / (2 * step) - expected), 0, 1e-17) << term->name;
    }
  }
}

TEST_P(EverySpace, LoadsAreTheSameAtEveryScalar) {
  const System system = everything(GetParam()).system();
  for (const auto& term : system.terms()) {
    const auto exact = outputs<quad>(*term, system.size());
    const auto compare = [&]<class S>(const Outputs<S>& found, double factor) {
      const double floor = factor * static_cast<double>(Scalar<S>::epsilon);
      const auto down = [](const std::vector<quad>& list) {
        std::vector<S> out;
        for (const quad e : list) out.push_back(static_cast<S>(e));
        return out;
      };
      EXPECT_LE(distance(found.value, down(exact.value)), floor) << term->name;
      EXPECT_LE(distance(found.slope, down(exact.slope)), floor) << term->name;
      EXPECT_LE(distance(found.bend, down(exact.bend)), 100 * floor) << term->name;
    };
    compare(outputs<double>(*term, system.size()), 1e4);
    compare(outputs<long double>(*term, system.size()), 1e4);
  }
}

// A term whose gradient is not that of its value is what the law is for.
struct Wrong {
  auto operator()(const auto& q) const { return q[0] * q[0]; }
  auto gradient(const auto& q) const { return rows(3.0 * q[0]); }
};

TEST(DerivativeLaw, SeesAWrongGradient) {
  System s("wrong");
  s.potential(s.coordinates("x"), Wrong{});
  EXPECT_FALSE(law::derivatives(s, {.q = {1}})[0].holds);
}

TEST(TimeFunction, HasItsRates) {
  const TimeFunction f = [](const auto& t) { return t * t * t; };
  EXPECT_FALSE(f.constant());
  EXPECT_EQ(f.at(2.0), (std::array<double, 3>{8, 12, 12}));
  const TimeFunction g = "0.1";
  EXPECT_TRUE(g.constant());
  EXPECT_TRUE(g.at(quad(3))[0] == Number("0.1").as<quad>());
  EXPECT_TRUE(g.at(quad(3))[1] == quad(0));
}

}  // namespace
}  // namespace extremal::mechanism_polynomial_test
