// extremal run --archive, extremal resume: what is left when a run is interrupted or killed, and how it goes on.
#include "extremal/archive.hpp"

#include <fcntl.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>
#include <tuple>

#include "cli/progress.hpp"
#include "full.hpp"
#include "program.hpp"

namespace extremal::cli {
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

void wait_for(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

// Starts the program, ends it by a signal some seconds after a file is there, and returns how it ended as waitpid says.
int end_by(int signal, double seconds, const std::filesystem::path& file, const std::vector<std::string>& arguments) {
  const pid_t child = fork();
  if (child < 0) return -1;  // and no signal: to -1 it would go to every process there is
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    std::vector<char*> words = {const_cast<char*>(EXTREMAL_PROGRAM)};
    for (const std::string& a : arguments) words.push_back(const_cast<char*>(a.c_str()));
    words.push_back(nullptr);
    execv(EXTREMAL_PROGRAM, words.data());
    _exit(127);
  }
  for (int k = 0; k < 6000 && !std::filesystem::exists(file); ++k) wait_for(0.005);
  wait_for(seconds);
  kill(child, signal);
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

using Words = std::vector<std::string>;

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

// Model, scheme, precision and a step so short that there is time to stop the run.
class Stopped : public testing::TestWithParam<std::tuple<std::string, std::string, std::string, std::string>> {};

TEST_P(Stopped, BySignalGoesOnBitForBit) {
  const auto [model, scheme, precision, step] = GetParam();
  const Place whole("whole.nc"), broken("broken.nc");
  const auto run = [&](const Place& place) {
    return Words{"run", model,     "--scheme", scheme,    "--precision", precision,   "--step",
                 step,  "--until", "1",        "--every", "31",          "--archive", place.path()};
  };
  std::string line;
  for (const std::string& word : run(whole)) line += "'" + word + "' ";
  const Outcome unbroken = program(line);
  ASSERT_EQ(unbroken.exit_code, 0) << unbroken.err;
  // However fast the machine is: the wait is halved until the run is caught.
  int status = 0;
  for (double wait = 0.3; wait > 0.001; wait /= 2) {
    std::filesystem::remove(broken.file.path);
    status = end_by(SIGINT, wait, broken.file.path, run(broken));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 3) break;
  }
  ASSERT_TRUE(WIFEXITED(status));
  ASSERT_EQ(WEXITSTATUS(status), 3);
  {
    const Archive archive = Archive::open(broken.path());
    EXPECT_EQ(archive.status(), "interrupted");
    EXPECT_GT(archive.rows(), 0u);
    EXPECT_LT(archive.rows(), Archive::open(whole.path()).rows());
    EXPECT_THAT(archive.attribute("reason"), HasSubstr("interrupted after step"));
    EXPECT_FALSE(std::filesystem::exists(broken.journal.path));
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
                         testing::Values(std::tuple{"pendulum", "rattle", "double", "1/524288"},
                                         std::tuple{"triple-pendulum", "spark(2)", "long-double", "1/32768"},
                                         std::tuple{"spherical-pendulum", "wenger(2, 2, lobatto(2))", "double",
                                                    "1/65536"}));

TEST(Archive, TermEndsARunCleanlyToo) {
  const Place place("term.nc");
  const int status = end_by(SIGTERM, 0.5, place.file.path,
                            {"run", "pendulum", "--scheme", "rattle", "--step", "1e-6", "--until", "1000", "--every",
                             "1000", "--archive", place.path()});
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_EQ(Archive::open(place.path()).status(), "interrupted");
}

// Killed again and again at random moments, the writing of the file and of the journal among them: every time the
// archive opens, and has what the unbroken run has, up to some row; in the end it is that run.
TEST(Archive, SurvivesKills) {
  const int kills = papers::full() ? 20 : 5;
  const Place whole("unkilled.nc"), broken("killed.nc");
  const auto run = [&](const Place& place) {
    return Words{"run",       "double-four-bar",
                 "--scheme",  "rattle",
                 "--step",    "0.0005",
                 "--until",   papers::full() ? "60" : "30",
                 "--every",   "20",
                 "--flush",   "0.02",
                 "--archive", place.path()};
  };
  std::string line;
  for (const std::string& word : run(whole)) line += "'" + word + "' ";
  const Outcome unbroken = program(line);
  ASSERT_EQ(unbroken.exit_code, 0) << unbroken.err;
  const Archive reference = Archive::open(whole.path());
  std::mt19937 random(20);
  std::uniform_real_distribution<double> wait(0.05, 0.35);
  std::size_t before = 0;
  int killed = 0;
  bool complete = false;  // on a fast machine before it was killed often enough
  for (int k = 0; k < kills; ++k) {
    const int status = end_by(SIGKILL, wait(random), broken.file.path,
                              k == 0 ? run(broken) : Words{"resume", broken.path(), "--flush", "0.02"});
    complete = !WIFSIGNALED(status);
    if (complete) break;
    ++killed;
    // As any program sees it ...
    EXPECT_THAT(shell("ncdump -h '" + broken.path() + "'"), HasSubstr("UNLIMITED"));
    // ... and with the journal.
    const Archive archive = Archive::open(broken.path());
    EXPECT_TRUE(archive.unfinished()) << archive.status();
    EXPECT_GE(archive.rows(), before) << "a flushed row was lost";
    before = archive.rows();
    ASSERT_LE(archive.rows(), reference.rows());
    for (const char* name : {"t", "bar 1.x", "energy"}) {
      std::vector<double> all = reference.column(name);
      all.resize(archive.rows());
      EXPECT_EQ(archive.column(name), all) << name;
    }
  }
  RecordProperty("kills", killed);
  RecordProperty("rows_when_killed_last", static_cast<int>(before));
  EXPECT_GT(killed, kills / 2);
  EXPECT_GT(before, 0u);
  if (!complete) {
    const Outcome resumed = program("resume '" + broken.path() + "'");
    EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_EQ(resumed.out, unbroken.out);
  }
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
  all << std::ifstream(std::filesystem::path(EXTREMAL_TEST_DATA) / ".." / ".." / "docs" / "archives.md").rdbuf();
  const std::string document = all.str();
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("extremal_docs_" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  std::size_t at = 0;
  const std::string command = between(document, "\n    extremal ", "\n", at);
  EXPECT_THAT(shell("cd '" + folder.string() + "' && '" EXTREMAL_PROGRAM "' " + command), HasSubstr("complete"));
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

// script(1) gives the program a terminal.
TEST(Progress, IsShownOnATerminalOnly) {
  if (shell("command -v script").starts_with("failed")) GTEST_SKIP() << "script is not installed";
  const std::string run = "run pendulum --scheme rattle --step 1e-7 --until 0.6 --every 10000000";
  EXPECT_THAT(shell("script -qec \"'" EXTREMAL_PROGRAM "' " + run + "\" /dev/null </dev/null"),
              AllOf(HasSubstr("steps/s"), HasSubstr("left")));
  EXPECT_EQ(program(run).err, "");
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

// A reader who follows the table sees its rows before the run ends.
TEST(Table, IsWrittenAsTheRunGoes) {
  const Scratch file("growing.csv");
  const int status = end_by(SIGKILL, 2.5, file.path,
                            {"run", "pendulum", "--scheme", "rattle", "--step", "1e-6", "--until", "1000", "--every",
                             "1000", "--csv", file.path.string()});
  ASSERT_TRUE(WIFSIGNALED(status));
  const std::string text = file.text();
  EXPECT_GT(std::count(text.begin(), text.end(), '\n'), 10);
}

}  // namespace
}  // namespace extremal::cli
