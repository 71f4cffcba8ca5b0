// MJCF's actuators of joints.
#pragma once

#include <optional>

#include "import/mjcf_words.hpp"

namespace extremal::robots {

// Motors, places and speeds that are held, dampers, and general ones whose force is linear; what else there is, and
// what does not act on a joint, is noted.
std::optional<Actuator> read_actuator(const Attributes& attributes, const std::string& name, Notes& notes);

}  // namespace extremal::robots
