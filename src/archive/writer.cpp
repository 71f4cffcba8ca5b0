// ArchiveWriter: rows and checkpoints go to the journal, and from there to the netCDF file.
//
// The netCDF library changes a file in place, and a file that was being changed when the program died may not open. So
// it only ever changes a copy, FILE.part, that then takes the place of FILE; rename is atomic. Copies cost more as the
// archive grows, so that they are made less often: they take the share of the time that FlushPolicy gives them.
#include <netcdf.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <random>

#include "archive/journal.hpp"
#include "archive/layout.hpp"
#include "archive/seal.hpp"
#include "archive/take_place.hpp"
#include "extremal/archive.hpp"
#include "extremal/error.hpp"
#include "run/keys.hpp"
#include "words/json.hpp"

namespace extremal {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

template <class S>
Bytes encode(const std::vector<S>& numbers) {
  Bytes bytes;
  bytes.reserve(numbers.size() * Encoding<S>::size);
  for (const S& x : numbers) put_bytes(bytes, x);
  return bytes;
}

// What goes on has to be what was begun.
template <class S>
void expect_same_run(const Run<S>& run, const Provenance& begun, const std::string& path) {
  const auto expect = [&](const char* what, bool same, const std::string& found, const std::string& before) {
    if (!same)
      throw InputError(path + ": " + what + " is " + found + "; expected " + before + ", with which it was begun");
  };
  expect("the scheme", run.scheme == Scheme::named(begun.scheme).name, run.scheme, begun.scheme);
  expect("the step", run.step == begun.span.step, run.step.text(), begun.span.step.text());
  expect("the pattern of steps", run.pattern == begun.span.pattern, list_text(run.pattern),
         list_text(begun.span.pattern));
  expect("until", run.until == begun.span.until, run.until.text(), begun.span.until.text());
  const Start &a = run.start, &b = begun.start;
  expect("the start", a.t == b.t && a.q == b.q && a.v == b.v && a.p == b.p && a.next == b.next, "another one", "that");
}

// What is known at the end. Wide scalars with all digits, as text.
template <class S>
void write_summary(NetcdfFile& file, const Run<S>& run, const std::vector<std::string>& own_notes) {
  file.text(NC_GLOBAL, "status", name(run.status));
  file.text(NC_GLOBAL, "reason", run.reason);
  file.integer(NC_GLOBAL, "steps", run.steps);
  file.number(NC_GLOBAL, "newton_mean", run.newton_mean);
  file.integer(NC_GLOBAL, "newton_max", run.newton_max);
  file.integer(NC_GLOBAL, "fallbacks", run.fallbacks);
  file.integer(NC_GLOBAL, "retries", run.retries);
  file.text(NC_GLOBAL, "remedies", run.remedies.text(run.scheme, run.steps));
  for (std::size_t k = 0; k < Remedies::kinds; ++k)
    file.integer(NC_GLOBAL, std::string("remedies_") + name(static_cast<Remedy>(k + 1)), run.remedies.taken[k]);
  file.integer(NC_GLOBAL, "singular", run.singular);
  file.text(NC_GLOBAL, "energy_initial", to_text(run.energy_initial));
  file.text(NC_GLOBAL, "energy_max_error", to_text(run.energy_max_error));
  file.text(NC_GLOBAL, "energy_supplied", to_text(run.supplied));
  file.text(NC_GLOBAL, "energy_dissipated", to_text(run.dissipated));
  file.number(NC_GLOBAL, "drift_slope", run.drift.slope);
  file.number(NC_GLOBAL, "drift_slope_error", run.drift.slope_error);
  file.text(NC_GLOBAL, "constraint_max", to_text(run.constraint_max));
  file.text(NC_GLOBAL, "hidden_max", to_text(run.hidden_max));
  Json momenta = Json::object();
  for (const auto& column : run.momentum_error) momenta[column.name] = to_text(column.values.at(0));
  file.text(NC_GLOBAL, "momentum_error", momenta.dump(Json::one_line, Json::BadText::replaced));
  std::string notes;
  for (const auto* some : {&run.notes, &own_notes})
    for (const std::string& note : *some) notes += (notes.empty() ? "" : "\n") + note;
  file.text(NC_GLOBAL, "notes", notes);
}

}  // namespace

FlushPolicy FlushPolicy::every(double seconds) {
  if (!(seconds > 0 && seconds < 1e9)) throw InputError("flush: found no positive number of seconds; expected e.g. 1");
  const FlushPolicy usual;
  return {.seconds = seconds,
          .bytes = usual.bytes,
          .publish_share = std::min(0.25, std::max(1.0, usual.seconds / seconds) * usual.publish_share)};
}

template <class S>
struct ArchiveWriter<S>::Data {
  Data(const std::string& at, FlushPolicy how) : path(followed(at)), policy(how), journal(path + ".journal") {}

  std::string path;
  FlushPolicy policy;
  Provenance provenance = {};
  Journal journal;
  std::uint64_t id = 0;
  std::vector<std::string> notes = {};
  bool resumed = false;
  std::vector<ArchiveVariable> variables = {};
  std::uint64_t row_size = 0;
  JournalRecord waiting = {};
  std::uint64_t published = 0;  // rows in FILE
  Clock::time_point flushed = Clock::now(), last_publish = Clock::now();
  double publish_cost = 0;
  double earlier_seconds = 0;  // of the runs before a resume
  Clock::time_point begun = Clock::now();

  void flush(const Checkpoint<S>& here) {
    waiting.row_size = row_size;
    waiting.checkpoint = encode(here.numbers);
    journal.append(waiting);
    waiting.first_row += waiting.row_count;
    waiting.row_count = 0;
    waiting.rows.clear();
    flushed = Clock::now();
  }

  void publish(const Run<S>* finished) {
    const auto begin = Clock::now();
    std::uint64_t rows = published;
    const std::uint64_t growth =
        growth_of(variables, Encoding<S>::parts, waiting.first_row - published) + 2 * waiting.checkpoint.size();
    replace_file(path, true, growth, [&](const std::string& part) {
      NetcdfFile file(part, NetcdfFile::Mode::append);
      Bytes checkpoint;
      read_journal(journal.path(), [&](const JournalRecord& record) {
        const std::uint64_t end = record.first_row + record.row_count;
        checkpoint = record.checkpoint;
        if (end <= rows) return;
        const std::uint64_t skip = rows - std::min(rows, record.first_row);
        append_rows<S>(file, variables, rows, end - rows, record.rows.data() + skip * row_size);
        rows = end;
      });
      if (!checkpoint.empty()) write_checkpoint(file, checkpoint);
      if (finished != nullptr)
        write_summary(file, *finished, notes);
      else
        file.text(NC_GLOBAL, "status", "running");
      file.number(NC_GLOBAL, "seconds", earlier_seconds + seconds_since(begun));
      file.close();
    });
    published = rows;
    journal.clear();
    last_publish = Clock::now();
    publish_cost = std::chrono::duration<double>(last_publish - begin).count();
  }
};

template <class S>
ArchiveWriter<S>::ArchiveWriter(std::unique_ptr<Data> data) : data_(std::move(data)) {}
template <class S>
ArchiveWriter<S>::ArchiveWriter(ArchiveWriter&&) noexcept = default;
// A run that was refused leaves nothing.
template <class S>
ArchiveWriter<S>::~ArchiveWriter() {
  if (data_ != nullptr && data_->row_size == 0) data_->journal.remove();
}

template <class S>
ArchiveWriter<S>::ArchiveWriter(const std::string& path, Provenance provenance, FlushPolicy policy) {
  if (path.empty()) throw InputError("archive: found an empty name; expected that of a file");
  if (std::error_code error; std::filesystem::exists(path, error)) {
    std::string status;
    try {
      status = Archive::open(path).status();
    } catch (const InputError&) {
      throw InputError(path + ": found a file that is no archive; expected a new name or an archive to replace");
    }
    if (status == "interrupted" || status == "killed")
      throw InputError(path + ": found a run that is not finished; expected a new name; try extremal resume " + path);
  }
  data_ = std::make_unique<Data>(path, policy);
  data_->provenance = std::move(provenance);
  std::random_device random;
  data_->id = (static_cast<std::uint64_t>(random()) << 32) | random();
}

template <class S>
ArchiveWriter<S> ArchiveWriter<S>::resume(const std::string& path, FlushPolicy policy) {
  if (const Archive archive = Archive::open(path); !archive.unfinished() && archive.status() != "running")
    throw InputError(path + ": its run is " + archive.status() + "; expected one that was interrupted or killed");
  // What is read after the lock stays.
  auto data = std::make_unique<Data>(path, policy);
  const Archive archive = Archive::open(path);
  data->provenance = archive.provenance();
  if (data->provenance.precision != Scalar<S>::name)
    throw InputError(path + ": a run in " + data->provenance.precision + "; expected one in " + Scalar<S>::name);
  data->notes = compare_origin(archive.attributes(), path);
  data->id = id_in(archive.attributes(), "run_id");
  data->resumed = true;
  data->earlier_seconds = seconds_in(archive.attributes());
  data->variables = variables_of(archive.columns());
  data->row_size = archive.columns().size() * Encoding<S>::size;
  data->waiting.first_row = archive.rows();
  const NetcdfFile file(data->path, NetcdfFile::Mode::read);
  data->published = file.length(file.id(), "time");
  const JournalState journal = read_journal(data->journal.path(), [](const JournalRecord&) {});
  if (journal.found && journal.id == data->id)
    data->journal.go_on(journal.valid_end);
  else
    data->journal.start(data->id);
  return ArchiveWriter(std::move(data));
}

template <class S>
const std::vector<std::string>& ArchiveWriter<S>::notes() const {
  return data_->notes;
}

template <class S>
const std::string& ArchiveWriter<S>::journal() const {
  return data_->journal.path();
}

template <class S>
void ArchiveWriter<S>::begin(const Run<S>& run, const std::vector<ColumnInfo>& columns) {
  Data& d = *data_;
  if (d.resumed) {
    if (Archive::open(d.path).columns() != columns)
      throw InputError(d.path + ": other columns than the run's; expected the archive of the same model");
    expect_same_run(run, d.provenance, d.path);
  } else {
    if (run.accuracy != nullptr) {
      d.provenance.span.step = run.step;
      d.provenance.span.every = run.accuracy->every;
      d.provenance.trials = run.accuracy->json();
    }
    d.variables = variables_of(columns);
    d.journal.start(d.id);
    replace_file(d.path, false, growth_of(d.variables, Encoding<S>::parts, 0), [&](const std::string& part) {
      NetcdfFile file(part, NetcdfFile::Mode::create);
      define_archive(file, columns, Encoding<S>::parts, d.provenance, d.id);
      file.close();
    });
    d.row_size = columns.size() * Encoding<S>::size;  // from here on there is something to keep
  }
  d.flushed = d.last_publish = d.begun = Clock::now();
}

template <class S>
void ArchiveWriter<S>::row(const std::vector<S>& values) {
  for (const S& x : values) put_bytes(data_->waiting.rows, x);
  ++data_->waiting.row_count;
}

template <class S>
bool ArchiveWriter<S>::pulse(const Progress&) {
  return data_->waiting.rows.size() >= data_->policy.bytes || seconds_since(data_->flushed) >= data_->policy.seconds;
}

template <class S>
void ArchiveWriter<S>::checkpoint(const Checkpoint<S>& here) {
  Data& d = *data_;
  d.flush(here);
  if (seconds_since(d.last_publish) * d.policy.publish_share >= d.publish_cost) d.publish(nullptr);
}

template <class S>
void ArchiveWriter<S>::end(const Run<S>& run) {
  data_->flush(run.last);
  data_->publish(&run);
  data_->journal.remove();
}

template class ArchiveWriter<double>;
template class ArchiveWriter<long double>;
template class ArchiveWriter<quad>;

}  // namespace extremal
