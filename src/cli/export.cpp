// extremal export: a model as a robot's file; a run as an animation or a table of poses.
#include <fstream>
#include <iostream>

#include "archive/archived_model.hpp"
#include "cli/command.hpp"
#include "cli/kind.hpp"
#include "cli/replaceable.hpp"
#include "cli/request.hpp"
#include "extremal/error.hpp"
#include "extremal/import.hpp"
#include "extremal/report.hpp"

namespace extremal::cli {
namespace {

struct ExportOptions {
  Request request;
  bool urdf = false, mjcf = false, poses = false;
  std::string gltf;
};

void execute_export(const ExportOptions& options) {
  const int ways = int(options.urdf) + int(options.mjcf) + int(options.poses) + int(!options.gltf.empty());
  if (ways != 1)
    throw InputError("export: found " + std::to_string(ways) +
                     " formats; expected one of --urdf, --mjcf, --gltf, --poses");
  if (options.urdf || options.mjcf) {
    const Exported robot = export_robot(options.request.model(), options.urdf ? RobotFormat::urdf : RobotFormat::mjcf);
    std::cout << robot.text;
    for (const std::string& note : robot.notes) std::cerr << "not in the file: " << note << "\n";
    return;
  }
  const std::string& path = options.request.model_name;
  expect_run_archive(path);
  const Archive archive = Archive::open(path);
  const Model model = archived_model(archive.provenance());
  if (options.poses) return write_poses(archive, model, std::cout);
  expect_replaceable("--gltf", options.gltf, "\"asset\"", false, "an animation");
  write_gltf(archive, model, options.gltf);
  std::cout << options.gltf << "\n";
}

}  // namespace

void add_export(Command& program, Invocation& invocation) {
  auto options = std::make_shared<ExportOptions>();
  Command command = program.add_command("export", "Print a model as URDF or MJCF, or a run as poses or glTF");
  command
      .add_option("FILE", options->request.model_name,
                  "A model, as extremal run takes it; or, for --gltf and --poses, an archive of a run")
      .required()
      .not_empty();
  command.add_flag("--urdf", options->urdf, "The model as URDF, loops as <loop_joint>");
  command.add_flag("--mjcf", options->mjcf, "The model as MJCF, loops as <equality>");
  command.add_option("--gltf", options->gltf, "Write the bodies of the run and their motion as glTF to this file");
  command.add_flag("--poses", options->poses, "The places and orientations of the bodies at every output, as CSV");
  command.footer(
      "Example:\n"
      "  extremal export bennett --mjcf\n"
      "Archives that extremal run --archive wrote have --gltf and --poses. What the format cannot say is refused by "
      "name.");
  command.callback([options, &invocation] {
    execute_export(*options);
    invocation.exit_code = complete;
  });
}

}  // namespace extremal::cli
