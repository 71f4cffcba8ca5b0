// What of a start could not be kept, by name.
#pragma once

#include <string>
#include <vector>

#include "extremal/start.hpp"
#include "extremal/stepper.hpp"
#include "extremal/system.hpp"

namespace extremal {

// The positions and velocities that were asked for and are others now: of a mechanism those of its bodies. At most a
// few of them; of numbers, those that changed by more than a millionth.
std::vector<std::string> start_changes(const System& system, const Start& asked, const std::vector<double>& q,
                                       const std::vector<double>& v);

}  // namespace extremal
