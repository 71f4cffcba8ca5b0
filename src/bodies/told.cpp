#include "bodies/told.hpp"

#include <algorithm>

#include "bodies/joint_type.hpp"
#include "bodies/load_type.hpp"
#include "bodies/mechanism_data.hpp"
#include "extremal/error.hpp"
#include "numbers/index.hpp"
#include "words/toml.hpp"

namespace extremal {
namespace {

constexpr const char* placement_keys[] = {"position", "angle",      "rotation", "euler_angles",
                                          "matrix",   "quaternion", "velocity", "angular_velocity"};

std::string told_number(const Number& x) { return toml_text(x.text()); }
std::string told_numbers(const Numbers& x) {
  return x.list().size() == 1 ? told_number(x.list().front()) : toml_list(x.list(), told_number);
}

// One part that is added; what is empty is left out.
class Telling {
 public:
  Telling(MechanismData& data, std::string_view kind, const std::string& name) : data_(data) {
    data.told.parts.push_back({std::string(kind), name, {}});
  }
  Telling(MechanismData& data, int index) : data_(data), index_(index) {}

  void add(const char* key, std::string toml) {
    ToldPart& part = index_ < 0 ? data_.told.parts.back() : data_.told.parts[sz(index_)];
    const auto known =
        std::find_if(part.entries.begin(), part.entries.end(), [&](const auto& e) { return e.first == key; });
    if (known != part.entries.end())
      known->second = std::move(toml);
    else
      part.entries.emplace_back(key, std::move(toml));
  }
  void remove(const char* key) {
    std::erase_if(data_.told.parts[sz(index_)].entries, [&](const auto& entry) { return entry.first == key; });
  }
  void add(const char* key, const Numbers& x) {
    if (!x.empty()) add(key, told_numbers(x));
  }
  void add(const char* key, const Number& x) { add(key, told_number(x)); }
  void add(const char* key, const TimeFunction& f) { add(key, function(key, f)); }
  void add(const char* key, const std::vector<TimeFunction>& list) {
    if (!list.empty()) add(key, toml_list(list, [&](const TimeFunction& f) { return function(key, f); }));
  }
  void add(const char* key, Frame frame) {
    if (frame == Frame::body) add(key, std::string("\"body\""));
  }

 private:
  std::string function(const char* key, const TimeFunction& f) {
    const std::string formula = f.formula();
    if (formula.empty() && data_.told.missing.empty())
      data_.told.missing =
          "\"" + data_.told.parts.back().name + "\": " + key + " is a function of time that branches, or has a table";
    return toml_text(formula);
  }

  MechanismData& data_;
  int index_ = -1;
};

}  // namespace

void tell_body(MechanismData& data, const std::string& name, const BodyData& given) {
  if (!data.told.keeps()) data.told.bodies.push_back(-1);
  if (!data.told.keeps()) return;
  Telling part(data, "body", name);
  data.told.bodies.push_back(static_cast<int>(data.told.parts.size()) - 1);
  for (const auto& [key, x] : {std::pair{"mass", &given.mass},
                               {"inertia", &given.inertia},
                               {"euler_tensor", &given.euler},
                               {"centre", &given.centre},
                               {"density", &given.density},
                               {"size", &given.size},
                               {"radius", &given.radius},
                               {"length", &given.length}})
    part.add(key, *x);
  if (!given.shape.empty()) part.add("shape", toml_text(given.shape));
}

void tell_point_mass(MechanismData& data, const std::string& name, const Number& mass) {
  if (!data.told.keeps()) return;
  Telling part(data, "point_mass", name);
  data.told.bodies.back() = static_cast<int>(data.told.parts.size()) - 1;
  part.add("mass", mass);
}

void tell_placement(MechanismData& data, int body, const Placement& given) {
  if (!data.told.keeps()) return;
  const int index = data.told.bodies[sz(body)];
  if (index < 0) {
    data.told.missing = "\"" + data.bodies[sz(body)].name + "\", a node of a rod, is placed by itself";
    return;
  }
  Telling part(data, index);
  for (const char* key : placement_keys) part.remove(key);
  for (const auto& [key, x] : {std::pair{"position", &given.position},
                               {"angle", &given.angle},
                               {"rotation", &given.rotation},
                               {"euler_angles", &given.euler},
                               {"matrix", &given.matrix},
                               {"quaternion", &given.quaternion},
                               {"velocity", &given.velocity},
                               {"angular_velocity", &given.angular_velocity}})
    part.add(key, *x);
}

void tell_joint(MechanismData& data, std::string_view type, const std::string& name, const Point& a, const Point& b,
                const JointData& given) {
  if (!data.told.keeps()) return;
  Telling part(data, "joint", name);
  part.add("type", toml_text(std::string(type)));
  part.add("from", data.told_point(a));
  part.add("to", data.told_point(b));
  for (const JointType::Key& key : joint_type(type).keys) part.add(key.name, given.*key.member);
}

void tell_own_coordinate(MechanismData& data, const std::string& joint) {
  if (!data.told.keeps()) return;
  for (std::size_t k = 0; k < data.told.parts.size(); ++k)
    if (data.told.parts[k].kind == "joint" && data.told.parts[k].name == joint) {
      Telling(data, static_cast<int>(k)).add("coordinate", std::string("true"));
      return;
    }
  if (data.told.missing.empty()) data.told.missing = "coordinate \"" + joint + "\" is one of several of its joint";
}

void tell_load(MechanismData& data, std::string_view type, const std::string& name, const LoadData& given) {
  if (!data.told.keeps()) return;
  const auto known =
      std::find_if(load_types().begin(), load_types().end(), [&](const LoadType& one) { return type == one.name; });
  Telling part(data, type, name);
  for (const LoadType::Key& key : known->keys)
    std::visit(
        [&](auto member) {
          using T = std::remove_cvref_t<decltype(given.*member)>;
          if constexpr (std::is_same_v<T, Point>)
            part.add(key.name, data.told_point(given.*member));
          else if constexpr (std::is_same_v<T, std::string>)
            part.add(key.name, toml_text(given.*member));
          else
            part.add(key.name, given.*member);
        },
        key.member);
}

void tell_drive(MechanismData& data, const std::string& name, const Point& body, const Drive& given) {
  if (!data.told.keeps()) return;
  Telling part(data, "drive", name);
  part.add("body", data.told_point(body));
  part.add("position", given.position);
  part.add("rotation", given.rotation);
}

void tell_rod(MechanismData& data, const std::string& name, const RodData& given) {
  if (!data.told.keeps()) return;
  Telling part(data, "rod", name);
  const Section& s = given.section;
  std::string section;
  for (const auto& [key, x] : {std::pair{"EA", &s.EA},
                               {"GA2", &s.GA2},
                               {"GA3", &s.GA3},
                               {"GJ", &s.GJ},
                               {"EI2", &s.EI2},
                               {"EI3", &s.EI3},
                               {"mass", &s.mass},
                               {"inertia2", &s.inertia2},
                               {"inertia3", &s.inertia3}})
    section += (section.empty() ? "" : ", ") + std::string(key) + " = " + told_number(*x);
  part.add("section", "{ " + section + " }");
  part.add("from", given.from);
  part.add("to", given.to);
  if (given.elements > 0) part.add("elements", std::to_string(given.elements));
  if (!given.points.empty())
    part.add("points", toml_list(given.points, [](const Numbers& x) { return toml_list(x.list(), told_number); }));
  if (given.closed) part.add("closed", std::string("true"));
  if (given.straight) part.add("straight", std::string("true"));
  if (!(given.length == Number(0))) part.add("length", given.length);
  part.add("normal", given.normal);
  if (!(given.damping == Number(0))) part.add("damping", given.damping);
  constexpr const char* ends[] = {"free", "pinned", "clamped"};
  part.add("first", toml_text(ends[static_cast<int>(given.first)]));
  part.add("last", toml_text(ends[static_cast<int>(given.last)]));
  part.add("force", given.force);
  part.add("moment", given.moment);
}

std::string MechanismData::told_point(const Point& point) const {
  const std::string body = point.body_ < 0 ? "" : toml_text(bodies[sz(point.body_)].name);
  if (point.at_.empty()) return point.body_ < 0 ? "\"ground\"" : body;
  return "{ " + (point.body_ < 0 ? "" : "body = " + body + ", ") + "at = " + toml_list(point.at_.list(), told_number) +
         " }";
}

std::string Mechanism::text() const {
  const Told& told = data_->told;
  if (told.in_a_file)
    throw InputError(name() + ": was read from a file, which has its text; expected parts of a program");
  if (!told.missing.empty()) throw InputError(name() + ": cannot be written as a model file: " + told.missing);
  std::string out =
      "name = " + toml_text(name()) + "\nspace = " + (space() == Space::planar ? "\"planar\"" : "\"spatial\"") + "\n";
  if (!told.gravity.empty()) out += "gravity = " + toml_list(told.gravity.list(), told_number) + "\n";
  for (const ToldPart& part : told.parts) {
    out += "\n[[" + part.kind + "]]\nname = " + toml_text(part.name) + "\n";
    for (const auto& [key, toml] : part.entries) out.append(key).append(" = ").append(toml).append("\n");
  }
  return out;
}

std::string Mechanism::start_text() const {
  const Told& told = data_->told;
  std::string out, joints;
  if (!told.slack.empty()) out += "slack = " + told_numbers(told.slack) + "\n";
  for (const auto& [joint, given] : told.starts) {
    std::string inner;
    for (const auto& [key, x] : {std::pair{"position", &given.position}, {"rate", &given.rate}})
      if (!x->empty()) inner += (inner.empty() ? "" : ", ") + std::string(key) + " = " + told_numbers(*x);
    joints += (joints.empty() ? "" : ", ") + toml_text(joint) + " = { " + inner + " }";
  }
  if (!joints.empty()) out += "joints = { " + joints + " }\n";
  return out;
}

}  // namespace extremal
