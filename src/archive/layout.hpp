// The layout of an archive: which variables the columns of a run become. docs/archives.md describes it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "archive/encoding.hpp"
#include "archive/netcdf.hpp"
#include "extremal/archive.hpp"

namespace extremal {

// Consecutive columns that are one variable.
struct ArchiveVariable {
  std::string name, axis;
  std::size_t first = 0, width = 1;
  std::string stored = {};  // its name in the file
  std::string second = {};  // a second axis
  std::size_t depth = 1;    // and its length: so many columns for every member of the first

  // How long the axes are, behind those of rows.
  std::vector<std::size_t> lengths() const {
    if (axis.empty()) return {};
    return second.empty() ? std::vector<std::size_t>{width} : std::vector<std::size_t>{width / depth, depth};
  }
};

// The members of an axis and of the second one, "crank" and "x" of columns "crank:x".
struct AxisNames {
  std::vector<std::string> first, second;
};
AxisNames axis_names(const std::vector<ColumnInfo>& columns, const ArchiveVariable& variable);
// The members of both together.
std::vector<std::string> member_names(const AxisNames& names);

std::vector<ArchiveVariable> variables_of(const std::vector<ColumnInfo>& columns);
std::vector<ColumnInfo> read_columns(const NetcdfFile& file);

// The attributes of every archive: by which program, on which machine and when it was begun.
void write_origin(NetcdfFile& file, const std::string& command);

// Its true name, if that in the file is another.
void write_true_name(NetcdfFile& file, int variable, const ArchiveVariable& v);
// The name of a variable that has these attributes.
std::string true_name(const std::map<std::string, std::string>& attributes, const char* stored);

// The numbers of the attributes written as text, by their names. InputError if they are none.
std::uint64_t id_in(const std::map<std::string, std::string>& attributes, const std::string& name);
double seconds_in(const std::map<std::string, std::string>& attributes);

// In what this program and machine differ from those that began an archive and it matters: the version, of which
// another may compute something else (InputError), and machine and compiler, whose functions may round in another way
// (a note).
std::vector<std::string> compare_origin(const std::map<std::string, std::string>& attributes, const std::string& path);

// About how many bytes so many more rows are in the file, with the chunks that they begin.
std::uint64_t growth_of(const std::vector<ArchiveVariable>& variables, int parts, std::uint64_t rows);

// Dimensions, variables and attributes, without rows.
void define_archive(NetcdfFile& file, const std::vector<ColumnInfo>& columns, int parts, const Provenance& provenance,
                    std::uint64_t id);
Provenance read_provenance(const std::map<std::string, std::string>& attributes);

// Rows of encoded scalars, to and from all variables.
template <class S>
void append_rows(NetcdfFile& file, const std::vector<ArchiveVariable>& variables, std::size_t first_row,
                 std::size_t count, const unsigned char* rows);
template <class S>
std::vector<S> read_column(const NetcdfFile& file, const ArchiveVariable& variable, std::size_t member,
                           std::size_t rows);

// Rows of all columns of a variable, rounded to double.
std::vector<double> read_block(const NetcdfFile& file, const ArchiveVariable& variable, std::size_t first,
                               std::size_t count);

void write_checkpoint(NetcdfFile& file, const Bytes& checkpoint);
Bytes read_checkpoint(const NetcdfFile& file);

}  // namespace extremal
