// Joints as rows of g: points that coincide, and directions that stay normal to each other.
//
// A row that compares points is a length and its multiplier a force; one that compares unit vectors is an angle and its
// multiplier a torque.
#include "bodies/mechanism_data.hpp"
#include "extremal/error.hpp"
#include "numbers/index.hpp"

namespace extremal {
namespace {

using Rows = std::vector<JointRow>;

std::string joint_label(const std::string& name) { return "joint \"" + name + "\""; }

void coincide(const MechanismData& data, const Side& a, const Side& b, Rows& rows) {
  const VectorField gap = data.point(b) - data.point(a);
  for (int k = 0; k < data.dimension(); ++k)
    rows.push_back(
        {gap[static_cast<std::size_t>(k)], {RigidRow::Kind::gap, a, b, no_rotation[static_cast<std::size_t>(k)]}});
}

// Point b keeps its distance 0 from the plane through a with a normal of the first side.
void on_plane(const MechanismData& data, const Side& a, const Side& b, const Triple& normal, Rows& rows) {
  rows.push_back(
      {dot(data.vector(a.body, normal), data.point(b) - data.point(a)), {RigidRow::Kind::plane, a, b, normal}});
}

void on_line(const MechanismData& data, const Side& a, const Side& b, const Triple& axis, Rows& rows) {
  if (data.space == Space::planar) return on_plane(data, a, b, {-axis[1], axis[0], 0}, rows);
  for (const Triple& n : normals(axis)) on_plane(data, a, b, n, rows);
}

void normal_to(const MechanismData& data, int a, const Triple& in_a, int b, const Triple& in_b, Rows& rows) {
  rows.push_back(
      {dot(data.vector(a, in_a), data.vector(b, in_b)), {RigidRow::Kind::normal, {a, in_a}, {b, in_b}, {}}, true});
}

// The axis, the same in both bodies at the placements, stays so.
void aligned(const MechanismData& data, int a, int b, const Triple& axis, Rows& rows) {
  for (const Triple& n : normals(axis)) normal_to(data, a, n, b, data.carried(a, b, axis), rows);
}

// No rotation of one body against the other: e_1 . f_2 = e_2 . f_3 = e_3 . f_1 = 0 for the same frame in both.
void locked(const MechanismData& data, int a, int b, Rows& rows) {
  const std::size_t count = data.space == Space::planar ? 1 : 3;
  for (std::size_t i = 0; i < count; ++i)
    normal_to(data, a, no_rotation[i], b, data.carried(a, b, no_rotation[(i + 1) % 3]), rows);
}

template <class Make>
void add(MechanismData& data, const std::string& name, JointType type, const Point& first, const Point& second,
         bool turning, Make make) {
  const std::string what = joint_label(name);
  const Side a = data.side(what, first), b = data.side(what, second);
  data.expect_two(what, a.body, b.body);
  if (turning) {
    data.expect_turning(what, a.body);
    data.expect_turning(what, b.body);
  }
  data.claim(what, name);
  for (const Side& side : {a, b})
    if (side.body >= 0) data.largest_arm = math::max(data.largest_arm, norm(side.at));
  data.joint_index.emplace(name, static_cast<int>(data.joints.size()));
  data.joints.push_back(
      {name, type, data.place, a, b, [a, b, make](const MechanismData& d, Rows& rows) { make(d, a, b, rows); }});
}

}  // namespace

void Mechanism::spherical(const std::string& name, const Point& a, const Point& b) {
  data_->expect_spatial(joint_label(name));
  add(*data_, name, JointType::spherical, a, b, false, coincide);
}

void Mechanism::revolute(const std::string& name, const Point& a, const Point& b, const Numbers& axis) {
  if (data_->space == Space::planar) {
    if (!axis.empty()) data_->refuse(joint_label(name), "an axis in the plane; expected none");
    add(*data_, name, JointType::revolute, a, b, false, coincide);
    return;
  }
  const Triple u = data_->direction(joint_label(name), axis);
  add(*data_, name, JointType::revolute, a, b, true,
      [u](const MechanismData& d, const Side& x, const Side& y, Rows& rows) {
        coincide(d, x, y, rows);
        aligned(d, x.body, y.body, u, rows);
      });
}

void Mechanism::prismatic(const std::string& name, const Point& a, const Point& b, const Numbers& axis) {
  const Triple u = data_->direction(joint_label(name), axis);
  add(*data_, name, JointType::prismatic, a, b, true,
      [u](const MechanismData& d, const Side& x, const Side& y, Rows& rows) {
        on_line(d, x, y, u, rows);
        locked(d, x.body, y.body, rows);
      });
}

void Mechanism::cylindrical(const std::string& name, const Point& a, const Point& b, const Numbers& axis) {
  data_->expect_spatial(joint_label(name));
  const Triple u = data_->direction(joint_label(name), axis);
  add(*data_, name, JointType::cylindrical, a, b, true,
      [u](const MechanismData& d, const Side& x, const Side& y, Rows& rows) {
        on_line(d, x, y, u, rows);
        aligned(d, x.body, y.body, u, rows);
      });
}

void Mechanism::universal(const std::string& name, const Point& a, const Point& b, const Numbers& axis_a,
                          const Numbers& axis_b) {
  data_->expect_spatial(joint_label(name));
  const Triple u = data_->direction(joint_label(name), axis_a), w = data_->direction(joint_label(name), axis_b);
  add(*data_, name, JointType::universal, a, b, true,
      [u, w](const MechanismData& d, const Side& x, const Side& y, Rows& rows) {
        coincide(d, x, y, rows);
        normal_to(d, x.body, u, y.body, w, rows);
      });
}

void Mechanism::planar(const std::string& name, const Point& a, const Point& b, const Numbers& normal) {
  data_->expect_spatial(joint_label(name));
  const Triple u = data_->direction(joint_label(name), normal);
  add(*data_, name, JointType::planar, a, b, true,
      [u](const MechanismData& d, const Side& x, const Side& y, Rows& rows) {
        on_plane(d, x, y, u, rows);
        aligned(d, x.body, y.body, u, rows);
      });
}

void Mechanism::fixed(const std::string& name, const Point& a, const Point& b) {
  for (const Point* end : {&a, &b})
    if (const int body = data_->side(joint_label(name), *end).body; body >= 0 && !data_->bodies[sz(body)].rigid)
      return add(*data_, name, JointType::fixed, a, b, false, coincide);  // a point mass has nothing to lock
  add(*data_, name, JointType::fixed, a, b, true, [](const MechanismData& d, const Side& x, const Side& y, Rows& rows) {
    coincide(d, x, y, rows);
    locked(d, x.body, y.body, rows);
  });
}

void Mechanism::distance(const std::string& name, const Point& a, const Point& b, const Numbers& length) {
  const std::string what = joint_label(name);
  if (length.list().size() > 1) data_->refuse(what, "several lengths; expected one");
  std::optional<quad> given;
  if (!length.empty()) given = length.list()[0].as<quad>();
  if (given && !(*given > 0)) data_->refuse(what, "length " + length.list()[0].text() + "; expected a positive one");
  add(*data_, name, JointType::distance, a, b, false,
      [given, what](const MechanismData& d, const Side& x, const Side& y, Rows& rows) {
        const quad l = given ? *given : norm(d.placed(y) - d.placed(x));
        if (!(l > 0)) d.refuse(what, "the points coincide at the placements; expected a positive distance");
        // (|r|^2 - l^2) / (2 l): its gradient has unit length, so that the multiplier is the force in the rod.
        const VectorField r = d.point(y) - d.point(x);
        rows.push_back(
            {Quadratic(1 / (2 * l)) * (dot(r, r) - Quadratic(l * l)), {RigidRow::Kind::distance, x, y, {l, 0, 0}}});
      });
}

void Mechanism::point_on_line(const std::string& name, const Point& a, const Point& b, const Numbers& axis) {
  const Triple u = data_->direction(joint_label(name), axis);
  data_->expect_turning(joint_label(name), data_->side(joint_label(name), a).body);
  add(*data_, name, JointType::point_on_line, a, b, false,
      [u](const MechanismData& d, const Side& x, const Side& y, Rows& rows) { on_line(d, x, y, u, rows); });
}

void Mechanism::point_on_plane(const std::string& name, const Point& a, const Point& b, const Numbers& normal) {
  data_->expect_spatial(joint_label(name));
  const Triple u = data_->direction(joint_label(name), normal);
  data_->expect_turning(joint_label(name), data_->side(joint_label(name), a).body);
  add(*data_, name, JointType::point_on_plane, a, b, false,
      [u](const MechanismData& d, const Side& x, const Side& y, Rows& rows) { on_plane(d, x, y, u, rows); });
}

}  // namespace extremal
