// Links without mass: files have them between two joints, at the ends of chains, and where chains branch.
#include <algorithm>

#include "import/groups.hpp"

namespace extremal::robots {
namespace {

// Beside the heaviest link: a mass without inertia, below what files know of the others.
constexpr double negligible = 1e-6;

Link& at(Robot& robot, int index) { return robot.links[static_cast<std::size_t>(index)]; }

bool has_inertia(const Tensor& J) {
  return std::any_of(J.begin(), J.end(), [](quad x) { return x != 0; });
}

// The joints between a group and the others, as links that have them: those by which it hangs, and what hangs on it.
struct Ties {
  std::vector<int> above, below;
  bool looped = false;
};

Ties ties_of(const Robot& robot, const Groups& groups, int index) {
  const auto of = [&](int link) { return link < 0 ? 0 : groups.of[static_cast<std::size_t>(link)]; };
  Ties ties;
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const bool inside = groups.of[i] == index, hangs = of(robot.links[i].parent) == index;
    if (!robot.links[i].joints.empty() && inside) ties.above.push_back(static_cast<int>(i));
    if (!robot.links[i].joints.empty() && hangs) ties.below.push_back(static_cast<int>(i));
  }
  for (const Loop& loop : robot.loops)
    ties.looped = ties.looped || of(loop.a.link) == index || of(loop.b.link) == index;
  return ties;
}

void remove(Robot& robot, int index) {
  robot.links.erase(robot.links.begin() + index);
  for (Link& link : robot.links) link.parent -= link.parent > index ? 1 : 0;
  for (Loop& loop : robot.loops)
    for (LinkFrame* side : {&loop.a, &loop.b}) side->link -= side->link > index ? 1 : 0;
}

// The joints of a link become those of the next, which hangs on it or on a frame that is fixed to it:
// home M home' M' = (home home') (home'^-1 M home') M'.
void merge(Robot& robot, const Group& group, int above, int below) {
  Link& next = at(robot, below);
  for (int frame = next.parent; frame != above; frame = at(robot, frame).parent)
    next.home = at(robot, frame).home * next.home;
  const Link& link = at(robot, above);
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
  std::vector<int> gone = group.links;
  std::sort(gone.begin(), gone.end(), std::greater<>());
  for (const int index : gone) {
    if (!at(robot, index).visuals.empty())
      robot.notes.add("shapes of links without mass between joints", at(robot, index).name, at(robot, index).place,
                      false);
    remove(robot, index);
  }
}

// What nothing follows moves nothing: it is fixed as it is at the start.
bool weld(Robot& robot, Link& link) {
  const auto own = [&](const std::string& joint) {
    return std::any_of(link.joints.begin(), link.joints.end(), [&](const RobotJoint& j) { return j.name == joint; });
  };
  if (std::any_of(robot.couplings.begin(), robot.couplings.end(), [&](const Coupling& c) { return own(c.other); }))
    return false;
  const auto idle = [&](const auto& part) {
    if (!own(part.joint)) return false;
    robot.notes.add("motors and couplings of joints that move no mass", part.name, part.place, false);
    return true;
  };
  std::erase_if(robot.couplings, idle);
  std::erase_if(robot.actuators, idle);
  for (const RobotJoint& j : link.joints)
    robot.notes.add("joints that move no mass, which are fixed", j.name, j.place, false);
  link.home = in_parent(link);
  link.joints.clear();
  return true;
}

bool is_massless(const Group& group) { return !group.ground && !(group.mass > 0); }

bool merge_one(Robot& robot) {
  const Groups groups = groups_of(robot);
  for (std::size_t g = 1; g < groups.list.size(); ++g) {
    if (!is_massless(groups.list[g])) continue;
    const Ties ties = ties_of(robot, groups, static_cast<int>(g));
    if (ties.looped || ties.above.size() != 1 || ties.below.size() > 1) continue;
    if (ties.below.size() == 1) return merge(robot, groups.list[g], ties.above[0], ties.below[0]), true;
    if (weld(robot, at(robot, ties.above[0]))) return true;
  }
  return false;
}

bool anything_moves(const Groups& groups) {
  return std::any_of(groups.list.begin(), groups.list.end(),
                     [](const Group& group) { return !group.ground && group.mass > 0; });
}

}  // namespace

void merge_massless(Robot& robot) {
  quad heaviest = 0;
  for (const Link& link : robot.links) heaviest = math::max(heaviest, link.mass);
  const Groups groups = groups_of(robot);
  for (std::size_t i = 0; i < robot.links.size(); ++i)
    if (const Link& link = robot.links[i]; groups.of[i] != 0 && !(link.mass > 0) && has_inertia(link.inertia))
      robot.notes.add("moments of inertia of links without mass", link.name, link.place);
  for (const Group& group : groups.list) {
    if (group.ground || !(group.mass > 0) || has_inertia(group.inertia) || group.mass > quad(negligible) * heaviest)
      continue;
    robot.notes.add("masses without inertia below 1e-6 of the heaviest", group.name, group.place, false);
    for (const int index : group.links) at(robot, index).mass = 0;
  }
  if (!anything_moves(groups_of(robot))) return;  // which will be refused
  while (merge_one(robot)) {
  }
}

void lighten_massless(Robot& robot) {
  const Groups groups = groups_of(robot);
  if (!anything_moves(groups)) return;
  for (const Group& group : groups.list) {
    if (!is_massless(group)) continue;
    const auto moving = std::find_if(group.links.begin(), group.links.end(),
                                     [&](int index) { return !at(robot, index).joints.empty(); });
    if (moving == group.links.end()) continue;
    Link& link = at(robot, *moving);
    const auto [mass, moment] = heft(robot, static_cast<std::size_t>(*moving));
    const quad part = quad(lightness);
    link.mass = part * mass, link.centre = link.joints.back().anchor;
    link.inertia = {part * moment, part * moment, part * moment, 0, 0, 0};
    robot.notes.add("links without mass, which here have 1e-8 of that of their neighbours", link.name, link.place);
  }
}

}  // namespace extremal::robots
