// Joints one after another without bodies between them: one joint of a model where there is such a joint, or joints
// with a light body between them.
#include <algorithm>

#include "import/groups.hpp"

namespace extremal::robots {
namespace {

bool acts_by_itself(const Robot& robot, const RobotJoint& j) {
  const auto names = [&](const auto& part) { return part.joint == j.name; };
  return j.damping > 0 || j.stiffness > 0 || j.armature > 0 || j.friction > 0 || (j.range && robot.limits) ||
         std::any_of(robot.actuators.begin(), robot.actuators.end(), names) ||
         std::any_of(robot.couplings.begin(), robot.couplings.end(),
                     [&](const Coupling& each) { return each.joint == j.name || each.other == j.name; });
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

std::array<quad, 2> heft(const Robot& robot, std::size_t index) {
  const auto moment = [](const Link& link) {
    return math::max(link.inertia[0], math::max(link.inertia[1], link.inertia[2]));
  };
  const auto heavy = [&](const Link& link) { return link.mass > 0 && moment(link) > 0; };
  std::vector<bool> hangs(robot.links.size(), false);
  hangs[index] = true;
  for (std::size_t i = index; i < robot.links.size(); ++i) {  // parents are before their children
    const Link& link = robot.links[i];
    if (i > index) hangs[i] = link.parent >= 0 && hangs[static_cast<std::size_t>(link.parent)];
    if (hangs[i] && heavy(link)) return {link.mass, moment(link)};
  }
  for (int up = robot.links[index].parent; up >= 0; up = robot.links[static_cast<std::size_t>(up)].parent)
    if (const Link& link = robot.links[static_cast<std::size_t>(up)]; heavy(link)) return {link.mass, moment(link)};
  for (const Link& link : robot.links)
    if (heavy(link)) return {link.mass, moment(link)};
  return {0, 0};
}

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
  // In the order of the joints: what a hinge and a slide are called.
  const auto words = [&](const char* turn, const char* slide) {
    std::vector<std::string> all;
    for (const RobotJoint& joint : link.joints) all.emplace_back(joint.freedom == Freedom::prismatic ? slide : turn);
    return all;
  };
  const std::vector<std::string> none(link.joints.size());
  const bool together = std::all_of(
      turns.begin(), turns.end(), [&](const PlacedAxis& each) { return norm(each.anchor - turns[0].anchor) < small; });
  const auto volume = [](const std::vector<PlacedAxis>& x) {
    return math::abs(dot(cross(x[0].axis, x[1].axis), x[2].axis));
  };
  const std::size_t n = turns.size(), m = slides.size();
  const bool all_ways = m == 3 && volume(slides) > quad(0.01);
  if (!only) {
    const bool ball = n == 1 && link.joints.back().freedom == Freedom::spherical;
    return {all_ways && ball ? "floating" : "", {}, {}, {}, none};
  }
  if (together && n == 2 && m == 0 && normal(turns[0].axis, turns[1].axis))
    return {"universal", turns[0].anchor, turns[0].axis, turns[1].axis, {"angle", "angle_to"}};
  if (together && n == 3 && m == 0 && volume(turns) > quad(0.01)) return {"spherical", turns[0].anchor, {}, {}, none};
  if (n == 1 && m == 1 && parallel(turns[0].axis, slides[0].axis))
    return {"cylindrical",
            turns[0].anchor,
            turns[0].axis,
            {},
            words("angle", dot(turns[0].axis, slides[0].axis) > 0 ? "stroke" : "")};
  if (n == 1 && m == 2 && normal(turns[0].axis, slides[0].axis) && normal(turns[0].axis, slides[1].axis) &&
      norm(cross(slides[0].axis, slides[1].axis)) > quad(0.01))
    return {"planar", turns[0].anchor,    turns[0].axis,
            {},       words("angle", ""), link.joints.back().freedom == Freedom::revolute};
  return {all_ways && n == 3 && volume(turns) > quad(0.01) ? "floating" : "", {}, {}, {}, none};
}

void separate_joints(Robot& robot) {
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    if (robot.links[i].joints.size() < 2) continue;
    const std::vector<Pose> at = poses(robot);
    const Link& link = robot.links[i];
    const Pose parent = link.parent < 0 ? Pose{} : at[static_cast<std::size_t>(link.parent)];
    const JoinedJoint one = joined(link, parent);
    bool lawful = !one.type.empty();
    for (std::size_t k = 0; k < link.joints.size(); ++k)
      lawful = lawful && (!one.words[k].empty() || !acts_by_itself(robot, link.joints[k]));
    if (lawful) {
      const bool grounded = link.parent < 0 || groups_of(robot).of[static_cast<std::size_t>(link.parent)] == 0;
      for (std::size_t k = 0; k < link.joints.size(); ++k) {
        RobotJoint& j = robot.links[i].joints[k];
        j.word = one.words[k];
        if (j.word.empty() && !(one.slides && grounded))
          robot.notes.add("coordinates of joints that are one joint here, or leave a body free", j.name, j.place,
                          false);
      }
      continue;
    }
    for (const RobotJoint& j : link.joints)
      robot.notes.add("joints of one body, which here have a body of 1e-8 of its mass between them", j.name, j.place);
    while (robot.links[i].joints.size() > 1) insert_light(robot, i++);
  }
  for (Link& link : robot.links)
    if (link.joints.size() == 1 && link.joints[0].freedom == Freedom::revolute) link.joints[0].word = "angle";
  for (Link& link : robot.links)
    if (link.joints.size() == 1 && link.joints[0].freedom == Freedom::prismatic) link.joints[0].word = "stroke";
}

}  // namespace extremal::robots
