#include "cli/request.hpp"

#include <fmt/format.h>

#include <iostream>

#include "cli/kind.hpp"
#include "extremal/error.hpp"
#include "extremal/import.hpp"
#include "model/changes.hpp"
#include "run/keys.hpp"
#include "words/grammar.hpp"

namespace extremal::cli {
namespace {

Settings assignments(const std::string& option, const std::vector<std::string>& texts) {
  Settings all;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      throw InputError(fmt::format("{} {}: found no NAME=VALUE; expected e.g. {}", option, extremal::quoted(text),
                                   option + (option == "--set" ? " g=9.81" : " x=0.6")));
    const std::string name = text.substr(0, equals);
    all.emplace_back(name, number(fmt::format("{} {}", option, name), text.substr(equals + 1)));
  }
  return all;
}

}  // namespace

bool is_file(const std::string& name) {
  return name.ends_with(".toml") || is_robot_file(name) || name.find('/') != std::string::npos;
}

std::vector<std::string> symmetries(const System& system) {
  std::vector<std::string> names;
  for (const auto& term : system.terms())
    if (term->role == Role::symmetry) names.push_back(term->name);
  return names;
}

Number number(const std::string& option, const std::string& text) {
  try {
    return Number(text);
  } catch (const InputError& error) {
    throw InputError(option + ": " + error.what());
  }
}

void Request::declare(Command& command) {
  declare_model(command);
  command.add_option("--scheme", scheme_name,
                     "A scheme of `extremal list schemes`, or one in its grammar; by default the model's, or "
                     "spark(3), or phase_space(2) for a Hamiltonian");
}

Option Request::declare_model(Command& command) {
  Option option =
      command.add_option("MODEL", model_name, "A model of `extremal list models`, or a model file (docs/models.md)")
          .required();
  command.add_option("--set", settings, "NAME=VALUE: a parameter of the model; may be repeated").repeated();
  command
      .add_option("--start", starts,
                  "NAME=VALUE: a coordinate x, its velocity v:x, momentum p:x or position one step later next:x, or "
                  "the time t; "
                  "may be repeated. "
                  "Velocities or momenta that are not given keep the model's value, or are 0 if the model starts "
                  "with the other kind")
      .repeated();
  command.add_option("--slack", slack,
                     "Start positions that violate a constraint by up to this are moved onto it, others refused");
  command.add_flag("--json", json, "Print JSON");
  return option;
}

Scheme Request::scheme(const Model& model) const {
  return Scheme::named(usual_scheme(model.system, scheme_name.empty() ? model.scheme : scheme_name));
}

Model Request::model() const {
  expect_model(model_name);
  // What a robot's model has not is told once, and stands in the text of the model that archives keep.
  Imported robot;
  if (is_robot_file(model_name)) robot = import_robot(model_name);
  for (const std::string& note : robot.notes) std::cerr << "not in the model: " << note << "\n";
  const auto read = [&](const Settings& some) {
    if (!robot.text.empty()) return read_model_text(robot.text, model_name, some);
    return is_file(model_name) ? read_model(model_name, some) : extremal::model(model_name, some);
  };
  const Settings parameters = assignments("--set", settings), begin = assignments("--start", starts);
  Model model = with_parameters(read({}), read, parameters, "--set");
  place(model, begin, "--start");
  if (!slack.empty()) model.start.slack = number("--slack", slack);
  return model;
}

}  // namespace extremal::cli
