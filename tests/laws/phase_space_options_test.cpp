// What the options of the phase_space family change, and what they must not.
#include <gtest/gtest.h>

#include "extremal/models.hpp"
#include "refusal.hpp"

namespace extremal::phase_space_options_test {
namespace {

// The normal part of p is a gauge [Muehlebach2016, eq. 38]: without projection the same motion, with a momentum that
// leaves the tangent space.
TEST(PhaseSpaceProjection, IsAGauge) {
  const Model m = model("pendulum-cartesian");
  const auto projected = run<quad>(m.system, "phase_space(2)", m.start, m.span);
  const auto free = run<quad>(m.system, "phase_space(2, projection=off)", m.start, m.span);
  ASSERT_EQ(free.status, Status::complete) << free.reason;
  for (const char* name : {"x", "y"})
    for (std::size_t k = 0; k < projected.column(name).size(); ++k)
      // p grows to some hundreds and its round-off with it.
      EXPECT_LT(static_cast<double>(math::abs(projected.column(name)[k] - free.column(name)[k])), 1e-28) << k;
  EXPECT_LT(static_cast<double>(projected.hidden_max), 1e-31);
  EXPECT_GT(static_cast<double>(free.hidden_max), 1);
}

quad worst_balance(const char* scheme) {
  const Model m = model("pendulum-polar");
  Stepper<quad> stepper(m.system, Scheme::named(scheme));
  stepper.start(m.start);
  quad worst = 0;
  for (int k = 0; k < 5; ++k) {
    EXPECT_TRUE(stepper.step(quad(1) / 10).converged) << scheme;
    StepBalance<quad> balance{};
    EXPECT_TRUE(stepper.balance(balance));
    worst = math::max(worst, math::abs(balance.energy));
  }
  return worst;
}

// The balance follows from a shift in time, which must not leave the ansatz: 1, t, t^3 lacks the slope of its last.
TEST(PhaseSpaceBasis, AnIncompleteOneBreaksTheBalance) {
  const char* complete = "phase_space(2, quadrature=gauss(24))";
  const char* incomplete = "phase_space(2, quadrature=gauss(24), basis=powers(0, 1, 3))";
  EXPECT_LT(static_cast<double>(worst_balance(complete)), 1e-30);
  EXPECT_GT(static_cast<double>(worst_balance(incomplete)), 1e-8);
  EXPECT_EQ(Scheme::named(incomplete).name, incomplete);
  EXPECT_FALSE(Scheme::named(incomplete).declared.flags.empty());
  // Written out in full the usual basis is the usual scheme.
  EXPECT_EQ(Scheme::named("phase_space(2, basis=powers(0, 1, 2))").name, "phase_space(2)");
}

TEST(PhaseSpaceOptions, AreRefusedWithTheReason) {
  const auto scheme = [](const char* text) { return refusal([&] { Scheme::named(text); }); };
  EXPECT_NE(scheme("phase_space(2, basis=powers(0, 1))").find("powers(0, 1, ..)"), std::string::npos);
  EXPECT_NE(scheme("phase_space(1, basis=powers(1, 2))").find("the ansatz needs the constant"), std::string::npos);
  EXPECT_NE(scheme("phase_space(1, basis=powers(0, 0))").find("power"), std::string::npos);
  EXPECT_NE(scheme("phase_space(1, projection=maybe)").find("projection"), std::string::npos);
  const Model m = model("pendulum-cartesian");
  for (const char* name : {"phase_space(2, continuity=both_left)", "phase_space(2, quadrature=gauss(2))"}) {
    const std::string why = refusal([&] { run(m.system, name, m.start, m.span); });
    EXPECT_NE(why.find("has constraints"), std::string::npos) << name << ": " << why;
  }
}

}  // namespace
}  // namespace extremal::phase_space_options_test
