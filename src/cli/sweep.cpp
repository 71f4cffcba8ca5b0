// extremal sweep: many runs of one model, on all cores or on the ranks of mpirun, into one archive.
#include <filesystem>

#include "cli/command.hpp"
#include "cli/sweep_job.hpp"

namespace extremal::cli {
namespace {

struct SweepOptions {
  SweepRequest request;
  SweepJob job;
};

// docs/pendulums.toml goes to pendulums.nc, where the program runs.
std::string usual_archive(const std::string& file) { return std::filesystem::path(file).stem().string() + ".nc"; }

}  // namespace

void add_sweep(Command& program, Invocation& invocation) {
  auto options = std::make_shared<SweepOptions>();
  Command command = program.add_command("sweep", "Many runs of one model, over parameters, starts, schemes or steps");
  SweepRequest& request = options->request;
  command.add_option("FILE", request.file, "A sweep file (docs/sweep.md)").required();
  request.keys.declare(command, true);
  command
      .add_option("--archive", options->job.archive,
                  "The netCDF-4 file for the results; by default the name of the sweep file with .nc")
      .not_empty();
  options->job.declare(command);
  command.footer(
      "Examples:\n"
      "  extremal sweep pendulums.toml\n"
      "  extremal sweep pendulums.toml --threads 2 --archive half.nc\n"
      "  mpirun -n 8 extremal sweep pendulums.toml\n"
      "  extremal show pendulums.nc\n"
      "The same command again, or extremal resume pendulums.nc, goes on with a sweep that was stopped. The numbers do\n"
      "not depend on threads, ranks and interruptions.\n"
      "Exit codes: 0 complete, whatever became of single runs; 1 none of them is complete; 2 bad input; 3 "
      "interrupted.");
  command.callback([options, &invocation] {
    if (options->job.archive.empty()) options->job.archive = usual_archive(options->request.file);
    invocation.exit_code = options->job.run([&] {
      SweepRequest::Read what = options->request.read();
      what.origin.command = invocation.line;
      return what;
    });
  });
}

}  // namespace extremal::cli
