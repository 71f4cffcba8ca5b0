// extremal study orders: orders of convergence on one model, measured.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli/remedies.hpp"
#include "cli/request.hpp"
#include "cli/study.hpp"
#include "cli/table.hpp"

namespace extremal::cli {
namespace {

double step(const study::OrderStudy& all, const Model& model, int steps) {
  return (all.until.as<double>() - model.start.t.as<double>()) / steps;
}

Json as_json(const study::Fit& fit, int declared) {
  return {{"measured", fit.points < 2 ? Json(nullptr) : finite(fit.slope)},
          {"declared", declared},
          {"points", fit.points},
          {"settled", fit.settled},
          {"measurable", fit.measurable(declared)},
          {"holds", fit.reaches(declared)}};
}

Json as_json(const study::OrderStudy& all, const Model& model) {
  Json series = Json::array();
  for (const study::OrderSeries& s : all.series) {
    Json errors = Json::array();
    for (std::size_t i = 0; i < all.steps.size(); ++i) {
      Json row = {{"steps", all.steps[i]},
                  {"step", step(all, model, all.steps[i])},
                  {"q", finite(s.errors[i].q)},
                  {"p", finite(s.errors[i].p)},
                  {"remedies", remedies_json(s.remedies[i])}};
      if (all.constrained) row["lambda"] = finite(s.errors[i].lambda);
      errors.push_back(row);
    }
    Json order = {{"q", as_json(s.q, s.declared.q)}, {"p", as_json(s.p, s.declared.p)}};
    if (all.constrained) order["lambda"] = as_json(s.lambda, s.declared.lambda);
    series.push_back({{"scheme", s.scheme.name},
                      {"precision", s.precision},
                      {"errors", errors},
                      {"order", order},
                      {"holds", s.holds()}});
  }
  return {{"model", all.model},
          {"until", all.until.text()},
          {"reference", all.reference},
          {"series", series},
          {"holds", all.holds()}};
}

// With a question mark where it is no verdict.
std::string measured(const study::Fit& fit, int declared) {
  if (fit.points == 0) return "round-off";
  if (fit.points < 2) return "?";
  return fmt::format("{:.2f}{}", fit.slope, declared == 0 || fit.measurable(declared) ? "" : " ?");
}

std::string declared(int order) { return order > 0 ? std::to_string(order) : "-"; }

void print(const study::OrderStudy& all, const Model& model) {
  std::cout << fmt::format("{} until {}, against {} in quad precision\n\n", all.model, all.until.text(), all.reference);
  const bool g = all.constrained;
  Table errors({"scheme", "steps", "step", "error of q", "error of p", g ? "error of lambda" : ""});
  for (const study::OrderSeries& s : all.series)
    for (std::size_t i = 0; i < all.steps.size(); ++i)
      errors.row({i == 0 ? s.scheme.name : "", std::to_string(all.steps[i]),
                  fmt::format("{:.4g}", step(all, model, all.steps[i])), small(s.errors[i].q), small(s.errors[i].p),
                  g ? small(s.errors[i].lambda) : ""});
  Table orders({"scheme", "precision", "q", "declared", "p", "declared", g ? "lambda" : "", g ? "declared" : "", ""});
  bool open = false;
  for (const study::OrderSeries& s : all.series) {
    orders.row({s.scheme.name, s.precision, measured(s.q, s.declared.q), declared(s.declared.q),
                measured(s.p, s.declared.p), declared(s.declared.p), g ? measured(s.lambda, s.declared.lambda) : "",
                g ? declared(s.declared.lambda) : "",
                s.falls_short() ? "FALLS SHORT"
                : s.holds()     ? "holds"
                                : "not measurable at these steps"});
    open = open || !(s.holds() || s.falls_short());
  }
  std::cout << errors.text() << "\nOrders: slopes through the three finest points above round-off\n\n" << orders.text();
  if (open)
    std::cout << "?: fewer than three points above round-off, or slopes that have not settled; try other steps, or "
                 "--precision quad\n";
  for (const study::OrderSeries& s : all.series)
    for (std::size_t i = 0; i < all.steps.size(); ++i) print_remedies(s.remedies[i], s.scheme.name, all.steps[i]);
}

std::vector<study::Plot> plots(const study::OrderStudy& all, const Model& model) {
  std::vector<study::Plot> panels;
  const auto add = [&](const char* quantity, double study::Errors::* error, auto order) {
    study::Plot plot{.title = fmt::format("{}: error of {} until t = {}", all.model, quantity, all.until.text()),
                     .x_label = "step",
                     .y_label = fmt::format("error of {}", quantity),
                     .log_x = true,
                     .log_y = true};
    for (const study::OrderSeries& s : all.series) {
      study::Curve curve{.name = s.scheme.name};
      for (std::size_t i = 0; i < all.steps.size(); ++i) {
        curve.x.push_back(step(all, model, all.steps[i]));
        curve.y.push_back(s.errors[i].*error);
      }
      plot.curves.push_back(std::move(curve));
      plot.slopes.push_back(order(s.declared));
    }
    std::sort(plot.slopes.begin(), plot.slopes.end());
    plot.slopes.erase(std::unique(plot.slopes.begin(), plot.slopes.end()), plot.slopes.end());
    panels.push_back(std::move(plot));
  };
  add("q", &study::Errors::q, [](const Order& o) { return o.q; });
  add("p", &study::Errors::p, [](const Order& o) { return o.p; });
  if (all.constrained) add("lambda", &study::Errors::lambda, [](const Order& o) { return o.lambda; });
  return panels;
}

}  // namespace

void add_study_orders(Command& study_command, int& exit_code) {
  struct Options {
    Request request;
    std::vector<std::string> schemes;
    std::string until, precision;
    std::vector<int> steps = study::OrderOptions().steps;
    PlotFile plot;
  };
  auto options = std::make_shared<Options>();
  Command command = study_command.add_command("orders", "Measure the orders of schemes on a model");
  options->request.declare_model(command);
  command.add_option("--scheme", options->schemes, "A scheme; may be repeated; by default the model's").repeated();
  command.add_option("--steps", options->steps, "Numbers of steps, three or more that ascend")
      .delimiter(',')
      .show_default();
  command.add_option("--until", options->until, "The end time; by default forty of the model's own steps");
  declare_precision(command, options->precision,
                    "double, long-double or quad; by default long-double up to order 4, quad above");
  options->plot.declare(command);
  command.footer(
      "Exit code 1 if an order falls short of the declared one by more than 0.25.\n"
      "Examples:\n"
      "  extremal study orders pendulum --scheme rattle --scheme \"spark(2)\" --scheme \"spark(3)\" --plot orders.svg\n"
      "  extremal study orders triple-pendulum --scheme \"man(LGG, 3)\" --steps 25 50 100 --until 5 --json");
  command.callback([options, &exit_code] {
    const Model model = options->request.model();
    std::vector<Scheme> schemes = schemes_named(options->schemes);
    if (schemes.empty()) schemes.push_back(options->request.scheme(model));
    study::OrderOptions how{.steps = options->steps, .precision = options->precision};
    if (!options->until.empty()) how.until = number("--until", options->until);
    options->plot.open();
    exit_code = followed([&](const Control& control) {
      how.control = control;
      const study::OrderStudy all = study::orders(model, schemes, how);
      if (options->request.json)
        std::cout << as_json(all, model).dump(2) << "\n";
      else
        print(all, model);
      options->plot.write(plots(all, model));
      return all.holds() ? complete : failed;
    });
  });
}

}  // namespace extremal::cli
