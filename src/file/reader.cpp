// read_model: a model file from its first line to its last.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <unordered_map>
#include <unordered_set>

#include "bodies/rigid.hpp"
#include "file/joint_formulas.hpp"
#include "file/parts.hpp"
#include "file/reader.hpp"
#include "file/run_fields.hpp"
#include "file/stable_steps.hpp"
#include "file/tables.hpp"
#include "file/terms.hpp"
#include "file/watch.hpp"
#include "run/span.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

using Value = Document::Value;
using Kind = Value::Kind;

constexpr std::array start_keys{"velocity", "momentum", "next", "t", "slack"};

// Of joints that are taken for coordinates.
std::string joint_hint(const System& system, const std::string& key, bool rate) {
  if (system.rigid() == nullptr) return {};
  for (const RigidJoint& joint : system.rigid()->joints)
    for (const RigidCoordinate& one : joint.coordinates) {
      const std::string name = joint.name + "." + one.name;
      if (key != name && key != joint.name) continue;
      return "; a joint starts by joints = { " + extremal::quoted(joint.coordinates.size() > 1 ? name : joint.name) +
             " = { " + (rate ? "rate" : "position") + " = 1 } }";
    }
  return {};
}

Start read_start(Fields& top, const System& system, Start start, StartValues given) {
  const Value* table = top.find("start");
  Scope& scope = top.scope();
  scope.no_index();
  std::unordered_set<std::string_view> names;
  if (table != nullptr) names.insert(system.coordinate_names().begin(), system.coordinate_names().end());
  std::unordered_map<std::string, Number> next;
  const auto values = [&](const Value& part, std::unordered_map<std::string, Number>& into, bool outer) {
    for (const Document::Entry& entry : part.entries) {
      if (outer && std::find(start_keys.begin(), start_keys.end(), entry.key) != start_keys.end()) continue;
      if (outer && entry.key == "joints" && system.rigid() != nullptr) continue;  // known to the mechanism
      if (!names.contains(entry.key)) {
        if (entry.value.kind == Kind::table)
          scope.document().refuse(entry.place,
                                  "found a table " + extremal::quoted(entry.key) +
                                      "; expected coordinates, velocity, momentum or next; a name with a dot "
                                      "needs quotes" +
                                      joint_hint(system, entry.key, false));
        std::vector<std::string> known = system.coordinate_names();
        if (outer) known.insert(known.end(), start_keys.begin(), start_keys.end());
        scope.document().refuse(entry.place,
                                unknown("coordinate", entry.key, known) + joint_hint(system, entry.key, !outer));
      }
      into[entry.key] = scope.number(entry.value);
    }
  };
  if (table != nullptr) {
    Fields fields(scope, *table, "[start]");
    start.t = fields.number("t", start.t);
    start.slack = fields.number("slack", start.slack);
    values(*table, given.q, true);
    for (const auto& [key, into] : {std::pair{"velocity", &given.v}, {"momentum", &given.p}, {"next", &next}})
      if (const Value* part = fields.find(key)) {
        Fields inner(scope, *part, std::string("[start.") + key + "]");
        values(*part, *into, false);
      }
  }
  if (!given.v.empty() && !given.p.empty())
    top.scope().refuse(table == nullptr ? top.table() : *table, "found velocities and momenta; expected one of them");
  if (!next.empty() && !(given.v.empty() && given.p.empty()))
    top.scope().refuse(*table, std::string("found ") + (given.v.empty() ? "momenta" : "velocities") +
                                   " and next positions; expected one of them");
  if (!given.v.empty() && system.has(Role::hamiltonian))
    top.scope().refuse(table == nullptr ? top.table() : *table,
                       "found velocities; expected momenta: the system is given by a hamiltonian");
  const auto fill = [&](std::vector<Number>& list, const std::unordered_map<std::string, Number>& from) {
    list.resize(static_cast<std::size_t>(system.size()));
    for (std::size_t k = 0; k < list.size() && !from.empty(); ++k)
      if (const auto found = from.find(system.coordinate_names()[k]); found != from.end()) list[k] = found->second;
  };
  fill(start.q, given.q);
  if (!next.empty()) {
    start.v.clear();
    start.next = start.q;  // what is not named stays where it is
    fill(start.next, next);
  } else if (!given.p.empty()) {
    start.v.clear();
    fill(start.p, given.p);
  } else if (!given.v.empty() || !start.v.empty()) {
    fill(start.v, given.v);
  }
  return start;
}

// A number as an operand: in parentheses where it is more than digits.
std::string operand(const Number& x) {
  const std::string& text = x.text();
  return text.find_first_not_of("0123456789.") == std::string::npos ? text : "(" + text + ")";
}

void read_run(Fields& top, Model& model) {
  const Value* table = top.find("run");
  if (table == nullptr) return;
  Scope& scope = top.scope();
  Fields fields(scope, *table, "[run]");
  Span& span = model.span;
  bool stable = false;
  for (const RunKey& key : run_keys())
    if (const auto text = said_in(fields, key, false)) {
      if (key.kind == RunKey::Kind::number && key.is_word(*text))
        stable = true;  // step = "auto"
      else
        key.take({model.scheme, span, model.precision}, *text);
    }
  const Value *step = fields.find("step"), *until = fields.find("until"), *steps = fields.find("steps");
  const Value* outputs = fields.find("outputs");
  const int kept = outputs == nullptr ? 1 : scope.integer(*outputs, 1, most_outputs);
  // Nobody knows how many they are.
  if (span.pace != Pace::none && (steps != nullptr || stable))
    scope.refuse(steps != nullptr ? *steps : *step,
                 std::string("found ") + (steps != nullptr ? "steps" : "step = \"auto\"") +
                     " and a pace; expected step, which is one of fictitious time, until, and every or outputs");
  if (!(span.accuracy == Number(0)) && steps != nullptr)
    scope.refuse(*steps, "found steps and an accuracy, which chooses how many; expected one of them");
  if (!span.pattern.empty() && (steps != nullptr || stable))
    scope.refuse(fields.need("pattern"), "found a pattern of steps; expected step, a number, and until besides it");
  if (steps != nullptr || stable) {
    const auto whole = [&] {
      if (!stable) return scope.integer(*steps, 1, most_outputs);
      if (until == nullptr || steps != nullptr)
        scope.refuse(*step, "found step = \"auto\"; expected until besides it, and no steps");
      return Fields::placed_at(scope, *step, [&] {
        return stable_steps(model.mechanism.get(), span.until.as<quad>() - model.start.t.as<quad>(), kept);
      });
    };
    const std::string count = std::to_string(whole());
    const std::string t = model.start.t == Number(0) ? "" : operand(model.start.t);
    if (until != nullptr && step != nullptr && !stable)
      scope.refuse(*steps, "found steps, step and until; expected two of them");
    if (until != nullptr)
      span.step = Number((t.empty() ? operand(span.until) : "(" + operand(span.until) + "-" + t + ")") + "/" + count);
    else
      span.until = Number((t.empty() ? "" : t + "+") + count + "*" + operand(span.step));
  }
  if (outputs != nullptr) {
    if (fields.has("every")) scope.refuse(*outputs, "found outputs and every; expected one of them");
    span.every = Fields::placed_at(scope, *outputs, [&] { return steps_of_outputs(model.start.t, span, kept); });
    span.outputs = kept;
  }
  fields.finish();
}

// Before the others of [start]: where a motion is given, or a servo has a target, it matters when.
Number start_time(Fields& top) {
  const Value* table = top.find("start");
  if (table == nullptr || table->kind != Kind::table) return 0;
  return Fields(top.scope(), *table, "[start]").number("t", 0);
}

const Value* entry_of(const Value& table, std::string_view key) {
  for (const Document::Entry& entry : table.entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

// "chain", or "chain(3)" where an argument has another value than the file gives it.
std::string called(const std::string& model, const Settings& arguments, const Settings& settings) {
  bool changed = false;
  std::string list;
  for (const auto& [key, usual] : arguments) {
    const auto set =
        std::find_if(settings.begin(), settings.end(), [&name = key](const auto& s) { return s.first == name; });
    const Number& value = set == settings.end() ? usual : set->second;
    changed = changed || value.as<quad>() != usual.as<quad>();
    list += (list.empty() ? "" : ",") + value.text();
  }
  return changed ? model + "(" + list + ")" : model;
}

}  // namespace

Settings name_arguments(const Document& document) {
  const Value* list = entry_of(document.root(), "arguments");
  if (list == nullptr) return {};
  if (list->kind != Kind::list) document.refuse(list->place, "found " + list->words() + "; expected a list of names");
  const Value* parameters = entry_of(document.root(), "parameters");
  Settings all;
  for (const Value& item : list->items) {
    const Value* value = parameters == nullptr || item.kind != Kind::text ? nullptr : entry_of(*parameters, item.text);
    if (value == nullptr || value->kind != Kind::number)
      document.refuse(item.place,
                      "found " + item.words() + "; expected a name of [parameters] whose value is a number");
    all.emplace_back(item.text, Number(value->text));
  }
  return all;
}

Start read_start(const Document& document, const Settings& settings, const ModelLimits& limits) {
  Scope scope(document, limits);
  scope.no_index();
  Fields top(scope, document.root(), "the file");
  const Value none{.kind = Kind::table, .place = {}};
  const Value* parameters = top.find("parameters");
  scope.parameters(parameters == nullptr ? none : *parameters, settings);
  System places("start");
  StartValues start;
  scope.no_index();
  read_coordinates(top, places, start);
  return read_start(top, places, {}, std::move(start));
}

Model read_document(const Document& document, const Settings& settings, const ModelLimits& limits) {
  Scope scope(document, limits);
  scope.no_index();
  Fields top(scope, document.root(), "the file");
  const std::string stem = std::filesystem::path(document.name()).stem().string();
  top.find("arguments");
  const Settings arguments = name_arguments(document);
  const std::string name = called(top.text("name", stem.empty() ? "model" : stem), arguments, settings);
  const std::string title = top.text("title", ""), citation = top.text("citation", "");
  const Value none{.kind = Kind::table, .place = {}};
  const Value* parameters = top.find("parameters");
  scope.tables(read_tables(top));
  scope.parameters(parameters == nullptr ? none : *parameters, settings);
  scope.inputs(top.find("inputs"));

  JointFormulas joint_formulas;
  const auto mechanism = read_mechanism(top, name, joint_formulas);
  const auto network = read_network(top, name);
  if (mechanism != nullptr && network != nullptr)
    top.refuse("found thermoelastic parts and others; expected one kind in a file");
  const bool parts = mechanism != nullptr || network != nullptr;
  if (const Value* hamiltonian = top.find("hamiltonian"); hamiltonian != nullptr && parts)
    scope.refuse(*hamiltonian, "found a hamiltonian besides bodies; expected formulas only, or a potential");
  for (const char* key : {"gravity", "space"})
    if (const Value* value = top.find(key); value != nullptr && !parts)
      scope.refuse(*value,
                   std::string("found ") + key + " and no bodies; expected bodies; a formula says it by itself");

  Model model{.system = System(name), .start = {}, .span = {}, .title = title, .citation = citation};
  model.mechanism = mechanism;
  model.network = network;
  const Value* said = top.find("start");
  Fields::placed_at(scope, said != nullptr && said->kind == Kind::table ? *said : top.table(), [&] {
    if (mechanism != nullptr) model.system = mechanism->system(), model.start = mechanism->start(start_time(top));
    if (network != nullptr) model.system = network->system(), model.start = network->start();
  });
  StartValues start;
  scope.no_index();
  read_coordinates(top, model.system, start);
  if (model.system.size() == 0)
    top.refuse("found neither coordinates nor bodies; expected one of them; e.g. coordinates = [\"x\", \"y\"]");
  if (parameters != nullptr) {
    // Parameters are few, coordinates may be many.
    std::unordered_map<std::string_view, Place> places;
    for (const Document::Entry& entry : parameters->entries) places.emplace(entry.key, entry.place);
    for (const std::string& coordinate : model.system.coordinate_names())
      if (const auto found = places.find(coordinate); found != places.end())
        document.refuse(found->second, "found a parameter " + extremal::quoted(coordinate) +
                                           " that is also a coordinate; expected distinct names");
  }
  Formulas formulas(model.system, limits.formulas);
  formulas.tables(scope.tables());
  Fields::placed_at(scope, parameters == nullptr ? none : *parameters, [&] {
    // Parts have their numbers once and for all: a parameter of the system would reach the formulas only.
    // But for those that formulas alone use, inputs among them.
    if (parts) formulas.constants(scope.used_definitions());
    formulas.parameters(parts ? scope.unused_definitions() : scope.definitions());
  });
  read_definitions(top, formulas);
  scope.no_index();
  if (mechanism != nullptr) joint_formulas.add_to(model, *mechanism, scope, formulas);
  read_terms(top, model.system, formulas);
  model.start = read_start(top, model.system, std::move(model.start), std::move(start));
  read_run(top, model);
  read_time(top, model, parts);
  read_observers(top, model, parts);
  read_picture(top, model, parts);
  top.finish();
  for (const auto& definition : scope.definitions())
    model.parameters.emplace_back(definition.first, scope.number_of(definition));
  for (const auto& [key, value] : arguments) model.arguments.push_back(key);
  return model;
}

Model read_model_within(std::string_view text, const std::string& name, const Settings& settings,
                        const ModelLimits& limits) {
  if (text.size() > Document::size_limit)
    throw ModelError(name + ":1:1: found a file of " + std::to_string(text.size()) + " bytes; expected at most " +
                     std::to_string(Document::size_limit) + "; try repeat for parts that are alike");
  Model model = read_document(Document(std::string(text), name), settings, limits);
  model.text = text;
  return model;
}

Model read_model_text(std::string_view text, const std::string& name, const Settings& settings) {
  return read_model_within(text, name, settings, {});
}

Model read_model(const std::string& path, const Settings& settings) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  std::ifstream in(path, std::ios::binary);
  if (error || !in)
    throw InputError(path + ": cannot be read; expected a model file (docs/models.md), or a name of a model");
  // Not more than the limit, whatever the file has become since.
  std::string text(static_cast<std::size_t>(std::min<std::uintmax_t>(size, Document::size_limit + 1)), '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (size > Document::size_limit)
    throw ModelError(path + ":1:1: found a file of " + std::to_string(size) + " bytes; expected at most " +
                     std::to_string(Document::size_limit) + "; try repeat for parts that are alike");
  return read_model_text(text, path, settings);
}

}  // namespace extremal
