// The elastic ring of [LewMata2016, section 4.2] as a mechanism, and a ring that flies freely.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "distance.hpp"
#include "extremal/models.hpp"
#include "rods.hpp"

namespace extremal::papers::lewmata2016_ring_test {
namespace {

const double pi = 4 * std::atan(1.0);

struct RingFigures {
  double mean, below, above;  // of the energy after the load; relative
  double linear, angular;
};

RingFigures ring_figures(const char* name) {
  const Model m = model(name);
  Stepper<double> stepper(m.system, Scheme::named("lie(trapezoidal)"));
  stepper.start(m.start);
  Observation<double> seen;
  std::vector<double> energy;
  RingFigures f{};
  for (int k = 1; k <= 3000; ++k) {
    advance(stepper, 0.0015, 1);
    if (k <= 1000) continue;
    stepper.observe(seen, false);
    energy.push_back(seen.energy());
    if (seen.momenta.size() != 6) throw std::runtime_error("the ring flies freely and has six momenta");
    for (std::size_t i = 0; i < 6; ++i) {
      double& to = i < 3 ? f.linear : f.angular;
      to = std::max(to, std::fabs(seen.momenta[i]));
    }
  }
  f.mean = std::accumulate(energy.begin(), energy.end(), 0.0) / static_cast<double>(energy.size());
  const auto [least, most] = std::minmax_element(energy.begin(), energy.end());
  f.below = *least / f.mean - 1, f.above = *most / f.mean - 1;
  row("lie-ring", "| %s | %.8g | %.1e | %.1e |", name, f.mean, f.below, f.above);
  return f;
}

TEST(ElasticRingModel, PrintedLoad) {
  const RingFigures f = ring_figures("elastic-ring");
  EXPECT_NEAR(f.mean, 7.82896, 1e-5);
  EXPECT_NEAR(f.below, -6e-6, 5e-7);
  EXPECT_NEAR(f.above, 1.4e-5, 5e-7);
  EXPECT_LT(f.linear, 2e-14);
  EXPECT_LT(f.angular, 3e-13);
}

TEST(ElasticRingModel, HundredTimesTheLoad) {
  const RingFigures f = ring_figures("elastic-ring-folding");
  EXPECT_NEAR(f.mean, 80226.957, 0.005);
  EXPECT_NEAR(f.below, -3.1e-5, 1e-6);
  EXPECT_NEAR(f.above, 3.1e-5, 1e-6);
  EXPECT_LT(f.linear, 3e-12);
  EXPECT_LT(f.angular, 3e-11);
}

// Rotations of nodes are not iterated, as the remark of section 4.2.6 has it: sections have a closed form.
TEST(ElasticRingModel, NeedsNoIteration) {
  const Model m = model("elastic-ring-folding");
  Stepper<double> stepper(m.system, Scheme::named("lie(trapezoidal)"));
  stepper.start(m.start);
  for (int k = 0; k < 1000; ++k) {
    const StepReport report = stepper.step(0.0015);
    ASSERT_TRUE(report.converged);
    ASSERT_EQ(report.iterations, 0) << k;
  }
}

// Richardson: (4 f(h/2) - f(h)) / 3 has an error of h^4 only, below the printed digits.
TEST(ElasticRingModel, PositionsAsTheStepVanishes) {
  const Model m = model("elastic-ring-folding");
  const auto positions = [&](int steps) {
    Stepper<double> stepper(m.system, Scheme::named("lie(trapezoidal)"));
    stepper.start(m.start);
    std::vector<double> values;
    for (int third = 0; third < 3; ++third) {
      advance(stepper, 4.5 / steps, steps / 3);
      for (const int i : {0, 20}) {
        const auto x = node(stepper.state().q, i);
        values.insert(values.end(), x.begin(), x.end());
      }
    }
    Observation<double> seen;
    stepper.observe(seen, false);
    values.push_back(seen.energy());
    return values;
  };
  const std::vector<double> coarse = positions(48000), fine = positions(96000);
  const double reference[] = {.8723509,   0, -2.6655602, 0, 10.3502741, 4.3540752,   // t = 1.5
                              12.4659769, 0, -3.3252647, 0, 5.5833416,  3.3899140,   // t = 3
                              11.0324360, 0, 2.5716088,  0, 9.3326225,  -.7813260};  // t = 4.5
  ASSERT_EQ(fine.size(), std::size(reference) + 1);
  for (std::size_t i = 0; i < std::size(reference); ++i)
    EXPECT_NEAR((4 * fine[i] - coarse[i]) / 3, reference[i], 1.5e-7) << i;
  EXPECT_NEAR((4 * fine.back() - coarse.back()) / 3, 80228.67975, 1e-3);
}

TEST(ElasticRingModel, IsStableBelowTheCriticalStepOnly) {
  const Model m = model("elastic-ring");
  const double bound = m.mechanism->step_bound().as<double>();
  EXPECT_LT(bound, 0.004534);
  EXPECT_GT(bound, 0.98 * 0.004534);
  const auto energy_after = [&](double h) {
    Stepper<double> stepper(m.system, Scheme::named("lie(trapezoidal)"));
    stepper.start(m.start);
    for (int k = 0; k < 4000; ++k)
      if (!stepper.step(h).converged) return INFINITY;
    Observation<double> seen;
    stepper.observe(seen, false);
    return static_cast<float>(seen.energy());
  };
  EXPECT_LT(energy_after(0.004531), 8.5F);
  EXPECT_GT(energy_after(0.00456), 1e3F);
}

// A ring that is pushed smoothly, out of its plane too: what is left is a quarter for twice the elements.
TEST(FreeRing, HasOrderTwoInSpace) {
  std::vector<std::vector<double>> found;
  for (const int n : {32, 64, 128, 256}) {
    Mechanism m("free ring");
    RodData data{.section = {.EA = 30000,
                             .GA2 = 30000,
                             .GA3 = 30000,
                             .GJ = 7000,
                             .EI2 = 7000,
                             .EI3 = 7000,
                             .inertia2 = 10,
                             .inertia3 = 10},
                 .closed = true,
                 .length = "20*pi",
                 .normal = {0, 0, 1}};
    for (int i = 0; i < n; ++i) {
      const std::string a = std::to_string(i) + "/" + std::to_string(n) + "*2*pi";
      data.points.push_back({"10*cos(" + a + ")", "10*sin(" + a + ")", 0});
    }
    m.rod("ring", data);
    Start start = m.start();
    start.v.assign(start.q.size(), Number(0));
    for (int i = 0; i < n; ++i) {
      const double a = 2 * pi * i / n;
      start.v[static_cast<std::size_t>(12 * i)] = Number(8 * std::cos(2 * a));
      start.v[static_cast<std::size_t>(12 * i + 2)] = Number(6 * std::cos(3 * a + 1));
    }
    Stepper<double> stepper(m.system(), Scheme::named("suzuki(4, lie(trapezoidal))"));
    stepper.start(start);
    advance(stepper, 0.001, 250);
    std::vector<double>& shape = found.emplace_back();
    for (int i = 0; i < n; i += n / 32) {
      const auto x = node(stepper.state().q, i);
      shape.insert(shape.end(), x.begin(), x.end());
    }
  }
  const auto change = [&](std::size_t i) { return distance(found[i], found[i + 1]); };
  EXPECT_NEAR(std::log2(change(0) / change(1)), 2, 0.25);
  EXPECT_NEAR(std::log2(change(1) / change(2)), 2, 0.1);
  EXPECT_GT(change(2), 1e-6);
}

}  // namespace
}  // namespace extremal::papers::lewmata2016_ring_test
