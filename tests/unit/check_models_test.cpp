// The certificate of every shipped model, with everything as the program has it by default: no law fails or is open.
// What it costs is printed: some fifteen seconds of CPU time at most for the largest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <ctime>
#include <string>

#include "cli/check_step.hpp"
#include "extremal/check.hpp"
#include "extremal/models.hpp"
#include "full.hpp"

namespace extremal::check_models_test {
namespace {

class CheckModels : public testing::TestWithParam<std::string> {};

TEST_P(CheckModels, Hold) {
  const Model m = model(GetParam());
  if (m.system.size() > 12 && !papers::full()) GTEST_SKIP() << "more than 12 coordinates: with --full";
  const std::string scheme = !m.scheme.empty()                 ? m.scheme
                             : m.system.has(Role::hamiltonian) ? "phase_space(2)"
                                                               : "spark(3)";
  const std::clock_t before = std::clock();
  const Certificate found = check(m.system, Scheme::named(scheme), m.start, cli::check_options(m));
  std::printf("%s: %.2f s\n", GetParam().c_str(), static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
  EXPECT_TRUE(found.holds()) << found.text();
  for (const Law& law : found.laws) EXPECT_TRUE(law.measurable) << law.name << ": " << law.measured;
}

std::string identifier(std::string name) {
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Models, CheckModels, testing::ValuesIn(model_names()),
                         [](const auto& info) { return identifier(info.param); });

}  // namespace
}  // namespace extremal::check_models_test
