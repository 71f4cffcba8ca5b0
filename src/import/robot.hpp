// Robot: what URDF and MJCF have in common: a tree of links, joints between a link and its parent, and frames that
// coincide and so close loops. Readers make it of a file (urdf.cpp, mjcf.cpp), assemble() moves the joints until the
// loops are closed, and model_text() writes it as a model file.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "bodies/principal.hpp"
#include "import/pose.hpp"

namespace extremal::robots {

enum class Freedom { revolute, prismatic, spherical, planar, floating };

// Between a link and its parent, in the frame of the link: where the joint is at 0 the link is at its home.
struct RobotJoint {
  std::string name, place;
  Freedom freedom = Freedom::revolute;
  Triple anchor{}, axis{0, 0, 1};  // of a planar joint the normal
  quad damping = 0, stiffness = 0;
  quad rest = 0;  // of the stiffness
  quad armature = 0, friction = 0;
  quad ref = 0;  // what its file calls 0: its coordinate there is `start` and `ref`
  std::optional<std::array<quad, 2>> range = {};
  quad start = 0, rate = 0;      // of one freedom
  bool held = false;             // at its start, whatever loops need
  std::string word = {};         // its coordinate in the model: "angle", "stroke", "angle_to"; empty if it has none
  Pose begin{};                  // of the others: from home, in the frame of the joint
  Triple velocity{}, angular{};  // of a floating one: in space, and in the frame of the link
};

// What a link looks like: a box, sphere, cylinder, capsule or ellipsoid by three sizes, each of them the whole extent
// along an axis, or a mesh by its file.
struct Visual {
  std::string shape, file = {}, colour = {};
  Triple size{1, 1, 1};  // of a mesh its scale
  Pose at{};
};

struct Link {
  std::string name, place;
  int parent = -1;                      // the world
  Pose home{};                          // in the parent
  std::vector<RobotJoint> joints = {};  // none: fixed to the parent; several act one after another
  quad mass = 0;
  Triple centre{};
  Tensor inertia{};  // about the centre, along the axes of the link
  std::vector<Visual> visuals = {};
};

struct LinkFrame {
  int link = -1;  // the world
  Pose pose{};
};

struct Loop {
  enum class Kind { revolute, spherical, fixed };
  std::string name, place;
  Kind kind = Kind::fixed;
  LinkFrame a{}, b{};
  Triple axis{0, 0, 1};  // of a revolute one, in the first frame
};

// Of two joints by their names: coordinate of the first = polynomial of that of the second, both from where they are at
// home. Without a second the coordinate stays at the first coefficient.
struct Coupling {
  std::string name, place, joint, other;
  std::vector<quad> polynomial;
};

// gear force on the coordinate x of a joint, force = gain u + bias[0] + bias[1] gear x + bias[2] gear x', where u is a
// control; kept in a range if there is one.
struct Actuator {
  std::string name, place, joint;
  quad gear = 1, gain = 1, control = 0;
  Triple bias{};
  std::optional<std::array<quad, 2>> controls = {};  // their range
  quad ratio = 0;                                    // of damping, which bias[2] follows (mjcf_actuator.hpp)
  bool speed = false;  // the gain is that of gear x', too: a damper whose damping is controlled
  std::optional<std::array<quad, 2>> range = {};
};

// What a robot has and its model has not: one line for each kind, with the names of those that have it.
class Notes {
 public:
  // `matters`: the motion would be another one. With --strict the first of these is refused.
  void add(const std::string& what, const std::string& name, const std::string& place, bool matters = true);
  std::vector<std::string> lines() const;
  // InputError for the first that matters.
  void refuse() const;

 private:
  struct Kind {
    std::string what, place;
    std::vector<std::string> names;
    bool matters;
  };
  std::vector<Kind> kinds_;
};

// Of angles that exact_angle() takes for more than their digits say.
inline constexpr const char* rounded_angles =
    "what angles of few digits, such as 1.5708, differ from multiples of pi/12 by";

struct Robot {
  std::string name, source;  // of the file, for the first line
  Triple gravity{0, 0, quad(-981) / 100};
  std::vector<Link> links;      // parents before children
  std::vector<Visual> scenery;  // of the world
  std::vector<Loop> loops;
  std::vector<Coupling> couplings;
  std::vector<Actuator> actuators;
  Notes notes;
  std::optional<quad> limits = {};  // stiffness at the limits of joints, which are noted without it
  std::string step = "0.001";
};

// A link without mass between two joints, as some write a joint with two axes: its joints become the next link's. One
// on which nothing hangs is fixed to its parent, which is noted.
void merge_massless(Robot& robot);
// What is left without mass when loops are closed, where chains branch or loops end, is made light, which is noted.
void lighten_massless(Robot& robot);
// Of a light link beside its neighbours: below what files know of these, and enough for the digits of a step.
inline constexpr double lightness = 1e-8;
// Mass and largest moment of the link, or of the first that hangs on it, or on which it hangs, and has some.
std::array<quad, 2> heft(const Robot& robot, std::size_t index);

// Where a joint of a link is, and its axis, both as its parent is given.
struct PlacedAxis {
  Triple anchor{}, axis{};
};
std::vector<PlacedAxis> placed_axes(const Link& link, const Pose& parent);

// The joint of a model that several joints of a link are together: universal, spherical, cylindrical or planar;
// "floating" if they leave the body all freedoms, empty if there is none. Of each of them the name of its coordinate
// there, empty where there is none that counts as it does.
struct JoinedJoint {
  std::string type;
  Triple at{}, axis{}, axis_to{};
  std::vector<std::string> words = {};
  bool slides = false;  // two slides before a hinge: places in the plane of the parent
};
JoinedJoint joined(const Link& link, const Pose& parent);
// Joints of one link that are no such joint, or have laws and no coordinate in it, get light links between them, which
// is noted. All joints know the names of their coordinates then.
void separate_joints(Robot& robot);

// A joint by its name; null if there is none, or if it has no coordinate in the model.
const RobotJoint* joint_with_coordinate(const Robot& robot, const std::string& name);
// Laws, couplings and actuators of joints without coordinates are noted, and gone.
void expect_coordinates(Robot& robot);

// From home, by a joint at its start.
Pose motion(const RobotJoint& joint);
// In space, of every link, for the starts of the joints.
std::vector<Pose> poses(const Robot& robot);
// Of the link in its parent.
Pose in_parent(const Link& link);

// Moves the starts of the joints until the loops are closed. InputError if they cannot be.
void assemble(Robot& robot);

// "JOINT=VALUE": joints that start there, as the robot's file counts, and stay there when loops are closed.
void hold_joints(Robot& robot, const std::vector<std::string>& starts);
// Notes those that start beyond their limits.
void note_limits(Robot& robot);

// Pins that turn idly between two hinges with one axis, when the loops are closed: a light one that is round is fixed
// to one side, which is noted. Its spin moves nothing else, and as a freedom of its own costs all others their digits.
void merge_idle(Robot& robot);

std::string model_text(const Robot& robot);

}  // namespace extremal::robots
