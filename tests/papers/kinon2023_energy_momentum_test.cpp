// The outlook of [Kinon2023]: an energy-momentum scheme with the hidden constraint, energy_momentum(ggl), on the
// paper's examples.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "distance.hpp"
#include "extremal/models.hpp"
#include "validation.hpp"

namespace extremal::papers::kinon2023_energy_momentum_test {
namespace {

struct Example {
  const char *model, *step;  // of the paper
};

class Conserves : public testing::TestWithParam<Example> {};

// To 1e-12 of the energy and to 1e-13, over 1e5 steps. The linkage passes singular positions.
TEST_P(Conserves, EnergyAndTheHiddenConstraint) {
  const Model m = model(GetParam().model);
  Stepper<double> stepper(m.system, Scheme::named("energy_momentum(ggl)"));
  const double h = Number(GetParam().step).as<double>();
  stepper.start(m.start, h);
  Observation<double> seen;
  stepper.observe(seen, false);
  const double start = seen.energy();
  double worst = 0, hidden = 0;
  for (int k = 0; k < 100000; ++k) {
    const StepReport report = stepper.step(h);
    ASSERT_TRUE(report.converged) << "step " << k << ": " << report.worst;
    ASSERT_EQ(report.remedy, Remedy::none) << "step " << k;
    stepper.observe(seen, false);
    worst = std::max(worst, std::fabs(seen.energy() - start));
    hidden = std::max(hidden, seen.hidden);
  }
  EXPECT_GT(std::fabs(start), 5);
  EXPECT_LE(worst, 1e-12 * std::fabs(start));
  EXPECT_LE(hidden, 1e-13);
  record("kinon-energy-momentum",
         fmt::format("| {} | {} | {:.2f} | {} | {} |", GetParam().model, GetParam().step, start,
                     worst <= 1e-12 * std::fabs(start) ? "below 1e-12" : "-", hidden <= 1e-13 ? "below 1e-13" : "-"));
}

INSTANTIATE_TEST_SUITE_P(Kinon, Conserves,
                         testing::Values(Example{"top", "0.002"}, Example{"double-four-bar", "0.001"}),
                         [](const auto& info) { return identifier(info.param.model); });

}  // namespace
}  // namespace extremal::papers::kinon2023_energy_momentum_test
