// Which multipliers a run reports: on the command line, in a model file, in the archive, and when it is resumed.
#include <cmath>

#include "extremal/archive.hpp"
#include "program.hpp"

namespace extremal::cli::multipliers_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const char* const run_pendulum = "run pendulum --scheme 'spark(2)' --step 0.05 --until 1 ";

double tension(const json& j) { return j["final"]["lambda"]["rod"]; }

// Of the state itself: m v^2 / l - m g y.
double tension_of_state(const json& j) {
  const double y = j["final"]["q"]["y"], u = j["final"]["v"]["x"], v = j["final"]["v"]["y"];
  return u * u + v * v - 9.81 * y;
}

TEST(Multipliers, AreThoseOfTheMotionUnlessAskedOtherwise) {
  const json motion = program(std::string(run_pendulum) + "--json").json(),
             scheme = program(std::string(run_pendulum) + "--multipliers scheme --json").json();
  EXPECT_NEAR(tension(motion), tension_of_state(motion), 1e-12);
  EXPECT_GT(std::fabs(tension(scheme) - tension_of_state(scheme)), 1e-5);
  EXPECT_EQ(motion["final"]["q"], scheme["final"]["q"]);
  EXPECT_EQ(scheme["notes"], json::array({"spark(2): lambda is the scheme's own multiplier"}));
  expect_refused(std::string(run_pendulum) + "--multipliers own",
                 AllOf(HasSubstr("--multipliers"), HasSubstr("motion"), HasSubstr("scheme")));
}

TEST(Multipliers, AreAKeyOfTheModelFile) {
  const Scratch scheme("scheme.toml"), wrong("wrong.toml");
  const std::string text =
      "coordinates = ['x', 'y']\nkinetic = \"(x'^2 + y'^2)/2\"\npotential = '9.81*y'\n"
      "[[constraint]]\nname = 'rod'\nformula = '(x^2 + y^2 - 1)/2'\n[start]\nx = 1\n"
      "[run]\nscheme = 'spark(2)'\nstep = 0.05\nuntil = 1\n";
  std::ofstream(scheme.path) << text << "multipliers = 'scheme'\n";
  std::ofstream(wrong.path) << text << "multipliers = 'mine'\n";
  const std::string run_file = "run " + scheme.path.string();
  const json own = program(run_file + " --json").json(),
             motion = program(run_file + " --multipliers motion --json").json();
  EXPECT_GT(std::fabs(tension(own) - tension_of_state(own)), 1e-5);
  EXPECT_NEAR(tension(motion), tension_of_state(motion), 1e-12);
  expect_refused("run " + wrong.path.string(),
                 AllOf(HasSubstr("wrong.toml:13"), HasSubstr("mine"), HasSubstr("motion"), HasSubstr("scheme")));
}

TEST(Multipliers, AreKeptByTheArchiveAndByResume) {
  const Scratch whole_file("whole.nc"), parts_file("parts.nc");
  const std::string whole = whole_file.path.string(), parts = parts_file.path.string();
  const std::string how = std::string(run_pendulum) + "--multipliers scheme --archive ";
  EXPECT_EQ(program(how + whole).exit_code, 0);
  EXPECT_EQ(program(how + parts, "step 10 INT").exit_code, 3);
  EXPECT_EQ(program("resume " + parts).exit_code, 0);
  const Archive a = Archive::open(whole), b = Archive::open(parts);
  EXPECT_EQ(a.attribute("multipliers"), "scheme");
  EXPECT_EQ(a.column("lambda:rod"), b.column("lambda:rod"));
}

}  // namespace
}  // namespace extremal::cli::multipliers_test
