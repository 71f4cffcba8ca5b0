#include "cli/list_observers.hpp"

#include <algorithm>
#include <iostream>

#include "cli/request.hpp"
#include "cli/table.hpp"
#include "extremal/run.hpp"

namespace extremal::cli {
namespace {

struct Columns : RowSink<double> {
  std::vector<ColumnInfo> all;
  void begin(const Run<double>& /*run*/, const std::vector<ColumnInfo>& columns) override { all = columns; }
};

// Those that a run has, from a run: one step of it.
std::vector<ColumnInfo> columns(const std::string& model_name) {
  Request request;
  request.model_name = model_name;
  const Model m = request.model();
  const std::string first = m.start.t.text() + " + " + m.span.step.text();
  Columns seen;
  run<double>(m.system, request.scheme(m), m.start,
              {.step = m.span.step, .until = Number(first), .extra_columns = m.span.extra_columns},
              {.sinks = {&seen}, .observers = m.observers, .collect = false});
  return seen.all;
}

}  // namespace

Json observers_json(const std::string& model) {
  auto all = Json::array();
  for (const ColumnInfo& c : columns(model))
    all.push_back({{"column", c.name},
                   {"variable", c.variable},
                   {"axis", c.axis},
                   {"unit", c.unit},
                   {"description", c.description}});
  return all;
}

void print_observers(const std::string& model) {
  Table table({"column", "one for each", "unit", "what"});
  std::vector<std::string> known;
  for (const ColumnInfo& c : columns(model)) {
    if (std::find(known.begin(), known.end(), c.variable) != known.end()) continue;
    known.push_back(c.variable);
    table.row({c.name, c.axis.empty() ? "-" : c.axis, c.unit, c.description});
  }
  std::cout << "What a run of " << model
            << " observes: the columns of its table and archive. A model file adds formulas of its own under\n"
               "[observe], momenta by [[symmetry]]\n\n"
            << table.text();
}

}  // namespace extremal::cli
