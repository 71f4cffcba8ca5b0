// One step and ten steps of 76 pairs of system and scheme against an independent implementation in quad precision:
// states and multipliers to 1e-28. Members of [Wenger2017, eq. 22] in their projected form and the eight algorithms
// of [Man2020, table 2].
#include <gtest/gtest.h>

#include "distance.hpp"
#include "extremal/models.hpp"
#include "reference_data.hpp"

namespace extremal::papers::check_values_test {
namespace {

struct Pair {
  std::string model, scheme, step;
  std::vector<quad> q1, p1, lambda1, q10, p10;
};
void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.model << ", " << pair.scheme; }

std::vector<Pair> pairs() {
  std::vector<Pair> all;
  for (const Json& e : reference_data("check-values.json", "pairs"))
    all.push_back({e["model"], e["scheme"], e["step"], quads(e["q1"]), quads(e["p1"]), quads(e["lambda1"]),
                   quads(e["q10"]), quads(e["p10"])});
  return all;
}

class CheckValues : public testing::TestWithParam<Pair> {};

TEST(CheckValuesFile, HasAllPairs) { EXPECT_EQ(pairs().size(), 76U); }

TEST_P(CheckValues, AreReachedInQuad) {
  const Pair& reference = GetParam();
  const Model m = model(reference.model);
  Stepper<quad> stepper(m.system, Scheme::named(reference.scheme));
  stepper.start(m.start);
  const quad h = Number(reference.step).as<quad>();

  ASSERT_TRUE(stepper.step(h).converged);
  EXPECT_LT(distance(stepper.state().q, reference.q1), 1e-28);
  EXPECT_LT(distance(stepper.state().p, reference.p1), 1e-28);
  EXPECT_LT(distance(stepper.multipliers(), reference.lambda1), 1e-28);

  for (int k = 1; k < 10; ++k) ASSERT_TRUE(stepper.step(h).converged);
  EXPECT_LT(distance(stepper.state().q, reference.q10), 1e-28);
  EXPECT_LT(distance(stepper.state().p, reference.p10), 1e-28);
}

INSTANTIATE_TEST_SUITE_P(, CheckValues, testing::ValuesIn(pairs()),
                         [](const auto& info) { return identifier(info.param.model + " " + info.param.scheme); });

}  // namespace
}  // namespace extremal::papers::check_values_test
