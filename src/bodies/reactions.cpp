#include "bodies/reactions.hpp"

#include "numbers/index.hpp"

namespace extremal {

template <class S>
JointReactions<S>::JointReactions(const RigidStructure& rigid) : dimension_(rigid.dimension) {
  const auto rounded = [](const Triple& x) {
    return lie::Vec3<S>{static_cast<S>(x[0]), static_cast<S>(x[1]), static_cast<S>(x[2])};
  };
  const auto end = [&](const Side& side) {
    if (side.body < 0) return End{-1, true, rounded(side.at)};
    const RigidBody& body = rigid.bodies[sz(side.body)];
    return End{body.first, body.turns, rounded(side.at)};
  };
  for (const RigidJoint& joint : rigid.joints) {
    joints_.push_back({end(joint.a), end(joint.b), {}});
    for (std::size_t k = 0; k < joint.rows.size(); ++k) {
      const RigidRow& row = joint.rows[k];
      joints_.back().rows.push_back({row.kind, end(row.a), end(row.b), rounded(row.axis), joint.index[k]});
    }
  }
}

template <class S>
lie::Vec3<S> JointReactions<S>::direction(const End& end, const S* q) const {
  if (end.first < 0) return end.at;
  if (!end.turns) return {S(0), S(0), S(0)};
  const S* d = q + end.first + dimension_;
  lie::Vec3<S> x = end.at.x * vector(d) + end.at.y * vector(d + dimension_);
  if (dimension_ == 3) x = x + end.at.z * vector(d + 6);
  return x;
}

template <class S>
lie::Vec3<S> JointReactions<S>::place(const End& end, const S* q) const {
  return end.first < 0 ? end.at : vector(q + end.first) + direction(end, q);
}

template <class S>
JointWrench<S> JointReactions<S>::at(std::size_t joint, const S* q, const S* lambda) const {
  const Joint& one = joints_[joint];
  const lie::Vec3<S> none{S(0), S(0), S(0)};
  JointWrench<S> out{none, none, place(one.b, q) - place(one.a, q)};
  for (const Row& row : one.rows) {
    const S minus = -lambda[row.index];
    switch (row.kind) {
      case RigidRow::Kind::gap:
        out.force = out.force + minus * row.axis;
        break;
      case RigidRow::Kind::plane:
        out.force = out.force + minus * direction({row.a.first, row.a.turns, row.axis}, q);
        break;
      case RigidRow::Kind::normal:
        out.torque = out.torque + minus * cross(direction(row.b, q), direction(row.a, q));
        break;
      case RigidRow::Kind::distance:
        out.force = out.force + (minus / row.axis.x) * out.arm;
        break;
    }
  }
  return out;
}

template class JointReactions<double>;
template class JointReactions<long double>;
template class JointReactions<quad>;

}  // namespace extremal
