// The rule by which trials choose a step, on errors that are made up.
#include "run/step_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

namespace extremal::step_search_test {
namespace {

using testing::HasSubstr;

constexpr double epsilon = 2.2e-16;

// One coordinate, cos(t): a trial of n steps is off by error(n), what rounding adds grows with time.
struct Made {
  std::function<double(double n)> error;
  std::function<double(double part)> rounding = [](double) { return 1e-15; };
  std::map<long long, int> plain = {}, wide = {};

  Places take(long long n, bool more_digits) {
    ++(more_digits ? wide : plain)[n];
    Places out;
    for (int k = 1; k <= 32; ++k) {
      const double part = k / 32.0;
      const double off =
          error(static_cast<double>(n)) * part + (more_digits ? 0 : rounding(part) * ((k + n) % 3 == 0 ? 1 : -1));
      out.q.push_back({quad(k == 7 ? 1 : 0.5) + quad(off)});
    }
    return out;
  }
};

Accuracy found(Made& made, double wanted, int order, long long most = 10000000) {
  StepSearch search({.wanted = wanted, .order = order, .most = most, .epsilon = epsilon},
                    [&](long long n, bool wide) { return made.take(n, wide); });
  Accuracy out{.wanted = wanted, .precision = "double", .order = order};
  search.search(out);
  return out;
}

TEST(StepSearch, ChoosesHalfTheError) {
  for (const int order : {1, 2, 4, 6}) {
    const double wanted = order == 1 ? 1e-4 : 1e-8;
    Made made{.error = [&](double n) { return 100 * std::pow(n, -order); }};
    const Accuracy out = found(made, wanted, order);
    ASSERT_TRUE(out.found()) << order << ": " << out.refused;
    const double error = made.error(static_cast<double>(out.steps));
    EXPECT_LE(error, wanted) << order;
    EXPECT_GE(error, wanted / 200) << order;
    EXPECT_NEAR(out.predicted / error, 1, 0.5) << order;
    EXPECT_LE(made.wide.size(), order <= 2 ? 2u : 1u) << "rounding is measured once, or twice of a long search";
    EXPECT_LE(out.steps, 4 * out.trials.back().steps);
  }
}

// Coarse steps lie about their order, once by luck.
TEST(StepSearch, IsNotTakenInByOneLuckyRatio) {
  Made made{.error = [](double n) {
    return n == 32 ? 3e-2 : n == 64 ? 2e-3 : n == 128 ? 1.9e-3 : 5e5 * std::pow(n, -4);
  }};
  const Accuracy out = found(made, 1e-7, 4);
  ASSERT_TRUE(out.found()) << out.refused;
  EXPECT_LE(made.error(static_cast<double>(out.steps)), 1e-7);
}

// Order 2 where 4 is declared, as forces may cost it.
TEST(StepSearch, TakesTheOrderThatItSees) {
  Made made{.error = [](double n) { return 3 / (n * n); }};
  const Accuracy out = found(made, 1e-7, 4);
  ASSERT_TRUE(out.found()) << out.refused;
  EXPECT_LE(made.error(static_cast<double>(out.steps)), 1e-7);
}

TEST(StepSearch, AcceptsWhatIsExact) {
  Made made{.error = [](double) { return 0.0; }, .rounding = [](double) { return 0.0; }};
  Accuracy out = found(made, 1e-9, 2);
  EXPECT_EQ(out.steps, 32);
  made.rounding = [](double) { return 3e-16; };
  out = found(made, 1e-9, 2);
  EXPECT_EQ(out.steps, 32);
  EXPECT_EQ(out.trials.size(), 3u);
}

// Errors fall by a factor that is no power, as those of a motion that is not smooth.
TEST(StepSearch, DoesWithoutAnOrder) {
  Made made{.error = [](double n) { return (std::sin(n) + 2) / n; }};
  const Accuracy out = found(made, 1e-3, 4);
  ASSERT_TRUE(out.found()) << out.refused;
  EXPECT_LE(made.error(static_cast<double>(out.steps)), 1e-3);
}

TEST(StepSearch, RefusesWhatRoundingForbids) {
  Made made{.error = [](double n) { return 1e6 * std::pow(n, -4); },
            .rounding = [](double part) { return 1e-16 * std::exp(24 * part); }};
  const Accuracy out = found(made, 1e-9, 4);
  EXPECT_FALSE(out.found());
  EXPECT_THAT(out.refused, HasSubstr("errors of rounding grow by"));
  EXPECT_THAT(out.refused, HasSubstr("attainable in double about"));
  EXPECT_THAT(out.refused, HasSubstr("1e-09 until t = 0.5"));
  EXPECT_NEAR(std::log10(out.attainable), -4, 1);
  EXPECT_TRUE(found(made, 1e-3, 4).found());
}

TEST(StepSearch, RefusesChaosBeforeAnOrderIsSeen) {
  Made made{.error = [](double n) { return std::sin(n); },
            .rounding = [](double part) { return 1e-16 * std::exp(37 * part); }};
  const Accuracy out = found(made, 1e-3, 4);
  EXPECT_FALSE(out.found());
  EXPECT_THAT(out.refused, HasSubstr("nothing is attainable"));
  EXPECT_LE(out.trials.size(), 6u);
}

TEST(StepSearch, IsBounded) {
  Made made{.error = [](double n) { return 10 / n; }};
  Accuracy out = found(made, 1e-9, 1, 100000);
  EXPECT_THAT(out.refused, HasSubstr("steps would be needed"));
  EXPECT_LE(out.trials.back().steps, 100000 / 2);
  made.error = [](double n) { return std::sin(n); };
  out = found(made, 1e-9, 1, 100000);
  EXPECT_THAT(out.refused, HasSubstr("no order is seen in up to"));
}

// Against fewer digits: by the ratio of roundings, and on from where the coarser motion is lost.
TEST(StepSearch, MeasuresRoundingFromBelow) {
  const auto search = [](double rate) {
    Made made{.error = [](double n) { return 1e6 * std::pow(n, -6); }};
    made.rounding = [rate](double part) { return std::min(1.0, 1e-19 * std::exp(rate * part)); };
    Accuracy out{.wanted = 1e-12, .precision = "quad", .order = 6};
    StepSearch({.wanted = 1e-12, .order = 6, .most = 1000000, .epsilon = 1e-34, .wide_epsilon = 1e-19},
               [&](long long n, bool wide) { return made.take(n, !wide); })  // fewer digits, more rounding
        .search(out);
    return out;
  };
  EXPECT_TRUE(search(20).found());
  EXPECT_NEAR(std::log10(search(20).rounding), std::log10(1e-34 * std::exp(20)), 1);
  EXPECT_TRUE(search(45).found()) << search(45).refused;
  EXPECT_FALSE(search(80).found());
}

TEST(StepSearch, GoesOnAfterTrialsThatFail) {
  Made made{.error = [](double n) { return std::pow(n / 10, -4); }};
  Accuracy out{.wanted = 1e-8, .order = 4};
  StepSearch({.wanted = 1e-8, .order = 4, .most = 100000, .epsilon = epsilon}, [&](long long n, bool wide) {
    if (n < 128) return Places{.failed = "too long a step"};
    return made.take(n, wide);
  }).search(out);
  EXPECT_TRUE(out.found());
  EXPECT_EQ(out.trials.front().failed, "too long a step");
  EXPECT_LE(made.error(static_cast<double>(out.steps)), 1e-8);
}

TEST(StepSearch, KeepsTheNumberOfRows) {
  Made made{.error = [](double n) { return std::pow(n, -2); }};
  Accuracy out{.wanted = 1e-6, .order = 2};
  StepSearch({.wanted = 1e-6, .order = 2, .most = 100000, .multiple = 100, .epsilon = epsilon}, [&](long long n,
                                                                                                    bool wide) {
    return made.take(n, wide);
  }).search(out);
  EXPECT_TRUE(out.found());
  EXPECT_EQ(out.steps % 100, 0);
}

}  // namespace
}  // namespace extremal::step_search_test
