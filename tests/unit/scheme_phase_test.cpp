// The phase_space family by name, and its Butcher pairs.
#include <gtest/gtest.h>

#include <algorithm>

#include "extremal/error.hpp"
#include "scheme/space.hpp"
#include "scheme/tableau.hpp"
#include "scheme/tables.hpp"

namespace extremal::scheme_phase_test {
namespace {

using Matrix = std::vector<std::vector<quad>>;

std::string refusal(const std::string& text) {
  try {
    Scheme::named(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string tableau_refusal(const std::string& text) {
  try {
    butcher(Scheme::named(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool flagged(const Declared& declared, const std::string& start) {
  return std::any_of(declared.flags.begin(), declared.flags.end(),
                     [&](const std::string& flag) { return flag.starts_with(start); });
}
bool flagged(const std::string& name, const std::string& start) { return flagged(Scheme::named(name).declared, start); }

std::string text(int n) { return std::to_string(n); }
std::string gauss_pair(int stages) { return "phase_space(" + text(stages - 1) + ")"; }

double size(quad x) { return static_cast<double>(math::abs(x)); }
double distance(const Matrix& a, const Matrix& b) {
  if (a.size() != b.size()) return 1;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j) largest = std::max(largest, size(a[i][j] - b[i][j]));
  return largest;
}

// Some thousand roundings of numbers of the size of 1.
constexpr double floor_of_tables = 1e-30;

quad legendre(int n, quad x) {
  quad value, before = 1, now = 2 * x - 1;
  if (n == 0) return 1;
  for (int k = 2; k <= n; ++k) {
    value = (quad(2 * k - 1) * (2 * x - 1) * now - quad(k - 1) * before) / k;
    before = now, now = value;
  }
  return now;
}

// A_ij = int_0^c_i l_j, by a rule that is exact for it.
Matrix gauss_matrix(const std::vector<quad>& c) {
  const Quadrature rule = quadrature({RuleKind::gauss, static_cast<int>(c.size())});
  Matrix A;
  for (const quad& end : c) {
    std::vector<quad> x, row(c.size());
    for (const quad& node : rule.nodes) x.push_back(end * node);
    const BasisTable l = lagrange_basis(c, x);
    for (std::size_t j = 0; j < c.size(); ++j)
      for (std::size_t i = 0; i < x.size(); ++i) row[j] += end * rule.weights[i] * l.values[i][j];
    A.push_back(row);
  }
  return A;
}

// b_i A_p,ij + b_j A_q,ji - b_i b_j.
Matrix symplectic_defect(const ButcherPair& t) {
  Matrix m(t.b.size(), std::vector<quad>(t.b.size()));
  for (std::size_t i = 0; i < m.size(); ++i)
    for (std::size_t j = 0; j < m.size(); ++j) m[i][j] = t.b[i] * t.A_p[i][j] + t.b[j] * t.A_q[j][i] - t.b[i] * t.b[j];
  return m;
}
Matrix zero(std::size_t n) { return Matrix(n, std::vector<quad>(n)); }

TEST(PhaseName, IsCanonical) {
  auto canonical = [](const char* name) { return Scheme::named(name).name; };
  EXPECT_EQ(canonical(" phase_space( 2 , pg = 2 )"), "phase_space(2)");
  EXPECT_EQ(canonical("phase_space(2, quadrature=gauss(3), mass=rule, continuity=q_left, basis=polynomial)"),
            "phase_space(2)");
  EXPECT_EQ(canonical("phase_space(3, basis=fourier(2*pi), mass=exact, quadrature=lobatto(5), pg=1)"),
            "phase_space(3, pg=1, quadrature=lobatto(5), mass=exact, basis=fourier(2*pi))");
  EXPECT_EQ(canonical("phase_space(2, quadrature=riemann(1e-4), mass=exact)"),
            "phase_space(2, quadrature=riemann(1e-4))");
  EXPECT_EQ(canonical("phase_space(2, continuity=q_continuous, pg=1)"), "phase_space(2, continuity=q_continuous)");
  EXPECT_EQ(canonical("galerkin(3, gauss(3), basis=polynomial)"), "galerkin(3, gauss(3))");
  EXPECT_EQ(canonical("galerkin(3, gauss(3), basis=fourier(5), w=2)"), "galerkin(3, gauss(3), w=2, basis=fourier(5))");
}

TEST(PhaseName, RoundTrips) {
  for (const char* name :
       {"phase_space(2, pg=0)", "phase_space(2, quadrature=gauss(2))",
        "phase_space(2, quadrature=gauss(2), mass=exact)", "phase_space(2, quadrature=riemann(1e-4))",
        "adjoint(phase_space(2, quadrature=riemann(1e-4)))", "phase_space(2, continuity=both_left)",
        "phase_space(2, continuity=both_right)",
        "phase_space(3, pg=1, quadrature=lobatto(5), mass=exact, continuity=q_right, basis=fourier(2*pi))",
        "galerkin(3, gauss(3), basis=fourier(2*pi))"}) {
    const Scheme scheme = Scheme::named(name), again = Scheme::named(scheme.name);
    EXPECT_EQ(scheme.name, name);
    EXPECT_TRUE(again == scheme) << name;
    EXPECT_EQ(again.declared.flags, scheme.declared.flags) << name;
  }
}

TEST(PhaseName, HoldsItsData) {
  const PhaseSpace plain = *Scheme::named("phase_space(3)").as<PhaseSpace>();
  EXPECT_EQ(plain.degree, 3);
  EXPECT_EQ(plain.pg_degree, 3);
  EXPECT_EQ(plain.rule, (Rule{RuleKind::gauss, 4}));
  EXPECT_FALSE(plain.exact_mass);
  EXPECT_EQ(plain.continuity, Continuity::q_left_p_right);
  EXPECT_EQ(plain.basis, Basis{});
  const PhaseSpace riemann = *Scheme::named("phase_space(2, quadrature=riemann(1e-4))").as<PhaseSpace>();
  EXPECT_EQ(riemann.rule.kind, RuleKind::riemann);
  EXPECT_EQ(riemann.rule.a, Number("1e-4"));
  EXPECT_TRUE(riemann.exact_mass);
  EXPECT_EQ(Scheme::named("phase_space(3, continuity=q_continuous)").as<PhaseSpace>()->pg_degree, 2);
  EXPECT_EQ(Scheme::named("phase_space(3, basis=fourier(7))").as<PhaseSpace>()->basis.omega, Number(7));
  EXPECT_EQ(Scheme::named("spark(3)").as<PhaseSpace>(), nullptr);
}

TEST(PhaseName, RefusesInOneLineWithTheReason) {
  EXPECT_EQ(
      refusal("phase_space(2, pg=3)"),
      "scheme \"phase_space(2, pg=3)\": degree of p_g: found pg = 3 with degree 2; expected pg <= 2: with more the "
      "step equations are singular or regular only through curvature; e.g. phase_space(2)");
  EXPECT_EQ(
      refusal("phase_space(3, quadrature=gauss(2))"),
      "scheme \"phase_space(3, quadrature=gauss(2))\": quadrature: found gauss(2) with degree 3; expected at least "
      "3 points: with fewer the step equations are singular or lose their order; e.g. phase_space(3)");
  const std::vector<std::pair<const char*, const char*>> cases{
      {"phase_space(0)", "k = 0; expected an integer from 1 to 31"},
      {"phase_space(2, pg=-1)", "pg = -1; expected an integer from 0 to 31"},
      {"phase_space", "0 arguments; expected 1"},
      {"phase_space(2, 2)", "2 arguments; expected 1"},
      {"phase_space(2, pg=1, pg=1)", "pg twice"},
      {"phase_space(2, p=1)", "unknown argument \"p\""},
      {"phase_space(2, 0.5:pg)", "expected no coefficient"},
      {"phase_space(3, quadrature=lobatto(3))", "at least 4 points"},
      {"phase_space(2, quadrature=radau(3))", "unknown rule \"radau\""},
      {"phase_space(2, quadrature=riemann(0))", "w = 0; expected w > 0"},
      {"phase_space(2, quadrature=riemann(-1e-4))", "expected w > 0"},
      {"phase_space(2, quadrature=riemann(0.1), mass=rule)", "expected mass=exact"},
      {"galerkin(2, riemann(0.1))", "unknown rule \"riemann\""},
      {"phase_space(2, mass=lumped)", "unknown mass \"lumped\""},
      {"phase_space(2, continuity=left)", "unknown continuity \"left\""},
      {"phase_space(2, continuity=q_continuous, pg=2)", "more constraints than q~ has values"},
      {"phase_space(3, continuity=q_continuous, quadrature=gauss(2))", "at least 3 points"},
      {"phase_space(3, continuity=q_continuous, quadrature=lobatto(3))", "at least 4 points"},
      {"phase_space(2, continuity=both_left, quadrature=gauss(2))", "the jumps vanish on either side"},
      {"phase_space(1, basis=fourier(2))", "at least degree 2"},
      {"galerkin(1, gauss(1), basis=fourier(2))", "at least degree 2"},
      {"phase_space(3, basis=fourier(0))", "omega = 0; expected omega > 0"},
      {"phase_space(3, basis=fourrier(1))", "did you mean \"fourier\"?"},
      {"phase_spaces(3)", "did you mean \"phase_space\"?"},
      {"suzuki(4, phase_space(1))", "which is not symmetric"}};
  for (const auto& [name, reason] : cases) {
    EXPECT_NE(refusal(name).find(reason), std::string::npos) << name << ": " << refusal(name);
    EXPECT_EQ(refusal(name).find('\n'), std::string::npos) << name;
  }
}

TEST(PhaseDeclared, Orders) {
  auto expect = [](const std::string& name, int constrained, int free) {
    const Declared d = Scheme::named(name).declared;
    EXPECT_EQ(d.order, (Order{constrained, constrained, constrained})) << name;
    EXPECT_EQ(d.order_free, free) << name;
  };
  for (int k = 1; k <= 4; ++k) {
    const std::string of = "phase_space(" + text(k);
    expect(of + ")", 2 * k + 1, 2 * k + 1);
    expect(of + ", continuity=q_right)", 2 * k + 1, 2 * k + 1);
    expect(of + ", quadrature=gauss(" + text(k + 3) + "))", 2 * k + 1, 2 * k + 1);
    expect(of + ", quadrature=lobatto(" + text(k + 2) + "))", 2 * k + 1, 2 * k + 1);
    expect(of + ", quadrature=lobatto(" + text(k + 1) + "))", 2 * k, 2 * k);
    expect(of + ", quadrature=gauss(" + text(k) + "))", 0, 2 * k);
    expect(of + ", quadrature=riemann(1e-4))", 1, 1);
    expect(of + ", pg=" + text(k - 1) + ")", 2 * k, 2 * k + 1);
    expect(of + ", pg=0)", 2, 2 * k + 1);
    expect(of + ", continuity=q_continuous)", 2 * k, 2 * k);
    expect(of + ", continuity=q_continuous, quadrature=gauss(" + text(k) + "))", 2 * k, 2 * k);
    expect(of + ", continuity=q_continuous, quadrature=lobatto(" + text(k + 1) + "))", 2 * k, 2 * k);
    expect(of + ", continuity=both_left)", 0, 2 * k + 1);
  }
  expect("phase_space(3, basis=fourier(2))", 7, 7);
  expect("phase_space(3, basis=fourier(2), quadrature=gauss(3))", 0, 6);
}

TEST(PhaseDeclared, StructureAndFlags) {
  for (const char* name : {"phase_space(2)", "phase_space(2, continuity=q_right)", "phase_space(2, pg=1)",
                           "phase_space(2, quadrature=riemann(0.1), continuity=q_continuous)",
                           "phase_space(2, quadrature=gauss(2), mass=exact)"}) {
    const Declared d = Scheme::named(name).declared;
    EXPECT_EQ(d.symmetry, Symmetry::none) << name;
    EXPECT_TRUE(d.symplectic && d.symplectic_free && d.on_manifold) << name;
    EXPECT_EQ(d.citation, "Muehlebach2016");
  }
  for (const char* name : {"phase_space(2, continuity=q_continuous)", "phase_space(2, quadrature=gauss(2))"})
    EXPECT_EQ(Scheme::named(name).declared.symmetry, Symmetry::full) << name;
  for (const char* name : {"phase_space(2, continuity=both_left)", "phase_space(2, continuity=both_right)"}) {
    const Declared d = Scheme::named(name).declared;
    EXPECT_FALSE(d.symplectic || d.symplectic_free) << name;
    EXPECT_TRUE(flagged(d, "unconstrained only: ")) << name;
  }
  EXPECT_TRUE(flagged("phase_space(2, continuity=both_right)", "not symplectic: loses energy"));
  EXPECT_TRUE(flagged("phase_space(2, continuity=both_left)", "not symplectic: gains energy"));
  EXPECT_TRUE(flagged("phase_space(2, quadrature=gauss(2))", "unconstrained only: identical to 2-stage Gauss"));
  EXPECT_TRUE(flagged("phase_space(2, quadrature=gauss(2), mass=exact)", "unconstrained only: constraints need"));
  EXPECT_TRUE(flagged("phase_space(2, quadrature=riemann(0.1))", "order lost: order 1 in the width"));
  EXPECT_TRUE(flagged("phase_space(2, pg=1)", "order lost: order 4 only, as pg = 1; pg = 2 restores it"));
  EXPECT_TRUE(flagged("phase_space(2, quadrature=lobatto(3))", "order lost: order 4 only, as lobatto(3)"));
  for (const char* name : {"phase_space(2)", "phase_space(2, continuity=q_continuous)",
                           "phase_space(2, quadrature=lobatto(4))", "phase_space(3, basis=fourier(2))"})
    EXPECT_TRUE(Scheme::named(name).declared.flags.empty()) << name;
}

TEST(PhaseAdjoint, TurnsLeftIntoRight) {
  auto name_of_adjoint = [](const char* name) { return adjoint(Scheme::named(name)).name; };
  EXPECT_EQ(name_of_adjoint("phase_space(2, pg=1)"), "phase_space(2, pg=1, continuity=q_right)");
  EXPECT_EQ(name_of_adjoint("phase_space(2, continuity=q_right)"), "phase_space(2)");
  EXPECT_EQ(name_of_adjoint("phase_space(2, continuity=q_continuous)"), "phase_space(2, continuity=q_continuous)");
  EXPECT_EQ(name_of_adjoint("phase_space(2, continuity=both_left)"), "phase_space(2, continuity=both_right)");
  EXPECT_TRUE(flagged("adjoint(phase_space(2, continuity=both_left))", "not symplectic: loses energy"));
  EXPECT_TRUE(Scheme::named("adjoint(phase_space(2))") == Scheme::named("phase_space(2, continuity=q_right)"));
  // An asymmetric rule is mirrored.
  const Scheme riemann = Scheme::named("phase_space(2, quadrature=riemann(0.1))"), back = adjoint(riemann);
  EXPECT_TRUE(back.as<PhaseSpace>()->rule.mirrored);
  EXPECT_EQ(back.as<PhaseSpace>()->continuity, Continuity::q_right_p_left);
  EXPECT_TRUE(adjoint(back) == riemann);
  EXPECT_EQ(adjoint(back).name, riemann.name);
  EXPECT_TRUE(Scheme::named(back.name) == back);
}

TEST(PhaseComposition, WithTheAdjointIsSymmetricAndOfEvenOrder) {
  const Scheme whole = Scheme::named("compose(0.5:phase_space(1), 0.5:adjoint(phase_space(1)))");
  EXPECT_EQ(whole.declared.symmetry, Symmetry::full);
  EXPECT_EQ(whole.declared.order, (Order{4, 4, 4}));
  EXPECT_EQ(whole.declared.order_free, 4);
  EXPECT_TRUE(whole.declared.symplectic);
  EXPECT_EQ(adjoint(whole).name, whole.name);
  EXPECT_EQ(Scheme::named("suzuki(6, " + whole.name + ")").declared.order_free, 6);
  // Members that differ in the data of their family only.
  for (const char* name :
       {"compose(0.5:phase_space(1), 0.5:phase_space(1))", "compose(0.5:phase_space(2), 0.5:adjoint(phase_space(1)))",
        "compose(0.5:phase_space(1, continuity=q_continuous), 0.5:midpoint)"})
    EXPECT_EQ(Scheme::named(name).declared.symmetry, Symmetry::none) << name;
}

TEST(PhasePerturbed, ChangesTheRuleOfItsFamilyOnly) {
  const Scheme scheme = Scheme::named("phase_space(2)"), other = perturbed(scheme, 1e-3);
  EXPECT_EQ(other.as<PhaseSpace>()->rule.perturbation.amount(), 1e-3);
  EXPECT_FALSE(other == scheme);
  EXPECT_TRUE(perturbed(other, 0) == scheme);
  EXPECT_EQ(other.name, scheme.name);
  const Scheme whole = perturbed(Scheme::named("compose(0.5:phase_space(1), 0.5:adjoint(phase_space(1)))"), 1e-3);
  for (const Substep& sub : whole.substeps()) EXPECT_EQ(sub.scheme.as<PhaseSpace>()->rule.perturbation.amount(), 1e-3);
}

TEST(Tableau, OfDegreeOne) {
  const ButcherPair t = butcher(Scheme::named("phase_space(1)"));
  const quad root = math::sqrt(quad(3)), third = quad(1) / 3, sixth = quad(1) / 6;
  EXPECT_LE(distance(t.A_q, {{third, (1 - root) / 6}, {(1 + root) / 6, third}}), floor_of_tables);
  EXPECT_LE(distance(t.A_p, {{sixth, third - root / 6}, {third + root / 6, sixth}}), floor_of_tables);
  EXPECT_LE(size(t.b[0] - quad(1) / 2) + size(t.b[1] - quad(1) / 2), floor_of_tables);
}

TEST(Tableau, IsGaussWithALegendrePolynomial) {
  for (int s = 2; s <= 6; ++s) {
    const ButcherPair t = butcher(Scheme::named(gauss_pair(s)));
    const Matrix gauss = gauss_matrix(t.c);
    ButcherPair expected{t.c, t.b, gauss, gauss};
    for (std::size_t i = 0; i < t.c.size(); ++i)
      for (std::size_t j = 0; j < t.c.size(); ++j) {
        const quad change = t.b[j] * legendre(s - 1, t.c[i]) * legendre(s - 1, t.c[j]) / 2;
        expected.A_q[i][j] += change;
        expected.A_p[i][j] -= change;
      }
    EXPECT_LE(distance(t.A_q, expected.A_q), floor_of_tables) << s;
    EXPECT_LE(distance(t.A_p, expected.A_p), floor_of_tables) << s;
    EXPECT_GE(distance(t.A_q, gauss), 1e-2) << s;  // the change is not small
    const ButcherPair right = butcher(adjoint(Scheme::named(gauss_pair(s))));
    EXPECT_LE(distance(right.A_q, expected.A_p), floor_of_tables) << s;
    EXPECT_LE(distance(right.A_p, expected.A_q), floor_of_tables) << s;
  }
}

TEST(Tableau, IsSymplectic) {
  for (const char* name : {"phase_space(1)", "phase_space(3)", "phase_space(5)", "phase_space(2, continuity=q_right)",
                           "phase_space(2, quadrature=lobatto(4))", "phase_space(2, quadrature=lobatto(3))",
                           "phase_space(2, quadrature=gauss(5))", "phase_space(3, continuity=q_continuous)",
                           "phase_space(3, continuity=q_continuous, quadrature=lobatto(5))"}) {
    const ButcherPair t = butcher(Scheme::named(name));
    EXPECT_LE(distance(symplectic_defect(t), zero(t.b.size())), floor_of_tables) << name;
  }
}

// Both from the same side: one method for q and p, whose defect is b_i b_j P P and has the sign of a loss or a gain.
TEST(Tableau, FromTheSameSideLosesOrGains) {
  const ButcherPair losing = butcher(Scheme::named("phase_space(2, continuity=both_right)")),
                    gaining = butcher(Scheme::named("phase_space(2, continuity=both_left)"));
  EXPECT_LE(distance(losing.A_q, losing.A_p), floor_of_tables);
  EXPECT_LE(distance(gaining.A_q, gaining.A_p), floor_of_tables);
  for (std::size_t i = 0; i < losing.b.size(); ++i)
    for (std::size_t j = 0; j < losing.b.size(); ++j) {
      const quad loss = losing.b[i] * losing.b[j] * legendre(2, losing.c[i]) * legendre(2, losing.c[j]);
      EXPECT_LE(size(symplectic_defect(losing)[i][j] - loss), floor_of_tables);
      EXPECT_LE(size(symplectic_defect(gaining)[i][j] + loss), floor_of_tables);
    }
}

TEST(Tableau, WithAsManyPointsAsDegreesIsGauss) {
  for (const char* name : {"phase_space(1, quadrature=gauss(1))", "phase_space(3, quadrature=gauss(3))",
                           "phase_space(3, quadrature=gauss(3), continuity=q_right)",
                           "phase_space(3, continuity=q_continuous, quadrature=gauss(3))"}) {
    const ButcherPair t = butcher(Scheme::named(name));
    EXPECT_LE(distance(t.A_q, gauss_matrix(t.c)), floor_of_tables) << name;
    EXPECT_LE(distance(t.A_p, gauss_matrix(t.c)), floor_of_tables) << name;
  }
}

// [HairerLubichWanner2006, V.2]: the adjoint has nodes 1 - c, and A* = b_j - A with both indices reversed.
TEST(Tableau, OfTheAdjoint) {
  for (const char* name : {"phase_space(2)", "phase_space(3, quadrature=lobatto(4))",
                           "phase_space(2, continuity=both_left)", "phase_space(2, continuity=q_continuous)"}) {
    const ButcherPair t = butcher(Scheme::named(name)), adjoint_pair = butcher(adjoint(Scheme::named(name)));
    const std::size_t n = t.b.size();
    ButcherPair expected = t;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        expected.A_q[i][j] = t.b[n - 1 - j] - t.A_q[n - 1 - i][n - 1 - j];
        expected.A_p[i][j] = t.b[n - 1 - j] - t.A_p[n - 1 - i][n - 1 - j];
      }
    EXPECT_LE(distance(adjoint_pair.A_q, expected.A_q), floor_of_tables) << name;
    EXPECT_LE(distance(adjoint_pair.A_p, expected.A_p), floor_of_tables) << name;
  }
}

TEST(Tableau, RefusesWhatHasNone) {
  EXPECT_EQ(tableau_refusal("ggl"),
            "tableau of ggl: found another family; expected a member of phase_space or hamilton; try phase_space(1)");
  for (const char* name : {"compose(0.5:phase_space(1), 0.5:phase_space(1))", "phase_space(2, mass=exact)",
                           "phase_space(2, quadrature=riemann(0.1))", "phase_space(3, basis=fourier(2))"})
    EXPECT_NE(tableau_refusal(name).find("expected"), std::string::npos) << name;
}

TEST(FourierTables, ContainTheOscillation) {
  const quad h = quad(1) / 5, turn = h * quad(7);
  const Galerkin member = *Scheme::named("galerkin(3, gauss(4), basis=fourier(7))").as<Galerkin>();
  const Tables<quad> t = tables<quad>(member, h), backwards = tables<quad>(member, -h);
  for (int i = 0; i < t.r; ++i) {
    quad value = 0, slope = 0, line = 0;
    for (int k = 0; k <= t.s; ++k) {
      const auto at = static_cast<std::size_t>(i * (t.s + 1) + k), a = static_cast<std::size_t>(k);
      value += t.l[at] * math::cos(turn * t.d[a]);
      slope += t.dl[at] * math::cos(turn * t.d[a]);
      line += t.l[at] * t.d[a];
    }
    const quad x = t.c[static_cast<std::size_t>(i)];
    EXPECT_LE(size(value - math::cos(turn * x)), 1e-29);
    EXPECT_LE(size(slope + turn * math::sin(turn * x)), 1e-29);
    EXPECT_LE(size(line - x), 1e-29);
  }
  EXPECT_TRUE(t.l == backwards.l);
  // The step matters, and without a frequency it does not.
  EXPECT_GE(size(tables<quad>(member, 2 * h).l[0] - t.l[0]), 1e-4);
  const Galerkin plain = *Scheme::named("galerkin(3, gauss(4))").as<Galerkin>();
  EXPECT_TRUE(tables<quad>(plain, h).l == tables<quad>(plain).l);
}

}  // namespace
}  // namespace extremal::scheme_phase_test
