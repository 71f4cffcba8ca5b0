// What MJCF says in several ways: elements that are included, attributes by default, orientations.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "import/reader.hpp"

namespace extremal::robots {

// An element and the file it stands in, which an include may have brought.
struct Element {
  const XmlFile* file = nullptr;
  pugi::xml_node node{};

  std::string name() const { return node.name(); }
  std::string at() const { return file->at(node); }
  [[noreturn]] void refuse(const std::string& reason) const { file->refuse(node, reason); }
};

// The children of elements, with those of files that <include file="..."/> names in their place.
class MjcfFiles {
 public:
  explicit MjcfFiles(const Beside& beside) : beside_(beside) {}
  std::vector<Element> children(const Element& element);

 private:
  void add(const Element& element, std::vector<Element>& all);
  const Beside& beside_;
  std::map<std::string, std::unique_ptr<XmlFile>> files_;
  int depth_ = 0;
};

// <default>: classes, each with attributes for kinds of elements; a class has what the one around it has.
class MjcfDefaults {
 public:
  using Values = std::map<std::string, std::string>;
  void read(MjcfFiles& files, const Element& element, const std::string& around);
  // For an element of the class, which is empty for the outermost; refused as `element` if there is none.
  const Values& of(const Element& element, const std::string& name) const;

 private:
  std::map<std::string, std::map<std::string, Values>> classes_{{"main", {}}};
  std::vector<std::string> outermost_;  // other names of "main"
};

// An element's attributes: its own, or those of its class.
class Attributes {
 public:
  Attributes(Element element, const MjcfDefaults& defaults, const std::string& around);

  const Element& element() const { return element_; }
  bool has(const char* name) const { return !text(name).empty(); }
  std::string text(const char* name, const std::string& otherwise = "") const;
  // `count` 0: as many as there are.
  std::vector<quad> numbers(const char* name, std::size_t count) const;
  quad number(const char* name, quad otherwise) const;
  Triple triple(const char* name, const Triple& otherwise) const;

 private:
  Element element_;
  const MjcfDefaults::Values& defaults_;
};

struct MjcfCompiler {
  bool degrees = true;
  std::string eulerseq = "xyz", inertiafromgeom = "auto", meshdir = {};
  bool autolimits = true, strippath = false, balanceinertia = false;
  quad boundmass = 0, boundinertia = 0, settotalmass = -1;
  std::array<quad, 2> inertia_groups{0, 5};  // of geoms that weigh
  Notes* notes = nullptr;                    // those of the robot

  void read(const Element& compiler);
  // Mass and moments of a body as the compiler wants them, which are written to `place`; refused as `element` if they
  // cannot be.
  void correct(Link& link, const Element& element, quad place) const;
  void finish(Robot& robot) const;

  quad angle(quad x) const;  // in radian
  // Of the attribute, or of what is left of it as `text`.
  std::vector<quad> angles(const Attributes& attributes, const char* name, std::string_view text,
                           std::size_t count) const;
  // By three angles in radian, about the axes of eulerseq.
  Directors euler(const std::vector<quad>& angles) const;
  // By quat, axisangle, euler, xyaxes or zaxis; refused if there are two of them.
  Directors orientation(const Attributes& attributes) const;
  Pose pose(const Attributes& attributes) const { return {attributes.triple("pos", {}), orientation(attributes)}; }
};

// The least rotation that takes axis 3 to the direction.
Directors towards(const Triple& direction);
// Of a quaternion w, x, y, z that is not 0.
Directors quaternion_rotation(const Element& element, const std::vector<quad>& q);

}  // namespace extremal::robots
