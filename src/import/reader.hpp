// Readers of robots, each of one format.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "extremal/import.hpp"
#include "import/robot.hpp"
#include "import/visuals.hpp"
#include "import/xml.hpp"

namespace extremal::robots {

// A file beside the one that is read, by its name there: its text, or InputError. Null where there are none.
using Beside = std::function<std::string(const std::string& name)>;
// What a reader may look for besides its own file.
struct Around {
  Beside file = {};
  Meshes mesh = {};
};

struct NamedFrame {
  LinkFrame frame{};
  Triple axis{0, 0, 1};  // of a loop that turns there
};
using NamedFrames = std::map<std::string, NamedFrame>;
// Of --close: pairs FRAME=FRAME[:TYPE].
void add_loops(Robot& robot, const NamedFrames& frames, const std::vector<std::string>& pairs,
               const std::string& place);

Robot read_mjcf(const XmlFile& file, const ImportOptions& options, const Around& around);
Robot read_urdf(const XmlFile& file, const ImportOptions& options, const Meshes& meshes);
// A file of YAML beside a robot.
struct YamlBeside {
  std::string text, name;
};
// Read, put together and written, with --strict refused.
Imported imported(const XmlFile& file, const std::string& name, const ImportOptions& options, const Around& around,
                  const std::vector<YamlBeside>& yamls = {});
// Pairs of frames that coincide, from the text of robot.yaml (closed_loop, type), as they are said by joints.
void add_yaml_loops(Robot& robot, const XmlFile& urdf, const std::string& text, const std::string& name);

}  // namespace extremal::robots
