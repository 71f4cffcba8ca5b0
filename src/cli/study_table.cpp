// extremal study table: the order tables of [Wenger2017] and [Man2020], measured by the code that the tests hold to
// them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "cli/study.hpp"
#include "cli/table.hpp"
#include "extremal/error.hpp"
#include "study/tables.hpp"

namespace extremal::cli {
namespace {

struct TableOptions {
  std::string paper;
  std::vector<std::string> models;
  std::vector<int> rows;
  bool energy = false, json = false;
  PlotFile plot;
  bool has_model(const std::string& name) const {
    return models.empty() || std::find(models.begin(), models.end(), name) != models.end();
  }
  bool has_row(int row) const { return rows.empty() || std::find(rows.begin(), rows.end(), row) != rows.end(); }
};

// A slope that the test would not accept.
constexpr double tolerance = 0.25;

std::string order(double slope, int declared) {
  if (declared == 0) return std::fabs(slope) <= tolerance ? "d" : fmt::format("{:.2f}", slope);
  return fmt::format("{:.2f}", slope);
}

// [Wenger2017], tables 1 and 2

using WengerCells = std::vector<std::pair<std::string, study::WengerMeasured>>;  // with the model

WengerCells wenger(const TableOptions& options, const Control& control) {
  std::vector<study::WengerRow> rows;
  for (const study::WengerRow& row : study::wenger_rows())
    if (options.has_model(row.model) && options.has_row(row.w)) rows.push_back(row);
  if (rows.empty())
    throw InputError(
        "study table wenger: no such rows; expected --rows of w = 1..6 and --model of pendulum, double-pendulum-3d, "
        "spring-pendulum, triple-pendulum");
  WengerCells all;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (study::WengerMeasured& cell : study::measure(rows[i], {.stop = control.stop}))
      all.emplace_back(rows[i].model, std::move(cell));
    if (control.progress) control.progress(static_cast<double>(i + 1) / static_cast<double>(rows.size()));
  }
  return all;
}

double deviation(const WengerCells& all) {
  double worst = 0;
  for (const auto& [model, cell] : all) worst = math::max(worst, cell.deviation());
  return worst;
}

Json as_json(const WengerCells& all) {
  Json cells = Json::array();
  for (const auto& [model, m] : all) {
    Json errors = Json::array(), declared = Json::object(), measured = Json::object();
    const study::FiveErrors finest = m.slopes().back();
    for (std::size_t i = 0; i < study::five_names.size(); ++i) {
      declared[study::five_names[i]] = m.declared[i] == 0 ? Json("d") : Json(m.declared[i]);
      measured[study::five_names[i]] = finite(finest[i]);
    }
    for (std::size_t k = 0; k < m.steps.size(); ++k) {
      Json row = {{"steps", m.steps[k]}};
      for (std::size_t i = 0; i < study::five_names.size(); ++i) row[study::five_names[i]] = finite(m.errors[k][i]);
      errors.push_back(row);
    }
    cells.push_back({{"model", model},
                     {"table", m.cell.rule == "gauss" ? 1 : 2},
                     {"rule", m.cell.rule},
                     {"w", m.cell.w},
                     {"s", m.cell.s},
                     {"r", m.cell.r},
                     {"scheme", m.cell.variational().name},
                     {"order", declared},
                     {"measured", measured},
                     {"deviation", m.deviation()},
                     {"precision", m.precision},
                     {"errors", errors}});
  }
  return {{"paper", "Wenger2017"}, {"cells", cells}, {"largest_deviation", deviation(all)}};
}

// One line per cell, with the measured orders on each model.
void print(const WengerCells& all) {
  std::vector<std::string> models, head{"rule of L", "w", "s", "r", "table"};
  for (const auto& [model, cell] : all)
    if (std::find(models.begin(), models.end(), model) == models.end()) models.push_back(model);
  head.insert(head.end(), models.begin(), models.end());
  head.emplace_back("projected p, lambda");
  Table table(head);
  std::size_t count = 0;
  for (const auto& [first, cell] : all) {
    if (first != models.front()) continue;
    ++count;
    const auto& d = cell.declared;
    std::vector<std::string> row{cell.cell.rule, std::to_string(cell.cell.w), std::to_string(cell.cell.s),
                                 std::to_string(cell.cell.r),
                                 fmt::format("{}/{}/{}", d[0], d[1], d[2] == 0 ? "d" : std::to_string(d[2]))};
    double projected = 0;
    for (const auto& [model, m] : all) {
      if (m.cell.rule != cell.cell.rule || m.cell.w != cell.cell.w || m.cell.s != cell.cell.s ||
          m.cell.r != cell.cell.r)
        continue;
      const study::FiveErrors s = m.slopes().back();
      row.push_back(fmt::format("{}/{}/{}", order(s[0], d[0]), order(s[1], d[1]), order(s[2], d[2])));
      projected = std::max({projected, std::fabs(s[3] - d[3]), std::fabs(s[4] - d[4])});
    }
    row.push_back(fmt::format("{} within {:.2f}", d[3], projected));
    table.row(row);
  }
  std::cout << "Orders of q/p/lambda in tables 1 (gauss) and 2 (lobatto) of [Wenger2017], and measured with 80 and 160 "
               "steps (w = 6: 160 and 320\non double-pendulum-3d and triple-pendulum); d: the error does not decrease; "
               "last column: with projected momenta and lambda by eq. 70\n\n"
            << table.text()
            << fmt::format("\n{} cells on {} models; the largest deviation of a slope from the table is {:.2f}\n",
                           count, models.size(), deviation(all));
}

std::vector<study::Plot> plots(const WengerCells& all) {
  std::vector<study::Plot> panels;
  for (const auto& [model, m] : all) {
    const bool gauss = m.cell.rule == "gauss";
    if (m.cell.s != m.cell.w || m.cell.r != m.cell.s + (gauss ? 0 : 1)) continue;
    const std::string title = model + ": s = w, " + (gauss ? "r = s Gauss points" : "r = s + 1 Lobatto points");
    if (panels.empty() || std::none_of(panels.begin(), panels.end(), [&](const auto& p) { return p.title == title; }))
      panels.push_back({.title = title, .x_label = "steps", .y_label = "error of q", .log_x = true, .log_y = true});
    study::Curve curve{.name = m.cell.variational().name};
    for (std::size_t k = 0; k < m.steps.size(); ++k) {
      curve.x.push_back(m.steps[k]);
      curve.y.push_back(m.errors[k][0]);
    }
    std::find_if(panels.begin(), panels.end(), [&](const auto& p) {
      return p.title == title;
    })->curves.push_back(std::move(curve));
  }
  return panels;
}

// [Man2020], table 3

struct ManRow {
  std::string model;
  int m = 0;
  std::vector<study::ManMeasured> algorithms;
  std::vector<double> energy;  // of each, if asked for
};

std::vector<ManRow> man(const TableOptions& options, const Control& control) {
  std::vector<ManRow> all;
  for (const char* model : {"spring-pendulum", "triple-pendulum"})
    for (int m = 2; m <= 9; ++m)
      if (options.has_model(model) && (options.rows.empty() ? m <= 7 : options.has_row(m))) all.push_back({model, m});
  if (all.empty())
    throw InputError(
        "study table man: no such rows; expected --rows of m = 2..9 and --model of spring-pendulum, triple-pendulum");
  State<quad> exact;
  std::string known;
  for (std::size_t i = 0; i < all.size(); ++i) {
    ManRow& row = all[i];
    if (row.model != known) exact = study::man_exact(row.model);
    known = row.model;
    row.algorithms = study::man_orders(row.model, row.m, exact, {.stop = control.stop});
    for (const char* letters : study::man_letters)
      if (options.energy) row.energy.push_back(study::man_energy(row.model, letters, row.m, {.stop = control.stop}));
    if (control.progress) control.progress(static_cast<double>(i + 1) / static_cast<double>(all.size()));
  }
  return all;
}

double deviation(const std::vector<ManRow>& all) {
  double worst = 0;
  for (const ManRow& row : all)
    for (const study::ManMeasured& m : row.algorithms) worst = math::max(worst, m.deviation());
  return worst;
}

Json as_json(const std::vector<ManRow>& all) {
  Json rows = Json::array();
  for (const ManRow& row : all)
    for (std::size_t k = 0; k < row.algorithms.size(); ++k) {
      const study::ManMeasured& m = row.algorithms[k];
      Json errors = Json::array();
      for (std::size_t i = 0; i < m.steps.size(); ++i)
        errors.push_back({{"steps", m.steps[i]},
                          {"q", finite(m.errors[i].q)},
                          {"p", finite(m.errors[i].p)},
                          {"energy", finite(m.errors[i].energy)}});
      const study::ManErrors slope = m.slope(m.steps.size() - 2);
      rows.push_back({{"model", row.model},
                      {"m", row.m},
                      {"algorithm", m.letters},
                      {"scheme", m.scheme.name},
                      {"order", m.scheme.declared.order.q},
                      {"measured", {{"q", finite(slope.q)}, {"p", finite(slope.p)}}},
                      {"deviation", m.deviation()},
                      {"errors", errors}});
      if (!row.energy.empty()) rows.back()["energy_error"] = finite(row.energy[k]);
    }
  return {{"paper", "Man2020"}, {"rows", rows}, {"largest_deviation", deviation(all)}};
}

void print(const std::vector<ManRow>& all) {
  std::vector<std::string> head{"model", "m", "table: E", "L"};
  head.insert(head.end(), study::man_letters.begin(), study::man_letters.end());
  Table table(head);
  head.erase(head.begin() + 2, head.begin() + 4);
  Table energy(head);
  for (const ManRow& row : all) {
    std::vector<std::string> cells{row.model, std::to_string(row.m),
                                   std::to_string(row.algorithms.front().scheme.declared.order.q),
                                   std::to_string(row.algorithms.back().scheme.declared.order.q)};
    for (const study::ManMeasured& m : row.algorithms)
      cells.push_back(fmt::format("{:.2f}", m.slope(m.steps.size() - 2).q));
    table.row(cells);
    std::vector<std::string> errors{row.model, std::to_string(row.m)};
    for (const double e : row.energy) errors.push_back(fmt::format("{:.3e}", e));
    energy.row(errors);
  }
  std::cout
      << "Orders in table 3 of [Man2020], with equidistant (E) and Lobatto (L) control points, and measured orders "
         "of q at t = 10\n\n"
      << table.text()
      << fmt::format("\nthe largest deviation of a slope of q or p from the table is {:.2f}\n", deviation(all));
  if (!all.front().energy.empty())
    std::cout << "\nLargest |H - H0| / |H0| on [0, 400] with the step 0.1 (figures 2, 3, 5, 6)\n\n" << energy.text();
}

std::vector<study::Plot> plots(const std::vector<ManRow>& all) {
  std::vector<study::Plot> panels;
  for (const ManRow& row : all) {
    if (panels.empty() || panels.back().title != row.model)
      panels.push_back(
          {.title = row.model, .x_label = "steps on [0, 10]", .y_label = "error of q", .log_x = true, .log_y = true});
    for (const study::ManMeasured& m : row.algorithms) {
      if (m.letters != "LLL" && m.letters != "LGG") continue;
      study::Curve curve{.name = m.scheme.name};
      for (std::size_t i = 0; i < m.steps.size(); ++i) {
        curve.x.push_back(m.steps[i]);
        curve.y.push_back(m.errors[i].q);
      }
      panels.back().curves.push_back(std::move(curve));
    }
  }
  return panels;
}

template <class Rows>
ExitCode tell(const Rows& rows, TableOptions& options) {
  if (options.json)
    std::cout << as_json(rows).dump(2) << "\n";
  else
    print(rows);
  options.plot.write(plots(rows));
  return deviation(rows) <= tolerance ? complete : failed;
}

}  // namespace

void add_study_table(Command& study_command, int& exit_code) {
  auto options = std::make_shared<TableOptions>();
  Command command = study_command.add_command("table", "Measure the order tables of a paper");
  command.add_option("PAPER", options->paper, "wenger (tables 1 and 2) or man (table 3)")
      .required()
      .one_of({"wenger", "man"});
  command.add_option("--rows", options->rows, "wenger: w = 1..6; man: m = 2..9, by default 2..7").delimiter(',');
  command.add_option("--model", options->models, "Only these of the paper's models").delimiter(',');
  command.add_flag("--energy", options->energy, "man: also the energy errors on [0, 400]");
  command.add_flag("--json", options->json, "Print JSON");
  options->plot.declare(command);
  command.footer(
      "Exit code 1 if a slope deviates from the table by more than 0.25. The whole tables take about 35 s (wenger), 15 "
      "s\n"
      "(man) and 60 s (man with --energy) on one core.\n"
      "Examples:\n"
      "  extremal study table wenger --json\n"
      "  extremal study table wenger --rows 1 2 --model pendulum\n"
      "  extremal study table man --rows 2 3 --energy");
  command.callback([options, &exit_code] {
    options->plot.open();
    exit_code = followed([&](const Control& control) {
      return options->paper == "wenger" ? tell(wenger(*options, control), *options)
                                        : tell(man(*options, control), *options);
    });
  });
}

}  // namespace extremal::cli
