// Bodies, joints, rods and loads, in the order in which they are written.
#include <algorithm>
#include <functional>

#include "file/mechanism_reader.hpp"
#include "file/parts.hpp"

namespace extremal {
namespace {

using Value = Document::Value;
using Kind = Value::Kind;

struct PartKind {
  const char* key;
  std::function<void(MechanismReader&, Fields&)> read;
  int stage;  // bodies before joints before loads: they name each other
};

const std::vector<PartKind>& kinds() {
  static const std::vector<PartKind> all = [] {
    std::vector<PartKind> list = {{"body", &MechanismReader::body, 0},
                                  {"point_mass", &MechanismReader::point_mass, 0},
                                  {"ground", &MechanismReader::ground, 0},
                                  {"rod", &MechanismReader::rod, 0},
                                  {"joint", &MechanismReader::joint, 1}};
    for (const LoadType& type : load_types())
      list.push_back({type.name, [&type](MechanismReader& reader, Fields& part) { reader.load(type, part); }, 2});
    list.push_back({"joint_motor", &MechanismReader::joint_motor, 2});
    list.push_back({"drive", &MechanismReader::drive, 2});
    return list;
  }();
  return all;
}

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
  for (const PartKind& kind : kinds()) {
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

std::shared_ptr<const Mechanism> read_mechanism(Fields& top, const std::string& name, JointFormulas& formulas) {
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
        kind->read(reader, fields);
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
  formulas = std::move(reader.joint_formulas());
  top.scope().no_index();
  own_mentioned(top.table(), reader.joint_names(), reader.mechanism());
  if (const Value* start = top.find("start"); start != nullptr && start->kind == Kind::table)
    for (const Document::Entry& entry : start->entries) {
      if (entry.key == "slack") reader.mechanism().slack(top.scope().number(entry.value));  // of starts by joints
      if (entry.key == "joints") reader.joint_starts(top.scope(), entry.value);
    }
  return std::make_shared<const Mechanism>(std::move(reader.mechanism()));
}

}  // namespace extremal
