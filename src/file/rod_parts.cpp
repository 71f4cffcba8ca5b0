// [[rod]]: its section, its curve, and how its nodes stand and move when the motion starts.
#include "file/mechanism_reader.hpp"

namespace extremal {
namespace {

using Value = Document::Value;
using Kind = Value::Kind;

Section section(Fields& part) {
  const Value& value = part.need("section");
  Fields fields(part.scope(), value, "section");
  const std::size_t shape = fields.one_of("shape", {"given", "rectangle", "circle", "tube"}, false);
  Section result;
  if (shape == 0) {
    for (const auto& [key, entry] : {std::pair{"EA", &Section::EA},
                                     {"GA2", &Section::GA2},
                                     {"GA3", &Section::GA3},
                                     {"GJ", &Section::GJ},
                                     {"EI2", &Section::EI2},
                                     {"EI3", &Section::EI3},
                                     {"mass", &Section::mass},
                                     {"inertia2", &Section::inertia2},
                                     {"inertia3", &Section::inertia3}})
      result.*entry = fields.number(key);
  } else {
    const Section::Material material{fields.number("E"), fields.number("G"), fields.number("density")};
    result = Fields::placed_at(part.scope(), value, [&] {
      if (shape == 1) return Section::rectangle(material, fields.number("width"), fields.number("height"));
      if (shape == 2) return Section::circle(material, fields.number("radius"));
      return Section::tube(material, fields.number("outer"), fields.number("inner"));
    });
  }
  fields.finish();
  return result;
}

// A list of points, or { repeat = 80, at = [formulas of i] }.
std::vector<Numbers> points(Fields& part) {
  std::vector<Numbers> all;
  const Value* value = part.find("points");
  if (value == nullptr) return all;
  Scope& scope = part.scope();
  if (value->kind == Kind::list) {
    for (const Value& point : value->items) all.emplace_back(scope.numbers(point));
    return all;
  }
  const Scope::Index outer = scope.index();
  each_of(scope, *value, "points", [&](Fields& fields) { all.push_back(fields.numbers("at")); });
  scope.index(outer);
  return all;
}

}  // namespace

void MechanismReader::rod(Fields& part) {
  static const std::vector<std::string> ends = {"free", "pinned", "clamped"};
  const std::string name = part.text("name");
  RodData data;
  data.section = section(part);
  data.from = part.numbers("from");
  data.to = part.numbers("to");
  data.elements = part.integer("elements", 0, 1000000, 0);
  part.scope().charge(data.elements);
  data.closed = part.flag("closed");
  data.length = part.number("length", 0);
  data.normal = part.numbers("normal");
  data.straight = part.flag("straight");
  data.damping = part.number("damping", 0);
  data.first = static_cast<RodEnd>(part.one_of("first", ends, false));
  data.last = static_cast<RodEnd>(part.one_of("last", ends, false));
  data.force = part.time_functions("force");
  data.moment = part.time_functions("moment");
  data.points = points(part);  // last: it has an i of its own
  const Rod rod = mechanism_.rod(name, data);
  for (int k = 0; k < rod.nodes(); ++k) add(name + "." + std::to_string(k), rod.node(k));
  place_nodes(part, rod);
}

// position, rotation, velocity, angular_velocity: formulas of the arc length s of a node, counted from the first.
void MechanismReader::place_nodes(Fields& part, const Rod& rod) {
  bool given = false;
  for (const char* key : {"position", "rotation", "velocity", "angular_velocity"}) given = part.has(key) || given;
  if (!given) return;
  Scope& scope = part.scope();
  mechanism_.place(rod, [&](const Number& s) {
    scope.arc(part.table(), s.as<quad>());
    const Numbers turn = part.numbers("rotation");
    if (!turn.empty() && turn.list().size() != 3)
      scope.refuse(part.need("rotation"), "found " + std::to_string(turn.list().size()) + " components; expected 3");
    return Placement{.position = part.numbers("position"),
                     .rotation = turn,
                     .velocity = part.numbers("velocity"),
                     .angular_velocity = part.numbers("angular_velocity")};
  });
  scope.no_arc();
}

}  // namespace extremal
