// extremal run: one run of a model by a scheme, as a summary, as JSON, as a table of columns.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/request.hpp"
#include "extremal/error.hpp"

namespace extremal::cli {
namespace {

using json = nlohmann::ordered_json;

struct Options {
  Request request;
  std::string step, until, precision, csv;
  std::vector<std::string> at;
  int every = 0;  // 0: the model's
  bool error_estimate = false;
};

// A double is a JSON number; more digits than a reader of JSON keeps are text. What is not finite is null.
json value(double x) { return math::finite(x) ? json(x) : json(nullptr); }
json value(long double x) { return math::finite(x) ? json(to_text(x)) : json(nullptr); }
json value(quad x) { return math::finite(x) ? json(to_text(x)) : json(nullptr); }

template <class S>
json last(const Run<S>& run, const std::string& name) {
  for (const Column<S>& column : run.columns)
    if (column.name == name && !column.values.empty()) return value(column.values.back());
  return nullptr;
}

template <class S>
json last(const Run<S>& run, const std::vector<std::string>& names, const std::string& prefix) {
  json all = json::object();
  for (const std::string& name : names) all[name] = last(run, prefix + name);
  return all;
}

template <class S>
S largest(const Run<S>& run, const std::string& name) {
  S most(0);
  for (const S& x : run.column(name)) most = math::max(most, math::abs(x));
  return most;
}

// The largest artificial forces of all output steps [Muehlebach2016].
template <class S>
json estimate(const Run<S>& run) {
  json all = json::object();
  for (const char* name : {"force", "velocity", "impulse", "jump"})
    all[name] = value(largest(run, std::string("error:") + name));
  for (const char* name : {"balance", "gap"}) all[name] = value(largest(run, name));
  return all;
}

template <class S>
json as_json(const Run<S>& run, const Model& model, bool error_estimate) {
  const System& system = model.system;
  json dense = json::object();
  for (const Column<S>& column : run.dense) {
    json values = json::array();
    for (const S& x : column.values) values.push_back(value(x));
    dense[column.name] = values;
  }
  json momenta = json::object();
  for (const Column<S>& column : run.momentum_error)
    momenta[column.name] = column.values.empty() ? json(nullptr) : value(column.values.front());
  json out = {
      {"model", run.model},
      {"scheme", run.scheme},
      {"step", value(run.step.template as<S>())},
      {"precision", run.precision},
      {"version", run.version},
      {"status", run.status == Status::complete ? "complete" : "failed"},
      {"reason", run.reason},
      {"steps", run.steps},
      {"newton", {{"mean", run.newton_mean}, {"max", run.newton_max}}},
      {"fallbacks", run.fallbacks},
      {"retries", run.retries},
      {"final",
       {{"t", last(run, "t")},
        {"q", last(run, system.coordinate_names(), "")},
        {"v", last(run, system.coordinate_names(), "v:")},
        {"p", last(run, system.coordinate_names(), "p:")},
        {"lambda", last(run, system.constraint_names(), "lambda:")}}},
      {"energy",
       {{"initial", value(run.energy_initial)},
        {"max_error", value(run.energy_max_error)},
        {"drift_slope", value(run.drift.slope)},
        {"drift_slope_error", value(run.drift.slope_error)}}},
      {"constraint_max", value(run.constraint_max)},
      {"hidden_max", value(run.hidden_max)},
      {"momenta", momenta},
      {"notes", run.notes},
  };
  if (!run.dense.empty()) out["dense"] = dense;
  if (!model.observers.empty()) {
    json observed = json::object();
    for (const Observer& observer : model.observers) observed[observer.name] = last(run, observer.name);
    out["final"]["observed"] = observed;
  }
  if (error_estimate) out["error_estimate"] = estimate(run);
  return out;
}

// The end of the motion, short enough to read; --json and --csv have all of it.
template <class S>
std::string final_line(const Run<S>& run, const Model& model) {
  constexpr std::size_t most = 6;
  std::string line;
  const auto& names = model.system.coordinate_names();
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
    line +=
        fmt::format("{}{} = {:.10g}", i > 0 ? ", " : "", names[i], static_cast<double>(run.column(names[i]).back()));
  if (names.size() > most) line += fmt::format(", and {} more (--json)", names.size() - most);
  line = fmt::format("  at t = {:<7.6g} {}\n", static_cast<double>(run.column("t").back()), line);
  for (const Observer& observer : model.observers)
    line += fmt::format("  {:<12} {:.10g}\n", observer.name, static_cast<double>(run.column(observer.name).back()));
  return line;
}

template <class S>
void write_csv(const Run<S>& run, std::ostream& out) {
  const char* separator = "";
  for (const Column<S>& column : run.columns) out << std::exchange(separator, ",") << column.name;
  out << "\n";
  const std::size_t count = run.columns.empty() ? 0 : run.columns.front().values.size();
  for (std::size_t row = 0; row < count; ++row) {
    separator = "";
    for (const Column<S>& column : run.columns) out << std::exchange(separator, ",") << to_text(column.values[row]);
    out << "\n";
  }
}

template <class S>
int run_at(const Options& options, const Model& model, const Scheme& scheme) {
  // Before the run: a long one should not end with the news that its table has no place.
  std::ofstream file;
  if (!options.csv.empty() && options.csv != "-") {
    file.open(options.csv);
    if (!file)
      throw InputError("--csv " + options.csv + ": cannot be written; expected a file in a folder that exists");
  }
  Run<S> run = extremal::run<S>(model.system, scheme, model.start, model.span);
  // What the model file observes is written like the other columns.
  for (Column<S>& column : observe(model, run)) run.columns.push_back(std::move(column));
  // A start that had to be changed is another start than the user asked for.
  if (std::max(run.consistency.position, run.consistency.momentum) > 1e-9)
    run.notes.push_back(
        fmt::format("the start was moved onto the constraints: q by at most {:.2g}, p by at most {:.2g}",
                    run.consistency.position, run.consistency.momentum));
  const bool table_only = options.csv == "-";
  if (table_only) write_csv(run, std::cout);
  if (file.is_open()) {
    write_csv(run, file);
    file.close();
    if (!file) throw InputError("--csv " + options.csv + ": could not be written to the end; expected room for it");
  }
  if (options.request.json)
    std::cout << as_json(run, model, options.error_estimate).dump(2) << "\n";
  else
    (table_only ? std::cerr : std::cout) << run.summary() << "\n" << final_line(run, model);
  if (options.error_estimate && !options.request.json)
    (table_only ? std::cerr : std::cout) << fmt::format(
        "  estimate     force {:.2g}, velocity {:.2g}, impulse {:.2g}, jump {:.2g} at most; energy balance {:.2g}\n",
        static_cast<double>(largest(run, "error:force")), static_cast<double>(largest(run, "error:velocity")),
        static_cast<double>(largest(run, "error:impulse")), static_cast<double>(largest(run, "error:jump")),
        static_cast<double>(largest(run, "balance")));
  return run.status == Status::complete ? complete : failed;
}

int execute(const Options& options) {
  Model model = options.request.model();
  const Scheme scheme = options.request.scheme(model);
  if (!options.step.empty()) model.span.step = number("--step", options.step);
  if (!options.until.empty()) model.span.until = number("--until", options.until);
  if (options.every > 0) model.span.every = options.every;
  model.span.error_estimate = options.error_estimate;
  for (const std::string& t : options.at) model.span.at.push_back(number("--at", t));
  if (options.request.json && options.csv == "-")
    throw InputError("--csv -: found --json too; expected one of them on standard output; try --csv FILE");
  const std::string& precision = options.precision.empty() ? model.precision : options.precision;
  if (precision == "quad") return run_at<quad>(options, model, scheme);
  if (precision == "long-double") return run_at<long double>(options, model, scheme);
  return run_at<double>(options, model, scheme);
}

}  // namespace

void add_run(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand("run", "Run a model by a scheme");
  options->request.declare(*command);
  command->add_option("--step", options->step, "The time step; by default the model's");
  command->add_option("--until", options->until, "The end time, a whole number of steps away; by default the model's");
  command
      ->add_option("--precision", options->precision,
                   "double, long-double or quad; by default the model file's, or double")
      ->check(CLI::IsMember({"double", "long-double", "quad"}));
  command
      ->add_option("--every", options->every,
                   "Keep every so many steps in the table; by default the model file's, or 1")
      ->check(CLI::Range(1, std::numeric_limits<int>::max()));
  command->add_option("--at", options->at, "Times at which the motion is evaluated inside the steps (JSON: dense)");
  command->add_flag("--error-estimate", options->error_estimate,
                    "phase_space: the artificial forces of every step, an estimate of its error");
  command->add_option("--csv", options->csv, "Write the table of all columns to a file; - is standard output");
  command->footer(
      "Examples:\n"
      "  extremal run pendulum --scheme rattle --step 0.05 --until 100\n"
      "  extremal run pendulum --set g=1.62 --start x=0 --start y=-1 --start v:x=2 --start v:y=0\n"
      "  extremal run triple-pendulum --scheme \"spark(4)\" --precision quad --json\n"
      "  extremal run spherical-pendulum --every 10 --csv -\n"
      "  extremal run models/chain.toml --set n=100 --until 1");
  command->callback([options, &exit_code] { exit_code = execute(*options); });
}

}  // namespace extremal::cli
