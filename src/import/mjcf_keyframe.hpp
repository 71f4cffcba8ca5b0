// What the readers of MJCF do when all bodies and equalities are known.
#pragma once

#include "import/mjcf_words.hpp"

namespace extremal::robots {

// A keyframe is the start: positions and velocities of all joints, in their order, and the controls of actuators, of
// which `actuators` has the index, -1 for those that are not taken.
void start_at(const Element& key, const std::vector<int>& actuators, Robot& robot);

// Two points of one body on two of the other are a hinge: that is how it is said in MJCF.
void hinges_of_two_points(Robot& robot);

}  // namespace extremal::robots
