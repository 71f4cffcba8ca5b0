// extremal compare: schemes side by side on one model with one step.
#include <fmt/format.h>

#include <cmath>
#include <iostream>

#include "cli/command.hpp"
#include "cli/remedies.hpp"
#include "cli/request.hpp"
#include "cli/study.hpp"
#include "cli/table.hpp"
#include "extremal/study.hpp"
#include "words/json.hpp"

namespace extremal::cli {
namespace {

int order(const study::Comparison& all, const Scheme& scheme) {
  return all.constrained ? scheme.declared.order.q : scheme.declared.order_free;
}

double rate(const study::Contestant& row) { return static_cast<double>(row.steps) / row.seconds; }

Json as_json(const study::Comparison& all) {
  Json rows = Json::array();
  for (const study::Contestant& row : all.rows)
    rows.push_back({{"scheme", row.scheme.name},
                    {"order", order(all, row.scheme)},
                    {"status", name(row.status)},
                    {"reason", row.reason},
                    {"steps", row.steps},
                    {"seconds", row.seconds},
                    {"steps_per_second", finite(rate(row))},
                    {"energy",
                     {{"max_error", finite(row.energy_error)},
                      {"drift_slope", finite(row.drift.slope)},
                      {"drift_slope_error", finite(row.drift.slope_error)}}},
                    {"constraint_max", finite(row.constraint_max)},
                    {"hidden_max", finite(row.hidden_max)},
                    {"momentum_error", all.symmetric ? finite(row.momentum_error) : Json(nullptr)},
                    {"newton", {{"mean", row.newton_mean}, {"max", row.newton_max}}},
                    {"remedies", remedies_json(row.remedies)},
                    {"difference", finite(row.difference)}});
  Json baselines = Json::array();
  for (const study::BaselineRow& row : all.baselines)
    baselines.push_back({{"baseline", row.baseline},
                         {"variational", false},
                         {"tolerance", row.tolerance},
                         {"status", name(row.status)},
                         {"reason", row.reason},
                         {"steps", row.steps},
                         {"evaluations", row.evaluations},
                         {"seconds", finite(row.seconds)},
                         {"energy",
                          {{"max_error", finite(row.energy_error)},
                           {"drift_slope", finite(row.drift.slope)},
                           {"drift_slope_error", finite(row.drift.slope_error)}}},
                         {"constraint_max", all.constrained ? finite(row.constraint_max) : Json(nullptr)},
                         {"hidden_max", all.constrained ? finite(row.hidden_max) : Json(nullptr)},
                         {"difference", finite(row.difference)}});
  return {{"model", all.model},         {"step", all.step.text()},    {"until", all.until.text()},
          {"precision", all.precision}, {"reference", all.reference}, {"schemes", rows},
          {"baselines", baselines}};
}

std::string drift_text(const Drift& drift) {
  return fmt::format("{} +- {}", small(drift.slope), small(drift.slope_error));
}

void print_baselines(const study::Comparison& all) {
  if (all.baselines.empty()) return;
  Table table({"baseline", "", "tolerance", "CPU time", "steps", "evaluations", "energy error", "drift per time",
               "max |g|", "max |G v|", "difference"});
  const bool g = all.constrained;
  for (const study::BaselineRow& row : all.baselines) {
    const std::string tolerance = fmt::format("{:.0e}", row.tolerance);
    if (row.status != Status::complete) {
      table.row({row.baseline, "not variational", tolerance, name(row.status)});
      continue;
    }
    table.row({row.baseline, "not variational", tolerance, time_text(row.seconds), std::to_string(row.steps),
               std::to_string(row.evaluations), small(row.energy_error),
               std::isfinite(row.drift.slope) ? drift_text(row.drift) : "-", g ? small(row.constraint_max) : "-",
               g ? small(row.hidden_max) : "-", small(row.difference)});
  }
  std::cout << "\nBaselines: steps by an estimate of the local error, evaluations of the equations of motion\n\n"
            << table.text();
  for (const study::BaselineRow& row : all.baselines)
    if (row.status != Status::complete)
      std::cout << row.baseline << ", tolerance " << fmt::format("{:.0e}", row.tolerance) << ": " << row.reason << "\n";
}

void print(const study::Comparison& all) {
  std::cout << fmt::format("{}, step {}, until {}, {} precision\n\n", all.model, all.step.text(), all.until.text(),
                           all.precision);
  Table table({"scheme", "order", "CPU time", "steps/s", "energy error", "drift per time", "max |g|", "max |G v|",
               "momenta", "Newton", "difference"});
  for (const study::Contestant& row : all.rows) {
    if (row.status != Status::complete) {
      table.row({row.scheme.name, std::to_string(order(all, row.scheme)), name(row.status)});
      continue;
    }
    const bool g = all.constrained;
    table.row({row.scheme.name, std::to_string(order(all, row.scheme)), time_text(row.seconds),
               fmt::format("{:.3g}", rate(row)), small(row.energy_error), drift_text(row.drift),
               g ? small(row.constraint_max) : "-", g ? small(row.hidden_max) : "-",
               all.symmetric ? small(row.momentum_error) : "-",
               fmt::format("{:.2f} (max {})", row.newton_mean, row.newton_max), small(row.difference)});
  }
  std::cout << table.text() << "\ndifference: of the final positions from those of " << all.reference << "\n";
  for (const study::Contestant& row : all.rows)
    if (row.status != Status::complete)
      std::cout << row.scheme.name << " " << name(row.status) << ": " << row.reason << "\n";
  for (const study::Contestant& row : all.rows) print_remedies(row.remedies, row.scheme.name, row.steps);
  print_baselines(all);
}

}  // namespace

void add_compare(Command& program, Invocation& invocation) {
  struct Options {
    Request request;
    std::vector<std::string> schemes;
    std::string step, until, precision = "double";
    BaselineOptions baselines;
  };
  auto options = std::make_shared<Options>();
  Command command = program.add_command("compare", "Compare schemes on one model with one step");
  options->request.declare_model(command);
  command.add_option("SCHEME", options->schemes, "Two schemes or more, of `extremal list schemes` or in its grammar")
      .required();
  command.add_option("--step", options->step, "The time step of all of them, by default the model's");
  command.add_option("--until", options->until, "The end time; by default the model's");
  declare_precision(command, options->precision, "double, long-double or quad");
  options->baselines.declare(command);
  command.footer(
      "Examples:\n"
      "  extremal compare pendulum rattle \"spark(3)\" \"phase_space(2)\" --step 0.05 --until 100\n"
      "  extremal compare models/double-four-bar.toml ggl rattle \"spark(2)\" --json\n"
      "  extremal compare double-pendulum-3d rattle \"spark(3)\" --baseline all --tolerances 1e-6,1e-9\n"
      "Exit code 1 if a scheme fails, or what it computed cannot be the motion.");
  command.callback([options, &invocation] {
    Model model = options->request.model();
    if (!options->step.empty()) model.span.step = number("--step", options->step);
    if (!options->until.empty()) model.span.until = number("--until", options->until);
    invocation.exit_code = followed([&](const Control& control) {
      const study::Comparison all = study::compare(model, schemes_named(options->schemes), options->precision, control,
                                                   options->baselines.chosen(model));
      if (options->request.json) {
        Json json = as_json(all);
        json["left_out"] = options->baselines.left_out_json();
        std::cout << json.dump(2) << "\n";
      } else {
        print(all);
        options->baselines.print_left_out();
      }
      for (const study::Contestant& row : all.rows)
        if (row.status != Status::complete) return failed;
      return complete;
    });
  });
}

}  // namespace extremal::cli
