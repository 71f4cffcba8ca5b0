// extremal sweep: the same bits on any number of threads and ranks, and after it was stopped or killed.
#include <signal.h>
#include <algorithm>

#include <cstring>

#include "archive/netcdf.hpp"
#include "archive/seal.hpp"
#include "archive/sweep_archive.hpp"
#include "full.hpp"
#include "places.hpp"
#include "program.hpp"

namespace extremal::cli::sweep_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct Place {
  Scratch file, journal, part;
  explicit Place(const std::string& name) : file(name), journal(name + ".journal"), part(name + ".part") {}
  std::string path() const { return file.path.string(); }
};

// Pendulums of many lengths that start in random directions: 2000, or as many as asked for.
std::string pendulums(int lengths, const std::string& span) {
  return "model = \"pendulum-polar\"\nscheme = \"rattle\"\n" + span +
         "[vary]\nl = { from = 0.5, to = 2, count = " + std::to_string(lengths) +
         " }\n[sample]\ncount = 20\nseed = 7\ntheta = { uniform = [\"-pi\", \"pi\"] }\n";
}

struct SweepFile : Scratch {
  explicit SweepFile(const std::string& text, const std::string& name = "sweep.toml") : Scratch(name) {
    std::ofstream(path) << text;
  }
  std::string at() const { return "'" + path.string() + "'"; }
};

// All that depends on the sweep only: numbers as bits, and messages.
struct Content {
  std::vector<double> numbers;
  std::map<std::uint64_t, std::string> messages;
  std::string status;
};

Content content(const std::string& path) {
  const SweepArchive archive = SweepArchive::open(path);
  return {archive.read(0, archive.size()).numbers, archive.messages(), archive.status()};
}

void expect_same(const Content& a, const Content& b, const std::string& what) {
  EXPECT_EQ(a.status, "complete") << what;
  ASSERT_EQ(a.numbers.size(), b.numbers.size()) << what;
  EXPECT_EQ(std::memcmp(a.numbers.data(), b.numbers.data(), a.numbers.size() * sizeof(double)), 0) << what;
  EXPECT_EQ(a.messages, b.messages) << what;
}

// As root, as in a container, Open MPI wants to be asked twice; its own leaks are not ours.
const std::string mpirun =
    "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 "
    "mpirun --oversubscribe --mca btl self,vader -n ";

bool has_mpi() {
  const auto module = std::filesystem::path(places::program).parent_path() / "extremal_mpi.so";
  return std::filesystem::exists(module) && std::system("command -v mpirun >/dev/null") == 0;
}

int shell(const std::string& command) {
  const int status = std::system((command + " >/dev/null 2>&1").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::uint64_t done(const std::string& path) {
  if (!SweepArchive::is(path)) return 0;
  const SweepArchive archive = SweepArchive::open(path);
  return archive.size() - static_cast<std::uint64_t>(std::count(archive.outcomes().begin(), archive.outcomes().end(),
                                                                sweep::Outcome::pending));
}

const std::string shorter = "step = 0.01\nuntil = 0.2\n";

TEST(Sweep, SaysWhatItHasDone) {
  const SweepFile file(pendulums(100, shorter));
  const Place place("says.nc");
  const Outcome o = program("sweep " + file.at() + " --archive '" + place.path() + "'");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_EQ(o.err, "");
  EXPECT_THAT(o.out, AllOf(HasSubstr("2000 runs of pendulum-polar by rattle in double: complete"),
                           HasSubstr("0.5 to 2, 100 values"), HasSubstr("uniform from -pi to pi"),
                           HasSubstr("2000 complete, 0 failed")));
  const json said = program("show '" + place.path() + "' --json").json();
  EXPECT_EQ(said["complete"], 2000);
  EXPECT_EQ(said["status"], "complete");
  EXPECT_THAT(program("show '" + place.path() + "'").out, AllOf(HasSubstr("energy error"), HasSubstr("and 1988 more")));
  // A run of it is that of extremal run.
  const auto archive = SweepArchive::open(place.path());
  const auto numbers = archive.read(777, 1).numbers;
  const double l = numbers[sweep::field_count], theta = numbers[sweep::field_count + 1];
  const json run = program("run pendulum-polar --scheme rattle --step 0.01 --until 0.2 --json --set l=" + to_text(l) +
                           " --start theta=" + to_text(theta))
                       .json();
  EXPECT_EQ(run["final"]["q"]["theta"], numbers[sweep::field_count + 3]);
  // Not in lanes it is watched at every step, too, and has the same bits.
  const SweepFile watched(pendulums(100, "watch = \"steps\"\n" + shorter));
  const Place other("watched.nc");
  EXPECT_EQ(program("sweep " + watched.at() + " --archive '" + other.path() + "'").exit_code, 0);
  const auto singly = SweepArchive::open(other.path()).read(777, 1).numbers;
  EXPECT_EQ(run["energy"]["max_error"], singly[sweep::energy_max_error]);
  EXPECT_EQ(std::vector(singly.begin() + sweep::field_count, singly.end()),
            std::vector(numbers.begin() + sweep::field_count, numbers.end()));
}

TEST(Sweep, HasTheSameBitsOnAnyNumberOfThreadsAndRanks) {
  const int lengths = papers::full() ? 5000 : 100;  // 1e5 pendulums
  const SweepFile file(pendulums(lengths, papers::full() ? "step = 0.01\nuntil = 1\n" : shorter));
  const Place one("one.nc");
  ASSERT_EQ(program("sweep " + file.at() + " --threads 1 --archive '" + one.path() + "'").exit_code, 0);
  const Content expected = content(one.path());
  const Place two("two.nc");
  ASSERT_EQ(program("sweep " + file.at() + " --threads 2 --archive '" + two.path() + "'").exit_code, 0);
  expect_same(content(two.path()), expected, "2 threads");
  if (!has_mpi()) GTEST_SKIP() << "MPI is not installed";
  for (const char* ranks : {"1", "2", "4"}) {
    const Place place(std::string("ranks") + ranks + ".nc");
    ASSERT_EQ(shell(mpirun + ranks + " '" + std::string(places::program) + "' sweep " + file.at() + " --archive '" +
                    place.path() + "'"),
              0);
    expect_same(content(place.path()), expected, std::string(ranks) + " ranks");
  }
}

// 300 runs in 19 blocks of 16.
TEST(Sweep, GoesOnAfterItWasKilledOrInterrupted) {
  const SweepFile file(pendulums(15, shorter));
  const Place whole("whole.nc"), place("killed.nc");
  ASSERT_EQ(program("sweep " + file.at() + " --archive '" + whole.path() + "'").exit_code, 0);
  const std::string command = "sweep " + file.at() + " --threads 2 --archive '" + place.path() + "'";
  std::uint64_t before = 0;
  const auto stop = [&](const std::string& moment) {
    const Outcome o = program(command, moment);
    const std::uint64_t now = done(place.path()), blocks = (now - before) / 16;
    EXPECT_EQ((now - before) % 16, 0u) << moment;
    EXPECT_EQ(SweepArchive::open(place.path()).status(), o.signal == SIGKILL ? "killed" : "interrupted") << moment;
    before = now;
    return std::pair(o, blocks);
  };
  {
    const auto [o, blocks] = stop("record 3 KILL");  // half of which is lost
    EXPECT_EQ(o.signal, SIGKILL);
    EXPECT_EQ(blocks, 2u);
  }
  {
    const auto [o, blocks] = stop("block 4 INT");
    EXPECT_EQ(o.exit_code, 3);
    EXPECT_GE(blocks, 4u);
    EXPECT_LE(blocks, 5u);  // the other thread may finish its own
  }
  {
    const auto [o, blocks] = stop("record 2 KILL");
    EXPECT_EQ(o.signal, SIGKILL);
    EXPECT_EQ(blocks, 1u);
  }
  EXPECT_THAT(program("show '" + place.path() + "'").out, HasSubstr(std::to_string(300 - before) + " to do"));
  // What is finished is not computed again.
  const Outcome o = program("resume '" + place.path() + "' --json");
  ASSERT_EQ(o.exit_code, 0) << o.err;
  EXPECT_EQ(o.json()["complete"], 300);
  EXPECT_EQ(o.json()["computed"], 300 - before);
  expect_same(content(place.path()), content(whole.path()), "resumed");
  EXPECT_EQ(program(command + " --json").json()["computed"], 0);
}

TEST(Sweep, LosesNothingThatWasFinishedWhenARankDies) {
  if (!has_mpi()) GTEST_SKIP() << "MPI is not installed";
  const SweepFile file(pendulums(15, shorter));
  const Place whole("whole_ranks.nc"), place("ranks_killed.nc");
  ASSERT_EQ(program("sweep " + file.at() + " --archive '" + whole.path() + "'").exit_code, 0);
  const std::string command =
      "'" + std::string(places::program) + "' sweep " + file.at() + " --archive '" + place.path() + "' --json";
  const auto at = [&](const std::string& moment) { return "env EXTREMAL_TEST_AT='" + moment + "' " + command; };
  // One that computes. The others hold after a block, or they might have done all before it gets any; before it gets
  // its sixth, the first one is kept.
  EXPECT_NE(shell(mpirun + "2 " + at("block 2 HOLD") + " : -n 1 " + at("block 6 KILL")), 0);
  std::uint64_t before = done(place.path());
  EXPECT_GE(before, 16u);
  EXPECT_LT(before, 300u);
  // The one that writes, with half of a record written.
  EXPECT_NE(shell(mpirun + "1 " + at("record 3 KILL") + " : -n 2 " + command), 0);
  EXPECT_EQ(done(place.path()), before + 32);
  before += 32;
  const Scratch said("ranks.json");
  ASSERT_EQ(std::system((mpirun + "2 " + command + " >'" + said.path.string() + "'").c_str()), 0);
  EXPECT_EQ(json::parse(said.text())["computed"], 300 - before);
  expect_same(content(place.path()), content(whole.path()), "resumed on other ranks");
}

TEST(Sweep, RecordsRunsThatFail) {
  const SweepFile file(
      "model = \"pendulum\"\nscheme = \"rattle\"\nuntil = 10\n[vary]\ny = [-0.8, -0.7]\nstep = [0.05, 0.3, 1, 2.5]\n");
  const Place place("failures.nc");
  const Outcome o = program("sweep " + file.at() + " --archive '" + place.path() + "'");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_THAT(o.out, AllOf(HasSubstr("failed"), HasSubstr("5 refused"), HasSubstr("run 1 ")));
  // Where nothing works, that is no success.
  const SweepFile bad("model = \"pendulum\"\n[vary]\ny = [0, 1]\n", "bad.toml");
  const Place none("none.nc");
  EXPECT_EQ(program("sweep " + bad.at() + " --archive '" + none.path() + "'").exit_code, 1);
}

TEST(Sweep, FindsItsModelBesideItself) {
  const Scratch model("model.toml");
  std::ofstream(model.path) << program("show pendulum --text").out;
  const SweepFile file("model = \"./" + model.path.filename().string() + "\"\nuntil = 0.1\n[vary]\nm = [1, 2]\n");
  const Place place("beside.nc");
  EXPECT_EQ(program("sweep " + file.at() + " --archive '" + place.path() + "'").exit_code, 0);
  // Another model is another sweep, and the archive has all that it needs.
  std::ofstream(model.path, std::ios::app) << "\n# changed\n";
  expect_refused("sweep " + file.at() + " --archive '" + place.path() + "'", HasSubstr("found another sweep"));
  std::filesystem::remove(model.path);
  EXPECT_EQ(program("resume '" + place.path() + "'").exit_code, 0);
}

TEST(Sweep, RefusesWhatItCannotDo) {
  const Place place("refused.nc");
  const std::string archive = " --archive '" + place.path() + "'";
  const SweepFile unknown("model = \"pendulum\"\n[vary]\nmass = [1]\n"),
      good("model = \"pendulum\"\n[vary]\nm = [1]\n", "good.toml"), broken("model = \n", "broken.toml");
  expect_refused("sweep " + unknown.at() + archive, AllOf(HasSubstr("sweep.toml:3:1: "), HasSubstr("unknown name")));
  expect_refused("sweep " + broken.at() + archive, HasSubstr("broken.toml:1:"));
  expect_refused("sweep nowhere.toml", HasSubstr("expected a sweep file"));
  expect_refused("sweep " + good.at() + " --step 0..1" + archive, HasSubstr("--step"));
  expect_refused("sweep " + good.at() + " --scheme rattel" + archive, HasSubstr("rattle"));
  expect_refused("sweep " + good.at() + " --threads 0" + archive, HasSubstr("--threads"));
  expect_refused("sweep " + good.at() + " --archive /nowhere/x.nc", HasSubstr("/nowhere/x.nc"));
  EXPECT_FALSE(std::filesystem::exists(place.path()));
  EXPECT_FALSE(std::filesystem::exists(place.path() + ".journal"));
  std::ofstream(place.path()) << "notes";
  expect_refused("sweep " + good.at() + archive, HasSubstr("no archive of a sweep"));
  EXPECT_EQ(place.file.text(), "notes");
}

TEST(Sweep, RefusesArchivesWhoseAttributesAreDamaged) {
  const SweepFile file("model = \"pendulum\"\nuntil = 0.1\n[vary]\nm = { from = 1, to = 2, count = 2 }\n");
  const Place place("damaged.nc");
  ASSERT_EQ(program("sweep " + file.at() + " --archive '" + place.path() + "'").exit_code, 0);
  const auto damage = [&](const char* attribute, const std::string& text) {
    NetcdfFile archive(place.path(), NetcdfFile::Mode::append);
    archive.text(-1, attribute, text);
    archive.close();
    expect_refused("show '" + place.path() + "'", HasSubstr("the sum at its end is missing"));
    seal(place.path());  // as if extremal had written it
  };
  damage("sweep_options", "{\"scheme\": 1}");
  expect_refused("resume '" + place.path() + "'", HasSubstr("sweep_options"));
  for (const char* text : {"", "{\"schemes\":", "{}", "{\"schemes\":[1],\"axes\":[]}",
                           "{\"schemes\":[\"rattle\"],\"axes\":[{\"name\":\"m\",\"kind\":0,\"values\":[\"1\"]}]}"}) {
    damage("identity", text);
    expect_refused("show '" + place.path() + "'", HasSubstr("the attribute identity cannot be read"));
    expect_refused("show '" + place.path() + "' --json", HasSubstr("the attribute identity cannot be read"));
  }
}

}  // namespace
}  // namespace extremal::cli::sweep_test
