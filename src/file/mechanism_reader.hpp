// MechanismReader: tables of a model file, [[body]], [[joint]], [[spring]], ..., as parts of a Mechanism.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "bodies/load_type.hpp"
#include "extremal/mechanism.hpp"
#include "file/fields.hpp"
#include "file/joint_formulas.hpp"

namespace extremal {

class MechanismReader {
 public:
  MechanismReader(std::string name, Space space) : mechanism_(std::move(name), space) { bodies_.reserve(64); }

  Mechanism& mechanism() { return mechanism_; }

  // Each reads one table. Joints and loads are rows of the tables in bodies/.
  void body(Fields& part);
  void point_mass(Fields& part);
  void ground(Fields& part);
  void rod(Fields& part);
  void joint(Fields& part);
  void load(const LoadType& type, Fields& part);
  void drive(Fields& part);
  void joint_motor(Fields& part);
  // The table joints of [start]: { crank = { rate = 6 } }.
  void joint_starts(Scope& scope, const Document::Value& table);

  JointFormulas& joint_formulas() { return joint_formulas_; }
  const std::unordered_set<std::string>& joint_names() const { return joint_names_; }

 private:
  static std::string own_name(Fields& part);
  static bool by_inputs(const Scope& scope, const Document::Value& value, const Expanded& formula);
  // Whose target depends on inputs.
  void servo(Fields& part, const std::string& name, const Document::Value& target, const Expanded& formula);
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
  std::unordered_set<std::string> joint_names_;
  JointFormulas joint_formulas_;
};

}  // namespace extremal
