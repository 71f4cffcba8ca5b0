// extremal run: one run of a model by a scheme, as a summary, as JSON, as a table of columns, as an archive.
#include <unistd.h>

#include <limits>
#include <optional>

#include "cli/archived_model.hpp"
#include "cli/command.hpp"
#include "cli/csv.hpp"
#include "cli/progress.hpp"
#include "cli/request.hpp"
#include "cli/run_report.hpp"
#include "cli/stop.hpp"
#include "extremal/archive.hpp"
#include "extremal/error.hpp"
#include "file/stable_steps.hpp"
#include "numbers/with_scalar.hpp"

namespace extremal::cli {
namespace {

struct RunOptions {
  Request request;
  std::string step, until, precision, multipliers, csv, archive, command;
  std::vector<std::string> at;
  int every = 0;  // the model's
  double flush = FlushPolicy().seconds;
  bool error_estimate = false;
};

std::string precision_of(const RunOptions& options, const Model& model) {
  if (!options.precision.empty()) return options.precision;
  return model.precision.empty() ? Scalar<double>::name : model.precision;
}

template <class S>
int run_at(const RunOptions& options, const Model& model, const Scheme& scheme) {
  // Places are tried before the run: a long one should not end with the news that its table has none.
  std::optional<CsvSink<S>> table;
  std::optional<ArchiveWriter<S>> archive;
  ProgressBar<S> bar;
  OrderlyEnd<S> orderly;
  Output<S> output{.sinks = {&orderly}, .observers = model.observers, .collect = false, .stop = &stop_flag()};
  const bool table_on_stdout = options.csv == "-";
  if (!options.csv.empty()) output.sinks.push_back(&table.emplace(options.csv));
  if (!options.archive.empty()) {
    output.sinks.push_back(&archive.emplace(
        options.archive,
        provenance_of(model, options.request.model_name, scheme, precision_of(options, model), options.command),
        FlushPolicy::every(options.flush)));
    leave_nothing(archive->journal());
  }
  if (isatty(STDERR_FILENO) != 0 && !(table_on_stdout && isatty(STDOUT_FILENO) != 0)) output.sinks.push_back(&bar);
  const auto begin = Clock::now();
  Run<S> run = extremal::run<S>(model.system, scheme, model.start, model.span, output);
  return report(run, model.system, model.observers, options.request.json, table_on_stdout, seconds_since(begin));
}

Number stable_step(const Model& model) {
  const quad span = model.span.until.as<quad>() - model.start.t.as<quad>();
  try {
    return Number::exactly(span / quad(stable_steps(model.mechanism.get(), span)));
  } catch (const InputError& error) {
    throw InputError("--step auto: " + model.system.name() + ": " + error.what());
  }
}

int execute(const RunOptions& options) {
  Model model = options.request.model();
  const Scheme scheme = options.request.scheme(model);
  if (!options.until.empty()) model.span.until = number("--until", options.until);
  if (options.step == "auto")
    model.span.step = stable_step(model);
  else if (!options.step.empty())
    model.span.step = number("--step", options.step);
  if (options.every > 0) model.span.every = options.every;
  if (!options.multipliers.empty())
    model.span.multipliers =
        options.multipliers == name(Multipliers::scheme) ? Multipliers::scheme : Multipliers::motion;
  model.span.error_estimate = options.error_estimate;
  for (const std::string& t : options.at) model.span.at.push_back(number("--at", t));
  if (options.request.json && options.csv == "-")
    throw InputError("--csv -: found --json too; expected one of them on standard output; try --csv FILE");
  return with_scalar(precision_of(options, model), [&]<class S>(S) { return run_at<S>(options, model, scheme); });
}

}  // namespace

void add_run(Command& program, int& exit_code, const std::string& command_line) {
  auto options = std::make_shared<RunOptions>();
  options->command = command_line;
  Command command = program.add_command("run", "Run a model by a scheme");
  options->request.declare(command);
  command.add_option("--step", options->step,
                     "The time step, by default the model's; auto: 0.8 of what is stable for rods");
  command.add_option("--until", options->until, "The end time, a whole number of steps away; by default the model's");
  command
      .add_option("--precision", options->precision, "double, long-double or quad; by default the model's, or double")
      .one_of({"double", "long-double", "quad"});
  command
      .add_option("--every", options->every, "Keep every so many steps in the table; by default as many as the model")
      .range(1, std::numeric_limits<int>::max());
  command.add_option("--at", options->at, "Times at which the motion is evaluated inside the steps (JSON: dense)");
  command
      .add_option("--multipliers", options->multipliers,
                  "motion: lambda and reactions as accurate as q, from the accelerations of the motion; scheme: the "
                  "scheme's own; by default the model's, or motion")
      .one_of({"motion", "scheme"});
  command.add_flag("--error-estimate", options->error_estimate,
                   "phase_space: the artificial forces of every step, an estimate of its error");
  command.add_option("--csv", options->csv, "Write the table of all columns to a file; - is standard output")
      .not_empty();
  command
      .add_option("--archive", options->archive,
                  "Write a netCDF-4 archive as the run goes; extremal resume goes on with it if the run is stopped")
      .not_empty();
  command.add_option("--flush", options->flush, "Seconds between two checkpoints of the archive").show_default();
  command.footer(
      "Examples:\n"
      "  extremal run pendulum --scheme rattle --step 0.05 --until 100\n"
      "  extremal run pendulum --set g=1.62 --start x=0 --start y=-1 --start v:x=2 --start v:y=0\n"
      "  extremal run elastic-ring --step auto --csv -\n"
      "  extremal run models/chain.toml --set n=100 --until 1\n"
      "  extremal run triple-pendulum --scheme \"spark(4)\" --precision quad --json\n"
      "  extremal run spherical-pendulum --every 10 --csv -\n"
      "  extremal run pendulum --until 1000 --every 100 --archive pendulum.nc\n"
      "Ctrl-C ends a run with the data so far and exit code 3.");
  command.callback([options, &exit_code] { exit_code = execute(*options); });
}

}  // namespace extremal::cli
