// What steps of different length cost [LewMata2016, section 3.1]: no modified energy in common.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "extremal/models.hpp"
#include "validation.hpp"

namespace extremal::papers::lewmata2016_steps_test {
namespace {

constexpr int count = 40000;

// From 1/2 to 3/2 in 64ths, without order; of mean 1.
std::vector<Number> without_order() {
  std::vector<Number> all;
  unsigned x = 1;
  for (int k = 0; k < count; k += 2) {
    x = x * 1664525U + 1013904223U;
    const int part = static_cast<int>(x >> 25U) % 65;
    all.emplace_back(std::to_string(32 + part) + "/64");
    all.emplace_back(std::to_string(96 - part) + "/64");
  }
  return all;
}

struct Found {
  double first = 0, last = 0;  // largest |H - H0| in the first and the last tenth
};

Found energies(const std::vector<Number>& pattern) {
  const Model m = model("pendulum");
  const Span span{.step = "0.05", .until = Number(std::to_string(count) + "*0.05"), .pattern = pattern};
  const auto all = run(m.system, "rattle", m.start, span);
  EXPECT_EQ(all.status, Status::complete) << all.reason;
  EXPECT_EQ(all.steps, count);
  const std::vector<double>& energy = all.column("energy");
  Found found;
  for (std::size_t k = 0; k < count / 10; ++k) {
    found.first = std::max(found.first, std::fabs(energy[k] - energy[0]));
    found.last = std::max(found.last, std::fabs(energy[count - k] - energy[0]));
  }
  return found;
}

// A pattern that repeats is one map, symplectic, with a modified energy in its sum; without order there is none.
TEST(StepsOfDifferentLength, LoseTheModifiedEnergy) {
  const Found even = energies({}), pattern = energies({1, "1.5", "0.5"}), none = energies(without_order());
  EXPECT_LT(even.last, 1.01 * even.first);
  EXPECT_LT(pattern.last, 1.05 * pattern.first);
  EXPECT_GT(none.last, 2 * none.first);
  EXPECT_GT(none.last, 5 * even.last);
  const auto tell = [](const char* name, const Found& found) {
    record("step-patterns", fmt::format("| {} | {:.2g} | {:.2g} |", name, found.first, found.last));
  };
  tell("all alike", even);
  tell("1, 1.5, 0.5, and again", pattern);
  tell("from ½ to 1½ without order", none);
}

}  // namespace
}  // namespace extremal::papers::lewmata2016_steps_test
