// Rods with known answers, on the rod kernel: small vibrations, a bar rolled up by a moment, a bend in space.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "lie/rod_kernel.hpp"

namespace extremal::lie {
namespace {

const double pi = std::acos(-1.0);

Rod<double> straight(int elements, double length, const RodSection<double>& section) {
  Rod<double> rod;
  for (int i = 0; i <= elements; ++i) {
    rod.positions.push_back({length * i / elements, 0, 0});
    rod.rotations.push_back({1, 0, 0, 0});
  }
  rod.sections = {section};
  rod.lengths = {length / elements};
  rod.gamma0 = {{1, 0, 0}};
  rod.omega0 = {{0, 0, 0}};
  return rod;
}

// Clamped at one end, plucked so that the first mode prevails, and timed by where its amplitude changes sign.
double first_frequency(int elements) {
  RodKernel<double> rod({straight(elements, 1, {1, {2e-4, 1e-4, 1e-4}, {1e4, 1e4, 1e4, 1, 1, 1}})});
  rod.hold(0, true, true);
  const std::size_t n = rod.nodes(0);
  const double b = 1.8751040687119611, s = (std::cos(b) + std::cosh(b)) / (std::sin(b) + std::sinh(b));
  const auto mode = [&](double x) {
    return std::cosh(b * x) - std::cos(b * x) - s * (std::sinh(b * x) - std::sin(b * x));
  };
  const auto slope = [&](double x) {
    return std::sinh(b * x) + std::sin(b * x) - s * (std::cosh(b * x) - std::cos(b * x));
  };
  for (std::size_t i = 0; i < n; ++i) {
    const double x = rod.x(0)[i], half = 0.5e-6 * b * slope(x);
    rod.x(1)[i] = 1e-6 * mode(x);
    rod.q(0)[i] = std::cos(half), rod.q(3)[i] = std::sin(half);
  }
  const auto amplitude = [&] {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += rod.mass(i) * rod.x(1)[i] * mode(static_cast<double>(i) / elements);
    return sum;
  };
  const double h = 0.5 * rod.step_bound();
  rod.begin(h);
  double before = amplitude(), first = 0, last = 0;
  int changes = 0;
  for (int k = 1; k * h < 20; ++k) {
    EXPECT_TRUE(rod.step(h));
    const double now = amplitude();
    if ((now < 0) != (before < 0)) {
      last = h * (k - now / (now - before));
      if (changes++ == 0) first = last;
    }
    before = now;
  }
  return (changes - 1) * pi / (last - first);
}

TEST(RodsKnown, FrequenciesOfACantileverOfSoManyElements) {
  EXPECT_NEAR(first_frequency(10), 3.505065, 2e-5);
  EXPECT_NEAR(first_frequency(20), 3.512054, 2e-5);
  EXPECT_NEAR(first_frequency(40), 3.513800, 2e-5);
}

// The largest distance of a node from the circle that the bar is rolled up to, and the energy of the bending.
struct RolledUp {
  double tip, node, energy;
};

RolledUp rolled_up(int elements) {
  const double length = 10, ei = 100, moment = 2 * pi * ei / length;
  RodKernel<double> rod({straight(elements, length, {1, {2, 1, 1}, {1e3, 1e3, 1e3, ei, ei, ei}})});
  rod.hold(0, true, true);
  rod.damping(0.7);
  const std::size_t last = rod.nodes(0) - 1;
  const double h = 0.5 * rod.step_bound();
  const int steps = static_cast<int>(160 / h);
  rod.begin(h);
  for (int k = 1; k <= steps; ++k) {
    const NodeLoad<double> load{last, {}, {0, 0, moment * std::min(1.0, 2.0 * k / steps)}};
    EXPECT_TRUE(rod.step(h, {&load, 1}, {&load, 1}));
  }
  RolledUp r{std::hypot(rod.x(0)[last], rod.x(1)[last]), 0, rod.potential().total()};
  for (std::size_t i = 0; i <= last; ++i) {
    const double a = 2 * pi * static_cast<double>(i) / elements, radius = length / (2 * pi);
    r.node = std::max(r.node, std::hypot(rod.x(0)[i] - radius * std::sin(a), rod.x(1)[i] - radius * (1 - std::cos(a))));
  }
  return r;
}

TEST(RodsKnown, AMomentRollsABarUp) {
  const struct {
    int elements;
    double node, half_unit;
  } rows[] = {{10, 5.3e-2, 5e-4}, {20, 1.31e-2, 5e-5}, {40, 3.3e-3, 5e-5}};
  for (const auto& row : rows) {
    const RolledUp r = rolled_up(row.elements);
    EXPECT_LT(r.tip, 1e-9) << row.elements;
    EXPECT_NEAR(r.node, row.node, row.half_unit) << row.elements;
    EXPECT_NEAR(r.energy, 20 * pi * pi, 1e-9) << row.elements;
  }
}

// An arc of 45 degrees and radius 100, clamped at one end, with a force normal to its plane at the other.
Vec3<double> bend(int elements) {
  Rod<double> arc;
  for (int i = 0; i <= elements; ++i) {
    const double a = pi / 4 * i / elements, half = (pi / 2 - a) / 2;
    arc.positions.push_back({100 * (1 - std::cos(a)), 100 * std::sin(a), 0});
    arc.rotations.push_back({std::cos(half), 0, 0, std::sin(half)});
  }
  const double ei = 1e7 / 12;
  arc.sections = {{1, {200, 100, 100}, {1e7, 5e6, 5e6, ei, ei, ei}}};
  arc.lengths = {25 * pi / elements};
  RodKernel<double> rod({arc});
  rod.hold(0, true, true);
  rod.damping(1);
  const std::size_t last = rod.nodes(0) - 1;
  const double h = 0.7 * rod.step_bound();
  rod.begin(h);
  const int steps = static_cast<int>(60 / h);
  for (int k = 1; k <= steps; ++k) {
    const NodeLoad<double> load{last, {0, 0, 600 * std::min(1.0, 4.0 * k / steps)}, {}};
    EXPECT_TRUE(rod.step(h, {&load, 1}, {&load, 1}));
  }
  return {rod.x(0)[last], rod.x(1)[last], rod.x(2)[last]};
}

TEST(RodsKnown, ABendOf45Degrees) {
  const Vec3<double> coarse = bend(8), fine = bend(64);
  EXPECT_NEAR(coarse.x, 15.734, 6e-4);
  EXPECT_NEAR(coarse.y, 47.243, 6e-4);
  EXPECT_NEAR(coarse.z, 53.398, 6e-4);
  EXPECT_NEAR(fine.x, 15.686, 6e-4);
  EXPECT_NEAR(fine.y, 47.152, 6e-4);
  EXPECT_NEAR(fine.z, 53.474, 6e-4);
}

}  // namespace
}  // namespace extremal::lie
