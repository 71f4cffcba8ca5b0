// extremal check: certificates and their exit codes.
#include <algorithm>

#include "program.hpp"

namespace extremal::cli::check_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Check, CertifiesASchemeThatKeepsItsWord) {
  const Outcome o = program("check pendulum --scheme rattle --json");
  EXPECT_EQ(o.exit_code, 0) << o.out << o.err;
  const json j = o.json();
  EXPECT_EQ(j.size(), 5U);
  EXPECT_EQ(j["notes"], json::array());  // nothing that rattle costs here
  EXPECT_EQ(j["model"], "pendulum");
  EXPECT_EQ(j["scheme"], "rattle");
  EXPECT_TRUE(j["precision"].is_string());
  ASSERT_FALSE(j["laws"].empty());
  for (const json& law : j["laws"]) {
    EXPECT_EQ(law.size(), 7U);
    EXPECT_EQ(law["measurable"], true) << law;
    for (const char* key : {"name", "declared", "measured"}) EXPECT_TRUE(law[key].is_string()) << law;
    for (const char* key : {"defect", "floor"}) EXPECT_TRUE(law[key].is_number()) << law;
    EXPECT_EQ(law["holds"], true) << law;
  }
}

TEST(Check, PrintsTheCertificate) {
  const Outcome o = program("check pendulum --scheme rattle");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_THAT(o.out,
              AllOf(HasSubstr("pendulum"), HasSubstr("rattle"), HasSubstr("symplecticity"), HasSubstr("order of q")));
}

// What is not declared is measured all the same, and does not fail.
TEST(Check, SaysThatASchemeIsNotSymplectic) {
  const Outcome o = program("check spring-pendulum --scheme 'man(LGG, 2)' --json");
  EXPECT_EQ(o.exit_code, 0) << o.out << o.err;
  const json certificate = o.json();
  bool found = false;
  for (const json& law : certificate["laws"])
    if (law["name"].get<std::string>().find("symplecticity") != std::string::npos) {
      found = true;
      EXPECT_EQ(law["declared"], "no");
      EXPECT_GT(law["defect"].get<double>(), 1e3 * law["floor"].get<double>());
    }
  EXPECT_TRUE(found);
}

// A step that Newton cannot take: the declared laws do not hold at it, and the certificate says why.
TEST(Check, FailsWhereADeclaredLawDoesNotHold) {
  const std::string arguments = "check pendulum --scheme rattle --step 1";
  const Outcome o = program(arguments + " --json");
  EXPECT_EQ(o.exit_code, 1) << o.err;
  const json laws = o.json()["laws"];
  EXPECT_TRUE(std::any_of(laws.begin(), laws.end(), [](const json& law) { return law["holds"] == false; }));
  const Outcome text = program(arguments);
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_THAT(text.out, HasSubstr("fails: "));
}

TEST(Check, RefusesBadInput) {
  expect_refused("check pendulm", HasSubstr("did you mean \"pendulum\""));
  expect_refused("check pendulum --scheme 'spark(0)'", HasSubstr("spark"));
  expect_refused("check pendulum --step x", HasSubstr("--step"));
  expect_refused("check pendulum --start x=0.7", HasSubstr("\"rod\""));
  expect_refused("check pendulum --until 3", HasSubstr("--until"));
}

}  // namespace
}  // namespace extremal::cli::check_test
