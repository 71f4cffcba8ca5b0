// Files that the program reads and writes: what it refuses to read or to write over, names, links, full disks, signals.
#include <fcntl.h>
#include <signal.h>

#include <fstream>

#include "extremal/archive.hpp"
#include "places.hpp"
#include "program.hpp"

namespace extremal::cli::files_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A folder that this test case may fill.
struct FilesFolder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("extremal_files_" + std::to_string(getpid()));
  FilesFolder() {
    std::filesystem::remove_all(path);
    std::filesystem::create_directory(path);
  }
  FilesFolder(const FilesFolder&) = delete;
  FilesFolder& operator=(const FilesFolder&) = delete;
  ~FilesFolder() { std::filesystem::remove_all(path); }
  std::string at(const std::string& name) const { return "'" + (path / name).string() + "'"; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return at(name);
  }
  std::string text(const std::string& name) const {
    std::ifstream in(path / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(path)) all.push_back(entry.path().filename().string());
    std::sort(all.begin(), all.end());
    return all;
  }
};

std::string output_of(const std::string& command) {
  std::string out;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return out;
  std::array<char, 4096> buffer;
  for (std::size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) out.append(buffer.data(), n);
  pclose(pipe);
  return out;
}

const std::string files_run = "run pendulum --scheme rattle --until 1 ";

TEST(Files, AreNotWrittenOverUnlessTheyAreOurs) {
  const FilesFolder folder;
  const std::string letter = folder.write("letter.txt", "dear reader\n");
  expect_refused(files_run + "--csv " + letter, AllOf(HasSubstr("not a table"), HasSubstr("expected a new name")));
  expect_refused("study orders pendulum --scheme rattle --plot " + letter, HasSubstr(".svg"));
  expect_refused("study orders pendulum --scheme rattle --plot " + folder.at("x.png"), HasSubstr("plots are SVG"));
  expect_refused("study orders pendulum --scheme rattle --plot " + folder.write("x.svg", "dear reader\n"),
                 HasSubstr("not a plot"));
  expect_refused(files_run + "--csv " + folder.at("."), HasSubstr("folder"));
  EXPECT_EQ(folder.text("letter.txt"), "dear reader\n");
  // A table of before is replaced, as an archive is.
  for (int k = 0; k < 2; ++k) EXPECT_EQ(program(files_run + "--csv " + folder.at("run.csv")).exit_code, 0);
  EXPECT_THAT(folder.text("run.csv"), testing::StartsWith("t,x,y,"));
  for (const char* option : {"--archive", "--csv"})
    expect_refused(files_run + option + " ''", AllOf(HasSubstr(option), HasSubstr("found no name")));
}

TEST(Files, LinksAreFollowed) {
  const FilesFolder folder;
  std::filesystem::create_directory(folder.path / "elsewhere");
  std::filesystem::create_symlink("elsewhere/run.nc", folder.path / "link.nc");
  EXPECT_EQ(program(files_run + "--archive " + folder.at("link.nc"), "step 10 INT").exit_code, 3);
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path / "link.nc"));
  EXPECT_EQ(program("resume " + folder.at("link.nc"), "step 15 KILL").signal, SIGKILL);
  EXPECT_EQ(program("resume " + folder.at("link.nc")).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path / "link.nc"));
  EXPECT_EQ(Archive::open((folder.path / "elsewhere/run.nc").string()).status(), "complete");
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"elsewhere", "link.nc"}));
}

// netCDF's own tools write an archive as text and make one of it again, with names that need care.
TEST(Files, ArchivesGoThroughCdl) {
  if (output_of("command -v ncgen").empty()) GTEST_SKIP() << "ncgen is not installed";
  const FilesFolder folder;
  const std::string model = folder.write("odd.toml",
                                         "name = \"odd\"\ncoordinates = [\"x\"]\nkinetic = \"x'^2/2\"\n"
                                         "potential = \"x^2/2\"\n[start]\nx = 1\n[run]\nstep = 0.1\nuntil = 1\n"
                                         "[[symmetry]]\nname = \"rotation x/y \"\nalong = { x = 1 }\n"
                                         "[observe]\n\"double\" = \"x\"\n\"100 %, of/ x \" = \"2*x\"\nx = \"3*x\"\n"
                                         "\"\\u03c6\" = \"x\"\nenergy = \"5*x\"\n");
  const Outcome o =
      program("run " + model + " --json --csv " + folder.at("run.csv") + " --archive " + folder.at("run.nc"));
  ASSERT_EQ(o.exit_code, 0) << o.err;
  const double x = o.json()["final"]["q"]["x"];
  EXPECT_EQ(o.json()["final"]["observed"]["x"], 3 * x);
  EXPECT_EQ(o.json()["final"]["observed"]["energy"], 5 * x);
  EXPECT_EQ(o.json()["final"]["observed"]["100 %, of/ x "], 2 * x);
  const std::string head = folder.text("run.csv").substr(0, folder.text("run.csv").find('\n'));
  EXPECT_THAT(head, AllOf(HasSubstr(",double,\"100 %, of/ x \",observer:x,\u03c6,observer:energy"),
                          HasSubstr("momentum:rotation x/y ")));
  const Archive archive = Archive::open((folder.path / "run.nc").string());
  EXPECT_EQ(archive.column("100 %, of/ x ").back(), 2 * x);
  EXPECT_EQ(archive.column("observer:energy").back(), 5 * x);
  EXPECT_EQ(output_of("ncdump " + folder.at("run.nc") + " > " + folder.at("run.cdl") + " && ncgen -4 -o " +
                      folder.at("again.nc") + " " + folder.at("run.cdl")),
            "");
  const auto data = [&](const char* name) {
    const std::string text = output_of("ncdump " + folder.at(name));
    return text.substr(text.find("dimensions:"));
  };
  EXPECT_EQ(data("again.nc"), data("run.nc"));
  EXPECT_THAT(program("show " + folder.at("run.nc")).out, AllOf(HasSubstr("a run of"), HasSubstr("complete")));
  expect_refused("show " + folder.at("again.nc"), HasSubstr("the sum at its end is missing"));
}

TEST(Files, OfAnotherKindAreRefusedByTheirKind) {
  const FilesFolder folder;
  ASSERT_EQ(program(files_run + "--archive " + folder.at("run.nc")).exit_code, 0);
  const std::string sweep =
      folder.write("sweep.toml", "model = \"pendulum\"\nscheme = \"rattle\"\nuntil = 1\n[vary]\nm = [1, 2]\n");
  ASSERT_EQ(program("sweep " + sweep + " --archive " + folder.at("sweep.nc")).exit_code, 0);
  for (const char* command : {"check ", "run ", "study orders "})
    expect_refused(command + folder.at("run.nc"), AllOf(HasSubstr("found an archive"), HasSubstr("extremal report")));
  EXPECT_THAT(program("show " + folder.at("run.nc")).out, HasSubstr("rows         21, up to t = 1"));
  EXPECT_EQ(program("show --json " + folder.at("run.nc")).json()["rows"], 21);
  expect_refused("run " + folder.at("."), HasSubstr("found a folder"));
  expect_refused("resume " + folder.at("."), HasSubstr("found a folder"));
  expect_refused("sweep " + folder.at("."), HasSubstr("found a folder; expected a sweep file"));
  for (const char* archive : {"run.nc", "sweep.nc"})
    expect_refused("sweep " + folder.at(archive), AllOf(HasSubstr("found an archive"), HasSubstr("try extremal show")));
  expect_refused("sweep pendulum", AllOf(HasSubstr("found a model"), HasSubstr("model = \"pendulum\"")));
  if (const Outcome o = program("report " + folder.at("sweep.nc")); o.err.find("npm") == std::string::npos) {
    expect_refused("report " + folder.at("sweep.nc"),
                   AllOf(HasSubstr("archive of a sweep"), HasSubstr("extremal show")));
    expect_refused("report " + sweep, AllOf(HasSubstr("found a model"), HasSubstr("--archive")));
    expect_refused("report " + folder.at("run.nc") + " -o " + folder.write("own.html", "<html>mine</html>"),
                   HasSubstr("not a page"));
  }
}

TEST(Files, TooManyStepsAreRefused) {
  expect_refused("run pendulum --step 1e-19 --until 1", HasSubstr("expected at most 9007199254740992"));
  const FilesFolder folder;
  const std::string sweep = folder.write(
      "sweep.toml",
      "model = \"pendulum\"\nscheme = \"rattle\"\nstep = 1e-19\nuntil = 1\nevery = 10\n[vary]\nm = [1, 2]\n");
  expect_refused("sweep " + sweep + " --archive " + folder.at("x.nc"), HasSubstr("expected at most 9007199254740992"));
}

TEST(Files, SizesOfSweepsAreToldBefore) {
  const FilesFolder folder;
  const std::string sweep =
      folder.write("large.toml",
                   "model = \"pendulum\"\nscheme = \"rattle\"\nuntil = 1\n[vary]\n"
                   "m = { from = 1, to = 2, count = 100000 }\nl = { from = 1, to = 2, count = 1000 }\n");
  expect_refused("sweep " + sweep + " --archive " + folder.at("large.nc"),
                 AllOf(HasSubstr("100000000 runs"), HasSubstr("GB; expected at most 1 GB"), HasSubstr("--size-limit")));
  EXPECT_EQ(folder.names(), std::vector<std::string>{"large.toml"});
  // What is not computed takes no room: a sweep of a million runs that is stopped after its first blocks.
  const std::string million = folder.write("million.toml",
                                           "model = \"pendulum\"\nscheme = \"rattle\"\nuntil = 0.1\n[vary]\n"
                                           "m = { from = 1, to = 2, count = 1000000 }\n");
  const Outcome o = program("sweep " + million + " --threads 1 --archive " + folder.at("million.nc"), "block 3 TERM");
  EXPECT_EQ(o.exit_code, 3) << o.err;
  EXPECT_THAT(o.err, HasSubstr("1000000 runs of"));
  EXPECT_LT(std::filesystem::file_size(folder.path / "million.nc"), 4000000u);
}

TEST(Signals, AreHeardWhileAModelIsSetUp) {
  const FilesFolder folder;
  for (const char* signal : {"INT", "TERM", "HUP"}) {
    const Outcome o = program(files_run + "--archive " + folder.at("run.nc"), std::string("begin 1 ") + signal);
    EXPECT_EQ(o.exit_code, 3) << signal;
    EXPECT_EQ(o.err, "extremal: interrupted\n");
    EXPECT_TRUE(folder.names().empty());
    EXPECT_EQ(program("check pendulum --scheme rattle", std::string("begin 1 ") + signal).exit_code, 3);
  }
  EXPECT_EQ(program(files_run + "--archive " + folder.at("run.nc"), "step 5 HUP").exit_code, 3);
  EXPECT_EQ(Archive::open((folder.path / "run.nc").string()).status(), "interrupted");
}

// What may not grow any more is as a disk that is full.
TEST(Files, AFullDiskEndsARunInOrder) {
  const FilesFolder folder;
  const std::string run = "run double-four-bar --scheme rattle --step 0.001 --until 2 --flush 0.05 --archive ";
  const std::string whole = program(run + folder.at("whole.nc")).out;
  int ended = 0;
  for (const int blocks : {100, 5000, 7000}) {  // of 512 bytes
    const std::string name = std::to_string(blocks) + ".nc";
    const std::string said = output_of("ulimit -f " + std::to_string(blocks) + "; '" + std::string(places::program) +
                                       "' " + run + folder.at(name) + "; echo exit $?");
    EXPECT_FALSE(std::filesystem::exists(folder.path / (name + ".part"))) << said;
    if (said.find("exit 1\n") != std::string::npos) {
      EXPECT_FALSE(std::filesystem::exists(folder.path / name));  // no room to begin
      continue;
    }
    ++ended;
    EXPECT_THAT(said, AllOf(HasSubstr("interrupted\n"), HasSubstr("File too large"), HasSubstr("newton"),
                            HasSubstr("exit 3\n")));
    const Outcome rest = program("resume " + folder.at(name));
    EXPECT_EQ(rest.exit_code, 0) << rest.err;
    EXPECT_EQ(rest.out, whole);
  }
  EXPECT_GE(ended, 2);
  EXPECT_THAT(output_of("'" + std::string(places::program) + "' run pendulum --csv /dev/full; echo exit $?"),
              AllOf(HasSubstr("/dev/full"), HasSubstr("exit 3")));
}

TEST(Messages, SayWhatToTry) {
  expect_refused("run pendulum --step=-0.01", HasSubstr("try step = 0.01\n"));
  expect_refused("run pendulum --set 'm=2 kg'", HasSubstr("numbers have no units"));
  expect_refused("run pendulum --set 'l=90 deg'", HasSubstr("try 90*pi/180"));
  const FilesFolder folder;
  expect_refused("show " + folder.write("bare.toml", "name = \"a\"\ncoordinates = [\"x\"]\nkinetic = x'^2/2\n"),
                 AllOf(HasSubstr("bare.toml:3:"), HasSubstr("formulas and names stand in quotes")));
  expect_refused(
      "show " + folder.write("hinge.toml",
                             "name = \"a\"\n[[body]]\nname = \"b\"\nmass = 2\ninertia = [1, 1, 1]\n[[joint]]\n"
                             "type = \"hinge\"\nname = \"j\"\nfrom = \"ground\"\nto = \"b\"\n"),
      AllOf(HasSubstr("hinge.toml:7:"), HasSubstr("did you mean \"revolute\"?")));
}

// With file and line, and in words which joint of which bodies is apart by how much.
TEST(Messages, TellWhichJointIsOpen) {
  const FilesFolder folder;
  const std::string arm = folder.write(
      "arm.toml",
      "space = \"planar\"\n[[body]]\nname = \"arm\"\ninertia = 1\nposition = [2, 0]\n[[joint]]\n"
      "name = \"shoulder\"\ntype = \"revolute\"\nfrom = \"ground\"\nto = { body = \"arm\", at = [-0.5, 0] }\n");
  for (const char* command : {"run ", "show ", "check "})
    expect_refused(command + arm,
                   HasSubstr("arm.toml:6:1: joint \"shoulder\" of the ground and \"arm\" is open at q: its "
                             "points, at (0, 0) and (1.5, 0), are 1.5 apart; expected at most 0.05"));
}

TEST(List, FitsATerminal) {
  std::istringstream lines(program("list models").out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120u) << line;
}

TEST(Run, JsonHasTimeAndSingularNodes) {
  const json all = program(files_run + "--json").json();
  EXPECT_EQ(all["singular"], 0);
  EXPECT_GE(all["seconds"], 0);
}

}  // namespace
}  // namespace extremal::cli::files_test
