#include <algorithm>

#include "import/robot.hpp"

namespace extremal::robots {
namespace {

// The only link on this one; -1 if there are others, or a loop holds it.
int only_child(const Robot& robot, int index) {
  int child = -1;
  for (std::size_t i = 0; i < robot.links.size(); ++i)
    if (robot.links[i].parent == index) {
      if (child >= 0) return -1;
      child = static_cast<int>(i);
    }
  const bool held = std::any_of(robot.loops.begin(), robot.loops.end(),
                                [&](const Loop& loop) { return loop.a.link == index || loop.b.link == index; });
  return held ? -1 : child;
}

void remove(Robot& robot, int index) {
  robot.links.erase(robot.links.begin() + index);
  for (Link& link : robot.links) link.parent -= link.parent > index ? 1 : 0;
  for (Loop& loop : robot.loops)
    for (LinkFrame* side : {&loop.a, &loop.b}) side->link -= side->link > index ? 1 : 0;
}

}  // namespace

void merge_massless(Robot& robot) {
  for (std::size_t i = 0; i < robot.links.size();) {
    const Link link = robot.links[i];
    const int child = link.mass > 0 || link.joints.empty() ? -1 : only_child(robot, static_cast<int>(i));
    if (child < 0) {
      ++i;
      continue;
    }
    // home M home' M' = (home home') (home'^-1 M home') M'
    Link& next = robot.links[static_cast<std::size_t>(child)];
    const Pose back = inverse(next.home);
    std::vector<RobotJoint> joints = link.joints;
    for (RobotJoint& joint : joints) {
      joint.anchor = point(back, joint.anchor);
      joint.axis = cleaned(outward(back.turn, joint.axis));
      joint.begin = back * joint.begin * next.home;
    }
    joints.insert(joints.end(), next.joints.begin(), next.joints.end());
    next.joints = std::move(joints);
    next.home = link.home * next.home, next.parent = link.parent;
    remove(robot, static_cast<int>(i));
  }
}

}  // namespace extremal::robots
