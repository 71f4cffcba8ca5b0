// MJCF: bodies in bodies, each with its joints; defaults, includes, equalities as loops, a keyframe as the start.
#include <algorithm>
#include <set>

#include "extremal/error.hpp"
#include "import/mjcf_geom.hpp"
#include "words/grammar.hpp"

namespace extremal::robots {
namespace {

class Mjcf {
 public:
  Mjcf(const XmlFile& file, const ImportOptions& options, const Beside& beside)
      : top_{&file, file.root()}, options_(options), files_(beside) {}

  Robot read() {
    robot_.name = top_.node.attribute("model").value();
    if (robot_.name.empty()) robot_.name = "robot";
    const std::vector<Element> sections = files_.children(top_);
    for (const Element& section : sections) {
      if (section.name() == "compiler") compiler(section);
      if (section.name() == "option") option(section);
      if (section.name() == "default") defaults_.read(files_, section, "");
    }
    for (const Element& section : sections)
      if (section.name() == "worldbody") body(section, -1, "", 0);
    if (robot_.links.empty()) top_.refuse("found no body; expected a <worldbody> with one");
    for (const Element& section : sections) other(section);
    for (const Element& key : keys_) keyframe(key);
    add_loops(robot_, frames_, options_.close, top_.at());
    return std::move(robot_);
  }

 private:
  void compiler(const Element& e) {
    const auto word = [&](const char* name, const std::string& otherwise) {
      const std::string value = e.node.attribute(name).value();
      return value.empty() ? otherwise : value;
    };
    const std::string angle = word("angle", compiler_.degrees ? "degree" : "radian");
    if (angle != "degree" && angle != "radian") e.refuse(unknown("angle", angle, {"degree", "radian"}));
    compiler_.degrees = angle == "degree";
    if (word("coordinate", "local") != "local") e.refuse("found global coordinates; expected local ones");
    compiler_.eulerseq = word("eulerseq", compiler_.eulerseq);
    if (compiler_.eulerseq.size() != 3 || compiler_.eulerseq.find_first_not_of("xyzXYZ") != std::string::npos)
      e.refuse("eulerseq: found " + extremal::quoted(compiler_.eulerseq) + "; expected three axes, as xyz");
    compiler_.inertiafromgeom = word("inertiafromgeom", compiler_.inertiafromgeom);
    compiler_.autolimits = word("autolimits", compiler_.autolimits ? "true" : "false") == "true";
    for (const char* name : {"settotalmass", "boundmass", "boundinertia", "balanceinertia", "inertiagrouprange"})
      if (e.node.attribute(name)) robot_.notes.add("options of the compiler", name, e.at());
  }

  void option(const Element& e) {
    robot_.gravity = e.file->triple(e.node, "gravity", robot_.gravity);
    if (e.node.attribute("timestep")) {
      if (!(e.file->number(e.node, "timestep") > 0)) e.refuse("timestep: expected a positive one");
      robot_.step = to_text(static_cast<double>(e.file->number(e.node, "timestep")));
    }
    for (const char* name : {"wind", "density", "viscosity"})
      for (const quad x : e.file->numbers(e.node, name))
        if (x != 0) robot_.notes.add("the air", name, e.at());
  }

  std::string own_name(const Element& e, const std::string& kind) {
    const std::string name = e.node.attribute("name").value();
    return name.empty() ? kind : name;
  }

  void body(const Element& e, int parent, const std::string& around, int depth) {
    if (depth > 150) e.refuse("found bodies nested " + std::to_string(depth) + " deep; expected fewer");
    int index = parent;
    const std::string childclass = e.node.attribute("childclass").value();
    const std::string inside = childclass.empty() ? around : childclass;
    const bool world = e.name() == "worldbody";
    if (!world) {
      index = static_cast<int>(robot_.links.size());
      Link link;
      link.name = own_name(e, "body " + std::to_string(index + 1));
      link.place = e.at(), link.parent = parent, link.home = compiler_.pose(Attributes(e, defaults_, ""));
      if (!frames_.emplace(link.name, NamedFrame{{index, {}}}).second)
        e.refuse("found a second body " + extremal::quoted(link.name) + "; expected distinct names");
      bodies_[link.name] = index;
      robot_.links.push_back(std::move(link));
      for (const char* name : {"mocap", "gravcomp"})
        if (e.node.attribute(name))
          robot_.notes.add(std::string(name) + " of bodies", robot_.links.back().name, e.at());
    }
    std::vector<Element> geoms;
    bool inertial = false;
    for (const Element& child : files_.children(e)) {
      const std::string what = child.name();
      if (what == "body")
        body(child, index, inside, depth + 1);
      else if (what == "geom")
        geoms.push_back(child);
      else if (what == "site")
        site(child, index, inside);
      else if (what == "camera" || what == "light")
        robot_.notes.add("colours, meshes, cameras and lights", "", child.at(), false);
      else if (world || (what != "joint" && what != "freejoint" && what != "inertial"))
        robot_.notes.add("<" + what + "> of bodies is not read", own_name(child, ""), child.at());
      else if (what == "inertial")
        inertial = inertia(child, robot_.links[static_cast<std::size_t>(index)]);
      else
        joint(child, index, inside);
    }
    if (!geoms.empty()) robot_.notes.add("contact of geoms", "", geoms[0].at());
    if (world) return;
    Link& link = robot_.links[static_cast<std::size_t>(index)];
    if (options_.floating && parent < 0 && link.joints.empty()) {
      RobotJoint free;
      free.name = "floating", free.freedom = Freedom::floating, free.place = link.place;
      link.joints.push_back(std::move(free));
    }
    if (compiler_.inertiafromgeom == "false" || (inertial && compiler_.inertiafromgeom != "true")) return;
    link.mass = 0, link.centre = {}, link.inertia = {};
    for (const Element& geom : geoms)
      if (!add_geom(compiler_, Attributes(geom, defaults_, inside), link))
        robot_.notes.add("mass of meshes", link.name, geom.at());
  }

  bool inertia(const Element& e, Link& link) {
    const Attributes a(e, defaults_, "");
    const Pose pose = compiler_.pose(a);
    link.mass = e.file->number(e.node, "mass");
    if (link.mass < 0) e.refuse("found a negative mass; expected 0 or more");
    link.centre = pose.at;
    if (a.has("fullinertia")) {
      if (a.has("diaginertia")) e.refuse("found both fullinertia and diaginertia; expected one of them");
      const std::vector<quad> x = a.numbers("fullinertia", 6);
      std::copy(x.begin(), x.end(), link.inertia.begin());
    } else {
      const Triple x = a.triple("diaginertia", {});
      link.inertia = {x[0], x[1], x[2], 0, 0, 0};
    }
    const Triple J = principal_axes(link.inertia).moments;
    const quad sum = J[0] + J[1] + J[2];
    for (const quad moment : J)
      if (2 * moment > sum * (1 + quad(1e-12)) || moment < -quad(1e-12) * sum)
        e.refuse("found moments of inertia that no body has; expected none above the sum of the other two");
    if (pose.turn != no_rotation) link.inertia = turned(link.inertia, pose.turn);
    return true;
  }

  void site(const Element& e, int link, const std::string& around) {
    const std::string name = e.node.attribute("name").value();
    if (!name.empty()) frames_.emplace(name, NamedFrame{{link, compiler_.pose(Attributes(e, defaults_, around))}});
  }

  void joint(const Element& e, int index, const std::string& around) {
    Link& link = robot_.links[static_cast<std::size_t>(index)];
    const Attributes a(e, defaults_, around);
    RobotJoint j;
    j.place = e.at();
    j.name =
        own_name(e, link.name + " joint" + (link.joints.empty() ? "" : " " + std::to_string(link.joints.size() + 1)));
    const std::string type = e.name() == "freejoint" ? "free" : a.text("type", "hinge");
    const std::vector<std::string> types = {"hinge", "slide", "ball", "free"};
    const auto found = std::find(types.begin(), types.end(), type);
    if (found == types.end()) e.refuse(unknown("type of joint", type, types));
    const Freedom freedoms[] = {Freedom::revolute, Freedom::prismatic, Freedom::spherical, Freedom::floating};
    j.freedom = freedoms[found - types.begin()];
    if (j.freedom == Freedom::floating && link.parent >= 0)
      e.refuse("found a free joint of " + extremal::quoted(link.name) + " in another body; expected it in the world");
    if (link.joints.size() >= 6) e.refuse("found more than 6 joints of a body; expected fewer");
    if (j.freedom != Freedom::floating) j.anchor = a.triple("pos", {});
    const Triple axis = a.triple("axis", {0, 0, 1});
    if (!(norm(axis) > 0)) e.refuse("axis: found a direction of length 0; expected another");
    j.axis = cleaned((1 / norm(axis)) * axis);
    laws(a, j);
    frames_.emplace(j.name, NamedFrame{{index, {j.anchor, no_rotation}}, j.axis});
    link.joints.push_back(std::move(j));
  }

  void laws(const Attributes& a, RobotJoint& j) {
    const std::string at = a.element().at();
    const bool turns = j.freedom == Freedom::revolute;
    const auto value = [&](const char* name) {
      const quad x = a.number(name, 0);
      return turns ? compiler_.angle(x) : x;
    };
    j.damping = a.number("damping", 0), j.stiffness = a.number("stiffness", 0);
    if (j.damping < 0 || j.stiffness < 0)
      a.element().refuse("found a negative damping or stiffness; expected 0 or more");
    refs_[j.place] = value("ref");
    j.rest = value("springref") - value("ref");
    if (j.stiffness != 0 && !turns && j.freedom != Freedom::prismatic)
      robot_.notes.add("stiffness of ball and free joints", j.name, at);
    if (j.damping != 0 && j.freedom == Freedom::floating) robot_.notes.add("damping of free joints", j.name, at);
    const std::string limited = a.text("limited", "auto");
    if (limited == "true" || (limited == "auto" && compiler_.autolimits && a.has("range")))
      robot_.notes.add("limits of joints", j.name, at);
    if (a.number("armature", 0) != 0) robot_.notes.add("armature of joints", j.name, at);
    if (a.number("frictionloss", 0) != 0) robot_.notes.add("dry friction of joints", j.name, at);
    for (const char* name : {"springdamper", "actuatorgravcomp", "actuatorfrclimited"})
      if (a.has(name)) robot_.notes.add(std::string(name) + " of joints", j.name, at);
  }

  // What is neither a body nor read before them.
  void other(const Element& section) {
    const std::string what = section.name();
    const std::set<std::string> known = {"compiler", "option", "default", "worldbody", "visual", "statistic", "size"};
    if (known.contains(what)) return;
    for (const Element& e : files_.children(section)) {
      if (what == "equality")
        equality(e);
      else if (what == "keyframe" && e.name() == "key" && keys_.empty())
        keys_.push_back(e);
      else if (what == "keyframe")
        robot_.notes.add("keyframes after the first", own_name(e, ""), e.at(), false);
      else if (what == "asset")
        robot_.notes.add("colours, meshes, cameras and lights", "", e.at(), false);
      else
        robot_.notes.add("<" + what + "> is not read", own_name(e, e.name()), e.at(),
                         what != "sensor" && what != "custom");
    }
  }

  int known_body(const Element& e, const std::string& name) const {
    if (name == "world") return -1;
    const auto found = bodies_.find(name);
    if (found != bodies_.end()) return found->second;
    std::vector<std::string> known = {"world"};
    for (const auto& [body, index] : bodies_) known.push_back(body);
    e.refuse(unknown("body", name, known));
  }

  // Loops: two points, or two frames, that coincide where all joints are as the file has the bodies.
  void equality(const Element& e) {
    const Attributes a(e, defaults_, "");
    const std::string what = e.name();
    Loop loop;
    loop.name = own_name(e, what + " " + std::to_string(robot_.loops.size() + 1)), loop.place = e.at();
    if (a.text("active", "true") == "false")
      return robot_.notes.add("equalities that are not active", loop.name, e.at(), false);
    if (what != "connect" && what != "weld")
      return robot_.notes.add("equality <" + what + "> is not read", loop.name, e.at());
    loop.kind = what == "connect" ? Loop::Kind::spherical : Loop::Kind::fixed;
    if (a.has("site1") || a.has("site2")) {
      const auto frame = [&](const char* name) {
        const auto found = frames_.find(a.text(name));
        if (found == frames_.end()) e.refuse("unknown site " + extremal::quoted(a.text(name)));
        return found->second.frame;
      };
      loop.a = frame("site1"), loop.b = frame("site2");
    } else {
      e.file->text(e.node, "body1");
      loop.a.link = known_body(e, a.text("body1")), loop.b.link = known_body(e, a.text("body2", "world"));
      const std::vector<Pose> at = poses(robot_);
      const auto placed = [&](int link) { return link < 0 ? Pose{} : at[static_cast<std::size_t>(link)]; };
      if (what == "connect") e.file->text(e.node, "anchor");
      loop.a.pose.at = a.triple("anchor", {});
      // Of a weld the anchor is in the second body, and does not matter to frames that coincide.
      if (what == "weld") loop.a.pose.at = {};
      loop.b.pose = inverse(placed(loop.b.link)) * (placed(loop.a.link) * loop.a.pose);
      if (a.has("relpose")) {
        const std::vector<quad> x = a.numbers("relpose", 7);
        if (x[3] != 0 || x[4] != 0 || x[5] != 0 || x[6] != 0) {
          loop.a.pose = {{x[0], x[1], x[2]}, quaternion_rotation(e, {x[3], x[4], x[5], x[6]})};
          loop.b.pose = {};
        }
      }
    }
    robot_.loops.push_back(std::move(loop));
  }

  // Positions and velocities of all joints, in their order.
  void keyframe(const Element& key) {
    std::vector<quad> q = key.file->numbers(key.node, "qpos"), v = key.file->numbers(key.node, "qvel");
    std::size_t nq = 0, nv = 0;
    for (const Link& link : robot_.links)
      for (const RobotJoint& j : link.joints) {
        nq += j.freedom == Freedom::floating ? 7 : j.freedom == Freedom::spherical ? 4 : 1;
        nv += j.freedom == Freedom::floating ? 6 : j.freedom == Freedom::spherical ? 3 : 1;
      }
    if (!q.empty() && q.size() != nq)
      key.refuse("qpos: found " + std::to_string(q.size()) + " numbers; expected " + std::to_string(nq));
    if (!v.empty() && v.size() != nv)
      key.refuse("qvel: found " + std::to_string(v.size()) + " numbers; expected " + std::to_string(nv));
    std::size_t i = 0, k = 0;
    for (Link& link : robot_.links)
      for (RobotJoint& j : link.joints) {
        if (!q.empty()) position(key, link, j, q, i);
        if (!v.empty()) velocity(j, v, k);
      }
    if (key.node.attribute("ctrl") || key.node.attribute("act"))
      robot_.notes.add("controls of the keyframe", own_name(key, ""), key.at());
  }

  void position(const Element& key, const Link& link, RobotJoint& j, const std::vector<quad>& q, std::size_t& i) {
    if (j.freedom == Freedom::floating) {
      const Pose pose{{q[i], q[i + 1], q[i + 2]}, quaternion_rotation(key, {q[i + 3], q[i + 4], q[i + 5], q[i + 6]})};
      j.begin = inverse(link.home) * pose;
      i += 7;
    } else if (j.freedom == Freedom::spherical) {
      j.begin.turn = quaternion_rotation(key, {q[i], q[i + 1], q[i + 2], q[i + 3]});
      i += 4;
    } else {
      j.start = q[i++] - refs_[j.place];
    }
  }

  static void velocity(RobotJoint& j, const std::vector<quad>& v, std::size_t& k) {
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

  Element top_;
  const ImportOptions& options_;
  MjcfFiles files_;
  MjcfDefaults defaults_;
  MjcfCompiler compiler_;
  Robot robot_;
  NamedFrames frames_;
  std::map<std::string, int> bodies_;
  std::map<std::string, quad> refs_;  // of joints, by their place
  std::vector<Element> keys_;
};

}  // namespace

Robot read_mjcf(const XmlFile& file, const ImportOptions& options, const Beside& beside) {
  return Mjcf(file, options, beside).read();
}

}  // namespace extremal::robots
