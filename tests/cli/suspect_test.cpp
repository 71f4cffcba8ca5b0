// What took all its steps but cannot be the motion, as the program tells it.
#include "extremal/archive.hpp"
#include "program.hpp"

namespace extremal::cli::suspect_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Suspect, TextJsonAndArchiveSayWhy) {
  const Outcome text = program("run pendulum --step 0.5 --until 1000");
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_THAT(text.out, AllOf(HasSubstr(": suspect\n"), HasSubstr("cannot be the motion; try step <= 0.25")));
  const Scratch archive("suspect.nc");
  const Outcome told = program("run pendulum --scheme 'spark(25)' --json --archive '" + archive.path.string() + "'");
  EXPECT_EQ(told.exit_code, 1);
  EXPECT_EQ(told.json()["status"], "suspect");
  EXPECT_THAT(told.json()["reason"].get<std::string>(), HasSubstr("cannot be the motion"));
  const Archive kept = Archive::open(archive.path.string());
  EXPECT_EQ(kept.status(), "suspect");
  EXPECT_EQ(kept.attribute("reason"), told.json()["reason"].get<std::string>());
}

TEST(Suspect, CompareTellsIt) {
  const Outcome both = program("compare pendulum rattle 'spark(25)' --until 5");
  EXPECT_EQ(both.exit_code, 1);
  EXPECT_THAT(both.out, HasSubstr("spark(25) suspect: "));
  EXPECT_EQ(both.out.find("rattle suspect"), std::string::npos);
}

// In lanes, too, where runs are seen at their rows only.
TEST(Suspect, SweepsCountThem) {
  const Scratch plan("suspect.toml"), archive("suspects.nc");
  std::ofstream(plan.path) << "model = \"oscillator\"\nscheme = \"rattle\"\nuntil = 40\n[vary]\nstep = [0.01, 1]\n";
  const Outcome sweep = program("sweep '" + plan.path.string() + "' --json --archive '" + archive.path.string() + "'");
  const json told = sweep.json();
  EXPECT_EQ(told["complete"], 1) << sweep.out << sweep.err;
  EXPECT_EQ(told["suspect"].get<int>() + told["failed"].get<int>(), 1) << sweep.out;
}

TEST(Suspect, WorkIsToldBesideTheEnergy) {
  const Outcome text = program("run pendulum-cartesian-damped");
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.out, HasSubstr("  work         "));
  EXPECT_THAT(text.out, HasSubstr(" dissipated"));
  const json told = program("run pendulum-cartesian-moving-pivot --json").json();
  EXPECT_GT(told["energy"]["supplied"].get<double>(), 0.1);
  EXPECT_LT(told["energy"]["max_error"].get<double>(), 1e-5);
}

}  // namespace
}  // namespace extremal::cli::suspect_test
