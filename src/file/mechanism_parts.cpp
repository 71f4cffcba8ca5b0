// Bodies, joints, rods and loads, in the order in which they are written.
#include <algorithm>
#include <functional>
#include <unordered_map>

#include "bodies/frame.hpp"
#include "bodies/rigid.hpp"
#include "file/parts.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

using Value = Document::Value;
using Kind = Value::Kind;

class MechanismReader {
 public:
  MechanismReader(std::string name, Space space) : mechanism_(std::move(name), space) { bodies_.reserve(64); }

  Mechanism& mechanism() { return mechanism_; }

  void body(Fields& part) {
    const std::string name = own_name(part);
    add(name, mechanism_.body(name, {.mass = part.number("mass", 1),
                                     .inertia = part.numbers("inertia"),
                                     .euler = part.numbers("euler_tensor")}));
    mechanism_.place(bodies_.at(name), {.position = part.numbers("position"),
                                        .angle = part.numbers("angle"),
                                        .rotation = part.numbers("rotation"),
                                        .euler = part.numbers("euler_angles"),
                                        .matrix = part.numbers("matrix"),
                                        .quaternion = part.numbers("quaternion"),
                                        .velocity = part.numbers("velocity"),
                                        .angular_velocity = part.numbers("angular_velocity")});
  }

  void point_mass(Fields& part) {
    const std::string name = own_name(part);
    add(name, mechanism_.point_mass(name, part.number("mass", 1)));
    mechanism_.place(bodies_.at(name), {.position = part.numbers("position"), .velocity = part.numbers("velocity")});
  }

  void rod(Fields& part);
  void place_nodes(Fields& part, const Rod& rod, quad whole);

  // What others call it.
  static void refuse_other_words(Fields& part) {
    static constexpr std::pair<const char*, const char*> words[] = {
        {"hinge", "revolute"},   {"pin", "revolute"}, {"ball", "spherical"},   {"socket", "spherical"},
        {"slider", "prismatic"}, {"weld", "fixed"},   {"cardan", "universal"}, {"hooke", "universal"},
        {"rod", "distance"},     {"link", "distance"}};
    const Document::Value& value = part.need("type");
    const std::string found = part.scope().text(value);
    for (const auto& [theirs, ours] : words)
      if (found == theirs) part.scope().refuse(value, "unknown type \"" + found + "\"; did you mean \"" + ours + "\"?");
  }

  void joint(Fields& part) {
    static const std::vector<std::string> types(std::begin(joint_types), std::end(joint_types));
    const std::string name = part.text("name");
    refuse_other_words(part);
    const auto type = static_cast<JointType>(part.one_of("type", types, true));
    const Point a = point(part, "from"), b = point(part, "to");
    // Each type asks for its own entries, so that others are refused.
    switch (type) {
      case JointType::revolute:
        return mechanism_.revolute(name, a, b, part.numbers("axis"));
      case JointType::spherical:
        return mechanism_.spherical(name, a, b);
      case JointType::prismatic:
        return mechanism_.prismatic(name, a, b, part.numbers("axis"));
      case JointType::cylindrical:
        return mechanism_.cylindrical(name, a, b, part.numbers("axis"));
      case JointType::universal:
        return mechanism_.universal(name, a, b, part.numbers("axis"), part.numbers("axis_to"));
      case JointType::planar:
        return mechanism_.planar(name, a, b, part.numbers("normal"));
      case JointType::fixed:
        return mechanism_.fixed(name, a, b);
      case JointType::distance:
        return mechanism_.distance(name, a, b, part.numbers("length"));
      case JointType::point_on_line:
        return mechanism_.point_on_line(name, a, b, part.numbers("axis"));
      case JointType::point_on_plane:
        return mechanism_.point_on_plane(name, a, b, part.numbers("normal"));
    }
  }

  void spring(Fields& part) {
    mechanism_.spring(part.text("name"), point(part, "from"), point(part, "to"),
                      {.stiffness = part.number("stiffness", 1),
                       .length = part.number("length", 0),
                       .damping = part.number("damping", 0)});
  }
  void torsion_spring(Fields& part) {
    mechanism_.torsion_spring(part.text("name"), whole(part, "from"), whole(part, "to"), part.number("stiffness"),
                              part.number("angle", 0), part.numbers("axis"));
  }
  void damper(Fields& part) {
    mechanism_.damper(part.text("name"), point(part, "from"), point(part, "to"), part.number("damping"));
  }
  void line_damper(Fields& part) {
    mechanism_.line_damper(part.text("name"), point(part, "from"), point(part, "to"), part.number("damping"));
  }
  void rotational_damper(Fields& part) {
    mechanism_.rotational_damper(part.text("name"), whole(part, "from"), whole(part, "to"), part.number("damping"),
                                 part.numbers("axis"));
  }
  void force(Fields& part) {
    const bool in_body = part.one_of("frame", {"space", "body"}, false) == 1;
    part.need("components");
    mechanism_.force(part.text("name"), point(part, "on"), part.time_functions("components"),
                     in_body ? Frame::body : Frame::space);
  }
  void torque(Fields& part) {
    part.need("components");
    mechanism_.torque(part.text("name"), whole(part, "on"), part.time_functions("components"));
  }
  void motor(Fields& part) {
    mechanism_.motor(part.text("name"), whole(part, "from"), whole(part, "to"), part.time_function("torque"),
                     part.numbers("axis"));
  }
  void drive(Fields& part) {
    mechanism_.drive(part.text("name"), whole(part, "body"),
                     {.position = part.time_functions("position"), .rotation = part.time_functions("rotation")});
  }

 private:
  static std::string own_name(Fields& part) {
    std::string name = part.text("name");
    if (name == "ground")
      part.scope().refuse(part.need("name"), "found a body \"ground\"; expected another name: the ground is no body");
    return name;
  }

  void add(const std::string& name, const Body& body) {
    bodies_.emplace(name, body);
    names_.push_back(name);
  }

  Body find(Fields& part, const Value& value) {
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

  Body whole(Fields& part, const char* key) { return find(part, part.need(key)); }

  // "bar 1", its centre of mass; { body = "bar 1", at = ["1/2", 0] }; { at = [0, 0] } of the ground.
  Point point(Fields& part, const char* key) {
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

  Point at(const Body& body, std::vector<Number> x) const {
    if (x.empty()) x.resize(mechanism_.space() == Space::planar ? 2 : 3);
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

  Mechanism mechanism_;
  std::unordered_map<std::string, Body> bodies_;
  std::vector<std::string> names_;
};

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
  place_nodes(part, rod, data.length.as<quad>());
}

// position, rotation, velocity, angular_velocity: formulas of the arc length s of a node, counted from the first.
void MechanismReader::place_nodes(Fields& part, const Rod& rod, quad whole) {
  bool given = false;
  for (const char* key : {"position", "rotation", "velocity", "angular_velocity"}) given = part.has(key) || given;
  if (!given) return;
  // Where the rod itself has put its nodes: they are the last of all bodies so far.
  const std::vector<Number> q = mechanism_.start().q;
  const auto triple = [&](int node, int first) {
    const std::size_t at = q.size() - static_cast<std::size_t>(12 * (rod.nodes() - node) - first);
    return Triple{q[at].as<quad>(), q[at + 1].as<quad>(), q[at + 2].as<quad>()};
  };
  const auto numbers = [](const Triple& x) {
    return Numbers{Number::exactly(x[0]), Number::exactly(x[1]), Number::exactly(x[2])};
  };
  quad chords = 0;
  for (int k = 0; k < rod.elements(); ++k) chords += norm(triple((k + 1) % rod.nodes(), 0) - triple(k, 0));
  Scope& scope = part.scope();
  quad s = 0;
  for (int k = 0; k < rod.nodes(); ++k) {
    scope.arc(part.table(), whole == quad(0) ? s : s * whole / chords);
    const Numbers position = part.numbers("position"), turn = part.numbers("rotation");
    Directors axes{triple(k, 3), triple(k, 6), triple(k, 9)};
    if (!turn.empty()) {
      if (turn.list().size() != 3)
        scope.refuse(part.need("rotation"), "found " + std::to_string(turn.list().size()) + " components; expected 3");
      axes = product(rotation({turn.list()[0].as<quad>(), turn.list()[1].as<quad>(), turn.list()[2].as<quad>()}), axes);
    }
    std::vector<Number> matrix;
    for (std::size_t row = 0; row < 3; ++row)
      for (std::size_t column = 0; column < 3; ++column) matrix.push_back(Number::exactly(axes[column][row]));
    mechanism_.place(rod.node(k), {.position = position.empty() ? numbers(triple(k, 0)) : position,
                                   .matrix = matrix,
                                   .velocity = part.numbers("velocity"),
                                   .angular_velocity = part.numbers("angular_velocity")});
    s += norm(triple((k + 1) % rod.nodes(), 0) - triple(k, 0));
  }
  scope.no_arc();
}

struct PartKind {
  const char* key;
  void (MechanismReader::*read)(Fields&);
  int stage;  // bodies before joints before loads: they name each other
};
constexpr PartKind kinds[] = {
    {"body", &MechanismReader::body, 0},
    {"point_mass", &MechanismReader::point_mass, 0},
    {"rod", &MechanismReader::rod, 0},
    {"joint", &MechanismReader::joint, 1},
    {"spring", &MechanismReader::spring, 2},
    {"torsion_spring", &MechanismReader::torsion_spring, 2},
    {"damper", &MechanismReader::damper, 2},
    {"line_damper", &MechanismReader::line_damper, 2},
    {"rotational_damper", &MechanismReader::rotational_damper, 2},
    {"force", &MechanismReader::force, 2},
    {"torque", &MechanismReader::torque, 2},
    {"motor", &MechanismReader::motor, 2},
    {"drive", &MechanismReader::drive, 2},
};

struct Part {
  const PartKind* kind;
  const Value* table;
};

// Of one stage: a part, or those of a group, which repeat together.
struct Block {
  int stage;
  Place place;
  const Value* group;  // null: one part
  std::vector<Part> parts;
};

bool earlier(const Place& a, const Place& b) { return a.line != b.line ? a.line < b.line : a.column < b.column; }

std::vector<Part> parts_of(Fields& fields, bool group) {
  std::vector<Part> parts;
  for (const PartKind& kind : kinds) {
    const Value* list = fields.find(kind.key);
    if (list == nullptr) continue;
    if (list->kind != Kind::list)
      fields.scope().refuse(*list, "found " + list->words() + "; expected tables [[" + kind.key + "]]");
    for (const Value& table : list->items) {
      if (!is_formula_force(table)) parts.push_back({&kind, &table});
      if (group && (is_formula_force(table) || Fields(fields.scope(), table, kind.key).has("repeat")))
        fields.scope().refuse(table,
                              "found a part of a group with repeat or along; expected it as a part that the "
                              "group repeats");
    }
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return earlier(a.table->place, b.table->place); });
  return parts;
}

std::vector<Block> blocks_of(Fields& top) {
  std::vector<Block> blocks;
  for (const Part& part : parts_of(top, false))
    blocks.push_back({part.kind->stage, part.table->place, nullptr, {part}});
  if (const Value* groups = top.find("group")) {
    if (groups->kind != Kind::list)
      top.scope().refuse(*groups, "found " + groups->words() + "; expected tables [[group]]");
    for (const Value& group : groups->items) {
      Fields fields(top.scope(), group, "[[group]]");
      fields.need("repeat");
      const std::vector<Part> parts = parts_of(fields, true);
      fields.finish();
      for (const int stage : {0, 1, 2}) {
        blocks.push_back({stage, group.place, &group, parts});
        std::erase_if(blocks.back().parts, [&](const Part& part) { return part.kind->stage != stage; });
      }
    }
  }
  std::stable_sort(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) {
    return a.stage != b.stage ? a.stage < b.stage : earlier(a.place, b.place);
  });
  return blocks;
}

}  // namespace

bool is_formula_force(const Value& table) {
  return std::any_of(table.entries.begin(), table.entries.end(),
                     [](const Document::Entry& entry) { return entry.key == "along"; });
}

Space read_space(Fields& top) {
  return top.one_of("space", {"spatial", "planar"}, false) == 1 ? Space::planar : Space::spatial;
}

std::vector<Number> read_gravity(Fields& top, Space space) {
  const Value* value = top.find("gravity");
  if (value == nullptr) return {};
  std::vector<Number> components = top.scope().numbers(*value);
  const std::size_t expected = space == Space::planar ? 2 : 3;
  if (components.size() != expected)
    top.scope().refuse(*value, "found a gravity of " + std::to_string(components.size()) + " components; expected " +
                                   std::to_string(expected));
  return components;
}

std::shared_ptr<const Mechanism> read_mechanism(Fields& top, const std::string& name) {
  const std::vector<Block> blocks = blocks_of(top);
  if (blocks.empty()) return nullptr;
  const Space space = read_space(top);
  MechanismReader reader(name, space);
  const std::vector<Number> g = read_gravity(top, space);
  if (g.size() == 2) reader.mechanism().gravity(g[0], g[1]);
  if (g.size() == 3) reader.mechanism().gravity(g[0], g[1], g[2]);
  for (const Block& block : blocks) {
    const auto read = [&](const Part& part) {
      return [&reader, kind = part.kind](Fields& fields) {
        reader.mechanism().written_at(fields.scope().document().at(fields.table().place));
        (reader.*kind->read)(fields);
      };
    };
    if (block.group == nullptr)
      each_of(top.scope(), *block.parts[0].table, block.parts[0].kind->key, read(block.parts[0]));
    else
      repeated(top.scope(), *block.group, "group", [&] {
        const Scope::Index i = top.scope().index();
        for (const Part& part : block.parts) {
          top.scope().index(i);
          one_of(top.scope(), *part.table, part.kind->key, read(part));
        }
      });
  }
  return std::make_shared<const Mechanism>(std::move(reader.mechanism()));
}

}  // namespace extremal
