// Paces (pace.hpp): the laws of systems in fictitious time, what is gained by them, and what the reversible pace keeps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "distance.hpp"
#include "extremal/check.hpp"
#include "extremal/error.hpp"
#include "extremal/pace.hpp"
#include "full.hpp"
#include "kernel/pace_engine.hpp"
#include "paced_models.hpp"

namespace extremal::pace_test {
namespace {

using testing::HasSubstr;

struct OfScheme {
  const char *name, *scheme, *step;
  Model (*model)();
};
Model orbit() { return papers::kepler("0.6"); }
Model hamiltonian_orbit() {
  Model m = orbit();
  const auto ball = Coordinates<2>{{0, 1}};
  m.system = System("orbit by H");
  m.system.coordinates("x", "y");
  m.system.hamiltonian(
      ball, [](auto q, auto p) { return (p[0] * p[0] + p[1] * p[1]) / 2.0 - 1.0 / sqrt(q[0] * q[0] + q[1] * q[1]); });
  m.start = {.q = {"1.6", 0}, .p = {0, "1/2"}};
  m.span.rate = rate(ball, [](auto q) { return sqrt(q[0] * q[0] + q[1] * q[1]); });
  return m;
}
Model crank() { return papers::slider_crank(); }

class PacedLaws : public testing::TestWithParam<OfScheme> {};

TEST_P(PacedLaws, Hold) {
  const Model m = GetParam().model();
  const Paced p = paced(m.system, m.span.rate, m.start);
  const Certificate certificate = check(p.system, Scheme::named(GetParam().scheme), p.start,
                                        {.step = GetParam().step, .long_steps = papers::full() ? 5000 : 500});
  EXPECT_TRUE(certificate.holds()) << certificate.text();
}

INSTANTIATE_TEST_SUITE_P(Systems, PacedLaws,
                         testing::Values(OfScheme{"bead_spark", "spark(3)", "0.05", papers::bead},
                                         OfScheme{"bead_rattle", "rattle", "0.05", papers::bead},
                                         OfScheme{"bead_composed", "kahan_li(8, rattle)", "0.05", papers::bead},
                                         OfScheme{"kepler_spark", "spark(3)", "0.05", orbit},
                                         OfScheme{"kepler_lobatto", "lobatto(3)", "0.05", orbit},
                                         OfScheme{"hamiltonian", "phase_space(2)", "0.05", hamiltonian_orbit},
                                         OfScheme{"three_bodies", "spark(2)", "0.05", crank},
                                         OfScheme{"three_bodies_rattle", "rattle", "0.05", crank}),
                         [](const auto& info) { return std::string(info.param.name); });

// Without E0, or with half of it, K = s (H - E0) is another Hamiltonian, and its motion another one: what a law of
// fictitious time alone would not see.
TEST(Paced, IsTheMotionOnItsOwnEnergyOnly) {
  const Model m = papers::kepler("0.6");
  const Paced right = paced(m.system, m.span.rate, m.start);
  const auto miss = [&](const System& system) {
    Stepper<double> stepper(system, Scheme::named("spark(4)"));
    stepper.start(right.start);
    for (int k = 0; k < 100; ++k) EXPECT_TRUE(stepper.step(2 * std::acos(-1.0) / 100).converged);  // a year
    EXPECT_EQ(stepper.state().p[2], 0.0);                                                          // of the clock
    return std::fabs(stepper.state().q[0] - 1.6) + std::fabs(clock_unit * stepper.state().q[2] - 2 * std::acos(-1.0));
  };
  EXPECT_LT(miss(right.system), 1e-9);
  EXPECT_GT(miss(paced(m.system, m.span.rate, "-0.45")), 0.1);
}

// lambda of fictitious time is s times that of the system; and so are the velocities.
TEST(Paced, HasMultipliersAndVelocitiesOfItsRate) {
  const Model m = papers::bead();
  const Paced p = paced(m.system, m.span.rate, m.start);
  Stepper<quad> in_tau(p.system, Scheme::named("spark(4)")), in_t(m.system, Scheme::named("spark(4)"));
  in_tau.start(p.start);
  in_t.start(m.start);
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(in_tau.step(quad(1) / 50).converged);
  State<quad> there{quad(clock_unit) * in_tau.state().q[3], in_tau.state().q, in_tau.state().p};
  there.q.resize(3);
  there.p.resize(3);
  Observation<quad> a = in_tau.observe(), b;
  in_t.observe(there, b);
  const quad s = quad(clock_unit) * a.v[3];
  EXPECT_GT(s, quad(1) / 10);
  EXPECT_LT(papers::distance(std::vector<quad>{a.lambda[0] / s, a.v[0] / s, a.v[2] / s},
                             std::vector<quad>{b.lambda[0], b.v[0], b.v[2]}),
            1e-13);  // K is not quite 0 any more
}

// Rows at equally spaced times have the order of the scheme. What the functions inside of steps show at the same times
// has not: they are of a lower degree.
struct AtRows {
  const char *name, *scheme;
  Pace pace;
  double order;
};
class PacedRows : public testing::TestWithParam<AtRows> {};

TEST_P(PacedRows, HaveTheOrderOfTheScheme) {
  const auto [name, scheme, pace, order] = GetParam();
  const Model m = papers::bead();
  constexpr int count = 7;
  Span span{.step = "3/1400", .until = 3, .outputs = count, .every = 200};
  const auto exact = run<quad>(m.system, "spark(5)", m.start, span);
  span.pace = pace;
  span.rate = m.span.rate;
  const bool inside = !Scheme::named(scheme).composed();
  for (int k = 1; inside && k < count; ++k) span.at.emplace_back("3*" + std::to_string(k) + "/7");
  std::vector<double> rows, dense;
  for (const char* step : {"1/25", "1/50", "1/100"}) {
    span.step = step;
    const auto paced = run<quad>(m.system, scheme, m.start, span);
    ASSERT_EQ(paced.status, Status::complete) << paced.reason;
    quad at_rows = 0, between = 0;
    for (std::size_t k = 1; k < count; ++k)
      for (const char* x : {"x", "y", "z", "p:x", "p:y", "p:z"}) {
        const quad there = exact.column(x)[k];
        at_rows = math::max(at_rows, math::abs(paced.column(x)[k] - there));
        for (const auto& column : paced.dense)
          if (column.name == x) between = math::max(between, math::abs(column.values[k - 1] - there));
      }
    rows.push_back(static_cast<double>(at_rows));
    dense.push_back(static_cast<double>(between));
  }
  for (std::size_t k = 1; k < rows.size(); ++k) {
    EXPECT_NEAR(std::log2(rows[k - 1] / rows[k]), order, 0.25) << rows[k];
    if (inside) {
      EXPECT_LT(std::log2(dense[k - 1] / dense[k]), order - 0.75) << dense[k];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, PacedRows,
                         testing::Values(AtRows{"spark2", "spark(2)", Pace::symplectic, 4},
                                         AtRows{"spark3", "spark(3)", Pace::symplectic, 6},
                                         AtRows{"lobatto3", "lobatto(3)", Pace::symplectic, 4},
                                         AtRows{"composed", "suzuki(4, rattle)", Pace::symplectic, 4},
                                         AtRows{"reversible", "spark(2)", Pace::reversible, 4}),
                         [](const auto& info) { return std::string(info.param.name); });

double year_error(const Model& m, const Run<double>& run) {
  return std::hypot(run.column("x").back() - m.start.q[0].as<double>(), run.column("y").back());
}

// A hundred steps in a year, of which equal ones lose the planet at once.
TEST(SymplecticPace, KeepsAnEccentricOrbit) {
  const int years = papers::full() ? 1000 : 100;
  const Model m = papers::kepler("0.9");
  Span span{.step = "2*pi/100", .until = Number(std::to_string(2 * years) + "*pi"), .every = 100};
  span.rate = m.span.rate;
  const auto plain = run(m.system, "spark(3)", m.start, span);
  EXPECT_FALSE(plain.status == Status::complete && year_error(m, plain) < 0.1);
  span.pace = Pace::symplectic;
  const auto paced = run(m.system, "spark(3)", m.start, span);
  EXPECT_EQ(paced.status, Status::complete) << paced.reason;
  EXPECT_LT(year_error(m, paced), 1e-6);
  EXPECT_LT(paced.energy_max_error, 1e-8);
  EXPECT_LT(std::fabs(paced.drift.slope) * 2 * std::acos(-1.0) * years, 1e-12);
  EXPECT_NEAR(static_cast<double>(paced.steps), 100.0 * years, 1.0);
}

// Without a rate: that of the energies takes 200 steps in a year, and half of them cost the order of the scheme.
TEST(Paces, KeepAnEccentricOrbitWithoutARate) {
  const int years = papers::full() ? 1000 : 100;
  const Model m = papers::kepler("0.9");
  for (const Pace pace : {Pace::symplectic, Pace::reversible}) {
    const auto orbits = [&](const char* step) {
      auto paced = run(m.system, "spark(3)", m.start,
                       {.step = step, .until = Number(std::to_string(2 * years) + "*pi"), .pace = pace, .every = 1000});
      EXPECT_EQ(paced.status, Status::complete) << paced.reason;
      EXPECT_LT(std::fabs(paced.drift.slope) * 2 * std::acos(-1.0) * years, 0.1 * paced.energy_max_error);
      return paced;
    };
    const auto fine = orbits("2*pi/28"), coarse = orbits("2*pi/14");
    EXPECT_NEAR(static_cast<double>(fine.steps), 200.0 * years, 5.0 * years);
    EXPECT_LT(year_error(m, fine), 1e-9 * years) << name(pace);
    EXPECT_LT(fine.energy_max_error, 5e-9) << name(pace);
    EXPECT_GT(year_error(m, coarse), 30 * year_error(m, fine)) << name(pace);
    EXPECT_LT(std::fabs(fine.column("momentum:about the centre").back() - std::sqrt(0.19)), 1e-11);
  }
}

// dt/dtau = r^(3/2), 200 steps in a year.
TEST(SymplecticPace, KeepsAVeryEccentricOrbit) {
  const int years = papers::full() ? 1000 : 100;
  const Model m = papers::kepler("0.99", "(x^2 + y^2)^(3/4)");
  // The year in tau: the integral of dE / sqrt(1 - e cos E).
  const Span span{.step = "11.44635365/200",
                  .until = Number(std::to_string(2 * years) + "*pi"),
                  .pace = Pace::symplectic,
                  .rate = m.span.rate,
                  .every = 100};
  const auto paced = run(m.system, "spark(3)", m.start, span);
  EXPECT_EQ(paced.status, Status::complete) << paced.reason;
  EXPECT_NEAR(static_cast<double>(paced.steps), 200.0 * years, 2.0);
  EXPECT_LT(year_error(m, paced), 1e-7);
}

// 1000 steps to t = 20; the exact motion by 64000 equal ones of order 10.
TEST(Paces, PassAWellOnASphere) {
  const Model m = papers::bead();
  const auto exact = run(m.system, "spark(5)", m.start, {.step = "20/64000", .until = 20, .every = 64000});
  const auto error = [&](Pace pace) {
    const auto paced =
        run(m.system, "spark(3)", m.start,
            {.step = pace == Pace::none ? "0.02" : "0.0227", .until = 20, .pace = pace, .rate = m.span.rate});
    if (pace != Pace::none) {
      EXPECT_EQ(paced.status, Status::complete) << paced.reason;
    }
    EXPECT_NEAR(static_cast<double>(paced.steps), 1000, 5);
    EXPECT_LT(std::fabs(paced.column("t").back() - 20), 1e-14 * 20);
    double worst = 0;
    for (const char* name : {"x", "y", "z"})
      worst = std::max(worst, std::fabs(paced.column(name).back() - exact.column(name).back()));
    return worst;
  };
  EXPECT_LT(error(Pace::symplectic), 1e-9);
  EXPECT_LT(error(Pace::reversible), 1e-7);
  EXPECT_GT(error(Pace::none), 1e-2);
}

// A step of -eps goes back, with the density that the step before it had.
TEST(ReversiblePace, GoesBack) {
  const Model m = papers::bead();
  auto engine = make_pace_engine<double>(m.system, Scheme::named("spark(3)"), Pace::reversible, m.span.rate);
  engine->start(m.start, 0);
  const State<double> begin = engine->state();
  for (int k = 0; k < 1000; ++k) ASSERT_TRUE(engine->step(0.0227).converged);
  EXPECT_GT(papers::distance(begin.q, engine->state().q), 0.1);
  for (int k = 0; k < 1000; ++k) ASSERT_TRUE(engine->step(-0.0227).converged);
  EXPECT_LT(papers::distance(begin.q, engine->state().q), 1e-12);
  // Each of the 2000 steps rounds t, which comes up to 20.
  EXPECT_LT(std::fabs(engine->state().t), 2000 * 20 * Scalar<double>::epsilon);
}

// In chaos the energy error of the reversible pace walks away; that of the symplectic one stays where it is.
TEST(ReversiblePace, IsNotSymplectic) {
  const Model m = papers::dumbbell();
  const auto errors = [&](Pace pace, const char* until) {
    const auto one = run(m.system, "spark(2)", m.start,
                         {.step = "2*pi/200", .until = until, .pace = pace, .rate = m.span.rate, .every = 1000000});
    EXPECT_EQ(one.status, Status::complete) << one.reason;
    if (pace == Pace::reversible) {
      EXPECT_THAT(one.summary(), HasSubstr("not symplectic"));
    }
    return one.energy_max_error;
  };
  const char* late = papers::full() ? "16000" : "4000";
  EXPECT_GT(errors(Pace::reversible, late), (papers::full() ? 2 : 1.2) * errors(Pace::reversible, "500"));
  EXPECT_LT(errors(Pace::symplectic, late), 1.1 * errors(Pace::symplectic, "500"));
}

}  // namespace
}  // namespace extremal::pace_test
