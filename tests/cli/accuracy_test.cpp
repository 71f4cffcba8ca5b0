// extremal run --accuracy: the step that trials choose, as users see it.
#include <csignal>

#include "extremal/archive.hpp"
#include "program.hpp"

namespace extremal::cli::accuracy_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Accuracy, TextSaysWhatWasTried) {
  const Outcome o = program("run pendulum --until 2 --accuracy 1e-9");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_THAT(o.out, AllOf(HasSubstr("accuracy     1e-9 of positions wanted: "), HasSubstr(" steps, error about "),
                           HasSubstr("of rounding about "), HasSubstr("difference   slope   seconds"),
                           HasSubstr("in long-double")));
}

TEST(Accuracy, JsonHasTheTable) {
  const json run = program("run pendulum --until 2 --accuracy 1e-9 --json").json();
  const json& accuracy = run["accuracy"];
  EXPECT_EQ(accuracy["wanted"], "1e-9");
  EXPECT_EQ(accuracy["steps"], run["steps"]);
  EXPECT_EQ(accuracy["order"], 6);
  EXPECT_GT(accuracy["predicted"].get<double>(), 1e-13);
  EXPECT_LE(accuracy["predicted"].get<double>(), 0.5000001e-9);
  EXPECT_LT(accuracy["rounding"].get<double>(), 1e-13);
  ASSERT_GE(accuracy["trials"].size(), 3u);
  for (std::size_t k = 1; k < 3; ++k)
    EXPECT_EQ(accuracy["trials"][k]["steps"], 2 * accuracy["trials"][k - 1]["steps"].get<long long>());
  EXPECT_FALSE(program("run pendulum --until 2 --json").json().contains("accuracy"));
}

// With rows, times inside of steps, a table and a picture: as a run by the chosen step.
TEST(Accuracy, GoesWithOutput) {
  const Scratch table("accuracy.csv"), same("same.csv"), picture("accuracy.svg");
  const std::string rest = " --every 4 --at 0.5 1.25 --json --csv '";
  const Outcome found = program("run pendulum --until 2 --accuracy 1e-6 --plot '" + picture.path.string() + "'" + rest +
                                table.path.string() + "'");
  ASSERT_EQ(found.exit_code, 0) << found.err;
  const json told = found.json();
  const Outcome plain = program("run pendulum --until 2 --step '" + told["accuracy"]["step"].get<std::string>() + "'" +
                                rest + same.path.string() + "'");
  EXPECT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_EQ(table.text(), same.text());
  EXPECT_EQ(told["dense"], plain.json()["dense"]);
  EXPECT_THAT(picture.text(), HasSubstr("<svg"));
}

TEST(Accuracy, ModelsSayIt) {
  const Scratch model("oscillator.toml"), archive("oscillator.nc");
  std::ofstream(model.path)
      << "coordinates = [\"x\"]\nkinetic = \"x'^2/2\"\npotential = \"1 - cos(x)\"\n[start]\nx = 1\n"
         "[run]\nscheme = \"rattle\"\nuntil = 3\naccuracy = 1e-6\noutputs = 10\n";
  const std::string name = "'" + model.path.string() + "'";
  const Outcome run = program("run " + name + " --json --archive '" + archive.path.string() + "'");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.json()["steps"].get<int>() % 10, 0);
  const Archive kept = Archive::open(archive.path.string());
  EXPECT_EQ(kept.rows(), 11u);
  EXPECT_EQ(kept.attribute("step"), run.json()["accuracy"]["step"]);
  EXPECT_EQ(kept.attribute("accuracy"), "1e-6");
  EXPECT_EQ(json::parse(kept.attribute("accuracy_trials")), run.json()["accuracy"]);
  // A step that is said afterwards goes before it.
  EXPECT_FALSE(program("run " + name + " --step 0.1 --json").json().contains("accuracy"));
}

TEST(Accuracy, IsRefusedWhereItHasNoMeaning) {
  expect_refused("run pendulum --accuracy 1e-6 --step 0.1", HasSubstr("--step too"));
  expect_refused("run pendulum --accuracy 2", HasSubstr("between 0 and 1"));
  expect_refused("run pendulum --accuracy -1e-6", HasSubstr("between 0 and 1"));
  expect_refused("run pendulum --accuracy fine", HasSubstr("--accuracy"));
  expect_refused("run pendulum --accuracy 1e-6 --pattern 1 2", HasSubstr("pattern of steps"));
  expect_refused("run pendulum --accuracy 1e-6 --pace reversible", HasSubstr("reversible pace"));
  expect_refused("run pendulum --accuracy 1e-6 --start next:x=1", HasSubstr("two positions"));
  const Scratch model("steps.toml");
  std::ofstream(model.path)
      << "coordinates = [\"x\"]\nkinetic = \"x'^2/2\"\n[run]\nuntil = 3\nsteps = 5\naccuracy = 1e-6\n";
  expect_refused("run '" + model.path.string() + "'", HasSubstr("steps and an accuracy"));
  const Scratch plan("plan.toml"), base("base.toml");
  std::ofstream(base.path) << "coordinates = [\"x\"]\nkinetic = \"x'^2/2\"\n[run]\nuntil = 3\naccuracy = 1e-6\n";
  std::ofstream(plan.path) << "model = \"" << base.path.string() << "\"\n[vary]\nx = [1, 2]\n";
  expect_refused("sweep '" + plan.path.string() + "'", HasSubstr("found an accuracy of 1e-6"));
  const Scratch rows("rows.nc");
  const std::string with_step = "sweep '" + plan.path.string() + "' --step 0.1 --archive '" + rows.path.string() + "'";
  EXPECT_EQ(program(with_step).exit_code, 0);
}

// More than rounding leaves.
TEST(Accuracy, SaysWhatIsAttainable) {
  const Outcome text = program("run pendulum --until 20 --accuracy 1e-17");
  EXPECT_EQ(text.exit_code, 2);
  EXPECT_EQ(text.out, "");
  EXPECT_THAT(text.err, AllOf(HasSubstr("errors of rounding grow by"), HasSubstr("attainable in double about"),
                              HasSubstr("try precision long-double"), HasSubstr("difference   slope")));
  const Outcome told = program("run pendulum --until 20 --accuracy 1e-17 --json");
  EXPECT_EQ(told.exit_code, 2);
  EXPECT_EQ(told.json()["status"], "refused");
  EXPECT_THAT(told.json()["reason"].get<std::string>(), HasSubstr("attainable"));
  EXPECT_GE(told.json()["accuracy"]["trials"].size(), 3u);
  EXPECT_EQ(program("run pendulum --until 2 --accuracy 1e-17 --precision quad").exit_code, 0);
}

// Ctrl-C before there is a run leaves nothing.
TEST(Accuracy, TrialsAreInterrupted) {
  const Scratch archive("interrupted.nc");
  const Outcome o = program("run pendulum --accuracy 1e-9 --archive '" + archive.path.string() + "'", "step 20 INT");
  EXPECT_EQ(o.exit_code, 3) << o.err;
  EXPECT_EQ(o.out, "");
  EXPECT_EQ(o.err, "extremal: interrupted\n");
  EXPECT_FALSE(std::filesystem::exists(archive.path));
  EXPECT_FALSE(std::filesystem::exists(archive.path.string() + ".journal"));
}

// Killed in the run itself: resume goes on with the chosen step, without trials.
TEST(Accuracy, IsResumed) {
  const Scratch whole("whole.nc"), broken("broken.nc"), journal("broken.nc.journal");
  const std::string run = "run spherical-pendulum --scheme rattle --until 3 --accuracy 1e-6 --json --archive '";
  const json reference = program(run + whole.path.string() + "'").json();
  EXPECT_EQ(program(run + broken.path.string() + "'", "record 1 KILL").signal, SIGKILL);
  const Outcome resumed = program("resume '" + broken.path.string() + "' --json");
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(resumed.json()["final"], reference["final"]);
  EXPECT_EQ(resumed.json()["steps"], reference["steps"]);
  EXPECT_FALSE(resumed.json().contains("accuracy"));
  const Archive a = Archive::open(whole.path.string()), b = Archive::open(broken.path.string());
  EXPECT_EQ(a.column("x"), b.column("x"));
  for (const char* name : {"step", "accuracy"}) EXPECT_EQ(a.attribute(name), b.attribute(name));
  EXPECT_EQ(json::parse(b.attribute("accuracy_trials"))["steps"], reference["steps"]);
}

}  // namespace
}  // namespace extremal::cli::accuracy_test
