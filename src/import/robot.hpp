// Robot: what URDF and MJCF have in common: a tree of links, joints between a link and its parent, and frames that
// coincide and so close loops. Readers make it of a file (urdf.cpp, mjcf.cpp), assemble() moves the joints until the
// loops are closed, and model_text() writes it as a model file.
#pragma once

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
  quad rest = 0;                 // of the stiffness
  quad start = 0, rate = 0;      // of one freedom
  Pose begin{};                  // of the others: from home, in the frame of the joint
  Triple velocity{}, angular{};  // of a floating one: in space, and in the frame of the link
};

struct Link {
  std::string name, place;
  int parent = -1;                      // the world
  Pose home{};                          // in the parent
  std::vector<RobotJoint> joints = {};  // none: fixed to the parent; several act one after another
  quad mass = 0;
  Triple centre{};
  Tensor inertia{};  // about the centre, along the axes of the link
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

struct Robot {
  std::string name, source;  // of the file, for the first line
  Triple gravity{0, 0, quad(-981) / 100};
  std::vector<Link> links;  // parents before children
  std::vector<Loop> loops;
  Notes notes;
  std::string step = "0.001";
};

// Adds a mass with its centre and its tensor about it to another; all in one frame.
void add_mass(quad& mass, Triple& centre, Tensor& inertia, quad more, const Triple& at, const Tensor& tensor);

// A link without mass between two joints, as some write a joint with two axes: its joints become the next link's.
void merge_massless(Robot& robot);

// From home, by a joint at its start.
Pose motion(const RobotJoint& joint);
// In space, of every link, for the starts of the joints.
std::vector<Pose> poses(const Robot& robot);
// Of the link in its parent.
Pose in_parent(const Link& link);

// Moves the starts of the joints until the loops are closed. InputError if they cannot be.
void assemble(Robot& robot);

std::string model_text(const Robot& robot);

}  // namespace extremal::robots
