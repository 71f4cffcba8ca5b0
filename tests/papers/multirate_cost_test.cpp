// Slow and fast [Wenger2017, section 5]: what multirate(m, S) costs in evaluations, beside spark(2) and its own micro
// steps.
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

constexpr int end = 5;
constexpr long never = std::numeric_limits<long>::max();

// The least number of calls by which a scheme gets to t = 5 with an error of the given size in every position, over
// steps of 1/4 to 1/1600.
long cost(const Model& m, const char* name, const State<double>& exact, double error) {
  const Scheme scheme = Scheme::named(name);
  long least = never;
  for (const int rate : {4,   5,   8,   10,  15,  20,  25,  30,  35,  40,  50,   60,   80,
                         100, 120, 150, 200, 250, 300, 400, 500, 600, 800, 1000, 1200, 1600}) {
    Stepper<double> stepper(m.system, scheme);
    stepper.start(m.start);
    papers::potential_calls = 0;
    bool fine = true;
    for (int k = 0; fine && papers::potential_calls < least && k < end * rate; ++k)
      fine = stepper.step(1.0 / rate).converged;
    if (fine && papers::distance(stepper.state().q, exact.q) <= error) least = std::min(least, papers::potential_calls);
  }
  return least;
}

State<double> exact_end(const Model& m) {
  Stepper<double> exact(m.system, Scheme::named("spark(5)"));
  exact.start(m.start);
  for (int k = 0; k < 1000; ++k) EXPECT_TRUE(exact.step(0.005).converged);
  return exact.state();
}

struct At {
  double error;
  const char *scheme, *micro;  // and its micro steps, which take slow potentials along
};

// Calls of spark(2), and of the micro steps alone, to those of a scheme.
struct Ratios {
  double spark, micro;
};
Ratios ratios(const char* name, const Model& m, const State<double>& exact, const At& at) {
  const long own = cost(m, at.scheme, exact, at.error), spark = cost(m, "spark(2)", exact, at.error),
             micro = cost(m, at.micro, exact, at.error);
  EXPECT_LT(std::max({own, spark, micro}), never) << at.scheme;
  const auto to = [own](long calls) { return static_cast<double>(calls) / static_cast<double>(own); };
  record("multirate", fmt::format("| {} | {:.0e} | {} | {} | {} | {:.1f} | {} | {} | {:.1f} |", name, at.error,
                                  at.scheme, own, spark, to(spark), at.micro, micro, to(micro)));
  return {to(spark), to(micro)};
}

void expect_at_least(const Ratios& found, const Ratios& least) {
  EXPECT_GE(found.spark, least.spark);
  EXPECT_GE(found.micro, least.micro);
}

// The stiff springs swing at 20, the pairs on the soft ones at about 1.
TEST(Multirate, CostsAThirdOfSparkAtEqualError) {
  const Model m = papers::stiff_chain(3);
  const State<double> exact = exact_end(m);
  for (const At& at : {At{1e-2, "multirate(5, rattle)", "rattle"},
                       {1e-3, "multirate(5, rattle)", "rattle"},
                       {1e-4, "suzuki(4, multirate(5, rattle))", "suzuki(4, rattle)"}})
    expect_at_least(ratios("chain", m, exact, at), {3, 1.1});
}

// One spring, which is fast, and three weights, which are not.
TEST(Multirate, CostsOfATriplePendulum) {
  const Model m = papers::counted_triple_pendulum();
  const State<double> exact = exact_end(m);
  for (const At& at : {At{1e-2, "multirate(5, rattle)", "rattle"},
                       {1e-3, "multirate(5, rattle)", "rattle"},
                       {1e-4, "suzuki(4, multirate(5, rattle))", "suzuki(4, rattle)"}})
    expect_at_least(ratios("triple pendulum", m, exact, at), {3, 1.8});
}

}  // namespace
}  // namespace extremal::multirate_cost_test
