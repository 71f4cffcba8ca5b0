// A mechanism as URDF and MJCF see it: a tree of bodies, each on one joint, and joints that close loops.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bodies/joint_type.hpp"
#include "bodies/mechanism_data.hpp"
#include "bodies/principal.hpp"
#include "import/export_motor.hpp"
#include "import/pose.hpp"

namespace extremal::robots {

// What acts on the coordinate of a joint, collected from the loads.
struct JointLaws {
  quad damping = 0, stiffness = 0, rest = 0;
  quad kp = 0, kv = 0, target = 0;  // of a servo
  std::string servo = {};           // its name
  quad friction = 0;
  quad armature = 0;
  std::optional<std::array<quad, 2>> range = {};  // of its coordinate
  bool any() const { return damping > 0 || stiffness > 0 || !servo.empty() || friction > 0 || armature > 0 || range; }
};

// The coordinate of a joint = ratio times that of another, and offset, both counted from the placements.
struct ExportGear {
  std::string name;
  int joint = 0, follows = 0;  // the first coordinates of these
  quad ratio = 1, offset = 0;
};

struct ExportMotor {
  std::string name;
  int joint = 0, which = 0;  // of its coordinates
  AffineForce force;
};

struct ExportJoint {
  const JointRecord* record = nullptr;
  bool swapped = false;             // the tree has its second side as the parent
  Triple anchor{}, from{}, axis{};  // in space, at the placements: points of both sides; the axis of the child
  Triple axis_to{};                 // of a universal joint, in space
  // Of each of its coordinates: where it is at the placements, and what acts on it.
  std::array<quad, 3> coordinates{};
  std::array<JointLaws, 3> each = {};
  quad coordinate() const { return coordinates[0]; }
  JointLaws& laws() { return each[0]; }
  const JointLaws& laws() const { return each[0]; }
  bool lawful() const {
    return std::any_of(each.begin(), each.end(), [](const JointLaws& one) { return one.any(); });
  }

  // What kind it is, by its row of the table of joints (bodies/joint_type.hpp): what it is measured by, where that says
  // all of how it moves; and what it keeps.
  bool told() const;
  bool moves_by(const std::vector<Measures>& all) const { return told() && record->type->measures == all; }
  bool keeps(const std::vector<Keeps>& all) const { return record->type->keeps == all; }
  std::string type() const { return record->type->name; }  // for messages
};
int coordinate_count(Measures measure);
bool told(const JointType& type);
// Points, axes and bodies, which files close loops by.
bool closes_loops(const JointType& type);
// Those of the table for which it is so, in words: "revolute, spherical or fixed".
std::string joint_words(const std::function<bool(const JointType&)>& wanted);

struct ExportBody {
  const BodyRecord* record = nullptr;
  int parent = -1;   // a body, or the ground
  int joint = -1;    // -1: it floats
  Pose frame{};      // in which it was given, in space
  Tensor inertia{};  // about its centre, along the axes of the frame
  std::vector<int> children = {};
};

struct ExportTree {
  const MechanismData& told;
  std::vector<ExportBody> bodies;
  std::vector<ExportJoint> joints;  // of the mechanism, in its order
  std::vector<int> roots;           // bodies on the ground, or on nothing
  std::vector<int> loops;           // joints that are none of the tree
  std::vector<ExportGear> gears = {};
  std::vector<ExportMotor> motors = {};
  std::vector<std::string> notes = {};

  explicit ExportTree(const MechanismData& data);
};

// "joint \"A\"" and so on: refused in one line with what the format has instead.
[[noreturn]] void refuse_export(const std::string& what, const std::string& reason);

std::string urdf_text(ExportTree& tree, const std::string& name);
std::string mjcf_text(ExportTree& tree, const std::string& name, quad step);

// Within quotes of XML.
std::string xml_text(const std::string& text);

}  // namespace extremal::robots
