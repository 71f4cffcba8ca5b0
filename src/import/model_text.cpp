// A Robot as a model file: bodies in the frames of their links, joints at the points of both sides.
#include <algorithm>
#include <set>

#include "bodies/quaternion.hpp"
#include "extremal/error.hpp"
#include "import/groups.hpp"
#include "words/grammar.hpp"

namespace extremal::robots {
namespace {

// As few digits as a double has if these are all there is to it, up to round-off of quad beside `size`.
std::string digits(quad x, quad size = 1) {
  if (math::abs(x) < quad(1e-30) * size) return "0";
  std::string brief = to_text(static_cast<double>(x));
  quad back = 0;
  if (from_text(brief, back) && math::abs(back - x) <= quad(1e-30) * math::max(size, math::abs(x))) return brief;
  return to_text(x);
}

template <class List>
std::string digits_of(const List& list) {
  quad size = 0;
  for (const quad x : list) size = math::max(size, math::abs(x));
  std::string text = "[";
  for (const quad x : list) text += (text.size() > 1 ? ", " : "") + digits(x, size);
  return text + "]";
}

// A text of TOML on one line. Braces have a meaning in names of model files.
std::string in_quotes(const std::string& text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    all += c == '{' ? '(' : c == '}' ? ')' : static_cast<unsigned char>(c) < 32 || c == 127 ? ' ' : c;
  }
  return all + "\"";
}

// How a body is turned: a matrix if its entries are plain, nothing if it is not.
std::string turned_key(const Directors& d) {
  if (d == no_rotation) return {};
  bool plain = true;
  for (const Triple& column : d)
    for (const quad x : column) plain = plain && (x == 0 || x == 1 || x == -1);
  if (plain) {
    std::array<quad, 9> rows;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) rows[3 * i + j] = d[j][i];
    return "matrix = " + digits_of(rows) + "\n";
  }
  const auto vec = [](const Triple& x) { return lie::Vec3<quad>{x[0], x[1], x[2]}; };
  const auto q = lie::from_columns(lie::Columns<quad>{vec(d[0]), vec(d[1]), vec(d[2])});
  return "quaternion = " + digits_of(std::array<quad, 4>{q.w, q.x, q.y, q.z}) + "\n";
}

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
    text_ += "\n[run]\nscheme = \"spark(2)\"\nstep = " + robot_.step + "\nuntil = 1\nevery = 10\n";
    return std::move(text_);
  }

 private:
  // Names of bodies, joints and loads are distinct in a model.
  std::string free_name(const std::string& name, const std::string& kind) {
    std::string own = name.empty() ? kind : name;
    for (int k = 1; !names_.insert(own).second; ++k) {
      own = name;
      own.append(" ").append(kind);
      if (k > 1) own.append(" ").append(std::to_string(k));
    }
    return own;
  }

  void head() {
    text_ += "# " + one_line(robot_.source, 200) + "\n";
    for (const std::string& note : robot_.notes.lines()) text_ += "# not here: " + one_line(note, 4000) + "\n";
    text_ += "name = " + in_quotes(robot_.name) + "\ngravity = " + digits_of(robot_.gravity) + "\n";
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
    if (norm(group.centre) > 0) text_ += "centre = " + digits_of(group.centre) + "\n";
    const Tensor& J = group.inertia;
    const quad beside = math::max(math::abs(J[3]), math::max(math::abs(J[4]), math::abs(J[5])));
    // Less than a double would notice beside the diagonal is what a program left there.
    if (beside > quad(1e-18) * (J[0] + J[1] + J[2]))
      text_ += "inertia = " + digits_of(J) + "\n";
    else
      text_ += "inertia = " + digits_of(Triple{J[0], J[1], J[2]}) + "\n";
    if (norm(group.at.at) > 0) text_ += "position = " + digits_of(group.at.at) + "\n";
    text_ += turned_key(group.at.turn);
    const auto [v, w] = motion_of(group.links[0]);
    if (norm(v) > 0) text_ += "velocity = " + digits_of(v) + "\n";
    if (norm(w) > 0) text_ += "angular_velocity = " + digits_of(w) + "\n";
  }

  // Where a joint of a link is in space, and its axis.
  struct Stage {
    Triple anchor{}, axis{};
  };
  std::vector<Stage> stages_of(int index) const {
    const Link& link = robot_.links[static_cast<std::size_t>(index)];
    Pose frame = link.parent < 0 ? link.home : groups_.at[static_cast<std::size_t>(link.parent)] * link.home;
    std::vector<Stage> stages;
    for (const RobotJoint& joint : link.joints) {
      frame = frame * motion(joint);
      stages.push_back({point(frame, joint.anchor), outward(frame.turn, joint.axis)});
    }
    return stages;
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
    const Triple from = link.parent < 0 ? Triple{} : groups_.at[static_cast<std::size_t>(link.parent)].at;
    rates.v = rates.v + cross(rates.w, here.at - from);
    const std::vector<Stage> stages = stages_of(index);
    for (std::size_t k = 0; k < stages.size(); ++k) {
      const RobotJoint& j = link.joints[k];
      const Stage& stage = stages[k];
      Triple w{};
      if (j.freedom == Freedom::prismatic) rates.v = rates.v + j.rate * stage.axis;
      if (j.freedom == Freedom::revolute) w = j.rate * stage.axis;
      if (j.freedom == Freedom::spherical || j.freedom == Freedom::floating) {
        w = outward(here.turn, j.angular);
        rates.v = rates.v + j.velocity;
      }
      rates.w = rates.w + w;
      rates.v = rates.v + cross(w, here.at - stage.anchor);
    }
    return rates;
  }

  int group(int link) const { return link < 0 ? 0 : groups_.of[static_cast<std::size_t>(link)]; }
  const Group& at(int g) const { return groups_.list[static_cast<std::size_t>(g)]; }
  // Of a point or direction in space, in the frame of a group.
  Triple inside(int g, const Triple& x) const { return inward(at(g).at.turn, x - at(g).at.at); }
  Triple along(int g, const Triple& u) const { return cleaned(inward(at(g).at.turn, u)); }

  std::string side(int g, const Triple& x) const {
    const std::string place = "at = " + digits_of(inside(g, x)) + " }";
    return at(g).ground ? "{ " + place : "{ body = " + in_quotes(at(g).name) + ", " + place;
  }
  std::string whole(int g) const { return in_quotes(at(g).name); }

  void part(const std::string& kind, const std::string& name, const std::string& from, const std::string& to) {
    text_ += "\n[[" + kind + "]]\nname = " + in_quotes(name) + "\n";
    if (kind != "joint") text_ += "from = " + from + "\nto = " + to + "\n";
  }

  void between(const std::string& type, const std::string& name, int a, const Triple& xa, int b, const Triple& xb,
               const std::string& more) {
    part("joint", name, {}, {});
    text_ += "type = \"" + type + "\"\nfrom = " + side(a, xa) + "\nto = " + side(b, xb) + "\n" + more;
  }

  void joint(int index) {
    const Link& link = robot_.links[static_cast<std::size_t>(index)];
    if (link.joints.empty()) return;
    const int a = group(link.parent), b = group(index);
    if (a == b)
      throw InputError(link.joints[0].place + ": joint " + extremal::quoted(link.joints[0].name) +
                       " is between links that a loop fixes to each other; expected two bodies");
    const Pose here = groups_.at[static_cast<std::size_t>(index)];
    const Pose parent = link.parent < 0 ? Pose{} : groups_.at[static_cast<std::size_t>(link.parent)];
    if (link.joints.size() > 1) return several(index, a, b);
    const RobotJoint& j = link.joints[0];
    const Triple axis = outward(here.turn, j.axis), to = point(here, j.anchor);
    const Triple from = point(parent * link.home, j.anchor);  // where the joint is at 0
    const std::string name = free_name(j.name, "joint"), about = "axis = " + digits_of(along(a, axis)) + "\n";
    switch (j.freedom) {
      case Freedom::revolute:
        between("revolute", name, a, to, b, to, about);
        break;
      case Freedom::prismatic:
        between("prismatic", name, a, from, b, to, about);
        break;
      case Freedom::spherical:
        between("spherical", name, a, to, b, to, {});
        break;
      case Freedom::planar:
        between("planar", name, a, from, b, to, "normal = " + digits_of(along(a, axis)) + "\n");
        break;
      case Freedom::floating:
        break;
    }
    laws(j, name, a, b, axis, from, to);
  }

  // Dampers and springs of a joint, by parts that do the same.
  void laws(const RobotJoint& j, const std::string& name, int a, int b, const Triple& axis, const Triple& from,
            const Triple& to) {
    const std::string about = "axis = " + digits_of(along(a, axis)) + "\n";
    const std::string damping = "damping = " + digits(j.damping, j.damping) + "\n";
    if (j.freedom == Freedom::prismatic) {
      // The line from a point far down the axis stays on the axis: its length is the stroke and more.
      const quad far = 10;
      const Triple below = from - far * axis;
      if (j.stiffness > 0 && far + j.rest > 0) {
        part("spring", free_name(name + " spring", "spring"), side(a, below), side(b, to));
        text_ += "stiffness = " + digits(j.stiffness, j.stiffness) + "\nlength = " + digits(far + j.rest) + "\n";
      }
      if (j.damping > 0) {
        part("line_damper", free_name(name + " damper", "damper"), side(a, below), side(b, to));
        text_ += damping;
      }
      return;
    }
    if (j.freedom == Freedom::revolute && j.stiffness > 0) {
      part("torsion_spring", free_name(name + " spring", "spring"), whole(a), whole(b));
      text_ +=
          "stiffness = " + digits(j.stiffness, j.stiffness) + "\nangle = " + digits(j.rest - j.start) + "\n" + about;
    }
    if (j.damping > 0 && (j.freedom == Freedom::revolute || j.freedom == Freedom::spherical)) {
      part("rotational_damper", free_name(name + " damper", "damper"), whole(a), whole(b));
      text_ += damping + (j.freedom == Freedom::revolute ? about : std::string());
    }
  }

  // Joints one after another without bodies between them, where a joint of the model does the same.
  void several(int index, int a, int b) {
    const Link& link = robot_.links[static_cast<std::size_t>(index)];
    std::vector<Stage> turns, slides;
    std::string name;
    bool free = false;
    const std::vector<Stage> stages = stages_of(index);
    for (std::size_t k = 0; k < stages.size(); ++k) {
      const RobotJoint& j = link.joints[k];
      name += (name.empty() ? "" : ", ") + j.name;
      free = free || (j.freedom != Freedom::revolute && j.freedom != Freedom::prismatic);
      (j.freedom == Freedom::prismatic ? slides : turns).push_back(stages[k]);
    }
    const quad small = quad(1e-9);
    const auto parallel = [&](const Triple& u, const Triple& w) { return norm(cross(u, w)) < small; };
    const auto normal = [&](const Triple& u, const Triple& w) { return math::abs(dot(u, w)) < small; };
    const bool together = std::all_of(turns.begin(), turns.end(),
                                      [&](const Stage& each) { return norm(each.anchor - turns[0].anchor) < small; });
    const auto volume = [](const std::vector<Stage>& x) {
      return math::abs(dot(cross(x[0].axis, x[1].axis), x[2].axis));
    };
    const auto key = [&](const char* word, int g, const Triple& u) {
      return std::string(word) + " = " + digits_of(along(g, u)) + "\n";
    };
    name = free_name(name, "joint");
    const std::size_t n = turns.size(), m = slides.size();
    if (!free && together && n == 2 && m == 0 && normal(turns[0].axis, turns[1].axis))
      return between("universal", name, a, turns[0].anchor, b, turns[0].anchor,
                     key("axis", a, turns[0].axis) + key("axis_to", b, turns[1].axis));
    if (!free && together && n == 3 && m == 0 && volume(turns) > quad(0.01))
      return between("spherical", name, a, turns[0].anchor, b, turns[0].anchor, {});
    if (!free && n == 1 && m == 1 && parallel(turns[0].axis, slides[0].axis))
      return between("cylindrical", name, a, turns[0].anchor, b, turns[0].anchor, key("axis", a, turns[0].axis));
    if (!free && n == 1 && m == 2 && normal(turns[0].axis, slides[0].axis) && normal(turns[0].axis, slides[1].axis) &&
        norm(cross(slides[0].axis, slides[1].axis)) > quad(0.01))
      return between("planar", name, a, turns[0].anchor, b, turns[0].anchor, key("normal", a, turns[0].axis));
    const bool ball = n == 1 && link.joints.back().freedom == Freedom::spherical;
    if (m == 3 && volume(slides) > quad(0.01) && (ball || (!free && n == 3 && volume(turns) > quad(0.01)))) return;
    throw InputError(link.joints[1].place + ": found joints of " + extremal::quoted(link.name) +
                     " without a body between them that no joint of a model is; expected a universal, spherical, "
                     "cylindrical, planar or free one, or a mass between them");
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
    between("revolute", name, a, x.at, b, x.at, "axis = " + digits_of(along(a, outward(x.turn, loop.axis))) + "\n");
  }

  const Robot& robot_;
  Groups groups_;
  std::set<std::string> names_;
  std::string text_;
};

}  // namespace

std::string model_text(const Robot& robot) { return Writer(robot).text(); }

}  // namespace extremal::robots
