// JointFormulas: what acts on the coordinates of joints by formulas, motors and servos with inputs. They become terms
// when the formulas of the file know the coordinates of the system.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "extremal/models.hpp"
#include "file/scope.hpp"

namespace extremal {

class JointFormulas {
 public:
  using Value = Document::Value;
  // The torque is a formula of t, coordinates and their rates; "angle" is that of the joint.
  void motor(const std::string& name, const std::string& joint, const Value& torque, Expanded formula);
  // Towards a target that depends on inputs.
  struct Gains {
    Number stiffness, damping, integral;
  };
  void servo(const std::string& name, const std::string& joint, const Value& target, Expanded formula,
             const Gains& gains);

  // The terms of all of them, what servos remember, and the names of motors for columns.
  void add_to(Model& model, const Mechanism& mechanism, Scope& scope, Formulas& formulas) const;

 private:
  struct One {
    std::string name, joint;
    const Value* at;
    Expanded torque, target;
    bool remembers = false;
  };
  std::vector<One> all_;
};

// Makes the coordinates of joints that formulas of the file mention, as "elbow.angle", coordinates of the system.
void own_mentioned(const Document::Value& root, const std::unordered_set<std::string>& joints, Mechanism& mechanism);

}  // namespace extremal
