// extremal resume: goes on with an archive whose run was interrupted or killed, as if it had never stopped.
#include <unistd.h>

#include "cli/archived_model.hpp"
#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "cli/run_report.hpp"
#include "cli/stop.hpp"
#include "extremal/archive.hpp"
#include "extremal/error.hpp"

namespace extremal::cli {
namespace {

struct Options {
  std::string archive;
  double flush = FlushPolicy().seconds;
  bool json = false;
};

template <class S>
int resume_at(const Options& options) {
  ArchiveWriter<S> writer = ArchiveWriter<S>::resume(options.archive, FlushPolicy::every(options.flush));
  // After the writer has locked it.
  const Archive archive = Archive::open(options.archive);
  const Provenance provenance = archive.provenance();
  const Checkpoint<S> checkpoint = archive.checkpoint<S>();
  const Model model = archived_model(provenance);
  ProgressBar<S> bar;
  Output<S> output{.sinks = {&writer}, .observers = model.observers, .collect = false, .stop = &stop_requested()};
  if (!checkpoint.numbers.empty()) output.from = &checkpoint;  // otherwise it was killed before the first
  if (isatty(STDERR_FILENO) != 0) output.sinks.push_back(&bar);
  Run<S> run =
      extremal::run<S>(model.system, Scheme::named(provenance.scheme), provenance.start, provenance.span, output);
  return report(run, model.system, model.observers, options.json, false);
}

int execute(const Options& options) {
  const std::string precision = Archive::open(options.archive).attribute("precision");
  if (precision == Scalar<quad>::name) return resume_at<quad>(options);
  if (precision == Scalar<long double>::name) return resume_at<long double>(options);
  return resume_at<double>(options);
}

}  // namespace

void add_resume(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand("resume", "Go on with a run that was interrupted or killed");
  command->add_option("ARCHIVE", options->archive, "What extremal run --archive wrote")->required();
  command->add_option("--flush", options->flush, "Seconds between two checkpoints of the archive")
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print JSON");
  command->footer(
      "Example:\n"
      "  extremal run pendulum --until 100000 --every 100 --archive pendulum.nc      and Ctrl-C\n"
      "  extremal resume pendulum.nc\n"
      "The archive ends with the same bits as if the run had never stopped.");
  command->callback([options, &exit_code] { exit_code = execute(*options); });
}

}  // namespace extremal::cli
