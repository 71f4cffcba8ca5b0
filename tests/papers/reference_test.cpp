// The five constrained systems reach their exact states at t = 10 in quad precision, by members of order 20 and 22
// with different ingredients: Gauss and Lobatto rules, projected and position closure.
#include <gtest/gtest.h>

#include "distance.hpp"
#include "extremal/models.hpp"
#include "reference_data.hpp"

namespace extremal::papers::reference_test {
namespace {

struct ExactState {
  std::string model, t;
  std::vector<quad> q, p, lambda;
};
void PrintTo(const ExactState& state, std::ostream* out) { *out << state.model << ", t = " << state.t; }

std::vector<ExactState> states() {
  std::vector<ExactState> all;
  for (const Json& e : reference_data("end-states.json", "states"))
    all.push_back({e["model"], e["t"], quads(e["q"]), quads(e["p"]), quads(e["lambda"])});
  return all;
}

class ExactStates : public testing::TestWithParam<ExactState> {};

void expect_end_state(const ExactState& exact, const char* scheme, int steps_per_unit) {
  const Model m = model(exact.model);
  Stepper<quad> stepper(m.system, Scheme::named(scheme));
  stepper.start(m.start);
  const int units = std::stoi(exact.t);
  const quad h = quad(1) / steps_per_unit;
  for (int k = 0; k < units * steps_per_unit; ++k) ASSERT_TRUE(stepper.step(h).converged) << k;
  const Observation<quad> seen = stepper.observe();
  // The pendulum's state is known to all digits of quad; the others agree among independent methods to 6e-29.
  const double tolerance = exact.model == "pendulum" ? 1e-30 : 1e-28;
  EXPECT_LT(distance(stepper.state().q, exact.q), tolerance);
  EXPECT_LT(distance(stepper.state().p, exact.p), tolerance);
  EXPECT_LT(distance(seen.lambda, exact.lambda), tolerance);
}

TEST_P(ExactStates, AreReachedWithGaussRules) {
  expect_end_state(GetParam(), "galerkin(10, gauss(10), closure=projected)", 80);
}
TEST_P(ExactStates, AreReachedWithLobattoRules) {
  expect_end_state(GetParam(), "galerkin(10, lobatto(11), closure=projected)", 80);
}
TEST_P(ExactStates, AreReachedByTheAlgorithmLGG) { expect_end_state(GetParam(), "man(LGG, 12)", 80); }

INSTANTIATE_TEST_SUITE_P(, ExactStates, testing::ValuesIn(states()),
                         [](const auto& info) { return identifier(info.param.model + " at " + info.param.t); });

}  // namespace
}  // namespace extremal::papers::reference_test
