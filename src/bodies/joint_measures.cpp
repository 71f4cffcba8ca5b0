// What the coordinates of a joint are measured between, by what its type leaves (joints.cpp).
//
// Angles count from the placements, where they are 0 or what the joint was told; strokes and places are those of the
// joint's second point, seen from the first. A point mass has no angles.
#include "bodies/mechanism_data.hpp"
#include "numbers/index.hpp"

namespace extremal {
namespace {

using Kind = RigidCoordinate::Kind;

class JointMeasures {
 public:
  JointMeasures(const MechanismData& data, const JointRecord& joint) : data_(data), joint_(joint) {}

  std::vector<RigidCoordinate> all() {
    for (const Measures what : joint_.type->measures) add(what);
    return std::move(list_);
  }

 private:
  void add(Measures what) {
    switch (what) {
      case Measures::angle:
        if (turns()) turning();
        break;
      case Measures::stroke:
        length("stroke", joint_.axis);
        break;
      case Measures::place: {
        const auto [x, y] = normals(joint_.axis);
        length("x", x);
        length("y", y);
        break;
      }
      case Measures::cross:
        crossed();
        break;
      case Measures::rotation:
        if (turns()) rotation();
        break;
    }
  }

  bool turns() const {
    for (const Side& side : {joint_.a, joint_.b})
      if (side.body >= 0 && !data_.bodies[sz(side.body)].rigid) return false;
    return true;
  }

  void turning() {
    const auto [n, m] =
        data_.space == Space::planar ? std::array<Triple, 2>{no_rotation[0], no_rotation[1]} : normals(joint_.axis);
    list_.push_back({Kind::angle, "angle", {joint_.a.body, n}, {joint_.b.body, to_second(n)}, m, joint_.angle});
  }

  void length(const char* name, const Triple& along) {
    list_.push_back({Kind::length, name, joint_.a, joint_.b, along});
  }

  // The cross turns about the axis of the first body, the second body about that of its own. Seen from the second body
  // it is the first axis that turns, the other way round.
  void crossed() {
    const Triple u = joint_.axis, w = joint_.axis_to;
    const Triple w_in_a = data_.carried(joint_.b.body, joint_.a.body, w);
    list_.push_back(
        {Kind::angle, "angle", {joint_.a.body, across(w_in_a, u)}, {joint_.b.body, w}, cross(u, across(w_in_a, u))});
    const Triple seen = across(to_second(u), w);
    list_.push_back({Kind::angle, "angle_to", {joint_.b.body, seen}, {joint_.a.body, u}, cross(seen, w)});
  }

  void rotation() {
    constexpr const char* names[] = {"rx", "ry", "rz"};
    const Directors frame{to_second(no_rotation[0]), to_second(no_rotation[1]), to_second(no_rotation[2])};
    for (int k = 0; k < 3; ++k)
      list_.push_back({Kind::rotation, names[k], {joint_.a.body, {}}, {joint_.b.body, {}}, {}, 0, k, frame});
  }

  Triple to_second(const Triple& in_a) const { return data_.carried(joint_.a.body, joint_.b.body, in_a); }

  // The direction of the part of x that is normal to u; of axes that are not quite so at the placements.
  static Triple across(const Triple& x, const Triple& u) {
    const Triple part = x - dot(x, u) * u;
    const quad size = norm(part);
    return size > 0 ? cleaned((1 / size) * part) : normals(u)[0];
  }

  const MechanismData& data_;
  const JointRecord& joint_;
  std::vector<RigidCoordinate> list_;
};

}  // namespace

std::vector<RigidCoordinate> coordinates_of(const MechanismData& data, const JointRecord& joint) {
  return JointMeasures(data, joint).all();
}

}  // namespace extremal
