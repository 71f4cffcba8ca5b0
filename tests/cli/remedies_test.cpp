// Steps that were not taken as the scheme says, as the program tells them.
#include "extremal/archive.hpp"
#include "program.hpp"

namespace extremal::cli::remedies_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* not_its_own = " of 500 steps were not taken as ggl says: ";

TEST(Remedies, RunTellsThemByKindAndReason) {
  const Outcome text = program("run double-four-bar --scheme ggl --step 0.02 --until 10");
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("  remedies     "), HasSubstr(not_its_own),
                              HasSubstr(" by RATTLE in its place"), HasSubstr(" at a fold of its equations")));
  const json told = program("run double-four-bar --scheme ggl --step 0.02 --until 10 --json").json();
  const json& remedies = told["remedies"];
  EXPECT_GT(remedies["rattle"].get<int>(), 0);
  EXPECT_EQ(remedies["total"], told["retries"]);
  int kinds = 0, reasons = 0;
  for (const char* kind : {"regularised", "rattle", "divided", "directors"}) kinds += remedies[kind].get<int>();
  for (const auto& reason : remedies["reasons"].items()) reasons += reason.value().get<int>();
  EXPECT_EQ(kinds, remedies["total"].get<int>());
  EXPECT_EQ(reasons, remedies["total"].get<int>());
  const Outcome rattle = program("run double-four-bar --scheme rattle --step 0.02 --until 10");
  EXPECT_THAT(rattle.out, Not(HasSubstr("remedies")));
}

TEST(Remedies, ComparisonsAndStudiesTellThem) {
  const Outcome compare = program("compare double-four-bar ggl rattle --step 0.02 --until 10");
  EXPECT_THAT(compare.out, AllOf(HasSubstr(not_its_own), Not(HasSubstr("as rattle says"))));
  const json rows = program("compare double-four-bar ggl rattle --step 0.02 --until 10 --json").json()["schemes"];
  EXPECT_GT(rows[0]["remedies"]["total"].get<int>(), 0);
  EXPECT_EQ(rows[1]["remedies"]["total"], 0);
  const Outcome both = program("study long-time double-four-bar --scheme ggl --scheme rattle --step 0.02 --until 10");
  EXPECT_THAT(both.out, AllOf(HasSubstr(" of 500 steps were not taken as ggl on double-four-bar says: "),
                              Not(HasSubstr("as rattle on"))))
      << both.err;
  const Outcome orders =
      program("study orders double-four-bar --scheme ggl --precision double --until 1 --steps 50 60 70");
  EXPECT_THAT(orders.out, HasSubstr(" steps were not taken as ggl says: ")) << orders.err;
  const Outcome work =
      program("study work-precision double-four-bar --scheme ggl --until 1 --steps 50 60 --repetitions 1");
  EXPECT_THAT(work.out, HasSubstr(" of 50 steps were not taken as ggl says: ")) << work.err;
}

TEST(Remedies, ArchivesAndPagesKeepThem) {
  const Scratch archive("remedies.nc"), page("remedies.html"), clean("clean.nc");
  const std::string of = "run double-four-bar --step 0.02 --until 10 --archive '";
  const json told = program(of + archive.path.string() + "' --scheme ggl --json").json();
  const Archive kept = Archive::open(archive.path.string());
  EXPECT_THAT(kept.attribute("remedies"), HasSubstr(not_its_own));
  EXPECT_EQ(kept.attribute("remedies_rattle"), std::to_string(told["remedies"]["rattle"].get<int>()));
  EXPECT_THAT(program("show '" + archive.path.string() + "'").out, HasSubstr(not_its_own));
  const Outcome made = program("report '" + archive.path.string() + "' -o '" + page.path.string() + "'");
  if (made.err.find("built without") == std::string::npos) {
    EXPECT_EQ(made.exit_code, 0) << made.err;
    EXPECT_THAT(page.text(), HasSubstr(not_its_own));
  }
  program(of + clean.path.string() + "' --scheme rattle");
  EXPECT_EQ(Archive::open(clean.path.string()).attribute("remedies"), "");
  EXPECT_THAT(program("show '" + clean.path.string() + "'").out, Not(HasSubstr("remedies")));
}

}  // namespace
}  // namespace extremal::cli::remedies_test
