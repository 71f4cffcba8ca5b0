// Textbook methods are members of the family, to round-off in quad precision: SHAKE, RATTLE, Gauss-Lobatto SPARK,
// constrained Lobatto IIIA-IIIB and the Gauss method of the index-3 equations, each programmed here from its own
// definition with coefficients and systems of its own.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

#include "distance.hpp"
#include "extremal/models.hpp"
#include "runge_kutta.hpp"

namespace extremal::papers::equivalences_test {
namespace {

struct Phase {
  Vector q, p, lambda;       // lambda: the multipliers of the step, node after node
  std::size_t unknowns = 0;  // of the nonlinear equations of the step, with those of the projection
};

// M v + G^T lambda = p, G v = 0: the velocity, and the multipliers that take p to the manifold.
std::pair<Vector, Vector> tangential(const HandWritten& system, const Vector& q, const Vector& p) {
  const Matrix M = system.mass(q), G = system.jacobian(q);
  const std::size_t n = p.size(), m = G.size();
  Matrix kkt(n + m, Vector(n + m));
  Vector right(n + m);
  for (std::size_t i = 0; i < n; ++i) {
    right[i] = p[i];
    for (std::size_t j = 0; j < n; ++j) kkt[i][j] = M[i][j];
    for (std::size_t k = 0; k < m; ++k) kkt[i][n + k] = kkt[n + k][i] = G[k][i];
  }
  const Vector x = solve(kkt, right);
  return {Vector(x.data(), x.data() + n), Vector(x.data() + n, x.data() + n + m)};
}

// RATTLE [Andersen1983] with M = 1.
Phase rattle_step(const HandWritten& system, const Phase& start, quad h) {
  const Matrix G0 = system.jacobian(start.q);
  Phase end;
  const auto drift = [&](const Vector& lambda) {
    Vector p = start.p;
    add(p, h / 2, system.force(start.q, p));
    add_transposed(p, -h / 2, G0, lambda);
    end = start;
    add(end.q, h, p);
    end.p = p;
    return system.constraint(end.q);
  };
  const Vector lambda0 = newton(drift, Vector(G0.size()));
  drift(lambda0);
  add(end.p, h / 2, system.force(end.q, end.p));
  auto [v, impulse] = tangential(system, end.q, end.p);
  end.p = v;
  end.lambda = lambda0;
  for (const quad& x : impulse) end.lambda.push_back(2 * x / h);
  return end;
}

// A step of any of the methods with stages V_i, M(Q_i) V_i = P_i:
//   Q_i = q + h sum_j a_ij V_j                                       g(R_k) = 0 for the constraint stages k > 0
//   P_i = p + h sum_j A_ij L_q(Q_j, V_j) - h sum_k B_ik G(R_k)^T lambda_k
//   R_k = q + h sum_j r_kj V_j,  q1 = q + h sum_j b_j V_j,  p1 = p + h sum_j b_j L_q - h sum_k e_k G(R_k)^T lambda_k
struct Stages {
  Vector b, e;
  Matrix a, A, B, r;
  bool hidden = true;  // the last multiplier makes G v = 0 at the end; otherwise g = 0 at all constraint stages
};

Phase stage_step(const HandWritten& system, const Stages& t, const Phase& start, quad h) {
  const std::size_t s = t.b.size(), z = t.e.size(), n = start.q.size(), m = system.constraint(start.q).size();
  const std::size_t unknown = t.hidden ? z - 1 : z;  // multipliers that Newton solves for
  Phase end;
  const auto evaluate = [&](const Vector& x) {
    const auto part = [&x](std::size_t first, std::size_t count) {
      return Vector(x.data() + first, x.data() + first + count);
    };
    std::vector<Vector> V(s), Q(s, start.q), R(z, start.q), lambda(unknown);
    for (std::size_t i = 0; i < s; ++i) V[i] = part(i * n, n);
    for (std::size_t k = 0; k < unknown; ++k) lambda[k] = part(s * n + k * m, m);
    end.q = start.q;
    end.p = start.p;
    for (std::size_t j = 0; j < s; ++j) {
      for (std::size_t i = 0; i < s; ++i) add(Q[i], h * t.a[i][j], V[j]);
      for (std::size_t k = 0; k < z; ++k) add(R[k], h * t.r[k][j], V[j]);
      add(end.q, h * t.b[j], V[j]);
    }
    Vector residual;
    std::vector<Vector> P(s, start.p);
    for (std::size_t j = 0; j < s; ++j) {
      const Vector f = system.force(Q[j], V[j]);
      for (std::size_t i = 0; i < s; ++i) add(P[i], h * t.A[i][j], f);
      add(end.p, h * t.b[j], f);
    }
    for (std::size_t k = 0; k < unknown; ++k) {
      const Matrix G = system.jacobian(R[k]);
      for (std::size_t i = 0; i < s; ++i) add_transposed(P[i], -h * t.B[i][k], G, lambda[k]);
      add_transposed(end.p, -h * t.e[k], G, lambda[k]);
    }
    for (std::size_t i = 0; i < s; ++i) {
      Vector row = product(system.mass(Q[i]), V[i]);
      add(row, -1, P[i]);
      residual.insert(residual.end(), row.begin(), row.end());
    }
    for (std::size_t k = t.hidden ? 1 : 0; k < z; ++k)
      for (const quad& g : system.constraint(R[k])) residual.push_back(g / h);
    return residual;
  };
  Vector guess;
  const Vector v = tangential(system, start.q, start.p).first;
  for (std::size_t i = 0; i < s; ++i) guess.insert(guess.end(), v.begin(), v.end());
  guess.resize(s * n + unknown * m);
  const Vector x = newton(evaluate, guess);
  evaluate(x);
  end.lambda.assign(x.data() + s * n, x.data() + x.size());
  if (t.hidden) {
    auto [v1, impulse] = tangential(system, end.q, end.p);
    end.p = product(system.mass(end.q), v1);
    for (const quad& y : impulse) end.lambda.push_back(y / (h * t.e.back()));
  }
  end.unknowns = x.size() + (t.hidden ? m : 0);
  return end;
}

// (s, s)-Gauss-Lobatto SPARK [Jay2007]: forces at s Gauss points, constraints at s + 1 Lobatto points.
Stages gauss_lobatto_spark(int s) {
  const Tableau gauss = gauss_tableau(s);
  const Vector lobatto = lobatto_nodes(s + 1);
  Stages t{.b = gauss.b, .e = integrals(lobatto, 1), .a = gauss.a, .A = gauss.a, .B = {}, .r = {}};
  for (const quad c : lobatto) t.r.push_back(integrals(gauss.c, c));
  for (std::size_t i = 0; i < t.b.size(); ++i) {
    Vector row;
    for (std::size_t k = 0; k < t.e.size(); ++k) row.push_back(t.e[k] * (1 - t.r[k][i] / t.b[i]));
    t.B.push_back(row);
  }
  return t;
}

// Lobatto IIIA for the positions, IIIB for the momenta, constraints at the stages [MarsdenWest2001].
Stages lobatto_iiia_iiib(int s) {
  const Tableau a = lobatto_iiia(s), b = symplectic_partner(a);
  return {.b = a.b, .e = a.b, .a = a.a, .A = b.a, .B = b.a, .r = a.a};
}

// The Gauss method for the index-3 equations.
Stages gauss_index3(int s) {
  const Tableau gauss = gauss_tableau(s);
  return {.b = gauss.b, .e = gauss.b, .a = gauss.a, .A = gauss.a, .B = gauss.a, .r = gauss.a, .hidden = false};
}

struct Difference {
  double state = 0, lambda = 0;
};

// The largest difference over four steps from the model's start.
template <class Step>
Difference difference(const std::string& name, const std::string& scheme, Step step) {
  const HandWritten system = hand_written(name);
  const quad h = quad(1) / (name == "spring-pendulum" || name == "triple-pendulum" ? 10 : 20);
  const Model m = model(name);
  Stepper<quad> stepper(m.system, Scheme::named(scheme));
  stepper.start(m.start);
  Phase phase{system.q, product(system.mass(system.q), system.v), {}};
  Difference worst;
  for (int k = 0; k < 4; ++k) {
    if (!stepper.step(h).converged) throw std::runtime_error(scheme + ": no convergence");
    phase = step(system, phase, h);
    worst.state = std::max({worst.state, distance(stepper.state().q, phase.q), distance(stepper.state().p, phase.p)});
    worst.lambda = std::max(worst.lambda, distance(stepper.multipliers(), phase.lambda));
  }
  return worst;
}
Difference difference(const std::string& name, const std::string& scheme, const Stages& stages) {
  return difference(name, scheme, [&](const HandWritten& system, const Phase& start, quad h) {
    return stage_step(system, stages, start, h);
  });
}

// Round-off of four steps with states of size 1 to 3, for which epsilon is 2e-34. Multipliers, up to 20 in size, are
// second differences of positions: they lose another 1 / h^2 <= 400 and what stages close to each other cost.
const double state_floor = 1e-32, lambda_floor = 1e-28;

void expect_equal(const Difference& d, double growth = 1) {
  EXPECT_LT(d.state, state_floor * growth);
  EXPECT_LT(d.lambda, lambda_floor * growth);
}

class ConstantMass : public testing::TestWithParam<const char*> {};

// Positions by the two-step formula [RyckaertCiccottiBerendsen1977].
TEST_P(ConstantMass, ShakeIsWengersSmallestMember) {
  const HandWritten system = hand_written(GetParam());
  const std::string name = GetParam();
  const int steps = 4, per_unit = name == "spring-pendulum" ? 10 : 20;
  const quad h = quad(1) / per_unit;
  const Model m = model(name);
  const auto run = extremal::run<quad>(m.system, "shake", m.start,
                                       {.step = "1/" + std::to_string(per_unit),
                                        .until = std::to_string(steps) + "/" + std::to_string(per_unit),
                                        .multipliers = Multipliers::scheme});
  const auto row = [&](const std::string& prefix, const std::vector<std::string>& names, int k) {
    Vector all;
    for (const auto& x : names) all.push_back(run.column(prefix + x)[static_cast<std::size_t>(k)]);
    return all;
  };
  ASSERT_EQ(run.status, Status::complete);

  Vector before, now = system.q;
  for (int k = 0; k < steps; ++k) {
    Vector next;
    const auto move = [&](const Vector& lambda) {
      Vector push = system.force(now, system.v);
      add_transposed(push, -1, system.jacobian(now), lambda);
      next = now;
      if (k == 0) {
        add(next, h, system.v);
        add(next, h * h / 2, push);
      } else {
        add(next, 1, now);
        add(next, -1, before);
        add(next, h * h, push);
      }
      return system.constraint(next);
    };
    const Vector lambda = newton(move, Vector(static_cast<std::size_t>(system.m)));
    move(lambda);
    // The multiplier of an inner node is known once the step that leaves it is taken.
    if (k > 0) {
      EXPECT_LT(distance(row("lambda:", m.system.constraint_names(), k), lambda), lambda_floor) << k;
    }
    before = now;
    now = next;
    EXPECT_LT(distance(row("", m.system.coordinate_names(), k + 1), now), state_floor) << k;
  }
}

TEST_P(ConstantMass, RattleIsTheSameProjectedAndLLLWithTwoPoints) {
  for (const char* scheme : {"rattle", "galerkin(1, lobatto(2), w=1, closure=hidden)", "lobatto(2)", "man(LLL, 2)"}) {
    SCOPED_TRACE(scheme);
    expect_equal(difference(GetParam(), scheme, rattle_step));
  }
}

TEST_P(ConstantMass, LobattoIIIAIIIBIsLLL) {
  for (int m = 2; m <= 5; ++m) {
    SCOPED_TRACE(m);
    expect_equal(difference(GetParam(), "man(LLL, " + std::to_string(m) + ")", lobatto_iiia_iiib(m)));
  }
}

INSTANTIATE_TEST_SUITE_P(, ConstantMass, testing::Values("pendulum", "double-pendulum-3d", "spring-pendulum"),
                         [](const auto& info) { return identifier(info.param); });

class AnyMass : public testing::TestWithParam<const char*> {};

TEST_P(AnyMass, GaussLobattoSparkIsTheMemberWithGaussPoints) {
  for (int s = 1; s <= 4; ++s) {
    SCOPED_TRACE(s);
    expect_equal(difference(GetParam(), "spark(" + std::to_string(s) + ")", gauss_lobatto_spark(s)));
  }
}

TEST_P(AnyMass, LobattoIIIAIIIBIsTheMemberWithAsManyPointsAsItsDegree) {
  for (int s = 2; s <= 5; ++s) {
    SCOPED_TRACE(s);
    const std::string k = std::to_string(s);
    expect_equal(difference(GetParam(), "lobatto(" + k + ")", lobatto_iiia_iiib(s)));
  }
}

TEST_P(AnyMass, GaussMethodIsTheMemberWithGaussConstraints) {
  for (int s = 2; s <= 3; ++s) {
    SCOPED_TRACE(s);
    const std::string k = std::to_string(s);
    // The method drifts: G v is not zero, its errors are not damped, and round-off grows by some hundreds.
    expect_equal(difference(GetParam(),
                            "galerkin(" + k + ", gauss(" + k + "), constraint=gauss(" + k + "), closure=variational)",
                            gauss_index3(s)),
                 300);
  }
}

INSTANTIATE_TEST_SUITE_P(, AnyMass,
                         testing::Values("pendulum", "double-pendulum-3d", "spring-pendulum", "triple-pendulum"),
                         [](const auto& info) { return identifier(info.param); });

// Of constrained Lobatto IIIA-IIIB [Man2020, section 4.2] counts 2 m d + (m - 2) c equations against its own m (d + c).
// Momenta of stages are but sums: with velocities as unknowns they are m (d + c) too. Of man(..) the multipliers are
// those at all points, lambda^0 among them, which (32) leaves out.
TEST(Equivalences, LobattoIIIAIIIBHasNoMoreUnknownsThanLLL) {
  for (const char* name : {"spring-pendulum", "triple-pendulum"})
    for (int points = 2; points <= 5; ++points) {
      const HandWritten system = hand_written(name);
      const std::size_t d = system.q.size(), c = static_cast<std::size_t>(system.m),
                        m = static_cast<std::size_t>(points);
      const Phase start{system.q, product(system.mass(system.q), system.v), {}};
      EXPECT_EQ(stage_step(system, lobatto_iiia_iiib(points), start, quad(1) / 10).unknowns, m * (d + c));
      const Model own = model(name);
      for (const char* letters : {"LLL", "LGG"}) {
        Stepper<quad> stepper(own.system,
                              Scheme::named(std::string("man(") + letters + ", " + std::to_string(points) + ")"));
        stepper.start(own.start);
        ASSERT_TRUE(stepper.step(quad(1) / 10).converged);
        EXPECT_EQ(stepper.multipliers().size(), m * c) << letters;
      }
    }
}

// One multiplier belongs to a node of [Wenger2017, eq. 22]; that of the end of a SPARK step and that of the start of
// the next are two, which differ at the order of the step (section 3.5).
TEST(Equivalences, MultipliersOfSparkJumpAtNodes) {
  const Model m = model("pendulum");
  const auto jump = [&](quad h) {
    Stepper<quad> stepper(m.system, Scheme::named("spark(2)"));
    stepper.start(m.start);
    std::vector<quad> end;
    EXPECT_TRUE(stepper.step(h).converged && stepper.end_multiplier(end));
    EXPECT_TRUE(stepper.step(h).converged);
    return static_cast<double>(math::abs(end.at(0) - stepper.multipliers().at(0)));
  };
  const double coarse = jump(quad(1) / 20), fine = jump(quad(1) / 40);
  EXPECT_GT(fine, 1e-4);
  EXPECT_GT(std::log2(coarse / fine), 0.8);
}

// With a mass matrix that depends on q, LLL and Lobatto IIIA-IIIB part.
TEST(Equivalences, LLLDiffersFromLobattoIIIAIIIBOnTheTriplePendulum) {
  const double expected[] = {1.5e-9, 2.4e-11, 1.2e-13, 1.3e-16};
  for (int m = 2; m <= 5; ++m) {
    const Difference d = difference("triple-pendulum", "man(LLL, " + std::to_string(m) + ")", lobatto_iiia_iiib(m));
    EXPECT_NEAR(d.state, expected[m - 2], half_unit(expected[m - 2], 2)) << m;
  }
}

}  // namespace
}  // namespace extremal::papers::equivalences_test
