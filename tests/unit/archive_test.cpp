// Archives: what is written is read, what is cut off or damaged is left out, and nothing else is lost.
#include "extremal/archive.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmath>

#include <filesystem>
#include <fstream>
#include <optional>

#include "archive/encoding.hpp"
#include "archive/journal.hpp"
#include "extremal/models.hpp"
#include "refusal.hpp"

namespace extremal::archive_test {
namespace {

using testing::HasSubstr;

// A place for an archive, empty before and after.
struct Place {
  std::string path;
  explicit Place(const std::string& name)
      : path(
            (std::filesystem::temp_directory_path() / ("extremal_" + std::to_string(getpid()) + "_" + name)).string()) {
    clear();
  }
  ~Place() { clear(); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  void clear() const {
    for (const char* end : {"", ".journal", ".part"}) std::filesystem::remove(path + end);
  }
};

Provenance provenance(const Model& m, const std::string& scheme, const Span& span, const std::string& precision) {
  return {.model = m.system.name(),
          .scheme = scheme,
          .parameter_names = m.system.parameter_names(),
          .parameters = m.system.parameters(),
          .start = m.start,
          .span = span,
          .precision = precision,
          .command = "none"};
}

// Ends a run after some steps.
template <class S>
struct StopAt : RowSink<S> {
  explicit StopAt(std::size_t count) : rows(count) {}
  std::size_t rows;
  std::atomic<bool> stop = false;
  void row(const std::vector<S>&) override {
    if (--rows == 0) stop = true;
  }
};

// As ==, but a NaN is a NaN and 0 is not -0.
template <class S>
bool same_bits(const std::vector<S>& a, const std::vector<S>& b) {
  Bytes x, y;
  for (const S& v : a) put_bytes(x, v);
  for (const S& v : b) put_bytes(y, v);
  return x == y;
}

template <class S>
void expect_same(const Archive& archive, const Run<S>& run) {
  ASSERT_EQ(archive.columns().size(), run.columns.size());
  for (std::size_t c = 0; c < run.columns.size(); ++c) {
    EXPECT_EQ(archive.columns()[c].name, run.columns[c].name);
    EXPECT_TRUE(same_bits(archive.exact<S>(run.columns[c].name), run.columns[c].values)) << run.columns[c].name;
  }
}

template <class S>
void round_trip(const char* model_name, const char* scheme) {
  const Place place("round.nc");
  const Model m = model(model_name);
  const Span span{.step = "0.01", .until = "0.5", .every = 3};
  ArchiveWriter<S> writer(place.path, provenance(m, scheme, span, Scalar<S>::name));
  const auto r = run<S>(m.system, scheme, m.start, span, {.sinks = {&writer}});
  const Archive archive = Archive::open(place.path);
  expect_same(archive, r);
  EXPECT_EQ(archive.status(), "complete");
  EXPECT_FALSE(archive.unfinished());
  EXPECT_FALSE(std::filesystem::exists(place.path + ".journal"));
  EXPECT_FALSE(std::filesystem::exists(place.path + ".part"));
  EXPECT_TRUE(same_bits(archive.checkpoint<S>().numbers, r.last.numbers));
  const Provenance p = archive.provenance();
  EXPECT_EQ(p.model, m.system.name());
  EXPECT_EQ(p.start.q, m.start.q);
  EXPECT_EQ(p.start.v, m.start.v);
  EXPECT_EQ(p.parameters, m.system.parameters());
  EXPECT_EQ(p.span.every, 3);
  EXPECT_EQ(p.span.step, span.step);
  EXPECT_EQ(archive.attribute("steps"), "50");
  EXPECT_EQ(archive.attribute("energy_max_error"), to_text(r.energy_max_error));
  EXPECT_THAT(refusal([&] { archive.column("nothing"); }), HasSubstr("the columns are t, "));
}

TEST(Archive, GivesBackWhatWasWritten) {
  round_trip<double>("spherical-pendulum", "rattle");
  round_trip<long double>("spherical-pendulum", "spark(2)");
  round_trip<quad>("triple-pendulum", "lobatto(3)");
  round_trip<double>("double-four-bar-damped", "wenger(2, 2, lobatto(2))");
}

TEST(Archive, SumsOfDoublesHoldWideScalars) {
  for (const char* text : {"0", "1", "sqrt(2)", "-pi*1e-20", "1e200/3", "-1e-200/7", "1-1e-33"}) {
    const quad x = Number(text).as<quad>();
    const long double y = Number(text).as<long double>();
    EXPECT_TRUE(join<quad>(split(x)) == x) << text;
    EXPECT_TRUE(join<long double>(split(y)) == y) << text;
  }
  EXPECT_TRUE(same_bits<quad>({join<quad>(split(quad(-0.0)))}, {quad(-0.0)}));
  EXPECT_TRUE(std::isnan(static_cast<double>(join<quad>(split(quad(NAN))))));
  EXPECT_TRUE(join<quad>(split(quad(INFINITY))) == quad(INFINITY));
  // Negative control: two doubles are not enough for a quad.
  auto parts = split(Number("sqrt(2)").as<quad>());
  parts[2] = 0;
  EXPECT_FALSE(join<quad>(parts) == Number("sqrt(2)").as<quad>());
}

// Every row so far is there after each checkpoint, though the file is never finished.
TEST(Archive, HasAllRowsAfterEveryFlush) {
  const Place place("flush.nc");
  const Model m = model("pendulum");
  const Span span{.step = "0.01", .until = 1};
  struct Watcher : RowSink<double> {
    std::string path;
    std::size_t rows = 0, seen = 0, looks = 0;
    void row(const std::vector<double>&) override { ++rows; }
    bool pulse(const Progress&) override { return true; }
    void checkpoint(const Checkpoint<double>& here) override {
      const Archive archive = Archive::open(path);
      EXPECT_EQ(archive.rows(), rows);
      EXPECT_EQ(archive.column("x").size(), rows);
      EXPECT_EQ(archive.checkpoint<double>().numbers, here.numbers);
      EXPECT_EQ(archive.status(), "running");
      ++looks;
    }
  } watcher;
  watcher.path = place.path;
  for (const double share : {0.0, 1e9}) {  // the file is brought up to date never, and every time
    ArchiveWriter<double> writer(place.path, provenance(m, "rattle", span, "double"),
                                 {.seconds = 0, .publish_share = share});
    watcher.rows = 0;
    run(m.system, "rattle", m.start, span, {.sinks = {&writer, &watcher}});
    EXPECT_EQ(Archive::open(place.path).rows(), 101u);
  }
  EXPECT_GT(watcher.looks, 4u);
}

// Tells through a pipe how many rows had been handed over at the last checkpoint.
struct Reporter : RowSink<double> {
  int pipe = -1;
  std::uint64_t rows = 0;
  void row(const std::vector<double>&) override { ++rows; }
  bool pulse(const Progress&) override { return true; }
  void checkpoint(const Checkpoint<double>&) override {
    if (write(pipe, &rows, sizeof rows) != sizeof rows) _exit(1);
  }
};

// Every checkpoint that the writer had finished when it was killed is there, with its rows. The file is brought up to
// date never, or as often as can be.
TEST(Archive, LosesNothingThatWasFlushedWhenKilled) {
  const Place place("killed.nc");
  const Model m = model("pendulum");
  const Span span{.step = "0.001", .until = 1000, .every = 1};
  const Provenance from = provenance(m, "rattle", span, "double");
  for (const double share : {0.0, 1e9})
    for (const int records : {1, 2, 3, 8}) {
      place.clear();
      int ends[2];
      ASSERT_EQ(pipe(ends), 0);
      const pid_t child = fork();
      ASSERT_GE(child, 0);
      if (child == 0) {
        close(ends[0]);
        Reporter reporter;
        reporter.pipe = ends[1];
        setenv("EXTREMAL_TEST_AT", ("record " + std::to_string(records) + " KILL").c_str(), 1);
        ArchiveWriter<double> writer(place.path, from, {.seconds = 0, .publish_share = share});
        run(m.system, "rattle", m.start, span, {.sinks = {&writer, &reporter}, .collect = false});
        _exit(0);
      }
      close(ends[1]);
      int status = 0;
      waitpid(child, &status, 0);
      EXPECT_TRUE(WIFSIGNALED(status));
      std::uint64_t flushed = 0, next = 0;
      int checkpoints = 0;
      for (; read(ends[0], &next, sizeof next) == sizeof next; ++checkpoints) flushed = next;
      close(ends[0]);
      EXPECT_EQ(checkpoints, records - 1);
      const Archive archive = Archive::open(place.path);
      EXPECT_EQ(archive.status(), "killed");
      EXPECT_EQ(archive.rows(), flushed);
      EXPECT_EQ(archive.checkpoint<double>().numbers.empty(), records == 1);
    }
}

struct Written {
  std::size_t rows = 0;
  std::vector<std::uint64_t> ends;  // of the records
};

Written write_journal(const std::string& path, int records) {
  Written w;
  Journal journal(path);
  journal.start(42);
  w.ends.push_back(std::filesystem::file_size(path));
  for (int k = 0; k < records; ++k) {
    JournalRecord record{.first_row = w.rows, .row_count = 3, .row_size = 16};
    for (int i = 0; i < 48; ++i) record.rows.push_back(static_cast<unsigned char>(k * 48 + i));
    record.checkpoint = {1, 2, static_cast<unsigned char>(k)};
    journal.append(record);
    w.rows += 3;
    w.ends.push_back(std::filesystem::file_size(path));
  }
  return w;
}

TEST(Journal, CutOffAnywhereKeepsWholeRecords) {
  const Place place("cut.journal");
  const Written w = write_journal(place.path, 4);
  for (std::uint64_t length = w.ends.back(); length > 0; --length) {
    std::filesystem::resize_file(place.path, length);
    std::uint64_t rows = 0, whole = 0;
    while (whole + 1 < w.ends.size() && w.ends[whole + 1] <= length) ++whole;
    const JournalState state = read_journal(place.path, [&](const JournalRecord& r) {
      EXPECT_EQ(r.first_row, rows);
      EXPECT_EQ(r.rows[0], rows * 16 % 256);
      EXPECT_EQ(r.checkpoint[2], rows / 3);
      rows += r.row_count;
    });
    EXPECT_EQ(state.found, length >= w.ends[0]) << length;
    EXPECT_EQ(rows, 3 * whole) << length;
    if (state.found) {
      EXPECT_EQ(state.valid_end, w.ends[whole]);
      EXPECT_EQ(state.dropped, length - w.ends[whole]);
    }
  }
}

TEST(Journal, DamagedAnywhereKeepsTheRecordsBefore) {
  const Place place("damaged.journal");
  const Written w = write_journal(place.path, 3);
  std::string content(w.ends.back(), '\0');
  std::ifstream(place.path, std::ios::binary).read(content.data(), static_cast<std::streamsize>(content.size()));
  for (std::size_t at = w.ends[0]; at < content.size(); ++at)
    for (const int change : {1, 0x80, 0xff}) {
      std::string bad = content;
      bad[at] = static_cast<char>(bad[at] ^ change);
      std::ofstream(place.path, std::ios::binary) << bad;
      std::size_t before = 0, records = 0;
      while (w.ends[before + 1] <= at) ++before;
      read_journal(place.path, [&](const JournalRecord&) { ++records; });
      EXPECT_EQ(records, before) << at;
    }
}

TEST(Journal, HasOneWriter) {
  const Place place("locked.journal");
  {
    const Journal first(place.path);
    EXPECT_TRUE(journal_locked(place.path));
    EXPECT_THAT(refusal([&] { Journal second(place.path); }), HasSubstr("another program"));
  }
  EXPECT_FALSE(journal_locked(place.path));
}

TEST(Archive, ReplacesFinishedRunsOnly) {
  const Place place("replaced.nc");
  const Model m = model("pendulum");
  const Span span{.step = "0.1", .until = 1};
  const auto write = [&](std::size_t rows) {
    ArchiveWriter<double> writer(place.path, provenance(m, "rattle", span, "double"));
    StopAt<double> stopper(rows);
    run(m.system, "rattle", m.start, span, {.sinks = {&writer, &stopper}, .stop = &stopper.stop});
  };
  write(100);
  write(4);
  EXPECT_EQ(Archive::open(place.path).status(), "interrupted");
  EXPECT_TRUE(Archive::open(place.path).unfinished());
  EXPECT_EQ(Archive::open(place.path).rows(), 4u);
  EXPECT_THAT(refusal([&] { write(100); }), HasSubstr("try extremal resume"));
  EXPECT_EQ(Archive::open(place.path).rows(), 4u);
  std::ofstream(place.path) << "a letter";
  EXPECT_THAT(refusal([&] { write(100); }), HasSubstr("no archive"));
  EXPECT_THAT(refusal([&] { Archive::open(place.path); }), HasSubstr("netCDF"));
  EXPECT_THAT(refusal([&] { Archive::open(place.path + "x"); }), HasSubstr("no such file"));
  EXPECT_FALSE(std::filesystem::exists(place.path + ".journal"));
}

// A run that is refused must not leave files behind.
TEST(Archive, ARefusedRunLeavesNothing) {
  const Place place("refused.nc");
  const Model m = model("pendulum");
  const Span span{.step = "0.3", .until = 1};
  {
    ArchiveWriter<double> writer(place.path, provenance(m, "rattle", span, "double"));
    EXPECT_NE(refusal([&] { run(m.system, "rattle", m.start, span, {.sinks = {&writer}}); }), "");
  }
  EXPECT_FALSE(std::filesystem::exists(place.path));
  EXPECT_FALSE(std::filesystem::exists(place.path + ".journal"));
}

// Stops at some row, goes on from the checkpoint, several times over: rows and summary are those of the unbroken run.
template <class S>
void expect_unbroken(const char* model_name, const std::string& scheme, const Span& span) {
  SCOPED_TRACE(std::string(model_name) + ", " + scheme);
  const Place place("resumed.nc");
  const Model m = model(model_name);
  const Run<S> whole = run<S>(m.system, scheme, m.start, span);
  Run<S> part;
  for (std::size_t k = 0; k < 100; ++k) {
    std::optional<ArchiveWriter<S>> writer;
    Checkpoint<S> from;
    if (k == 0) {
      writer.emplace(place.path, provenance(m, scheme, span, Scalar<S>::name));
    } else {
      writer.emplace(ArchiveWriter<S>::resume(place.path));
      from = Archive::open(place.path).checkpoint<S>();
    }
    StopAt<S> stopper(2 + k);
    part = run<S>(m.system, scheme, m.start, span,
                  {.sinks = {&*writer, &stopper}, .stop = &stopper.stop, .from = k == 0 ? nullptr : &from});
    if (part.status != Status::interrupted) break;
  }
  EXPECT_EQ(part.status, whole.status);
  EXPECT_EQ(part.reason, whole.reason);
  expect_same(Archive::open(place.path), whole);
  EXPECT_EQ(part.summary(), whole.summary());
  EXPECT_TRUE(same_bits(part.last.numbers, whole.last.numbers));
  EXPECT_EQ(part.dense.size(), whole.dense.size());
  for (std::size_t c = 0; c < whole.dense.size(); ++c)
    EXPECT_TRUE(same_bits(part.dense[c].values, whole.dense[c].values)) << whole.dense[c].name;
}

// The same without a file.
struct Rows : RowSink<double> {
  std::vector<std::vector<double>> rows;
  void row(const std::vector<double>& values) override { rows.push_back(values); }
};

TEST(Resume, EverySchemeGoesOnBitForBit) {
  const Span span{.step = "0.02", .until = "0.3", .every = 2};
  for (const Scheme& scheme : registry()) {
    // Nonlinear ones; not every scheme can carry the terms of every system.
    std::vector<std::string> carried;
    for (const char* system : {"triple-pendulum", "double-four-bar", "chain-spatial(3)", "top"})
      if (refusal([&] { Stepper<double>(model(system).system, scheme); }).empty()) carried.emplace_back(system);
    ASSERT_FALSE(carried.empty()) << scheme.name;
    const Model m = model(carried[0]);
    Rows whole, broken;
    const auto unbroken = run(m.system, scheme, m.start, span, {.sinks = {&whole}});
    StopAt<double> stopper(4);
    const auto part = run(m.system, scheme, m.start, span, {.sinks = {&broken, &stopper}, .stop = &stopper.stop});
    ASSERT_EQ(part.status, Status::interrupted) << scheme.name;
    const auto rest = run(m.system, scheme, m.start, span, {.sinks = {&broken}, .from = &part.last});
    ASSERT_EQ(broken.rows.size(), whole.rows.size()) << scheme.name;
    for (std::size_t r = 0; r < whole.rows.size(); ++r)
      EXPECT_TRUE(same_bits(broken.rows[r], whole.rows[r])) << scheme.name << ", row " << r;
    EXPECT_EQ(rest.summary(), unbroken.summary());
  }
}

TEST(Resume, MechanismsForcesAndDenseOutputGoOnBitForBit) {
  for (const char* scheme : {"rattle", "spark(2)", "ggl(2)", "wenger(2, 2, lobatto(2))"})
    for (const char* place : {"double-four-bar-damped", "bennett", "spherical-pendulum"})
      expect_unbroken<double>(place, scheme, {.step = "0.01", .until = "0.3", .at = {"0.005", "0.101", "0.25"}});
  expect_unbroken<double>("pendulum-polar-damped", "phase_space(2)",
                          {.step = "0.01", .until = "0.3", .error_estimate = true});
  expect_unbroken<quad>("triple-pendulum", "spark(3)", {.step = "0.02", .until = "0.4"});
  expect_unbroken<long double>("triple-pendulum", "suzuki(4, rattle)", {.step = "0.02", .until = "0.4"});
}

TEST(Resume, RefusesTheCheckpointOfAnotherRun) {
  const Model m = model("pendulum"), other = model("spherical-pendulum");
  const Span span{.step = "0.1", .until = 1};
  const auto r = run(m.system, "rattle", m.start, span);
  EXPECT_THAT(refusal([&] { run(other.system, "rattle", other.start, span, {.from = &r.last}); }),
              HasSubstr("checkpoint"));
  EXPECT_THAT(refusal([&] { run(m.system, "spark(3)", m.start, span, {.from = &r.last}); }), HasSubstr("checkpoint"));
}

// Rows that have been handed over are not kept.
TEST(Run, KeepsOneRowUnlessItCollects) {
  const Model m = model("pendulum");
  const Span span{.step = "0.01", .until = 10};
  const auto all = run(m.system, "rattle", m.start, span),
             one = run(m.system, "rattle", m.start, span, {.collect = false});
  for (std::size_t c = 0; c < all.columns.size(); ++c) {
    EXPECT_EQ(all.columns[c].values.size(), 1001u);
    ASSERT_EQ(one.columns[c].values.size(), 1u);
    EXPECT_LE(one.columns[c].values.capacity(), 2u);
    EXPECT_EQ(one.columns[c].values[0], all.columns[c].values.back());
  }
  EXPECT_EQ(one.summary(), all.summary());
}

}  // namespace
}  // namespace extremal::archive_test
