// Model: a system of rigid bodies as the lie family sees it, at one scalar.
//
// A joint that holds a body by a point on the ground needs no multipliers: the body is held there, and turns about this
// point instead of its centre. With x = R X the kinetic part of the discrete Lagrangian is that of a body which turns
// freely with its moments about the point, m |(R1 - R0) X|^2 + tr((R1 - R0) J_d (R1 - R0)^T) =
// tr((R1 - R0) (J_d + m X X^T) (R1 - R0)^T): the map is the same. It is done where the point lies on a principal axis,
// which the moments about it then share, and where there are no loops.
#pragma once

#include <limits>
#include <vector>

#include "bodies/rod_element.hpp"
#include "extremal/system.hpp"
#include "lie/free_rotation.hpp"
#include "lie/joint.hpp"
#include "lie/own_coordinate.hpp"
#include "lie/rotation_step.hpp"

namespace extremal::lie {

// Which joints with the ground are met by leaving motions out, drives with them: those at points as above, or at the
// centre of a body only; or none, and all have rows of g.
enum class Holds { at_points, at_centres, by_rows };
// Whether coordinates of joints may be some of the system, with laws that act on them.
enum class Laws { of_bodies, of_joints };

// Weights of the potential and of forces at the start of a step and at its end; or halves of the weight in its middle,
// where positions are the means of those at the ends, with the kinetic energy of RotationStep::middle_step. With `free`
// bodies turn between the ends by FreeRotation.
template <class S>
struct StepRule {
  S b0, b1;
  bool middle = false, free = false;
  // Bodies that turn by h |omega| as much, or more, are refused: where a step has no rotation any more is not far.
  double most_turn() const { return free ? std::numeric_limits<double>::infinity() : middle ? 0.45 : 0.9; }
  // Whether a hamilton member on the directors has the same steps.
  bool on_directors() const { return !middle && !free; }
};

template <class S>
struct Model {
  struct Body {
    S mass{}, inverse_mass{};              // the inverse of a body that is held is 0
    Vec3<S> inertia{}, inverse_inertia{};  // about the point where it is held, or the centre
    Vec3<S> euler{};                       // J_d of its own, the weights of its directors
    int first = 0;                         // its first coordinate
    bool turns = true;                     // or a point mass
    bool moves = true, swings = true;      // not held in place, not held in its rotation
    int rotation = 0;                      // into `rotations` and `free_rotations`
    S damping{};                           // rate at which its momenta decay
    int drive = -1;                        // into `drives`
    bool hung = false;                     // held at a point that is not the centre
    Vec3<S> offset{}, anchor{};            // from there to the centre, in the body; and there, in space

    template <class T>
    Vec3<T> arm(const Columns<T>& R) const {
      return R.to_space({T(offset.x), T(offset.y), T(offset.z)});
    }
    template <class T>
    Vec3<T> centre(const Pose<T>& pose) const {
      return hung ? pose.x + arm(pose.R) : pose.x;
    }
  };
  // A point of a body that is held on the ground and has no multipliers: in the body and in space, its rows among the
  // system's constraints, and the direction of each as the body sees it.
  struct HeldPoint {
    int body;
    Vec3<S> at, anchor;
    std::vector<int> rows;
    std::vector<Vec3<S>> axes;
  };
  struct Element {
    int a, b;
    RodElement<S> rod;
  };
  // Where a driven body is at a time, and how it moves.
  struct Driven {
    Vec3<S> x, v, omega;
    Quaternion<S> q;
  };
  Driven driven(int drive, S t) const;

  // InputError if the system is not made of rigid bodies, or has terms besides that are no loads.
  Model(const System& system, const std::string& scheme, Holds holds, Laws laws = Laws::of_bodies);
  // Of drives that are rows: turns the directions that their rows compare with.
  void follow_drives(S t);

  std::string name;
  int dimension;
  Vec3<S> gravity{};
  std::vector<Body> bodies;
  std::vector<RotationStep<S>> rotations;  // one for every inertia there is
  std::vector<FreeRotation<S>> free_rotations;
  std::vector<Joint<S>> joints;
  std::vector<Element> elements;
  std::vector<RigidDrive> drives;
  std::vector<RigidLoad> plain_loads;
  bool timed = false;     // some of them depends on time
  S inset{};              // of nodes, where a load jumps in time (numbers/node_time.hpp)
  double step_bound = 0;  // 0: none
  bool damped = false;    // some body is
  std::vector<std::string> body_names, row_names;
  std::vector<HeldPoint> held_points;
  std::vector<double> weights;  // of the rows, see RigidJoint
  int rows = 0;
  S arm{};  // the longest of the joints' arms
  // What rows that compare directions are multiplied by, so that all rows are lengths of the same size, whatever the
  // unit: a power of two near twice the arm, about the reach of what hangs on it, to whose round-off g is met.
  S length{1};
  std::vector<OwnCoordinate<S>> of_joints;  // coordinates of joints that are some of the system
  System loads;                             // the same coordinates, with the terms that the structure does not describe
  int size = 0;                             // coordinates of the system

 private:
  void find_own(const System& system, const RigidStructure& rigid);
  void add_joint(const RigidJoint& given, const System& system);
  void add_drive_rows(const System& system, const RigidStructure& rigid);
  std::size_t first_drive_joint_ = 0;
};

extern template struct Model<double>;
extern template struct Model<long double>;
extern template struct Model<quad>;

}  // namespace extremal::lie
