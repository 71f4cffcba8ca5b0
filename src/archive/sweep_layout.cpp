#include "archive/sweep_layout.hpp"

#include <netcdf.h>

#include <algorithm>
#include <array>
#include <limits>

#include "extremal/error.hpp"

namespace extremal {
namespace {

using namespace sweep;

struct FieldInfo {
  const char *name, *description, *unit;
  int type;
};
constexpr std::array<FieldInfo, field_count> fields = {{
    {"status", "how the run ended", "1", NC_BYTE},
    {"row_count", "rows that the run has", "1", NC_INT},
    {"steps", "steps that the run has taken", "1", NC_INT64},
    {"newton_mean", "iterations of Newton's method a step", "1", NC_DOUBLE},
    {"newton_max", "most iterations of Newton's method in a step", "1", NC_INT},
    {"fallbacks", "starting guesses that failed", "1", NC_INT64},
    {"retries", "steps that failed and were taken in another way", "1", NC_INT64},
    {"singular", "nodes close to a singular configuration", "1", NC_INT64},
    {"energy_max_error", "largest |H - W - H0| over all steps, or over the rows of runs in lanes", "J", NC_DOUBLE},
    {"constraint_max", "largest |g| over all steps", "unit of the constraint", NC_DOUBLE},
    {"hidden_max", "largest |G v + g_t| over all steps", "unit of the constraint / s", NC_DOUBLE},
}};

int id_of(const NetcdfFile& file, const std::string& name) {
  const int id = file.find_variable(file.id(), name);
  if (id < 0) throw InputError("sweep archive: no variable " + name + "; expected one that extremal sweep wrote");
  return id;
}

constexpr std::size_t chunk_numbers = 8192;

// What is not there yet is NaN, and pending; it takes no place in the file.
int define(NetcdfFile& file, const std::string& name, int type, const std::vector<int>& dimensions) {
  std::vector<std::size_t> chunks(dimensions.size(), 1);
  std::size_t room = chunk_numbers;
  for (std::size_t d = dimensions.size(); d-- > 0;) {
    std::size_t length = 0;
    file.check(nc_inq_dimlen(file.id(), dimensions[d], &length), name);
    chunks[d] = std::max<std::size_t>(1, std::min(length, room));
    room /= chunks[d];
  }
  const int id = file.variable(file.id(), name, type, dimensions, chunks);
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  const signed char pending = 0;
  const void* fill = type == NC_DOUBLE ? static_cast<const void*>(&nothing) : type == NC_BYTE ? &pending : nullptr;
  file.check(nc_def_var_fill(file.id(), id, NC_FILL, fill), name);
  return id;
}

}  // namespace

SweepShape shape_of(const Sweep& sweep) {
  SweepShape shape{.size = sweep.size(), .rows = sweep.rows(), .variables = variables_of(sweep.columns())};
  for (const Axis& axis : sweep.plan().axes) shape.varied.push_back(axis.name);
  for (const ColumnInfo& column : sweep.columns()) shape.columns.push_back(column.name);
  return shape;
}

SweepShape read_shape(const NetcdfFile& file) {
  SweepShape shape;
  const auto names = [&](const std::string& axis) {
    return file.strings(id_of(file, axis), file.length(file.id(), axis));
  };
  shape.size = file.length(file.id(), "run");
  shape.varied = names("varied");
  int count = 0;
  file.check(nc_inq_nvars(file.id(), &count), "variables");
  for (int v = 0; v < count; ++v) {
    const auto attributes = file.attributes(v);
    if (!attributes.contains("column")) continue;
    char name[NC_MAX_NAME + 1] = {}, axis[NC_MAX_NAME + 1] = {};
    int rank = 0, dimensions[NC_MAX_VAR_DIMS];
    file.check(nc_inq_var(file.id(), v, name, nullptr, &rank, dimensions, nullptr), "variables");
    std::size_t length = 0;
    AxisNames members{{""}, {}};
    ArchiveVariable variable{true_name(attributes, name), "", shape.columns.size(), 1, name};
    for (int d = 1; d < rank; ++d) {
      file.check(nc_inq_dim(file.id(), dimensions[d], axis, &length), "dimensions");
      if (std::string(axis) == "row") {
        shape.rows = length;
      } else if (variable.axis.empty()) {
        variable.axis = axis;
        members.first = names(axis);
      } else {
        variable.second = axis;
        members.second = names(axis);
        variable.depth = members.second.size();
      }
    }
    variable.width = members.first.size() * variable.depth;
    for (const std::string& member : member_names(members)) shape.columns.push_back(attributes.at("column") + member);
    shape.variables.push_back(variable);
  }
  return shape;
}

double bytes_of(const SweepShape& shape) {
  return static_cast<double>(shape.size) * static_cast<double>(shape.width()) * sizeof(double);
}

std::uint64_t new_chunks(const SweepShape& shape) {
  return 4 * chunk_numbers * sizeof(double) * (shape.variables.size() + field_count + 1);
}

void define_sweep(NetcdfFile& file, const Sweep& sweep) {
  const int root = file.id();
  const SweepShape shape = shape_of(sweep);
  const int run = file.dimension(root, "run", shape.size);
  std::vector<std::pair<int, std::vector<std::string>>> names;
  const auto axis = [&](const std::string& name, const std::vector<std::string>& members,
                        const std::string& description) {
    const int dimension = file.dimension(root, name, members.size());
    names.emplace_back(file.variable(root, name, NC_STRING, {dimension}), members);
    file.text(names.back().first, "long_name", description);
    return dimension;
  };
  const int varied = axis("varied", shape.varied, "name of what is varied");
  const int value = define(file, "value", NC_DOUBLE, {run, varied});
  file.text(value, "long_name", "value of what is varied; of schemes the number in scheme_name, from 0");
  std::vector<std::string> schemes;
  for (const Scheme& scheme : sweep.schemes()) schemes.push_back(scheme.name);
  axis("scheme_name", schemes, "scheme");
  for (const FieldInfo& field : fields) {
    const int id = define(file, field.name, field.type, {run});
    file.text(id, "long_name", field.description);
    file.text(id, "units", field.unit);
  }
  const int status = id_of(file, fields[Field::status].name);
  const signed char flags[] = {0, 1, 2, 3, 4};
  file.check(nc_put_att_schar(root, status, "flag_values", NC_BYTE, 5, flags), "status");
  file.text(status, "flag_meanings", "pending complete failed refused suspect");

  const int row = shape.rows > 1 ? file.dimension(root, "row", shape.rows) : -1;
  std::map<std::string, int> axes;
  for (const ArchiveVariable& v : shape.variables) {
    const ColumnInfo& info = sweep.columns()[v.first];
    std::vector<int> dimensions = {run};
    if (row >= 0) dimensions.push_back(row);
    const AxisNames members = axis_names(sweep.columns(), v);
    for (const auto& [of, labels] : {std::pair{&v.axis, &members.first}, {&v.second, &members.second}}) {
      if (of->empty()) continue;
      if (!axes.contains(*of)) axes[*of] = axis(*of, *labels, "name of the " + *of);
      dimensions.push_back(axes[*of]);
    }
    const int id = define(file, v.stored, NC_DOUBLE, dimensions);
    write_true_name(file, id, v);
    file.text(id, "long_name", info.description);
    file.text(id, "units", info.unit);
    file.text(id, "column", info.name.substr(0, info.name.size() - info.member.size()));
  }
  const int failure = file.dimension(root, "failure", NC_UNLIMITED);
  file.text(file.variable(root, "failed_run", NC_INT64, {failure}, {1024}), "long_name",
            "run that failed, is refused or suspect");
  file.text(file.variable(root, "message", NC_STRING, {failure}, {1024}), "long_name", "and why");
  file.check(nc_enddef(root), "layout");
  for (const auto& [variable, members] : names) file.strings(variable, members);
}

void write_block(NetcdfFile& file, const SweepShape& shape, const BlockResult& block) {
  std::vector<double> values;
  // Numbers that stand side by side, of every run.
  const auto gather = [&](std::size_t from, std::size_t stride, std::size_t rows, std::size_t width) {
    values.clear();
    for (std::uint64_t k = 0; k < block.count; ++k)
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t i = 0; i < width; ++i)
          values.push_back(block.numbers[k * shape.width() + from + r * stride + i]);
  };
  const auto put = [&](const std::string& name, const std::vector<std::size_t>& lengths) {
    std::vector<std::size_t> from(lengths.size(), 0);
    from[0] = block.first;
    file.check(nc_put_vara_double(file.id(), id_of(file, name), from.data(), lengths.data(), values.data()), name);
  };
  for (std::size_t f = 0; f < field_count; ++f) {
    gather(f, 0, 1, 1);
    put(fields[f].name, {block.count});
  }
  gather(field_count, 0, 1, shape.varied.size());
  put("value", {block.count, shape.varied.size()});
  for (const ArchiveVariable& v : shape.variables) {
    gather(field_count + shape.varied.size() + v.first, shape.columns.size(), shape.rows, v.width);
    std::vector<std::size_t> lengths = {block.count};
    if (shape.rows > 1) lengths.push_back(shape.rows);
    for (const std::size_t length : v.lengths()) lengths.push_back(length);
    put(v.stored, lengths);
  }
}

BlockResult read_block(const NetcdfFile& file, const SweepShape& shape, std::uint64_t first, std::uint64_t count) {
  BlockResult block{.first = first, .count = count};
  block.numbers.resize(count * shape.width());
  std::vector<double> values;
  const auto get = [&](const std::string& name, std::size_t to, std::size_t stride, std::size_t rows, std::size_t width,
                       const std::vector<std::size_t>& lengths) {
    values.resize(count * rows * width);
    std::vector<std::size_t> from(lengths.size(), 0);
    from[0] = first;
    if (!values.empty())
      file.check(nc_get_vara_double(file.id(), id_of(file, name), from.data(), lengths.data(), values.data()), name);
    for (std::uint64_t k = 0; k < count; ++k)
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t i = 0; i < width; ++i)
          block.numbers[k * shape.width() + to + r * stride + i] = values[(k * rows + r) * width + i];
  };
  for (std::size_t f = 0; f < field_count; ++f) get(fields[f].name, f, 0, 1, 1, {count});
  get("value", field_count, 0, 1, shape.varied.size(), {count, shape.varied.size()});
  for (const ArchiveVariable& v : shape.variables) {
    std::vector<std::size_t> lengths = {count};
    if (shape.rows > 1) lengths.push_back(shape.rows);
    for (const std::size_t length : v.lengths()) lengths.push_back(length);
    get(v.stored, field_count + shape.varied.size() + v.first, shape.columns.size(), shape.rows, v.width, lengths);
  }
  return block;
}

std::vector<Outcome> read_outcomes(const NetcdfFile& file, const SweepShape& shape) {
  std::vector<Outcome> outcomes(shape.size);
  static_assert(sizeof(Outcome) == sizeof(signed char));
  const char* name = fields[Field::status].name;
  file.check(nc_get_var_schar(file.id(), id_of(file, name), reinterpret_cast<signed char*>(outcomes.data())), name);
  return outcomes;
}

std::vector<double> read_field(const NetcdfFile& file, const SweepShape& shape, Field field) {
  std::vector<double> values(shape.size);
  const char* name = fields[field].name;
  file.check(nc_get_var_double(file.id(), id_of(file, name), values.data()), name);
  return values;
}

void write_messages(NetcdfFile& file, const SweepMessages& messages) {
  std::vector<long long> runs;
  std::vector<const char*> texts;
  for (const auto& [run, text] : messages) {
    runs.push_back(static_cast<long long>(run));
    texts.push_back(text.c_str());
  }
  if (runs.empty()) return;
  const std::size_t from = 0, count = runs.size();
  file.check(nc_put_vara_longlong(file.id(), id_of(file, "failed_run"), &from, &count, runs.data()), "failed_run");
  file.check(nc_put_vara_string(file.id(), id_of(file, "message"), &from, &count, texts.data()), "message");
}

SweepMessages read_messages(const NetcdfFile& file) {
  const std::size_t from = 0, count = file.length(file.id(), "failure");
  SweepMessages all;
  if (count == 0) return all;
  std::vector<long long> runs(count);
  file.check(nc_get_vara_longlong(file.id(), id_of(file, "failed_run"), &from, &count, runs.data()), "failed_run");
  const std::vector<std::string> texts = file.strings(id_of(file, "message"), count);
  for (std::size_t k = 0; k < count; ++k) all.emplace(static_cast<std::uint64_t>(runs[k]), texts[k]);
  return all;
}

}  // namespace extremal
