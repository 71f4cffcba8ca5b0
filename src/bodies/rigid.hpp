// RigidStructure: what a System is made of when it was made of rigid bodies, for schemes that move them by rotations.
//
// The terms of such a System are polynomials of directors, which any scheme can integrate. The lie family knows a body
// by its centre and its rotation instead; it takes the terms that are listed here from this description, and the
// others, loads, from their derivatives by the directors.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bodies/frame.hpp"
#include "bodies/joint_type.hpp"
#include "bodies/rod_element.hpp"
#include "extremal/rod.hpp"
#include "extremal/term.hpp"

namespace extremal {

// A point of a body, or a direction in it; body -1 is the ground.
struct Side {
  int body = -1;
  Triple at{};
};

// A row of g between points x_a = r_a + R_a X_a and x_b, in space axes.
struct RigidRow {
  enum class Kind {
    gap,       // axis . (x_b - x_a), the axis fixed in space
    plane,     // (R_a axis) . (x_b - x_a)
    normal,    // (R_a X_a) . (R_b X_b): the sides are directions
    distance,  // (|x_b - x_a|^2 - l^2) / (2 l), l = axis[0]
  };
  Kind kind = Kind::gap;
  Side a, b;
  Triple axis{};
};

struct RigidBody {
  std::string name;
  int first = 0;      // its first coordinate: the centre, then the directors
  bool turns = true;  // or a point mass
  quad mass = 1;
  Triple inertia{};  // moments about the centre and the body's axes
  quad damping = 0;  // its momenta decay at this rate
  // The frame in which the body was given, along its directors: where its origin is, seen from the centre, and its
  // axes.
  Triple origin{};
  Directors frame = no_rotation;
};

// A body that follows a given motion; `frame` is its rotation at the placement.
struct RigidDrive {
  int body = 0;
  Drive motion = {};
  Directors frame = no_rotation;
};

// A force on the centre of a body, or a torque on it, along one axis of space.
struct RigidLoad {
  int body = 0, component = 0;
  bool torque = false;
  TimeFunction f;
};

// A spring or damper between two points, for pictures of it: what it does is a term.
struct RigidStrut {
  std::string name;
  bool damps = false;
  Side a, b;
};

// Elements between bodies first, first + 1, ...; a closed rod ends where it began.
struct RigidRod {
  std::string name;
  int first = 0, nodes = 0;
  bool closed = false;
  std::vector<lie::RodElement<quad>> elements;
  quad mass = 0, inertia2 = 0, inertia3 = 0;  // per unit length
  quad length = 0;                            // along the curve; 0: that of the chords
  int next(int element) const { return first + (element + 1) % nodes; }
};

// A coordinate of a joint.
struct RigidCoordinate {
  enum class Kind {
    angle,     // of R_b X_b in the plane of R_a X_a and R_a axis, counted from the former, and zero added
    length,    // (R_a axis) . (x_b - x_a)
    rotation,  // component k of the rotation vector of R_a^T R_b frame
  };
  Kind kind = Kind::angle;
  const char* name = "";
  Side a, b;
  Triple axis{};
  quad zero = 0;
  int component = 0;
  Directors frame = no_rotation;
};

// What moves a joint or turns two bodies against each other, for columns of its torque or force: row 0 of a site of a
// term, the multiplier of a row of g with the opposite sign, or f(t).
struct RigidMotor {
  std::string name;
  bool turns = true;  // a torque, or a force
  std::shared_ptr<const Term> term = nullptr;
  int site = 0;
  int row = -1;  // among the system's constraints
  TimeFunction f = 0;
};

struct RigidJoint {
  std::string name;
  const JointType* type;
  std::string place;  // in its file; empty if it has none
  Side a, b;
  Triple axis;  // of the first side, or the normal of its plane; 0 if the joint has none
  std::vector<RigidRow> rows;
  std::vector<int> index;       // of the rows, in the system's constraints
  std::vector<double> weights;  // that decide between the multipliers of redundant rows
  std::vector<RigidCoordinate> coordinates = {};
};

// 2 / omega for the highest frequency of stretching, shear, torsion and bending of one element: the longest step of an
// explicit scheme. 0 if there are no rods.
quad step_bound(const std::vector<RigidRod>& rods);

struct RigidStructure {
  int dimension = 3;
  Triple gravity{};
  std::vector<RigidBody> bodies;
  std::vector<RigidJoint> joints;
  std::vector<RigidDrive> drives;
  std::vector<RigidRod> rods;
  std::vector<RigidLoad> loads;
  std::vector<RigidStrut> struts;
  std::vector<RigidMotor> motors;
  std::vector<std::shared_ptr<const Term>> described;  // the terms that all of this stands for
};

// What a row of the system that is not 0 at q says of the joint it belongs to; nothing if it belongs to none.
struct JointGap {
  std::string place;  // of the joint in its file
  std::string joint;  // joint "elbow" of "upper arm" and the ground
  std::string words;  // its points, at (1, 0) and (1, 0.2), are 0.2 apart
};
std::optional<JointGap> joint_gap(const RigidStructure& rigid, const std::vector<double>& q, int row);

// What is seen of a mechanism with rods: the kinetic energy and that of rods, by their kinds, and the state of every
// element. Data are in the scalar of who asks, since the rows of a run ask often.
template <class S>
class RodLook {
 public:
  explicit RodLook(const RigidStructure& rigid);
  EnergySplit<S> energies(const std::vector<S>& q, const std::vector<S>& v) const;
  std::vector<SectionForce<S>> forces(const std::vector<S>& q) const;

 private:
  struct Weights {
    int first;                   // coordinate
    std::array<S, 4> inertia{};  // of the centre and of the directors
    bool turns;
  };
  struct Element {
    std::string rod;
    int index, first, next;  // the coordinates at its ends
    lie::RodElement<S> data;
  };
  lie::RodStrain<S> strain(const Element& e, const std::vector<S>& q) const;

  int dimension_;
  std::vector<Weights> bodies_;
  std::vector<Element> elements_;
};

}  // namespace extremal
