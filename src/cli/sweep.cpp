// extremal sweep: many runs of one model, on all cores or on the ranks of mpirun, into one archive.
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <limits>
#include <thread>

#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "cli/stop.hpp"
#include "cli/sweep_job.hpp"
#include "cli/sweep_report.hpp"
#include "extremal/error.hpp"

namespace extremal::cli {
namespace {

struct Options {
  SweepRequest request;
  SweepJob job;
};

// docs/pendulums.toml goes to pendulums.nc, where the program runs.
std::string usual_archive(const std::string& file) { return std::filesystem::path(file).stem().string() + ".nc"; }

std::string sweep_line(std::uint64_t before, const SweepWriter& writer, std::uint64_t size, double seconds) {
  constexpr std::size_t width = 24;
  const auto done = writer.done();
  const std::size_t full = static_cast<std::size_t>(done * width / size);
  const double rate = static_cast<double>(done - before) / seconds;
  return fmt::format("[{}{}] {:3.0f} %  {} of {} runs{}  {:.3g} runs/s  {} left", std::string(full, '#'),
                     std::string(width - full, '.'),
                     std::floor(100.0 * static_cast<double>(done) / static_cast<double>(size)), done, size,
                     writer.failed() > 0 ? fmt::format(", {} failed", writer.failed()) : "", rate,
                     rate > 0 ? duration(static_cast<double>(size - done) / rate) : "?");
}

}  // namespace

void SweepJob::declare(CLI::App& command) {
  command.add_option("--threads", threads, "How many; by default as many as there are cores, or one on each rank")
      ->check(CLI::Range(1, 4096));
  command.add_flag("--json", json, "Print JSON");
}

int SweepJob::run(const SweepRequest::Read& what) const {
  using Clock = std::chrono::steady_clock;
  const std::uint64_t size = what.sweep->size();
  sweep::Work work{.sweep = what.sweep.get(), .blocks = {}, .threads = threads, .stop = &stop_requested(), .keep = {}};
  SweepWriter writer(archive, *what.sweep, what.origin);
  work.blocks = writer.missing();
  work.keep = [&](const sweep::BlockResult& result) { writer.keep(result); };
  const std::uint64_t before = writer.done();
  const bool bar = isatty(STDERR_FILENO) != 0;
  const auto begin = Clock::now();
  auto last = begin;
  bool visible = false;
  work.tick = [&] {
    const auto now = Clock::now();
    if (!bar || now - last < std::chrono::milliseconds(250)) return;
    last = now;
    visible = true;
    std::cerr << "\r" << sweep_line(before, writer, size, std::chrono::duration<double>(now - begin).count())
              << "\033[K" << std::flush;
  };
  if (work.threads == 0) work.threads = std::max(1U, std::thread::hardware_concurrency());
  if (!work.blocks.empty()) sweep::work_here(work);
  if (visible) std::cerr << "\r\033[K" << std::flush;
  writer.end();
  return report_sweep(archive, json, false);
}

void add_sweep(CLI::App& program, int& exit_code, const std::string& command_line) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      program.add_subcommand("sweep", "Many runs of one model, over parameters, starts, schemes or steps");
  SweepRequest& request = options->request;
  command->add_option("FILE", request.file, "A sweep file (docs/sweep.md)")->required();
  command->add_option("--scheme", request.options.scheme, "Instead of the file's");
  command->add_option("--step", request.options.step, "Instead of the file's");
  command->add_option("--until", request.options.until, "Instead of the file's");
  command->add_option("--precision", request.options.precision, "double, long-double or quad; kept as double")
      ->check(CLI::IsMember({"double", "long-double", "quad"}));
  command->add_option("--every", request.options.every, "Keep every so many steps of each run, instead of its end only")
      ->check(CLI::Range(1, std::numeric_limits<int>::max()));
  command->add_option("--archive", options->job.archive,
                      "The netCDF-4 file for the results; by default the name of the sweep file with .nc");
  options->job.declare(*command);
  command->footer(
      "Examples:\n"
      "  extremal sweep pendulums.toml\n"
      "  extremal sweep pendulums.toml --threads 2 --archive half.nc\n"
      "  mpirun -n 8 extremal sweep pendulums.toml\n"
      "  extremal show pendulums.nc\n"
      "The same command again, or extremal resume pendulums.nc, goes on with a sweep that was stopped. The numbers do\n"
      "not depend on threads, ranks and interruptions.\n"
      "Exit codes: 0 complete, whatever became of single runs; 1 none of them is complete; 2 bad input; 3 "
      "interrupted.");
  command->callback([options, command_line, &exit_code] {
    SweepRequest::Read what = options->request.read();
    what.origin.command = command_line;
    if (options->job.archive.empty()) options->job.archive = usual_archive(options->request.file);
    exit_code = options->job.run(what);
  });
}

}  // namespace extremal::cli
