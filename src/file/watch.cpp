#include "file/watch.hpp"

#include <algorithm>

#include "bodies/joint_coordinates.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

using Value = Document::Value;
using Kind = Value::Kind;

// Formulas as terms of a system of their own, so that they do nothing but tell their values.
class Watch {
 public:
  Watch(Scope& scope, const System& system, bool fixed_parameters, Role role = Role::lagrangian)
      : scope_(scope), watched_(system), formulas_(watched_, scope.limits().formulas), role_(role) {
    if (role == Role::lagrangian) formulas_.allow_constants();
    formulas_.tables(scope.tables());
    if (role == Role::lagrangian) add_joints(system);
    // Those that are computed from others are not the system's.
    std::vector<Formulas::Definition> computed;
    for (const auto& definition : scope.definitions()) {
      const auto& own = watched_.parameter_names();
      if (std::find(own.begin(), own.end(), definition.first) == own.end()) computed.push_back(definition);
    }
    if (fixed_parameters)
      formulas_.constants(computed);
    else
      formulas_.parameters(computed);
    formulas_.definitions(scope.named_formulas());
  }

  std::shared_ptr<const Term> term(const std::string& name, const Value& formula) {
    const Expanded text = scope_.expanded(formula, true);
    Fields::placed_at(scope_, formula,
                      [&] { scope_.located(formula, text.origin, [&] { formulas_.add(role_, name, {text.text}); }); });
    return watched_.terms().back();
  }

 private:
  // Behind the coordinates of the system, as rows have them (run/columns.cpp).
  void add_joints(const System& system) {
    const std::vector<std::string> names = watched_joints(system);
    if (!names.empty()) watched_.coordinates(names);
  }

  Scope& scope_;
  System watched_;
  Formulas formulas_;
  const Role role_;
};

const std::vector<Value>& list(const Scope& scope, const Value& value, const std::string& of) {
  if (value.kind != Kind::list) scope.refuse(value, "found " + value.words() + "; expected a list of " + of);
  return value.items;
}

class PictureReader {
 public:
  PictureReader(Fields& fields, Model& model) : fields_(fields), scope_(fields.scope()), picture_(model.picture) {}

  void points(const Value& table, Watch& watch) {
    if (table.kind != Kind::table || table.entries.empty())
      scope_.refuse(table,
                    "found " + table.words() + "; expected points and their places; e.g. { bob = [\"x\", \"y\"] }");
    for (const Document::Entry& entry : table.entries) {
      Picture::Spot spot{entry.key, {}};
      const auto& place = list(scope_, entry.value, "two or three formulas");
      if (place.size() != 2 && place.size() != 3)
        scope_.refuse(entry.value,
                      "found " + std::to_string(place.size()) + " formulas; expected two, or three in space");
      if (picture_.points.empty()) picture_.dimension = static_cast<int>(place.size());
      if (place.size() != static_cast<std::size_t>(picture_.dimension))
        scope_.refuse(entry.value, "found " + std::to_string(place.size()) + " formulas; expected " +
                                       std::to_string(picture_.dimension) + ", as the points before have");
      for (const Value& formula : place) spot.place.push_back(watch.term(entry.key, formula));
      names_.push_back(entry.key);
      picture_.points.push_back(std::move(spot));
    }
  }

  void lines(const char* key, bool spring) {
    const Value* value = fields_.find(key);
    if (value == nullptr) return;
    for (const Value& pair : list(scope_, *value, "pairs of points")) {
      const auto& ends = list(scope_, pair, "two points");
      if (ends.size() != 2) scope_.refuse(pair, "found " + std::to_string(ends.size()) + " points; expected two");
      picture_.lines.push_back({point(ends[0]), point(ends[1]), spring});
    }
  }

  void trails() {
    const Value* value = fields_.find("trails");
    if (value == nullptr) return;
    for (const Value& name : list(scope_, *value, "points")) picture_.trails.push_back(point(name));
  }

 private:
  int point(const Value& name) {
    const std::string text = scope_.text(name);
    const auto found = std::find(names_.begin(), names_.end(), text);
    if (found == names_.end()) scope_.refuse(name, unknown("point", text, names_));
    return static_cast<int>(found - names_.begin());
  }

  Fields& fields_;
  Scope& scope_;
  Picture& picture_;
  std::vector<std::string> names_;
};

}  // namespace

void read_observers(Fields& top, Model& model, bool fixed_parameters) {
  const Value* table = top.find("observe");
  if (table == nullptr) return;
  Scope& scope = top.scope();
  if (table->kind != Kind::table)
    scope.refuse(*table, "found " + table->words() + "; expected a table [observe] of names and formulas");
  Watch watch(scope, model.system, fixed_parameters);
  for (const Document::Entry& entry : table->entries)
    model.observers.push_back({entry.key, watch.term(entry.key, entry.value)});
}

void read_time(Fields& top, Model& model, bool fixed_parameters) {
  const Value* table = top.find("time");
  if (table == nullptr) return;
  Scope& scope = top.scope();
  Fields fields(scope, *table, "[time]");
  const Value& formula = fields.need("rate");
  Watch watch(scope, model.system, fixed_parameters, Role::potential);
  model.span.rate = watch.term("rate", formula);
  fields.finish();
  if (model.span.rate->uses_time)
    scope.refuse(formula, "found a rate that depends on t; expected one of coordinates and parameters");
}

void read_picture(Fields& top, Model& model, bool fixed_parameters) {
  const Value* table = top.find("picture");
  if (table == nullptr) return;
  Scope& scope = top.scope();
  if (model.mechanism != nullptr || model.network != nullptr)
    scope.refuse(*table, "found [picture] and parts; expected one of them: parts are drawn as they are");
  Fields fields(scope, *table, "[picture]");
  PictureReader reader(fields, model);
  Watch watch(scope, model.system, fixed_parameters);
  reader.points(fields.need("points"), watch);
  reader.lines("links", false);
  reader.lines("springs", true);
  reader.trails();
  fields.finish();
}

}  // namespace extremal
