// Which variables the numbers of a sweep become.
#pragma once

#include <string>
#include <vector>

#include "archive/layout.hpp"
#include "archive/netcdf.hpp"
#include "sweep/block.hpp"

namespace extremal {

struct SweepShape {
  std::uint64_t size = 0;
  std::size_t rows = 1;
  std::vector<std::string> varied = {}, columns = {};
  std::vector<ArchiveVariable> variables = {};
  std::size_t width() const { return sweep::field_count + varied.size() + rows * columns.size(); }
};

SweepShape shape_of(const sweep::Sweep& sweep);
// InputError if it is no sweep's.
SweepShape read_shape(const NetcdfFile& file);

// How many bytes the numbers of all runs are.
double bytes_of(const SweepShape& shape);
// About how many bytes may come to the file besides those of new numbers: those of the chunks that they begin.
std::uint64_t new_chunks(const SweepShape& shape);

// Dimensions, variables and the names of what is varied, with all runs pending. Numbers have no place in the file
// before they are there.
void define_sweep(NetcdfFile& file, const sweep::Sweep& sweep);

void write_block(NetcdfFile& file, const SweepShape& shape, const sweep::BlockResult& block);
sweep::BlockResult read_block(const NetcdfFile& file, const SweepShape& shape, std::uint64_t first,
                              std::uint64_t count);
std::vector<sweep::Outcome> read_outcomes(const NetcdfFile& file, const SweepShape& shape);
std::vector<double> read_field(const NetcdfFile& file, const SweepShape& shape, sweep::Field field);

using SweepMessages = std::map<std::uint64_t, std::string>;
void write_messages(NetcdfFile& file, const SweepMessages& messages);
SweepMessages read_messages(const NetcdfFile& file);

}  // namespace extremal
