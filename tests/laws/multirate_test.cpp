// multirate(m, S): one discrete action with slow potentials at the ends of a step and the others, with the constraints,
// at m micro steps of S [Wenger2017, section 5]. Its laws where slow and fast are apart; what a step is, by hand; what
// it costs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "distance.hpp"
#include "extremal/check.hpp"
#include "extremal/error.hpp"
#include "extremal/models.hpp"
#include "full.hpp"
#include "refusal.hpp"
#include "stiff_chain.hpp"

namespace extremal::multirate_test {
namespace {

using testing::HasSubstr;

struct Case {
  const char *model, *scheme, *step;
};

class MultirateLaws : public testing::TestWithParam<Case> {};

// The stiff springs turn by half a radian in a micro step at the most: in the range of the orders, and of use.
TEST_P(MultirateLaws, Hold) {
  const Model m = model(GetParam().model);
  ASSERT_TRUE(m.system.has_slow());
  const Certificate certificate = check(m.system, Scheme::named(GetParam().scheme), m.start,
                                        {.step = GetParam().step, .long_steps = papers::full() ? 20000 : 500});
  EXPECT_TRUE(certificate.holds()) << certificate.text();
}

INSTANTIATE_TEST_SUITE_P(Slow, MultirateLaws,
                         testing::Values(Case{"fermi-pasta-ulam", "multirate(4, rattle)", "0.02"},
                                         Case{"fermi-pasta-ulam", "suzuki(4, multirate(2, rattle))", "0.02"},
                                         Case{"stiff-triple-pendulum", "multirate(4, rattle)", "0.005"},
                                         Case{"stiff-triple-pendulum", "multirate(2, spark(2))", "0.005"}),
                         [](const auto& info) {
                           return papers::identifier(std::string(info.param.model) + " " + info.param.scheme);
                         });

// A kick of slow forces, m steps of Verlet's method with fast ones, and the other kick, of a chain with n pairs: small
// steps (six coordinates) and general ones (sixty-six).
class ByHand : public testing::TestWithParam<int> {};

TEST_P(ByHand, IsAStep) {
  const int n = GetParam(), m = 5, size = 2 * n;
  const Model given = papers::stiff_chain(n);
  const auto at = [](const std::vector<quad>& q, int i) {
    return i < 0 || i >= static_cast<int>(q.size()) ? quad(0) : q[static_cast<std::size_t>(i)];
  };
  const auto slow = [&](const std::vector<quad>& q, int i) {
    const quad left = i % 2 == 0 ? at(q, i) - at(q, i - 1) : quad(0);
    const quad right = i % 2 == 1 ? at(q, i + 1) - at(q, i) : quad(0);
    return 4 * (right * right * right - left * left * left);
  };
  const auto fast = [&](const std::vector<quad>& q, int i) {
    const quad omega = 20, stretch = i % 2 == 0 ? at(q, i + 1) - at(q, i) : at(q, i) - at(q, i - 1);
    return (i % 2 == 0 ? 1 : -1) * omega * omega / 2 * stretch;
  };
  Stepper<quad> stepper(given.system, Scheme::named("multirate(5, rattle)"));
  stepper.start(given.start);
  State<quad> by_hand = stepper.state();
  const quad H = quad(1) / 20, h = H / m;
  const auto kick = [&](auto force, quad weight) {
    std::vector<quad> f;
    for (int i = 0; i < size; ++i) f.push_back(force(by_hand.q, i));
    for (std::size_t i = 0; i < f.size(); ++i) by_hand.p[i] += weight * f[i];
  };
  for (int step = 0; step < 10; ++step) {
    kick(slow, H / 2);
    for (int k = 0; k < m; ++k) {
      kick(fast, h / 2);
      for (std::size_t i = 0; i < by_hand.q.size(); ++i) by_hand.q[i] += h * by_hand.p[i];
      kick(fast, h / 2);
    }
    kick(slow, H / 2);
    ASSERT_TRUE(stepper.step(H).converged);
  }
  // Ten steps at the floor of quad, momenta being of the size of omega.
  EXPECT_LE(papers::distance(stepper.state().q, by_hand.q), 1e-30);
  EXPECT_LE(papers::distance(stepper.state().p, by_hand.p), 1e-29);
}

INSTANTIATE_TEST_SUITE_P(Chain, ByHand, testing::Values(3, 33));

// One micro step with half of the weight at either end is the trapezoidal rule for both.
TEST(Multirate, OfOneMicroStepIsRattle) {
  for (const char* name : {"fermi-pasta-ulam", "stiff-triple-pendulum", "triple-pendulum"}) {
    const Model m = model(name);
    const Span span{.step = Number("0.005"), .until = Number("0.1")};
    const auto one = run<quad>(m.system, Scheme::named("multirate(1, rattle)"), m.start, span);
    const auto other = run<quad>(m.system, Scheme::named("rattle"), m.start, span);
    for (const std::string& q : m.system.coordinate_names())
      EXPECT_LE(static_cast<double>(math::abs(one.column(q).back() - other.column(q).back())), 1e-29) << name << q;
  }
}

// Without slow potentials it is the composition of its micro steps.
TEST(Multirate, WithoutSlowPotentialsIsItsMicroSteps) {
  const Model m = model("double-pendulum-3d");
  const Span coarse{.step = Number("0.03"), .until = Number("0.3")},
      fine{.step = Number("0.01"), .until = coarse.until};
  const auto one = run<quad>(m.system, Scheme::named("multirate(3, rattle)"), m.start, coarse);
  const auto other = run<quad>(m.system, Scheme::named("rattle"), m.start, fine);
  for (const std::string& q : m.system.coordinate_names())
    EXPECT_LE(static_cast<double>(math::abs(one.column(q).back() - other.column(q).back())), 1e-30) << q;
}

Scheme with_wrong_kick(const std::string& name) {
  Scheme scheme = Scheme::named(name);
  Composition wrong = *scheme.as<Composition>();
  Galerkin first = *wrong.substeps.front().scheme.as<Galerkin>();
  first.kicks.start *= quad(1.01);
  wrong.substeps.front().scheme.method = first;
  scheme.method = wrong;
  return scheme;
}

// A kick that is too strong by a hundredth: another discrete action, symplectic, and no longer that of the system.
TEST(MultirateControl, AWrongKickCostsTheOrderAndReversibility) {
  for (const char* name : {"fermi-pasta-ulam", "stiff-triple-pendulum"}) {
    const Model m = model(name);
    const CheckOptions options{.step = "0.005"};
    const Scheme wrong = with_wrong_kick("multirate(4, rattle)");
    bool holds = true;
    for (const Law& law : law::order(m.system, wrong, m.start, options)) holds = holds && law.holds;
    EXPECT_FALSE(holds) << name;
    EXPECT_FALSE(law::reversibility(m.system, wrong, m.start, options).holds) << name;
    EXPECT_TRUE(law::symplecticity(m.system, wrong, m.start, options).holds) << name;
  }
}

TEST(Multirate, RefusesWhatHasNoKicks) {
  const auto reason = [](const char* name) { return refusal([&] { Scheme::named(name); }); };
  EXPECT_THAT(reason("multirate(3, ggl)"), HasSubstr("ggl; expected a member of the hamilton family"));
  EXPECT_THAT(reason("multirate(3, shake)"), HasSubstr("closure=variational; expected closure=projected"));
  EXPECT_THAT(reason("multirate(3, multirate(2, rattle))"), HasSubstr("one of them"));
  EXPECT_THAT(reason("multirate(0, rattle)"), HasSubstr("m = 0"));
  EXPECT_EQ(Scheme::named("multirate( 3,rattle )").name, "multirate(3, rattle)");
}

}  // namespace
}  // namespace extremal::multirate_test
