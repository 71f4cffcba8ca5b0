// The double four-bar linkage of [Kinon2023, section 5.2], without and with dampers, by the GGL integrator: bands of
// the energy, errors against the equation of the one angle, and the balance of energy and work.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "distance.hpp"
#include "extremal/models.hpp"
#include "system/evaluation.hpp"
#include "validation.hpp"

namespace extremal::papers::kinon2023_linkage_test {
namespace {

Run<double> run_model(const char* name, const char* scheme, const char* step) {
  const Model m = model(name);
  return extremal::run(m.system, scheme, m.start, {.step = step, .until = 10});
}

// The published errors are the largest ones over the run. What they are measured against is spark(4), which the Taylor
// series of the angle confirms.
TEST(KinonLinkage, HasItsBandsAndErrors) {
  const auto run = run_model("double-four-bar", "ggl", "0.001"),
             exact = run_model("double-four-bar", "spark(4)", "0.005");
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  ASSERT_EQ(exact.status, Status::complete) << exact.reason;
  const auto &x4 = run.column("bar 1.d1x"), &v4 = run.column("v:bar 1.d1x");
  const auto &exact_x4 = exact.column("bar 1.d1x"), &exact_v4 = exact.column("v:bar 1.d1x");
  struct At {
    std::size_t t;
    double x4, v4;
  };
  for (const At& at :
       {At{1, -0.195020301949435094, -6.67667803688115807}, At{2, 0.0578157957680114318, 1.01726013662043651},
        At{5, -0.811310461005107412, -3.56911739719320919}, At{10, 0.328458111540815379, 1.42305147020694412}}) {
    EXPECT_NEAR(exact_x4[200 * at.t], at.x4, 1e-8);
    EXPECT_NEAR(exact_v4[200 * at.t], at.v4, 1e-7);
  }
  double x_error = 0, v_error = 0;
  for (std::size_t k = 0; k < exact_x4.size(); ++k) {
    x_error = std::max(x_error, std::fabs(x4[5 * k] - exact_x4[k]));
    v_error = std::max(v_error, std::fabs(v4[5 * k] - exact_v4[k]));
  }
  EXPECT_NEAR(x_error, 4.9e-4, half_unit(4.9e-4, 2));
  EXPECT_NEAR(v_error, 3.0e-3, half_unit(3.0e-3, 2));

  EXPECT_NEAR(run.energy_initial, 35.835, 1e-12);
  const auto& energy = run.column("energy");
  double low = 0, high = 0, increment = 0;
  for (std::size_t k = 1; k < energy.size(); ++k) {
    low = std::min(low, energy[k] - energy[0]);
    high = std::max(high, energy[k] - energy[0]);
    increment = std::max(increment, std::fabs(energy[k] - energy[k - 1]));
  }
  EXPECT_NEAR(low, -9.13e-2, 1.01 * half_unit(9.13e-2, 3));
  EXPECT_NEAR(high, 9.04e-2, 1.01 * half_unit(9.04e-2, 3));
  EXPECT_NEAR(increment, 8.0e-4, half_unit(8.0e-4, 2));
  EXPECT_LE(run.constraint_max, 1e-14);  // published: 3e-12
  EXPECT_LE(run.hidden_max, 1e-12);
  EXPECT_EQ(run.retries, 0);
  record("kinon-linkage",
         fmt::format("| [{:.2e}, {:.2e}] | {:.1e} | {:.1e} | {:.1e} |", low, high, increment, x_error, v_error));
}

// A step close to the singular configuration that is taken in another way moves this energy by some 1e-4 at h = 0.002
// and 4e-5 at h = 0.001, and how the reference took those is not known: there it is compared within 60 h^2 only.
// Eq. 80 has rows exchanged and its sign reversed: a damper of which only the centre moves would push it. The forces
// are those of the dissipation function, eq. 77.
TEST(KinonLinkage, HasTheDissipationOfEquation77AndNotTheMatrixOfEquation80) {
  const Model m = model("double-four-bar-damped");
  Evaluation<double> evaluation(m.system, 1);
  const std::vector<std::string>& names = m.system.coordinate_names();
  const auto index = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  std::vector<double> q, v(names.size(), 0.0), force(names.size());
  for (const Number& x : m.start.q) q.push_back(x.as<double>());
  for (const char* name : {"bar 4.x", "bar 4.y", "bar 4.d1x", "bar 4.d1y", "bar 4.d2x", "bar 4.d2y"})
    v.at(index(name)) = 0.3 + 0.1 * static_cast<double>(index(name) % 5);
  const double t = 0, eta = 0.5, arm = 0.5;
  evaluation.forces(q.data(), v.data(), &t, force.data());
  double printed_power = 0, power = 0;
  for (const char axis : {'x', 'y'}) {
    const auto of = [&](const char* part) { return index(std::string("bar 4.") + part + axis); };
    const double centre = v[of("")], first = v[of("d1")], second = v[of("d2")], relative = centre + arm * first;
    EXPECT_NEAR(force[of("")], -eta * relative, 1e-14);
    EXPECT_NEAR(force[of("d1")], -eta * arm * relative, 1e-14);
    EXPECT_EQ(force[of("d2")], 0);
    power += force[of("")] * centre + force[of("d1")] * first;
    printed_power += eta * (centre * relative + second * arm * relative);
  }
  EXPECT_LT(power, -0.1);
  EXPECT_GT(printed_power, 0.1);
}

// The published start has velocities of the centres only, which no motion of the linkage has: directors turn with bars.
TEST(KinonLinkage, StartsWithTheVelocitiesOfItsDirectors) {
  const Model m = model("double-four-bar");
  Stepper<double> stepper(m.system, Scheme::named("ggl"));
  stepper.start(m.start);
  const std::vector<double> G = stepper.constraint_jacobian(stepper.state().q, 0);
  const auto hidden = [&](const std::vector<double>& v) {
    double worst = 0;
    for (std::size_t row = 0; row < G.size() / v.size(); ++row) {
      double sum = 0;
      for (std::size_t i = 0; i < v.size(); ++i) sum += G[row * v.size() + i] * v[i];
      worst = std::max(worst, std::fabs(sum));
    }
    return worst;
  };
  std::vector<double> v = stepper.observe().v;
  EXPECT_LT(hidden(v), 1e-14);
  for (std::size_t i = 0; i < v.size(); ++i)
    if (m.system.coordinate_names()[i].find(".d") != std::string::npos) v[i] = 0;
  EXPECT_NEAR(hidden(v), 0.5, 1e-12);
}

TEST(KinonLinkage, LosesTheEnergyOfItsDampers) {
  constexpr double exact = -30.8511910054915403;
  struct At {
    const char* step;
    double h, energy;
  };
  std::vector<double> error;
  for (const At& at : {At{"0.002", 2e-3, -30.85649}, At{"0.001", 1e-3, -30.85391}, At{"0.0005", 5e-4, -30.85254}}) {
    const auto run = run_model("double-four-bar-damped", "ggl", at.step);
    ASSERT_EQ(run.status, Status::complete) << run.reason;
    const double energy = run.column("energy").back();
    EXPECT_NEAR(energy, at.energy, at.h < 1e-3 && run.retries == 0 ? 6e-6 : 60 * at.h * at.h) << at.step;
    error.push_back(energy - exact);
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 1, 0.1);
  EXPECT_NEAR(std::log2(error[1] / error[2]), 1, 0.1);
}

// Largest |E - E0 - W| over the run.
double imbalance(const char* scheme, const char* step, double& lost) {
  const auto run = run_model("double-four-bar-damped", scheme, step);
  EXPECT_EQ(run.status, Status::complete) << run.reason;
  const auto &energy = run.column("energy"), &work = run.column("work");
  double worst = 0;
  for (std::size_t k = 0; k < energy.size(); ++k) worst = std::max(worst, std::fabs(energy[k] - energy[0] - work[k]));
  lost = work.back();
  return worst;
}

TEST(KinonLinkage, EnergyLessWorkIsConstantToTheOrder) {
  struct Member {
    const char *scheme, *coarse, *fine;
    int order;
  };
  for (const Member& member : {Member{"ggl", "0.002", "0.001", 1}, Member{"rattle", "0.01", "0.005", 2},
                               Member{"spark(2)", "0.01", "0.005", 4}, Member{"spark(3)", "0.02", "0.01", 6},
                               Member{"livens(2)", "0.01", "0.005", 4}}) {
    SCOPED_TRACE(member.scheme);
    double lost = 0;
    const double coarse = imbalance(member.scheme, member.coarse, lost),
                 fine = imbalance(member.scheme, member.fine, lost);
    EXPECT_NEAR(std::log2(coarse / fine), member.order, 0.25);
    // The dampers take 67 of the 70 that the start has above rest.
    EXPECT_NEAR(lost, -30.85 - 35.835, 0.05);
    record("kinon-work",
           fmt::format("| {} | {} | {:.1e} | {:.1f} |", member.scheme, member.fine, fine, std::log2(coarse / fine)));
  }
}

}  // namespace
}  // namespace extremal::papers::kinon2023_linkage_test
