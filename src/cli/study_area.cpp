// extremal study area: what steps make of a set of starts, and of its area.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "cli/request.hpp"
#include "cli/study.hpp"
#include "cli/table.hpp"
#include "extremal/error.hpp"
#include "words/grammar.hpp"

namespace extremal::cli {
namespace {

struct AreaRequest {
  Request request;
  std::vector<std::string> schemes, boxes;
  std::string step, until, paper;
  int looks = study::AreaOptions().looks;
  PlotFile plot;
};

constexpr const char* box_example = "--box \"theta=0..4, p:theta=-2..2\"";

study::StartBox::Side read_side(const std::string& text, const std::string& all) {
  const std::size_t equals = text.find('='), dots = text.find("..");
  if (equals == std::string::npos || dots == std::string::npos || dots < equals)
    throw InputError("--box " + extremal::quoted(all) + ": found no NAME=FROM..TO; expected two of them; e.g. " +
                     box_example);
  const std::size_t first = text.find_first_not_of(' ');
  return {text.substr(first, equals - first), number("--box", text.substr(equals + 1, dots - equals - 1)),
          number("--box", text.substr(dots + 2))};
}

study::StartBox read_box(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos)
    throw InputError("--box " + extremal::quoted(text) + ": found one number of a start; expected two; e.g. " +
                     box_example);
  return {read_side(text.substr(0, comma), text), read_side(text.substr(comma + 1), text)};
}

std::string side_text(const study::StartBox::Side& side) {
  return side.name + " = " + side.from.text() + ".." + side.to.text();
}
std::string box_text(const study::StartBox& box) { return side_text(box.first) + ", " + side_text(box.second); }

// Figure 11: m = r = g = 1 and two squares; the paper does not say the times. What conserves the energy instead is its
// control.
Model paper_model() {
  Model m = model("hoop", {{"g", 1}});
  m.span = {.step = "0.5", .until = 4};  // coarse: what is lost shows
  return m;
}
const std::vector<std::string> paper_boxes{"theta=0..4, p:theta=-2..2", "theta=0..2, p:theta=-1..1"},
    paper_schemes{"trapezoidal", "energy_momentum"};

Json numbers_of(const std::vector<double>& values) {
  Json all = Json::array();
  for (const double x : values) all.push_back(x);
  return all;
}

Json as_json(const study::AreaStudy& all) {
  Json series = Json::array();
  for (const study::AreaSeries& one : all.series) {
    Json looks = Json::array();
    for (const study::AreaLook& look : one.looks)
      looks.push_back({{"t", look.t},
                       {"area", look.area},
                       {"floor", look.floor},
                       {"x", numbers_of(look.x)},
                       {"y", numbers_of(look.y)}});
    series.push_back({{"scheme", one.scheme.name},
                      {"box", box_text(one.box)},
                      {"symplectic", one.declared},
                      {"change", one.change()},
                      {"floor", one.floor()},
                      {"keeps", one.keeps()},
                      {"verdict", one.told()},
                      {"looks", looks}});
  }
  return {{"model", all.model},
          {"step", all.step.text()},
          {"until", all.until.text()},
          {"holds", all.holds()},
          {"series", series}};
}

void print(const study::AreaStudy& all) {
  std::cout << fmt::format("{}, step {}, until {}\n\n", all.model, all.step.text(), all.until.text());
  std::vector<std::string> head{"scheme", "starts"};
  for (const study::AreaLook& look : all.series.front().looks) head.push_back(fmt::format("t = {:.4g}", look.t));
  for (const char* more : {"largest change", "floor", "symplectic", ""}) head.emplace_back(more);
  Table table(head);
  for (const study::AreaSeries& one : all.series) {
    std::vector<std::string> row{one.scheme.name, box_text(one.box)};
    // Digits of round-off differ from machine to machine.
    for (const study::AreaLook& look : one.looks)
      row.push_back(fmt::format("{:.9g}", std::fabs(look.area) > 1e-9 * one.size ? look.area : 0.0));
    const bool known = one.verdict() != study::AreaVerdict::not_resolved;
    row.push_back(!known ? "-" : one.keeps() ? "none" : fmt::format("{:.3g}", one.change()));
    row.push_back(one.floor() < 1e-10 ? "1e-10" : fmt::format("{:.0e}", one.floor()));
    row.emplace_back(one.declared ? "declared" : "not declared");
    row.push_back(one.told());
    table.row(row);
  }
  std::cout << table.text()
            << "\nArea: the integral of p dq around the set; changes relative to the area at the start\n";
  if (std::any_of(all.series.begin(), all.series.end(),
                  [](const auto& one) { return std::fabs(one.looks.front().area) < one.size; }))
    std::cout << "Where that is none, which two numbers that are not conjugate have, to the integral of |p| |dq|\n";
}

// A panel for every scheme, with the sets at all times.
std::vector<study::Plot> plots(const study::AreaStudy& all) {
  std::vector<study::Plot> panels;
  for (const study::AreaSeries& one : all.series) {
    const std::string title = all.model + ", " + one.scheme.name;
    if (panels.empty() || panels.back().title != title)
      panels.push_back({.title = title, .x_label = one.box.first.name, .y_label = one.box.second.name, .curves = {}});
    const bool inner = !panels.back().curves.empty();
    for (std::size_t k = 0; k < one.looks.size(); ++k) {
      const study::AreaLook& look = one.looks[k];
      if (inner) panels.back().curves[k].name += fmt::format(", {:.5g}", look.area);
      panels.back().curves.push_back({.name = inner ? "" : fmt::format("t = {:.4g}, area {:.5g}", look.t, look.area),
                                      .x = look.x,
                                      .y = look.y,
                                      .markers = false,
                                      .filled = true,
                                      .like = inner ? static_cast<int>(k) : -1});
    }
  }
  return panels;
}

ExitCode execute(AreaRequest& options, const Control& control) {
  const bool paper = !options.paper.empty();
  Model model = paper ? paper_model() : options.request.model();
  if (!options.step.empty()) model.span.step = number("--step", options.step);
  if (!options.until.empty()) model.span.until = number("--until", options.until);
  std::vector<std::string> schemes = options.schemes, boxes = options.boxes;
  if (schemes.empty()) schemes = paper ? paper_schemes : std::vector<std::string>{options.request.scheme(model).name};
  if (boxes.empty() && paper) boxes = paper_boxes;
  if (boxes.empty())
    throw InputError(std::string("study area: found no set of starts; expected a rectangle of them; e.g. ") +
                     box_example);
  std::vector<study::StartBox> sets;
  for (const std::string& box : boxes) sets.push_back(read_box(box));
  const study::AreaStudy all =
      study::area(model, schemes_named(schemes), sets, {.looks = options.looks, .control = control});
  if (options.request.json)
    std::cout << as_json(all).dump(2) << "\n";
  else
    print(all);
  options.plot.write(plots(all));
  return all.holds() ? complete : failed;
}

}  // namespace

void add_study_area(Command& study_command, int& exit_code) {
  auto options = std::make_shared<AreaRequest>();
  Command command = study_command.add_command("area", "Follow a set of starts, and the area that steps leave it");
  options->request.declare_model(command).required(false);
  command.add_option("--scheme", options->schemes, "A scheme; may be repeated; by default the model's").repeated();
  command
      .add_option(
          "--box", options->boxes,
          "NAME=FROM..TO, NAME=FROM..TO: starts with all values of two coordinates x, velocities v:x or momenta "
          "p:x between these; may be repeated")
      .repeated();
  command.add_option("--paper", options->paper, "lewmata: figure 11 (the default without a model)").one_of({"lewmata"});
  command.add_option("--step", options->step, "The time step, by default the model's");
  command.add_option("--until", options->until, "The end time, by default the model's");
  command.add_option("--looks", options->looks, "At so many times, equally spaced").range(1, 1000).show_default();
  options->plot.declare(command);
  command.footer(
      "Exit code 1 if a scheme that is declared symplectic changes the area.\n"
      "Examples:\n"
      "  extremal study area --plot area.svg\n"
      "  extremal study area pendulum-polar --box \"theta=0.5..1, p:theta=-1..1\" --scheme \"spark(2)\" --until 3");
  command.callback([options, &exit_code] {
    if (options->request.model_name.empty() && options->paper.empty()) options->paper = "lewmata";
    if (!options->request.model_name.empty() && !options->paper.empty())
      throw InputError("--paper " + options->paper + ": found the model " + options->request.model_name +
                       " too; expected one of them, as papers have their own models");
    options->plot.open();
    exit_code = followed([&](const Control& control) { return execute(*options, control); });
  });
}

}  // namespace extremal::cli
