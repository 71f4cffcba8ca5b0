// extremal resume: goes on with an archive whose run or sweep was interrupted or killed, as if it had never stopped.
#include <unistd.h>

#include "archive/archived_model.hpp"
#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "cli/run_report.hpp"
#include "cli/stop.hpp"
#include "cli/sweep_job.hpp"
#include "extremal/archive.hpp"
#include "extremal/error.hpp"
#include "numbers/with_scalar.hpp"

namespace extremal::cli {
namespace {

struct ResumeOptions {
  std::string archive;
  double flush = FlushPolicy().seconds;
};

template <class S>
int resume_at(const ResumeOptions& options, bool json) {
  ArchiveWriter<S> writer = ArchiveWriter<S>::resume(options.archive, FlushPolicy::every(options.flush));
  // After the writer has locked it.
  const Archive archive = Archive::open(options.archive);
  const Checkpoint<S> checkpoint = archive.checkpoint<S>();
  const Case one = archived_case(archive.provenance());
  ProgressBar<S> bar;
  OrderlyEnd<S> orderly;
  Output<S> output{.sinks = {&orderly, &writer}, .collect = false, .stop = &stop_flag()};
  if (!checkpoint.numbers.empty()) output.from = &checkpoint;  // otherwise it was killed before the first
  if (isatty(STDERR_FILENO) != 0) output.sinks.push_back(&bar);
  const auto begin = Clock::now();
  Run<S> run = extremal::run<S>(one, output);
  run.notes.insert(run.notes.end(), writer.notes().begin(), writer.notes().end());
  return report(run, one.model.system, one.model.observers, json, false, seconds_since(begin));
}

int execute(const ResumeOptions& options, bool json) {
  const std::string precision = Archive::open(options.archive).attribute("precision");
  return with_scalar(precision, [&]<class S>(S) { return resume_at<S>(options, json); });
}

}  // namespace

void add_resume(Command& program, Invocation& invocation) {
  auto options = std::make_shared<ResumeOptions>();
  Command command = program.add_command("resume", "Go on with a run or a sweep that was interrupted or killed");
  command.add_option("ARCHIVE", options->archive, "What extremal run --archive or extremal sweep wrote").required();
  command.add_option("--flush", options->flush, "Seconds between two checkpoints of the archive").show_default();
  auto job = std::make_shared<SweepJob>();
  job->declare(command);
  command.footer(
      "Example:\n"
      "  extremal run pendulum --until 100000 --every 100 --archive pendulum.nc      and Ctrl-C\n"
      "  extremal resume pendulum.nc\n"
      "The archive ends with the same bits as if the run had never stopped.");
  command.callback([options, job, &invocation] {
    if (SweepArchive::is(options->archive)) {
      job->archive = options->archive;
      invocation.exit_code = job->run([&] { return archived_sweep(SweepArchive::open(options->archive)); });
      return;
    }
    invocation.exit_code = execute(*options, job->json);
  });
}

}  // namespace extremal::cli
