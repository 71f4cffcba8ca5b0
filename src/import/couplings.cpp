// Joints and actuators that name each other.
#include <algorithm>

#include "import/robot.hpp"

namespace extremal::robots {

const RobotJoint* joint_with_coordinate(const Robot& robot, const std::string& name) {
  for (const Link& link : robot.links)
    for (const RobotJoint& joint : link.joints)
      if (joint.name == name) return joint.word.empty() ? nullptr : &joint;
  return nullptr;
}

void expect_coordinates(Robot& robot) {
  for (const Link& link : robot.links)
    for (const RobotJoint& j : link.joints) {
      const bool has = !j.word.empty();
      if (j.range && !(has && robot.limits)) robot.notes.add("limits of joints", j.name, j.place);
      if (j.friction > 0 && !has) robot.notes.add("dry friction of joints with several freedoms", j.name, j.place);
      if (j.armature > 0 && !has) robot.notes.add("armature of joints with several freedoms", j.name, j.place);
    }
  const auto lost = [&](const auto& part, const std::string& joint) {
    return !joint.empty() && joint_with_coordinate(robot, joint) == nullptr &&
           (robot.notes.add("motors and couplings of joints with several freedoms", part.name, part.place), true);
  };
  std::erase_if(robot.couplings, [&](const Coupling& c) { return lost(c, c.joint) || lost(c, c.other); });
  std::erase_if(robot.actuators, [&](const Actuator& a) { return lost(a, a.joint); });
}

}  // namespace extremal::robots
