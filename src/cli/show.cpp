// extremal show: what a model means – its coordinates, its freedom, its start made consistent – or its file.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "archive/seal.hpp"
#include "archive/sweep_archive.hpp"
#include "cli/command.hpp"
#include "cli/request.hpp"
#include "cli/show_archive.hpp"
#include "cli/sweep_report.hpp"
#include "cli/table.hpp"
#include "extremal/error.hpp"
#include "model/changes.hpp"
#include "words/json.hpp"

namespace extremal::cli {
namespace {

// The start as a run would have it.
struct Placed {
  Consistency consistency;
  State<double> state;
  Observation<double> observation;
  int freedom = 0;
};

Placed place(const Model& model, const Scheme& scheme) {
  Stepper<double> stepper(model.system, scheme);
  Placed placed;
  placed.consistency = stepper.start(model.start, model.span.step.as<double>());
  placed.state = stepper.state();
  placed.observation = stepper.observe();
  placed.freedom = model.system.size() - model.system.constraint_count() + placed.consistency.redundant;
  return placed;
}

Json by_name(const std::vector<std::string>& names, const std::vector<double>& values) {
  Json all = Json::object();
  for (std::size_t k = 0; k < names.size() && k < values.size(); ++k) all[names[k]] = values[k];
  return all;
}

Json numbers_text(const std::vector<Number>& numbers) {
  Json all = Json::array();
  for (const Number& x : numbers) all.push_back(x.text());
  return all;
}

Json as_json(const Model& model, const Scheme& scheme, const Placed& placed) {
  const System& system = model.system;
  Json values = Json::object();
  for (const auto& [name, value] : parameters(model)) values[name] = value.text();
  Json observers = Json::array();
  for (const Observer& observer : model.observers) observers.push_back(observer.name);
  return {{"name", system.name()},
          {"title", model.title},
          {"citation", model.citation},
          {"coordinates", system.coordinate_names()},
          {"constraints", system.constraint_names()},
          {"redundant", placed.consistency.redundant},
          {"dependent", placed.consistency.dependent},
          {"degrees_of_freedom", placed.freedom},
          {"parameters", values},
          {"symmetries", symmetries(system)},
          {"observers", observers},
          {"start",
           {{"t", placed.state.t},
            {"q", by_name(system.coordinate_names(), placed.state.q)},
            {"v", by_name(system.coordinate_names(), placed.observation.v)},
            {"energy", placed.observation.energy()},
            {"moved", {{"q", placed.consistency.position}, {"p", placed.consistency.momentum}}}}},
          {"run",
           {{"scheme", scheme.name},
            {"step", model.span.step.text()},
            {"until", model.span.until.text()},
            {"pattern", numbers_text(model.span.pattern)},
            {"every", model.span.every},
            {"precision", model.precision.empty() ? "double" : model.precision}}}};
}

// A few of many.
std::string list(const std::vector<std::string>& names) {
  constexpr std::size_t most = 12;
  if (names.empty()) return "none";
  std::string all;
  for (std::size_t k = 0; k < std::min(names.size(), most); ++k) all += (k > 0 ? ", " : "") + names[k];
  if (names.size() > most) all += fmt::format(", and {} more (--json)", names.size() - most);
  return all;
}

void print(const Model& model, const Scheme& scheme, const Placed& placed) {
  const System& system = model.system;
  const Consistency& c = placed.consistency;
  std::cout << system.name() << (model.title.empty() ? "" : ": " + model.title)
            << (model.citation.empty() ? "" : " [" + model.citation + "]") << "\n";
  const auto line = [](const char* what, const std::string& text) {
    std::cout << fmt::format("  {:<13} {}\n", what, text);
  };
  line("coordinates", fmt::format("{}: {}", system.size(), list(system.coordinate_names())));
  line("constraints", system.constraint_count() == 0
                          ? "none"
                          : fmt::format("{}: {}", system.constraint_count(), list(system.constraint_names())));
  if (c.redundant > 0) line("redundant", fmt::format("{} rows, among {}", c.redundant, list(c.dependent)));
  line("freedom", fmt::format("{} degree{}", placed.freedom, placed.freedom == 1 ? "" : "s"));
  std::vector<std::string> values;
  for (const auto& [name, value] : parameters(model))
    values.push_back(fmt::format("{} = {:.10g}", name, value.as<double>()));
  line("parameters", list(values));
  line("symmetries", list(symmetries(system)));
  if (!model.observers.empty()) {
    std::vector<std::string> names;
    for (const Observer& observer : model.observers) names.push_back(observer.name);
    line("observers", list(names));
  }
  line("run",
       fmt::format("{}, step {}{}, until {}", scheme.name, model.span.step.text(),
                   model.span.pattern.empty() ? "" : fmt::format(" times a pattern of {}", model.span.pattern.size()),
                   model.span.until.text()));
  line("start", fmt::format("t = {:.10g}, energy {:.10g}", placed.state.t, placed.observation.energy()));
  if (std::max(c.position, c.momentum) > 1e-9)
    line("",
         fmt::format("moved onto the constraints: q by at most {:.2g}, p by at most {:.2g}", c.position, c.momentum));
  constexpr std::size_t most = 24;
  Table table({"coordinate", "q", "v"});
  for (std::size_t k = 0; k < std::min(placed.state.q.size(), most); ++k)
    table.row({system.coordinate_names()[k], fmt::format("{:.10g}", placed.state.q[k]),
               fmt::format("{:.10g}", placed.observation.v[k])});
  std::cout << "\n" << table.text("  ");
  if (placed.state.q.size() > most) std::cout << fmt::format("  and {} more (--json)\n", placed.state.q.size() - most);
}

}  // namespace

void add_show(Command& program, Invocation& invocation) {
  auto request = std::make_shared<Request>();
  auto text = std::make_shared<bool>(false);
  Command command = program.add_command("show", "Show what a model means, or what an archive has");
  request->declare_model(command);
  command.add_flag("--text", *text, "Print the model file instead, to copy and change");
  command.footer(
      "Examples:\n"
      "  extremal show pendulum\n"
      "  extremal show pendulum --text > own.toml\n"
      "  extremal show pendulums.nc                        the archive of a sweep or a run\n"
      "  extremal show models/four-bar-spatial.toml --set n=3 --json");
  command.callback([request, text, &invocation] {
    if (SweepArchive::is(request->model_name)) {
      report_sweep(request->model_name, {.json = request->json, .table = true});
      invocation.exit_code = complete;
      return;
    }
    if (is_netcdf(request->model_name)) {
      show_archive(request->model_name, request->json);
      invocation.exit_code = complete;
      return;
    }
    const Model model = request->model();
    if (*text) {
      std::cout << model.text;
      invocation.exit_code = complete;
      return;
    }
    const Scheme scheme = request->scheme(model);
    const Placed placed = place(model, scheme);
    if (request->json)
      std::cout << as_json(model, scheme, placed).dump(2) << "\n";
    else
      print(model, scheme, placed);
    invocation.exit_code = complete;
  });
}

}  // namespace extremal::cli
