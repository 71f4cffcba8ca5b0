#include "cli/request.hpp"

#include <algorithm>

#include "extremal/error.hpp"
#include "scheme/grammar.hpp"

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

void set(Model& model, const Assignment& a) {
  const auto& known = model.system.parameter_names();
  if (std::find(known.begin(), known.end(), a.name) == known.end())
    refuse_name("--set: " + model.system.name(), "parameter", a.name, known);
  model.system = model.system.with(a.name, a.value);
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

Number number(const std::string& option, const std::string& text) {
  try {
    return Number(text);
  } catch (const InputError& error) {
    throw InputError(option + ": " + error.what());
  }
}

void Request::declare(CLI::App& command) {
  command.add_option("MODEL", model_name, "A model of `extremal list models`")->required();
  command.add_option("--scheme", scheme_name,
                     "A scheme of `extremal list schemes`, or one in its grammar; the model's own if there is none");
  command.add_option("--set", settings, "NAME=VALUE: a parameter of the model; may be repeated")
      ->expected(1)
      ->take_all();
  command
      .add_option("--start", starts,
                  "NAME=VALUE: a coordinate x, its velocity v:x or momentum p:x, or the time t; may be repeated. "
                  "Velocities or momenta that are not given keep the model's value, or are 0 if the model starts "
                  "with the other kind")
      ->expected(1)
      ->take_all();
  command.add_option("--tolerance", tolerance,
                     "Start positions that violate a constraint by up to this are moved onto it, others refused");
  command.add_flag("--json", json, "Print JSON");
}

Model Request::model() const {
  Model model = extremal::model(model_name);
  for (const std::string& text : settings) set(model, assignment("--set", text));

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
