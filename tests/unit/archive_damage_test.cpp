// A damaged archive is refused, or says what it said: no bit of it can change without notice.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netcdf.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "archive/encoding.hpp"
#include "archive/netcdf.hpp"
#include "archive/seal.hpp"
#include "archive/take_place.hpp"
#include "extremal/archive.hpp"
#include "extremal/models.hpp"
#include "refusal.hpp"

namespace extremal::archive_damage_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct DamagedSpot {
  std::string path;
  explicit DamagedSpot(const std::string& name)
      : path((std::filesystem::temp_directory_path() / ("extremal_damage_" + std::to_string(getpid()) + name))
                 .string()) {
    clear();
  }
  DamagedSpot(const DamagedSpot&) = delete;
  DamagedSpot& operator=(const DamagedSpot&) = delete;
  ~DamagedSpot() { clear(); }
  void clear() const {
    for (const char* end : {"", ".journal", ".part"}) std::filesystem::remove(path + end);
  }
};

std::string bytes_in(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// The same sequence everywhere.
struct FlipSource {
  std::uint64_t state = 2463534242U;
  std::uint64_t below(std::uint64_t limit) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (state >> 11U) % limit;
  }
};

template <class S>
struct StopAfterRows : RowSink<S> {
  int rows;
  std::atomic<bool> stop = false;
  explicit StopAfterRows(int count) : rows(count) {}
  void row(const std::vector<S>&) override { stop = --rows == 0; }
};

const Span short_span{.step = "0.01", .until = 2};

Provenance damage_origin(const Model& m) {
  return {.model = "pendulum",
          .model_text = m.text,
          .scheme = "rattle",
          .parameter_names = m.system.parameter_names(),
          .parameters = m.system.parameters(),
          .start = m.start,
          .span = short_span,
          .command = "none"};
}

void write_archive(const std::string& path, int rows) {
  const Model m = model("pendulum");
  ArchiveWriter<double> writer(path, damage_origin(m));
  StopAfterRows<double> stopper(rows);
  run(m.system, "rattle", m.start, short_span, {.sinks = {&writer, &stopper}, .stop = &stopper.stop});
}

// Everything that can be read of it.
struct ArchiveContent {
  std::map<std::string, std::string> attributes;
  std::vector<ColumnInfo> columns;
  std::vector<std::vector<double>> values;
  std::vector<double> checkpoint;
  bool operator==(const ArchiveContent&) const = default;
};

ArchiveContent content_of(const std::string& path) {
  const Archive archive = Archive::open(path);
  ArchiveContent all{archive.attributes(), archive.columns(), {}, archive.checkpoint<double>().numbers};
  for (const ColumnInfo& column : archive.columns()) all.values.push_back(archive.column(column.name));
  return all;
}

TEST(ArchiveDamage, NoBitChangesANumberWithoutNotice) {
  const DamagedSpot spot("bits.nc");
  write_archive(spot.path, 1000);
  const ArchiveContent right = content_of(spot.path);
  const std::string whole = bytes_in(spot.path);
  FlipSource random;
  int refused = 0, silent = 0;
  constexpr int flips = 200;
  for (int k = 0; k < flips; ++k) {
    std::string bad = whole;
    const std::size_t at = random.below(whole.size());
    bad[at] = static_cast<char>(bad[at] ^ (1 << random.below(8)));
    write_bytes(spot.path, bad);
    ArchiveContent read;
    const std::string reason = refusal([&] { read = content_of(spot.path); });
    if (!reason.empty()) {
      ++refused;
      EXPECT_THAT(reason, testing::AnyOf(HasSubstr("damaged or changed"), HasSubstr("the sum at its end is missing"),
                                         HasSubstr("cannot be opened as netCDF")));
      EXPECT_NE(refusal([&] { ArchiveWriter<double>::resume(spot.path); }), "");
    } else if (!(read == right)) {
      ++silent;
    }
  }
  EXPECT_EQ(refused, flips);
  EXPECT_EQ(silent, 0);
  // Cut off anywhere, and with something behind it.
  for (int k = 0; k < 20; ++k) {
    write_bytes(spot.path, whole.substr(0, random.below(whole.size())));
    EXPECT_NE(refusal([&] { content_of(spot.path); }), "");
  }
  write_bytes(spot.path, whole + "x");
  EXPECT_THAT(refusal([&] { content_of(spot.path); }), HasSubstr("sum at its end"));
  write_bytes(spot.path, whole);
  EXPECT_EQ(content_of(spot.path), right);
}

// Where the checkpoint is, in the file of an interrupted run and in the journal of one that was killed: what goes on
// goes on with the right numbers or not at all.
TEST(ArchiveDamage, NoBitOfACheckpointLeadsAstray) {
  const DamagedSpot spot("checkpoint.nc");
  const Model m = model("pendulum");
  write_archive(spot.path, 50);
  const Checkpoint<double> right = Archive::open(spot.path).checkpoint<double>();
  Bytes encoded;
  for (const double x : right.numbers) put_bytes(encoded, x);
  const std::string whole = bytes_in(spot.path);
  const std::size_t begin = whole.find(std::string(encoded.begin(), encoded.end()));
  ASSERT_NE(begin, std::string::npos);
  FlipSource random;
  for (int k = 0; k < 40; ++k) {
    std::string bad = whole;
    const std::size_t at = begin + random.below(encoded.size());
    bad[at] = static_cast<char>(bad[at] ^ (1 << random.below(8)));
    write_bytes(spot.path, bad);
    EXPECT_THAT(refusal([&] { ArchiveWriter<double>::resume(spot.path); }), HasSubstr("damaged or changed"));
  }
  // Negative control: without the seal, other programs read such a file unless its checksums tell them.
  write_bytes(spot.path, whole);
  EXPECT_EQ(refusal([&] { ArchiveWriter<double>::resume(spot.path); }), "");
}

// The numbers have checksums that every program checks: netCDF itself refuses to read a row that was changed.
TEST(ArchiveDamage, NumbersHaveChecksumsOfNetcdf) {
  const DamagedSpot spot("fletcher.nc");
  write_archive(spot.path, 1000);
  const std::vector<double> energy = Archive::open(spot.path).column("energy");
  std::string bytes = bytes_in(spot.path);
  std::string some(4 * sizeof(double), '\0');
  std::memcpy(some.data(), energy.data() + 10, some.size());
  const std::size_t at = bytes.find(some);
  ASSERT_NE(at, std::string::npos);
  const auto reads = [&] {
    const NetcdfFile file(spot.path, NetcdfFile::Mode::read);
    std::vector<double> values(energy.size());
    return nc_get_var_double(file.id(), file.find_variable(file.id(), "energy"), values.data()) == NC_NOERR;
  };
  EXPECT_TRUE(reads());
  bytes[at + 3] = static_cast<char>(bytes[at + 3] ^ 1);
  write_bytes(spot.path, bytes);
  EXPECT_FALSE(reads());
}

// An attribute that another program has changed, whole and with all its checksums.
TEST(ArchiveDamage, ChangesByOtherProgramsAreRefused) {
  const DamagedSpot spot("changed.nc");
  write_archive(spot.path, 50);
  {
    NetcdfFile file(spot.path, NetcdfFile::Mode::append);
    file.text(NC_GLOBAL, "step", "0.02");
    file.close();
  }
  EXPECT_THAT(refusal([&] { Archive::open(spot.path); }), HasSubstr("the sum at its end is missing"));
  // As if it had been extremal: the version and the numbers of the run are looked at, too.
  seal(spot.path);
  EXPECT_EQ(Archive::open(spot.path).attribute("step"), "0.02");
  const Model m = model("pendulum");
  const Checkpoint<double> from = Archive::open(spot.path).checkpoint<double>();
  {
    ArchiveWriter<double> writer = ArchiveWriter<double>::resume(spot.path);
    EXPECT_THAT(refusal([&] { run(m.system, "rattle", m.start, short_span, {.sinks = {&writer}, .from = &from}); }),
                AllOf(HasSubstr("the step is 0.01"), HasSubstr("0.02")));
  }
  replace_file(spot.path, true, 0, [](const std::string& part) {
    NetcdfFile file(part, NetcdfFile::Mode::append);
    file.text(NC_GLOBAL, "version", "0.0.9");
    file.close();
  });
  EXPECT_THAT(refusal([&] { ArchiveWriter<double>::resume(spot.path); }), HasSubstr("begun by extremal 0.0.9"));
  replace_file(spot.path, true, 0, [](const std::string& part) {
    NetcdfFile file(part, NetcdfFile::Mode::append);
    file.text(NC_GLOBAL, "run_id", "12x");
    file.close();
  });
  EXPECT_THAT(refusal([&] { Archive::open(spot.path); }), HasSubstr("run_id is no number"));
}

// Archives of before there was a key of [run] are those of runs where nothing was said of it: they are read and go on.
TEST(ArchiveDamage, KeysThatCameLaterAreNotMissed) {
  const DamagedSpot spot("earlier.nc");
  write_archive(spot.path, 50);
  const auto without = [&](const char* key) {
    replace_file(spot.path, true, 0, [&](const std::string& part) {
      NetcdfFile file(part, NetcdfFile::Mode::append);
      file.check(nc_del_att(file.id(), NC_GLOBAL, key), key);
      file.close();
    });
  };
  for (const char* key : {"pattern", "columns", "multipliers"}) without(key);
  const Span span = Archive::open(spot.path).provenance().span;
  EXPECT_TRUE(span.pattern.empty() && span.columns.empty());
  EXPECT_EQ(span.multipliers, Multipliers::motion);
  EXPECT_EQ(span.step.text(), short_span.step.text());
  const Model m = model("pendulum");
  const Checkpoint<double> from = Archive::open(spot.path).checkpoint<double>();
  {
    ArchiveWriter<double> writer = ArchiveWriter<double>::resume(spot.path);
    run(m.system, "rattle", m.start, short_span, {.sinks = {&writer}, .from = &from});
  }
  EXPECT_EQ(Archive::open(spot.path).column("x"), run(m.system, "rattle", m.start, short_span).column("x"));
  without("scheme");
  EXPECT_THAT(refusal([&] { (void)Archive::open(spot.path).provenance(); }), HasSubstr("no scheme"));
}

TEST(ArchiveDamage, AnotherMachineIsSaid) {
  const DamagedSpot spot("machine.nc");
  write_archive(spot.path, 50);
  EXPECT_TRUE(ArchiveWriter<double>::resume(spot.path).notes().empty());
  replace_file(spot.path, true, 0, [](const std::string& part) {
    NetcdfFile file(part, NetcdfFile::Mode::append);
    file.text(NC_GLOBAL, "machine", "abacus");
    file.text(NC_GLOBAL, "compiler", "by hand");
    file.close();
  });
  const std::vector<std::string> notes = ArchiveWriter<double>::resume(spot.path).notes();
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_THAT(notes[0], AllOf(HasSubstr("another machine"), HasSubstr("abacus"), HasSubstr("last bits may differ")));
  EXPECT_THAT(notes[1], HasSubstr("by hand"));
}

// A checkpoint knows what it is of: half of one motion and half of another is refused, by name.
TEST(ArchiveDamage, CheckpointsKnowTheirRun) {
  const Model m = model("pendulum");
  StopAfterRows<double> stopper(20);
  const auto part = run(m.system, "rattle", m.start, short_span, {.sinks = {&stopper}, .stop = &stopper.stop});
  const auto other = [&](const System& system, const char* scheme, const Start& start, const Span& how) {
    return refusal([&] { run(system, scheme, start, how, {.from = &part.last}); });
  };
  EXPECT_EQ(other(m.system, "rattle", m.start, short_span), "");
  EXPECT_THAT(other(m.system.with("g", 1.62), "rattle", m.start, short_span), HasSubstr("another parameter"));
  EXPECT_THAT(other(m.system, "rattle", m.start, {.step = "0.02", .until = 2}), HasSubstr("another step"));
  EXPECT_THAT(other(m.system, "rattle", m.start, {.step = "0.01", .until = 4}), HasSubstr("another end"));
  Start start = m.start;
  start.v = {Number(0.1), Number(0)};
  EXPECT_THAT(other(m.system, "rattle", start, short_span), HasSubstr("another start"));
  EXPECT_THAT(other(m.system, "lobatto(2)", m.start, short_span), HasSubstr("checkpoint"));
}

// Numbers of an earlier version, which were others in another order, are refused by that and not by what they happen to
// be read as.
TEST(ArchiveDamage, CheckpointsKnowTheirLayout) {
  const Model m = model("pendulum");
  StopAfterRows<double> stopper(20);
  auto part = run(m.system, "rattle", m.start, short_span, {.sinks = {&stopper}, .stop = &stopper.stop});
  const auto words = [&] {
    return refusal([&] { run(m.system, "rattle", m.start, short_span, {.from = &part.last}); });
  };
  ASSERT_EQ(words(), "");
  std::vector<double>& numbers = part.last.numbers;
  // As it was before there was a layout: the number before the last, and one less in the last.
  numbers.erase(numbers.end() - 2);
  numbers.back() -= 1;
  EXPECT_THAT(words(), HasSubstr("another version of extremal"));
}

// No file may grow beyond a limit, as on a disk that is full: the run ends interrupted with the reason, what was
// flushed stays, and goes on where there is room.
TEST(ArchiveDamage, AFullDiskInterruptsARun) {
  const DamagedSpot spot("full.nc");
  const Model m = model("pendulum");
  const Span longer{.step = "0.001", .until = 20};
  const auto whole = run(m.system, "rattle", m.start, longer);
  Provenance from_here = damage_origin(m);
  from_here.span = longer;
  int interrupted = 0;
  for (const rlim_t limit : {100000U, 1000000U, 1500000U, 2000000U}) {
    spot.clear();
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const rlimit small{limit, limit};
      std::signal(SIGXFSZ, SIG_IGN);
      setrlimit(RLIMIT_FSIZE, &small);
      int code = 9;
      try {
        ArchiveWriter<double> writer(spot.path, from_here, {.seconds = 0, .publish_share = 0});
        const auto out = run(m.system, "rattle", m.start, longer, {.sinks = {&writer}, .collect = false});
        code = out.status == Status::interrupted && out.reason.find("File too large") != std::string::npos ? 3 : 0;
      } catch (const std::exception&) {
        code = 2;  // there was no room to begin
      }
      _exit(code);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status)) << limit;
    EXPECT_FALSE(std::filesystem::exists(spot.path + ".part")) << limit;
    if (WEXITSTATUS(status) == 2) {
      EXPECT_FALSE(std::filesystem::exists(spot.path));
      EXPECT_FALSE(std::filesystem::exists(spot.path + ".journal"));
      continue;
    }
    if (WEXITSTATUS(status) == 0) continue;  // there was room for all of it
    ASSERT_EQ(WEXITSTATUS(status), 3) << limit;
    ++interrupted;
    EXPECT_EQ(Archive::open(spot.path).status(), "killed");
    ArchiveWriter<double> writer = ArchiveWriter<double>::resume(spot.path);
    const Checkpoint<double> from = Archive::open(spot.path).checkpoint<double>();
    const auto rest =
        run(m.system, "rattle", m.start, longer, {.sinks = {&writer}, .from = from.numbers.empty() ? nullptr : &from});
    EXPECT_EQ(rest.summary(), whole.summary());
    EXPECT_EQ(Archive::open(spot.path).column("x"), whole.column("x"));
  }
  EXPECT_GE(interrupted, 2);
}

TEST(Span, RefusesMoreStepsThanCanBeCounted) {
  const Model m = model("pendulum");
  for (const char* step : {"1e-19", "1e-300", "1e-17"})
    EXPECT_THAT(refusal([&] { run(m.system, "rattle", m.start, {.step = step, .until = 1}); }),
                AllOf(HasSubstr("steps of"), HasSubstr("expected at most 9007199254740992")))
        << step;
  EXPECT_NE(refusal([&] { run<quad>(m.system, "rattle", m.start, {.step = "1e-4000", .until = 1}); }), "");
}

}  // namespace
}  // namespace extremal::archive_damage_test
