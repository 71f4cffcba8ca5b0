// MechanismReader: tables of a model file, [[body]], [[joint]], [[spring]], ..., as parts of a Mechanism.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "bodies/load_type.hpp"
#include "extremal/mechanism.hpp"
#include "file/fields.hpp"

namespace extremal {

// A motor of a joint by a formula, which becomes a term when the formulas know the coordinates.
struct JointMotor {
  std::string name, joint;
  const Document::Value* at;
  Expanded torque;
};

class MechanismReader {
 public:
  MechanismReader(std::string name, Space space) : mechanism_(std::move(name), space) { bodies_.reserve(64); }

  Mechanism& mechanism() { return mechanism_; }

  // Each reads one table. Joints and loads are rows of the tables in bodies/.
  void body(Fields& part);
  void point_mass(Fields& part);
  void rod(Fields& part);
  void joint(Fields& part);
  void load(const LoadType& type, Fields& part);
  void drive(Fields& part);
  void joint_motor(Fields& part);
  // The table joints of [start]: { crank = { rate = 6 } }.
  void joint_starts(Scope& scope, const Document::Value& table);

  std::vector<JointMotor>& motors() { return motors_; }

 private:
  static std::string own_name(Fields& part);
  void add(const std::string& name, const Body& body);
  void place_nodes(Fields& part, const Rod& rod);

  // A body by its name.
  Body find(Fields& part, const Document::Value& value);
  // "bar 1", its centre of mass; { body = "bar 1", at = ["1/2", 0] }; { at = [0, 0] } of the ground.
  Point point(Fields& part, const char* key);
  Point at(const Body& body, std::vector<Number> x) const;

  Mechanism mechanism_;
  std::unordered_map<std::string, Body> bodies_;
  std::vector<std::string> names_;
  std::vector<JointMotor> motors_;
};

}  // namespace extremal
