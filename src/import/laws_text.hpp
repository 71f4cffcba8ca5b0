// Laws of joints, couplings and motors as parts of a model file.
#pragma once

#include <map>
#include <string>

#include "import/robot.hpp"

namespace extremal::robots {

// The coordinate of a joint in the model.
struct NamedCoordinate {
  std::string joint;    // as laws are told it: "elbow", or "u, v.angle_to" of a joint with several
  std::string formula;  // as formulas have it: "'elbow.angle'"
  quad shift = 0;       // what the robot's coordinate is more
};
// By the names of the joints in the robot.
using JointNames = std::map<std::string, NamedCoordinate>;

// A coordinate in a formula, more something.
std::string shifted_text(const std::string& formula, quad more);

// The tables of couplings: gears, or constraints between the coordinates of joints where they are not linear.
std::string coupling_text(const Robot& robot, const Coupling& coupling, const JointNames& names);

// Controls of actuators are parameters: their names, one for each.
std::vector<std::string> control_names(const Robot& robot);
std::string parameters_text(const Robot& robot);
// `own`: a name that no part has, like the one given.
template <class Name>
std::string actuators_text(const Robot& robot, const JointNames& names, Name own);

// The table of one actuator, which is called `name` in the model.
std::string actuator_text(const Actuator& actuator, const std::string& name, const NamedCoordinate& coordinate,
                          const std::string& word, const std::string& control);

template <class Name>
std::string actuators_text(const Robot& robot, const JointNames& names, Name own) {
  std::string text;
  const std::vector<std::string> controls = control_names(robot);
  for (std::size_t i = 0; i < robot.actuators.size(); ++i) {
    const Actuator& actuator = robot.actuators[i];
    const RobotJoint* joint = joint_with_coordinate(robot, actuator.joint);
    if (joint != nullptr)
      text += actuator_text(actuator, own(actuator.name), names.at(actuator.joint), joint->word, controls[i]);
  }
  return text;
}

}  // namespace extremal::robots
