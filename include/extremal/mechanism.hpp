// Mechanism: rigid bodies, joints and loads, which become a System and a Start.
//
//   Mechanism linkage("four-bar", Space::planar);
//   linkage.gravity(0, "-9.81");
//   Body crank = linkage.body("crank", {.mass = 1, .inertia = "1/12"});
//   linkage.revolute("A", linkage.ground(0, 0), crank.at("-1/2", 0));
//   linkage.place(crank, {.position = {0, "1/2"}, .angle = "pi/2", .velocity = {"1/2", 0}, .angular_velocity = -1});
//   auto run = extremal::run(linkage.system(), "rattle", linkage.start(), {.step = "0.01", .until = 10});
//
// A body is its centre of mass r and an orthonormal frame of directors d_i, which are its principal axes: a point at X
// in them is at r + X_i d_i. A body may be given in another frame, as a drawing has it (BodyData); the points and
// directions that belong to it are then in that frame, and what it is made of is the same. The mass matrix is then
// constant and diagonal, m for r and for d_i the value E_i of Euler's tensor, E_1 = (J_2 + J_3 - J_1) / 2 [Kinon2023,
// eqs. 58-60]; in the plane E_1 = E_2 = J / 2. Rigidity is the constraints (d_i . d_i - 1) / 2 and d_i . d_j, and every
// joint is polynomials of degree two at the most: two points that coincide, or a direction in one body that is normal
// to one in the other.
//
// Directions and points of a joint are given in the frame of the body they belong to; those of a joint's axis in the
// frame of its first side, and the second side's follow from the placements. Everything is exact at every scalar.
#pragma once

#include <concepts>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "extremal/rod.hpp"
#include "extremal/run.hpp"
#include "extremal/time_function.hpp"

namespace extremal {

enum class Space { planar, spatial };
enum class Frame { space, body };

// Inertia is about the centre of mass, along the axes of the body's frame. The frame has its origin at the centre of
// mass unless `centre` says where that is; its axes are principal ones unless there are six numbers.
struct BodyData {
  Numbers mass = {};     // 1 if there is neither a mass nor a density
  Numbers inertia = {};  // one moment in the plane, in space three or the tensor's xx, yy, zz, xy, xz, yz
  Numbers euler = {};    // instead of inertia: E_i of the two or three directors; 0 for a direction without extent
  Numbers centre = {};   // of mass, in the frame of the body
  // Instead of inertia, a body that is everywhere equally dense and has its middle at `centre`, and instead of a mass
  // its density. A "box" has three edges as `size`; a "sphere" a radius; a "cylinder" and a "capsule", along axis 3, a
  // radius and a length, without the round ends of the capsule.
  std::string shape = {};
  Numbers density = {}, size = {}, radius = {}, length = {};
};

// Where a body is, and how it moves; what is left out is 0.
struct Placement {
  Numbers position = {};          // of the origin of its frame: the centre of mass, unless BodyData says otherwise
  Numbers angle = {};             // planar
  Numbers rotation = {};          // spatial, one of: the axis times the angle,
  Numbers euler = {};             //   angles about z, the turned x and the turned z,
  Numbers matrix = {};            //   nine entries, row by row; its columns are the directors,
  Numbers quaternion = {};        //   or four numbers (w, x, y, z), of length 1
  Numbers velocity = {};          // of the same point
  Numbers angular_velocity = {};  // one number in the plane, three in space axes in space
};

// What a body looks like in a picture; it may have several shapes, which have no mass by themselves. Sizes as of
// BodyData, an "ellipsoid" has three extents as `size`; a "mesh" is a file of STL or OBJ (extremal/mesh.hpp), read when
// the picture is made, and its sizes are multiplied by `scale`. The middle of a shape, or the origin of a mesh, is at
// `at`, whose velocities mean nothing.
struct Shape {
  std::string shape;
  Numbers size = {}, radius = {}, length = {};
  std::string file = {};
  Numbers scale = {};
  Placement at = {};
  std::string colour = {};  // "#rrggbb"; that of the body without it
};

struct SpringData {
  Number stiffness = 1;
  Number length = 0;   // at which it is at rest
  Number damping = 0;  // as of a line_damper between the same points
};

class Mechanism;

// What a joint is told besides its two points; its type says which of it.
struct JointData {
  Numbers axis = {};     // in the frame of the first side
  Numbers axis_to = {};  // in the frame of the second side
  Numbers normal = {};   // of a plane that moves with the first side
  Numbers length = {};
  Numbers angle = {};     // the joint's angle at the placements; 0 without it
  Numbers armature = {};  // of a rotor: inertia against the joint's angle, or mass against its stroke
};

// A point of a body, or of the ground; made by Body::at and Mechanism::ground.
class Point {
 private:
  friend class Body;
  friend class Mechanism;
  friend struct MechanismData;
  std::shared_ptr<const int> owner_;
  int body_ = -1;  // -1: the ground
  Numbers at_;
};

// A typed handle to a body of one mechanism; stands for its centre of mass where a point is expected.
class Body {
 public:
  template <class... N>
  Point at(const N&... coordinates) const {
    return point({Number(coordinates)...});
  }
  operator Point() const { return point({}); }

 private:
  friend class Mechanism;
  friend struct MechanismData;
  Point point(Numbers at) const;
  std::shared_ptr<const int> owner_;
  int body_ = -1;
};

// What a load is told; its type says which of it. Points stand for their bodies where a load acts on bodies as a whole.
struct LoadData {
  Point from = {}, to = {};  // of loads between two
  Point on = {};             // of loads on one
  Number stiffness = 1;
  Number length = 0;  // at which a spring is at rest
  Number angle = 0;   // at which a torsion spring is at rest
  Number damping = 0;
  Numbers axis = {};
  std::vector<TimeFunction> components = {};  // constants or functions of time: {0, [](auto t) { return sin(t); }}
  TimeFunction torque = 0;
  std::string joint = {};  // of loads on the coordinate of a joint
  Number rest = 0;         // at which its spring is at rest
  TimeFunction target = 0;
  Number integral = 0;             // of a servo: how the integral of target - coordinate acts
  Number friction = 0;             // torque or force of dry friction
  Number creep = "0.01";           // the rate below which it is viscous
  Numbers lower = {}, upper = {};  // limits of the coordinate
  std::string follows = {};        // of gears: the other joint
  Number ratio = 1, offset = 0;    // coordinate = ratio * (that of the other) + offset
  TimeFunction position = 0;       // of a drive: where the coordinate is
  Frame frame = Frame::space;
};

// The nodes of a rod as bodies; made by Mechanism::rod.
class Rod {
 public:
  int nodes() const { return static_cast<int>(nodes_.size()); }
  int elements() const { return elements_; }
  // InputError if there is no such node.
  Body node(int index) const;
  Body first() const { return nodes_.front(); }
  Body last() const { return nodes_.back(); }

 private:
  friend class Mechanism;
  std::string name_;
  std::vector<Body> nodes_;
  int elements_ = 0;
};

// What a joint exerts on its first side at its point there, in space axes; on the second side it is the opposite.
// The torque has one component in the plane.
template <class S>
struct Reaction {
  std::string joint;
  std::vector<S> force, torque;
};

// How far a joint is from closed, and from staying so: largest |g| and |G v| of its rows.
template <class S>
struct JointResidual {
  std::string joint;
  S position{}, velocity{};
};

// A coordinate of a joint, as "crank", "angle", and its rate: rad or m, and the same per second.
template <class S>
struct JointCoordinate {
  std::string joint, name;
  S value{}, rate{};
};

// Where a run starts, by the coordinate of a joint; what is left out follows.
struct JointStart {
  Numbers position = {};  // angle or stroke
  Numbers rate = {};
};

class Mechanism {
 public:
  explicit Mechanism(std::string name, Space space = Space::spatial);
  ~Mechanism();
  Mechanism(const Mechanism& other);
  Mechanism(Mechanism&& other) noexcept;
  Mechanism& operator=(Mechanism other) noexcept;

  // InputError, with the body's name, for a mass that is not positive and for moments that no body has. A body is moved
  // by its principal axes, found in quad: its coordinates are those of its centre of mass and of these axes.
  Body body(const std::string& name, const BodyData& data);
  Body point_mass(const std::string& name, const Number& mass);
  // Adds its nodes as bodies "name.0", "name.1", ..., placed where they are given, and joints "name.first", "name.last"
  // for ends that are not free. InputError, with the rod's name, for what cannot be.
  Rod rod(const std::string& name, const RodData& data);
  template <class... N>
  void gravity(const N&... components) {
    set_gravity({Number(components)...});
  }
  template <class... N>
  Point ground(const N&... coordinates) const {
    return ground_point({Number(coordinates)...});
  }
  // A body that is not placed is at the origin, not turned, at rest.
  void place(const Body& body, const Placement& placement);

  // In the frame of the body; ground_body() for what stands around. InputError for what is no shape.
  void look(const Body& body, const Shape& look);

  // Places the nodes of a rod by their arc length s from the first: a position that is left out stays as it is, a
  // rotation turns the node from how it stands.
  template <std::invocable<const Number&> F>
  void place(const Rod& rod, const F& placement) {
    place_nodes(
        rod, [](const void* f, const Number& s) -> Placement { return (*static_cast<const F*>(f))(s); }, &placement);
  }

  // Joints, between points of two bodies or of a body and the ground. `joint` takes the type by its name, as model
  // files do; bodies/joints.cpp has the table. In the plane revolute takes no axis; spherical, universal, cylindrical,
  // planar and point_on_plane are for space.
  void joint(std::string_view type, const std::string& name, const Point& a, const Point& b,
             const JointData& data = {});
  void revolute(const std::string& name, const Point& a, const Point& b, const Numbers& axis = {},
                const Numbers& angle = {}) {
    joint("revolute", name, a, b, {.axis = axis, .angle = angle});
  }
  void spherical(const std::string& name, const Point& a, const Point& b) { joint("spherical", name, a, b); }
  void prismatic(const std::string& name, const Point& a, const Point& b, const Numbers& axis) {
    joint("prismatic", name, a, b, {.axis = axis});
  }
  void cylindrical(const std::string& name, const Point& a, const Point& b, const Numbers& axis) {
    joint("cylindrical", name, a, b, {.axis = axis});
  }
  // The cross: one axis in the first body, the other in the second; both in the frame of their own body.
  void universal(const std::string& name, const Point& a, const Point& b, const Numbers& axis_a,
                 const Numbers& axis_b) {
    joint("universal", name, a, b, {.axis = axis_a, .axis_to = axis_b});
  }
  // A point mass that is fixed to a point of a body goes where it goes.
  void fixed(const std::string& name, const Point& a, const Point& b) { joint("fixed", name, a, b); }
  // A massless rod. Without a length: that of the placements.
  void distance(const std::string& name, const Point& a, const Point& b, const Numbers& length = {}) {
    joint("distance", name, a, b, {.length = length});
  }
  // The second side slides in the plane through a, and turns about its normal.
  void planar(const std::string& name, const Point& a, const Point& b, const Numbers& normal) {
    joint("planar", name, a, b, {.normal = normal});
  }
  // Point b stays on the line or plane through point a that moves with the first side.
  void point_on_line(const std::string& name, const Point& a, const Point& b, const Numbers& axis) {
    joint("point_on_line", name, a, b, {.axis = axis});
  }
  void point_on_plane(const std::string& name, const Point& a, const Point& b, const Numbers& normal) {
    joint("point_on_plane", name, a, b, {.normal = normal});
  }

  // Loads. `load` takes the type by its name, as model files do; bodies/loads.cpp has the table. An angle is that of
  // the second body against the first about the axis, which in space is given in the frame of the first; it is 0 at the
  // placements. It has a meaning where a joint keeps the axis common to both.
  void load(std::string_view type, const std::string& name, const LoadData& data);
  void spring(const std::string& name, const Point& a, const Point& b, const SpringData& data) {
    load("spring", name,
         {.from = a, .to = b, .stiffness = data.stiffness, .length = data.length, .damping = data.damping});
  }
  void torsion_spring(const std::string& name, const Body& a, const Body& b, const Number& stiffness,
                      const Number& angle = 0, const Numbers& axis = {}) {
    load("torsion_spring", name, {.from = a, .to = b, .stiffness = stiffness, .angle = angle, .axis = axis});
  }
  // -c (v_b - v_a) on the second point, the opposite on the first.
  void damper(const std::string& name, const Point& a, const Point& b, const Number& damping) {
    load("damper", name, {.from = a, .to = b, .damping = damping});
  }
  // The same for the part of the velocity along the line between the points.
  void line_damper(const std::string& name, const Point& a, const Point& b, const Number& damping) {
    load("line_damper", name, {.from = a, .to = b, .damping = damping});
  }
  // Against the relative angular velocity: about the axis, or without one the whole vector.
  void rotational_damper(const std::string& name, const Body& a, const Body& b, const Number& damping,
                         const Numbers& axis = {}) {
    load("rotational_damper", name, {.from = a, .to = b, .damping = damping, .axis = axis});
  }
  void force(const std::string& name, const Point& at, const std::vector<TimeFunction>& components,
             Frame frame = Frame::space) {
    load("force", name, {.on = at, .components = components, .frame = frame});
  }
  // In space axes; one component in the plane.
  void torque(const std::string& name, const Body& body, const std::vector<TimeFunction>& components) {
    load("torque", name, {.on = body, .components = components});
  }
  // A torque on the second body about the axis, the opposite on the first.
  void motor(const std::string& name, const Body& a, const Body& b, const TimeFunction& torque,
             const Numbers& axis = {}) {
    load("motor", name, {.from = a, .to = b, .axis = axis, .torque = torque});
  }
  // Laws of a joint by its name: of a revolute joint against its angle, over all turns, of a prismatic one against its
  // stroke. They make the joint's coordinate one of the system, as own_coordinate does.
  void joint_spring(const std::string& name, const std::string& joint, const Number& stiffness, const Number& rest = 0,
                    const Number& damping = 0) {
    load("joint_spring", name, {.stiffness = stiffness, .damping = damping, .joint = joint, .rest = rest});
  }
  void joint_damper(const std::string& name, const std::string& joint, const Number& damping) {
    load("joint_damper", name, {.damping = damping, .joint = joint});
  }
  // Dry friction, regularised: -friction r / sqrt(r^2 + creep^2) - damping r at the rate r. What should stick creeps.
  void joint_friction(const std::string& name, const std::string& joint, const Number& friction,
                      const Number& creep = "0.01", const Number& damping = 0) {
    load("joint_friction", name, {.damping = damping, .joint = joint, .friction = friction, .creep = creep});
  }
  // Limits as one-sided springs, stiffness depth (1 + damping depth') at a depth beyond one of them, and never a pull.
  void joint_limit(const std::string& name, const std::string& joint, const Numbers& lower, const Numbers& upper,
                   const Number& stiffness, const Number& damping = 0) {
    load("joint_limit", name,
         {.stiffness = stiffness, .damping = damping, .joint = joint, .lower = lower, .upper = upper});
  }
  // stiffness (target - angle) - damping angle' + integral times the integral of target - angle since the start
  void servo(const std::string& name, const std::string& joint, const Number& stiffness, const Number& damping,
             const TimeFunction& target, const Number& integral = 0) {
    load("servo", name,
         {.stiffness = stiffness, .damping = damping, .joint = joint, .target = target, .integral = integral});
  }
  // A constraint: the coordinate of `joint` is `ratio` times that of `follows` and `offset`, over any number of turns.
  void gear(const std::string& name, const std::string& joint, const std::string& follows, const Number& ratio,
            const Number& offset = 0) {
    load("gear", name, {.joint = joint, .follows = follows, .ratio = ratio, .offset = offset});
  }
  // The coordinate is a function of time, whatever it takes: the torque or force is in the column "motor:NAME".
  void joint_drive(const std::string& name, const std::string& joint, const TimeFunction& position) {
    load("joint_drive", name, {.joint = joint, .position = position});
  }
  // The coordinate of a revolute or prismatic joint becomes one of the system, "elbow.angle" or "rail.stroke", so that
  // any term may act on it: motors, gears between two joints. Of joints that have several, "screw.stroke" is one.
  // `coordinate` is it, when all bodies are there:
  //   System system = arm.system();
  //   system.force("motor", arm.coordinate("elbow"),
  //                [](auto q, auto v, auto t) { return rows(8.0 * (sin(t) - q[0]) - v[0]); }, time);
  void own_coordinate(const std::string& joint);
  Coordinates<1> coordinate(const std::string& joint) const;
  // The body follows a motion given in time: its centre, and its rotation vector; components left out stay as placed.
  void drive(const std::string& name, const Body& body, const Drive& motion);
  Body ground_body() const;  // stands for the ground in loads between two bodies

  // What start() has for the coordinate of a joint, "crank" or "screw.stroke". It is kept; bodies go on from their
  // placements, and their velocities change as little as they can, measured by the kinetic energy. InputError, with the
  // joints' names, by start() if they contradict each other.
  void start_joint(const std::string& joint, const JointStart& given);

  // Positions whose constraints are violated by no more than this are closed by Newton's method when a run starts;
  // a tenth of length_scale() unless it is set.
  void slack(const Number& largest);
  // The largest distance of a joint's point from its body's centre of mass; 1 if there is none.
  Number length_scale() const;

  // Where what is added from now on stands in a file, as "arm.toml:12:1": a joint that is open is told with it.
  void written_at(std::string place);

  // What it was told, as tables of a model file, and as entries of [start]; model_text (models.hpp) has both with the
  // rest. InputError if tables cannot say it: functions of time that branch, nodes of rods that are placed one by one.
  std::string text() const;
  std::string start_text() const;

  const std::string& name() const;
  Space space() const;
  // Coordinates of bar 1: "bar 1.x", "bar 1.y", "bar 1.d1x", ...; rows of its rigidity "bar 1.0", ...; rows of a joint
  // P1: "P1.0", "P1.1", ..., or "P1" if there is one. Of the linear and angular momenta, "along x" and "about z", the
  // symmetries are those that the bodies, joints and loads leave as they are. The first call after a change assembles
  // the mechanism and keeps the result: two threads must not both make it.
  System system() const;
  // At the time t, which matters to motions that are given and to servos with integrals.
  Start start(const Number& t = 0) const;

  // In the order in which the joints were added. lambda: the multipliers of all rows of the system.
  template <class S>
  std::vector<Reaction<S>> reactions(const std::vector<S>& q, const std::vector<S>& lambda) const;
  // Columns "P1.force.x", ..., "P1.torque.z" ("P1.torque" in the plane), one value per output time.
  template <class S>
  std::vector<Column<S>> reactions(const Run<S>& run) const;
  template <class S>
  std::vector<JointResidual<S>> residuals(const std::vector<S>& q, const std::vector<S>& v) const;
  // The coordinates of all joints at q and v, in the order of the columns "joint:crank:angle" of a run. Angles are
  // those next to the angle of the placements, at most half a turn away; the columns of a run count the turns.
  template <class S>
  std::vector<JointCoordinate<S>> joint_coordinates(const std::vector<S>& q, const std::vector<S>& v) const;
  // Section forces and moments of every element of every rod at q, and the energies of all of them.
  template <class S>
  std::vector<SectionForce<S>> sections(const std::vector<S>& q) const;
  template <class S>
  EnergySplit<S> energies(const std::vector<S>& q, const std::vector<S>& v) const;
  // The longest step of an explicit scheme that is stable for small vibrations of the rods; none: 0. Use 0.8 of it.
  Number step_bound() const;
  // The place of a point at q, and the rows of the system that belong to a joint.
  template <class S>
  std::vector<S> position(const Point& point, const std::vector<S>& q) const;
  std::vector<int> rows(std::string_view joint) const;

  // All that it was told, for those who write it down elsewhere.
  const struct MechanismData& told() const { return *data_; }

 private:
  // The function is called through its pointer: <functional> would cost every program that includes this.
  void place_nodes(const Rod& rod, Placement (*placement)(const void* function, const Number& s), const void* function);
  void set_gravity(const Numbers& components);
  Point ground_point(const Numbers& at) const;
  std::unique_ptr<struct MechanismData> data_;
};

}  // namespace extremal
