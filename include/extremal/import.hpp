// Import: robots as others write them, URDF and MJCF, as model files; and models as such robots.
//
//   Imported robot = import_robot("arm.urdf");
//   std::ofstream("arm.toml") << robot.text;               // a model file (docs/models.md) that runs
//   for (const std::string& note : robot.notes) ...        // what it does not have of the robot, by name
//
// Links that are fixed to each other become one body, with mass, centre and tensor of all of them; joints keep their
// names. Frames that coincide close loops, which URDF cannot say: as loop_joint, in a file robot.yaml beside
// robot.urdf, or as `close`. The bodies are placed where the joints are at 0, or as near to it as the loops allow.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "extremal/models.hpp"

namespace extremal {

struct ImportOptions {
  bool floating = false;                // the root moves freely; otherwise it is fixed to the ground
  bool strict = false;                  // what the motion would lack is refused and not noted
  std::vector<std::string> close = {};  // "FRAME=FRAME", ":revolute", ":spherical" or ":fixed" behind it
  std::vector<std::string> at = {};     // "JOINT=VALUE": starts there, and stays there when loops are closed
  std::string limits = {};              // a stiffness: limits of joints are one-sided springs, and noted without it
  std::string folder = {};              // that of the robot as the model will see it: where its meshes are
};

struct Imported {
  std::string text;                // of a model file
  std::vector<std::string> notes;  // one line for each kind of thing that is left out, which are in the text, too
};

// InputError with file:line:column of what is wrong.
Imported import_robot(const std::string& path, const ImportOptions& options = {});
// The same for a text, without files beside it; `name` is what messages call it.
Imported import_robot_text(std::string_view text, const std::string& name, const ImportOptions& options = {});

// Whether a file is a robot's by its name: .urdf, .xml, .mjcf; .sdf and .xacro are, too, and will be refused as such.
bool is_robot_file(std::string_view path);

// The opposite: bodies, joints, laws of joints and shapes of a model as a robot's file. InputError, with the name, for
// what the format cannot say; `notes` have what it says otherwise.
enum class RobotFormat { urdf, mjcf };
struct Exported {
  std::string text;
  std::vector<std::string> notes;
};
Exported export_robot(const Model& model, RobotFormat format);

}  // namespace extremal
