// Slow and fast [Wenger2017, section 5]: what multirate(m, S) costs in evaluations, beside spark(2).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "distance.hpp"
#include "stiff_chain.hpp"
#include "validation.hpp"

namespace extremal::multirate_cost_test {
namespace {

// The least number of calls by which a scheme gets to t = 5 with an error of the given size in every position.
long cost(const Model& m, const char* name, const State<double>& exact, double error) {
  const Scheme scheme = Scheme::named(name);
  constexpr int end = 5;
  long least = std::numeric_limits<long>::max();
  for (const int rate : {4, 5, 8, 10, 15, 20, 25, 30, 35, 40, 50, 60, 80, 100, 120}) {
    Stepper<double> stepper(m.system, scheme);
    stepper.start(m.start);
    papers::potential_calls = 0;
    bool fine = true;
    for (int k = 0; fine && k < end * rate; ++k) fine = stepper.step(1.0 / rate).converged;
    if (fine && papers::distance(stepper.state().q, exact.q) <= error) least = std::min(least, papers::potential_calls);
  }
  return least;
}

// The stiff springs swing at 20, the pairs on the soft ones at about 1.
TEST(Multirate, CostsAThirdOfSparkAtEqualError) {
  const Model m = papers::stiff_chain(3);
  Stepper<double> exact(m.system, Scheme::named("spark(5)"));
  exact.start(m.start);
  for (int k = 0; k < 1000; ++k) ASSERT_TRUE(exact.step(0.005).converged);
  for (const auto& [error, scheme] : {std::pair{1e-2, "multirate(5, rattle)"},
                                      {1e-3, "multirate(5, rattle)"},
                                      {1e-4, "suzuki(4, multirate(5, rattle))"}}) {
    const long spark = cost(m, "spark(2)", exact.state(), error), own = cost(m, scheme, exact.state(), error);
    ASSERT_LT(spark, std::numeric_limits<long>::max());
    EXPECT_GE(spark, 3 * own) << scheme << " to " << error;
    record("multirate", fmt::format("| {:.0e} | {} | {} | {} | {:.1f} |", error, scheme, own, spark,
                                    static_cast<double>(spark) / static_cast<double>(own)));
  }
}

}  // namespace
}  // namespace extremal::multirate_cost_test
