#include "file/mechanism_reader.hpp"

#include <type_traits>

#include "bodies/joint_type.hpp"
#include "file/body_parts.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

using Value = Document::Value;
using Kind = Value::Kind;

}  // namespace

void MechanismReader::body(Fields& part) {
  const std::string name = own_name(part);
  const BodyParts parts(part, mechanism_);
  add(name, mechanism_.body(name, parts.body()));
  mechanism_.place(bodies_.at(name), {.position = part.numbers("position"),
                                      .angle = part.numbers("angle"),
                                      .rotation = part.numbers("rotation"),
                                      .euler = part.numbers("euler_angles"),
                                      .matrix = part.numbers("matrix"),
                                      .quaternion = part.numbers("quaternion"),
                                      .velocity = part.numbers("velocity"),
                                      .angular_velocity = part.numbers("angular_velocity")});
  for (const Shape& look : parts.looks()) mechanism_.look(bodies_.at(name), look);
}

void MechanismReader::ground(Fields& part) { mechanism_.look(mechanism_.ground_body(), read_look(part)); }

void MechanismReader::point_mass(Fields& part) {
  const std::string name = own_name(part);
  add(name, mechanism_.point_mass(name, part.number("mass", 1)));
  mechanism_.place(bodies_.at(name), {.position = part.numbers("position"), .velocity = part.numbers("velocity")});
}

void MechanismReader::joint(Fields& part) {
  const std::string name = part.text("name");
  const Value& word = part.need("type");
  const JointType& type =
      Fields::placed_at(part.scope(), word, [&]() -> const JointType& { return joint_type(part.scope().text(word)); });
  const Point a = point(part, "from"), b = point(part, "to");
  // Each type asks for its own entries, so that others are refused.
  JointData data;
  for (const JointType::Key& key : type.keys) data.*key.member = part.numbers(key.name);
  mechanism_.joint(type.name, name, a, b, data);
  joint_names_.insert(name);
  const Value* own = part.find("coordinate");  // true, or the name of one of them
  if (own != nullptr && own->kind == Kind::text)
    mechanism_.own_coordinate(name + "." + part.scope().text(*own));
  else if (own != nullptr && part.flag("coordinate"))
    mechanism_.own_coordinate(name);
}

void MechanismReader::load(const LoadType& type, Fields& part) {
  const std::string name = part.text("name");
  if (const Value* target = part.find("target"))
    if (const Expanded formula = part.scope().expanded(*target); by_inputs(part.scope(), *target, formula))
      return servo(part, name, *target, formula);
  LoadData data;
  for (const LoadType::Key& key : type.keys) {
    if (key.needed) part.need(key.name);
    std::visit(
        [&](auto member) {
          auto& value = data.*member;
          using T = std::remove_cvref_t<decltype(value)>;
          if constexpr (std::is_same_v<T, Point>)
            value = key.whole ? find(part, part.need(key.name)) : point(part, key.name);
          else if constexpr (std::is_same_v<T, Number>)
            value = part.number(key.name, value);
          else if constexpr (std::is_same_v<T, std::string>)
            value = part.text(key.name);
          else if constexpr (std::is_same_v<T, Numbers>)
            value = part.numbers(key.name);
          else if constexpr (std::is_same_v<T, TimeFunction>)
            value = part.time_function(key.name);
          else if constexpr (std::is_same_v<T, std::vector<TimeFunction>>)
            value = part.time_functions(key.name);
          else
            value = part.one_of(key.name, {"space", "body"}, false) == 1 ? Frame::body : Frame::space;
        },
        key.member);
  }
  mechanism_.load(type.name, name, data);
}

bool MechanismReader::by_inputs(const Scope& scope, const Value& value, const Expanded& formula) {
  return value.kind == Kind::text &&
         scope.located(value, formula.origin, [&] { return scope.uses_inputs(formula.text); });
}

void MechanismReader::servo(Fields& part, const std::string& name, const Value& target, const Expanded& formula) {
  const std::string joint = part.text("joint");
  const JointFormulas::Gains gains{part.number("stiffness"), part.number("damping", 0), part.number("integral", 0)};
  for (const Number& gain : {gains.stiffness, gains.damping, gains.integral})
    if (gain.as<quad>() < 0) part.refuse("found " + gain.text() + " as a gain of a servo; expected 0 or more");
  mechanism_.own_coordinate(joint);
  joint_formulas_.servo(name, joint, target, formula, gains);
}

void MechanismReader::drive(Fields& part) {
  mechanism_.drive(part.text("name"), find(part, part.need("body")),
                   {.position = part.time_functions("position"), .rotation = part.time_functions("rotation")});
}

void MechanismReader::joint_motor(Fields& part) {
  const Value& torque = part.need("torque");
  const std::string joint = part.text("joint");
  mechanism_.own_coordinate(joint);
  joint_formulas_.motor(part.text("name"), joint, torque, part.scope().expanded(torque, true));
}

void MechanismReader::joint_starts(Scope& scope, const Value& table) {
  if (table.kind != Kind::table)
    scope.refuse(table, "found " + table.words() + "; expected joints and their starts; e.g. { crank = { rate = 6 } }");
  for (const Document::Entry& entry : table.entries)
    Fields::placed_at(scope, entry.value, [&] {
      Fields given(scope, entry.value, "joints." + entry.key);
      mechanism_.start_joint(entry.key, {.position = given.numbers("position"), .rate = given.numbers("rate")});
      given.finish();
    });
}

std::string MechanismReader::own_name(Fields& part) {
  std::string name = part.text("name");
  if (name == "ground")
    part.scope().refuse(part.need("name"), "found a body \"ground\"; expected another name: the ground is no body");
  return name;
}

void MechanismReader::add(const std::string& name, const Body& body) {
  bodies_.emplace(name, body);
  names_.push_back(name);
}

Body MechanismReader::find(Fields& part, const Value& value) {
  const std::string name = part.scope().text(value);
  if (name == "ground") return mechanism_.ground_body();
  const auto found = bodies_.find(name);
  if (found == bodies_.end()) {
    std::vector<std::string> known = names_;
    known.emplace_back("ground");
    part.scope().refuse(value, unknown("body", name, known));
  }
  return found->second;
}

Point MechanismReader::point(Fields& part, const char* key) {
  const Value& value = part.need(key);
  if (value.kind == Kind::text) {
    if (value.text == "ground") return at(mechanism_.ground_body(), {});
    return find(part, value);
  }
  if (value.kind != Kind::table)
    part.scope().refuse(value, "found " + value.words() + "; expected a body or a point of one; e.g. " + key +
                                   " = { body = \"bar\", at = [\"1/2\", 0] }");
  Fields inner(part.scope(), value, key);
  const Value* body = inner.find("body");
  const Body owner = body == nullptr ? mechanism_.ground_body() : find(part, *body);
  Point result = at(owner, inner.numbers("at").list());
  inner.finish();
  return result;
}

Point MechanismReader::at(const Body& body, std::vector<Number> x) const {
  if (x.empty()) return body;
  // As many as are given: what does not fit the space is the mechanism's to refuse.
  switch (x.size()) {
    case 1:
      return body.at(x[0]);
    case 2:
      return body.at(x[0], x[1]);
    case 3:
      return body.at(x[0], x[1], x[2]);
    default:
      return body.at(x[0], x[1], x[2], x[3]);
  }
}

}  // namespace extremal
