// Joints as rows of g: points that coincide, and directions that stay normal to each other.
//
// A row that compares points is a length and its multiplier a force; one that compares unit vectors is an angle and its
// multiplier a torque.
#include <algorithm>

#include "bodies/joint_type.hpp"
#include "bodies/mechanism_data.hpp"
#include "extremal/error.hpp"
#include "numbers/index.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

using Rows = std::vector<JointRow>;

namespace key {
constexpr JointType::Key axis{"axis", &JointData::axis}, axis_to{"axis_to", &JointData::axis_to},
    normal{"normal", &JointData::normal}, length{"length", &JointData::length}, angle{"angle", &JointData::angle},
    armature{"armature", &JointData::armature};
}

std::string joint_label(const std::string& name) { return "joint \"" + name + "\""; }

// A joint between two sides: its directions, in the frame of their side, and its length if that was given.
struct Joined {
  std::string what;
  Side a, b;
  Triple axis{}, axis_to{};
  std::optional<quad> length = {};
  quad angle = 0;  // at the placements
  quad armature = 0;
};

void coincide(const MechanismData& data, const Joined& j, Rows& rows) {
  const VectorField gap = data.point(j.b) - data.point(j.a);
  for (int k = 0; k < data.dimension(); ++k)
    rows.push_back({gap[sz(k)], {RigidRow::Kind::gap, j.a, j.b, no_rotation[sz(k)]}});
}

// Point b keeps its distance 0 from the plane through a with a normal of the first side.
void on_plane(const MechanismData& data, const Joined& j, const Triple& n, Rows& rows) {
  rows.push_back(
      {dot(data.vector(j.a.body, n), data.point(j.b) - data.point(j.a)), {RigidRow::Kind::plane, j.a, j.b, n}});
}

void on_line(const MechanismData& data, const Joined& j, Rows& rows) {
  if (data.space == Space::planar) return on_plane(data, j, {-j.axis[1], j.axis[0], 0}, rows);
  for (const Triple& n : normals(j.axis)) on_plane(data, j, n, rows);
}

void normal_to(const MechanismData& data, int a, const Triple& in_a, int b, const Triple& in_b, Rows& rows) {
  rows.push_back(
      {dot(data.vector(a, in_a), data.vector(b, in_b)), {RigidRow::Kind::normal, {a, in_a}, {b, in_b}, {}}, true});
}

// The axis, the same in both bodies at the placements, stays so.
void aligned(const MechanismData& data, const Joined& j, Rows& rows) {
  if (data.space == Space::planar) return;
  for (const Triple& n : normals(j.axis))
    normal_to(data, j.a.body, n, j.b.body, data.carried(j.a.body, j.b.body, j.axis), rows);
}

// No rotation of one body against the other: e_1 . f_2 = e_2 . f_3 = e_3 . f_1 = 0 for the same frame in both.
void turned(const MechanismData& data, const Joined& j, Rows& rows) {
  const std::size_t count = data.space == Space::planar ? 1 : 3;
  for (std::size_t i = 0; i < count; ++i)
    normal_to(data, j.a.body, no_rotation[i], j.b.body, data.carried(j.a.body, j.b.body, no_rotation[(i + 1) % 3]),
              rows);
}

void apart(const MechanismData& data, const Joined& j, Rows& rows) {
  const quad l = j.length ? *j.length : norm(data.placed(j.b) - data.placed(j.a));
  if (!(l > 0)) data.refuse(j.what, "the points coincide at the placements; expected a positive distance");
  // (|r|^2 - l^2) / (2 l): its gradient has unit length, so that the multiplier is the force in the rod.
  const VectorField r = data.point(j.b) - data.point(j.a);
  rows.push_back(
      {Quadratic(1 / (2 * l)) * (dot(r, r) - Quadratic(l * l)), {RigidRow::Kind::distance, j.a, j.b, {l, 0, 0}}});
}

bool is_point_mass(const MechanismData& data, const Side& side) {
  return side.body >= 0 && !data.bodies[sz(side.body)].rigid;
}

void add_rows(const MechanismData& data, Keeps keeps, const Joined& j, Rows& rows) {
  switch (keeps) {
    case Keeps::together:
      return coincide(data, j, rows);
    case Keeps::on_line:
      return on_line(data, j, rows);
    case Keeps::on_plane:
      return on_plane(data, j, j.axis, rows);
    case Keeps::aligned:
      return aligned(data, j, rows);
    case Keeps::crossed:
      return normal_to(data, j.a.body, j.axis, j.b.body, j.axis_to, rows);
    case Keeps::carried:
      if (is_point_mass(data, j.a) || is_point_mass(data, j.b)) return;
      return turned(data, j, rows);
    case Keeps::turned:
      return turned(data, j, rows);
    case Keeps::apart:
      return apart(data, j, rows);
  }
}

// Whether the axis of a joint matters: that of a hinge in the plane is normal to it.
bool uses_axis(const JointType& type, Space space) {
  return std::any_of(type.keeps.begin(), type.keeps.end(), [&](Keeps k) {
    return k == Keeps::on_line || k == Keeps::on_plane || k == Keeps::crossed ||
           (k == Keeps::aligned && space == Space::spatial);
  });
}

void expect_turning_sides(const MechanismData& data, const JointType& type, const Joined& j) {
  for (const Keeps k : type.keeps) {
    const bool both =
        k == Keeps::crossed || k == Keeps::turned || (k == Keeps::aligned && data.space == Space::spatial);
    if (both || k == Keeps::on_line || k == Keeps::on_plane) data.expect_turning(j.what, j.a.body);
    if (both) data.expect_turning(j.what, j.b.body);
  }
}

quad read_length(const MechanismData& data, const std::string& what, const Numbers& given) {
  if (given.list().size() > 1) data.refuse(what, "several lengths; expected one");
  const quad l = given.list()[0].as<quad>();
  if (!(l > 0)) data.refuse(what, "length " + given.list()[0].text() + "; expected a positive one");
  return l;
}

// Directions and length, as the type asks for them.
void read_keys(const MechanismData& data, const JointType& type, const JointData& given, Joined& j) {
  for (const JointType::Key& each : {key::axis, key::axis_to, key::normal, key::length, key::angle, key::armature}) {
    const Numbers& value = given.*each.member;
    const bool known = std::any_of(type.keys.begin(), type.keys.end(),
                                   [&](const JointType::Key& own) { return own.member == each.member; });
    if (!known) {
      if (!value.empty()) data.refuse(j.what, std::string(each.name) + " of a " + type.name + " joint; expected none");
    } else if (each.member == key::length.member) {
      if (!value.empty()) j.length = read_length(data, j.what, value);
    } else if (each.member == key::angle.member) {
      if (value.list().size() > 1) data.refuse(j.what, "several angles; expected one");
      if (!value.empty()) j.angle = value.list()[0].as<quad>();
    } else if (each.member == key::armature.member) {
      if (value.list().size() > 1) data.refuse(j.what, "several values of armature; expected one");
      if (!value.empty()) j.armature = value.list()[0].as<quad>();
      if (j.armature < 0) data.refuse(j.what, "armature " + value.list()[0].text() + "; expected 0 or more");
    } else if (uses_axis(type, data.space)) {
      (each.member == key::axis_to.member ? j.axis_to : j.axis) = data.direction(j.what, value);
    } else if (!value.empty()) {
      data.refuse(j.what, "an axis in the plane; expected none");
    }
  }
}

}  // namespace

// A joint is a line here and one in extremal/mechanism.hpp.
const std::vector<JointType>& joint_types() {
  using enum Keeps;
  using enum JointPicture;
  using M = Measures;
  static const std::vector<JointType> all = {
      {"revolute",
       {"hinge", "pin"},
       {key::axis, key::angle, key::armature},
       {together, aligned},
       {M::angle},
       true,
       pin,
       "turns about the axis"},
      {"spherical", {"ball", "socket"}, {}, {together}, {M::rotation}, false, ball, "turns"},
      {"prismatic",
       {"slider"},
       {key::axis, key::armature},
       {on_line, turned},
       {M::stroke},
       true,
       box,
       "slides along the axis"},
      {"cylindrical",
       {},
       {key::axis, key::angle},
       {on_line, aligned},
       {M::stroke, M::angle},
       false,
       pin,
       "slides along the axis, turns about it"},
      {"universal",
       {"cardan", "hooke"},
       {key::axis, key::axis_to},
       {together, crossed},
       {M::cross},
       false,
       ball,
       "turns about either axis"},
      {"planar",
       {},
       {key::normal, key::angle},
       {on_plane, aligned},
       {M::place, M::angle},
       false,
       plane,
       "slides in the plane, turns about its normal"},
      {"fixed", {"weld"}, {}, {together, carried}, {}, true, box, "nothing"},
      {"distance", {"rod", "link"}, {key::length}, {apart}, {}, true, link, "all but the distance of the points"},
      {"point_on_line", {}, {key::axis}, {on_line}, {M::stroke}, true, line, "slides along the axis, turns"},
      {"point_on_plane", {}, {key::normal}, {on_plane}, {M::place}, false, plane, "slides in the plane, turns"},
  };
  return all;
}

const JointType& joint_type(std::string_view name) {
  std::vector<std::string> known;
  for (const JointType& type : joint_types()) {
    if (type.name == name) return type;
    if (std::find(type.others.begin(), type.others.end(), name) != type.others.end())
      throw InputError("unknown type " + quoted(name) + "; did you mean " + quoted(type.name) + "?");
    known.emplace_back(type.name);
  }
  throw InputError(unknown("type", std::string(name), known));
}

int JointType::rows(Space space) const {
  const bool flat = space == Space::planar;
  int count = 0;
  for (const Keeps k : keeps) switch (k) {
      case Keeps::together:
        count += flat ? 2 : 3;
        break;
      case Keeps::on_line:
        count += flat ? 1 : 2;
        break;
      case Keeps::aligned:
        count += flat ? 0 : 2;
        break;
      case Keeps::turned:
      case Keeps::carried:
        count += flat ? 1 : 3;
        break;
      case Keeps::on_plane:
      case Keeps::crossed:
      case Keeps::apart:
        count += 1;
        break;
    }
  return count;
}

const char* name(JointPicture picture) {
  constexpr const char* words[] = {"ball", "pin", "box", "link", "line", "plane"};
  return words[static_cast<int>(picture)];
}

void Mechanism::joint(std::string_view type_name, const std::string& name, const Point& first, const Point& second,
                      const JointData& given) {
  MechanismData& data = *data_;
  const JointType& type = joint_type(type_name);
  Joined j{.what = joint_label(name)};
  if (!type.in_plane) data.expect_spatial(j.what);
  read_keys(data, type, given, j);
  j.a = data.side(j.what, first), j.b = data.side(j.what, second);
  j.axis = data.along_directors(j.a.body, j.axis), j.axis_to = data.along_directors(j.b.body, j.axis_to);
  data.expect_two(j.what, j.a.body, j.b.body);
  expect_turning_sides(data, type, j);
  data.claim(j.what, name);
  for (const Side& side : {j.a, j.b})
    if (side.body >= 0) data.largest_arm = math::max(data.largest_arm, norm(side.at));
  data.joint_index.emplace(name, static_cast<int>(data.joints.size()));
  data.joints.push_back({name, &type, data.place, j.a, j.b, j.axis, j.axis_to, j.angle, j.armature,
                         [&type, j](const MechanismData& d, Rows& rows) {
                           for (const Keeps k : type.keeps) add_rows(d, k, j, rows);
                         }});
  tell_joint(data, type.name, name, first, second, given);
  if (j.armature > 0) own_coordinate(name);
}

}  // namespace extremal
