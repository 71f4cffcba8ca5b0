#include "cli/request.hpp"

#include <algorithm>

#include "cli/kind.hpp"
#include "extremal/error.hpp"
#include "words/grammar.hpp"

namespace extremal::cli {
namespace {

struct Assignment {
  std::string where, name;
  Number value;
};

[[noreturn]] void refuse_name(const std::string& where, const std::string& what, const std::string& name,
                              const std::vector<std::string>& known, const std::string& more = "") {
  try {
    refuse_unknown(what, name, known);
  } catch (const Refusal& refusal) {
    throw InputError(where + ": " + refusal.reason + more);
  }
}

Assignment assignment(const std::string& option, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw InputError(option + " " + extremal::quoted(text) + ": found no NAME=VALUE; expected e.g. " + option +
                     (option == "--set" ? " g=9.81" : " x=0.6"));
  const std::string where = option + " " + text.substr(0, equals);
  return {where, text.substr(0, equals), number(where, text.substr(equals + 1))};
}

// The model with the parameters that --set changes. Those of its file are set before it is read: bodies and starts
// follow them.
Model changed(const std::string& name, const std::vector<Assignment>& changes) {
  const auto read = [&](const Settings& settings) {
    return is_file(name) ? read_model(name, settings) : extremal::model(name, settings);
  };
  Model model = read({});
  Settings of_file;
  std::vector<const Assignment*> of_system;
  for (const Assignment& a : changes) {
    const auto in_file = std::find_if(model.parameters.begin(), model.parameters.end(),
                                      [&](const auto& parameter) { return parameter.first == a.name; });
    std::vector<std::string> known = model.system.parameter_names();
    if (in_file != model.parameters.end()) {
      of_file.insert(of_file.begin(), {a.name, a.value});  // the last one counts
    } else if (std::find(known.begin(), known.end(), a.name) != known.end()) {
      of_system.push_back(&a);
    } else {
      for (const auto& [parameter, value] : model.parameters)
        if (std::find(known.begin(), known.end(), parameter) == known.end()) known.push_back(parameter);
      refuse_name("--set: " + model.system.name(), "parameter", a.name, known);
    }
  }
  if (!of_file.empty()) model = read(of_file);
  for (const Assignment* a : of_system) model.system = model.system.with(a->name, a->value);
  return model;
}

void start(Model& model, const Assignment& a) {
  Start& start = model.start;
  if (a.name == "t") {
    start.t = a.value;
    return;
  }
  const bool velocity = a.name.starts_with("v:"), momentum = a.name.starts_with("p:");
  const std::string coordinate = velocity || momentum ? a.name.substr(2) : a.name;
  const auto& known = model.system.coordinate_names();
  const auto found = std::find(known.begin(), known.end(), coordinate);
  if (found == known.end())
    refuse_name("--start: " + model.system.name(), "coordinate", coordinate, known, " (v: and p: of each, and t)");
  std::vector<Number>& values = velocity ? start.v : momentum ? start.p : start.q;
  values.resize(known.size());
  values[static_cast<std::size_t>(found - known.begin())] = a.value;
}

}  // namespace

bool is_file(const std::string& name) { return name.ends_with(".toml") || name.find('/') != std::string::npos; }

Settings parameters(const Model& model) {
  Settings all = model.parameters;
  const auto& names = model.system.parameter_names();
  for (std::size_t k = 0; k < names.size(); ++k)
    if (std::none_of(all.begin(), all.end(), [&](const auto& known) { return known.first == names[k]; }))
      all.emplace_back(names[k], model.system.parameters()[k]);
  return all;
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
                  "NAME=VALUE: a coordinate x, its velocity v:x or momentum p:x, or the time t; may be repeated. "
                  "Velocities or momenta that are not given keep the model's value, or are 0 if the model starts "
                  "with the other kind")
      .repeated();
  command.add_option("--tolerance", tolerance,
                     "Start positions that violate a constraint by up to this are moved onto it, others refused");
  command.add_flag("--json", json, "Print JSON");
  return option;
}

Scheme Request::scheme(const Model& model) const {
  if (!scheme_name.empty()) return Scheme::named(scheme_name);
  if (!model.scheme.empty()) return Scheme::named(model.scheme);
  return Scheme::named(model.system.has(Role::hamiltonian) ? "phase_space(2)" : "spark(3)");
}

Model Request::model() const {
  expect_model(model_name);
  std::vector<Assignment> parameters;
  for (const std::string& text : settings) parameters.push_back(assignment("--set", text));
  Model model = changed(model_name, parameters);

  std::vector<Assignment> changes;
  for (const std::string& text : starts) changes.push_back(assignment("--start", text));
  const auto uses = [&](std::string_view prefix) {
    return std::any_of(changes.begin(), changes.end(), [&](const auto& a) { return a.name.starts_with(prefix); });
  };
  if (uses("v:") && uses("p:")) throw InputError("--start: found velocities (v:) and momenta (p:); expected one kind");
  if (uses("v:")) model.start.p.clear();
  if (uses("p:")) model.start.v.clear();
  for (const Assignment& change : changes) start(model, change);
  if (!tolerance.empty()) model.start.tolerance = number("--tolerance", tolerance);
  return model;
}

}  // namespace extremal::cli
