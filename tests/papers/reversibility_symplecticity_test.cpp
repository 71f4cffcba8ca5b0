// Reversibility and symplecticity of one step, from the exact state at t = 1.3.
//
// [Wenger2017, section 3.4] The unprojected momentum of a node, p^ - h e_1 G^T T / 2, is returned by stepping forth and
// back from inner nodes; from a consistent start it is not, by what it has across the constraint. Projected, the map
// is reversible. [Man2020] All eight algorithms are reversible, but only LLL and LGL, and with two or three control
// points ELL and EGL, are symplectic.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

#include "distance.hpp"
#include "extremal/models.hpp"
#include "reference_data.hpp"
#include "runge_kutta.hpp"

namespace extremal::papers::reversibility_symplecticity_test {
namespace {

const quad moment = quad(13) / 10;

State<quad> exact_state(const std::string& name) {
  const Model m = model(name);
  Stepper<quad> stepper(m.system, Scheme::named("galerkin(10, gauss(10), closure=projected)"));
  stepper.start(m.start);
  for (int k = 0; k < 130; ++k)
    if (!stepper.step(moment / 130).converged) throw std::runtime_error("no convergence");
  return stepper.state();
}

// One step of the unprojected map: to the end of the step, with the momentum that the end has as an inner node.
State<quad> inner_step(Stepper<quad>& stepper, const State<quad>& from, quad h) {
  stepper.place(from);
  if (!stepper.step(h).converged) throw std::runtime_error("no convergence");
  State<quad> to = stepper.state();
  if (!stepper.step(h).converged) throw std::runtime_error("no convergence");
  const std::vector<quad> G = stepper.constraint_jacobian(to.q, to.t), T = stepper.node_multiplier();
  for (std::size_t k = 0; k < T.size(); ++k)
    for (std::size_t i = 0; i < to.p.size(); ++i)
      to.p[i] -= h * stepper.node_weight() * G[k * to.p.size() + i] * T[k] / 2;
  return to;
}

struct Defects {
  const char* model;
  int s, w;
  double p[3];  // with the steps 0.1, 0.05 and 0.025
};

// All eight algorithms are reversible, to round-off.
TEST(Reversibility, HoldsForAllAlgorithmsOfMan) {
  for (const char* name : {"pendulum", "double-pendulum-3d", "spring-pendulum", "triple-pendulum"}) {
    const State<quad> start = exact_state(name);
    for (const char* letters : {"LLL", "LGL", "LLG", "LGG", "ELL", "EGL", "ELG", "EGG"})
      for (int m = 2; m <= 5; ++m) {
        const Scheme scheme = Scheme::named(std::string("man(") + letters + ", " + std::to_string(m) + ")");
        SCOPED_TRACE(std::string(name) + " " + scheme.name);
        const quad h = quad(1) / 10;
        Stepper<quad> stepper(model(name).system, scheme);
        stepper.place(start);
        ASSERT_TRUE(stepper.step(h).converged && stepper.step(-h).converged);
        EXPECT_LT(distance(stepper.state().q, start.q), 1e-32);
        EXPECT_LT(distance(stepper.state().p, start.p), 1e-31);
      }
  }
}

TEST(Reversibility, OfUnprojectedMomentaIsLostAtAConsistentStart) {
  const Defects reference[] = {{"pendulum", 1, 1, {9.04e-3, 2.26e-3, 5.64e-4}},
                               {"pendulum", 2, 2, {2.95e-5, 1.85e-6, 1.16e-7}},
                               {"pendulum", 3, 3, {4.69e-6, 2.84e-7, 1.76e-8}},
                               {"pendulum", 3, 2, {2.95e-5, 1.85e-6, 1.16e-7}},
                               {"double-pendulum-3d", 1, 1, {2.29e-2, 5.61e-3, 1.40e-3}},
                               {"double-pendulum-3d", 2, 2, {1.14e-4, 6.89e-6, 4.26e-7}},
                               {"double-pendulum-3d", 3, 3, {1.46e-5, 8.45e-7, 5.18e-8}},
                               {"double-pendulum-3d", 3, 2, {1.14e-4, 6.89e-6, 4.26e-7}},
                               {"spring-pendulum", 1, 1, {1.34e-3, 3.35e-4, 8.38e-5}},
                               {"spring-pendulum", 2, 2, {3.02e-6, 1.90e-7, 1.19e-8}},
                               {"spring-pendulum", 3, 3, {5.76e-7, 3.69e-8, 2.32e-9}},
                               {"spring-pendulum", 3, 2, {3.09e-6, 1.95e-7, 1.22e-8}},
                               {"triple-pendulum", 1, 1, {1.87e-3, 4.66e-4, 1.16e-4}},
                               {"triple-pendulum", 2, 2, {7.19e-6, 4.52e-7, 2.83e-8}},
                               {"triple-pendulum", 3, 3, {1.22e-6, 7.75e-8, 4.86e-9}},
                               {"triple-pendulum", 3, 2, {7.27e-6, 4.57e-7, 2.86e-8}}};
  for (const Defects& r : reference) {
    const std::string s = std::to_string(r.s), w = std::to_string(r.w);
    SCOPED_TRACE(std::string(r.model) + ", s = " + s + ", w = " + w);
    const State<quad> start = exact_state(r.model);
    const System system = model(r.model).system;
    Stepper<quad> unprojected(system, Scheme::named("wenger(" + s + ", " + w + ", gauss(" + s + "))"));
    Stepper<quad> projected(system, Scheme::named("galerkin(" + s + ", gauss(" + s + "), w=" + w + ")"));
    for (int i = 0; i < 3; ++i) {
      const quad h = quad(1) / (10 << i);
      const State<quad> there = inner_step(unprojected, start, h), back = inner_step(unprojected, there, -h);
      EXPECT_LT(distance(back.q, start.q), 1e-32);
      EXPECT_NEAR(distance(back.p, start.p), r.p[i], 1.01 * half_unit(r.p[i], 3));
      // From an inner node it is reversible.
      const State<quad> further = inner_step(unprojected, there, h), again = inner_step(unprojected, further, -h);
      EXPECT_LT(distance(again.q, there.q), 1e-32);
      EXPECT_LT(distance(again.p, there.p), 1e-31);

      projected.place(start);
      ASSERT_TRUE(projected.step(h).converged && projected.step(-h).converged);
      EXPECT_LT(distance(projected.state().q, start.q), 1e-32);
      EXPECT_LT(distance(projected.state().p, start.p), 1e-31);
    }
  }
}

// Vectors (dq, dp) that span the tangent space of {g = 0, G v = 0}, from random ones.
std::vector<Vector> tangent_basis(const HandWritten& system, const State<quad>& state, unsigned seed) {
  const Vector v = solve(system.mass(state.q), state.p);
  const Matrix M = system.mass(state.q), G = system.jacobian(state.q), bend = system.bend(state.q, v),
               inertia = system.inertia(state.q, v);
  Matrix S(G.size(), Vector(G.size()));
  for (std::size_t k = 0; k < G.size(); ++k) S[k] = product(G, G[k]);
  const auto random = [&seed] {
    seed = seed * 1664525U + 1013904223U;
    return quad(static_cast<int>(seed >> 8) - (1 << 23)) / (1 << 23);
  };
  std::vector<Vector> basis;
  for (int i = 0; i < 2 * (system.n - system.m); ++i) {
    Vector dq, dv;
    for (int j = 0; j < system.n; ++j) {
      dq.push_back(random());
      dv.push_back(random());
    }
    add_transposed(dq, -1, G, solve(S, product(G, dq)));
    Vector across = product(G, dv);
    add(across, 1, product(bend, dq));
    add_transposed(dv, -1, G, solve(S, across));
    Vector dp = product(M, dv);
    add(dp, 1, product(inertia, dq));
    dq.insert(dq.end(), dp.begin(), dp.end());
    basis.push_back(dq);
  }
  return basis;
}

Matrix omega(const std::vector<Vector>& basis) {
  const std::size_t n = basis[0].size() / 2;
  Matrix all(basis.size(), Vector(basis.size()));
  for (std::size_t i = 0; i < basis.size(); ++i)
    for (std::size_t j = 0; j < basis.size(); ++j)
      for (std::size_t k = 0; k < n; ++k) all[i][j] += basis[i][k] * basis[j][n + k] - basis[j][k] * basis[i][n + k];
  return all;
}

quad determinant(Matrix a) {
  quad d(1);
  for (std::size_t k = 0; k < a.size(); ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < a.size(); ++i)
      if (math::abs(a[i][k]) > math::abs(a[pivot][k])) pivot = i;
    if (pivot != k) d = -d;
    std::swap(a[k], a[pivot]);
    d *= a[k][k];
    for (std::size_t i = k + 1; i < a.size(); ++i)
      for (std::size_t j = a.size(); j-- > k;) a[i][j] -= a[i][k] / a[k][k] * a[k][j];
  }
  return d;
}

struct SymplecticDefect {
  double volume, entry;
};

std::vector<Vector> moved_basis(const std::vector<Vector>& basis, const std::vector<quad>& tangent) {
  const std::size_t width = basis[0].size();
  std::vector<Vector> moved;
  for (const Vector& x : basis) {
    Vector y(width);
    for (std::size_t i = 0; i < width; ++i)
      for (std::size_t j = 0; j < width; ++j) y[i] += tangent[i * width + j] * x[j];
    moved.push_back(y);
  }
  return moved;
}

SymplecticDefect symplectic_defect(const std::vector<Vector>& basis, const std::vector<quad>& tangent) {
  const Matrix before = omega(basis), after = omega(moved_basis(basis, tangent));
  quad largest(0), change(0);
  for (std::size_t i = 0; i < before.size(); ++i)
    for (std::size_t j = 0; j < before.size(); ++j) {
      largest = math::max(largest, math::abs(before[i][j]));
      change = math::max(change, math::abs(after[i][j] - before[i][j]));
    }
  return {magnitude(math::sqrt(determinant(after) / determinant(before)) - 1), magnitude(change / largest)};
}

class Symplecticity : public testing::TestWithParam<const char*> {};

TEST_P(Symplecticity, HasTheDefectsOfTheReference) {
  const std::string name = GetParam();
  const State<quad> start = exact_state(name);
  const System system = model(name).system;
  const HandWritten hand = hand_written(name);
  const quad h = quad(1) / (name == "pendulum" || name == "double-pendulum-3d" ? 20 : 10);
  int compared = 0;
  for (const auto& row : reference_rows("symplectic-defects.csv", ';')) {
    if (row.at(0) != name) continue;
    SCOPED_TRACE(row.at(1));
    const Scheme scheme = Scheme::named(row.at(1));
    const double volume = std::stod(row.at(2)), entry = std::stod(row.at(3));
    EXPECT_EQ(scheme.declared.symplectic, entry == 0);
    Stepper<quad> stepper(system, scheme);
    stepper.place(start);
    ASSERT_TRUE(stepper.step(h).converged);
    const std::vector<quad> tangent = stepper.tangent();
    // Entries depend on the basis: the reference has one of its own, which must not be an outlier of a hundred others.
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (unsigned seed = 0; seed < 100; ++seed) {
      const SymplecticDefect found = symplectic_defect(tangent_basis(hand, start, seed), tangent);
      least = std::min(least, found.entry);
      most = std::max(most, found.entry);
      if (seed == 0 && volume > 0) {
        EXPECT_NEAR(found.volume, volume, 1.01 * half_unit(volume, 3));
      }
    }
    if (volume > 0) {
      EXPECT_LE(least, entry + half_unit(entry, 3));
      EXPECT_GE(most, entry - half_unit(entry, 3));
    } else {
      EXPECT_LT(most, 1e-31);
    }
    ++compared;
  }
  EXPECT_EQ(compared, 46);
}

INSTANTIATE_TEST_SUITE_P(, Symplecticity,
                         testing::Values("pendulum", "double-pendulum-3d", "spring-pendulum", "triple-pendulum"),
                         [](const auto& info) { return identifier(info.param); });

// The volume's defect of an algorithm of order r is O(h^{r + 1}), like the error of one step.
TEST(SymplecticDefect, IsOfTheOrderOfOneStep) {
  struct Case {
    const char *model, *scheme;
    int order;
  };
  for (const Case& c : {Case{"double-pendulum-3d", "man(LGG, 2)", 3}, Case{"double-pendulum-3d", "man(LGG, 3)", 5},
                        Case{"triple-pendulum", "man(LGG, 2)", 3}, Case{"triple-pendulum", "man(LGG, 3)", 5},
                        Case{"triple-pendulum", "man(LGG, 4)", 7}, Case{"spring-pendulum", "man(LLG, 3)", 5},
                        Case{"spring-pendulum", "man(ELL, 4)", 5}, Case{"triple-pendulum", "man(EGL, 5)", 7}}) {
    SCOPED_TRACE(std::string(c.model) + " " + c.scheme);
    const State<quad> start = exact_state(c.model);
    const std::vector<Vector> basis = tangent_basis(hand_written(c.model), start, 0);
    Stepper<quad> stepper(model(c.model).system, Scheme::named(c.scheme));
    double coarse = 0;
    for (const int per_unit : {320, 640, 1280}) {
      stepper.place(start);
      ASSERT_TRUE(stepper.step(quad(1) / per_unit).converged);
      const double fine = symplectic_defect(basis, stepper.tangent()).volume;
      if (coarse > 0) {
        EXPECT_NEAR(std::log2(coarse / fine), c.order, 0.25);
      }
      coarse = fine;
    }
  }
}

// Omega1 - Omega0 = -h sum_j e_j dg(q_d(f_j)) ^ dlambda(f_j): the action is not stationary in lambda where the nodes
// f_j of the constraint rule are no control points. Differences of the step itself give dg and dlambda.
TEST(SymplecticDefect, IsWhatTheConstraintsMissAtTheirNodes) {
  const quad h = quad(1) / 10, reach = quad(1) / quad(1e7);
  struct Case {
    const char *model, *scheme;
    Vector nodes;
  };
  for (const Case& c :
       {Case{"triple-pendulum", "man(LGG, 2)", gauss_nodes(2)}, Case{"triple-pendulum", "man(LLG, 3)", gauss_nodes(3)},
        Case{"spring-pendulum", "man(LGG, 3)", gauss_nodes(3)},
        Case{"spring-pendulum", "man(ELL, 4)", lobatto_nodes(4)},
        Case{"triple-pendulum", "man(EGG, 4)", gauss_nodes(4)}}) {
    SCOPED_TRACE(std::string(c.model) + " " + c.scheme);
    const HandWritten hand = hand_written(c.model);
    const State<quad> start = exact_state(c.model);
    const std::vector<Vector> basis = tangent_basis(hand, start, 0);
    const Vector weights = integrals(c.nodes, 1);
    const std::size_t n = start.q.size(), m = static_cast<std::size_t>(hand.m);
    Stepper<quad> stepper(model(c.model).system, Scheme::named(c.scheme));
    struct Inside {
      std::vector<Vector> q;  // at the nodes
      Vector lambda;
    };
    const auto step = [&](const Vector& x, quad factor) {
      State<quad> moved = start;
      for (std::size_t i = 0; i < n; ++i) {
        moved.q[i] += factor * x[i];
        moved.p[i] += factor * x[n + i];
      }
      stepper.place(moved);
      if (!stepper.step(h).converged) throw std::runtime_error("no convergence");
      Inside inside{{}, stepper.multipliers()};
      for (const quad f : c.nodes) {
        DensePoint<quad> at;
        stepper.dense(f, at);
        inside.q.push_back(at.q);
      }
      return inside;
    };

    const Inside here = step(basis[0], 0);
    const Matrix before = omega(basis), after = omega(moved_basis(basis, stepper.tangent()));
    // f' = (8 (f(r) - f(-r)) - (f(2r) - f(-2r))) / 12 r, with an error of r^4 f^(5) / 30.
    std::vector<Inside> slopes;
    for (const Vector& x : basis) {
      Inside slope{std::vector<Vector>(c.nodes.size(), Vector(n)), Vector(here.lambda.size())};
      for (const auto& [place, weight] : {std::pair{1, 8}, {-1, -8}, {2, -1}, {-2, 1}}) {
        const Inside there = step(x, place * reach);
        for (std::size_t j = 0; j < c.nodes.size(); ++j) add(slope.q[j], weight / (12 * reach), there.q[j]);
        add(slope.lambda, weight / (12 * reach), there.lambda);
      }
      slopes.push_back(slope);
    }
    double missed = 0, size = 0;
    for (std::size_t a = 0; a < basis.size(); ++a)
      for (std::size_t b = 0; b < basis.size(); ++b) {
        quad sum(0);
        for (std::size_t j = 0; j < c.nodes.size(); ++j) {
          const Matrix G = hand.jacobian(here.q[j]);
          const Vector ga = product(G, slopes[a].q[j]), gb = product(G, slopes[b].q[j]);
          for (std::size_t k = 0; k < m; ++k)
            sum -= h * weights[j] * (ga[k] * slopes[b].lambda[j * m + k] - gb[k] * slopes[a].lambda[j * m + k]);
        }
        size = std::max(size, magnitude(sum));
        missed = std::max(missed, magnitude(after[a][b] - before[a][b] - sum));
      }
    EXPECT_GT(size, 1e-10);
    EXPECT_LT(missed, 1e-15 * size);
  }
}

}  // namespace
}  // namespace extremal::papers::reversibility_symplecticity_test
