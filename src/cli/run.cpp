// extremal run: one run of a model by a scheme, as a summary, as JSON, as a table of columns, as an archive.
#include <unistd.h>

#include <iostream>
#include <optional>

#include "archive/archived_model.hpp"
#include "cli/command.hpp"
#include "cli/csv.hpp"
#include "cli/draw.hpp"
#include "cli/progress.hpp"
#include "cli/request.hpp"
#include "cli/run_options.hpp"
#include "cli/run_report.hpp"
#include "cli/stop.hpp"
#include "extremal/archive.hpp"
#include "extremal/case.hpp"
#include "extremal/error.hpp"
#include "file/stable_steps.hpp"
#include "numbers/with_scalar.hpp"
#include "words/json.hpp"

namespace extremal::cli {
namespace {

struct RunOptions {
  Request request;
  RunKeyOptions keys;
  std::string csv, archive, command;
  PlotFile plot;
  std::vector<std::string> draw;
  double flush = FlushPolicy().seconds;
};

template <class S>
int run_at(RunOptions& options, const Case& one) {
  // Places are tried before the run: a long one should not end with the news that its table has none.
  std::optional<CsvSink<S>> table;
  std::optional<ArchiveWriter<S>> archive;
  std::optional<DrawSink<S>> picture;
  ProgressBar<S> bar;
  OrderlyEnd<S> orderly;
  Output<S> output{.sinks = {&orderly}, .collect = false, .stop = &stop_flag()};
  const bool table_on_stdout = options.csv == "-";
  if (!options.csv.empty()) output.sinks.push_back(&table.emplace(options.csv));
  if (options.plot.wanted()) output.sinks.push_back(&picture.emplace(options.draw, options.plot));
  if (!options.archive.empty()) {
    output.sinks.push_back(&archive.emplace(options.archive,
                                            provenance_of(one, options.request.model_name, options.command),
                                            FlushPolicy::every(options.flush)));
    leave_nothing(archive->journal());
  }
  if (isatty(STDERR_FILENO) != 0 && !(table_on_stdout && isatty(STDOUT_FILENO) != 0)) output.sinks.push_back(&bar);
  const auto begin = Clock::now();
  try {
    Run<S> run = extremal::run<S>(one, output);
    return report(run, one.model.system, one.model.observers, options.request.json, table_on_stdout,
                  seconds_since(begin));
  } catch (const AccuracyRefused& refused) {
    bar.clear();
    if (options.request.json)
      std::cout << Json{{"model", one.model.system.name()},
                        {"status", "refused"},
                        {"reason", refused.what()},
                        {"accuracy", Json::parse(refused.tried.json())}}
                       .dump(2)
                << "\n";
    else
      std::cerr << refused.tried.text() << "\n";
    throw;
  }
}

Number stable_step(const Model& model) {
  const quad span = model.span.until.as<quad>() - model.start.t.as<quad>();
  try {
    return Number::exactly(span / quad(stable_steps(model.mechanism.get(), span)));
  } catch (const InputError& error) {
    throw InputError("--step auto: " + model.system.name() + ": " + error.what());
  }
}

int execute(RunOptions& options) {
  options.plot.open();
  if (!options.draw.empty() && !options.plot.wanted())
    throw InputError("--draw: found no --plot; expected the file that is drawn; e.g. --plot motion.svg");
  if (options.draw.empty()) options.draw = {"energy"};
  RunTexts said = options.keys.said();
  Model model = options.request.model();
  if (said.contains("step") && said.contains("accuracy"))
    throw InputError("--accuracy: found --step too; expected one of them, as trials choose the step");
  const bool stable = said.contains("step") && said["step"] == "auto";
  if (stable) said.erase("step");
  take(said, {model.scheme, model.span, model.precision});
  if (stable) model.span.step = stable_step(model);
  if (options.request.json && options.csv == "-")
    throw InputError("--csv -: found --json too; expected one of them on standard output; try --csv FILE");
  const Case one = make_case(std::move(model));
  return with_scalar(one.precision, [&]<class S>(S) { return run_at<S>(options, one); });
}

}  // namespace

void add_run(Command& program, Invocation& invocation) {
  auto options = std::make_shared<RunOptions>();
  options->command = invocation.line;
  Command command = program.add_command("run", "Run a model by a scheme");
  options->request.declare_model(command);
  options->keys.declare(command, false);
  command.add_option("--csv", options->csv, "Write the table of all columns to a file; - is standard output")
      .not_empty();
  command
      .add_option("--archive", options->archive,
                  "Write a netCDF-4 archive as the run goes; extremal resume goes on with it if the run is stopped")
      .not_empty();
  options->plot.declare(command);
  command.add_option(
      "--draw", options->draw,
      "Columns that the plot has, a panel each; with * at the end all that begin so, with increment: before it the "
      "differences of successive rows; by default energy");
  command.add_option("--flush", options->flush, "Seconds between two checkpoints of the archive").show_default();
  command.footer(
      "Examples:\n"
      "  extremal run pendulum --scheme rattle --step 0.05 --until 100\n"
      "  extremal run pendulum --set g=1.62 --start x=0 --start y=-1 --start v:x=2 --start v:y=0\n"
      "  extremal run elastic-ring --step auto --csv -\n"
      "  extremal run spring-pendulum --accuracy 1e-9\n"
      "  extremal run models/chain.toml --set n=100 --until 1\n"
      "  extremal run triple-pendulum --scheme \"spark(4)\" --precision quad --json\n"
      "  extremal run spherical-pendulum --every 10 --csv -\n"
      "  extremal run top --scheme \"ggl(projection=off)\" --extra-columns hidden --draw \"hidden:*\" --plot "
      "hidden.svg\n"
      "  extremal run pendulum --until 1000 --every 100 --archive pendulum.nc\n"
      "Ctrl-C ends a run with the data so far and exit code 3.");
  command.callback([options, &invocation] { invocation.exit_code = execute(*options); });
}

}  // namespace extremal::cli
