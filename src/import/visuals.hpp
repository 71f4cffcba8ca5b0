// What links look like, and where the files of their meshes are.
#pragma once

#include <functional>
#include <string>

#include "import/robot.hpp"

namespace extremal::robots {

// A mesh by what the robot calls it: its path as the model has it, and as it is; both empty if there is no such file.
struct MeshFile {
  std::string seen = {}, path = {};
};
using Meshes = std::function<MeshFile(const std::string& name)>;

// By "package://", "file://" or a path, in `folder` or above it; as seen from `seen`, which paths of the model begin
// with.
Meshes meshes_beside(const std::string& folder, const std::string& seen);

// The mesh as a visual; a note if it is not there, or of another format than STL and OBJ.
bool find_mesh(Robot& robot, const Meshes& meshes, const std::string& name, const std::string& place, Visual& visual);

// "#rrggbb" of three or four numbers from 0 to 1.
std::string colour_of(const std::vector<quad>& rgba);

}  // namespace extremal::robots
