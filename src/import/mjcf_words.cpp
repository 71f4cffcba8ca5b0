#include "import/mjcf_words.hpp"

#include <algorithm>
#include <set>

#include "bodies/quaternion.hpp"
#include "extremal/error.hpp"
#include "words/grammar.hpp"

namespace extremal::robots {

std::vector<Element> MjcfFiles::children(const Element& element) {
  std::vector<Element> all;
  add(element, all);
  return all;
}

void MjcfFiles::add(const Element& element, std::vector<Element>& all) {
  for (const pugi::xml_node& node : element.node.children()) {
    if (node.type() != pugi::node_element) continue;
    const Element child{element.file, node};
    if (child.name() != "include") {
      all.push_back(child);
      continue;
    }
    const std::string name = element.file->text(node, "file");
    if (!beside_) child.refuse("found an include of " + extremal::quoted(name) + "; expected a file without");
    const std::string key = name + "\n" + child.at();  // children are asked for more than once
    std::unique_ptr<XmlFile>& file = files_[key];
    if (file == nullptr) {
      if (files_.size() > 100) child.refuse("found more than 100 includes; expected fewer, and none of itself");
      std::string text;
      try {
        text = beside_(name);
      } catch (const InputError& error) {
        child.refuse(std::string("include: ") + error.what());
      }
      file = std::make_unique<XmlFile>(std::move(text), name);
    }
    if (depth_ > 20) child.refuse("found includes nested 20 deep; expected none of itself");
    ++depth_;
    add({file.get(), file->root()}, all);
    --depth_;
  }
}

void MjcfDefaults::read(MjcfFiles& files, const Element& element, const std::string& around) {
  std::string name = element.node.attribute("class").value();
  if (name.empty()) name = around.empty() ? "main" : "";
  if (name.empty()) element.refuse("found a <default> without class; expected one");
  // The outermost holds for everything, whatever it is called.
  if (around.empty() && name != "main") {
    outermost_.push_back(name);
    name = "main";
  }
  auto& own = classes_[name];
  if (!around.empty()) own = classes_.at(around);
  // Actuators of all kinds are one kind here.
  const std::set<std::string> actuators = {"general", "motor", "position", "velocity", "damper"},
                              common = {"gear", "ctrlrange", "ctrllimited", "forcerange", "forcelimited"};
  for (const Element& child : files.children(element))
    if (child.name() != "default")
      for (const pugi::xml_attribute& attribute : child.node.attributes()) {
        own[child.name()][attribute.name()] = attribute.value();
        if (actuators.contains(child.name()) && common.contains(attribute.name()))
          for (const std::string& kind : actuators) own[kind][attribute.name()] = attribute.value();
      }
  for (const Element& child : files.children(element))
    if (child.name() == "default") read(files, child, name);
}

const MjcfDefaults::Values& MjcfDefaults::of(const Element& element, const std::string& name) const {
  static const Values none;
  const bool outermost = name.empty() || std::find(outermost_.begin(), outermost_.end(), name) != outermost_.end();
  const auto found = classes_.find(outermost ? "main" : name);
  if (found == classes_.end()) {
    std::vector<std::string> known;
    for (const auto& [each, values] : classes_) known.push_back(each);
    element.refuse(unknown("class", name, known));
  }
  const auto kind = found->second.find(element.name());
  return kind == found->second.end() ? none : kind->second;
}

Attributes::Attributes(Element element, const MjcfDefaults& defaults, const std::string& around)
    : element_(element),
      defaults_(
          defaults.of(element, element.node.attribute("class") ? element.node.attribute("class").value() : around)) {}

std::string Attributes::text(const char* name, const std::string& otherwise) const {
  if (const pugi::xml_attribute own = element_.node.attribute(name)) return own.value();
  const auto found = defaults_.find(name);
  return found == defaults_.end() ? otherwise : found->second;
}

std::vector<quad> Attributes::numbers(const char* name, std::size_t count) const {
  return element_.file->numbers_of(element_.node, name, text(name), count);
}

quad Attributes::number(const char* name, quad otherwise) const { return has(name) ? numbers(name, 1)[0] : otherwise; }

Triple Attributes::triple(const char* name, const Triple& otherwise) const {
  if (!has(name)) return otherwise;
  const std::vector<quad> x = numbers(name, 3);
  return {x[0], x[1], x[2]};
}

quad MjcfCompiler::angle(quad x) const { return exact_angle(degrees ? x * math::acos(quad(-1)) / 180 : x); }

std::vector<quad> MjcfCompiler::angles(const Attributes& a, const char* name, std::string_view text,
                                       std::size_t count) const {
  const Element& e = a.element();
  bool rounded = false;
  std::vector<quad> x =
      degrees ? e.file->numbers_of(e.node, name, text, count) : e.file->angles_of(e.node, name, text, count, rounded);
  for (quad& each : x) each = angle(each);
  if (rounded) notes->add(rounded_angles, e.node.attribute("name").value(), e.at(), false);
  return x;
}

Directors towards(const Triple& direction) {
  const Triple u = (1 / norm(direction)) * direction;
  const Triple w = cross({0, 0, 1}, u);
  const quad sine = norm(w);
  if (!(sine > quad(1e-30))) return u[2] > 0 ? no_rotation : rotation(0, math::acos(quad(-1)));
  return rotation((math::atan2(sine, u[2]) / sine) * w);
}

Directors quaternion_rotation(const Element& element, const std::vector<quad>& q) {
  const quad length = math::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(length > 0)) element.refuse("quat: found a quaternion of length 0; expected a rotation");
  const auto R = lie::columns((1 / length) * lie::Quaternion<quad>{q[0], q[1], q[2], q[3]});
  return {{cleaned({R.e1.x, R.e1.y, R.e1.z}), cleaned({R.e2.x, R.e2.y, R.e2.z}), cleaned({R.e3.x, R.e3.y, R.e3.z})}};
}

Directors MjcfCompiler::euler(const std::vector<quad>& x) const {
  Directors turn = no_rotation;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t moving = std::string_view("xyz").find(eulerseq[i]),
                      fixed = std::string_view("XYZ").find(eulerseq[i]);
    const Directors next = rotation(static_cast<int>(std::min(moving, fixed)), x[i]);
    turn = moving < 3 ? product(turn, next) : product(next, turn);
  }
  return turn;
}

Directors MjcfCompiler::orientation(const Attributes& a) const {
  const Element& e = a.element();
  const auto expect_direction = [&](const char* name, const Triple& x) {
    if (!(norm(x) > 0)) e.refuse(std::string(name) + ": found a direction of length 0; expected another");
  };
  std::string found;
  for (const char* name : {"quat", "axisangle", "euler", "xyaxes", "zaxis"}) {
    if (!e.node.attribute(name)) continue;
    if (!found.empty()) e.refuse("found both " + found + " and " + name + "; expected one of them");
    found = name;
  }
  for (const char* name : {"quat", "axisangle", "euler", "xyaxes", "zaxis"})
    if (found.empty() && a.has(name)) found = name;
  if (found == "quat") return quaternion_rotation(e, a.numbers("quat", 4));
  if (found == "axisangle") {
    const std::vector<quad> x = a.numbers("axisangle", 4);
    const Triple axis{x[0], x[1], x[2]};
    expect_direction("axisangle", axis);
    const std::string all = a.text("axisangle");
    const std::string_view last = std::string_view(all).substr(0, all.find_last_not_of(" \t\r\n") + 1);
    const quad turn = angles(a, "axisangle", last.substr(last.find_last_of(" \t\r\n") + 1), 1)[0];
    return rotation((turn / norm(axis)) * axis);
  }
  if (found == "euler") return euler(angles(a, "euler", a.text("euler"), 3));
  if (found == "xyaxes") {
    const std::vector<quad> v = a.numbers("xyaxes", 6);
    const Triple x{v[0], v[1], v[2]}, y{v[3], v[4], v[5]};
    expect_direction("xyaxes", x);
    expect_direction("xyaxes", cross(x, y));
    return orthonormal({x, y, cross(x, y)});
  }
  if (found == "zaxis") {
    const Triple z = a.triple("zaxis", {0, 0, 1});
    expect_direction("zaxis", z);
    return towards(z);
  }
  return no_rotation;
}

}  // namespace extremal::robots
