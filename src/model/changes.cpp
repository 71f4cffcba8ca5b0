#include "model/changes.hpp"

#include <algorithm>
#include <map>

#include "extremal/case.hpp"
#include "extremal/error.hpp"
#include "run/keys.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Model named_model(const std::string& name, const std::string& text, const Settings& settings) {
  return text.empty() ? model(name, settings) : read_model_text(text, name, settings);
}

std::vector<std::string> parameter_names(const Model& model) {
  std::vector<std::string> all = model.system.parameter_names();
  for (const auto& [name, value] : model.parameters)
    if (!contains(all, name)) all.push_back(name);
  return all;
}

Settings parameters(const Model& model) {
  Settings all = model.parameters;
  const auto& names = model.system.parameter_names();
  for (std::size_t k = 0; k < names.size(); ++k)
    if (std::none_of(all.begin(), all.end(), [&](const auto& known) { return known.first == names[k]; }))
      all.emplace_back(names[k], model.system.parameters()[k]);
  return all;
}

Model with_parameters(Model model, const std::function<Model(const Settings&)>& read, const Settings& set,
                      const std::string& where) {
  const auto of_file = [&](const std::string& name) {
    return std::any_of(model.parameters.begin(), model.parameters.end(),
                       [&](const auto& known) { return known.first == name; });
  };
  Settings first, second;
  for (const auto& [name, value] : set) {
    if (of_file(name))
      first.insert(first.begin(), {name, value});
    else if (contains(model.system.parameter_names(), name))
      second.emplace_back(name, value);
    else
      throw InputError(where + ": " + model.system.name() + ": " + unknown("parameter", name, parameter_names(model)));
  }
  if (!first.empty()) model = read(first);
  for (const auto& [name, value] : second) model.system = model.system.with(name, value);
  return model;
}

std::optional<StartPlace> find_start(const System& system, const std::string& name) {
  using Kind = StartPlace::Kind;
  const bool velocity = name.starts_with("v:"), momentum = name.starts_with("p:");
  const std::string coordinate = velocity || momentum ? name.substr(2) : name;
  const auto& known = system.coordinate_names();
  const auto found = std::find(known.begin(), known.end(), coordinate);
  if (found != known.end())
    return StartPlace{velocity   ? Kind::velocity
                      : momentum ? Kind::momentum
                                 : Kind::position,
                      static_cast<std::size_t>(found - known.begin())};
  if (name == "t") return StartPlace{Kind::t, 0};
  return {};
}

void place(Start& start, const StartPlace& where, const Number& value, std::size_t coordinates) {
  using Kind = StartPlace::Kind;
  if (where.kind == Kind::t) {
    start.t = value;
    return;
  }
  if (where.kind == Kind::velocity) start.p.clear();
  if (where.kind == Kind::momentum) start.v.clear();
  std::vector<Number>& list = where.kind == Kind::velocity ? start.v : where.kind == Kind::momentum ? start.p : start.q;
  list.resize(coordinates);
  list[where.index] = value;
}

void place(Model& model, const Settings& start, const std::string& where) {
  const auto& known = model.system.coordinate_names();
  bool velocities = false, momenta = false;
  for (const auto& [name, value] : start) {
    const auto found = find_start(model.system, name);
    if (!found) {
      const bool prefixed = name.starts_with("v:") || name.starts_with("p:");
      throw InputError(where + ": " + model.system.name() + ": " +
                       unknown("coordinate", prefixed ? name.substr(2) : name, known) + " (v: and p: of each, and t)");
    }
    velocities = velocities || found->kind == StartPlace::Kind::velocity;
    momenta = momenta || found->kind == StartPlace::Kind::momentum;
    place(model.start, *found, value, known.size());
  }
  if (velocities && momenta) throw InputError(where + ": found velocities (v:) and momenta (p:); expected one kind");
}

Case make_case(Model model) {
  Scheme scheme = Scheme::named(usual_scheme(model.system, model.scheme));
  std::string precision = usual_precision(model.precision);
  return {std::move(model), std::move(scheme), std::move(precision)};
}

Case make_case(std::string_view name, const Changes& changes) {
  const auto read = [&](const Settings& settings) { return model(name, settings); };
  Model changed = with_parameters(read({}), read, changes.set, "set");
  place(changed, changes.start, "start");
  std::map<std::string, std::string> said;
  for (const auto& [key, text] : changes.run) {
    said[key] = text;
    std::vector<std::string> known;
    for (const RunKey& one : run_keys()) known.emplace_back(one.name);
    if (!contains(known, key)) throw InputError("run: " + unknown("key of [run]", key, known));
  }
  take(said, {changed.scheme, changed.span, changed.precision});
  return make_case(std::move(changed));
}

}  // namespace extremal
