// Links that do not move against each other: they will be one body.
#pragma once

#include "import/robot.hpp"

namespace extremal::robots {

struct Group {
  std::string name, place;  // of the first of its links that has a mass
  bool ground = false;
  std::vector<int> links;
  Pose at{};  // of that link, in space
  quad mass = 0;
  Triple centre{};
  Tensor inertia{};  // about the centre, in the frame of that link
};

struct Groups {
  std::vector<Group> list;  // the ground first
  std::vector<int> of;      // the group of every link
  std::vector<Pose> at;     // of every link in space
};

// By fixed joints, and by loops that are fixed: their frames coincide, so that their links are one body.
Groups groups_of(const Robot& robot);

}  // namespace extremal::robots
