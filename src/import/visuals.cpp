#include "import/visuals.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace extremal::robots {
namespace {

namespace fs = std::filesystem;

// One after another: the path itself, then without its first folders, which may be the name of a package.
std::vector<std::string> readings(std::string name) {
  for (const char* prefix : {"package://", "model://", "file://"})
    if (name.starts_with(prefix)) name.erase(0, std::string_view(prefix).size());
  std::vector<std::string> all = {name};
  for (std::size_t slash = name.find('/'); slash != std::string::npos && all.size() < 8;
       slash = name.find('/', slash + 1))
    all.push_back(name.substr(slash + 1));
  return all;
}

}  // namespace

Meshes meshes_beside(const std::string& folder, const std::string& seen) {
  return [folder, seen](const std::string& name) -> MeshFile {
    std::error_code error;
    for (const std::string& reading : readings(name)) {
      if (reading.empty() || reading.size() > 1000) continue;
      if (fs::path(reading).is_absolute() && fs::is_regular_file(reading, error)) return {reading, reading};
      // Above the folder of the robot, too: packages have folders urdf and meshes side by side.
      for (const char* up : {"", "..", "../.."})
        if (const fs::path path = fs::path(folder) / up / reading; fs::is_regular_file(path, error))
          return {(fs::path(seen) / up / reading).lexically_normal().generic_string(), path.string()};
    }
    return {};
  };
}

bool find_mesh(Robot& robot, const Meshes& meshes, const std::string& name, const std::string& place, Visual& visual) {
  std::string kind = fs::path(name).extension().string();
  std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) { return std::tolower(c); });
  visual.shape = "mesh";
  if (kind != ".stl" && kind != ".obj") {
    robot.notes.add("meshes of other formats than STL and OBJ", name, place, false);
    return false;
  }
  visual.file = meshes ? meshes(name).seen : std::string();
  if (visual.file.empty()) robot.notes.add("meshes that are not there", name, place, false);
  return !visual.file.empty();
}

std::string colour_of(const std::vector<quad>& rgba) {
  if (rgba.size() < 3) return {};
  std::string text = "#";
  for (std::size_t i = 0; i < 3; ++i) {
    const double x = std::clamp(static_cast<double>(rgba[i]), 0.0, 1.0);
    const long level = std::lround(255 * x);
    text += "0123456789abcdef"[level / 16];
    text += "0123456789abcdef"[level % 16];
  }
  return text;
}

}  // namespace extremal::robots
