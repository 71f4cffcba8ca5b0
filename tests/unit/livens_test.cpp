// The livens family: one step against the equations written out, names, gauge, matrices by blocks, regularisation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "distance.hpp"
#include "extremal/models.hpp"
#include "extremal/stepper.hpp"
#include "kernel/find_blocks.hpp"
#include "kernel/livens_step.hpp"
#include "kernel/phase.hpp"
#include "kernel/phase_reduced.hpp"
#include "livens_by_hand.hpp"
#include "numbers/index.hpp"
#include "places.hpp"
#include "refusal.hpp"

namespace extremal::livens_test {
namespace {

using testing::HasSubstr;

// The spherical pendulum, or the same in the plane.
struct Case {
  Model model;
  by_hand::Pendulum pendulum;
};
std::vector<Case> cases() { return {{model("spherical-pendulum"), {}}, {model("pendulum"), {.n = 2}}}; }

TEST(GglStep, SolvesTheEquationsAsTheyAreWritten) {
  for (const Case& c : cases())
    for (const char* name : {"ggl", "adjoint(ggl)"}) {
      Stepper<quad> stepper(c.model.system, Scheme::named(name));
      stepper.start(c.model.start);
      by_hand::State state{stepper.state().q, stepper.state().p};
      const quad h = quad(1) / 20;
      for (int k = 0; k < 3; ++k) {
        ASSERT_TRUE(stepper.step(h).converged);
        state = std::string(name) == "ggl" ? by_hand::ggl(c.pendulum, state, h)
                                           : by_hand::ggl_adjoint(c.pendulum, state, h);
        ASSERT_FALSE(state.q.empty());
        state = by_hand::projected(state);
        EXPECT_LE(papers::distance(stepper.state().q, state.q), 1e-32) << name;
        EXPECT_LE(papers::distance(stepper.state().p, state.p), 1e-30) << name;
      }
    }
}

// The momentum's part across the constraints changes nothing but itself.
TEST(GglStep, DoesNotDependOnTheGauge) {
  for (const char* name : {"ggl", "adjoint(ggl)", "ggl(4)"}) {
    const Model m = model("double-pendulum-3d");
    Stepper<quad> one(m.system, Scheme::named(name)), other(m.system, Scheme::named(name));
    one.start(m.start);
    State<quad> state = one.state();
    const std::vector<quad> G = one.constraint_jacobian(state.q, state.t);
    for (int i = 0; i < m.system.size(); ++i) state.p[sz(i)] += quad(0.7) * G[sz(i)] - quad(0.4) * G[sz(6 + i)];
    other.place(state);
    for (int k = 0; k < 2; ++k) {
      ASSERT_TRUE(one.step(quad(0.02)).converged && other.step(quad(0.02)).converged);
      EXPECT_LE(papers::distance(one.state().q, other.state().q), 1e-30) << name;
      EXPECT_LE(papers::distance(one.state().p, other.state().p), 1e-28) << name;
    }
  }
}

TEST(LivensName, IsCanonical) {
  const auto canonical = [](const char* name) { return Scheme::named(name).name; };
  EXPECT_EQ(canonical("ggl(1)"), "ggl");
  EXPECT_EQ(canonical(" ggl( 2 )"), "ggl(2)");
  EXPECT_EQ(canonical("adjoint(adjoint(ggl))"), "ggl");
  EXPECT_EQ(canonical("adjoint(ggl(2))"), "ggl(2)");
  EXPECT_EQ(canonical("adjoint(energy_momentum)"), "energy_momentum");
  EXPECT_EQ(canonical("suzuki(4,ggl(2))"), "suzuki(4, ggl(2))");
  EXPECT_EQ(canonical("adjoint(livens(2))"), "livens(2)");
  EXPECT_EQ(canonical("ggl(projection=on)"), "ggl");
  EXPECT_EQ(canonical("ggl(2, projection=on)"), "ggl(2)");
  EXPECT_THAT(refusal([] { Scheme::named("ggl(2, projection=off)"); }),
              HasSubstr("compositions are of projected steps"));
  EXPECT_THAT(refusal([] { Scheme::named("energy_momentum(gl)"); }), HasSubstr("expected ggl"));
  EXPECT_THAT(refusal([] { Scheme::named("livens(0)"); }), HasSubstr("s = 0"));
  for (const char* name : {"ggl", "adjoint(ggl)", "ggl(2)", "ggl(4)", "energy_momentum", "suzuki(4, energy_momentum)",
                           "compose(0.3:ggl, 0.7:adjoint(ggl))", "livens(3)", "energy_momentum(ggl)",
                           "ggl(projection=off)", "suzuki(4, livens(1))"})
    EXPECT_EQ(canonical(name), name);
  EXPECT_EQ(adjoint(Scheme::named("ggl")).as<Livens>()->rule, Livens::Rule::ggl_adjoint);
  EXPECT_FALSE(perturbed(Scheme::named("ggl"), 1e-3) == Scheme::named("ggl"));
  EXPECT_FALSE(perturbed(Scheme::named("ggl(2)"), 1e-3).substeps()[0] == Scheme::named("ggl(2)").substeps()[0]);
}

TEST(LivensName, Declares) {
  const auto declared = [](const char* name) { return Scheme::named(name).declared; };
  for (const char* name : {"ggl", "adjoint(ggl)"}) {
    EXPECT_EQ(declared(name).order, (Order{1, 1, 1}));
    EXPECT_TRUE(declared(name).symplectic && declared(name).symmetry == Symmetry::none);
  }
  EXPECT_EQ(declared("ggl(2)").order, (Order{2, 2, 2}));
  EXPECT_EQ(declared("ggl(4)").order, (Order{4, 4, 4}));
  EXPECT_EQ(declared("ggl(4)").order_free, 4);
  EXPECT_EQ(declared("ggl(4)").symmetry, Symmetry::full);
  EXPECT_THAT(declared("ggl(4)").citation, HasSubstr("Kinon2023"));
  EXPECT_EQ(declared("energy_momentum").order, (Order{2, 2, 2}));
  EXPECT_FALSE(declared("energy_momentum").symplectic || declared("energy_momentum").symplectic_free);
  EXPECT_THAT(declared("energy_momentum").flags, testing::Contains(HasSubstr("conserves energy")));
  EXPECT_THAT(declared("energy_momentum").flags, testing::Contains(HasSubstr("not symplectic")));
  // ggl(4) is five steps of ggl(2), and nothing else.
  const Scheme four = Scheme::named("ggl(4)"), five = Scheme::named("suzuki(4, ggl(2))");
  ASSERT_EQ(four.substeps().size(), 10u);
  EXPECT_TRUE(four == five);
}

TEST(LivensName, RefusesWhatItIsNot) {
  EXPECT_THAT(refusal([] { Scheme::named("ggl(3)"); }), HasSubstr("1, 2 or 4"));
  EXPECT_THAT(refusal([] { Scheme::named("ggl(8)"); }), HasSubstr("ggl(2)"));
  EXPECT_THAT(refusal([] { Scheme::named("ggl(p=2)"); }), HasSubstr("unknown argument \"p\""));
  EXPECT_THAT(refusal([] { Scheme::named("energy_momentum(2)"); }), HasSubstr("energy_momentum"));
  EXPECT_THAT(refusal([] { Scheme::named("energy_momentun"); }), HasSubstr("energy_momentum"));
  EXPECT_THAT(refusal([] { Scheme::named("suzuki(4, ggl)"); }), HasSubstr("not symmetric"));
}

TEST(Livens, RefusesMassesThatAreNotConstant) {
  const Model m = model("triple-pendulum");
  for (const char* name : {"ggl", "ggl(2)", "energy_momentum", "compose(0.5:ggl, 0.5:rattle)"})
    EXPECT_THAT(refusal([&] { Stepper<double>(m.system, Scheme::named(name)); }),
                testing::AllOf(HasSubstr("its mass depends on q"), HasSubstr(name), HasSubstr("try rattle")));
  EXPECT_THAT(refusal([&] { Stepper<double>(model("nonseparable").system, Scheme::named("ggl")); }),
              HasSubstr("is given by a Hamiltonian"));
}

// A hanging chain: bars between balls and springs between second neighbours; above 40 rows it is solved by blocks.
System chain(int balls) {
  System s("chain");
  std::vector<Coordinates<3>> ball;
  for (int i = 0; i < balls; ++i)
    ball.push_back(s.coordinates("x" + std::to_string(i), "y" + std::to_string(i), "z" + std::to_string(i)));
  std::vector<Coordinates<6>> bars, springs;
  for (int i = 0; i + 1 < balls; ++i) bars.push_back(join(ball[sz(i)], ball[sz(i + 1)]));
  for (int i = 0; i + 2 < balls; ++i) springs.push_back(join(ball[sz(i)], ball[sz(i + 2)]));
  s.kinetic(ball, [](const auto&, const auto& v) { return 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); });
  s.potential(ball, [](const auto& q) { return 9.81 * q[2]; });
  const auto squared = [](const auto& q) {
    const auto x = q[3] - q[0], y = q[4] - q[1], z = q[5] - q[2];
    return x * x + y * y + z * z;
  };
  s.potential(springs, [squared](const auto& q) { return 2.0 * pow(sqrt(squared(q)) - 1.5, 2); });
  s.constraint("pivot", ball[0], [](const auto& q) { return 0.5 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 1.0); });
  s.constraint("bar", bars, [squared](const auto& q) { return 0.5 * (squared(q) - 1.0); });
  return s;
}
Start hanging(int balls) {
  Start start;
  for (int i = 0; i < balls; ++i) {  // a staircase: bars of length 1 along x and y in turn
    start.q.insert(start.q.end(), {Number((i + 2) / 2), Number((i + 1) / 2), Number(0)});
    start.v.insert(start.v.end(), 3, Number(0));
  }
  return start;
}

// The same steps in double by blocks and in quad, and few iterations: the matrix is the derivative of the equations.
TEST(LivensStep, SolvesLargeSystemsByBlocks) {
  constexpr int balls = 14;
  const System s = chain(balls);
  ASSERT_GT(s.size() + s.constraint_count(), dense_rows);
  for (const char* name :
       {"ggl", "adjoint(ggl)", "livens(1)", "livens(2)", "energy_momentum", "energy_momentum(ggl)"}) {
    Stepper<double> fast(s, Scheme::named(name));
    Stepper<quad> exact(s, Scheme::named(name));
    fast.start(hanging(balls));
    exact.start(hanging(balls));
    for (int k = 0; k < 20; ++k) {
      const StepReport report = fast.step(0.01);
      ASSERT_TRUE(report.converged) << name << " " << report.worst;
      EXPECT_LE(report.iterations, 8) << name;
      ASSERT_TRUE(exact.step(quad(0.01)).converged);
    }
    EXPECT_LE(papers::distance(fast.state().q, exact.state().q), 1e-13) << name;
    EXPECT_LE(papers::distance(fast.state().p, exact.state().p), 1e-11) << name;
    EXPECT_LE(static_cast<double>(exact.observe().constraint), 1e-32) << name;
  }
}

// d(q1, p1)/d(q0, p0) against differences: symmetries of a term bend with the motion, too.
TEST(LivensStep, TangentIsTheDerivative) {
  for (const char* place : {"two-particles", "six-balls", "pendulum-cartesian-damped", "triple-pendulum"})
    for (const char* name :
         {"ggl", "adjoint(ggl)", "livens(1)", "livens(2)", "energy_momentum", "energy_momentum(ggl)"}) {
      const Model m = model(place);
      const bool varies = m.system.name() == "triple-pendulum";
      if (varies && Scheme::named(name).declared.needs.constant_mass) continue;
      const int n = m.system.size(), width = 2 * n;
      const quad h = quad(1) / 16, d = quad(0x1p-30);
      Stepper<quad> stepper(m.system, Scheme::named(name));
      stepper.start(m.start);
      ASSERT_TRUE(stepper.step(h).converged);
      const State<quad> from = stepper.state();
      ASSERT_TRUE(stepper.step(h).converged);
      const std::vector<quad> T = stepper.tangent();
      const auto after = [&](int c, quad by) {
        State<quad> s = from;
        (c < n ? s.q[sz(c)] : s.p[sz(c - n)]) += by;
        stepper.place(s);
        EXPECT_TRUE(stepper.step(h).converged);
        return stepper.state();
      };
      quad worst = 0;
      for (int c = 0; c < width; ++c) {
        // Five points: the error is of fourth order in d.
        const State<quad> a = after(c, d), b = after(c, -d), e = after(c, 2 * d), f = after(c, -2 * d);
        for (int i = 0; i < width; ++i) {
          const auto at = [&](const State<quad>& s) { return i < n ? s.q[sz(i)] : s.p[sz(i - n)]; };
          const quad slope = (8 * (at(a) - at(b)) - (at(e) - at(f))) / (12 * d);
          worst = math::max(worst, math::abs(slope - T[sz(i * width + c)]));
        }
      }
      EXPECT_LE(static_cast<double>(worst), 1e-20) << place << " " << name;
    }
}

// The rod of a pendulum twice: without regularisation the multipliers are not determined, with it the motion is that of
// one rod.
TEST(LivensStep, RegularisesRedundantConstraints) {
  const Model m = model("spherical-pendulum");
  System twice = m.system;
  twice.constraint("rod again", Coordinates<3>{{0, 1, 2}},
                   [](const auto& q) { return 2.0 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) - 2.0; });
  Stepper<double> once(m.system, Scheme::named("ggl"));
  once.start(m.start);
  const State<double> from = once.state();
  const std::vector<double> v = once.observe().v;
  const double h = 0.01;
  for (const auto rule : {Livens::Rule::ggl, Livens::Rule::ggl_adjoint, Livens::Rule::energy_momentum}) {
    LivensStep<double> single(m.system, {.rule = rule}), step(twice, {.rule = rule});
    NodeSolver<double> node(m.system), node_of_twice(twice);
    const std::vector<double> none(3);
    TracePart<double> one{.h = h, .q = from.q, .p = from.p, .v = v, .dq = none, .dp = none}, two = one;
    StepReport report;
    single.solve(node, one, report);
    ASSERT_TRUE(report.converged);
    step.solve(node_of_twice, two, report);
    EXPECT_FALSE(report.converged);
    EXPECT_THAT(report.worst, HasSubstr("redundant"));
    step.regularise(1e-6, std::vector<double>(static_cast<std::size_t>(twice.constraint_count()), 1.0));
    step.solve(node_of_twice, two, report);
    ASSERT_TRUE(report.converged) << report.worst;
    EXPECT_LE(papers::distance(one.dq, two.dq), 1e-14);
    EXPECT_LE(papers::distance(one.dp, two.dp), 1e-12);
  }
}

// A coordinate without inertia, held by a constraint: v of ggl is explicit and needs M^-1, which is said; the midpoint
// rule needs M on the tangent space only.
TEST(LivensStep, NamesACoordinateWithoutInertia) {
  System s("bead");
  const auto bead = s.coordinates("x", "height");
  s.kinetic(bead, [](const auto&, const auto& v) { return 0.5 * v[0] * v[0]; });
  s.potential(bead, [](const auto& q) { return q[1]; });
  s.constraint("track", bead, [](const auto& q) { return q[1] - sin(q[0]); });
  const Start start{.q = {0, 0}, .v = {1, 1}};
  Stepper<double> ggl(s, Scheme::named("ggl")), midpoint(s, Scheme::named("energy_momentum"));
  try {
    ggl.start(start);
    ADD_FAILURE() << "a singular mass matrix was accepted";
  } catch (const InputError& refusal) {
    EXPECT_THAT(refusal.what(), HasSubstr("ggl needs a regular mass matrix"));
  }
  midpoint.start(start);
  const double energy = midpoint.observe().energy();
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(midpoint.step(0.01).converged);
  EXPECT_NEAR(midpoint.observe().energy(), energy, 1e-14);
}

TEST(LivensStep, IsLinearInside) {
  const Model m = model("double-pendulum-3d");
  for (const char* name : {"ggl", "adjoint(ggl)", "energy_momentum"}) {
    Stepper<double> stepper(m.system, Scheme::named(name));
    stepper.start(m.start);
    const State<double> start = stepper.state();
    ASSERT_TRUE(stepper.step(0.01).converged);
    DensePoint<double> point;
    stepper.dense(0, point);
    EXPECT_EQ(point.q, start.q);
    EXPECT_EQ(point.p, start.p);
    stepper.dense(1, point);
    EXPECT_LE(papers::distance(point.q, stepper.state().q), 1e-15) << name;
    EXPECT_LE(papers::distance(point.p, stepper.state().p), 1e-13) << name;
    const std::vector<double> lambda = stepper.observe().lambda;
    EXPECT_LE(papers::distance(point.lambda, lambda), 0.2 * papers::size(lambda)) << name;
    EXPECT_EQ(stepper.multipliers().size(), 2 * stepper.multiplier_nodes().size());
  }
}

// Of degree s: the ends, and in between of order s + 1 at least.
TEST(LivensStep, IsAPolynomialInside) {
  const Model m = model("double-pendulum-3d");
  Stepper<quad> stepper(m.system, Scheme::named("livens(3)")), exact(m.system, Scheme::named("spark(5)"));
  stepper.start(m.start);
  exact.start(m.start);
  const State<quad> start = stepper.state();
  const quad h = quad(1) / 50;
  ASSERT_TRUE(stepper.step(h).converged);
  ASSERT_TRUE(exact.step(h / 2).converged);
  DensePoint<quad> point;
  stepper.dense(0, point);
  EXPECT_EQ(point.q, start.q);
  stepper.dense(1, point);
  EXPECT_LE(papers::distance(point.q, stepper.state().q), 1e-32);
  stepper.dense(quad(1) / 2, point);
  EXPECT_LE(papers::distance(point.q, exact.state().q), 1e-7);
  EXPECT_LE(papers::distance(point.p, exact.state().p), 1e-4);
  const std::vector<quad> lambda = exact.observe().lambda;
  EXPECT_LE(papers::distance(point.lambda, lambda), 1e-3 * papers::size(lambda));
}

TEST(LivensStep, RepeatsFromACheckpoint) {
  const Model m = model("double-pendulum-3d");
  for (const char* name : {"ggl(4)", "livens(2)", "energy_momentum", "energy_momentum(ggl)"}) {
    Stepper<double> stepper(m.system, Scheme::named(name));
    stepper.start(m.start);
    for (int k = 0; k < 5; ++k) ASSERT_TRUE(stepper.step(0.01).converged);
    const Checkpoint<double> here = stepper.save();
    for (int k = 0; k < 5; ++k) ASSERT_TRUE(stepper.step(0.01).converged);
    const State<double> there = stepper.state();
    stepper.restore(here);
    for (int k = 0; k < 5; ++k) ASSERT_TRUE(stepper.step(0.01).converged);
    EXPECT_EQ(stepper.state().q, there.q);
    EXPECT_EQ(stepper.state().p, there.p);
  }
}

// Mechanisms: loops, dampers, a pivot that moves, a body in space, constraints that depend on each other.
struct Mechanical {
  System system;
  Start start;
  double h;
};
std::vector<Mechanical> mechanisms(bool redundant) {
  std::vector<Mechanical> all;
  for (const char* name : {"double-four-bar", "double-four-bar-damped", "chain-spatial(3)", "top", "chain(3)",
                           "pendulum-cartesian-moving-pivot", "bennett"}) {
    if (!redundant && std::string(name) == "bennett") continue;
    const Model m = model(name);
    all.push_back({m.system, m.start, std::string(name) == "top" ? 0.002 : 0.01});
  }
  const Model andrews = read_model(std::string(places::data) + "/andrews.toml");
  all.push_back({andrews.system, andrews.start, 1e-4});
  return all;
}

// In multipliers alone, and judged by all equations: of every substep they hold to round-off.
TEST(GglStep, SolvedInMultipliersMeetsAllEquations) {
  for (const char* name : {"ggl", "adjoint(ggl)", "ggl(4)"})
    for (const Mechanical& c : mechanisms(true)) {
      const auto engine = make_engine<double>(c.system, Scheme::named(name));
      engine->start(c.start, c.h);
      for (int k = 0; k < 6; ++k) {
        const StepReport report = engine->step(c.h);
        ASSERT_TRUE(report.converged) << c.system.name() << " " << name;
        const Trace<double>& trace = engine->trace();
        for (std::size_t p = 0; p < trace.count; ++p) {
          const TracePart<double>& part = trace.parts[p];
          const bool adjoint = std::string(name) == "adjoint(ggl)" || (std::string(name) == "ggl(4)" && p % 2 == 0);
          const auto rule =
              livens_rule<double>(c.system, {.rule = adjoint ? Livens::Rule::ggl_adjoint : Livens::Rule::ggl});
          rule->begin({part.q.data(), part.p.data(), part.t, part.h});
          std::vector<double> r(part.x.size());
          const double far = 1 + papers::size(part.q) + papers::size(part.x);
          EXPECT_LE(rule->residual(part.x.data(), r.data()), 4e-15 * far) << c.system.name() << " " << name << " " << p;
        }
      }
    }
}

// The solution is that of Newton's method, which takes the step in quad.
TEST(GglStep, SolvedInMultipliersIsThatOfAllUnknowns) {
  for (const char* name : {"ggl", "ggl(2)"})
    for (const Mechanical& c : mechanisms(false)) {
      Stepper<double> one(c.system, Scheme::named(name));
      Stepper<quad> other(c.system, Scheme::named(name));
      one.start(c.start);
      other.start(c.start);
      for (int k = 0; k < 5; ++k) ASSERT_TRUE(one.step(c.h).converged && other.step(quad(c.h)).converged);
      const auto off = [](const std::vector<double>& a, const std::vector<quad>& b) {
        double most = 0, size = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
          most = std::max(most, std::abs(static_cast<double>(quad(a[i]) - b[i])));
          size = std::max(size, std::abs(a[i]));
        }
        return most / size;
      };
      EXPECT_LE(off(one.state().q, other.state().q), 2e-13) << c.system.name() << " " << name;
      EXPECT_LE(off(one.state().p, other.state().p), 2e-11) << c.system.name() << " " << name;
    }
}

// The guess of the last steps leaves few corrections: four a substep here, where straight lines need eight.
TEST(GglStep, ContinuesTheLastSteps) {
  const Model m = model("double-four-bar");
  Stepper<double> stepper(m.system, Scheme::named("ggl(4)"));
  stepper.start(m.start);
  int first = 0, last = 0;
  for (int k = 0; k < 10; ++k) {
    const StepReport report = stepper.step(0.005);
    ASSERT_TRUE(report.converged);
    EXPECT_EQ(report.fallbacks, 0);
    (k == 0 ? first : last) = report.iterations;
  }
  EXPECT_LT(last, first);
  EXPECT_LE(last, 45);
}

// Of phase_space: the unknowns that are left make up all, and these meet all equations.
TEST(PhaseStep, SolvedInFewerUnknownsMeetsAllEquations) {
  for (const char* name : {"phase_space(1)", "phase_space(2)", "phase_space(3)", "phase_space(2, pg=1)",
                           "phase_space(2, continuity=q_right)", "phase_space(2, continuity=q_continuous)",
                           "phase_space(2, quadrature=lobatto(4), mass=exact)"})
    for (const Mechanical& c : mechanisms(false)) {
      const Scheme scheme = Scheme::named(name);
      const PhaseSpace& phase = *scheme.as<PhaseSpace>();
      const auto reduction = PhaseReduction<double>::make(c.system, phase, 1);
      ASSERT_TRUE(reduction) << c.system.name() << " " << name;
      const auto engine = make_engine<double>(c.system, scheme);
      engine->start(c.start, c.h);
      PhaseResidual<double> residual(c.system, phase, 1);
      for (int k = 0; k < 3; ++k) {
        const StepReport report = engine->step(c.h);
        ASSERT_TRUE(report.converged) << c.system.name() << " " << name << ": " << report.worst;
        EXPECT_EQ(report.fallbacks + report.retries, 0) << c.system.name() << " " << name;
        const TracePart<double>& part = engine->trace().parts[0];
        const PhaseStart<double> start{part.q.data(), part.p.data(), part.t, part.h};
        std::vector<double> r(part.x.size()), x(sz(reduction->size())), all(part.x.size()),
            v(sz(reduction->layout().r) * part.q.size());
        residual.guess(part.v.data());
        const double far = 1 + papers::size(part.q) + papers::size(part.x);
        EXPECT_LE(residual(start, part.x.data(), r.data()), 4e-14 * far) << c.system.name() << " " << name;
        reduction->contract(part.x.data(), x.data());
        reduction->expand(start, x.data(), all.data(), v.data());
        EXPECT_LE(papers::distance(all, part.x), 1e-14 * far) << c.system.name() << " " << name;
      }
    }
}

}  // namespace
}  // namespace extremal::livens_test
