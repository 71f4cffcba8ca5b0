// BodyPoses: where the bodies of a mechanism are and how they move, in the frames in which they were given. Nodes of
// rods are left out.
#pragma once

#include <string>
#include <vector>

#include "bodies/quaternion.hpp"
#include "bodies/rigid.hpp"

namespace extremal {

template <class S>
struct BodyPose {
  lie::Vec3<S> position, velocity;  // of the origin of its frame
  lie::Quaternion<S> rotation;      // from the axes of the frame to those of space; its first component is not negative
  lie::Vec3<S> omega;               // in space axes
};

template <class S>
class BodyPoses {
 public:
  explicit BodyPoses(const RigidStructure& rigid);
  const std::vector<std::string>& names() const { return names_; }
  BodyPose<S> at(std::size_t body, const S* q, const S* v) const;

 private:
  struct Frame {
    int first;
    bool turns;
    lie::Vec3<S> origin, axes[3];  // along the directors
  };
  lie::Vec3<S> vector(const S* x) const { return {x[0], x[1], dimension_ == 3 ? x[2] : S(0)}; }
  lie::Vec3<S> combined(const Frame& frame, const lie::Vec3<S>& in_body, const S* x) const;

  int dimension_;
  std::vector<std::string> names_;
  std::vector<Frame> frames_;
};

}  // namespace extremal
