// Joints one after another without bodies between them: one joint of a model where there is such a joint, or joints
// with a light body between them.
#include <algorithm>

#include "import/robot.hpp"

namespace extremal::robots {
namespace {

// Of a light body, beside the mass and the moments of the one that it carries: below what files know of these, and
// enough for the digits of a step.
constexpr double lightness = 1e-8;

bool acts_by_itself(const Robot& robot, const RobotJoint& j) {
  const auto names = [&](const auto& part) { return part.joint == j.name; };
  return j.damping > 0 || j.stiffness > 0 || j.armature > 0 || j.friction > 0 || (j.range && robot.limits) ||
         std::any_of(robot.actuators.begin(), robot.actuators.end(), names) ||
         std::any_of(robot.couplings.begin(), robot.couplings.end(),
                     [&](const Coupling& each) { return each.joint == j.name || each.other == j.name; });
}

// Mass and largest moment of the link, or of the first that hangs on it and has some.
std::array<quad, 2> heft(const Robot& robot, std::size_t index) {
  std::vector<bool> hangs(robot.links.size(), false);
  hangs[index] = true;
  for (std::size_t i = index; i < robot.links.size(); ++i) {  // parents are before their children
    const Link& link = robot.links[i];
    if (i > index) hangs[i] = link.parent >= 0 && hangs[static_cast<std::size_t>(link.parent)];
    const quad moment = math::max(link.inertia[0], math::max(link.inertia[1], link.inertia[2]));
    if (hangs[i] && link.mass > 0 && moment > 0) return {link.mass, moment};
  }
  return {0, 0};
}

// A link before the one at `index`, which becomes its only child and leaves it the first of its joints.
void insert_light(Robot& robot, std::size_t index) {
  const auto [mass, moment] = heft(robot, index);
  const int here = static_cast<int>(index);
  Link light;
  {
    Link& link = robot.links[index];
    light.name = link.name + " after " + link.joints[0].name;
    light.place = link.joints[0].place, light.parent = link.parent, light.home = link.home;
    light.joints = {link.joints[0]};
    const quad part = quad(lightness);
    light.mass = part * mass, light.centre = link.joints[1].anchor;
    light.inertia = {part * moment, part * moment, part * moment, 0, 0, 0};
    link.joints.erase(link.joints.begin());
    link.home = {};
  }
  for (Link& link : robot.links) link.parent += link.parent >= here ? 1 : 0;
  robot.links[index].parent = here;
  for (Loop& loop : robot.loops)
    for (LinkFrame* side : {&loop.a, &loop.b}) side->link += side->link >= here ? 1 : 0;
  robot.links.insert(robot.links.begin() + here, std::move(light));
}

}  // namespace

std::vector<PlacedAxis> placed_axes(const Link& link, const Pose& parent) {
  Pose frame = parent * link.home;
  std::vector<PlacedAxis> places;
  for (const RobotJoint& joint : link.joints) {
    frame = frame * motion(joint);
    places.push_back({point(frame, joint.anchor), outward(frame.turn, joint.axis)});
  }
  return places;
}

JoinedJoint joined(const Link& link, const Pose& parent) {
  std::vector<PlacedAxis> turns, slides;
  bool only = true;  // hinges and slides
  const std::vector<PlacedAxis> places = placed_axes(link, parent);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const Freedom freedom = link.joints[k].freedom;
    only = only && (freedom == Freedom::revolute || freedom == Freedom::prismatic);
    (freedom == Freedom::prismatic ? slides : turns).push_back(places[k]);
  }
  const quad small = quad(1e-9);
  const auto parallel = [&](const Triple& u, const Triple& w) { return norm(cross(u, w)) < small; };
  const auto normal = [&](const Triple& u, const Triple& w) { return math::abs(dot(u, w)) < small; };
  const bool together = std::all_of(
      turns.begin(), turns.end(), [&](const PlacedAxis& each) { return norm(each.anchor - turns[0].anchor) < small; });
  const auto volume = [](const std::vector<PlacedAxis>& x) {
    return math::abs(dot(cross(x[0].axis, x[1].axis), x[2].axis));
  };
  const std::size_t n = turns.size(), m = slides.size();
  const bool all_ways = m == 3 && volume(slides) > quad(0.01);
  if (!only) {
    const bool ball = n == 1 && link.joints.back().freedom == Freedom::spherical;
    return {all_ways && ball ? "floating" : ""};
  }
  if (together && n == 2 && m == 0 && normal(turns[0].axis, turns[1].axis))
    return {"universal", turns[0].anchor, turns[0].axis, turns[1].axis};
  if (together && n == 3 && m == 0 && volume(turns) > quad(0.01)) return {"spherical", turns[0].anchor};
  if (n == 1 && m == 1 && parallel(turns[0].axis, slides[0].axis))
    return {"cylindrical", turns[0].anchor, turns[0].axis};
  if (n == 1 && m == 2 && normal(turns[0].axis, slides[0].axis) && normal(turns[0].axis, slides[1].axis) &&
      norm(cross(slides[0].axis, slides[1].axis)) > quad(0.01))
    return {"planar", turns[0].anchor, turns[0].axis};
  return {all_ways && n == 3 && volume(turns) > quad(0.01) ? "floating" : ""};
}

void separate_joints(Robot& robot) {
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    if (robot.links[i].joints.size() < 2) continue;
    const std::vector<Pose> at = poses(robot);
    const Link& link = robot.links[i];
    const bool law = std::any_of(link.joints.begin(), link.joints.end(),
                                 [&](const RobotJoint& j) { return acts_by_itself(robot, j); });
    const Pose parent = link.parent < 0 ? Pose{} : at[static_cast<std::size_t>(link.parent)];
    if (!law && !joined(link, parent).type.empty()) continue;
    for (const RobotJoint& j : link.joints)
      robot.notes.add("joints of one body, which here have a body of 1e-8 of its mass between them", j.name, j.place,
                      false);
    while (robot.links[i].joints.size() > 1) insert_light(robot, i++);
  }
}

}  // namespace extremal::robots
