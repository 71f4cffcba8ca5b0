// <compiler> and <option> of MJCF, and what they do to the bodies.
#include "import/mjcf_options.hpp"

#include "import/moments.hpp"
#include "words/grammar.hpp"

namespace extremal::robots {
namespace {

bool yes(const Element& e, const char* name, bool otherwise) {
  const std::string value = e.node.attribute(name).value();
  if (value.empty()) return otherwise;
  if (value != "true" && value != "false")
    e.refuse(std::string(name) + ": " + unknown("word", value, {"true", "false"}));
  return value == "true";
}

}  // namespace

void MjcfCompiler::read(const Element& e) {
  const auto word = [&](const char* name, const std::string& otherwise) {
    const std::string value = e.node.attribute(name).value();
    return value.empty() ? otherwise : value;
  };
  const std::string angle_word = word("angle", degrees ? "degree" : "radian");
  if (angle_word != "degree" && angle_word != "radian") e.refuse(unknown("angle", angle_word, {"degree", "radian"}));
  degrees = angle_word == "degree";
  if (word("coordinate", "local") != "local") e.refuse("found global coordinates; expected local ones");
  eulerseq = word("eulerseq", eulerseq);
  if (eulerseq.size() != 3 || eulerseq.find_first_not_of("xyzXYZ") != std::string::npos)
    e.refuse("eulerseq: found " + extremal::quoted(eulerseq) + "; expected three axes, as xyz");
  inertiafromgeom = word("inertiafromgeom", inertiafromgeom);
  if (inertiafromgeom != "auto" && inertiafromgeom != "true" && inertiafromgeom != "false")
    e.refuse("inertiafromgeom: " + unknown("word", inertiafromgeom, {"auto", "true", "false"}));
  meshdir = word("meshdir", word("assetdir", meshdir));
  strippath = yes(e, "strippath", strippath);
  autolimits = yes(e, "autolimits", autolimits);
  balanceinertia = yes(e, "balanceinertia", balanceinertia);
  boundmass = e.file->number(e.node, "boundmass", boundmass);
  boundinertia = e.file->number(e.node, "boundinertia", boundinertia);
  settotalmass = e.file->number(e.node, "settotalmass", settotalmass);
  if (e.node.attribute("inertiagrouprange")) {
    const std::vector<quad> groups = e.file->numbers(e.node, "inertiagrouprange", 2);
    inertia_groups = {groups[0], groups[1]};
  }
}

void MjcfCompiler::correct(Link& link, const Element& e, quad place) const {
  link.mass = math::max(link.mass, boundmass);
  PrincipalAxes own = principal_axes(link.inertia);
  Triple& J = own.moments;
  bool changed = false;
  for (quad& moment : J)
    if (boundinertia > 0 && moment < boundinertia) moment = boundinertia, changed = true;
  if (changed) link.inertia = turned({J[0], J[1], J[2], 0, 0, 0}, own.axes);
  const Moments found = mend_moments(link.inertia, place);
  if (found == Moments::possible) return;
  if (balanceinertia) {
    const quad third = (J[0] + J[1] + J[2]) / 3;
    link.inertia = turned({third, third, third, 0, 0, 0}, own.axes);
  } else if (found == Moments::mended) {
    notes->add(mended_moments, link.name, e.at(), false);
  } else {
    e.refuse(
        "found moments of inertia that no body has; expected none above the sum of the other two; try "
        "<compiler balanceinertia=\"true\"/>");
  }
}

void MjcfCompiler::finish(Robot& robot) const {
  if (!(settotalmass > 0)) return;
  quad total = 0;
  for (const Link& link : robot.links) total += link.mass;
  if (!(total > 0)) return;
  for (Link& link : robot.links) {
    link.mass *= settotalmass / total;
    for (quad& x : link.inertia) x *= settotalmass / total;
  }
}

void MjcfFlags::read(MjcfFiles& files, const Element& e, Robot& robot) {
  robot.gravity = e.file->triple(e.node, "gravity", robot.gravity);
  if (e.node.attribute("timestep")) {
    if (!(e.file->number(e.node, "timestep") > 0)) e.refuse("timestep: expected a positive one");
    robot.step = to_text(static_cast<double>(e.file->number(e.node, "timestep")));
  }
  for (const Element& flag : files.children(e))
    if (flag.name() == "flag")
      for (const pugi::xml_attribute& each : flag.node.attributes())
        if (each.value() == std::string("disable")) disabled_.insert(each.name());
  if (off("gravity")) robot.gravity = {};
  for (const char* name : {"wind", "density", "viscosity"})
    for (const quad x : e.file->numbers(e.node, name))
      if (x != 0 && !off("passive")) robot.notes.add("the air", name, e.at());
}

bool MjcfFlags::off(const std::string& what) const {
  if (disabled_.contains(what)) return true;
  const bool solver = what == "equality" || what == "frictionloss" || what == "limit" || what == "contact";
  return solver && disabled_.contains("constraint");
}

void MjcfFlags::apply(RobotJoint& joint) const {
  if (off("passive") || off("spring")) joint.stiffness = 0;
  if (off("passive") || off("damper")) joint.damping = 0;
  if (off("frictionloss")) joint.friction = 0;
  if (off("limit")) joint.range = {};
}

}  // namespace extremal::robots
