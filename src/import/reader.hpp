// Readers of robots, each of one format.
#pragma once

#include <functional>
#include <string>

#include "extremal/import.hpp"
#include "import/robot.hpp"
#include "import/xml.hpp"

namespace extremal::robots {

// A file beside the one that is read, by its name there: its text, or InputError. Null where there are none.
using Beside = std::function<std::string(const std::string& name)>;

Robot read_urdf(const XmlFile& file, const ImportOptions& options);
// Pairs of frames that coincide, from the text of robot.yaml (closed_loop, type), as they are said by joints.
void add_yaml_loops(Robot& robot, const XmlFile& urdf, const std::string& text, const std::string& name);

}  // namespace extremal::robots
