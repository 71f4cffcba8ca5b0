// Joints and actuators that name each other.
#include <algorithm>

#include "import/robot.hpp"

namespace extremal::robots {

const RobotJoint* single_joint(const Robot& robot, const std::string& name) {
  for (const Link& link : robot.links)
    for (const RobotJoint& joint : link.joints)
      if (joint.name == name) {
        const bool one = joint.freedom == Freedom::revolute || joint.freedom == Freedom::prismatic;
        return one && link.joints.size() == 1 ? &joint : nullptr;
      }
  return nullptr;
}

void expect_single(Robot& robot) {
  for (const Link& link : robot.links)
    for (const RobotJoint& j : link.joints) {
      const bool one = j.freedom == Freedom::revolute || j.freedom == Freedom::prismatic;
      const bool lone = one && link.joints.size() == 1;
      if (j.range && !(lone && robot.limits)) robot.notes.add("limits of joints", j.name, j.place);
      if (j.friction > 0 && !lone) robot.notes.add("dry friction of joints with several freedoms", j.name, j.place);
      if (j.armature > 0 && !lone) robot.notes.add("armature of joints with several freedoms", j.name, j.place);
    }
  const auto lost = [&](const auto& part, const std::string& joint) {
    return !joint.empty() && single_joint(robot, joint) == nullptr &&
           (robot.notes.add("motors and couplings of joints with several freedoms", part.name, part.place), true);
  };
  std::erase_if(robot.couplings, [&](const Coupling& c) { return lost(c, c.joint) || lost(c, c.other); });
  std::erase_if(robot.actuators, [&](const Actuator& a) { return lost(a, a.joint); });
}

}  // namespace extremal::robots
