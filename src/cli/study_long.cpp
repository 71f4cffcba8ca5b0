// extremal study long-time: what should not change, over long runs.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli/remedies.hpp"
#include "cli/request.hpp"
#include "cli/study.hpp"
#include "cli/table.hpp"
#include "extremal/error.hpp"

namespace extremal::cli {
namespace {

// One run, and the figure of a paper that it belongs to.
struct Case {
  std::string figure, model, scheme, step, until, precision;
  std::vector<study::Watch> watches;
};

const study::Watch watched_energy{"energy", {"energy"}, true};
const study::Watch about_z{"angular momentum", {"momentum:about z"}};

// Figure 2: two members on the pendulum, the one of high order with a step ten times as long; the energy is that of the
// paper's own momenta. Figure 3: the angular
// momentum of the double pendulum. The paper says neither the steps nor the times.
std::vector<Case> wenger() {
  std::vector<Case> all{{"fig. 2", "pendulum", "wenger(5, 4, gauss(5))", "0.1", "200", "double", {watched_energy}},
                        {"fig. 2", "pendulum", "wenger(5, 3, lobatto(5))", "0.01", "200", "double", {watched_energy}}};
  for (const char* scheme : {"wenger(1, 1, gauss(1))", "wenger(2, 2, gauss(2))", "wenger(3, 2, lobatto(3))",
                             "wenger(3, 3, gauss(3))", "wenger(5, 4, gauss(5))"})
    all.push_back({"fig. 3", "double-pendulum-3d", scheme, "0.01", "100", "double", {about_z}});
  return all;
}

// Figures 8 to 11, the six balls. The paper computes in quad; where long double sees the error it is taken instead.
std::vector<Case> man(bool quick) {
  std::vector<Case> all;
  for (int m = 2; m <= (quick ? 4 : 6); ++m)
    for (const char* letters : {"LGG", "LLL"})
      all.push_back({"fig. 8",
                     "six-balls",
                     fmt::format("man({}, {})", letters, m),
                     "0.1",
                     "400",
                     m <= 4 ? "long-double" : "quad",
                     {watched_energy}});
  all.push_back({"fig. 9", "six-balls", "man(LGG, 2)", "1", "400", "quad", {about_z}});
  all.push_back({"fig. 11",
                 "six-balls",
                 "man(LGG, 2)",
                 "0.1",
                 "400",
                 "quad",
                 {{"x1 + x6", {"x1", "x6"}},
                  {"y1 + y6", {"y1", "y6"}},
                  {"x2 + x5", {"x2", "x5"}},
                  {"y2 + y5", {"y2", "y5"}},
                  {"x3 + x4", {"x3", "x4"}},
                  {"y3 + y4", {"y3", "y4"}}}});
  return all;
}

struct Told {
  std::string figure;
  study::LongTime run;
};

Json as_json(const std::vector<Told>& all) {
  Json runs = Json::array();
  for (const auto& [figure, run] : all) {
    Json watched = Json::array();
    for (const study::Watched& w : run.watched) {
      Json windows = Json::array();
      for (const study::Window& window : w.windows)
        windows.push_back({{"from", window.from},
                           {"to", window.to},
                           {"largest", finite(window.largest)},
                           {"mean", finite(window.mean)}});
      watched.push_back({{"name", w.watch.name},
                         {"relative", w.watch.relative},
                         {"initial", finite(w.initial)},
                         {"largest", finite(w.largest)},
                         {"drift_slope", finite(w.drift.slope)},
                         {"drift_slope_error", finite(w.drift.slope_error)},
                         {"windows", windows}});
    }
    runs.push_back({{"model", run.model},
                    {"scheme", run.scheme},
                    {"step", run.step.text()},
                    {"until", run.until.text()},
                    {"precision", run.precision},
                    {"steps", run.steps},
                    {"seconds", run.seconds},
                    {"constraint_max", finite(run.constraint_max)},
                    {"hidden_max", finite(run.hidden_max)},
                    {"remedies", remedies_json(run.remedies)},
                    {"watched", watched}});
    if (!figure.empty()) runs.back()["figure"] = figure;
  }
  return {{"runs", runs}};
}

void print(const std::vector<Told>& all) {
  const bool figures = !all.front().figure.empty();
  std::vector<std::string> head{"model",        "scheme",      "step",           "until",   "change of", "largest",
                                "first window", "last window", "drift per time", "max |g|", "max |G v|"};
  if (figures) head.insert(head.begin(), "");
  Table table(head);
  for (const auto& [figure, run] : all)
    for (const study::Watched& w : run.watched) {
      std::vector<std::string> row{run.model,
                                   run.scheme,
                                   run.step.text(),
                                   run.until.text(),
                                   w.watch.name,
                                   small(w.largest),
                                   small(w.windows.front().largest),
                                   small(w.windows.back().largest),
                                   fmt::format("{} +- {}", small(w.drift.slope), small(w.drift.slope_error)),
                                   small(run.constraint_max),
                                   small(run.hidden_max)};
      if (figures) row.insert(row.begin(), figure);
      table.row(row);
    }
  std::cout << table.text()
            << fmt::format(
                   "\nLargest changes over the whole run and over the first and the last of {} windows; that of "
                   "the energy is relative\n",
                   all.front().run.watched.front().windows.size());
  for (const Told& told : all)
    print_remedies(told.run.remedies, told.run.scheme + " on " + told.run.model, told.run.steps);
}

// Two panels for every figure and kind of quantity: the changes themselves in the first window, how they swing, and the
// largest of them over the middles of the windows, whether they grow.
std::vector<study::Plot> plots(const std::vector<Told>& all) {
  std::vector<study::Plot> panels;
  for (const auto& [figure, run] : all) {
    for (const study::Watched& w : run.watched) {
      const std::string title = fmt::format("{}{}{}", figure, figure.empty() ? "" : ", ", run.model);
      const std::string label = w.watch.relative ? "largest |H - H0| / |H0|" : "largest change";
      if (panels.empty() || panels.back().title != title || panels.back().y_label != label) {
        panels.push_back({.title = title + ", the beginning",
                          .x_label = "time",
                          .y_label = w.watch.relative ? "(H - H0) / |H0|" : "change",
                          .curves = {}});
        panels.push_back({.title = title, .x_label = "time", .y_label = label, .log_y = true, .curves = {}});
      }
      const std::string name = run.watched.size() == 1 ? run.scheme + ", h = " + run.step.text() : w.watch.name;
      study::Curve curve{.name = name, .x = {}, .y = {}};
      for (const study::Window& window : w.windows) {
        curve.x.push_back((window.from + window.to) / 2);
        curve.y.push_back(window.largest);
      }
      panels.back().curves.push_back(std::move(curve));
      panels[panels.size() - 2].curves.push_back({.name = name, .x = w.t, .y = w.change, .markers = false});
    }
  }
  return panels;
}

// Figure 10 of [Man2020]: where the six balls are between 300 and 400.
study::Plot trajectories() {
  const Model m = model("six-balls");
  const auto run = extremal::run(m.system, "man(LGG, 2)", m.start, {.step = "0.1", .until = 400});
  study::Plot plot{
      .title = "fig. 10, six-balls, man(LGG, 2), t = 300 to 400", .x_label = "x", .y_label = "y", .square = true};
  for (int i = 1; i <= 6; ++i) {
    const auto part = [&](const std::string& letter) {
      const auto& column = run.column(letter + std::to_string(i));
      return std::vector<double>(column.begin() + 3000, column.end());
    };
    plot.curves.push_back({.name = "ball " + std::to_string(i), .x = part("x"), .y = part("y"), .markers = false});
  }
  return plot;
}

struct LongTimeOptions {
  Request request;
  std::vector<std::string> schemes;
  std::string step, until, precision = "double", paper;
  int windows = 40;
  bool quick = false;
  PlotFile plot;
};

std::vector<Case> cases(const LongTimeOptions& options, const Model& model) {
  if (options.paper == "wenger") return wenger();
  if (options.paper == "man") return man(options.quick);
  const Number step = options.step.empty() ? model.span.step : number("--step", options.step);
  const Number until = options.until.empty() ? Number(model.start.t.as<double>() + 10000 * step.as<double>())
                                             : number("--until", options.until);
  std::vector<std::string> schemes = options.schemes;
  if (schemes.empty()) schemes.push_back(options.request.scheme(model).name);
  std::vector<Case> all;
  for (const std::string& scheme : schemes)
    all.push_back(
        {"", model.system.name(), Scheme::named(scheme).name, step.text(), until.text(), options.precision, {}});
  return all;
}

ExitCode execute(LongTimeOptions& options, const Control& control) {
  Model own;
  if (options.paper.empty()) own = options.request.model();
  const std::vector<Case> all = cases(options, own);
  std::vector<Told> told;
  for (const Case& c : all) {
    const auto before = static_cast<double>(told.size()), parts = static_cast<double>(all.size());
    study::LongTimeOptions how{.watches = c.watches, .windows = options.windows, .precision = c.precision};
    how.control.stop = control.stop;
    if (control.progress)
      how.control.progress = [&control, before, parts](double done) { control.progress((before + done) / parts); };
    told.push_back({c.figure, study::long_time(options.paper.empty() ? own : model(c.model), Scheme::named(c.scheme),
                                               c.step, c.until, how)});
  }
  if (control.progress) control.progress(1);
  if (options.request.json)
    std::cout << as_json(told).dump(2) << "\n";
  else
    print(told);
  if (options.plot.wanted()) {
    std::vector<study::Plot> panels = plots(told);
    if (options.paper == "man") panels.push_back(trajectories());
    options.plot.write(panels);
  } else if (options.paper == "man" && !options.request.json) {
    std::cout << "Figure 10, the trajectories, is drawn by --plot FILE.svg\n";
  }
  return complete;
}

}  // namespace

void add_study_long_time(Command& study_command, int& exit_code) {
  auto options = std::make_shared<LongTimeOptions>();
  Command command = study_command.add_command("long-time", "Follow energy, momenta and constraints over long runs");
  options->request.declare_model(command).required(false);
  command.add_option("--scheme", options->schemes, "A scheme; may be repeated; by default the model's").repeated();
  command
      .add_option("--paper", options->paper,
                  "wenger: figures 2 and 3 (the default without a model); man: figures 8 to 11")
      .one_of({"wenger", "man"});
  command.add_option("--step", options->step, "The time step, by default the model's");
  command.add_option("--until", options->until, "The end time; by default that of 10000 steps");
  command.add_option("--windows", options->windows, "Parts of the run whose largest changes are kept")
      .range(1, 1000000)
      .show_default();
  declare_precision(command, options->precision, "double (the default), long-double or quad");
  command.add_flag("--quick", options->quick, "--paper man: m = 2 to 4 only");
  options->plot.declare(command);
  command.footer(
      "--paper man takes about half a minute, with --quick some seconds.\n"
      "Examples:\n"
      "  extremal study long-time --paper wenger --plot long.svg\n"
      "  extremal study long-time --paper man --quick\n"
      "  extremal study long-time triple-pendulum --scheme \"man(LLL, 2)\" --scheme \"man(LGG, 2)\" --until 1000");
  command.callback([options, &exit_code] {
    if (options->request.model_name.empty() && options->paper.empty()) options->paper = "wenger";
    if (!options->request.model_name.empty() && !options->paper.empty())
      throw InputError("--paper " + options->paper + ": found the model " + options->request.model_name +
                       " too; expected one of them, as papers have their own models");
    options->plot.open();
    exit_code = followed([&](const Control& control) { return execute(*options, control); });
  });
}

}  // namespace extremal::cli
