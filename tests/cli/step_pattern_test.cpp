// Steps of different length and columns on request: on the command line, in the archive, and when it is resumed.
#include <algorithm>
#include <regex>

#include "extremal/archive.hpp"
#include "program.hpp"
#include "well_formed.hpp"

namespace extremal::cli::step_pattern_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Pattern, IsKeptByTheArchiveAndByResume) {
  const Scratch whole_file("whole.nc"), parts_file("parts.nc");
  const std::string whole = whole_file.path.string(), parts = parts_file.path.string();
  const std::string how =
      "run pendulum --scheme ggl --step 0.02 --until 6 --pattern 1 1.5 0.5 --extra-columns hidden gamma --archive ";
  EXPECT_EQ(program(how + whole).exit_code, 0);
  EXPECT_EQ(program(how + parts, "step 100 INT").exit_code, 3);
  EXPECT_EQ(program("resume " + parts).exit_code, 0);
  const Archive a = Archive::open(whole), b = Archive::open(parts);
  EXPECT_EQ(a.attribute("pattern"), "[\"1\",\"1.5\",\"0.5\"]");
  EXPECT_EQ(a.provenance().span.extra_columns, (std::vector<std::string>{"hidden", "gamma"}));
  for (const char* name : {"t", "x", "p:y", "energy", "hidden:rod", "gamma:rod"})
    EXPECT_EQ(a.column(name), b.column(name)) << name;
  EXPECT_EQ(a.column("t").size(), 301U);
  EXPECT_THAT(program("show " + parts).out, HasSubstr("step 0.02 times 1, 1.5, 0.5, until 6"));
  const Scratch page("page.html");
  EXPECT_EQ(program("report " + whole + " -o " + page.path.string()).exit_code, 0);
  EXPECT_THAT(page.text(), AllOf(HasSubstr("Multipliers of the hidden constraints"), Not(HasSubstr("\"no drift\""))));
}

TEST(Pattern, IsToldAndRefused) {
  const Outcome o = program("run pendulum --scheme rattle --pattern 1 1.5 0.5 --until 30");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_THAT(o.out, AllOf(HasSubstr("times a pattern of 3"), HasSubstr("no modified energy in common")));
  expect_refused("run pendulum --pattern 1 x", HasSubstr("--pattern"));
  expect_refused("run pendulum --pattern 1 1.5 --until 0.3 --step 0.1", HasSubstr("middle of a step"));
  expect_refused("run pendulum --extra-columns hidden energy", HasSubstr("--extra-columns"));
  expect_refused("run pendulum --extra-columns gamma", HasSubstr("no multiplier of G v = 0"));
}

TEST(Pattern, LawsOfEnergyAreNotMeasured) {
  const Scratch file("uneven.toml");
  std::ofstream(file.path) << "coordinates = ['x']\nkinetic = \"x'^2/2\"\npotential = '-cos(x)'\n[start]\nx = 1\n"
                              "[run]\nstep = 0.1\nuntil = 30\npattern = [1, 2]\nscheme = 'rattle'\n";
  const Outcome o = program("check " + file.path.string());
  EXPECT_EQ(o.exit_code, 0) << o.out << o.err;
  EXPECT_TRUE(std::regex_search(o.out, std::regex("energy drift.*not measurable"))) << o.out;
}

TEST(Draw, MakesAPictureOfColumns) {
  const Scratch plot("draw.svg");
  const std::string place = plot.path.string();
  const Outcome o =
      program("run pendulum --scheme ggl --extra-columns hidden --draw 'hidden:*' energy --plot " + place);
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_EQ(xml_mistake(plot.text()), "");
  EXPECT_THAT(plot.text(), AllOf(HasSubstr("hidden:rod"), HasSubstr("energy")));
  // Axes say what is drawn.
  EXPECT_THAT(plot.text(), AllOf(HasSubstr(">G v + g_t<"), HasSubstr(">energy H, J<")));
  expect_refused("run pendulum --draw energy", HasSubstr("--plot"));
  expect_refused("run pendulum --draw enrgy --plot " + place, HasSubstr("energy"));
}

// Of the longest curve of a picture.
std::ptrdiff_t points(const std::string& svg) {
  std::ptrdiff_t most = 0;
  const std::regex curve("<polyline points=\"([^\"]*)\"");
  for (auto at = std::sregex_iterator(svg.begin(), svg.end(), curve); at != std::sregex_iterator(); ++at)
    most = std::max(most, std::count((*at)[1].first, (*at)[1].second, ','));
  return most;
}

// From one row to the next, so that there is one less; with * too.
TEST(Draw, MakesAPictureOfIncrements) {
  const Scratch plot("increments.svg");
  const std::string run = "run pendulum --until 1 --plot " + plot.path.string() + " --draw ";
  EXPECT_EQ(program(run + "energy").exit_code, 0);
  EXPECT_EQ(points(plot.text()), 21);
  const Outcome o = program(run + "increment:energy");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_EQ(xml_mistake(plot.text()), "");
  EXPECT_THAT(plot.text(), HasSubstr(">increment of energy H, J<"));
  EXPECT_EQ(points(plot.text()), 20);
  EXPECT_EQ(program(run + "'increment:p:*'").exit_code, 0);
  EXPECT_THAT(plot.text(), AllOf(HasSubstr("increment of "), HasSubstr("p:x"), HasSubstr("p:y")));
  expect_refused(run + "increment:enrgy", AllOf(HasSubstr("\"enrgy\""), HasSubstr("energy")));
}

TEST(StudyArea, FollowsASetOfStarts) {
  const Scratch plot("area.svg");
  const Outcome o = program("study area --json --plot " + plot.path.string());
  EXPECT_EQ(o.exit_code, 0) << o.err;
  const json all = o.json();
  ASSERT_EQ(all["series"].size(), 4U);
  EXPECT_NEAR(all["series"][0]["looks"][0]["area"].get<double>(), 16, 1e-9);
  EXPECT_NEAR(all["series"][0]["looks"][4]["area"].get<double>(), 16, 1e-6);
  EXPECT_EQ(all["series"][0]["keeps"], true);
  EXPECT_EQ(all["series"][2]["keeps"], false);
  EXPECT_EQ(xml_mistake(plot.text()), "");
  EXPECT_THAT(plot.text(), AllOf(HasSubstr("<polygon"), HasSubstr("area 16")));
}

TEST(StudyArea, Refuses) {
  expect_refused("study area hoop", HasSubstr("--box"));
  expect_refused("study area hoop --box 'theta=0..1'", HasSubstr("expected two"));
  expect_refused("study area hoop --box 'theta=0, p:theta=1'", HasSubstr("NAME=FROM..TO"));
  expect_refused("study area hoop --box 'teta=0..1, p:theta=0..1'", HasSubstr("theta"));
  expect_refused("study area hoop --paper lewmata", HasSubstr("expected one of them"));
}

}  // namespace
}  // namespace extremal::cli::step_pattern_test
