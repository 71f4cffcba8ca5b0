// JointReactions: the force and the torque of every joint at a configuration, from the multipliers of its rows.
//
// The force of the constraints is -G^T lambda. A displacement (delta r, delta theta) of the second body moves the
// joint's point x_b by delta r + delta theta x rho_b and turns a direction w of the body by delta theta x w, so that a
// row that compares points along e, with the derivative (e, rho_b x e), is the force -lambda e at x_b and no torque
// there, and a row u . w that compares directions is the torque -lambda w x u.
#pragma once

#include <vector>

#include "bodies/quaternion.hpp"
#include "bodies/rigid.hpp"

namespace extremal {

// What a joint exerts on its second side at its point x_b there, in space axes; and x_b - x_a.
template <class S>
struct JointWrench {
  lie::Vec3<S> force, torque, arm;
};

template <class S>
class JointReactions {
 public:
  explicit JointReactions(const RigidStructure& rigid);
  std::size_t count() const { return joints_.size(); }
  // lambda: the multipliers of all rows of the system.
  JointWrench<S> at(std::size_t joint, const S* q, const S* lambda) const;

 private:
  struct End {
    int first = -1;      // coordinate of the body; -1: the ground
    bool turns = false;  // or a point mass
    lie::Vec3<S> at;
  };
  struct Row {
    RigidRow::Kind kind;
    End a, b;
    lie::Vec3<S> axis;
    int index;  // among the rows of the system
  };
  struct Joint {
    End a, b;
    std::vector<Row> rows;
  };
  lie::Vec3<S> vector(const S* x) const { return {x[0], x[1], dimension_ == 3 ? x[2] : S(0)}; }
  lie::Vec3<S> direction(const End& end, const S* q) const;
  lie::Vec3<S> place(const End& end, const S* q) const;

  int dimension_;
  std::vector<Joint> joints_;
};

}  // namespace extremal
