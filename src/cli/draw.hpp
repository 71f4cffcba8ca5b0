// DrawSink: columns of a run over time as a picture, a panel for every name that was asked for.
//
//   energy               that column
//   hidden:*             all that begin so
//   increment:energy     differences of successive rows, as papers draw what a step conserves
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/study.hpp"
#include "extremal/error.hpp"
#include "extremal/run.hpp"
#include "words/grammar.hpp"

namespace extremal::cli {

template <class S>
class DrawSink : public RowSink<S> {
 public:
  // The file is open.
  DrawSink(std::vector<std::string> names, PlotFile& file) : names_(std::move(names)), file_(file) {}

  void begin(const Run<S>& run, const std::vector<ColumnInfo>& columns) override {
    late_ = Scheme::named(run.scheme).declared.multiplier == EndMultiplier::late;
    title_ = run.model + ", " + run.scheme + ", h = " + run.step.text();
    std::vector<std::string> known;
    for (const ColumnInfo& column : columns) known.push_back(column.name);
    for (const std::string& asked : names_) {
      Panel& panel = panels_.emplace_back();
      panel.increments = asked.starts_with(increment);
      const std::string name = panel.increments ? asked.substr(increment.size()) : asked;
      const bool many = name.ends_with('*');
      const std::string begins = many ? name.substr(0, name.size() - 1) : name;
      study::Plot& plot = plots_.emplace_back();
      plot.title = title_;
      plot.x_label = "t";
      for (std::size_t c = 0; c < known.size(); ++c) {
        if (many ? !known[c].starts_with(begins) : known[c] != name) continue;
        panel.columns.push_back(c);
        plot.curves.push_back({.name = known[c], .x = {}, .y = {}, .markers = false});
      }
      if (panel.columns.empty()) throw InputError("--draw: " + unknown("column", name, known));
      plot.y_label = label(columns, panel.columns);
      if (plot.y_label.empty())
        plot.y_label = many && begins.ends_with(':') ? begins.substr(0, begins.size() - 1) : begins;
      if (panel.increments) plot.y_label = "increment of " + plot.y_label;
    }
  }
  void row(const std::vector<S>& values) override {
    for (std::size_t p = 0; p < panels_.size(); ++p) {
      const bool increments = panels_[p].increments;
      if (increments && before_.empty()) continue;
      for (std::size_t k = 0; k < panels_[p].columns.size(); ++k) {
        const std::size_t c = panels_[p].columns[k];
        plots_[p].curves[k].x.push_back(static_cast<double>(values[0]));
        plots_[p].curves[k].y.push_back(static_cast<double>(increments ? values[c] - before_[c] : values[c]));
      }
    }
    before_ = values;
  }
  // At its last node closure variational has the carried momentum, of which neither energy nor G v tell anything.
  void end(const Run<S>& run) override {
    for (study::Plot& plot : plots_)
      for (study::Curve& curve : plot.curves)
        if (late_ && run.status == Status::complete && curve.x.size() > 1) {
          curve.x.pop_back();
          curve.y.pop_back();
        }
    file_.write(plots_);
  }

 private:
  // What the columns of a panel are, if they are the same, in short and with their unit, if it has a name.
  static std::string label(const std::vector<ColumnInfo>& columns, const std::vector<std::size_t>& panel) {
    const ColumnInfo& first = columns[panel.front()];
    for (const std::size_t c : panel)
      if (columns[c].description != first.description || columns[c].unit != first.unit) return {};
    const std::string what = first.description.substr(0, first.description.find_first_of(":,"));
    return first.unit.empty() || first.unit.find("unit of") != std::string::npos ? what : what + ", " + first.unit;
  }

  static constexpr std::string_view increment = "increment:";

  struct Panel {
    bool increments = false;
    std::vector<std::size_t> columns = {};
  };

  std::vector<std::string> names_;
  PlotFile& file_;
  std::string title_;
  bool late_ = false;
  std::vector<Panel> panels_;
  std::vector<S> before_;  // the last row
  std::vector<study::Plot> plots_;
};

}  // namespace extremal::cli
