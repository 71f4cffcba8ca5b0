#include "extremal/archive.hpp"

#include <fmt/format.h>
#include <netcdf.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "archive/journal.hpp"
#include "archive/layout.hpp"
#include "archive/seal.hpp"
#include "extremal/error.hpp"
#include "numbers/with_scalar.hpp"
#include "words/json.hpp"

namespace extremal {

struct Archive::Data {
  explicit Data(const std::string& path) : file(path, NetcdfFile::Mode::read) {}
  NetcdfFile file;
  std::vector<ColumnInfo> columns = {};
  std::vector<ArchiveVariable> variables = {};
  std::map<std::string, std::string> attributes = {};
  std::string status = {};
  std::size_t published = 0;     // rows in the netCDF file
  std::vector<Bytes> tail = {};  // rows of the journal, one by one
  Bytes checkpoint = {};
};

namespace {

std::size_t scalar_size(const std::string& precision) {
  return with_scalar(precision, []<class S>(S) { return std::size_t(Encoding<S>::size); });
}

// The largest change of every momentum under a name of its own: netCDF does not take every name of a symmetry.
void add_momenta(std::map<std::string, std::string>& attributes, const std::string& path) {
  const auto found = attributes.find("momentum_error");
  if (found == attributes.end()) return;
  try {
    const Json momenta = Json::parse(found->second);
    for (const std::string& name : momenta.keys())
      attributes["momentum_error:" + name] = momenta.at(name).get<std::string>();
  } catch (const std::exception& error) {
    throw InputError(path + ": the attribute momentum_error cannot be read (" + error.what() + "); expected JSON");
  }
}

}  // namespace

Archive::Archive(std::unique_ptr<Data> data) : data_(std::move(data)) {}
Archive::Archive(Archive&&) noexcept = default;
Archive& Archive::operator=(Archive&&) noexcept = default;
Archive::~Archive() = default;

Archive Archive::open(const std::string& at) {
  const std::string path = followed(at);
  if (std::error_code error; !std::filesystem::is_regular_file(path, error))
    throw InputError(path +
                     (std::filesystem::is_directory(path, error) ? ": found a folder" : ": there is no such file") +
                     "; expected an archive that extremal run --archive wrote");
  const std::string journal = path + ".journal";
  // A writer may bring the file up to date, and empty the journal, between the two looks at them.
  for (int attempt = 0;; ++attempt) {
    expect_whole(path);
    auto data = std::make_unique<Data>(path);
    data->attributes = data->file.attributes(NC_GLOBAL);
    add_momenta(data->attributes, path);
    if (!data->attributes.contains("run_id") || !data->attributes.contains("status"))
      throw InputError(path + ": a netCDF file, but no archive; expected one that extremal run --archive wrote");
    data->columns = read_columns(data->file);
    data->variables = variables_of(data->columns);
    data->published = data->file.length(data->file.id(), "time");
    data->checkpoint = read_checkpoint(data->file);
    const std::uint64_t row_size = data->columns.size() * scalar_size(data->attributes["precision"]);
    bool gap = false, mine = true;
    std::size_t rows = data->published;
    const JournalState state = read_journal(journal, [&](const JournalRecord& record) {
      if (record.row_size != row_size) mine = false;
      gap = gap || record.first_row > rows;
      if (gap || !mine) return;
      if (record.first_row + record.row_count < rows) return;
      for (std::size_t r = rows - record.first_row; r < record.row_count; ++r) {
        const auto from = record.rows.begin() + static_cast<std::ptrdiff_t>(r * row_size);
        data->tail.emplace_back(from, from + static_cast<std::ptrdiff_t>(row_size));
      }
      rows = record.first_row + record.row_count;
      data->checkpoint = record.checkpoint;
    });
    if (!state.found || state.id != id_in(data->attributes, "run_id") || !mine) {
      data->tail.clear();
      data->checkpoint = read_checkpoint(data->file);
    } else if (gap && attempt < 100) {
      continue;
    }
    data->status = data->attributes["status"];
    if (data->status == "running" && !journal_locked(journal)) data->status = "killed";
    return Archive(std::move(data));
  }
}

const std::vector<ColumnInfo>& Archive::columns() const { return data_->columns; }
std::size_t Archive::rows() const { return data_->published + data_->tail.size(); }
std::vector<double> Archive::column(std::string_view name) const {
  return with_scalar(attribute("precision"), [&]<class S>(S) {
    const std::vector<S> values = exact<S>(name);
    return std::vector<double>(values.begin(), values.end());
  });
}

template <class S>
std::vector<S> Archive::exact(std::string_view name) const {
  if (attribute("precision") != Scalar<S>::name)
    throw InputError("archive: a run in " + attribute("precision") + "; expected one in " + Scalar<S>::name);
  const auto found = std::find_if(data_->columns.begin(), data_->columns.end(),
                                  [&](const ColumnInfo& column) { return column.name == name; });
  if (found == data_->columns.end()) {
    std::vector<std::string> names;
    for (const ColumnInfo& column : data_->columns) names.push_back(column.name);
    throw InputError(fmt::format("archive: no column \"{}\"; the columns are {}", name, fmt::join(names, ", ")));
  }
  const auto index = static_cast<std::size_t>(found - data_->columns.begin());
  const auto variable = std::find_if(data_->variables.begin(), data_->variables.end(),
                                     [&](const auto& v) { return v.first <= index && index < v.first + v.width; });
  std::vector<S> values = read_column<S>(data_->file, *variable, index - variable->first, data_->published);
  for (const Bytes& row : data_->tail) values.push_back(get_bytes<S>(row.data() + index * Encoding<S>::size));
  return values;
}

std::vector<double> Archive::block(std::string_view variable, std::size_t first, std::size_t count) const {
  const auto v = std::find_if(data_->variables.begin(), data_->variables.end(),
                              [&](const auto& candidate) { return candidate.name == variable; });
  if (v == data_->variables.end()) return {};
  if (first + count > rows())
    throw InputError(fmt::format("archive: rows {} to {}; there are {}", first, first + count, rows()));
  const std::size_t in_file = std::min(count, data_->published - std::min(first, data_->published));
  std::vector<double> values = read_block(data_->file, *v, first, in_file);
  with_scalar(attribute("precision"), [&]<class S>(S) {
    for (std::size_t r = first + in_file; r < first + count; ++r)
      for (std::size_t i = 0; i < v->width; ++i)
        values.push_back(static_cast<double>(
            get_bytes<S>(data_->tail[r - data_->published].data() + (v->first + i) * Encoding<S>::size)));
  });
  return values;
}

const std::map<std::string, std::string>& Archive::attributes() const { return data_->attributes; }
const std::string& Archive::attribute(const std::string& name) const {
  static const std::string none;
  const auto found = data_->attributes.find(name);
  return found == data_->attributes.end() ? none : found->second;
}
Provenance Archive::provenance() const { return read_provenance(data_->attributes); }
const std::string& Archive::status() const { return data_->status; }
bool Archive::unfinished() const { return data_->status == "interrupted" || data_->status == "killed"; }

template <class S>
Checkpoint<S> Archive::checkpoint() const {
  if (attribute("precision") != Scalar<S>::name)
    throw InputError("archive: a run in " + attribute("precision") + "; expected one in " + Scalar<S>::name);
  Checkpoint<S> here;
  for (std::size_t at = 0; at + Encoding<S>::size <= data_->checkpoint.size(); at += Encoding<S>::size)
    here.numbers.push_back(get_bytes<S>(data_->checkpoint.data() + at));
  return here;
}

template std::vector<double> Archive::exact(std::string_view) const;
template std::vector<long double> Archive::exact(std::string_view) const;
template std::vector<quad> Archive::exact(std::string_view) const;
template Checkpoint<double> Archive::checkpoint() const;
template Checkpoint<long double> Archive::checkpoint() const;
template Checkpoint<quad> Archive::checkpoint() const;

}  // namespace extremal
