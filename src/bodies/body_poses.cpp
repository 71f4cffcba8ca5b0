#include "bodies/body_poses.hpp"

#include "numbers/index.hpp"

namespace extremal {

template <class S>
BodyPoses<S>::BodyPoses(const RigidStructure& rigid) : dimension_(rigid.dimension) {
  std::vector<bool> node(rigid.bodies.size(), false);
  for (const RigidRod& rod : rigid.rods)
    for (int k = 0; k < rod.nodes; ++k) node[sz(rod.first + k)] = true;
  const auto rounded = [](const Triple& x) {
    return lie::Vec3<S>{static_cast<S>(x[0]), static_cast<S>(x[1]), static_cast<S>(x[2])};
  };
  for (std::size_t b = 0; b < rigid.bodies.size(); ++b) {
    if (node[b]) continue;
    const RigidBody& body = rigid.bodies[b];
    names_.push_back(body.name);
    frames_.push_back({body.first,
                       body.turns,
                       rounded(body.origin),
                       {rounded(body.frame[0]), rounded(body.frame[1]), rounded(body.frame[2])}});
  }
}

// Of the directors in q, or of their rates in v; the third director of the plane stays where it is.
template <class S>
lie::Vec3<S> BodyPoses<S>::combined(const Frame& frame, const lie::Vec3<S>& in_body, const S* x) const {
  const S* d = x + frame.first + dimension_;
  lie::Vec3<S> sum = in_body.x * vector(d) + in_body.y * vector(d + dimension_);
  if (dimension_ == 3) sum = sum + in_body.z * vector(d + 6);
  return sum;
}

template <class S>
BodyPose<S> BodyPoses<S>::at(std::size_t body, const S* q, const S* v) const {
  const Frame& frame = frames_[body];
  const S o(1), z(0);
  BodyPose<S> out{vector(q + frame.first), vector(v + frame.first), {o, z, z, z}, {z, z, z}};
  if (!frame.turns) return out;
  out.position = out.position + combined(frame, frame.origin, q);
  out.velocity = out.velocity + combined(frame, frame.origin, v);
  const auto axis = [&](int k) {
    return dimension_ == 2 && k == 2 ? lie::Vec3<S>{z, z, o} : combined(frame, frame.axes[k], q);
  };
  out.rotation = lie::from_columns(lie::Columns<S>{axis(0), axis(1), axis(2)});
  if (out.rotation.w < z) out.rotation = S(-1) * out.rotation;
  for (int i = 1; i <= dimension_; ++i)
    out.omega = out.omega + cross(vector(q + frame.first + i * dimension_), vector(v + frame.first + i * dimension_));
  out.omega = S(0.5) * out.omega;
  return out;
}

template class BodyPoses<double>;
template class BodyPoses<long double>;
template class BodyPoses<quad>;

}  // namespace extremal
