// URDF: links and joints by their names, all on one level. What is not a tree is refused.
#include <algorithm>
#include <map>

#include "extremal/error.hpp"
#include "import/moments.hpp"
#include "import/reader.hpp"
#include "import/text.hpp"
#include "words/grammar.hpp"

namespace extremal::robots {
namespace {

using Node = pugi::xml_node;

class Urdf {
 public:
  Urdf(const XmlFile& file, const ImportOptions& options, const Meshes& meshes)
      : file_(file), options_(options), meshes_(meshes) {}

  Robot read() {
    const Node root = file_.root();
    if (const Node macro =
            root.find_node([](const Node& e) { return std::string_view(e.name()).starts_with("xacro:"); }))
      file_.refuse(macro, "found <" + one_line(macro.name(), 40) +
                              ">, a macro; expected URDF; try xacro robot.urdf.xacro > robot.urdf");
    robot_.name = root.attribute("name").value();
    if (robot_.name.empty()) robot_.name = "robot";
    colours();
    for (const Node& node : root.children())
      if (node.type() == pugi::node_element && plain_name(node) == "link") link(node);
    if (links_.empty()) file_.refuse(root, "found no <link>; expected a robot");
    for (const Node& node : root.children())
      if (node.type() == pugi::node_element && plain_name(node) == "joint") joint(node);
    order();
    for (const Node& node : root.children()) {
      if (node.type() != pugi::node_element) continue;
      const std::string what = plain_name(node);
      if (what == "link" || what == "joint") continue;
      if (what == "loop_joint")
        loop(node);
      else if (what != "material")
        robot_.notes.add("<" + what + "> is not read",
                         node.attribute(node.attribute("name") ? "name" : "reference").value(), file_.at(node));
    }
    // Of a link, or of the link that a joint carries; with the axis of the joint.
    NamedFrames frames;
    for (const auto& [name, carried] : joints_) {
      const auto& above = robot_.links[static_cast<std::size_t>(placed_.at(carried))].joints;
      frames[name] = {{placed_.at(carried), {}}, above.empty() ? Triple{0, 0, 1} : above[0].axis};
    }
    for (const auto& [name, index] : placed_) frames[name] = {{index, {}}, {0, 0, 1}};
    add_loops(robot_, frames, options_.close, file_.at(root));
    for (const Node& node : root.children())
      if (const Node follows = plain_child(node, "mimic"); follows && plain_name(node) == "joint") mimic(node, follows);
    return std::move(robot_);
  }

 private:
  struct Named {
    Node node;
    Link link;
    std::string parent;
    bool has_parent = false;
  };

  // Of a part of what has the name.
  Pose origin(const Node& node, const std::string& name) {
    std::vector<quad> rpy = {0, 0, 0};
    bool rounded = false;
    if (node.attribute("rpy")) rpy = file_.angles_of(node, "rpy", node.attribute("rpy").value(), 3, rounded);
    if (rounded) robot_.notes.add(rounded_angles, name, file_.at(node), false);
    const auto turn = [&](int axis) { return rotation(axis, rpy[static_cast<std::size_t>(axis)]); };
    // About the fixed axes x, y, z in turn.
    return {file_.triple(node, "xyz", {}), product(product(turn(2), turn(1)), turn(0))};
  }

  void link(const Node& node) {
    Named named;
    named.node = node;
    named.link.name = file_.text(node, "name");
    named.link.place = file_.at(node);
    if (!index_.emplace(named.link.name, links_.size()).second)
      file_.refuse(node, "found a second link " + extremal::quoted(named.link.name) + "; expected distinct names");
    bool weighed = false;
    for (const Node& child : node.children()) {
      if (child.type() != pugi::node_element) continue;
      const std::string what = plain_name(child);
      if (what == "inertial" && weighed)
        robot_.notes.add("second <inertial> of links", named.link.name, file_.at(child));
      else if (what == "inertial")
        weighed = true, inertial(child, named.link);
      else if (what == "visual")
        visual(child, named.link);
      else if (what == "collision")
        robot_.notes.add("contact of links", named.link.name, file_.at(child));
      else
        robot_.notes.add("<" + what + "> of links is not read", named.link.name, file_.at(child));
    }
    links_.push_back(std::move(named));
  }

  // Materials by their names, wherever they are defined: what one link says of a name holds for the others, too. The
  // first goes before.
  void colours() {
    for (const Node& node : file_.root().children())
      if (plain_name(node) == "material") colours_.emplace(node.attribute("name").value(), colour(node));
    for (const Node& node : file_.root().children())
      for (const Node& visual : node.children("visual"))
        if (const Node material = visual.child("material"); material.child("color") || material.child("texture"))
          colours_.emplace(material.attribute("name").value(), colour(material));
  }

  std::string colour(const Node& material) {
    const Node given = material.child("color");
    if (material.child("texture"))
      robot_.notes.add("textures", material.attribute("name").value(), file_.at(material), false);
    return given ? colour_of(file_.numbers(given, "rgba", 4)) : std::string();
  }

  void visual(const Node& node, Link& link) {
    const Node geometry = node.child("geometry"), material = node.child("material");
    const Node shape = geometry.find_child([](const Node& each) { return each.type() == pugi::node_element; });
    if (!shape) file_.refuse(node, "found a <visual> without a shape in <geometry>; expected one");
    Visual visual;
    visual.shape = plain_name(shape);
    visual.at = origin(node.child("origin"), link.name);
    visual.colour = colour(material);
    if (const std::string name = material.attribute("name").value(); visual.colour.empty() && !name.empty()) {
      const auto known = colours_.find(name);
      if (known == colours_.end()) robot_.notes.add("materials that are not defined", name, file_.at(material), false);
      if (known != colours_.end()) visual.colour = known->second;
    }
    if (visual.shape == "mesh") {
      visual.size = file_.triple(shape, "scale", {1, 1, 1});
      if (!find_mesh(robot_, meshes_, file_.text(shape, "filename"), file_.at(shape), visual)) return;
    } else if (visual.shape == "box") {
      file_.text(shape, "size");
      visual.size = file_.triple(shape, "size", {});
    } else if (visual.shape == "sphere" || visual.shape == "cylinder" || visual.shape == "capsule") {
      const quad across = 2 * file_.number(shape, "radius");
      visual.size = {across, across, visual.shape == "sphere" ? across : file_.number(shape, "length")};
    } else {
      return robot_.notes.add("shape <" + visual.shape + "> of links is not drawn", link.name, file_.at(shape), false);
    }
    for (const quad x : visual.size) {
      if (visual.shape != "mesh" && x < 0) file_.refuse(shape, "found a negative size; expected another");
      if (x == 0) return robot_.notes.add("shapes of size 0 are not drawn", link.name, file_.at(shape), false);
    }
    link.visuals.push_back(std::move(visual));
  }

  // Joint = multiplier other + offset.
  void mimic(const Node& node, const Node& follows) {
    Coupling c;
    c.joint = file_.text(node, "name"), c.place = file_.at(follows), c.other = file_.text(follows, "joint");
    c.polynomial = {file_.number(follows, "offset", 0), file_.number(follows, "multiplier", 1)};
    if (!joints_.contains(c.other)) {
      std::vector<std::string> known;
      for (const auto& [name, carried] : joints_) known.push_back(name);
      file_.refuse(follows, unknown("joint", c.other, known));
    }
    if (c.joint == c.other) file_.refuse(follows, "found a joint that mimics itself; expected another");
    const auto still = [&](const std::string& joint) {
      return robot_.links[static_cast<std::size_t>(placed_.at(joints_.at(joint)))].joints.empty();
    };
    if (still(c.joint)) return robot_.notes.add("mimic of joints that are fixed", c.joint, c.place);
    if (still(c.other)) c.other.clear(), c.polynomial.resize(1);  // a fixed joint is at 0
    c.name = c.joint + " mimics " + file_.text(follows, "joint");
    robot_.couplings.push_back(std::move(c));
  }

  void inertial(const Node& node, Link& link) {
    const Node mass = node.child("mass"), inertia = node.child("inertia");
    if (!mass) file_.refuse(node, "found <inertial> without <mass>; expected one");
    link.mass = file_.number(mass, "value");
    if (link.mass < 0)
      file_.refuse(mass, "found a negative mass of link " + extremal::quoted(link.name) + "; expected 0 or more");
    const Pose pose = origin(node.child("origin"), link.name);
    link.centre = pose.at;
    if (!inertia) return;
    Tensor own;
    const char* names[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    quad place = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      if (i < 3) file_.text(inertia, names[i]);
      own[i] = file_.number(inertia, names[i], 0);
      place = math::max(place, coarsest_place(inertia.attribute(names[i]).value()));
    }
    for (std::size_t i = 0; i < 3; ++i)
      if (own[i] < -quad(1e-4) * math::max(own[0], math::max(own[1], own[2])))
        file_.refuse(inertia, std::string("found a negative ") + names[i] + " of link " + extremal::quoted(link.name) +
                                  "; expected 0 or more");
    const Triple J = principal_axes(own).moments;
    const Moments found = mend_moments(own, place);
    if (found == Moments::impossible)
      file_.refuse(inertia, "found moments of inertia " + brief(J[0]) + ", " + brief(J[1]) + ", " + brief(J[2]) +
                                " of link " + extremal::quoted(link.name) +
                                "; expected none above the sum of the other two");
    if (found == Moments::mended) robot_.notes.add(mended_moments, link.name, file_.at(inertia), false);
    link.inertia = pose.turn == no_rotation ? own : turned(own, pose.turn);
  }

  std::size_t known_link(const Node& node, const std::string& name) const {
    const auto found = index_.find(name);
    if (found == index_.end()) {
      std::vector<std::string> known;
      for (const Named& each : links_) known.push_back(each.link.name);
      file_.refuse(node, unknown("link", name, known));
    }
    return found->second;
  }

  void joint(const Node& node) {
    RobotJoint j;
    j.name = file_.text(node, "name");
    j.place = file_.at(node);
    const std::string type = file_.text(node, "type");
    const Node parent = node.child("parent"), child = node.child("child");
    if (!parent || !child) file_.refuse(node, "found a joint without <parent> or <child>; expected both");
    const std::string above = file_.text(parent, "link");
    known_link(parent, above);
    Named& named = links_[known_link(child, file_.text(child, "link"))];
    if (named.has_parent)
      file_.refuse(node, "found a second joint above link " + extremal::quoted(named.link.name) +
                             "; expected one; try <loop_joint> or --close for loops");
    if (above == named.link.name)
      file_.refuse(node, "found link " + extremal::quoted(above) + " on both sides; expected two");
    named.parent = above, named.has_parent = true;
    named.link.home = origin(node.child("origin"), j.name);
    if (!joints_.emplace(j.name, named.link.name).second)
      file_.refuse(node, "found a second joint " + extremal::quoted(j.name) + "; expected distinct names");
    const std::map<std::string, Freedom> freedoms = {
        {"revolute", Freedom::revolute}, {"continuous", Freedom::revolute}, {"prismatic", Freedom::prismatic},
        {"planar", Freedom::planar},     {"floating", Freedom::floating},   {"spherical", Freedom::spherical},
        {"ball", Freedom::spherical}};
    const auto freedom = freedoms.find(type);
    if (freedom == freedoms.end() && type != "fixed")
      file_.refuse(node, unknown("type of joint", type,
                                 {"revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical"}));
    if (freedom != freedoms.end()) {
      j.freedom = freedom->second;
      j.axis = axis(node, j.freedom);
    }
    laws(node, j, type == "fixed");
    if (freedom != freedoms.end()) named.link.joints.push_back(std::move(j));
  }

  Triple axis(const Node& node, Freedom freedom) const {
    const Node given = node.child("axis");
    const Triple x = file_.triple(given, "xyz", {1, 0, 0});
    const quad length = norm(x);
    if (length > 0) return cleaned((1 / length) * x);
    if (freedom == Freedom::spherical || freedom == Freedom::floating) return {1, 0, 0};
    file_.refuse(given, "found an axis of length 0; expected a direction");
  }

  void laws(const Node& node, RobotJoint& j, bool fixed) {
    const std::vector<std::string> known = {"origin", "parent", "child", "axis"};
    for (const Node& child : node.children()) {
      if (child.type() != pugi::node_element) continue;
      const std::string what = plain_name(child), at = file_.at(child);
      if (std::find(known.begin(), known.end(), what) != known.end()) continue;
      if (what == "dynamics" || what == "joint_properties") {
        const quad damping = file_.number(child, "damping", 0), friction = file_.number(child, "friction", 0);
        if (damping < 0) file_.refuse(child, "found a negative damping; expected 0 or more");
        if (friction < 0) file_.refuse(child, "found a negative friction; expected 0 or more");
        j.damping = damping, j.friction = friction;
        if (damping != 0 && (j.freedom == Freedom::planar || j.freedom == Freedom::floating) && !fixed)
          robot_.notes.add("damping of planar and floating joints", j.name, at);
      } else if (what == "limit") {
        const quad lower = file_.number(child, "lower", 0), upper = file_.number(child, "upper", 0);
        if (lower > upper) file_.refuse(child, "found a lower limit above the upper one; expected the opposite");
        if (node.attribute("type").value() != std::string("continuous") && (lower != 0 || upper != 0))
          j.range = {lower, upper};
        if (child.attribute("effort") || child.attribute("velocity"))
          robot_.notes.add("largest effort and velocity of joints", j.name, at, false);
      } else if (what != "mimic") {
        // What guards limits is worth as much as the limits, which have a note of their own.
        robot_.notes.add("<" + what + "> of joints is not read", j.name, at,
                         what != "calibration" && what != "safety_controller");
      }
    }
  }

  // Parents before children, from the one root.
  void order() {
    std::map<std::string, std::vector<std::size_t>> children;
    std::size_t root = links_.size();
    for (std::size_t i = 0; i < links_.size(); ++i) {
      if (links_[i].has_parent) {
        children[links_[i].parent].push_back(i);
      } else if (root == links_.size()) {
        root = i;
      } else {
        file_.refuse(links_[i].node, "found links " + extremal::quoted(links_[root].link.name) + " and " +
                                         extremal::quoted(links_[i].link.name) +
                                         " without a joint above them; expected one root");
      }
    }
    if (root == links_.size())
      file_.refuse(links_[0].node,
                   "found a joint above every link; expected a root; try <loop_joint> or --close for loops");
    std::vector<std::size_t> next = {root};
    while (!next.empty()) {
      const std::size_t i = next.back();
      next.pop_back();
      Named& named = links_[i];
      if (named.has_parent) named.link.parent = placed_.at(named.parent);
      placed_[named.link.name] = static_cast<int>(robot_.links.size());
      const auto below = children.find(named.link.name);
      if (below != children.end()) next.insert(next.end(), below->second.rbegin(), below->second.rend());
      robot_.links.push_back(named.link);
    }
    if (robot_.links.size() < links_.size())
      for (const Named& named : links_)
        if (!placed_.contains(named.link.name))
          file_.refuse(named.node, "found link " + extremal::quoted(named.link.name) +
                                       " in a ring of joints; expected a tree; try <loop_joint> or --close for loops");
    if (options_.floating) {
      RobotJoint free;
      free.name = "floating", free.freedom = Freedom::floating, free.place = robot_.links[0].place;
      robot_.links[0].joints = {free};
    }
  }

  // <loop_joint name type> with <link1 link xyz rpy>, <link2 ...> and <axis xyz> in the first frame.
  void loop(const Node& node) {
    Loop l;
    l.name = file_.text(node, "name"), l.place = file_.at(node);
    const std::string type = file_.text(node, "type");
    if (type == "revolute" || type == "continuous")
      l.kind = Loop::Kind::revolute;
    else if (type == "spherical" || type == "ball")
      l.kind = Loop::Kind::spherical;
    else if (type != "fixed")
      file_.refuse(node, unknown("type of loop_joint", type, {"revolute", "continuous", "spherical", "fixed"}));
    const auto frame = [&](const char* name) -> LinkFrame {
      const Node side = node.child(name);
      if (!side) file_.refuse(node, std::string("found a loop_joint without <") + name + ">; expected one");
      const std::string link = file_.text(side, "link");
      known_link(side, link);
      return {placed_.at(link), origin(side.child("origin") ? side.child("origin") : side, l.name)};
    };
    l.a = frame("link1"), l.b = frame("link2");
    if (l.kind == Loop::Kind::revolute) l.axis = axis(node, Freedom::revolute);
    robot_.loops.push_back(std::move(l));
  }

  const XmlFile& file_;
  const ImportOptions& options_;
  const Meshes& meshes_;
  Robot robot_;
  std::map<std::string, std::string> colours_;
  std::vector<Named> links_;
  std::map<std::string, std::size_t> index_;   // of links, as they stand in the file
  std::map<std::string, std::string> joints_;  // the link that each carries
  std::map<std::string, int> placed_;          // of links, in the robot
};

}  // namespace

Robot read_urdf(const XmlFile& file, const ImportOptions& options, const Meshes& meshes) {
  return Urdf(file, options, meshes).read();
}

}  // namespace extremal::robots
