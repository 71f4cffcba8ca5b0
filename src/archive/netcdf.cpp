#include "archive/netcdf.hpp"

#include <netcdf.h>

#include <utility>

#include "extremal/error.hpp"
#include "extremal/output_error.hpp"
#include "extremal/scalar.hpp"

namespace extremal {
namespace {

// The default, 16 MB for every variable, would be most of the memory of a long run.
constexpr std::size_t cache_bytes = 1UL << 20, cache_slots = 521;
// HDF5 has no longer attribute of fixed size.
constexpr std::size_t longest_text = 32000;

}  // namespace

NetcdfFile::NetcdfFile(std::string path, Mode mode) : path_(std::move(path)), mode_(mode) {
  nc_set_chunk_cache(cache_bytes, cache_slots, 0.75F);
  if (mode == Mode::create) {
    check(nc_create(path_.c_str(), NC_NETCDF4 | NC_CLOBBER, &id_), "cannot be written");
    int before = 0;
    check(nc_set_fill(id_, NC_NOFILL, &before), "cannot be written");
  } else {
    check(nc_open(path_.c_str(), mode == Mode::append ? NC_WRITE : NC_NOWRITE, &id_), "cannot be opened as netCDF");
  }
}

NetcdfFile::NetcdfFile(NetcdfFile&& other) noexcept
    : path_(std::move(other.path_)), mode_(other.mode_), id_(std::exchange(other.id_, -1)) {}

NetcdfFile::~NetcdfFile() {
  if (id_ >= 0) nc_close(id_);
}

void NetcdfFile::close() { check(nc_close(std::exchange(id_, -1)), "could not be written to the end"); }

void NetcdfFile::check(int result, const std::string& what) const {
  if (result == NC_NOERR) return;
  const std::string reason = path_ + ": " + what + ": " + nc_strerror(result);
  if (mode_ == Mode::read) throw InputError(reason);
  throw OutputError(reason);
}

int NetcdfFile::group(const std::string& name) {
  int group = -1;
  if (nc_inq_grp_ncid(id_, name.c_str(), &group) != NC_NOERR)
    check(nc_def_grp(id_, name.c_str(), &group), "group " + name);
  return group;
}

int NetcdfFile::dimension(int group, const std::string& name, std::size_t length) {
  int dimension = -1;
  check(nc_def_dim(group, name.c_str(), length, &dimension), "dimension " + name);
  return dimension;
}

int NetcdfFile::variable(int group, const std::string& name, int type, const std::vector<int>& dimensions,
                         const std::vector<std::size_t>& chunks) {
  int variable = -1;
  check(nc_def_var(group, name.c_str(), type, static_cast<int>(dimensions.size()), dimensions.data(), &variable),
        "variable " + name);
  if (!chunks.empty()) {
    check(nc_def_var_chunking(group, variable, NC_CHUNKED, chunks.data()), "variable " + name);
    // Texts have their place elsewhere: HDF5 would sum up where they are.
    if (type != NC_STRING) check(nc_def_var_fletcher32(group, variable, NC_FLETCHER32), "variable " + name);
  }
  return variable;
}

int NetcdfFile::find_variable(int group, const std::string& name) const {
  int variable = -1;
  return nc_inq_varid(group, name.c_str(), &variable) == NC_NOERR ? variable : -1;
}

std::size_t NetcdfFile::length(int group, const std::string& dimension) const {
  int id = -1;
  std::size_t length = 0;
  check(nc_inq_dimid(group, dimension.c_str(), &id), "dimension " + dimension);
  check(nc_inq_dimlen(group, id, &length), "dimension " + dimension);
  return length;
}

void NetcdfFile::text(int variable, const std::string& name, const std::string& value) {
  const char* pointer = value.c_str();
  check(value.size() > longest_text ? nc_put_att_string(id_, variable, name.c_str(), 1, &pointer)
                                    : nc_put_att_text(id_, variable, name.c_str(), value.size(), pointer),
        "attribute " + name);
}

void NetcdfFile::number(int variable, const std::string& name, double value) {
  check(nc_put_att_double(id_, variable, name.c_str(), NC_DOUBLE, 1, &value), "attribute " + name);
}

void NetcdfFile::integer(int variable, const std::string& name, long long value) {
  check(nc_put_att_longlong(id_, variable, name.c_str(), NC_INT64, 1, &value), "attribute " + name);
}

std::map<std::string, std::string> NetcdfFile::attributes(int variable) const {
  std::map<std::string, std::string> all;
  int count = 0;
  check(variable == NC_GLOBAL ? nc_inq_natts(id_, &count) : nc_inq_varnatts(id_, variable, &count), "attributes");
  for (int i = 0; i < count; ++i) {
    char name[NC_MAX_NAME + 1] = {};
    nc_type type = 0;
    std::size_t length = 0;
    check(nc_inq_attname(id_, variable, i, name), "attributes");
    check(nc_inq_att(id_, variable, name, &type, &length), "attributes");
    std::string value;
    if (type == NC_CHAR) {
      value.resize(length);
      check(nc_get_att_text(id_, variable, name, value.data()), name);
    } else if (type == NC_STRING && length == 1) {
      char* pointer = nullptr;
      check(nc_get_att_string(id_, variable, name, &pointer), name);
      value = pointer;
      nc_free_string(1, &pointer);
    } else if (type == NC_INT64 && length == 1) {
      long long number = 0;
      check(nc_get_att_longlong(id_, variable, name, &number), name);
      value = std::to_string(number);
    } else if (type == NC_DOUBLE && length == 1) {
      double number = 0;
      check(nc_get_att_double(id_, variable, name, &number), name);
      value = to_text(number);
    }
    all.emplace(name, value);
  }
  return all;
}

void NetcdfFile::strings(int variable, const std::vector<std::string>& values) {
  std::vector<const char*> pointers;
  for (const std::string& value : values) pointers.push_back(value.c_str());
  check(nc_put_var_string(id_, variable, pointers.data()), "names");
}

std::vector<std::string> NetcdfFile::strings(int variable, std::size_t count) const {
  std::vector<char*> pointers(count, nullptr);
  check(nc_get_var_string(id_, variable, pointers.data()), "names");
  std::vector<std::string> values(pointers.begin(), pointers.end());
  nc_free_string(count, pointers.data());
  return values;
}

}  // namespace extremal
