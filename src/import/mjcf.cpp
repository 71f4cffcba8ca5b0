// MJCF: bodies in bodies, each with its joints; defaults, includes, equalities as loops, a keyframe as the start.
#include <algorithm>
#include <optional>
#include <set>

#include "extremal/error.hpp"
#include "import/mjcf_actuator.hpp"
#include "import/mjcf_assets.hpp"
#include "import/mjcf_equality.hpp"
#include "import/mjcf_geom.hpp"
#include "import/mjcf_keyframe.hpp"
#include "import/mjcf_options.hpp"
#include "import/moments.hpp"
#include "words/grammar.hpp"

namespace extremal::robots {
namespace {

class Mjcf {
 public:
  Mjcf(const XmlFile& file, const ImportOptions& options, const Around& around)
      : top_{&file, file.root()}, options_(options), around_(around), files_(around.file) {
    compiler_.notes = &robot_.notes;
  }

  Robot read() {
    robot_.name = top_.node.attribute("model").value();
    if (robot_.name.empty()) robot_.name = "robot";
    const std::vector<Element> sections = files_.children(top_);
    for (const Element& section : sections) {
      if (section.name() == "compiler") compiler_.read(section);
      if (section.name() == "option") flags_.read(files_, section, robot_);
      if (section.name() == "default") defaults_.read(files_, section, "");
    }
    for (const Element& section : sections)
      if (section.name() == "asset")
        for (const Element& e : files_.children(section)) asset(e);
    for (const Element& section : sections)
      if (section.name() == "worldbody") body(section, -1, "", 0, {});
    if (robot_.links.empty()) {
      std::string also;
      for (const std::string& line : robot_.notes.lines()) also += ", and " + line;
      top_.refuse("found no body" + also + "; expected a <worldbody> with one");
    }
    compiler_.finish(robot_);
    for (const Element& section : sections) other(section);
    damp_by_ratio(robot_);
    hinges_of_two_points(robot_);
    for (const Element& key : keys_) start_at(key, controls_, robot_);
    // A name of several things is that of the body, then that of the site.
    NamedFrames frames;
    for (const auto& [name, index] : names_.bodies) frames.emplace(name, NamedFrame{{index, {}}});
    for (const auto& [name, frame] : names_.sites) frames.emplace(name, NamedFrame{frame});
    frames.merge(hinges_);
    add_loops(robot_, frames, options_.close, top_.at());
    return std::move(robot_);
  }

 private:
  std::string own_name(const Element& e, const std::string& kind) {
    const std::string name = e.node.attribute("name").value();
    return name.empty() ? kind : name + suffix_;
  }

  void note(const std::string& what, const Element& e, bool matters = true) {
    robot_.notes.add(what, own_name(e, ""), e.at(), matters);
  }

  void asset(const Element& e) {
    if (!assets_.read(compiler_, defaults_, e)) note("<" + e.name() + "> of <asset> is not read", e, false);
    for (const char* name : {"refpos", "refquat"})
      if (e.name() == "mesh" && e.node.attribute(name)) note("refpos and refquat of meshes", e);
    if (e.name() == "mesh" && e.node.attribute("inertia").value() == std::string("shell"))
      note("inertia of meshes as of shells", e);
  }

  // What a body has, itself or in its <frame>s.
  struct Inside {
    std::vector<std::pair<Element, Visual>> geoms = {};
    std::vector<std::string> classes = {};  // around them
    bool inertial = false;
    quad place = 0;  // to which its moments are written
  };

  void body(const Element& e, int parent, const std::string& around, int depth, const Pose& within) {
    if (depth > 150) e.refuse("found bodies nested " + std::to_string(depth) + " deep; expected fewer");
    int index = parent;
    const std::string childclass = e.node.attribute("childclass").value();
    const std::string inside = childclass.empty() ? around : childclass;
    const bool world = e.name() == "worldbody";
    if (!world) {
      index = static_cast<int>(robot_.links.size());
      Link link;
      link.name = own_name(e, "body " + std::to_string(index + 1));
      link.place = e.at(), link.parent = parent, link.home = within * compiler_.pose(Attributes(e, defaults_, ""));
      if (!names_.bodies.emplace(link.name, index).second)
        e.refuse("found a second body " + extremal::quoted(link.name) + "; expected distinct names");
      robot_.links.push_back(std::move(link));
      for (const char* name : {"mocap", "gravcomp"})
        if (const std::string value = e.node.attribute(name).value();
            !value.empty() && value != "false" && value != "0")
          robot_.notes.add(std::string(name) + " of bodies", robot_.links.back().name, e.at());
    }
    Inside has;
    contents(e, index, inside, depth, {}, has);
    for (std::size_t i = 0; i < has.geoms.size() && !world && !flags_.off("contact"); ++i) {
      const Attributes a(has.geoms[i].first, defaults_, has.classes[i]);
      if (a.number("contype", 1) != 0 || a.number("conaffinity", 1) != 0)
        robot_.notes.add("contact of geoms", robot_.links[static_cast<std::size_t>(index)].name, a.element().at());
    }
    Link scenery;
    Link& link = world ? scenery : robot_.links[static_cast<std::size_t>(index)];
    const bool weighs =
        !world && compiler_.inertiafromgeom != "false" && (!has.inertial || compiler_.inertiafromgeom == "true");
    if (weighs) link.mass = 0, link.centre = {}, link.inertia = {};
    for (std::size_t i = 0; i < has.geoms.size(); ++i)
      look(Attributes(has.geoms[i].first, defaults_, has.classes[i]), std::move(has.geoms[i].second), link, weighs);
    if (!world) compiler_.correct(link, e, weighs ? quad(0) : has.place);
    if (world)
      robot_.scenery.insert(robot_.scenery.end(), scenery.visuals.begin(), scenery.visuals.end());
    else if (options_.floating && parent < 0 && link.joints.empty()) {
      RobotJoint free;
      free.name = "floating", free.freedom = Freedom::floating, free.place = link.place;
      link.joints.push_back(std::move(free));
    }
  }

  void contents(const Element& e, int index, const std::string& inside, int depth, const Pose& within, Inside& has) {
    const bool world = index < 0;
    for (const Element& child : files_.children(e)) {
      const std::string what = child.name();
      if (what == "body") {
        body(child, index, inside, depth + 1, within);
      } else if (what == "frame") {
        if (depth > 150) e.refuse("found frames nested " + std::to_string(depth) + " deep; expected fewer");
        const std::string own = child.node.attribute("childclass").value();
        contents(child, index, own.empty() ? inside : own, depth + 1,
                 within * compiler_.pose(Attributes(child, defaults_, "")), has);
      } else if (what == "geom") {
        Visual visual;
        const Attributes a(child, defaults_, inside);
        if (read_geom(compiler_, a, within, visual)) {
          has.geoms.emplace_back(child, std::move(visual));
          has.classes.push_back(inside);
        } else if (a.text("type") != "plane" || !world) {
          note("geoms that are a plane, a height field or a distance, or fit a mesh", child, a.has("mesh"));
        }
      } else if (what == "site") {
        site(child, index, inside, within);
      } else if (what == "camera" || what == "light") {
        robot_.notes.add("cameras and lights", own_name(child, world ? "world" : e.node.attribute("name").value()),
                         child.at(), false);
      } else if (what == "replicate") {
        replicate(child, index, inside, depth, within, has);
      } else if (what == "attach" || what == "composite" || what == "flexcomp") {
        child.refuse("found <" + what +
                     ">, which stands for bodies that are not in the file; expected them; try the file that "
                     "mj_saveLastXML of MuJoCo writes of it");
      } else if (world || (what != "joint" && what != "freejoint" && what != "inertial")) {
        note("<" + what + "> of bodies is not read", child);
      } else if (what == "inertial") {
        if (has.inertial) child.refuse("found a second <inertial>; expected one");
        has.inertial = inertia(child, robot_.links[static_cast<std::size_t>(index)], within);
        for (const char* name : {"diaginertia", "fullinertia"})
          has.place = math::max(has.place, coarsest_place(child.node.attribute(name).value()));
      } else {
        joint(child, index, inside, within);
      }
    }
  }

  // Its contents several times: copy k is turned by k times the angles, and the offset of each copy is in the frame of
  // the one before. Names get the number of the copy.
  void replicate(const Element& e, int index, const std::string& inside, int depth, const Pose& within, Inside& has) {
    if (depth > 150) e.refuse("found frames nested " + std::to_string(depth) + " deep; expected fewer");
    const quad count = e.file->number(e.node, "count");
    if (!(count >= 1) || count > 1000 || count != static_cast<quad>(static_cast<int>(count)))
      e.refuse("count: found " + std::string(e.node.attribute("count").value()) + "; expected a number from 1 to 1000");
    const Attributes a(e, defaults_, "");
    const Triple offset = a.triple("offset", {});
    const std::vector<quad> angles =
        a.has("euler") ? compiler_.angles(a, "euler", a.text("euler"), 3) : std::vector<quad>(3);
    const std::string around = suffix_, last = std::to_string(static_cast<int>(count) - 1);
    Pose here;
    for (int k = 0; k < static_cast<int>(count); ++k) {
      const std::string number = std::to_string(k);
      suffix_ = e.node.attribute("sep").value();
      suffix_.append(last.size() - number.size(), '0').append(number).append(around);
      here.turn = compiler_.euler({k * angles[0], k * angles[1], k * angles[2]});
      contents(e, index, inside, depth + 1, within * here, has);
      if (++replicas_ > 20000) e.refuse("found more than 20000 copies; expected fewer");
      here.at = point(here, offset);
    }
    suffix_ = around;
  }

  // A geom as part of its body: its mass, if bodies have theirs from geoms, and what it looks like.
  void look(const Attributes& a, Visual visual, Link& link, bool weighs) {
    std::optional<Mesh> mesh;
    bool drawn = true;
    if (visual.shape == "mesh") {
      const auto asset = assets_.meshes.find(visual.file);
      if (asset == assets_.meshes.end()) {
        robot_.notes.add("meshes that are not files", visual.file, a.element().at(), false);
        drawn = false;
      } else {
        visual.size = asset->second.scale;
        const std::string file = asset->second.file;
        drawn = find_mesh(robot_, around_.mesh, file, a.element().at(), visual);
        if (drawn && weighs) mesh = mesh_file(a.element(), around_.mesh(file).path);
      }
    }
    const quad group = a.number("group", 0);
    if (a.text("shellinertia", "false") == "true")
      robot_.notes.add("shellinertia of geoms", link.name, a.element().at());
    const bool counts = group >= compiler_.inertia_groups[0] && group <= compiler_.inertia_groups[1];
    if (weighs && counts && !add_geom(a, visual, mesh ? &*mesh : nullptr, link))
      robot_.notes.add("mass of meshes", link.name, a.element().at());
    const std::vector<quad> rgba = a.numbers("rgba", 0);
    if (const auto colour = assets_.colours.find(a.text("material")); colour != assets_.colours.end())
      visual.colour = colour->second;
    if (rgba.size() == 4) visual.colour = colour_of(rgba);
    // Groups above 2 are those that a viewer hides: the shapes that collide.
    if (drawn && group < 3 && !(rgba.size() == 4 && rgba[3] == 0)) link.visuals.push_back(std::move(visual));
  }

  static Mesh mesh_file(const Element& e, const std::string& path) {
    try {
      return read_mesh(path);
    } catch (const InputError& error) {
      e.refuse(error.what());
    }
  }

  bool inertia(const Element& e, Link& link, const Pose& within) {
    const Attributes a(e, defaults_, "");
    const Pose pose = within * compiler_.pose(a);
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
    if (pose.turn != no_rotation) link.inertia = turned(link.inertia, pose.turn);
    return true;
  }

  void site(const Element& e, int link, const std::string& around, const Pose& within) {
    const std::string name = own_name(e, "");
    if (name.empty()) return;
    const LinkFrame frame{link, within * compiler_.pose(Attributes(e, defaults_, around))};
    if (!names_.sites.emplace(name, frame).second)
      e.refuse("found a second site " + extremal::quoted(name) + "; expected distinct names");
  }

  void joint(const Element& e, int index, const std::string& around, const Pose& within) {
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
    if (j.freedom != Freedom::floating) j.anchor = point(within, a.triple("pos", {}));
    const Triple axis = a.triple("axis", {0, 0, 1});
    if (!(norm(axis) > 0)) e.refuse("axis: found a direction of length 0; expected another");
    j.axis = cleaned((1 / norm(axis)) * outward(within.turn, axis));
    laws(a, j);
    if (!names_.joints.insert(j.name).second)
      e.refuse("found a second joint " + extremal::quoted(j.name) + "; expected distinct names");
    hinges_.emplace(j.name, NamedFrame{{index, {j.anchor, no_rotation}}, j.axis});
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
    j.ref = value("ref");
    j.rest = value("springref") - j.ref;
    if (j.stiffness != 0 && !turns && j.freedom != Freedom::prismatic)
      robot_.notes.add("stiffness of ball and free joints", j.name, at);
    if (j.damping != 0 && j.freedom == Freedom::floating) robot_.notes.add("damping of free joints", j.name, at);
    j.armature = a.number("armature", 0), j.friction = a.number("frictionloss", 0);
    if (j.armature < 0 || j.friction < 0)
      a.element().refuse("found a negative armature or frictionloss; expected 0 or more");
    const std::string limited = a.text("limited", "auto");
    if (limited == "true" || (limited == "auto" && compiler_.autolimits && a.has("range"))) {
      const std::vector<quad> range = a.numbers("range", 2);
      if (range[0] > range[1])
        a.element().refuse("range: found its lower end above the upper one; expected the opposite");
      // Of a ball the angle from home, of which there is no coordinate.
      if (turns || j.freedom == Freedom::prismatic)
        j.range = {turns ? compiler_.angle(range[0]) : range[0], turns ? compiler_.angle(range[1]) : range[1]};
      else
        robot_.notes.add("limits of joints", j.name, at);
    }
    for (const char* name : {"springdamper", "actuatorgravcomp", "actuatorfrcrange"})
      if (a.has(name)) robot_.notes.add(std::string(name) + " of joints", j.name, at);
    flags_.apply(j);
  }

  // What is neither a body nor read before them.
  void other(const Element& section) {
    const std::string what = section.name();
    const std::set<std::string> known = {"compiler", "option",    "default", "worldbody",
                                         "visual",   "statistic", "size",    "asset"};
    if (known.contains(what)) return;
    for (const Element& e : files_.children(section)) {
      if (what == "equality") {
        if (!flags_.off("equality")) equality(e);
      } else if (what == "actuator")
        actuator(e);
      else if (what == "keyframe" && e.name() == "key" && keys_.empty())
        keys_.push_back(e);
      else if (what == "keyframe")
        robot_.notes.add("keyframes after the first", own_name(e, ""), e.at(), false);
      else
        robot_.notes.add("<" + what + "> is not read", own_name(e, e.name()), e.at(),
                         what != "sensor" && what != "custom" && what != "contact");
    }
  }

  void equality(const Element& e) {
    const std::string name = own_name(e, e.name() + " " + std::to_string(robot_.loops.size() + 1));
    read_equality(Attributes(e, defaults_, ""), name, names_, robot_);
  }

  void actuator(const Element& e) {
    const Attributes a(e, defaults_, "");
    const std::string name = own_name(e, e.name() + " " + std::to_string(++actuator_count_));
    for (const char* key : {"joint", "jointinparent"})
      if (a.has(key)) names_.expect_joint(e, a.text(key));
    std::optional<Actuator> found = read_actuator(a, name, robot_.notes);
    if (found) controls(a, *found);
    const bool taken = found && !flags_.off("actuation");
    controls_.push_back(taken ? static_cast<int>(robot_.actuators.size()) : -1);
    if (taken) robot_.actuators.push_back(*found);
  }

  // The range of the control, by itself or as that of the joint, and the control at first, which is in it.
  void controls(const Attributes& a, Actuator& actuator) {
    const quad inherited = a.number("inheritrange", 0);
    if (inherited > 0 && !actuator.controls)
      for (const Link& link : robot_.links)
        for (const RobotJoint& j : link.joints)
          if (j.name == actuator.joint && j.range) {
            const quad middle = ((*j.range)[0] + (*j.range)[1]) / 2, half = ((*j.range)[1] - (*j.range)[0]) / 2;
            actuator.controls = {{middle - inherited * half, middle + inherited * half}};
          }
    if (flags_.off("clampctrl")) actuator.controls.reset();
    if (!actuator.controls) return;
    const auto [lower, upper] = *actuator.controls;
    actuator.control = std::clamp(actuator.control, lower, upper);
    robot_.notes.add("ranges of controls, which --set may leave", actuator.name, a.element().at(), false);
  }

  Element top_;
  const ImportOptions& options_;
  const Around& around_;
  MjcfFiles files_;
  MjcfDefaults defaults_;
  MjcfCompiler compiler_;
  MjcfFlags flags_;
  Robot robot_;
  NamedFrames hinges_;  // of all joints
  MjcfNames names_;
  MjcfAssets assets_;
  std::string suffix_ = {};  // of names in a <replicate>
  int replicas_ = 0;
  std::vector<Element> keys_;
  std::vector<int> controls_;  // the actuator of each, -1 for those that are not taken
  int actuator_count_ = 0;
};

}  // namespace

Robot read_mjcf(const XmlFile& file, const ImportOptions& options, const Around& around) {
  return Mjcf(file, options, around).read();
}

}  // namespace extremal::robots
