// The laws of hamilton members on bodies, where steps are solved for rotations and where they are not: both are the
// same map, and each of them keeps what the scheme declares.
#include <gtest/gtest.h>

#include "by_directors.hpp"
#include "extremal/check.hpp"
#include "extremal/models.hpp"

namespace extremal::rotation_laws_test {
namespace {

void expect_laws(const char* name, const Number& step, const std::vector<const char*>& schemes) {
  const Model m = model(name);
  for (const char* scheme : schemes)
    for (const bool rotations : {true, false}) {
      SCOPED_TRACE(std::string(name) + ", " + scheme + (rotations ? ", rotations" : ", directors"));
      const System system = rotations ? m.system : by_directors(m.system);
      const Certificate certificate = check(system, Scheme::named(scheme), m.start, {.step = step, .long_steps = 300});
      EXPECT_TRUE(certificate.holds()) << certificate.text();
      EXPECT_GE(certificate.laws.size(), 8u);
    }
}

// A closure of every kind, control points of two rules, and compositions.
const std::vector<const char*> sparks{"spark(2)", "spark(3)"};
const std::vector<const char*> others{"wenger(2, 2, gauss(2))", "wenger(3, 3, lobatto(4))", "galerkin(2, lobatto(3))"};
const std::vector<const char*> composed{"suzuki(4, rattle)", "kahan_li(6, rattle)"};

TEST(RotationLaws, HoldForAChain) { expect_laws("chain-spatial(2)", "0.02", sparks); }
TEST(RotationLaws, HoldForATop) { expect_laws("top", "0.002", sparks); }
TEST(RotationLaws, HoldForLoops) { expect_laws("double-four-bar", "0.02", sparks); }
TEST(RotationLaws, HoldForLoadsThatDamp) { expect_laws("double-four-bar-damped", "0.02", sparks); }

TEST(RotationLaws, HoldForOtherMembersOnAChain) { expect_laws("chain-spatial(2)", "0.02", others); }
TEST(RotationLaws, HoldForOtherMembersOnATop) { expect_laws("top", "0.002", others); }
TEST(RotationLaws, HoldForOtherMembersOnLoops) { expect_laws("double-four-bar", "0.02", others); }
TEST(RotationLaws, HoldForCompositionsOnAChain) { expect_laws("chain-spatial(2)", "0.02", composed); }
TEST(RotationLaws, HoldForCompositionsOnATop) { expect_laws("top", "0.002", composed); }
TEST(RotationLaws, HoldForCompositionsOnLoops) { expect_laws("double-four-bar", "0.02", composed); }

TEST(RotationLaws, APerturbedMemberIsFound) {
  const Model m = model("chain-spatial(2)");
  const Certificate certificate =
      check(m.system, perturbed(Scheme::named("spark(2)"), 1e-3), m.start, {.step = "0.02", .long_steps = 100});
  EXPECT_FALSE(certificate.holds()) << certificate.text();
}

}  // namespace
}  // namespace extremal::rotation_laws_test
