// The mechanisms among the models against published and independent values.
#include <gtest/gtest.h>
#include <cmath>

#include <algorithm>

#include "extremal/models.hpp"
#include "system/evaluation.hpp"

namespace extremal::mechanism_models_test {
namespace {

double last(const Run<double>& run, const std::string& name) { return run.column(name).back(); }

Run<double> go(const Model& m, const char* scheme, Number step, Number until) {
  return extremal::run(m.system, scheme, m.start, {.step = std::move(step), .until = std::move(until)});
}

// The point P4 is the upper end of bar 1: x4 = cos(theta) = d1x. Values of the angle's equation,
// 3 theta'' = -3.5 g cos(theta), by Taylor series with 40 digits.
struct At {
  const char* t;
  double x4, v4, energy;
};

constexpr At free_motion[] = {{"1", -0.195020301949435094, -6.67667803688115807, 35.835},
                              {"2", 0.0578157957680114318, 1.01726013662043651, 35.835}};
constexpr double x4_at_10 = 0.328458111540815379, v4_at_10 = 1.42305147020694412;

TEST(DoubleFourBar, MovesAsItsAngleDoes) {
  const Model m = model("double-four-bar");
  EXPECT_EQ(m.system.size(), 30);  // [Kinon2023, section 5.2]
  EXPECT_EQ(m.system.constraint_count(), 29);
  for (const At& at : free_motion) {
    const auto run = go(m, "spark(3)", "0.01", at.t);
    ASSERT_EQ(run.status, Status::complete) << run.reason;
    EXPECT_NEAR(last(run, "bar 1.d1x"), at.x4, 1e-9);
    EXPECT_NEAR(last(run, "v:bar 1.d1x"), at.v4, 1e-8);
    EXPECT_NEAR(run.energy_initial, at.energy, 1e-12);
  }
  const auto run = go(m, "spark(3)", "0.01", 10);
  EXPECT_NEAR(last(run, "bar 1.d1x"), x4_at_10, 1e-8);
  EXPECT_NEAR(last(run, "v:bar 1.d1x"), v4_at_10, 1e-7);
  EXPECT_LE(run.constraint_max, 1e-13);
}

TEST(DoubleFourBar, RattleHasOrderTwo) {
  const Model m = model("double-four-bar");
  std::vector<double> error;
  for (const char* step : {"0.01", "0.005", "0.0025"})
    error.push_back(std::fabs(last(go(m, "rattle", step, 10), "bar 1.d1x") - x4_at_10));
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.25);
  EXPECT_NEAR(std::log2(error[1] / error[2]), 2, 0.25);
}

// 3 theta'' = -3.5 g cos(theta) - theta'.
TEST(DoubleFourBar, LosesTheEnergyOfItsDampers) {
  const Model m = model("double-four-bar-damped");
  const auto run = go(m, "spark(3)", "0.01", 10);
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  const auto& energy = run.column("energy");
  EXPECT_NEAR(energy[100], 23.8202529610489393, 1e-6);
  EXPECT_NEAR(energy[200], 11.9016674750115454, 1e-6);
  EXPECT_NEAR(energy[500], -16.5992009382789777, 1e-6);
  EXPECT_NEAR(energy[1000], -30.8511910054915403, 1e-6);
  EXPECT_NEAR(last(run, "bar 1.d1x"), -0.249517740717594969, 1e-7);
}

// ((N + 1) / 3 + N) theta'' = -g ((N + 1) / 2 + N) cos(theta): for the start theta = pi/2, theta' = -1 the energy of
// the angle alone is that of the whole.
TEST(FourBarChain, HasTheEnergyOfItsAngle) {
  const Model m = model("four-bar-chain(5)");
  const auto run = go(m, "rattle", "0.01", 1);
  EXPECT_NEAR(run.energy_initial, 0.5 * (6.0 / 3 + 5) + 9.81 * (6.0 / 2 + 5), 1e-12);
  for (std::size_t k = 0; k < 101; k += 20) {
    const double c = run.column("bar 1.d1x")[k], s = run.column("bar 1.d1y")[k];
    const double rate = c * run.column("v:bar 1.d1y")[k] - s * run.column("v:bar 1.d1x")[k];
    EXPECT_NEAR(0.5 * 7 * rate * rate + 9.81 * 8 * s, run.column("energy")[k], 1e-11);
    EXPECT_NEAR(run.column("bar 6.d1x")[k], c, 1e-13);  // all legs are parallel
    EXPECT_NEAR(run.column("bar 9.d1y")[k], 0, 1e-13);  // and the couplers level
  }
  EXPECT_LE(run.energy_max_error, 0.3);
  EXPECT_GT(run.energy_max_error, 1e-6);
}

// In space, the plane is one of many and the joints are redundant: 6 per body and loop less one freedom too many.
TEST(FourBarSpatial, IsThePlanarOneWithRedundantJoints) {
  for (const char* name : {"four-bar-spatial", "four-bar-tilted"}) {
    const Model m = model(name), plane = model("double-four-bar");
    EXPECT_EQ(m.system.size(), 5 * 12);
    EXPECT_EQ(m.system.constraint_count(), 5 * 6 + 7 * 5);
    Evaluation<quad> e(m.system, 1), flat(plane.system, 1);
    const auto energy = [](Evaluation<quad>& evaluation, const Model& of) {
      std::vector<quad> q, v;
      for (const Number& x : of.start.q) q.push_back(x.as<quad>());
      for (const Number& x : of.start.v) v.push_back(x.as<quad>());
      quad T, V;
      const quad t = 0;
      evaluation.energies(q.data(), v.data(), &t, T, V);
      return static_cast<double>(T + V);
    };
    EXPECT_NEAR(energy(e, m), energy(flat, plane), 1e-13);
  }
}

// G at the start, by elimination with pivots.
int rank_at_start(const Model& m) {
  Evaluation<double> e(m.system, 1);
  std::vector<double> q;
  for (const Number& x : m.start.q) q.push_back(x.as<double>());
  const auto rows = static_cast<std::size_t>(m.system.constraint_count()), n = q.size();
  std::vector<double> g(rows), G(rows * n), g_t(rows);
  const double t = 0;
  e.constraints(1, q.data(), &t, g.data(), G.data(), g_t.data());
  std::size_t rank = 0;
  for (; rank < rows; ++rank) {
    std::size_t row = rank, column = 0;
    double most = 0;
    for (std::size_t i = rank; i < rows; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (std::fabs(G[i * n + j]) > most) most = std::fabs(G[i * n + j]), row = i, column = j;
    if (most < 1e-10) break;
    std::swap_ranges(G.begin() + static_cast<std::ptrdiff_t>(row * n),
                     G.begin() + static_cast<std::ptrdiff_t>(row * n + n),
                     G.begin() + static_cast<std::ptrdiff_t>(rank * n));
    for (std::size_t i = rank + 1; i < rows; ++i) {
      const double f = G[i * n + column] / G[rank * n + column];
      for (std::size_t j = 0; j < n; ++j) G[i * n + j] -= f * G[rank * n + j];
    }
  }
  return static_cast<int>(rank);
}

TEST(Freedom, IsWhatTheRankLeaves) {
  const auto freedom = [](const char* name) {
    const Model m = model(name);
    return m.system.size() - rank_at_start(m);
  };
  EXPECT_EQ(freedom("double-four-bar"), 1);
  EXPECT_EQ(freedom("four-bar-spatial"), 1);
  EXPECT_EQ(freedom("four-bar-tilted"), 1);
  EXPECT_EQ(freedom("chain"), 10);
  EXPECT_EQ(freedom("chain-spatial(4)"), 12);
  EXPECT_EQ(freedom("top"), 3);
  // 18 coordinates of three free bodies less 20 rows: counting says -2.
  const Model bennett = model("bennett");
  EXPECT_EQ(bennett.system.size() - bennett.system.constraint_count(), -2);
  EXPECT_EQ(freedom("bennett"), 1);
}

// [Kinon2023, section 5.1]; the values of RATTLE are our own, by an independent program.
TEST(Top, PrecessesAtItsHeight) {
  const Model m = model("top");
  const auto run = go(m, "rattle", "0.002", 2);
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  EXPECT_NEAR(run.energy_initial, 5.669055190633, 1e-12);
  EXPECT_NEAR(run.column("momentum:about z")[0], 0.0710657710673, 1e-13);
  ASSERT_EQ(run.momentum_error.size(), 1u);
  EXPECT_LE(run.momentum_error[0].values[0], 1e-14);
  const auto [low, high] = std::minmax_element(run.column("cone.z").begin(), run.column("cone.z").end());
  EXPECT_NEAR(*low, 0.0375, 1e-12);
  EXPECT_NEAR(*high, 0.037764, 5e-7);
  EXPECT_LE(run.energy_max_error, 4.5e-6);
  EXPECT_GT(run.energy_max_error, 4.3e-6);
}

// In steady precession the tip carries the weight and the centripetal force m w^2 l sin(tilt), and no torque.
TEST(Top, StandsOnItsTip) {
  const Model m = model("top");
  ASSERT_NE(m.mechanism, nullptr);
  Stepper<double> stepper(m.system, Scheme::named("rattle"));
  stepper.start(m.start);
  const auto tip = m.mechanism->reactions(stepper.state().q, stepper.observe().lambda)[0];
  const double mass = 2700 * 3.14159265358979323846 * 0.0025 * 0.1 / 3;
  EXPECT_NEAR(tip.force[0], 0, 1e-11);
  EXPECT_NEAR(tip.force[1], -mass * 100 * 0.075 * std::sqrt(0.75), 1e-11);
  EXPECT_NEAR(tip.force[2], -mass * 9.81, 1e-11);
  for (const double x : tip.torque) EXPECT_NEAR(x, 0, 1e-12);
}

TEST(Chain, KeepsItsEnergyAndItsMomentum) {
  const auto run = go(model("chain(4)"), "spark(3)", "0.005", "0.5");
  EXPECT_LE(run.energy_max_error, 1e-7);
  EXPECT_LE(run.constraint_max, 1e-13);
  const auto space = go(model("chain-spatial(3)"), "rattle", "0.01", 1);
  ASSERT_EQ(space.momentum_error.size(), 1u);
  EXPECT_EQ(space.momentum_error[0].name, "about z");
  EXPECT_LE(space.momentum_error[0].values[0], 1e-12);
}

// A rod without extent across: its second director has no inertia of its own; the constraints give it one.
TEST(ThinRod, MovesLikeAnyOther) {
  const auto pendulum = [](const BodyData& data) {
    Mechanism m("rod", Space::planar);
    m.gravity(0, "-9.81");
    const Body rod = m.body("rod", data);
    m.place(rod, {.position = {"1/2", 0}});
    m.revolute("pin", m.ground(0, 0), rod.at("-1/2", 0));
    return extremal::run(m.system(), "spark(3)", m.start(), {.step = "0.01", .until = 1});
  };
  const auto thick = pendulum({.mass = 1, .inertia = "1/12"}), thin = pendulum({.mass = 1, .euler = {"1/12", 0}});
  ASSERT_EQ(thin.status, Status::complete) << thin.reason;
  EXPECT_NEAR(last(thin, "rod.y"), last(thick, "rod.y"), 1e-9);
}

// All sites of one shape are one term, however many bodies there are.
TEST(Chain, OfManyBodiesHasFewTerms) {
  const Model m = model("chain(5000)");
  EXPECT_EQ(m.system.size(), 30000);
  EXPECT_EQ(m.system.constraint_count(), 25000);
  EXPECT_EQ(m.system.groups().back(), 4999);
  EXPECT_LE(m.system.terms().size(), 8u);
}

}  // namespace
}  // namespace extremal::mechanism_models_test
