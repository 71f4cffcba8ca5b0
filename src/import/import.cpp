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
  if (!fs::is_regular_file(path, error) || !in || !(all << in.rdbuf()))
    throw InputError(path.string() + ": cannot be read; expected a robot, URDF or MJCF");
  return all.str();
}

Imported finished(robots::Robot robot, const std::string& name, const ImportOptions& options) {
  robot.source = "From " + fs::path(name).filename().string() + " by extremal import";
  robots::merge_massless(robot);
  for (const robots::Link& link : robot.links)
    for (const robots::RobotJoint& joint : link.joints)
      if (link.joints.size() > 1 && (joint.damping > 0 || joint.stiffness > 0))
        robot.notes.add("damping and stiffness of joints that are one joint here", joint.name, joint.place);
  if (options.strict) robot.notes.refuse();
  robots::assemble(robot);
  std::string text = robots::model_text(robot);
  return {std::move(text), robot.notes.lines()};
}

robots::Robot read_robot(const robots::XmlFile& file, const std::string& name, const ImportOptions& options,
                         const robots::Beside& beside) {
  const std::string root = file.root().name();
  if (root == "robot") return robots::read_urdf(file, options);
  if (root == "mujoco") return robots::read_mjcf(file, options, beside);
  throw InputError(name + ":1:1: found <" + one_line(root, 40) + ">; expected <robot> of URDF or <mujoco> of MJCF");
}

}  // namespace

Imported import_robot_text(std::string_view text, const std::string& name, const ImportOptions& options) {
  const robots::XmlFile file(std::string(text), name);
  return finished(read_robot(file, name, options, {}), name, options);
}

Imported import_robot(const std::string& path, const ImportOptions& options) {
  const robots::XmlFile file(file_text(path), path);
  const fs::path folder = fs::path(path).parent_path();
  robots::Robot robot =
      read_robot(file, path, options, [&](const std::string& name) { return file_text(folder / name); });
  const fs::path yaml = fs::path(path).replace_extension(".yaml");
  std::error_code error;
  if (std::string(file.root().name()) == "robot" && fs::is_regular_file(yaml, error))
    robots::add_yaml_loops(robot, file, file_text(yaml), yaml.string());
  return finished(std::move(robot), path, options);
}

bool is_robot_file(std::string_view path) {
  return path.ends_with(".urdf") || path.ends_with(".xml") || path.ends_with(".mjcf");
}

}  // namespace extremal
