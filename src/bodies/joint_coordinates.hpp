// JointCoordinates: angles and strokes of all joints, and their rates, as functions of q and v; and JointTurns, which
// follows them over a run and counts the turns.
//
// A configuration knows an angle but for whole turns. From one look to the next an angle goes about as far as its rate
// at both ends says, so that the count is right as long as that is so to within half a turn: a step, however long, in
// which the rate does not change by a turn.
#pragma once

#include <string>
#include <vector>

#include "bodies/quaternion.hpp"
#include "bodies/rigid.hpp"
#include "extremal/system.hpp"

namespace extremal {

struct JointCoordinateInfo {
  std::string joint, name;
  bool angular;  // rad, or m
  bool turns;    // an angle, or a component of a rotation vector, which stays within half a turn
};

template <class S>
class JointCoordinates {
 public:
  explicit JointCoordinates(const RigidStructure& rigid);
  std::size_t count() const { return infos_.size(); }
  const std::vector<JointCoordinateInfo>& infos() const { return infos_; }
  // The rate of a rotation vector is the angular velocity of the second body against the first, in the first's axes.
  void at(const S* q, const S* v, S* values, S* rates) const;

 private:
  struct End {
    int first = -1;      // coordinate of the body; -1: the ground
    bool turns = false;  // or a point mass
    lie::Vec3<S> at;
  };
  struct Coordinate {
    RigidCoordinate::Kind kind;
    End a, b;
    lie::Vec3<S> axis;
    S zero;
    int component;
    lie::Vec3<S> frame[3];
  };
  struct Seen {  // and how fast it goes
    lie::Vec3<S> x, rate;
  };
  lie::Vec3<S> vector(const S* x) const { return {x[0], x[1], dimension_ == 3 ? x[2] : S(0)}; }
  lie::Vec3<S> combined(const End& end, const lie::Vec3<S>& in_body, const S* x) const;
  Seen direction(const End& end, const lie::Vec3<S>& in_body, const S* q, const S* v) const;
  Seen place(const End& end, const S* q, const S* v) const;
  lie::Vec3<S> angular_velocity(const End& end, const S* q, const S* v) const;
  void rotation(const Coordinate& one, const S* q, const S* v, S& value, S& rate) const;

  int dimension_;
  std::vector<JointCoordinateInfo> infos_;
  std::vector<Coordinate> list_;
};

// What formulas call them that look at a system; a second name where the plain one is a coordinate of the system, which
// is the same number.
std::vector<std::string> watched_joints(const System& system);

template <class S>
class JointTurns {
 public:
  // A system without bodies has none.
  explicit JointTurns(const System& system);
  // The first look, where angles are next to zero, or to the coordinate of the system that they are; and those that
  // follow in time.
  void look(const S& t, const std::vector<S>& q, const std::vector<S>& v);
  bool any() const { return !values_.empty(); }
  const std::vector<S>& values() const { return values_; }
  const std::vector<S>& rates() const { return rates_; }

  // What goes from look to look.
  template <class Self, class Visit>
  static void carried(Self& self, const Visit& visit) {
    visit(self.looked_);
    visit(self.t_);
    visit(self.values_);
    visit(self.rates_);
  }

 private:
  JointCoordinates<S> joints_;
  std::vector<int> own_;  // coordinates of the system; -1: it is none
  bool looked_ = false;
  S t_{};
  std::vector<S> values_, rates_, new_values_, new_rates_;
};

}  // namespace extremal
