// The elastic ring of [LewMata2016, section 4.2.8]: A with the printed load, B with a hundred times that, which folds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "elastic_ring.hpp"

namespace extremal::papers {
namespace {

struct Figures {
  double mean, below, above;  // of the energy after the load; relative
  double linear, angular;
};

double largest(const lie::Vec3<double>& a) { return std::max({std::fabs(a.x), std::fabs(a.y), std::fabs(a.z)}); }

Figures figures(double factor, int steps) {
  LoadedRing<double> ring(factor, steps);
  double sum = 0, least = 1e300, most = -1e300;
  Figures f{};
  for (int k = 1; k <= steps; ++k) {
    if (!ring.step()) return {NAN, NAN, NAN, NAN, NAN};
    if (3 * k < steps) continue;
    const double energy = ring.energy();
    sum += energy, least = std::min(least, energy), most = std::max(most, energy);
    f.linear = std::max(f.linear, largest(ring.linear_momentum()));
    f.angular = std::max(f.angular, largest(ring.angular_momentum()));
  }
  f.mean = sum / (steps - steps / 3 + 1);
  f.below = least / f.mean - 1, f.above = most / f.mean - 1;
  return f;
}

TEST(ElasticRing, PrintedLoad) {
  const Figures f = figures(1, 3000);
  EXPECT_NEAR(f.mean, 7.82896, 1e-5);
  EXPECT_NEAR(f.below, -6e-6, 5e-7);
  EXPECT_NEAR(f.above, 1.4e-5, 5e-7);
  EXPECT_LT(f.linear, 2e-14);
  EXPECT_LT(f.angular, 3e-13);
}

TEST(ElasticRing, HundredTimesTheLoad) {
  const Figures f = figures(100, 3000);
  EXPECT_NEAR(f.mean, 80226.957, 0.005);
  EXPECT_NEAR(f.below, -3.1e-5, 1e-6);
  EXPECT_NEAR(f.above, 3.1e-5, 1e-6);
  EXPECT_LT(f.linear, 2e-12);
  EXPECT_LT(f.angular, 3e-11);
}

TEST(ElasticRing, PositionsAsTheStepVanishes) {
  // Richardson: (4 f(h/2) - f(h)) / 3 has an error of h^4 only, below the printed digits.
  const auto positions = [](int steps) {
    LoadedRing<double> ring(100, steps);
    std::vector<double> values;
    for (int k = 1; k <= steps; ++k) {
      EXPECT_TRUE(ring.step());
      if (k % (steps / 3) != 0) continue;
      for (const std::size_t node : {std::size_t(0), std::size_t(20)}) {
        const lie::Vec3<double> x = ring.position(node);
        values.insert(values.end(), {x.x, x.y, x.z});
      }
      if (k == steps) values.push_back(ring.energy());
    }
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

TEST(ElasticRing, StepBoundIsJustBelowTheCriticalStep) {
  const lie::RodKernel<double> ring({elastic_ring<double>()});
  EXPECT_LT(ring.step_bound(), 0.004534);
  EXPECT_GT(ring.step_bound(), 0.98 * 0.004534);
}

}  // namespace
}  // namespace extremal::papers
