// extremal check: the certificate of a scheme on a model (check.hpp).
#include "extremal/check.hpp"

#include <iostream>

#include "cli/check_step.hpp"
#include "cli/command.hpp"
#include "cli/request.hpp"
#include "words/json.hpp"

namespace extremal::cli {
namespace {

Json as_json(const Certificate& certificate) {
  Json laws = Json::array();
  for (const Law& law : certificate.laws)
    laws.push_back({{"name", law.name},
                    {"declared", law.declared},
                    {"measured", law.measured},
                    {"defect", law.defect},
                    {"floor", law.floor},
                    {"holds", law.holds}});
  return {{"model", certificate.model},
          {"scheme", certificate.scheme},
          {"precision", certificate.precision},
          {"laws", std::move(laws)}};
}

}  // namespace

void add_check(Command& program, int& exit_code) {
  struct Options {
    Request request;
    std::string step;
  };
  auto options = std::make_shared<Options>();
  Command command = program.add_command("check", "Measure whether a scheme keeps its word on a model");
  options->request.declare(command);
  command.add_option("--step", options->step,
                     "The coarsest step; laws halve it as they need (default 0.1, or five of the model's own steps if "
                     "that is less, one of a rod's)");
  command.footer(
      "Exit code 0 if every declared law holds, 1 if not.\n"
      "Example:\n  extremal check double-pendulum-3d --scheme rattle --step 0.05");
  command.callback([options, &exit_code] {
    const Request& request = options->request;
    const Model model = request.model();
    CheckOptions how = check_options(model);
    if (!options->step.empty()) how.step = number("--step", options->step);
    const Certificate certificate = check(model.system, request.scheme(model), model.start, how);
    std::cout << (request.json ? as_json(certificate).dump(2) : certificate.text());
    if (request.json || !certificate.text().ends_with('\n')) std::cout << "\n";
    exit_code = certificate.holds() ? complete : failed;
  });
}

}  // namespace extremal::cli
