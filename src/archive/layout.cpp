#include "archive/layout.hpp"

#include <netcdf.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <ctime>
#include <fstream>
#include <limits>
#include <set>
#include <string_view>
#include <system_error>

#include "archive/names.hpp"
#include "extremal/error.hpp"
#include "run/keys.hpp"
#include "run/span.hpp"
#include "words/json.hpp"

namespace extremal {
namespace {

constexpr const char* part_names[] = {"", ", what a double cannot hold of it", ", what two doubles cannot hold of it"};

std::string cpu_model() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(std::min(line.size(), line.find(':') + 2));
  return "unknown";
}

std::string now() {
  const std::time_t t = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&t, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

Json texts(const std::vector<Number>& numbers) {
  Json all = Json::array();
  for (const Number& x : numbers) all.push_back(x.text());
  return all;
}

std::vector<Number> numbers(const Json& texts) {
  std::vector<Number> all;
  for (const Json& text : texts) all.emplace_back(text.get<std::string>());
  return all;
}

// Of [run]: every archive has these. Whoever did not know of another key wrote what is the case where nothing is said.
constexpr std::string_view keys_of_old[] = {"scheme", "step", "until", "precision", "every"};

// About 64 kB: small enough for small archives, large enough for few chunks in large ones.
std::size_t rows_per_chunk(std::size_t width) { return std::clamp<std::size_t>(8192 / width, 1, 1024); }

}  // namespace

std::vector<ArchiveVariable> variables_of(const std::vector<ColumnInfo>& columns) {
  std::vector<ArchiveVariable> all;
  std::set<std::string> taken = reserved_names();
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (!all.empty() && !columns[c].axis.empty() && columns[c].variable == all.back().name)
      ++all.back().width;
    else
      all.push_back(
          {columns[c].variable, columns[c].axis, c, 1, stored_name(columns[c].variable, taken), columns[c].second});
  const auto owner = [&](std::size_t c) { return columns[c].member.substr(0, columns[c].member.rfind(':')); };
  for (ArchiveVariable& v : all)
    if (!v.second.empty())
      while (v.depth < v.width && owner(v.first + v.depth) == owner(v.first)) ++v.depth;
  return all;
}

AxisNames axis_names(const std::vector<ColumnInfo>& columns, const ArchiveVariable& v) {
  AxisNames names;
  for (std::size_t i = 0; i < v.width; ++i) {
    const std::string& member = columns[v.first + i].member;
    const std::size_t colon = v.second.empty() ? member.size() : member.rfind(':');
    if (i % v.depth == 0) names.first.push_back(member.substr(0, colon));
    if (i < v.depth && !v.second.empty()) names.second.push_back(member.substr(colon + 1));
  }
  return names;
}

std::vector<std::string> member_names(const AxisNames& names) {
  if (names.second.empty()) return names.first;
  std::vector<std::string> all;
  for (const std::string& first : names.first)
    for (const std::string& second : names.second) all.emplace_back(first).append(":").append(second);
  return all;
}

void write_true_name(NetcdfFile& file, int variable, const ArchiveVariable& v) {
  if (v.stored != v.name) file.text(variable, "true_name", v.name);
}

std::string true_name(const std::map<std::string, std::string>& attributes, const char* stored) {
  const auto found = attributes.find("true_name");
  return found == attributes.end() ? stored : found->second;
}

std::uint64_t id_in(const std::map<std::string, std::string>& attributes, const std::string& name) {
  const auto found = attributes.find(name);
  std::uint64_t id = 0;
  if (found != attributes.end()) {
    const std::string& text = found->second;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (error == std::errc() && end == text.data() + text.size()) return id;
  }
  throw InputError("archive: the attribute " + name + " is no number; expected the one that extremal wrote");
}

double seconds_in(const std::map<std::string, std::string>& attributes) {
  const auto found = attributes.find("seconds");
  if (found == attributes.end()) return 0;
  const double seconds = Number(found->second).as<double>();
  return seconds > 0 ? seconds : 0;
}

void write_origin(NetcdfFile& file, const std::string& command) {
  file.text(NC_GLOBAL, "Conventions", "CF-1.8");
  file.text(NC_GLOBAL, "source", "extremal " EXTREMAL_VERSION);
  file.text(NC_GLOBAL, "units_note", "SI, if the model is in SI; otherwise its consistent units");
  file.text(NC_GLOBAL, "version", EXTREMAL_VERSION);
  file.text(NC_GLOBAL, "machine", cpu_model());
  file.text(NC_GLOBAL, "compiler", __VERSION__);
  file.text(NC_GLOBAL, "command", command);
  file.text(NC_GLOBAL, "created", now());
}

std::vector<std::string> compare_origin(const std::map<std::string, std::string>& attributes, const std::string& path) {
  const auto of = [&](const char* name) {
    const auto found = attributes.find(name);
    return found == attributes.end() ? std::string("unknown") : found->second;
  };
  if (of("version") != EXTREMAL_VERSION)
    throw InputError(path + ": begun by extremal " + of("version") + "; expected " EXTREMAL_VERSION +
                     ", as another version may compute another motion; try that version, or a new run");
  std::vector<std::string> notes;
  for (const auto& [name, here] :
       {std::pair<const char*, std::string>("machine", cpu_model()), {"compiler", __VERSION__}})
    if (of(name) != here)
      notes.push_back(std::string("gone on with ") +
                      (name == std::string("machine") ? "on another machine" : "after another compiler") + " (" + here +
                      ") than it was begun (" + of(name) + "): the last bits may differ from those of one run");
  return notes;
}

std::uint64_t growth_of(const std::vector<ArchiveVariable>& variables, int parts, std::uint64_t rows) {
  std::uint64_t bytes = 1UL << 18U;
  for (const ArchiveVariable& v : variables) {
    const std::uint64_t chunk = rows_per_chunk(v.width);
    bytes += static_cast<std::uint64_t>(parts) * ((rows / chunk + 2) * (chunk * v.width * sizeof(double) + 64) + 1024);
  }
  return bytes;
}

void define_archive(NetcdfFile& file, const std::vector<ColumnInfo>& columns, int parts, const Provenance& provenance,
                    std::uint64_t id) {
  const int root = file.id(), rows = file.dimension(root, "time", NC_UNLIMITED);
  std::map<std::string, int> axes;
  std::vector<std::pair<int, std::vector<std::string>>> names;
  for (const ArchiveVariable& v : variables_of(columns)) {
    const ColumnInfo& info = columns[v.first];
    std::vector<int> dimensions = {rows};
    std::vector<std::size_t> chunks = {rows_per_chunk(v.width)};
    const AxisNames members = axis_names(columns, v);
    for (const auto& [axis, labels] : {std::pair{&v.axis, &members.first}, {&v.second, &members.second}}) {
      if (axis->empty()) continue;
      if (!axes.contains(*axis)) {
        axes[*axis] = file.dimension(root, *axis, labels->size());
        const int variable = file.variable(root, *axis, NC_STRING, {axes[*axis]});
        file.text(variable, "long_name", "name of the " + *axis);
        names.emplace_back(variable, *labels);
      }
      dimensions.push_back(axes[*axis]);
      chunks.push_back(labels->size());
    }
    for (int part = 0; part < parts; ++part) {
      const int variable = file.variable(root, v.stored + part_suffixes[part], NC_DOUBLE, dimensions, chunks);
      file.text(variable, "long_name", info.description + part_names[part]);
      file.text(variable, "units", info.unit);
      // "v:x" is the member x of the columns "v:".
      if (part == 0) file.text(variable, "column", info.name.substr(0, info.name.size() - info.member.size()));
      if (v.name == "time" && part == 0) file.text(variable, "axis", "T");
      if (part == 0) write_true_name(file, variable, v);
    }
  }
  file.text(NC_GLOBAL, "title", provenance.model + " by " + provenance.scheme);
  file.text(NC_GLOBAL, "model", provenance.model);
  file.text(NC_GLOBAL, "model_text", provenance.model_text);
  Json parameters = Json::object();
  for (std::size_t i = 0; i < provenance.parameters.size(); ++i)
    parameters[provenance.parameter_names[i]] = provenance.parameters[i].text();
  file.text(NC_GLOBAL, "parameters", parameters.dump());
  const Start& s = provenance.start;
  file.text(NC_GLOBAL, "start",
            Json{{"t", s.t.text()},
                 {"q", texts(s.q)},
                 {"v", texts(s.v)},
                 {"p", texts(s.p)},
                 {"next", texts(s.next)},
                 {"slack", s.slack.text()}}
                .dump());
  Provenance same = provenance;
  for (const RunKey& key : run_keys()) {
    const std::string text = key.text({same.scheme, same.span, same.precision});
    if (key.kind == RunKey::Kind::count || key.kind == RunKey::Kind::flag)
      file.integer(NC_GLOBAL, key.name, std::stoll(text));
    else
      file.text(NC_GLOBAL, key.name, text);
  }
  // Where it is no other way to say `every`.
  if (has_row_times(provenance.span)) file.integer(NC_GLOBAL, "outputs", provenance.span.outputs);
  if (!provenance.trials.empty()) file.text(NC_GLOBAL, "accuracy_trials", provenance.trials);
  write_origin(file, provenance.command);
  file.text(NC_GLOBAL, "run_id", std::to_string(id));
  file.text(NC_GLOBAL, "status", "running");
  file.text(NC_GLOBAL, "reason", "");
  const int resume = file.group("resume");
  file.variable(resume, "checkpoint", NC_UBYTE, {file.dimension(resume, "checkpoint_byte", NC_UNLIMITED)}, {4096});
  file.check(nc_enddef(root), "layout");
  for (const auto& [variable, members] : names) file.strings(variable, members);
}

std::vector<ColumnInfo> read_columns(const NetcdfFile& file) {
  int count = 0;
  file.check(nc_inq_nvars(file.id(), &count), "variables");
  std::vector<ColumnInfo> columns;
  for (int v = 0; v < count; ++v) {
    const auto attributes = file.attributes(v);
    if (!attributes.contains("column") || !attributes.contains("units") || !attributes.contains("long_name")) continue;
    char name[NC_MAX_NAME + 1] = {};
    int rank = 0, dimensions[NC_MAX_VAR_DIMS];
    file.check(nc_inq_var(file.id(), v, name, nullptr, &rank, dimensions, nullptr), "variables");
    const std::string variable = true_name(attributes, name);
    const std::string &column = attributes.at("column"), &unit = attributes.at("units"),
                      &description = attributes.at("long_name");
    if (rank == 1) {
      columns.push_back({column, variable, "", "", unit, description});
      continue;
    }
    std::string axes[2];
    AxisNames members;
    for (const int d : {1, 2}) {
      if (d >= rank) continue;
      char axis[NC_MAX_NAME + 1] = {};
      std::size_t length = 0;
      file.check(nc_inq_dim(file.id(), dimensions[d], axis, &length), "dimensions");
      axes[d - 1] = axis;
      (d == 1 ? members.first : members.second) = file.strings(file.find_variable(file.id(), axis), length);
    }
    for (const std::string& member : member_names(members))
      columns.push_back({column + member, variable, axes[0], member, unit, description, axes[1]});
  }
  return columns;
}

Provenance read_provenance(const std::map<std::string, std::string>& attributes) {
  Provenance p;
  try {
    for (auto [name, to] : {std::pair("model", &p.model), {"model_text", &p.model_text}, {"command", &p.command}})
      *to = attributes.at(name);
    if (const auto trials = attributes.find("accuracy_trials"); trials != attributes.end()) p.trials = trials->second;
    const Json parameters = Json::parse(attributes.at("parameters"));
    p.parameter_names = parameters.keys();
    p.parameters = numbers(parameters);
    const Json start = Json::parse(attributes.at("start"));
    for (auto [name, to] : {std::pair("q", &p.start.q), {"v", &p.start.v}, {"p", &p.start.p}, {"next", &p.start.next}})
      *to = numbers(start.at(name));
    p.start.t = Number(start.at("t").get<std::string>());
    // It was called so before.
    p.start.slack = Number(start.at(start.contains("slack") ? "slack" : "tolerance").get<std::string>());
    for (const RunKey& key : run_keys())
      if (const auto found = attributes.find(key.name); found != attributes.end())
        key.take({p.scheme, p.span, p.precision}, found->second);
      else if (std::find(std::begin(keys_of_old), std::end(keys_of_old), key.name) != std::end(keys_of_old))
        throw InputError(std::string("no ") + key.name);
    if (const auto outputs = attributes.find("outputs"); outputs != attributes.end())
      p.span.outputs = std::stoi(outputs->second);
  } catch (const std::exception& error) {
    throw InputError(std::string("archive: attributes that cannot be read (") + error.what() +
                     "); expected those that extremal writes");
  }
  return p;
}

template <class S>
void append_rows(NetcdfFile& file, const std::vector<ArchiveVariable>& variables, std::size_t first_row,
                 std::size_t count, const unsigned char* rows) {
  if (count == 0) return;
  const std::size_t row_size = (variables.back().first + variables.back().width) * Encoding<S>::size;
  std::vector<double> parts[3];
  for (const ArchiveVariable& v : variables) {
    for (std::size_t part = 0; part < static_cast<std::size_t>(Encoding<S>::parts); ++part)
      parts[part].resize(count * v.width);
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t i = 0; i < v.width; ++i) {
        const auto x = split(get_bytes<S>(rows + r * row_size + (v.first + i) * Encoding<S>::size));
        for (std::size_t part = 0; part < static_cast<std::size_t>(Encoding<S>::parts); ++part)
          parts[part][r * v.width + i] = x[part];
      }
    const std::size_t from[] = {first_row, 0, 0}, shape[] = {count, v.width / v.depth, v.depth};
    for (std::size_t part = 0; part < static_cast<std::size_t>(Encoding<S>::parts); ++part)
      file.check(nc_put_vara_double(file.id(), file.find_variable(file.id(), v.stored + part_suffixes[part]), from,
                                    shape, parts[part].data()),
                 v.name);
  }
}

template <class S>
std::vector<S> read_column(const NetcdfFile& file, const ArchiveVariable& variable, std::size_t member,
                           std::size_t rows) {
  std::vector<double> parts[3];
  for (std::size_t part = 0; part < static_cast<std::size_t>(Encoding<S>::parts) && rows > 0; ++part) {
    const int id = file.find_variable(file.id(), variable.stored + part_suffixes[part]);
    if (id < 0) break;  // a run in double has one part
    parts[part].resize(rows);
    const std::size_t from[] = {0, member / variable.depth, member % variable.depth}, shape[] = {rows, 1, 1};
    file.check(nc_get_vara_double(file.id(), id, from, shape, parts[part].data()), variable.name);
  }
  std::vector<S> values(rows);
  for (std::size_t r = 0; r < rows; ++r) {
    std::array<double, 3> x{};
    for (std::size_t part = 0; part < 3 && !parts[part].empty(); ++part) x[part] = parts[part][r];
    values[r] = join<S>(x);
  }
  return values;
}

std::vector<double> read_block(const NetcdfFile& file, const ArchiveVariable& variable, std::size_t first,
                               std::size_t count) {
  std::vector<double> values(count * variable.width);
  const std::size_t from[] = {first, 0, 0}, shape[] = {count, variable.width / variable.depth, variable.depth};
  if (count > 0)
    file.check(
        nc_get_vara_double(file.id(), file.find_variable(file.id(), variable.stored), from, shape, values.data()),
        variable.name);
  return values;
}

void write_checkpoint(NetcdfFile& file, const Bytes& checkpoint) {
  const int group = file.group("resume");
  const std::size_t from = 0, count = checkpoint.size();
  file.check(nc_put_vara_uchar(group, file.find_variable(group, "checkpoint"), &from, &count, checkpoint.data()),
             "checkpoint");
  file.integer(NC_GLOBAL, "checkpoint_size", static_cast<long long>(count));
}

Bytes read_checkpoint(const NetcdfFile& file) {
  int group = -1;
  long long size = 0;
  if (nc_inq_grp_ncid(file.id(), "resume", &group) != NC_NOERR ||
      nc_get_att_longlong(file.id(), NC_GLOBAL, "checkpoint_size", &size) != NC_NOERR)
    return {};
  const std::size_t from = 0, count = static_cast<std::size_t>(size);
  if (size < 0 || count > file.length(group, "checkpoint_byte")) return {};
  Bytes bytes(count);
  file.check(nc_get_vara_uchar(group, file.find_variable(group, "checkpoint"), &from, &count, bytes.data()),
             "checkpoint");
  return bytes;
}

#define EXTREMAL_INSTANTIATE(S)                                                                            \
  template void append_rows<S>(NetcdfFile&, const std::vector<ArchiveVariable>&, std::size_t, std::size_t, \
                               const unsigned char*);                                                      \
  template std::vector<S> read_column(const NetcdfFile&, const ArchiveVariable&, std::size_t, std::size_t);
EXTREMAL_INSTANTIATE(double)
EXTREMAL_INSTANTIATE(long double)
EXTREMAL_INSTANTIATE(quad)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
