#include "import/mjcf_equality.hpp"

#include "words/grammar.hpp"

namespace extremal::robots {
namespace {

void read_coupling(const Attributes& a, const std::string& name, const MjcfNames& names, Robot& robot) {
  const Element& e = a.element();
  Coupling c;
  c.name = name, c.place = e.at(), c.joint = e.file->text(e.node, "joint1"), c.other = a.text("joint2");
  for (const std::string& joint : {c.joint, c.other})
    if (!joint.empty()) names.expect_joint(e, joint);
  if (c.joint == c.other) e.refuse("found joint " + extremal::quoted(c.joint) + " twice; expected two");
  c.polynomial = a.has("polycoef") ? a.numbers("polycoef", 0) : std::vector<quad>{0, 1};
  if (c.polynomial.empty() || c.polynomial.size() > 5)
    e.refuse("polycoef: found " + std::to_string(c.polynomial.size()) + " numbers; expected at most 5");
  robot.couplings.push_back(std::move(c));
}

// Two points, or two frames, that coincide where all joints are as the file has the bodies.
void place_of_bodies(const Attributes& a, const MjcfNames& names, const Robot& robot, Loop& loop) {
  const Element& e = a.element();
  const bool weld = loop.kind == Loop::Kind::fixed;
  e.file->text(e.node, "body1");
  loop.a.link = names.body(e, a.text("body1")), loop.b.link = names.body(e, a.text("body2", "world"));
  const std::vector<Pose> at = poses(robot);
  const auto placed = [&](int link) { return link < 0 ? Pose{} : at[static_cast<std::size_t>(link)]; };
  if (!weld) e.file->text(e.node, "anchor");
  // Of a weld the anchor is in the second body, and does not matter to frames that coincide.
  if (!weld) loop.a.pose.at = a.triple("anchor", {});
  loop.b.pose = inverse(placed(loop.b.link)) * (placed(loop.a.link) * loop.a.pose);
  if (!a.has("relpose")) return;
  const std::vector<quad> x = a.numbers("relpose", 7);
  if (x[3] == 0 && x[4] == 0 && x[5] == 0 && x[6] == 0) return;  // as the bodies are
  loop.a.pose = {{x[0], x[1], x[2]}, quaternion_rotation(e, {x[3], x[4], x[5], x[6]})};
  loop.b.pose = {};
}

}  // namespace

int MjcfNames::body(const Element& e, const std::string& name) const {
  if (name == "world") return -1;
  const auto found = bodies.find(name);
  if (found != bodies.end()) return found->second;
  std::vector<std::string> known = {"world"};
  for (const auto& [each, index] : bodies) known.push_back(each);
  e.refuse(unknown("body", name, known));
}

LinkFrame MjcfNames::site(const Element& e, const std::string& name) const {
  const auto found = sites.find(name);
  if (found != sites.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [each, placed] : sites) known.push_back(each);
  e.refuse(unknown("site", name, known));
}

void MjcfNames::expect_joint(const Element& e, const std::string& name) const {
  if (!joints.contains(name)) e.refuse(unknown("joint", name, {joints.begin(), joints.end()}));
}

void read_equality(const Attributes& a, const std::string& name, const MjcfNames& names, Robot& robot) {
  const Element& e = a.element();
  const std::string what = e.name();
  for (const char* key : {"solref", "solimp", "torquescale"})
    if (a.has(key)) robot.notes.add("softness of equalities, which are exact here", name, e.at(), false);
  if (a.text("active", "true") == "false")
    return robot.notes.add("equalities that are not active", name, e.at(), false);
  if (what == "joint") return read_coupling(a, name, names, robot);
  if (what != "connect" && what != "weld") return robot.notes.add("equality <" + what + "> is not read", name, e.at());
  Loop loop;
  loop.name = name, loop.place = e.at();
  loop.kind = what == "connect" ? Loop::Kind::spherical : Loop::Kind::fixed;
  if (a.has("site1") || a.has("site2"))
    loop.a = names.site(e, a.text("site1")), loop.b = names.site(e, a.text("site2"));
  else
    place_of_bodies(a, names, robot, loop);
  robot.loops.push_back(std::move(loop));
}

}  // namespace extremal::robots
