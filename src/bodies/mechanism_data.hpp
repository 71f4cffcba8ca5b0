// MechanismData: what a Mechanism was told, and its assembly into a System, a Start and the rows of its joints.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "bodies/frame.hpp"
#include "bodies/load.hpp"
#include "bodies/quadratic.hpp"
#include "bodies/rigid.hpp"
#include "bodies/told.hpp"
#include "extremal/mechanism.hpp"

namespace extremal {

struct BodyRecord {
  std::string name;
  bool rigid = true;  // or a point mass
  int first = 0;      // its first coordinate
  quad mass = 1;
  Triple euler{};
  Triple position{}, velocity{}, angular_velocity{};
  Directors directors = no_rotation;
  quad damping = 0;
  // The frame in which the body was given: where its centre of mass is in it, and its principal axes.
  Triple centre{};
  Directors axes = no_rotation;
  bool placed = false;  // by the user; otherwise by joints
};

struct JointRow {
  Quadratic g;
  RigidRow shape;        // the same row for bodies that are known by their rotation
  bool angular = false;  // its multiplier is a torque; that of the others is a force
};

using VectorField = std::array<Quadratic, 3>;

// Forces that are linear in v: F_i = sum_j C_ij v_j over some coordinates.
struct LinearForce {
  std::vector<int> coordinates;
  std::vector<Quadratic> rows;
};

struct JointRecord {
  std::string name;
  const JointType* type;
  std::string place;
  Side a, b;
  Triple axis, axis_to;
  quad angle;     // at the placements
  quad armature;  // inertia against its coordinate
  std::function<void(const MechanismData&, std::vector<JointRow>&)> rows;
};

// A coordinate of a joint: `which` of those that its type measures.
struct JointPlace {
  int joint = -1, which = 0;
  friend bool operator==(const JointPlace&, const JointPlace&) = default;
};

// What was told of a joint's coordinate at the start.
struct GivenStart {
  JointPlace place;
  std::optional<quad> position = {}, rate = {};
};

// What a servo remembers: the integral of target - coordinate (joint_terms.hpp).
struct Remembered {
  JointPlace place;
  TimeFunction target;
};

struct LoadRecord {
  std::string name = {};
  std::function<void(const MechanismData&, std::vector<Load>&, std::vector<LinearForce>&)> loads = {};
  std::vector<RigidLoad> plain = {};  // the same, if it is forces on a centre or torques, in space axes
  std::optional<RigidStrut> strut = {};
  std::vector<JointPlace> places = {};  // the coordinates of joints that it needs, and acts on the first of
  // Rows of g and energies between coordinates of joints; the name is the load's.
  std::function<void(const MechanismData&, const std::string&, System&)> terms = {};
  std::optional<Remembered> memory = {};
  std::optional<TimeFunction> torque = {};  // of a motor between two bodies
  bool drives = false;                      // its term is a row of g, which holds a joint
  const char* type = "";
  LoadData given = {};
};

// A shape of a body for pictures, along its directors from its centre of mass.
struct LookRecord {
  int body = -1;
  std::string shape, file, colour;
  Triple size{};  // whole extents; of a capsule without its round ends; of a mesh its scale
  Triple at{};
  Directors turn = no_rotation;
};

struct Assembly {
  System system;
  std::vector<JointRow> rows;  // of all joints
  std::vector<int> index;      // of each of them, in the system's constraints
  std::vector<int> first;      // row of every joint, and the end
};

struct MechanismData {
  std::string name;
  Space space;
  std::shared_ptr<const int> token = std::make_shared<const int>(0);  // which handles are ours
  Triple gravity{};
  mutable std::vector<BodyRecord> bodies;  // of those that are not placed, position and directors are found
  std::vector<JointRecord> joints;
  std::vector<LoadRecord> loads;
  std::vector<JointPlace> own;  // those that are coordinates of the system, behind those of the bodies
  std::vector<RigidRod> rods;
  std::vector<LookRecord> looks;
  std::vector<std::pair<std::string, RigidDrive>> drives;
  std::unordered_set<std::string> names;
  std::unordered_map<std::string, int> joint_index;
  std::optional<Number> slack;
  std::vector<GivenStart> given_starts;
  std::string place;  // of what is added next
  Told told;
  quad largest_arm = 0;
  mutable std::shared_ptr<const Assembly> assembled;  // until something is added

  int dimension() const { return space == Space::planar ? 2 : 3; }
  quad length_scale() const { return largest_arm > 0 ? largest_arm : 1; }

  // Refusals: "linkage: joint "P1": ...".
  [[noreturn]] void refuse(const std::string& what, const std::string& reason) const;
  void claim(const std::string& what, const std::string& label);
  Triple triple(const std::string& what, const Numbers& given) const;  // 0 if empty
  Triple direction(const std::string& what, const Numbers& given) const;
  Side side(const std::string& what, const Point& point) const;
  // Along the directors, of a direction that was given in the frame of a body.
  Triple along_directors(int body, const Triple& given) const;
  int index(const std::string& what, const Point& body) const;  // of a point that stands for its body
  std::vector<quad> numbers(const std::string& what, const Numbers& list, std::size_t count) const;
  // How a placement is turned; refused if it says it twice, or for the other kind of space.
  Directors orientation(const std::string& what, const Placement& given) const;
  std::string told_point(const Point& point) const;  // as TOML
  void expect_spatial(const std::string& what) const;
  void expect_turning(const std::string& what, int body) const;
  void expect_two(const std::string& what, int a, int b) const;

  // Where things are in space at the placements, and as polynomials of the coordinates.
  const Directors& directors(int body) const;
  Triple placed(const Side& side) const;
  VectorField point(const Side& side) const;
  VectorField vector(int body, const Triple& in_body) const;
  // A vector of body a, in the frame of b at the placements.
  Triple carried(int a, int b, const Triple& in_a) const;

  // Coordinates of joints that are coordinates of the system (own_coordinates.cpp). A joint with one is told by its
  // name, others by "screw.stroke".
  JointPlace joint_place(const std::string& what, std::string_view told) const;
  RigidCoordinate coordinate(const JointPlace& at) const;
  std::string coordinate_name(const JointPlace& at) const;
  int body_coordinates() const;
  int own_index(const JointPlace& at) const;      // among those of the system; -1: it is none
  int memory_index(std::string_view load) const;  // of the integral that a servo remembers
  void make_own(const JointPlace& at);

  // Places the bodies that are not (follow_joints.cpp).
  void follow_joints() const;
  // And those whose loops are open at that start (follow_loops.cpp); false if they stay.
  bool follow_loops(const Start& start) const;
  bool follow_loops(const Start& start, double light, double turn) const;

  const Assembly& assembly() const;
};

VectorField operator-(const VectorField& x, const VectorField& y);
Quadratic dot(const VectorField& x, const VectorField& y);

// What a joint measures, at the placements as they are now (joint_measures.cpp).
std::vector<RigidCoordinate> coordinates_of(const MechanismData& data, const JointRecord& joint);
std::shared_ptr<const Assembly> assemble(const MechanismData& data);
Start assemble_start(const MechanismData& data, const Number& t);
// The same with what is told of joints (joint_start.cpp).
Start assemble_given_start(const MechanismData& data, const Number& t);
// The coordinates of joints that are coordinates of the system: names; rows of g and inertia; start.
inline constexpr const char* own_coordinate_term = "joint coordinate";
void name_own_coordinates(const MechanismData& data, System& system);
void add_own_coordinates(const MechanismData& data, System& system);
void start_own_coordinates(const MechanismData& data, Start& start);
// What servos remember is a coordinate each, behind all others.
void name_memories(const MechanismData& data, System& system);
void start_memories(const MechanismData& data, Start& start);
// The elastic energy of rods, and the constraints of bodies that follow a given motion (rods.cpp).
void add_rods(const MechanismData& data, System& system);
void add_drives(const MechanismData& data, System& system);
// Adds the momenta that every term leaves as they are.
void add_symmetries(const MechanismData& data, Assembly& assembly);

}  // namespace extremal
