// Where joints start: as --at says, and whether their limits have that.
#include "extremal/error.hpp"
#include "extremal/number.hpp"
#include "import/robot.hpp"
#include "words/grammar.hpp"

namespace extremal::robots {
namespace {

void hold(Robot& robot, const std::string& start) {
  const std::string what = "--at " + extremal::quoted(start);
  const std::size_t equals = start.rfind('=');
  if (equals == std::string::npos || equals == 0)
    throw InputError(what + ": found no JOINT=VALUE; expected a joint and its start, e.g. --at elbow=0.5");
  const std::string name = start.substr(0, equals);
  quad value = 0;
  try {
    value = Number(start.substr(equals + 1)).as<quad>();
  } catch (const InputError& error) {
    throw InputError(what + ": " + error.what());
  }
  std::vector<std::string> known;
  for (Link& link : robot.links)
    for (RobotJoint& j : link.joints) {
      known.push_back(j.name);
      if (j.name != name) continue;
      if (j.freedom != Freedom::revolute && j.freedom != Freedom::prismatic)
        throw InputError(what + ": found a joint of several freedoms; expected a hinge or a slide");
      j.start = value - j.ref, j.held = true;
      return;
    }
  throw InputError(what + ": " + unknown("joint", name, known));
}

}  // namespace

void hold_joints(Robot& robot, const std::vector<std::string>& starts) {
  for (const std::string& start : starts) hold(robot, start);
}

void note_limits(Robot& robot) {
  const quad digits = quad(1e-9);
  for (const Link& link : robot.links)
    for (const RobotJoint& j : link.joints)
      if (const quad x = j.start + j.ref; j.range && (x < (*j.range)[0] - digits || x > (*j.range)[1] + digits))
        robot.notes.add("joints that start beyond their limits", j.name, j.place, false);
}

}  // namespace extremal::robots
