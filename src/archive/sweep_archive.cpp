#include "archive/sweep_archive.hpp"

#include <netcdf.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <functional>
#include <random>

#include "archive/journal.hpp"
#include "archive/seal.hpp"
#include "archive/sweep_layout.hpp"
#include "archive/take_place.hpp"
#include "extremal/error.hpp"

namespace extremal {
namespace {

using namespace sweep;
using Clock = std::chrono::steady_clock;

JournalRecord record_of(const BlockResult& block) {
  JournalRecord record{.first_row = block.first, .row_count = block.count, .row_size = block.width() * sizeof(double)};
  record.rows.resize(block.numbers.size() * sizeof(double));
  std::memcpy(record.rows.data(), block.numbers.data(), record.rows.size());
  record.checkpoint.assign(block.messages.begin(), block.messages.end());
  return record;
}

BlockResult block_of(const JournalRecord& record) {
  BlockResult block{.first = record.first_row, .count = record.row_count};
  block.numbers.resize(record.rows.size() / sizeof(double));
  std::memcpy(block.numbers.data(), record.rows.data(), block.numbers.size() * sizeof(double));
  block.messages.assign(record.checkpoint.begin(), record.checkpoint.end());
  return block;
}

// Every whole block of the journal that belongs to the sweep with this id.
JournalState visit_blocks(const std::string& path, const SweepShape& shape, std::uint64_t id,
                          const std::function<void(const BlockResult&)>& visit) {
  // The id stands at the head of the journal, before the first record.
  if (const JournalState state = read_journal(path, [](const JournalRecord&) {}); !state.found || state.id != id)
    return state;
  return read_journal(path, [&](const JournalRecord& record) {
    const bool fits = record.row_size == shape.width() * sizeof(double) && record.first_row <= shape.size &&
                      record.row_count <= shape.size - record.first_row;
    if (fits) visit(block_of(record));
  });
}

// What is known of every run without its numbers.
struct Book {
  std::vector<Outcome> outcomes = {};
  SweepMessages messages = {};

  void enter(const BlockResult& block) {
    const char* text = block.messages.c_str();
    for (std::uint64_t run = block.first; run < block.first + block.count; ++run) {
      outcomes[run] = block.outcome(run);
      const std::string message = text;
      text += message.size() + 1;
      if (outcomes[run] != Outcome::complete) messages[run] = message;
    }
  }
};

}  // namespace

struct SweepArchive::Data {
  explicit Data(const std::string& at) : path(at), file(at, NetcdfFile::Mode::read) {}
  std::string path;
  NetcdfFile file;
  SweepShape shape = {};
  std::map<std::string, std::string> attributes = {};
  std::string status = {};
  Book book = {};
  std::vector<BlockResult> tail = {};  // of the journal
};

SweepArchive::SweepArchive(std::unique_ptr<Data> data) : data_(std::move(data)) {}
SweepArchive::SweepArchive(SweepArchive&&) noexcept = default;
SweepArchive::~SweepArchive() = default;

bool SweepArchive::is(const std::string& path) {
  if (!is_netcdf(path)) return false;
  expect_whole(path);
  return NetcdfFile(path, NetcdfFile::Mode::read).attributes(NC_GLOBAL).contains("sweep_id");
}

SweepArchive SweepArchive::open(const std::string& at) {
  const std::string path = followed(at);
  if (!is(path)) throw InputError(path + ": no archive of a sweep; expected one that extremal sweep wrote");
  auto data = std::make_unique<Data>(path);
  data->attributes = data->file.attributes(NC_GLOBAL);
  data->shape = read_shape(data->file);
  data->book.outcomes = read_outcomes(data->file, data->shape);
  data->book.messages = read_messages(data->file);
  const std::string journal = path + ".journal";
  visit_blocks(journal, data->shape, id_in(data->attributes, "sweep_id"), [&](const BlockResult& block) {
    data->book.enter(block);
    data->tail.push_back(block);
  });
  data->status = data->attributes["status"];
  if (data->status == "running" && !journal_locked(journal)) data->status = "killed";
  return SweepArchive(std::move(data));
}

const std::map<std::string, std::string>& SweepArchive::attributes() const { return data_->attributes; }
const std::string& SweepArchive::attribute(const std::string& name) const {
  static const std::string none;
  const auto found = data_->attributes.find(name);
  return found == data_->attributes.end() ? none : found->second;
}
const std::string& SweepArchive::status() const { return data_->status; }
std::uint64_t SweepArchive::size() const { return data_->shape.size; }
const std::vector<std::string>& SweepArchive::varied() const { return data_->shape.varied; }
const std::vector<std::string>& SweepArchive::columns() const { return data_->shape.columns; }
std::size_t SweepArchive::rows() const { return data_->shape.rows; }
const std::vector<Outcome>& SweepArchive::outcomes() const { return data_->book.outcomes; }
const std::map<std::uint64_t, std::string>& SweepArchive::messages() const { return data_->book.messages; }

std::vector<double> SweepArchive::field(Field field) const {
  std::vector<double> values = read_field(data_->file, data_->shape, field);
  for (const BlockResult& block : data_->tail)
    for (std::uint64_t run = block.first; run < block.first + block.count; ++run) values[run] = block.field(run, field);
  return values;
}

BlockResult SweepArchive::read(std::uint64_t first, std::uint64_t count) const {
  BlockResult all = read_block(data_->file, data_->shape, first, count);
  const auto width = static_cast<std::ptrdiff_t>(data_->shape.width());
  for (const BlockResult& block : data_->tail)
    for (std::uint64_t run = std::max(first, block.first); run < std::min(first + count, block.first + block.count);
         ++run)
      std::copy_n(block.numbers.begin() + static_cast<std::ptrdiff_t>(run - block.first) * width, width,
                  all.numbers.begin() + static_cast<std::ptrdiff_t>(run - first) * width);
  return all;
}

struct SweepWriter::Data {
  Data(const std::string& at, const Sweep& of) : path(followed(at)), sweep(of), shape(shape_of(of)) {}
  std::string path;
  const Sweep& sweep;
  SweepShape shape;
  std::unique_ptr<Journal> journal = {};
  Book book = {};
  std::uint64_t done = 0;
  bool changed = true;  // there is something that the file does not have
  double earlier_seconds = 0, publish_cost = 0;
  Clock::time_point begun = Clock::now(), last_publish = Clock::now();

  void create(const SweepOrigin& origin) {
    std::random_device random;
    const std::uint64_t id = (static_cast<std::uint64_t>(random()) << 32U) | random();
    journal->start(id);
    replace_file(path, false, 1UL << 20U, [&](const std::string& part) { define(part, origin, id); });
    book.outcomes.assign(sweep.size(), Outcome::pending);
  }

  void define(const std::string& part, const SweepOrigin& origin, std::uint64_t id) const {
    NetcdfFile file(part, NetcdfFile::Mode::create);
    define_sweep(file, sweep);
    write_origin(file, origin.command);
    file.text(NC_GLOBAL, "title", std::to_string(sweep.size()) + " runs of " + sweep.model_name());
    file.text(NC_GLOBAL, "sweep_id", std::to_string(id));
    file.text(NC_GLOBAL, "sweep", origin.name);
    file.text(NC_GLOBAL, "sweep_text", origin.text);
    file.text(NC_GLOBAL, "sweep_options", origin.options);
    file.text(NC_GLOBAL, "identity", sweep.identity());
    file.text(NC_GLOBAL, "model", sweep.plan().model);
    file.text(NC_GLOBAL, "model_text", sweep.model_text());
    file.text(NC_GLOBAL, "precision", sweep.precision());
    file.text(NC_GLOBAL, "status", "running");
    file.close();
  }

  void go_on() {
    const SweepArchive archive = SweepArchive::open(path);
    book = {archive.outcomes(), archive.messages()};
    earlier_seconds = seconds_in(archive.attributes());
    const std::uint64_t id = id_in(archive.attributes(), "sweep_id");
    const JournalState state = read_journal(journal->path(), [](const JournalRecord&) {});
    if (state.found && state.id == id)
      journal->go_on(state.valid_end);
    else
      journal->start(id);
    changed = archive.attribute("status") != "complete";
    done = static_cast<std::uint64_t>(std::count_if(book.outcomes.begin(), book.outcomes.end(),
                                                    [](Outcome outcome) { return outcome != Outcome::pending; }));
    if (changed) publish("running");
  }

  void publish(const std::string& status) {
    const auto begin = Clock::now();
    std::error_code error;
    const std::uint64_t waiting = std::filesystem::file_size(journal->path(), error);
    replace_file(path, true, (1UL << 20U) + (error ? 0 : 2 * waiting) + new_chunks(shape),
                 [&](const std::string& part) {
                   NetcdfFile file(part, NetcdfFile::Mode::append);
                   read_journal(journal->path(),
                                [&](const JournalRecord& record) { write_block(file, shape, block_of(record)); });
                   write_messages(file, book.messages);
                   file.text(NC_GLOBAL, "status", status);
                   file.number(NC_GLOBAL, "seconds",
                               earlier_seconds + std::chrono::duration<double>(Clock::now() - begun).count());
                   file.close();
                 });
    journal->clear();
    last_publish = Clock::now();
    publish_cost = std::chrono::duration<double>(last_publish - begin).count();
  }
};

SweepWriter::SweepWriter(const std::string& path, const Sweep& sweep, const SweepOrigin& origin)
    : data_(std::make_unique<Data>(path, sweep)) {
  const auto there = [&] {
    if (std::error_code error; !std::filesystem::exists(path, error)) return false;
    if (!SweepArchive::is(path))
      throw InputError(path + ": found a file that is no archive of a sweep; expected a new name; try --archive FILE");
    if (SweepArchive::open(path).attribute("identity") != sweep.identity())
      throw InputError(path + ": found another sweep, or one of another model or version; expected the same one or a " +
                       "new name; try --archive FILE");
    return true;
  };
  there();
  // What is read after the lock stays.
  data_->journal = std::make_unique<Journal>(data_->path + ".journal");
  if (there())
    data_->go_on();
  else
    data_->create(origin);
}
SweepWriter::SweepWriter(SweepWriter&&) noexcept = default;
SweepWriter::~SweepWriter() = default;

double SweepWriter::bytes(const Sweep& sweep) { return bytes_of(shape_of(sweep)); }

std::vector<std::uint64_t> SweepWriter::missing() const {
  const std::uint64_t size = block_size(data_->sweep);
  std::vector<std::uint64_t> all;
  for (std::uint64_t block = 0; block < block_count(data_->sweep); ++block) {
    const auto begin = data_->book.outcomes.begin() + static_cast<std::ptrdiff_t>(block * size);
    const auto end = begin + static_cast<std::ptrdiff_t>(std::min(size, data_->sweep.size() - block * size));
    if (std::find(begin, end, Outcome::pending) != end) all.push_back(block);
  }
  return all;
}

std::uint64_t SweepWriter::done() const { return data_->done; }
std::uint64_t SweepWriter::failed() const { return data_->book.messages.size(); }

void SweepWriter::keep(const BlockResult& result) {
  Data& d = *data_;
  d.journal->append(record_of(result));
  d.book.enter(result);
  d.done += result.count;
  // Bringing the file up to date may take one hundredth of the time, and no more than once in ten seconds.
  const double passed = std::chrono::duration<double>(Clock::now() - d.last_publish).count();
  if (passed > 10 && passed > 100 * d.publish_cost) d.publish("running");
}

void SweepWriter::end() {
  const bool all = data_->done == data_->sweep.size();
  constexpr std::uint64_t large = 100UL << 20U;
  std::error_code error;
  if (!all &&
      std::filesystem::file_size(data_->path, error) + std::filesystem::file_size(data_->journal->path(), error) >
          large)
    return;
  if (data_->changed) data_->publish(all ? "complete" : "interrupted");
  data_->journal->remove();
}

}  // namespace extremal
