#include "extremal/import.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "extremal/error.hpp"
#include "import/reader.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

namespace fs = std::filesystem;

std::string file_text(const fs::path& path) {
  std::error_code error;
  std::ifstream in(path, std::ios::binary);
  std::ostringstream all;
  const bool readable = fs::is_regular_file(path, error) && in;
  if (!readable || (in.peek() != std::ifstream::traits_type::eof() && !(all << in.rdbuf())))
    throw InputError(path.string() + ": cannot be read; expected a robot, URDF or MJCF");
  return all.str();
}

Imported finished(robots::Robot robot, const std::string& name, const ImportOptions& options) {
  robot.source = "From " + fs::path(name).filename().string() + " by extremal import";
  if (!options.limits.empty()) {
    const Number stiffness(options.limits);
    if (!(stiffness.as<quad>() > 0)) throw InputError("--limits " + options.limits + ": expected a positive stiffness");
    robot.limits = stiffness.as<quad>();
  }
  robots::hold_joints(robot, options.at);
  robots::merge_massless(robot);
  robots::separate_joints(robot);
  robots::expect_coordinates(robot);
  robots::assemble(robot);
  robots::note_limits(robot);
  robots::merge_idle(robot);
  robots::lighten_massless(robot);
  if (options.strict) robot.notes.refuse();
  std::string text = robots::model_text(robot);
  return {std::move(text), robot.notes.lines()};
}

robots::Robot read_robot(const robots::XmlFile& file, const std::string& name, const ImportOptions& options,
                         const robots::Around& around) {
  const std::string root = file.root().name();
  if (root == "robot") return robots::read_urdf(file, options, around.mesh);
  if (root == "mujoco") return robots::read_mjcf(file, options, around);
  throw InputError(name + ":1:1: found <" + one_line(root, 40) + ">; expected <robot> of URDF or <mujoco> of MJCF");
}

}  // namespace

namespace robots {

Imported imported(const XmlFile& file, const std::string& name, const ImportOptions& options, const Around& around,
                  const std::vector<YamlBeside>& yamls) {
  Robot robot = read_robot(file, name, options, around);
  if (std::string(file.root().name()) == "robot")
    for (const YamlBeside& yaml : yamls) add_yaml_loops(robot, file, yaml.text, yaml.name);
  return finished(std::move(robot), name, options);
}

}  // namespace robots

Imported import_robot_text(std::string_view text, const std::string& name, const ImportOptions& options) {
  return robots::imported(robots::XmlFile(std::string(text), name), name, options, {});
}

Imported import_robot(const std::string& path, const ImportOptions& options) {
  const robots::XmlFile file(file_text(path), path);
  const fs::path folder = fs::path(path).parent_path();
  const robots::Around around{[&](const std::string& name) { return file_text(folder / name); },
                              robots::meshes_beside(folder.string(), options.folder)};
  std::vector<robots::YamlBeside> yamls;
  std::error_code error;
  for (const char* ending : {".yaml", ".yml"})
    if (const fs::path yaml = fs::path(path).replace_extension(ending); fs::is_regular_file(yaml, error))
      yamls.push_back({file_text(yaml), yaml.string()});
  return robots::imported(file, path, options, around, yamls);
}

bool is_robot_file(std::string_view path) {
  return path.ends_with(".urdf") || path.ends_with(".xml") || path.ends_with(".mjcf") || path.ends_with(".sdf") ||
         path.ends_with(".xacro");
}

}  // namespace extremal
