// Data: the rows of a run and what else is known of it, whoever made it: a run, an archive.
//
// The table is row by row, all columns side by side. Those of one variable stand beside each other, so that numpy looks
// at them as (time, coordinate) without a copy.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "extremal/archive.hpp"
#include "extremal/case.hpp"

namespace extremal::python {

// A model and the name under which it is found again.
struct Problem {
  std::string name;
  Model model;
  std::vector<std::string> notes = {};  // of a robot that was imported
  // What was said besides of parameters and of the start, for a model that is read again.
  Settings set = {};
  std::function<void(Model&)> start = {};
};

struct Data {
  std::vector<ColumnInfo> columns;
  std::size_t rows = 0;
  std::vector<double> table;
  std::string status, reason, summary, archive;
  Provenance provenance;
  std::map<std::string, double> figures;                           // steps, energy_max_error, ...
  std::vector<std::pair<std::string, std::vector<double>>> dense;  // at the times of `at`
  std::vector<std::string> notes;
  std::function<std::vector<std::string>(std::size_t column)> exact;  // every digit, as texts
  std::function<void(const std::string& path)> save;                  // as an archive
  bool keyboard = false;                                              // Ctrl-C ended it
};

// Keeps all rows.
template <class S>
class TableSink : public RowSink<S> {
 public:
  void begin(const Run<S>& /*run*/, const std::vector<ColumnInfo>& columns) override { infos = columns; }
  void row(const std::vector<S>& values) override { table.insert(table.end(), values.begin(), values.end()); }
  std::vector<ColumnInfo> infos;
  std::vector<S> table;
};

// While a run goes on, between two steps: false ends it.
using Watch = std::function<bool(const Progress&)>;

// How a run is asked for: keys of [run] by their texts. Of them `outputs` is so many rows in all, and `steps` so many
// steps from the start to `until`, or of length `step`.
struct Request {
  std::map<std::string, std::string> keys;
  std::string archive, command;
};
Case case_of(const Problem& problem, const Request& request);

std::shared_ptr<Data> run(const Problem& problem, const Request& request, const Watch& watch);
std::shared_ptr<Data> resume(const std::string& path, const Watch& watch);
std::shared_ptr<Data> open(const std::string& path);
Problem archived_problem(const Provenance& provenance);
void write_report(const std::string& archive, const std::string& page, const std::string& title);

// A model of models/ by its name, or a file, with other parameters.
Problem load(const std::string& name, const Settings& settings);
// The same for a text, which has its name and is kept.
Problem load_text(const std::string& text, const std::string& name, const Settings& settings);

}  // namespace extremal::python
