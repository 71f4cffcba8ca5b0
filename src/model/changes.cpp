#include "model/changes.hpp"

#include <algorithm>
#include <map>
#include <utility>

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

namespace {

constexpr std::pair<const char*, StartPlace::Kind> start_prefixes[] = {
    {"v:", StartPlace::Kind::velocity}, {"p:", StartPlace::Kind::momentum}, {"next:", StartPlace::Kind::next}};

// The coordinate that a name is of, without what stands before it.
std::string start_coordinate(const std::string& name, StartPlace::Kind& kind) {
  for (const auto& [prefix, known] : start_prefixes)
    if (name.starts_with(prefix)) {
      kind = known;
      return name.substr(std::string(prefix).size());
    }
  return name;
}

}  // namespace

std::optional<StartPlace> find_start(const System& system, const std::string& name) {
  StartPlace place;
  const std::string coordinate = start_coordinate(name, place.kind);
  const auto& known = system.coordinate_names();
  const auto found = std::find(known.begin(), known.end(), coordinate);
  if (found != known.end()) {
    place.index = static_cast<std::size_t>(found - known.begin());
    return place;
  }
  if (name == "t") return StartPlace{StartPlace::Kind::t, 0};
  return {};
}

void place(Start& start, const StartPlace& where, const Number& value, std::size_t coordinates) {
  using Kind = StartPlace::Kind;
  if (where.kind == Kind::t) {
    start.t = value;
    return;
  }
  std::vector<Number>* list = &start.q;
  for (const auto& [kind, of] :
       {std::pair{Kind::velocity, &start.v}, {Kind::momentum, &start.p}, {Kind::next, &start.next}}) {
    if (where.kind == kind)
      list = of;
    else if (where.kind != Kind::position)
      of->clear();
  }
  if (where.kind == Kind::next && list->empty()) *list = start.q;
  list->resize(coordinates);
  (*list)[where.index] = value;
}

void place(Model& model, const Settings& start, const std::string& where) {
  const auto& known = model.system.coordinate_names();
  std::vector<const char*> kinds;
  // Next positions after the others: they begin with what q is then.
  for (const bool next : {false, true})
    for (const auto& [name, value] : start) {
      const auto found = find_start(model.system, name);
      if (!found) {
        StartPlace::Kind kind{};
        throw InputError(where + ": " + model.system.name() + ": " +
                         unknown("coordinate", start_coordinate(name, kind), known) +
                         " (v:, p: and next: of each, and t)");
      }
      if ((found->kind == StartPlace::Kind::next) != next) continue;
      for (const auto& [prefix, kind] : start_prefixes)
        if (kind == found->kind && std::find(kinds.begin(), kinds.end(), prefix) == kinds.end())
          kinds.push_back(prefix);
      place(model.start, *found, value, known.size());
    }
  if (kinds.size() < 2) return;
  const auto word = [](const std::string& prefix) {
    return (prefix == "v:" ? "velocities (" : prefix == "p:" ? "momenta (" : "next positions (") + prefix + ")";
  };
  std::sort(kinds.begin(), kinds.end(), [](const std::string& a, const std::string& b) { return a > b; });
  throw InputError(where + ": found " + word(kinds[0]) + " and " + word(kinds[1]) + "; expected one kind");
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
