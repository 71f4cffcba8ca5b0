// Bodies that nobody placed: where joints hold them.
//
// A body without a placement follows the first joint that joins it to one that has a place: the joint's points
// coincide, and its frame is parallel to the other's. What is left without a place stays at the origin.
#include <algorithm>

#include "bodies/joint_type.hpp"
#include "bodies/mechanism_data.hpp"
#include "numbers/index.hpp"

namespace extremal {
namespace {

// Whether the points of a joint may coincide with parallel frames: neither a distance, nor axes that cross.
bool closes_parallel(const JointType& type) {
  return std::none_of(type.keeps.begin(), type.keeps.end(),
                      [](Keeps keeps) { return keeps == Keeps::apart || keeps == Keeps::crossed; });
}

// The axes of the frame in which a body was given, in space.
Directors frame_of(const MechanismData& data, int body) {
  if (body < 0) return no_rotation;
  const BodyRecord& record = data.bodies[sz(body)];
  Directors frame;
  for (std::size_t k = 0; k < 3; ++k) frame[k] = outward(record.directors, inward(record.axes, no_rotation[k]));
  return frame;
}

}  // namespace

void MechanismData::follow_joints() const {
  std::vector<bool> known;
  for (const BodyRecord& body : bodies) known.push_back(body.placed);
  const auto has_place = [&](const Side& side) { return side.body < 0 || known[sz(side.body)]; };
  for (bool more = true; more;) {
    more = false;
    for (const JointRecord& joint : joints) {
      if (has_place(joint.a) == has_place(joint.b) || !closes_parallel(*joint.type)) continue;
      const Side &to = has_place(joint.a) ? joint.a : joint.b, &follower = has_place(joint.a) ? joint.b : joint.a;
      BodyRecord& body = bodies[sz(follower.body)];
      const Directors frame = frame_of(*this, to.body);
      body.directors = body.axes == no_rotation ? frame : product(frame, body.axes);
      body.position = placed(to) - outward(body.directors, follower.at);
      known[sz(follower.body)] = more = true;
    }
  }
}

}  // namespace extremal
