// A Robot as a model file: bodies in the frames of their links, joints at the points of both sides.
#include <algorithm>
#include <set>

#include "extremal/error.hpp"
#include "import/groups.hpp"
#include "import/laws_text.hpp"
#include "import/text.hpp"
#include "words/grammar.hpp"

namespace extremal::robots {
namespace {

class Writer {
 public:
  explicit Writer(const Robot& robot) : robot_(robot), groups_(groups_of(robot)) {
    names_.insert("ground");
    for (Group& group : groups_.list)
      if (!group.ground) group.name = free_name(group.name, "link");
  }

  std::string text() {
    expect_masses();
    head();
    for (std::size_t g = 1; g < groups_.list.size(); ++g) body(groups_.list[g]);
    for (std::size_t i = 0; i < robot_.links.size(); ++i) joint(static_cast<int>(i));
    for (const Loop& loop : robot_.loops)
      if (loop.kind != Loop::Kind::fixed) closing(loop);
    for (Coupling coupling : robot_.couplings) {
      coupling.name = free_name(coupling.name, "coupling");
      text_ += coupling_text(robot_, coupling, joints_);
    }
    text_ += actuators_text(robot_, joints_, [&](const std::string& name) { return free_name(name, "motor"); });
    if (!observed_.empty()) text_ += "\n[observe] # the joints of the file that became one\n" + observed_;
    text_ += "\n[run]\nscheme = \"spark(2)\"\nstep = " + robot_.step + "\nuntil = 1\nevery = 10\n";
    return std::move(text_);
  }

 private:
  // Names of bodies, joints and loads are distinct in a model.
  std::string free_name(const std::string& name, const std::string& kind) {
    std::string plain = name;  // formulas have names in quotes
    std::replace(plain.begin(), plain.end(), '\'', '_');
    std::string own = plain.empty() ? kind : plain;
    for (int k = 1; !names_.insert(own).second; ++k) {
      own = plain;
      own.append(" ").append(kind);
      if (k > 1) own.append(" ").append(std::to_string(k));
    }
    return own;
  }

  void head() {
    text_ += "# " + one_line(robot_.source, 200) + "\n";
    for (const std::string& note : robot_.notes.lines()) text_ += "# not here: " + one_line(note, 4000) + "\n";
    text_ += "name = " + in_quotes(robot_.name) + "\ngravity = " + in_brackets(robot_.gravity) + "\n";
    text_ += parameters_text(robot_);
    looks("ground", groups_.list[0]);
    for (const Visual& visual : robot_.scenery) look("ground", visual, visual.at);
  }

  void expect_masses() const {
    for (const Group& group : groups_.list) {
      if (group.ground) continue;
      const Link& link = robot_.links[static_cast<std::size_t>(group.links[0])];
      if (!(group.mass > 0))
        throw InputError(link.place + ": link " + extremal::quoted(link.name) +
                         " moves and has no mass; expected a mass and an inertia, or a fixed joint");
      const quad most = math::max(group.inertia[0], math::max(group.inertia[1], group.inertia[2]));
      if (!(most > 0))
        throw InputError(link.place + ": link " + extremal::quoted(link.name) +
                         " moves and has a mass without inertia; expected a tensor, or a fixed joint");
    }
  }

  void body(const Group& group) {
    text_ += "\n[[body]]";
    for (std::size_t i = 1; i < group.links.size(); ++i)
      text_ += (i == 1 ? " # with " : ", ") + one_line(robot_.links[static_cast<std::size_t>(group.links[i])].name, 60);
    text_ += "\nname = " + in_quotes(group.name) + "\nmass = " + digits(group.mass, group.mass) + "\n";
    if (norm(group.centre) > 0) text_ += "centre = " + in_brackets(group.centre) + "\n";
    const Tensor& J = group.inertia;
    const quad beside = math::max(math::abs(J[3]), math::max(math::abs(J[4]), math::abs(J[5])));
    // Less than a double would notice beside the diagonal is what a program left there.
    if (beside > quad(1e-18) * (J[0] + J[1] + J[2]))
      text_ += "inertia = " + in_brackets(J) + "\n";
    else
      text_ += "inertia = " + in_brackets(Triple{J[0], J[1], J[2]}) + "\n";
    if (norm(group.at.at) > 0) text_ += "position = " + in_brackets(group.at.at) + "\n";
    text_ += turned_key(group.at.turn);
    const auto [v, w] = motion_of(group.links[0]);
    if (norm(v) > 0) text_ += "velocity = " + in_brackets(v) + "\n";
    if (norm(w) > 0) text_ += "angular_velocity = " + in_brackets(w) + "\n";
    looks("body.part", group);
  }

  // What the links of a group look like, in its frame.
  void looks(const char* table, const Group& group) {
    for (const int index : group.links) {
      const Pose pose = inverse(group.at) * groups_.at[static_cast<std::size_t>(index)];
      for (const Visual& visual : robot_.links[static_cast<std::size_t>(index)].visuals)
        look(table, visual, pose * visual.at);
    }
  }

  void look(const char* table, const Visual& visual, const Pose& at) {
    text_ += std::string("\n[[") + table + "]]\nshape = \"" + visual.shape + "\"\n";
    const auto size = [&](const char* key, quad x) { text_ += std::string(key) + " = " + digits(x, x) + "\n"; };
    if (visual.shape == "mesh") {
      text_ += "file = " + in_quotes(visual.file) + "\n";
      if (visual.size != Triple{1, 1, 1}) text_ += "scale = " + in_brackets(visual.size) + "\n";
    } else if (visual.shape == "box" || visual.shape == "ellipsoid") {
      text_ += "size = " + in_brackets(visual.size) + "\n";
    } else {
      size("radius", visual.size[0] / 2);
      if (visual.shape != "sphere") size("length", visual.size[2]);
    }
    if (norm(at.at) > 0) text_ += "at = " + in_brackets(at.at) + "\n";
    text_ += turned_key(at.turn);
    if (!visual.colour.empty()) text_ += "colour = \"" + visual.colour + "\"\n";
  }

  Pose at_parent(const Link& link) const {
    return link.parent < 0 ? Pose{} : groups_.at[static_cast<std::size_t>(link.parent)];
  }

  struct Rates {
    Triple v{}, w{};
  };

  // Of the origin of a link, from the rates of the joints.
  Rates motion_of(int index) const {
    if (index < 0) return {};
    const Link& link = robot_.links[static_cast<std::size_t>(index)];
    Rates rates = motion_of(link.parent);
    const Pose here = groups_.at[static_cast<std::size_t>(index)];
    rates.v = rates.v + cross(rates.w, here.at - at_parent(link).at);
    const std::vector<PlacedAxis> places = placed_axes(link, at_parent(link));
    for (std::size_t k = 0; k < places.size(); ++k) {
      const RobotJoint& j = link.joints[k];
      const PlacedAxis& place = places[k];
      Triple w{};
      if (j.freedom == Freedom::prismatic) rates.v = rates.v + j.rate * place.axis;
      if (j.freedom == Freedom::revolute) w = j.rate * place.axis;
      if (j.freedom == Freedom::spherical || j.freedom == Freedom::floating) {
        w = outward(here.turn, j.angular);
        rates.v = rates.v + j.velocity;
      }
      rates.w = rates.w + w;
      rates.v = rates.v + cross(w, here.at - place.anchor);
    }
    return rates;
  }

  int group(int link) const { return link < 0 ? 0 : groups_.of[static_cast<std::size_t>(link)]; }
  const Group& at(int g) const { return groups_.list[static_cast<std::size_t>(g)]; }
  // Of a point or direction in space, in the frame of a group.
  Triple inside(int g, const Triple& x) const { return inward(at(g).at.turn, x - at(g).at.at); }
  Triple along(int g, const Triple& u) const { return cleaned(inward(at(g).at.turn, u)); }

  std::string side(int g, const Triple& x) const {
    const std::string place = "at = " + in_brackets(inside(g, x)) + " }";
    return at(g).ground ? "{ " + place : "{ body = " + in_quotes(at(g).name) + ", " + place;
  }
  std::string whole(int g) const { return in_quotes(at(g).name); }

  void between(const std::string& type, const std::string& name, int a, const Triple& xa, int b, const Triple& xb,
               const std::string& more) {
    text_ += "\n[[joint]]\nname = " + in_quotes(name) + "\ntype = \"" + type + "\"\nfrom = " + side(a, xa) +
             "\nto = " + side(b, xb) + "\n" + more;
  }

  void joint(int index) {
    const Link& link = robot_.links[static_cast<std::size_t>(index)];
    if (link.joints.empty()) return;
    const int a = group(link.parent), b = group(index);
    if (a == b)
      throw InputError(link.joints[0].place + ": joint " + extremal::quoted(link.joints[0].name) +
                       " is between links that a loop fixes to each other; expected two bodies");
    const Pose here = groups_.at[static_cast<std::size_t>(index)];
    const Pose parent = at_parent(link);
    if (link.joints.size() > 1) return several(link, a, b);
    const RobotJoint& j = link.joints[0];
    const Triple axis = outward(here.turn, j.axis), to = point(here, j.anchor);
    // Where the coordinate of the joint is 0.
    const Triple from = point(parent * link.home, j.anchor) - j.ref * outward((parent * link.home).turn, j.axis);
    const std::string name = free_name(j.name, "joint"), about = "axis = " + in_brackets(along(a, axis)) + "\n";
    if (!j.word.empty()) joints_.emplace(j.name, NamedCoordinate{name, "'" + name + "." + j.word + "'"});
    switch (j.freedom) {
      case Freedom::revolute:
        between("revolute", name, a, to, b, to, about);
        if (j.start + j.ref != 0) text_ += "angle = " + digits(j.start + j.ref) + "\n";
        break;
      case Freedom::prismatic:
        between("prismatic", name, a, from, b, to, about);
        break;
      case Freedom::spherical:
        between("spherical", name, a, to, b, to, {});
        break;
      case Freedom::planar:
        between("planar", name, a, point(parent * link.home, j.anchor), b, to,
                "normal = " + in_brackets(along(a, axis)) + "\n");
        break;
      case Freedom::floating:
        break;
    }
    laws(j, NamedCoordinate{name, {}}, a, b, about);
  }

  bool coupled(const RobotJoint& j) const {
    return std::any_of(robot_.couplings.begin(), robot_.couplings.end(),
                       [&](const Coupling& each) { return each.joint == j.name || each.other == j.name; });
  }

  // By the joint's coordinate; dampers that need none go without.
  void laws(const RobotJoint& j, const NamedCoordinate& x, int a, int b, const std::string& about) {
    const bool turns = j.freedom == Freedom::revolute, alone = !about.empty(), has = !j.word.empty();
    const std::string &name = alone ? x.joint : j.name, of = "\njoint = " + in_quotes(x.joint) + "\n";
    const std::string damping = "damping = " + digits(j.damping, j.damping) + "\n";
    if (has && alone) {
      if (coupled(j)) text_ += "coordinate = true\n";
      if (j.armature > 0) text_ += "armature = " + digits(j.armature, j.armature) + "\n";
    } else if (has && j.armature > 0) {
      text_ += "\n[[kinetic]] # armature of " + one_line(j.name, 60) +
               "\nformula = " + in_quotes(digits(j.armature / 2, j.armature) + "*" + x.formula + "'^2") + "\n";
    }
    if (j.friction > 0 && has)
      text_ += "\n[[joint_friction]]\nname = " + in_quotes(free_name(name + " friction", "friction")) + of +
               "friction = " + digits(j.friction, j.friction) + "\n";
    if (j.range && robot_.limits && has)
      text_ += "\n[[joint_limit]]\nname = " + in_quotes(free_name(name + " limit", "limit")) + of +
               "lower = " + digits((*j.range)[0] - x.shift) + "\nupper = " + digits((*j.range)[1] - x.shift) +
               "\nstiffness = " + digits(*robot_.limits, *robot_.limits) + "\n";
    if (j.stiffness > 0 && has) {
      text_ += "\n[[joint_spring]]\nname = " + in_quotes(free_name(name + " spring", "spring")) + of;
      text_ +=
          "stiffness = " + digits(j.stiffness, j.stiffness) + "\nrest = " + digits(j.rest + j.ref - x.shift) + "\n";
      if (j.damping > 0) text_ += damping;
    } else if (j.damping > 0 && has && (!turns || !alone || coupled(j) || j.armature > 0 || j.friction > 0)) {
      text_ += "\n[[joint_damper]]\nname = " + in_quotes(free_name(name + " damper", "damper")) + of + damping;
    } else if (j.damping > 0 && (turns || j.freedom == Freedom::spherical)) {
      text_ += "\n[[rotational_damper]]\nname = " + in_quotes(free_name(name + " damper", "damper")) +
               "\nfrom = " + whole(a) + "\nto = " + whole(b) + "\n" + damping + (turns ? about : std::string());
    }
  }

  // Joints one after another without bodies between them, where a joint of the model does the same.
  void several(const Link& link, int a, int b) {
    std::string name;
    for (const RobotJoint& j : link.joints) name += (name.empty() ? "" : ", ") + j.name;
    const JoinedJoint one = joined(link, at_parent(link));
    if (one.type.empty())
      throw InputError(link.joints[1].place + ": found joints of " + extremal::quoted(link.name) +
                       " without a body between them that no joint of a model is when the loops are closed; expected "
                       "a mass between them");
    if (one.type == "floating") return;
    const auto key = [&](const char* word, int g, const Triple& u) {
      return std::string(word) + " = " + in_brackets(along(g, u)) + "\n";
    };
    std::string more;
    Triple from = one.at;
    if (one.type == "universal") more = key("axis", a, one.axis) + key("axis_to", b, one.axis_to);
    if (one.type == "cylindrical") more = key("axis", a, one.axis);
    if (one.type == "planar") more = key("normal", a, one.axis);
    for (const RobotJoint& j : link.joints) {
      const quad value = j.start + j.ref;  // where the coordinates are the file's
      if (one.type != "universal" && j.word == "angle" && value != 0) more += "angle = " + digits(value) + "\n";
      if (j.word == "stroke") from = from - value * one.axis;
    }
    name = free_name(name, "joint");
    between(one.type, name, a, from, b, one.at, more);
    if (one.slides && a == 0) observe_slides(link, name, one.axis);
    for (const RobotJoint& j : link.joints) {
      if (j.word.empty()) continue;
      std::string own = name;
      own.append(".").append(j.word);
      // Angles of a universal joint are 0 as the bodies are placed.
      const NamedCoordinate x{own, "'" + own + "'", one.type == "universal" ? j.start + j.ref : quad(0)};
      joints_.emplace(j.name, x);
      observe(j.name, shifted_text(x.formula, x.shift));
      laws(j, x, a, b, {});
    }
  }

  void observe(const std::string& name, const std::string& formula) {
    observed_ += in_quotes(free_name(name, "coordinate")) + " = " + in_quotes(formula) + "\n";
  }

  // Of two slides before a hinge, by the place in the plane, which is 0 now: x = sum of s_k e_k . n, y = sum of s_k
  // e_k . m, with the directions e_k of the slides and those, n and m, of the model's coordinates.
  void observe_slides(const Link& link, const std::string& name, const Triple& normal) {
    const std::vector<PlacedAxis> places = placed_axes(link, at_parent(link));
    const auto [n, m] = normals(along(0, normal));
    const std::array<quad, 2> e{dot(places[0].axis, n), dot(places[0].axis, m)},
        f{dot(places[1].axis, n), dot(places[1].axis, m)};
    const quad det = e[0] * f[1] - e[1] * f[0];
    const std::array<std::array<quad, 2>, 2> back{{{f[1] / det, -f[0] / det}, {-e[1] / det, e[0] / det}}};
    for (std::size_t k = 0; k < 2; ++k) {
      const RobotJoint& j = link.joints[k];
      std::string sum;
      for (const std::size_t i : {std::size_t(0), std::size_t(1)}) {
        if (math::abs(back[k][i]) < quad(1e-30)) continue;
        const std::string coordinate = "'" + name + (i == 0 ? ".x'" : ".y'");
        sum += (sum.empty() ? "" : " + ") + (back[k][i] == 1 ? "" : digits(back[k][i]) + "*") + coordinate;
      }
      observe(j.name, shifted_text(sum, j.start + j.ref));
    }
  }

  void closing(const Loop& loop) {
    const auto placed = [&](const LinkFrame& f) {
      return f.link < 0 ? f.pose : groups_.at[static_cast<std::size_t>(f.link)] * f.pose;
    };
    const int a = group(loop.a.link), b = group(loop.b.link);
    if (a == b)
      throw InputError(loop.place + ": loop " + extremal::quoted(loop.name) +
                       ": found frames of one body; expected two bodies");
    const Pose x = placed(loop.a);
    const std::string name = free_name(loop.name, "loop");
    // The points of both sides are the same to the last digit, whatever the digits of the file.
    if (loop.kind == Loop::Kind::spherical) return between("spherical", name, a, x.at, b, x.at, {});
    between("revolute", name, a, x.at, b, x.at, "axis = " + in_brackets(along(a, outward(x.turn, loop.axis))) + "\n");
  }

  const Robot& robot_;
  Groups groups_;
  std::set<std::string> names_;
  JointNames joints_;
  std::string text_, observed_;
};

}  // namespace

std::string model_text(const Robot& robot) { return Writer(robot).text(); }

}  // namespace extremal::robots
