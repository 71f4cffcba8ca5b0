// Every registered scheme on nonlinear models: all laws that it declares hold.
//
// The models tell schemes apart in different ways: hoop and two-particles have no constraints, the pendulums have; the
// spring pendulum's potential is not quadratic, the triple pendulum's mass depends on q, the spherical and the double
// pendulum have a symmetry. Registering a scheme tests it. ./test --full adds half the step and longer runs.
//
// A test case is a scheme on all of them, since every case is a process that builds the registry first.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "distance.hpp"
#include "extremal/check.hpp"
#include "extremal/error.hpp"
#include "extremal/models.hpp"
#include "full.hpp"
#include "needs_bodies.hpp"
#include "system/evaluation.hpp"

namespace extremal::registry_test {
namespace {

using testing::HasSubstr;

// What a scheme cannot carry it must refuse, with the reason; there are no laws to measure then.
template <class Look>
void expect_refusal(const Model& m, const Scheme& scheme, Look look, const std::string& found,
                    const std::string& expected) {
  try {
    look();
    ADD_FAILURE() << scheme.name << " is not refused on " << m.system.name();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(m.system.name() + ": " + found));
    EXPECT_THAT(error.what(), HasSubstr(scheme.name + " needs " + expected));
  }
}

void expect_laws(const Model& m, const Scheme& scheme, const CheckOptions& options) {
  const auto look = [&] { check(m.system, scheme, m.start, options); };
  if (scheme.declared.needs.constant_mass && !Evaluation<double>(m.system, 1).constant_mass())
    return expect_refusal(m, scheme, look, "its mass depends on q", "a constant mass matrix; try rattle");
  const Certificate certificate = check(m.system, scheme, m.start, options);
  EXPECT_TRUE(certificate.holds()) << "step " << options.step.text() << "\n" << certificate.text();
  for (const Law& law : certificate.laws) EXPECT_TRUE(law.measurable) << law.name << ": " << law.measured;
  EXPECT_GE(certificate.laws.size(), 8u);
}

Number half(const Number& step) { return Number("(" + step.text() + ")/2"); }

const std::vector<std::string> models{"hoop",
                                      "two-particles",
                                      "pendulum",
                                      "spherical-pendulum",
                                      "spring-pendulum",
                                      "triple-pendulum",
                                      "double-pendulum-3d"};

// Those that need bodies have laws of their own (lie_test.cpp).
std::vector<std::size_t> schemes(bool with_bodies) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < registry().size(); ++i)
    if (needs_bodies(registry()[i]) == with_bodies) indices.push_back(i);
  return indices;
}

class Laws : public testing::TestWithParam<std::size_t> {};

TEST_P(Laws, Hold) {
  const Scheme& scheme = registry()[GetParam()];
  for (const std::string& name : models) {
    SCOPED_TRACE(name);
    const Model m = model(name);
    expect_laws(m, scheme, {.step = m.span.step});
    if (papers::full()) expect_laws(m, scheme, {.step = half(m.span.step), .long_steps = 20000});
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, Laws, testing::ValuesIn(schemes(false)),
                         [](const auto& info) { return papers::identifier(registry()[info.param].name); });

// Of a system without bodies nothing is looked at before the refusal, so that two of them are enough.
TEST(Refusal, OfTheLieFamilyOnSystemsWithoutBodies) {
  const std::string found = "is not made of rigid bodies", expected = "a mechanism; try trapezoidal";
  const Model hoop = model("hoop"), balls = model("six-balls");
  ASSERT_FALSE(schemes(true).empty());
  for (const std::size_t i : schemes(true)) {
    const Scheme& scheme = registry()[i];
    expect_refusal(
        hoop, scheme, [&] { check(hoop.system, scheme, hoop.start, {.step = hoop.span.step}); }, found, expected);
    expect_refusal(
        balls, scheme, [&] { law::noether(balls.system, scheme, balls.start, {.step = balls.span.step}); }, found,
        expected);
  }
}

// Five constraints and three symmetries at once; always what concerns them, everything with --full.
class LawsOfManyBodies : public testing::TestWithParam<std::size_t> {};

TEST_P(LawsOfManyBodies, Hold) {
  const Model m = model("six-balls");
  const Scheme& scheme = registry()[GetParam()];
  if (papers::full()) {
    expect_laws(m, scheme, {.step = m.span.step});
    return;
  }
  const CheckOptions options{.step = m.span.step, .long_steps = 100};
  std::vector<Law> laws = law::noether(m.system, scheme, m.start, options);
  EXPECT_EQ(laws.size(), 3u);
  for (const Law& law : laws) EXPECT_EQ(law.declared, "yes") << law.name;
  for (const Law& law : law::constraints(m.system, scheme, m.start, options)) laws.push_back(law);
  for (const Law& law : laws) EXPECT_TRUE(law.holds) << law.name << ": " << law.measured << ", floor " << law.floor;
}

INSTANTIATE_TEST_SUITE_P(Registry, LawsOfManyBodies, testing::ValuesIn(schemes(false)),
                         [](const auto& info) { return papers::identifier(registry()[info.param].name); });

}  // namespace
}  // namespace extremal::registry_test
