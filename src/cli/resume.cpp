// extremal resume: goes on with an archive whose run was interrupted or killed, as if it had never stopped.
#include <unistd.h>

#include <algorithm>
#include <tuple>

#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "cli/run_report.hpp"
#include "cli/stop.hpp"
#include "extremal/archive.hpp"
#include "extremal/error.hpp"
#include "extremal/models.hpp"

namespace extremal::cli {
namespace {

struct Options {
  std::string archive;
  double flush = FlushPolicy().seconds;
  bool json = false;
};

// The model with the parameters that it had. Parameters that are computed from others are left to be so, as far as that
// gives their value: set, they would be rounded before they are used and not after.
Model model_of(const Provenance& provenance) {
  Settings settings;
  const auto read = [&] {
    return provenance.model_text.empty() ? model(provenance.model, settings)
                                         : read_model_text(provenance.model_text, provenance.model, settings);
  };
  Model found = read();
  for (const bool free : {true, false}) {
    const auto& own = found.system.parameter_names();
    for (std::size_t i = 0; i < provenance.parameters.size(); ++i) {
      const auto& [name, value] = std::tie(provenance.parameter_names[i], provenance.parameters[i]);
      const bool of_system = std::find(own.begin(), own.end(), name) != own.end();
      const auto known = std::find_if(found.parameters.begin(), found.parameters.end(),
                                      [&name = name](const auto& parameter) { return parameter.first == name; });
      if (known != found.parameters.end() && known->second.as<quad>() != value.as<quad>() && (of_system || !free))
        settings.emplace_back(name, value);
    }
    found = read();
  }
  for (std::size_t i = 0; i < provenance.parameters.size(); ++i) {
    const std::string& name = provenance.parameter_names[i];
    if (std::none_of(found.parameters.begin(), found.parameters.end(),
                     [&](const auto& parameter) { return parameter.first == name; }))
      found.system = found.system.with(name, provenance.parameters[i]);
  }
  return found;
}

template <class S>
int resume_at(const Options& options) {
  ArchiveWriter<S> writer = ArchiveWriter<S>::resume(options.archive, FlushPolicy::every(options.flush));
  // After the writer has locked it.
  const Archive archive = Archive::open(options.archive);
  const Provenance provenance = archive.provenance();
  const Checkpoint<S> checkpoint = archive.checkpoint<S>();
  const Model model = model_of(provenance);
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
