// extremal check: the certificate of a scheme on a model (check.hpp).
#include "extremal/check.hpp"

#include <iostream>
#include <string>

#include "cli/check_step.hpp"
#include "cli/command.hpp"
#include "cli/request.hpp"
#include "cli/study.hpp"
#include "extremal/error.hpp"
#include "extremal/pace.hpp"
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
                    {"holds", law.holds},
                    {"measurable", law.measurable}});
  return {{"model", certificate.model},
          {"scheme", certificate.scheme},
          {"precision", certificate.precision},
          {"laws", std::move(laws)},
          {"notes", certificate.notes}};
}

// What is checked of a paced run is its system in fictitious time.
Model paced_model(Model model, const std::string& said) {
  const std::string pace = said.empty() ? name(model.span.pace) : said;
  if (pace == name(Pace::reversible))
    throw InputError(
        "check: found the reversible pace, whose steps are of another length wherever they start: a scheme's laws are "
        "not "
        "theirs; try --pace symplectic, or --pace none for the scheme itself");
  if (pace != name(Pace::symplectic)) return model;
  Paced paced = extremal::paced(model.system, model.span.rate, model.start);
  model.system = std::move(paced.system);
  model.start = std::move(paced.start);
  return model;
}

}  // namespace

void add_check(Command& program, Invocation& invocation) {
  struct Options {
    Request request;
    std::string step, pace;
  };
  auto options = std::make_shared<Options>();
  Command command = program.add_command("check", "Measure whether a scheme keeps its word on a model");
  options->request.declare(command);
  command.add_option("--step", options->step,
                     "The coarsest step; laws halve it as they need (default 0.1, or five of the model's own steps if "
                     "that is less, one of a rod's)");
  command
      .add_option(
          "--pace", options->pace,
          "symplectic: the laws of the system in fictitious time, by the rate of [time] or one of the energies; "
          "by default the model's")
      .one_of({name(Pace::none), name(Pace::symplectic)});
  command.footer(
      "Exit code 0 if no declared law fails, 1 if one does. A law that is not measurable at this step neither holds "
      "nor\n"
      "fails. Long runs take the model's own steps, or those of --step, at most 2000 of them, and fewer of systems "
      "with\n"
      "more than 125 coordinates.\n"
      "Example:\n  extremal check double-pendulum-3d --scheme rattle --step 0.05");
  command.callback([options, &invocation] {
    const Request& request = options->request;
    const Model model = paced_model(request.model(), options->pace);
    CheckOptions how = check_options(model);
    if (!options->step.empty()) {
      how.step = number("--step", options->step);
      how.long_step = 0;  // the same
    }
    invocation.exit_code = followed([&](const Control& control) {
      how.control = control;
      const Certificate certificate = check(model.system, request.scheme(model), model.start, how);
      std::cout << (request.json ? as_json(certificate).dump(2) + "\n" : certificate.text());
      return certificate.holds() ? complete : failed;
    });
  });
}

}  // namespace extremal::cli
