// Links that turn idly: pins between two hinges with one axis, as drawings have them.
#include <algorithm>

#include "import/groups.hpp"

namespace extremal::robots {
namespace {

struct Hinge {
  std::size_t link = 0;
  Triple anchor{}, axis{};  // in space
};

bool is_hinge(const Link& link) { return link.joints.size() == 1 && link.joints[0].freedom == Freedom::revolute; }

// All joints and loops of a group, if they are two hinges with one axis; the first of them is that of a link in it.
bool turns_idly(const Robot& robot, const Groups& groups, int index, std::vector<Hinge>& hinges) {
  const auto of = [&](int link) { return link < 0 ? 0 : groups.of[static_cast<std::size_t>(link)]; };
  hinges.clear();
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const Link& link = robot.links[i];
    const bool inside = groups.of[i] == index;
    if (link.joints.empty() || inside == (of(link.parent) == index)) continue;
    if (!inside || !is_hinge(link)) return false;  // others hang on it
    const RobotJoint& joint = link.joints[0];
    hinges.push_back({i, point(groups.at[i], joint.anchor), outward(groups.at[i].turn, joint.axis)});
  }
  for (const Loop& loop : robot.loops)
    if (loop.kind != Loop::Kind::fixed && (of(loop.a.link) == index || of(loop.b.link) == index)) return false;
  if (hinges.size() != 2) return false;
  const Triple apart = hinges[1].anchor - hinges[0].anchor;
  const quad near = quad(1e-9), length = norm(apart);
  return norm(cross(hinges[0].axis, hinges[1].axis)) < near &&
         norm(cross(apart, hinges[0].axis)) <= near * (1 + length);
}

// Round about the axis, so that its spin moves nothing else, and light beside its neighbours.
bool is_pin(const Robot& robot, const Groups& groups, const Group& group, const std::vector<Hinge>& hinges) {
  const Triple axis = inward(group.at.turn, hinges[0].axis);
  const Triple arm = inward(group.at.turn, hinges[0].anchor - group.at.at) - group.centre;
  const quad size = norm(arm) + norm(group.centre) + quad(1e-3);
  if (norm(cross(arm, axis)) > quad(1e-9) * size) return false;
  const auto across = normals(axis);
  const auto moment = [&](const Triple& u, const Triple& w) {
    const Tensor& J = group.inertia;
    return u[0] * w[0] * J[0] + u[1] * w[1] * J[1] + u[2] * w[2] * J[2] + (u[0] * w[1] + u[1] * w[0]) * J[3] +
           (u[0] * w[2] + u[2] * w[0]) * J[4] + (u[1] * w[2] + u[2] * w[1]) * J[5];
  };
  const quad a = moment(across[0], across[0]), b = moment(across[1], across[1]), all = a + b + moment(axis, axis);
  if (math::abs(a - b) + math::abs(moment(across[0], across[1])) > quad(1e-6) * all) return false;
  for (const Hinge& hinge : hinges) {
    const int parent = robot.links[hinge.link].parent;
    const int on = parent < 0 ? 0 : groups.of[static_cast<std::size_t>(parent)];
    if (on > 0 && group.mass > quad(0.02) * groups.list[static_cast<std::size_t>(on)].mass) return false;
  }
  return true;
}

}  // namespace

void merge_idle(Robot& robot) {
  for (int index = 1;; ++index) {
    const Groups groups = groups_of(robot);
    if (index >= static_cast<int>(groups.list.size())) return;
    const Group& group = groups.list[static_cast<std::size_t>(index)];
    std::vector<Hinge> hinges;
    if (!turns_idly(robot, groups, index, hinges) || !is_pin(robot, groups, group, hinges)) continue;
    Link& link = robot.links[hinges[0].link];
    const std::string& gone = link.joints[0].name;
    const auto named = [&](const auto& part) { return part.joint == gone; };
    if (std::any_of(robot.couplings.begin(), robot.couplings.end(),
                    [&](const Coupling& each) { return each.joint == gone || each.other == gone; }) ||
        std::any_of(robot.actuators.begin(), robot.actuators.end(), named))
      continue;
    robot.notes.add("idle turning of light pins between two hinges, which are fixed to one side", group.name,
                    link.place);
    link.home = in_parent(link);
    link.joints.clear();
    index = 0;  // groups have changed
  }
}

}  // namespace extremal::robots
