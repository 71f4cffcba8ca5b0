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
  const std::string brief = to_text(static_cast<double>(x));
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
    merge_massless();
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
    for (int k = 1; !names_.insert(own).second; ++k) own = name + " " + kind + (k > 1 ? " " + std::to_string(k) : "");
    return own;
  }

  void head() {
    text_ += "# " + one_line(robot_.source, 200) + "\n";
    for (const std::string& note : robot_.notes.lines()) text_ += "# not here: " + one_line(note, 4000) + "\n";
    text_ += "name = " + in_quotes(robot_.name) + "\ngravity = " + digits_of(robot_.gravity) + "\n";
  }

  // A link without mass between two joints moves nothing by itself.
  void merge_massless() {
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
    for (const RobotJoint& j : link.joints) {
      const Triple axis = outward(here.turn, j.axis);
      if (j.freedom == Freedom::prismatic) rates.v = rates.v + j.rate * axis;
      if (j.freedom == Freedom::revolute) {
        rates.w = rates.w + j.rate * axis;
        rates.v = rates.v + cross(j.rate * axis, here.at - point(here, j.anchor));
      }
      if (j.freedom == Freedom::spherical || j.freedom == Freedom::floating) {
        const Triple w = outward(here.turn, j.angular);
        rates.w = rates.w + w;
        rates.v = rates.v + j.velocity + cross(w, here.at - point(here, j.anchor));
      }
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
    if (link.joints.size() > 1) return several(link, parent * link.home, a, b);
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
  void several(const Link& link, Pose frame, int a, int b) {
    (void)frame;
    (void)a;
    (void)b;
    throw InputError(link.joints[1].place + ": found " + std::to_string(link.joints.size()) + " joints of " +
                     extremal::quoted(link.name) +
                     " without a body between them; expected one, or a ball or free joint");
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
