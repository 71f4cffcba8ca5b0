// A build on a machine with nothing but the packages of the program: baselines.cpp is compiled without Boost and
// SUNDIALS.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "extremal/baseline.hpp"
#include "extremal/models.hpp"
#include "refusal.hpp"

namespace extremal::baselines_test {
namespace {

using testing::HasSubstr;

TEST(Bare, BaselinesAreListedAsAbsent) {
  for (const BaselineKind& kind : baseline_kinds()) EXPECT_FALSE(kind.built) << kind.name;
}

TEST(Bare, ABaselineIsRefusedWithTheLibraryItNeeds) {
  for (const BaselineKind& kind : baseline_kinds())
    EXPECT_THAT(refusal([&] { baseline(kind.name); }),
                HasSubstr("not in this build, which was without " + kind.library + " (Debian's " + kind.package + ")"));
}

TEST(Bare, AllOfThemAreNoneWithReasons) {
  const ChosenBaselines chosen = choose_baselines({"all"}, model("pendulum"));
  EXPECT_TRUE(chosen.of.empty());
  ASSERT_EQ(chosen.left_out.size(), baseline_kinds().size());
  for (std::size_t i = 0; i < chosen.left_out.size(); ++i) {
    EXPECT_EQ(chosen.left_out[i].name, baseline_kinds()[i].name);
    EXPECT_THAT(chosen.left_out[i].reason, HasSubstr(baseline_kinds()[i].package));
  }
}

}  // namespace
}  // namespace extremal::baselines_test
