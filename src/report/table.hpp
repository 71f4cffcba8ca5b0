// Table: the rows of an archive in the order of growing time, for plots and pictures.
#pragma once

#include <string>
#include <vector>

#include "extremal/archive.hpp"

namespace extremal::report {

class Table {
 public:
  explicit Table(const Archive& archive);

  std::size_t rows() const { return t_.size(); }
  const std::vector<double>& t() const { return t_; }
  bool has(const std::string& column) const;
  // Names of the columns of a variable, as "momentum".
  std::vector<std::string> names(const std::string& variable) const;
  std::vector<double> column(const std::string& name) const;
  // What a column has changed by since the start of the run, subtracted in the precision of the run: the energy error
  // of a run in quad is far below what its energy rounded to double can tell.
  std::vector<double> change(const std::string& name) const;
  // The same for the difference of two columns.
  std::vector<double> change(const std::string& name, const std::string& less) const;
  // All members of a variable in some rows, row by row.
  std::vector<double> block(const std::string& variable, std::size_t first, std::size_t count) const;

  const Archive& archive() const { return archive_; }

 private:
  const Archive& archive_;
  bool backwards_ = false;
  std::vector<double> t_;
};

}  // namespace extremal::report
