// extremal study work-precision: error against CPU time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>

#include "cli/remedies.hpp"
#include "cli/request.hpp"
#include "cli/study.hpp"
#include "cli/table.hpp"
#include "extremal/error.hpp"

namespace extremal::cli {
namespace {

// Figure 4 of [Wenger2017], s = w = r with Gauss rules, and what figure 5 adds: Lobatto rules for s = w = 2 and 5.
const std::vector<std::string> wenger_schemes{
    "wenger(1, 1, gauss(1))", "wenger(2, 2, gauss(2))", "wenger(3, 3, gauss(3))",   "wenger(4, 4, gauss(4))",
    "wenger(5, 5, gauss(5))", "wenger(6, 6, gauss(6))", "wenger(2, 2, lobatto(3))", "wenger(5, 5, lobatto(6))"};

Json as_json(const study::WorkStudy& all) {
  Json series = Json::array();
  for (const study::WorkSeries& s : all.series) {
    Json points = Json::array();
    for (const study::WorkPoint& p : s.points)
      points.push_back({{"steps", p.steps},
                        {"error", finite(p.error)},
                        {"energy_error", finite(p.energy_error)},
                        {"seconds", p.seconds},
                        {"iterations", p.iterations},
                        {"evaluations", p.evaluations},
                        {"remedies", remedies_json(p.remedies)}});
    series.push_back({{"scheme", s.scheme.name}, {"points", points}});
  }
  Json baselines = Json::array();
  for (const study::BaselineSeries& s : all.baselines) {
    Json points = Json::array();
    for (const study::BaselinePoint& p : s.points)
      points.push_back({{"tolerance", p.tolerance},
                        {"steps", p.steps},
                        {"error", finite(p.error)},
                        {"energy_error", finite(p.energy_error)},
                        {"seconds", finite(p.seconds)},
                        {"evaluations", p.evaluations},
                        {"failure", p.failure}});
    baselines.push_back({{"baseline", s.baseline}, {"variational", false}, {"points", points}});
  }
  return {{"model", all.model},         {"until", all.until.text()}, {"precision", all.precision},
          {"reference", all.reference}, {"series", series},          {"baselines", baselines}};
}

// A scheme or a baseline by the errors that it reaches, and when.
struct Ladder {
  std::string name;
  std::function<double(double)> between;       // two runs
  std::function<bool(double)> from_the_first;  // whether the coarsest run is better already
  double first = 0;                            // what that one takes

  double seconds(double error) const { return from_the_first(error) ? first : between(error); }
};

std::vector<Ladder> ladders(const study::WorkStudy& all) {
  std::vector<Ladder> out;
  const auto add = [&](const std::string& name, const auto& series) {
    out.push_back({name, [&series](double e) { return series.seconds_for(e); },
                   [&series](double e) { return series.below_at_coarsest(e); }, series.points.front().seconds});
  };
  for (const study::WorkSeries& s : all.series) add(s.scheme.name, s);
  for (const study::BaselineSeries& s : all.baselines) add(s.baseline, s);
  return out;
}

// The decades of error that some scheme or baseline passes, at most eight.
std::vector<double> levels(const std::vector<Ladder>& all) {
  std::vector<double> found;
  for (int d = 0; d >= -32; --d) {
    const double level = std::pow(10.0, d);
    if (std::any_of(all.begin(), all.end(), [&](const Ladder& one) { return std::isfinite(one.between(level)); }))
      found.push_back(level);
  }
  while (found.size() > 8)
    for (std::size_t i = 1; i < found.size(); ++i) found.erase(found.begin() + static_cast<std::ptrdiff_t>(i));
  return found;
}

// The CPU time to reach an error; * is the fastest.
Table time_table(const study::WorkStudy& study) {
  const std::vector<Ladder> all = ladders(study);
  const std::vector<double> errors = levels(all);
  std::vector<std::string> head{study.baselines.empty() ? "scheme" : "scheme or baseline"};
  for (const double e : errors) head.push_back(fmt::format("{:.0e}", e));
  Table table(head);
  for (const Ladder& one : all) {
    std::vector<std::string> row{one.name};
    for (const double e : errors) {
      const double seconds = one.seconds(e);
      const bool fastest =
          std::none_of(all.begin(), all.end(), [&](const Ladder& other) { return other.seconds(e) < seconds; });
      row.push_back(!std::isfinite(seconds)
                        ? "not reached"
                        : (one.from_the_first(e) ? "<= " : "") + time_text(seconds) + (fastest ? " *" : ""));
    }
    table.row(row);
  }
  return table;
}

void print_baselines(const study::WorkStudy& all) {
  if (all.baselines.empty()) return;
  Table table({"baseline", "", "tolerance", "steps", "error of q", "energy error", "CPU time", "evaluations"});
  for (const study::BaselineSeries& s : all.baselines)
    for (const study::BaselinePoint& p : s.points) {
      const bool first = &p == &s.points.front();
      std::vector<std::string> row{first ? s.baseline : "", first ? "not variational" : "",
                                   fmt::format("{:.0e}", p.tolerance)};
      if (p.failure.empty())
        row.insert(row.end(), {std::to_string(p.steps), small(p.error), small(p.energy_error), time_text(p.seconds),
                               std::to_string(p.evaluations)});
      else
        row.push_back("failed: " + p.failure);
      table.row(row);
    }
  std::cout << "\nBaselines: steps by an estimate of the local error, evaluations of the equations of motion\n\n"
            << table.text();
}

void print(const study::WorkStudy& all) {
  std::cout << fmt::format("{} until {} in {} precision, against {} in quad precision\n\n", all.model, all.until.text(),
                           all.precision, all.reference);
  Table table({"scheme", "steps", "error of q", "energy error", "CPU time", "Newton iterations", "evaluations of L"});
  for (const study::WorkSeries& s : all.series)
    for (const study::WorkPoint& p : s.points)
      table.row({&p == &s.points.front() ? s.scheme.name : "", std::to_string(p.steps), small(p.error),
                 small(p.energy_error), time_text(p.seconds), std::to_string(p.iterations),
                 std::to_string(p.evaluations)});
  std::cout << table.text();
  print_baselines(all);
  std::cout << "\nCPU time to reach an error of q, between two runs; * the fastest; <= already better at the coarsest\n"
               "step\n\n"
            << time_table(all).text();
  for (const study::WorkSeries& s : all.series)
    for (const study::WorkPoint& p : s.points) print_remedies(p.remedies, s.scheme.name, p.steps);
}

const study::WorkSeries& series_of(const study::WorkStudy& all, const std::string& scheme) {
  const std::string name = Scheme::named(scheme).name;
  return *std::find_if(all.series.begin(), all.series.end(), [&](const auto& s) { return s.scheme.name == name; });
}

// What figure 5 shows: at the same step the same accuracy, with a point less in the rule.
void print_figure_5(const study::WorkStudy& all) {
  std::cout << "\nFigure 5: Gauss rule of s points over Lobatto rule of s + 1 points at the same step\n";
  for (const int s : {2, 5}) {
    const auto& gauss = series_of(all, fmt::format("wenger({0}, {0}, gauss({0}))", s)).points;
    const auto& lobatto = series_of(all, fmt::format("wenger({0}, {0}, lobatto({1}))", s, s + 1)).points;
    double error = 0, seconds = 0;
    for (std::size_t i = 0; i < gauss.size(); ++i) {
      error = std::max(error, std::fabs(std::log(gauss[i].error / lobatto[i].error)));
      seconds += std::log(gauss[i].seconds / lobatto[i].seconds) / static_cast<double>(gauss.size());
    }
    std::cout << fmt::format("  s = w = {}: errors agree within a factor of {:.2f}, {:.2f} of the CPU time\n", s,
                             std::exp(error), std::exp(seconds));
  }
}

Json as_json(const study::ManWork& all) {
  Json claims = Json::array(), studies = Json::array();
  for (const study::ManClaim& c : all.claims)
    claims.push_back({{"model", c.model},
                      {"m", c.m},
                      {"algorithm", c.letters},
                      {"error_ratio", finite(c.error)},
                      {"energy_error_ratio", finite(c.energy_error)},
                      {"seconds_ratio", finite(c.seconds)},
                      {"seconds_ratio_at_equal_error", finite(c.seconds_at_error)},
                      {"more_precise", c.more_precise()},
                      {"faster", c.faster()}});
  for (const study::WorkStudy& s : all.studies) studies.push_back(as_json(s));
  return {{"paper", "Man2020"}, {"claims", claims}, {"studies", studies}};
}

void print(const study::ManWork& all) {
  std::cout
      << "\"Compared with the constrained Lobatto IIIA-IIIB partitioned Runge-Kutta method, algorithms LLG and LGG "
         "have higher\nprecision while taking less computational time\" [Man2020, section 4.2].\n\n"
         "Ratios to lobatto(m) in quad precision, steps 0.2 to 0.05 until 10, geometric means; below 1 is better.\n\n";
  Table table({"model", "m", "algorithm", "error of q", "energy error", "CPU time", "CPU time at equal error",
               "more precise", "faster"});
  for (const study::ManClaim& c : all.claims)
    table.row({c.model, std::to_string(c.m), c.letters, fmt::format("{:.3f}", c.error),
               fmt::format("{:.3f}", c.energy_error), fmt::format("{:.2f}", c.seconds),
               std::isfinite(c.seconds_at_error) ? fmt::format("{:.2f}", c.seconds_at_error) : "-",
               c.more_precise() ? "yes" : "no", c.faster() ? "yes" : "no"});
  std::cout << table.text() << "\n";
  for (const std::string letters : {"LLG", "LGG"}) {
    int cases = 0, precise = 0, faster = 0, both = 0, efficient = 0;
    for (const study::ManClaim& c : all.claims) {
      if (c.letters != letters) continue;
      ++cases;
      precise += c.more_precise() ? 1 : 0;
      faster += c.faster() ? 1 : 0;
      both += c.more_precise() && c.faster() ? 1 : 0;
      efficient += c.seconds_at_error < 1 ? 1 : 0;
    }
    std::cout << fmt::format(
        "{}: more precise in q and energy in {} of {} cases, less CPU time at the same step in {}, both in {}; less "
        "CPU "
        "time at the\nsame error in {}. The claim {}.\n",
        letters, precise, cases, faster, both, efficient, both == cases ? "holds" : "does not hold in general");
  }
}

study::Plot plot(const study::WorkStudy& all) {
  study::Plot out{.title = fmt::format("{} until t = {}, {} precision", all.model, all.until.text(), all.precision),
                  .x_label = "CPU time, s",
                  .y_label = "error of q",
                  .log_x = true,
                  .log_y = true};
  for (const study::WorkSeries& s : all.series) {
    study::Curve curve{.name = s.scheme.name};
    for (const study::WorkPoint& p : s.points) {
      curve.x.push_back(p.seconds);
      curve.y.push_back(p.error);
    }
    out.curves.push_back(std::move(curve));
  }
  for (const study::BaselineSeries& s : all.baselines) {
    study::Curve curve{.name = s.baseline + ", not variational"};
    for (const study::BaselinePoint& p : s.points) {
      if (!p.failure.empty()) continue;
      curve.x.push_back(p.seconds);
      curve.y.push_back(p.error);
    }
    out.curves.push_back(std::move(curve));
  }
  return out;
}

struct WorkOptions {
  Request request;
  std::vector<std::string> schemes;
  std::string until, precision = "double", paper;
  std::vector<int> steps;
  int repetitions = study::WorkOptions().repetitions;
  bool quick = false;
  BaselineOptions baselines;
  PlotFile plot;
};

ExitCode man(WorkOptions& options, const Control& control) {
  const study::ManWork all =
      study::man_work(options.quick ? std::vector{2, 3} : std::vector{2, 3, 4, 5, 6}, options.repetitions, control);
  if (options.request.json)
    std::cout << as_json(all).dump(2) << "\n";
  else
    print(all);
  std::vector<study::Plot> panels;
  for (const study::WorkStudy& s : all.studies) panels.push_back(plot(s));
  options.plot.write(panels);
  return complete;
}

ExitCode execute(WorkOptions& options, const Control& control) {
  if (options.paper == "man") return man(options, control);
  const bool wenger = options.paper == "wenger";
  const Model model = wenger ? extremal::model("pendulum") : options.request.model();
  study::WorkOptions how{.precision = options.precision, .repetitions = options.repetitions, .control = control};
  if (!options.until.empty()) how.until = number("--until", options.until);
  if (!options.steps.empty())
    how.steps = options.steps;
  else if (wenger)
    how.steps = options.quick ? std::vector{20, 40, 80} : std::vector{10, 20, 40, 80, 160, 320, 640};
  std::vector<Scheme> schemes = schemes_named(wenger ? wenger_schemes : options.schemes);
  if (schemes.empty()) schemes = schemes_named({"rattle", "spark(2)", "spark(3)", "spark(4)"});
  how.baselines = options.baselines.chosen(model);
  const study::WorkStudy all = study::work_precision(model, schemes, how);
  if (options.request.json) {
    Json json = as_json(all);
    json["left_out"] = options.baselines.left_out_json();
    std::cout << json.dump(2) << "\n";
  } else {
    print(all);
    options.baselines.print_left_out();
  }
  if (wenger && !options.request.json) print_figure_5(all);
  options.plot.write({plot(all)});
  return complete;
}

}  // namespace

void add_study_work_precision(Command& study_command, int& exit_code) {
  auto options = std::make_shared<WorkOptions>();
  Command command = study_command.add_command("work-precision", "Measure error against CPU time");
  options->request.declare_model(command).required(false);
  command.add_option("--scheme", options->schemes, "A scheme; may be repeated; by default rattle and spark(2) to (4)")
      .repeated();
  command
      .add_option("--paper", options->paper,
                  "wenger: figures 4 and 5 (the default without a model); man: the claim of higher precision in less "
                  "time than Lobatto IIIA-IIIB")
      .one_of({"wenger", "man"});
  command.add_option("--steps", options->steps, "Numbers of steps, two or more that ascend; by default 20 to 160")
      .delimiter(',');
  command.add_option("--until", options->until, "The end time; by default forty of the model's own steps");
  declare_precision(command, options->precision, "double (the default), long-double or quad");
  command.add_option("--repetitions", options->repetitions, "How often every run is timed; the least time counts")
      .range(1, 1000)
      .show_default();
  command.add_flag("--quick", options->quick, "--paper: fewer steps (wenger), m = 2 and 3 only (man)");
  options->baselines.declare(command);
  options->plot.declare(command);
  command.footer(
      "--paper man takes about a minute, with --quick some seconds; everything else takes seconds.\n"
      "Examples:\n"
      "  extremal study work-precision --paper wenger --plot work.svg\n"
      "  extremal study work-precision triple-pendulum --scheme rattle --scheme \"spark(3)\" --scheme \"kahan_li(6, "
      "rattle)\"\n"
      "  extremal study work-precision double-four-bar --baseline all --tolerances 1e-4,1e-6,1e-8,1e-10\n"
      "  extremal study work-precision --paper man --quick");
  command.callback([options, &exit_code] {
    if (options->request.model_name.empty() && options->paper.empty()) options->paper = "wenger";
    if (!options->request.model_name.empty() && !options->paper.empty())
      throw InputError("--paper " + options->paper + ": found the model " + options->request.model_name +
                       " too; expected one of them, as papers have their own models");
    if (options->paper == "man" && options->baselines.asked())
      throw InputError("--baseline: found --paper man, whose claim is of schemes; expected a model, or --paper wenger");
    options->plot.open();
    exit_code = followed([&](const Control& control) { return execute(*options, control); });
  });
}

}  // namespace extremal::cli
