// MJCF's actuators of joints.
#pragma once

#include <optional>

#include "import/mjcf_words.hpp"

namespace extremal::robots {

// Motors, places and speeds that are held, dampers, and general ones whose force is linear; what else there is, and
// what does not act on a joint, is noted.
std::optional<Actuator> read_actuator(const Attributes& attributes, const std::string& name, Notes& notes);

// The damping of those that have a ratio: 2 ratio sqrt(kp m), m the inertia against the actuator of all that hangs on
// its joint, where all joints are at home.
void damp_by_ratio(Robot& robot);

}  // namespace extremal::robots
