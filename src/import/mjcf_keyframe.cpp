#include "import/mjcf_keyframe.hpp"

#include <algorithm>

namespace extremal::robots {
namespace {

void joint_position(const Element& key, const Link& link, RobotJoint& j, const std::vector<quad>& q, std::size_t& i) {
  if (j.freedom == Freedom::floating) {
    const Pose pose{{q[i], q[i + 1], q[i + 2]}, quaternion_rotation(key, {q[i + 3], q[i + 4], q[i + 5], q[i + 6]})};
    j.begin = inverse(link.home) * pose;
    i += 7;
  } else if (j.freedom == Freedom::spherical) {
    j.begin.turn = quaternion_rotation(key, {q[i], q[i + 1], q[i + 2], q[i + 3]});
    i += 4;
  } else {
    j.start = q[i++] - j.ref;
  }
}

void joint_velocity(RobotJoint& j, const std::vector<quad>& v, std::size_t& k) {
  if (j.freedom == Freedom::floating) {
    j.velocity = {v[k], v[k + 1], v[k + 2]};
    k += 3;
  }
  if (j.freedom == Freedom::floating || j.freedom == Freedom::spherical) {
    j.angular = {v[k], v[k + 1], v[k + 2]};
    k += 3;
  } else {
    j.rate = v[k++];
  }
}

}  // namespace

void start_at(const Element& key, const std::vector<int>& actuators, Robot& robot) {
  std::vector<quad> q = key.file->numbers(key.node, "qpos"), v = key.file->numbers(key.node, "qvel");
  std::size_t nq = 0, nv = 0;
  for (const Link& link : robot.links)
    for (const RobotJoint& j : link.joints) {
      nq += j.freedom == Freedom::floating ? 7 : j.freedom == Freedom::spherical ? 4 : 1;
      nv += j.freedom == Freedom::floating ? 6 : j.freedom == Freedom::spherical ? 3 : 1;
    }
  if (!q.empty() && q.size() != nq)
    key.refuse("qpos: found " + std::to_string(q.size()) + " numbers; expected " + std::to_string(nq));
  if (!v.empty() && v.size() != nv)
    key.refuse("qvel: found " + std::to_string(v.size()) + " numbers; expected " + std::to_string(nv));
  std::size_t i = 0, k = 0;
  for (Link& link : robot.links)
    for (RobotJoint& j : link.joints) {
      if (!q.empty()) joint_position(key, link, j, q, i);
      if (!v.empty()) joint_velocity(j, v, k);
    }
  const std::vector<quad> u = key.file->numbers(key.node, "ctrl");
  if (!u.empty() && u.size() != actuators.size())
    key.refuse("ctrl: found " + std::to_string(u.size()) + " numbers; expected " + std::to_string(actuators.size()));
  for (std::size_t c = 0; c < u.size(); ++c)
    if (actuators[c] >= 0) {
      Actuator& actuator = robot.actuators[static_cast<std::size_t>(actuators[c])];
      actuator.control = u[c];
      if (const auto& range = actuator.controls) actuator.control = std::clamp(u[c], (*range)[0], (*range)[1]);
    }
  for (const char* name : {"act", "time", "mpos", "mquat"})
    for (const quad x : key.file->numbers(key.node, name))
      if (x != 0) robot.notes.add("states of other things than joints in the keyframe", name, key.at());
}

void hinges_of_two_points(Robot& robot) {
  for (std::size_t i = 0; i < robot.loops.size(); ++i)
    for (std::size_t k = i + 1; k < robot.loops.size(); ++k) {
      Loop &first = robot.loops[i], &second = robot.loops[k];
      const bool points = first.kind == Loop::Kind::spherical && second.kind == Loop::Kind::spherical;
      if (!points || first.a.link != second.a.link || first.b.link != second.b.link) continue;
      const Triple along = second.a.pose.at - first.a.pose.at, there = second.b.pose.at - first.b.pose.at;
      if (!(norm(along) > 0) || !(math::abs(norm(along) - norm(there)) < quad(1e-6) * norm(along))) continue;
      // Frames whose third axes are the line between the points.
      first.a.pose.turn = towards(along), first.b.pose.turn = towards(there);
      first.kind = Loop::Kind::revolute, first.axis = {0, 0, 1};
      robot.loops.erase(robot.loops.begin() + static_cast<std::ptrdiff_t>(k));
      break;
    }
}

}  // namespace extremal::robots
