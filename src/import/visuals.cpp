#include "import/visuals.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace extremal::robots {
namespace {

namespace fs = std::filesystem;

std::string without_scheme(std::string name) {
  for (const char* prefix : {"package://", "model://", "file://"})
    if (name.starts_with(prefix)) name.erase(0, std::string_view(prefix).size());
  return name;
}

// One after another: the path itself, then without its first folders, which may be the name of a package.
std::vector<std::string> readings(const std::string& name) {
  std::vector<std::string> all = {name};
  for (std::size_t slash = name.find('/'); slash != std::string::npos && all.size() < 8;
       slash = name.find('/', slash + 1))
    all.push_back(name.substr(slash + 1));
  return all;
}

// NAME/rest where packages are: in the folders of ROS_PACKAGE_PATH, or one deeper, and in share of AMENT_PREFIX_PATH.
std::string in_packages(const std::string& name) {
  std::error_code error;
  const std::string package = name.substr(0, name.find('/'));
  const auto in = [&](const fs::path& folder) {
    if (fs::is_regular_file(folder / name, error)) return (folder / name).generic_string();
    // A folder of the path may be the package itself.
    const fs::path within = folder.parent_path() / name;
    return folder.filename() == package && fs::is_regular_file(within, error) ? within.generic_string() : std::string();
  };
  for (const char* variable : {"ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"}) {
    const char* set = std::getenv(variable);
    for (std::string_view rest = set == nullptr ? "" : set; !rest.empty();) {
      const fs::path folder(rest.substr(0, rest.find(':')));
      rest.remove_prefix(std::min(folder.native().size() + 1, rest.size()));
      if (folder.empty()) continue;
      if (std::string found = in(folder); !found.empty()) return found;
      if (std::string found = in(folder / "share"); !found.empty()) return found;
      for (const fs::directory_entry& each : fs::directory_iterator(folder, error))
        if (std::string found = in(each.path()); !found.empty()) return found;
    }
  }
  return {};
}

}  // namespace

Meshes meshes_beside(const std::string& folder, const std::string& seen) {
  return [folder, seen](const std::string& called) -> MeshFile {
    std::error_code error;
    const std::string name = without_scheme(called);
    for (const std::string& reading : readings(name)) {
      if (reading.empty() || reading.size() > 1000) continue;
      if (fs::path(reading).is_absolute() && fs::is_regular_file(reading, error)) return {reading, reading};
      // Above the folder of the robot, too: packages have folders urdf and meshes side by side.
      for (const char* up : {"", "..", "../.."})
        if (const fs::path path = fs::path(folder) / up / reading; fs::is_regular_file(path, error))
          return {(fs::path(seen) / up / reading).lexically_normal().generic_string(), path.string()};
    }
    if (name.empty() || name.size() > 1000) return {};
    // Of a package in any folder above.
    std::string up = "../..";
    for (int k = 0; k < 8; ++k, up += "/..")
      if (const fs::path path = fs::path(folder) / up / name; fs::is_regular_file(path, error))
        return {(fs::path(seen) / up / name).lexically_normal().generic_string(), path.string()};
    const std::string packaged = in_packages(name);
    return {packaged, packaged};
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
