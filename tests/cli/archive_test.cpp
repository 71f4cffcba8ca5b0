// extremal run --archive, extremal resume: what is left when a run is interrupted or killed, and how it goes on.
#include "extremal/archive.hpp"

#include <signal.h>

#include <algorithm>
#include <tuple>

#include "cli/progress.hpp"
#include "places.hpp"
#include "program.hpp"

namespace extremal::cli::archive_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// An archive that this test case may write, with all that belongs to it.
struct Place {
  Scratch file, journal, part;
  explicit Place(const std::string& name) : file(name), journal(name + ".journal"), part(name + ".part") {}
  std::string path() const { return file.path.string(); }
};

std::string shell(const std::string& command) {
  std::string out;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return out;
  std::array<char, 4096> buffer;
  for (std::size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) out.append(buffer.data(), n);
  return pclose(pipe) == 0 ? out : "failed: " + command;
}

// What netCDF's own tool prints, from the data on, without what resume needs.
std::string dump(const std::string& path) {
  const std::string text = shell("ncdump -p 9,17 '" + path + "' 2>&1");
  const std::size_t data = text.find("\ndata:"), rest = text.find("\ngroup: resume");
  return data == std::string::npos ? text : text.substr(data, rest - data);
}

TEST(Archive, OpensInNetcdfsOwnTools) {
  const Place place("header.nc");
  const Outcome o =
      program("run pendulum --scheme 'spark(2)' --step 0.05 --until 5 --every 10 --set g=1.62 --archive '" +
              place.path() + "'");
  ASSERT_EQ(o.exit_code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("complete"));
  const std::string header = shell("ncdump -h '" + place.path() + "'");
  for (const char* text : {"time = UNLIMITED ; // (11 currently)",
                           "coordinate = 2 ;",
                           "double time(time)",
                           "double q(time, coordinate)",
                           "double lambda(time, constraint)",
                           "double energy(time)",
                           "time:units = \"s\"",
                           "energy:units = \"J\"",
                           "energy:long_name = \"energy H\"",
                           ":model = \"pendulum\"",
                           ":scheme = \"spark(2)\"",
                           ":step = \"0.05\"",
                           ":until = \"5\"",
                           ":precision = \"double\"",
                           ":status = \"complete\"",
                           ":steps = 100LL",
                           "\\\"g\\\":\\\"1.62\\\"",
                           ":command = \"extremal run pendulum --scheme \\\"spark(2)\\\"",
                           ":machine = ",
                           ":compiler = ",
                           ":version = "})
    EXPECT_THAT(header, HasSubstr(text));
  EXPECT_THAT(dump(place.path()), HasSubstr("coordinate = \"x\", \"y\""));
  // The same numbers as in the table.
  const std::string table = program(
                                "run pendulum --scheme 'spark(2)' --step 0.05 --until 5 --every 10 --set g=1.62 "
                                "--csv -")
                                .out;
  const Archive archive = Archive::open(place.path());
  std::string rebuilt;
  for (const ColumnInfo& column : archive.columns()) rebuilt += (rebuilt.empty() ? "" : ",") + column.name;
  std::vector<std::vector<double>> columns;
  for (const ColumnInfo& column : archive.columns()) columns.push_back(archive.column(column.name));
  for (std::size_t r = 0; r < archive.rows(); ++r)
    for (std::size_t c = 0; c < columns.size(); ++c) rebuilt += (c == 0 ? "\n" : ",") + to_text(columns[c][r]);
  EXPECT_EQ(rebuilt + "\n", table);
}

// Debian's xarray, where it is installed.
TEST(Archive, OpensInXarray) {
  if (shell("/usr/bin/python3 -c 'import xarray, netCDF4' 2>&1") != "")
    GTEST_SKIP() << "xarray and netCDF4 are not installed";
  const Place place("xarray.nc");
  ASSERT_EQ(program("run pendulum --until 1 --archive '" + place.path() + "'").exit_code, 0);
  const std::string said = shell("/usr/bin/python3 -c \"import xarray; d = xarray.open_dataset('" + place.path() +
                                 "'); print(d.sizes['time'], repr(float(d.q.sel(coordinate='y', time=0))), "
                                 "d.energy.units, d.time.dtype, d.model)\"");
  EXPECT_EQ(said, "21 -0.8 J float64 pendulum\n");
}

// Model, scheme and precision.
class Stopped : public testing::TestWithParam<std::tuple<std::string, std::string, std::string>> {};

TEST_P(Stopped, BySignalGoesOnBitForBit) {
  const auto [model, scheme, precision] = GetParam();
  const Place whole("whole.nc"), broken("broken.nc");
  const std::string run = "run " + model + " --scheme '" + scheme + "' --precision " + precision +
                          " --step 1/1024 --until 1 --every 31 --archive ";
  const Outcome unbroken = program(run + "'" + whole.path() + "'");
  ASSERT_EQ(unbroken.exit_code, 0) << unbroken.err;
  // In the first rows, on a row, and between two.
  std::string command = run;
  for (const int step : {3, 310, 1000}) {
    ASSERT_EQ(program(command + "'" + broken.path() + "'", "step " + std::to_string(step) + " INT").exit_code, 3);
    const Archive archive = Archive::open(broken.path());
    EXPECT_EQ(archive.status(), "interrupted");
    EXPECT_THAT(archive.attribute("reason"), HasSubstr("interrupted after step " + std::to_string(step) + ","));
    EXPECT_LT(archive.rows(), Archive::open(whole.path()).rows());
    EXPECT_FALSE(std::filesystem::exists(broken.journal.path));
    command = "resume ";
  }
  expect_refused("run pendulum --archive '" + broken.path() + "'", HasSubstr("extremal resume"));
  const Outcome resumed = program("resume '" + broken.path() + "'");
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(resumed.out, unbroken.out);  // the summary too
  EXPECT_EQ(resumed.err, "");            // no progress bar where there is no terminal
  EXPECT_EQ(dump(broken.path()), dump(whole.path()));
  expect_refused("resume '" + broken.path() + "'", HasSubstr("complete"));
}

INSTANTIATE_TEST_SUITE_P(Runs, Stopped,
                         testing::Values(std::tuple{"pendulum", "rattle", "double"},
                                         std::tuple{"triple-pendulum", "spark(2)", "long-double"},
                                         std::tuple{"spherical-pendulum", "wenger(2, 2, lobatto(2))", "double"}));

// By the rate of the model with rows at equally spaced times, and by that of the energies where the model has none.
TEST(Archive, OfAPacedRunGoesOnBitForBit) {
  const Scratch model("passage.toml");
  for (const std::string rate : {"[time]\nrate = \"sqrt(x^2 + y^2)\"\n", ""})
    for (const std::string pace : {"symplectic", "reversible"}) {
      std::ofstream(model.path) << "coordinates = [\"x\", \"y\"]\nkinetic = \"(x'^2 + y'^2)/2\"\n"
                                   "potential = \"-1/sqrt(x^2 + y^2)\"\n"
                                << rate << "[start]\nx = 1.8\nvelocity = { y = \"1/3\" }\n"
                                << (rate.empty() ? "" : "[run]\noutputs = 90\n");
      const Place whole("paced.nc"), broken("broken_paced.nc");
      const std::string run =
          "run '" + model.path.string() + "' --scheme 'spark(3)' --step 0.05 --until 9 --pace " + pace + " --archive ";
      const Outcome unbroken = program(run + "'" + whole.path() + "'");
      ASSERT_EQ(unbroken.exit_code, 0) << unbroken.err;
      ASSERT_EQ(program(run + "'" + broken.path() + "'", "step 50 INT").exit_code, 3);
      const Outcome resumed = program("resume '" + broken.path() + "'");
      EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
      EXPECT_EQ(resumed.out, unbroken.out);
      EXPECT_EQ(dump(broken.path()), dump(whole.path())) << pace;
      if (!rate.empty()) {
        EXPECT_EQ(Archive::open(whole.path()).rows(), 91U);
      }
    }
}

TEST(Archive, TermEndsARunCleanlyToo) {
  const Place place("term.nc");
  EXPECT_EQ(
      program("run pendulum --scheme rattle --until 100 --archive '" + place.path() + "'", "step 50 TERM").exit_code,
      3);
  EXPECT_EQ(Archive::open(place.path()).status(), "interrupted");
}

// Flushed as often as the run looks at the clock, which it does at steps 1, 3, 7, 15, ... and more often if they are
// slow. Killed between steps, with half of a record written, and before a new file takes its place: every time the
// archive opens, and has what the unbroken run has, up to some row; in the end it is that run.
TEST(Archive, SurvivesKills) {
  const Place whole("unkilled.nc"), broken("killed.nc");
  const std::string run =
      "run double-four-bar --scheme rattle --step 0.0005 --until 0.5 --every 5 --flush 1e-9 --archive ";
  const Outcome unbroken = program(run + "'" + whole.path() + "'");
  ASSERT_EQ(unbroken.exit_code, 0) << unbroken.err;
  const Archive reference = Archive::open(whole.path());
  // Before there is an archive: the same command begins again.
  EXPECT_EQ(program(run + "'" + broken.path() + "'", "publish 1 KILL").signal, SIGKILL);
  EXPECT_FALSE(std::filesystem::exists(broken.path()));
  std::size_t before = 0;
  std::string command = run + "'" + broken.path() + "'";
  for (const char* moment : {"step 200 KILL", "record 1 KILL", "record 3 KILL", "step 400 KILL", "step 600 KILL",
                             "record 2 KILL", "publish 1 KILL"}) {
    EXPECT_EQ(program(command, moment).signal, SIGKILL) << moment;
    command = "resume '" + broken.path() + "' --flush 1e-9";
    // As any program sees it ...
    EXPECT_THAT(shell("ncdump -h '" + broken.path() + "'"), HasSubstr("UNLIMITED"));
    // ... and with the journal.
    const Archive archive = Archive::open(broken.path());
    EXPECT_EQ(archive.status(), "killed") << moment;
    EXPECT_GE(archive.rows(), std::max<std::size_t>(before, 10)) << moment << ": a flushed row was lost";
    before = archive.rows();
    ASSERT_LE(archive.rows(), reference.rows());
    for (const char* name : {"t", "bar 1.x", "energy"}) {
      std::vector<double> all = reference.column(name);
      all.resize(archive.rows());
      EXPECT_EQ(archive.column(name), all) << name;
    }
  }
  const Outcome resumed = program("resume '" + broken.path() + "'");
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(resumed.out, unbroken.out);
  EXPECT_EQ(dump(broken.path()), dump(whole.path()));
  EXPECT_FALSE(std::filesystem::exists(broken.journal.path));
}

// The text after `begin` up to `end`; empty if there is none. The search starts at `from`, which is moved behind it.
std::string between(const std::string& text, const std::string& begin, const std::string& end, std::size_t& from) {
  const std::size_t at = text.find(begin, from);
  if (at == std::string::npos) return {};
  const std::size_t stop = text.find(end, at + begin.size());
  if (stop == std::string::npos) return {};
  from = stop;
  return text.substr(at + begin.size(), stop - at - begin.size());
}

// docs/archives.md: its first command is run as it stands there.
TEST(Archive, IsAsTheDocumentSays) {
  std::ostringstream all;
  all << std::ifstream(std::filesystem::path(places::data) / ".." / ".." / "docs" / "archives.md").rdbuf();
  const std::string document = all.str();
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("extremal_docs_" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  std::size_t at = 0;
  const std::string command = between(document, "\n    extremal ", "\n", at);
  EXPECT_THAT(shell("cd '" + folder.string() + "' && '" + std::string(places::program) + "' " + command),
              HasSubstr("complete"));
  const bool python = shell("/usr/bin/python3 -c 'import xarray, netCDF4, h5py' 2>&1").empty();
  for (int k = 0; k < 2; ++k) {
    const std::string program = between(document, "```python\n", "```", at),
                      printed = between(document, "```text\n", "```", at);
    EXPECT_THAT(program, HasSubstr("pendulum.nc"));
    std::ofstream(folder / "program.py") << program;
    if (python) {
      EXPECT_EQ(shell("cd '" + folder.string() + "' && /usr/bin/python3 program.py"), printed);
    }
  }
  const std::string layout = between(document, "```text\n", "```", at);
  EXPECT_THAT(layout, HasSubstr("double q(time, coordinate) ;"));
  EXPECT_THAT(shell("ncdump -h '" + (folder / "pendulum.nc").string() + "'"), HasSubstr(layout));
  std::filesystem::remove_all(folder);
}

TEST(Progress, SaysHowFarHowFastAndHowLong) {
  EXPECT_EQ(progress_line({.step = 250, .steps = 1000, .t = 2.5}, 0, 2),
            "[######..................]  25 %  t = 2.5  125 steps/s  6 s left");
  // After a resume the rate is that of this part.
  EXPECT_EQ(progress_line({.step = 600, .steps = 1000, .t = 6}, 500, 100),
            "[##############..........]  60 %  t = 6  1 steps/s  6 min 40 s left");
  EXPECT_THAT(progress_line({.step = 1, .steps = 1000000, .t = 0}, 0, 1), HasSubstr("277 h 46 min left"));
}

// script(1) gives the program a terminal. The run is longer than any test, and ends with its terminal when its line was
// seen.
TEST(Progress, IsShownOnATerminalOnly) {
  if (shell("command -v script").starts_with("failed")) GTEST_SKIP() << "script is not installed";
  const std::string run = "run pendulum --scheme rattle --step 1e-7 --every 10000000 --until ";
  FILE* pipe = popen(
      ("echo $$; exec script -qec \"exec '" + std::string(places::program) + "' " + run + "1e6\" /dev/null </dev/null")
          .c_str(),
      "r");
  ASSERT_NE(pipe, nullptr);
  std::string said;
  for (int c; said.find("left") == std::string::npos && (c = fgetc(pipe)) != EOF;) said += static_cast<char>(c);
  const pid_t terminal = std::stoi(said);
  ASSERT_GT(terminal, 1);
  kill(terminal, SIGKILL);
  pclose(pipe);
  EXPECT_THAT(said, AllOf(HasSubstr("steps/s"), HasSubstr("left")));
  EXPECT_EQ(program(run + "0.6").err, "");
}

TEST(Archive, KeepsTheDataOfAFailedRun) {
  const Place place("failed.nc");
  const Outcome o =
      program("run pendulum --scheme rattle --start v:x=40 --start v:y=30 --step 1 --until 100 --archive '" +
              place.path() + "'");
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_EQ(Archive::open(place.path()).status(), "failed");
  expect_refused("resume '" + place.path() + "'", HasSubstr("failed"));
}

TEST(Archive, RefusesPlacesThatCannotBe) {
  expect_refused("run pendulum --archive /nowhere/run.nc", HasSubstr("/nowhere/run.nc"));
  expect_refused("resume /nowhere/run.nc", AllOf(HasSubstr("/nowhere/run.nc"), HasSubstr("no such file")));
  expect_refused("run pendulum --flush 0 --archive x.nc", HasSubstr("flush"));
  const Place place("text.nc");
  std::ofstream(place.file.path) << "t,x\n";
  expect_refused("run pendulum --archive '" + place.path() + "'", HasSubstr("no archive"));
  expect_refused("resume '" + place.path() + "'", HasSubstr("netCDF"));
}

// A reader who follows the table sees its rows before the run ends: the first ones at once.
TEST(Table, IsWrittenAsTheRunGoes) {
  const Scratch file("growing.csv");
  EXPECT_EQ(
      program("run pendulum --scheme rattle --until 100 --csv '" + file.path.string() + "'", "step 2 KILL").signal,
      SIGKILL);
  EXPECT_THAT(file.text(), testing::StartsWith("t,x,y,"));
  EXPECT_THAT(file.text(), HasSubstr("\n0,"));
}

}  // namespace
}  // namespace extremal::cli::archive_test
