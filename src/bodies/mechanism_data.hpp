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

// What was told of a joint's coordinate at the start.
struct GivenStart {
  int joint;
  std::optional<quad> position = {}, rate = {};
};

struct LoadRecord {
  std::string name = {};
  std::function<void(const MechanismData&, std::vector<Load>&, std::vector<LinearForce>&)> loads = {};
  std::vector<RigidLoad> plain = {};  // the same, if it is forces on a centre or torques, in space axes
  std::optional<RigidStrut> strut = {};
  int joint = -1;  // whose coordinate it acts on
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
  std::vector<BodyRecord> bodies;
  std::vector<JointRecord> joints;
  std::vector<LoadRecord> loads;
  std::vector<int> own;  // joints whose coordinate is one of the system, behind those of the bodies
  std::vector<RigidRod> rods;
  std::vector<std::pair<std::string, RigidDrive>> drives;
  std::unordered_set<std::string> names;
  std::unordered_map<std::string, int> joint_index;
  std::optional<Number> tolerance;
  std::vector<GivenStart> given_starts;
  std::string place;  // of what is added next
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

  // Joints whose coordinate is one of the system (own_coordinates.cpp).
  int joint_number(const std::string& what, std::string_view joint) const;
  RigidCoordinate only_coordinate(const std::string& what, int joint) const;
  int body_coordinates() const;
  int own_index(int joint) const;  // among those of the system; -1: it is none
  void make_own(int joint);

  const Assembly& assembly() const;
};

VectorField operator-(const VectorField& x, const VectorField& y);
Quadratic dot(const VectorField& x, const VectorField& y);

// What a joint measures, at the placements as they are now (joint_measures.cpp).
std::vector<RigidCoordinate> coordinates_of(const MechanismData& data, const JointRecord& joint);
std::shared_ptr<const Assembly> assemble(const MechanismData& data);
Start assemble_start(const MechanismData& data);
// The same with what is told of joints (joint_start.cpp).
Start assemble_given_start(const MechanismData& data);
// The coordinates of joints that are coordinates of the system: names; rows of g and inertia; start.
inline constexpr const char* own_coordinate_term = "joint coordinate";
void name_own_coordinates(const MechanismData& data, System& system);
void add_own_coordinates(const MechanismData& data, System& system);
void start_own_coordinates(const MechanismData& data, Start& start);
// The elastic energy of rods, and the constraints of bodies that follow a given motion (rods.cpp).
void add_rods(const MechanismData& data, System& system);
void add_drives(const MechanismData& data, System& system);
// Adds the momenta that every term leaves as they are.
void add_symmetries(const MechanismData& data, Assembly& assembly);

}  // namespace extremal
