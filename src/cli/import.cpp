// extremal import: a robot as a model file.
#include "extremal/import.hpp"

#include <filesystem>
#include <iostream>

#include "cli/command.hpp"

namespace extremal::cli {

void add_import(Command& program, Invocation& invocation) {
  struct Options {
    std::string file;
    ImportOptions import;
  };
  auto options = std::make_shared<Options>();
  Command command = program.add_command("import", "Print a robot as a model file");
  command.add_option("FILE", options->file, "A robot, URDF or MJCF (docs/import.md)").required().not_empty();
  command
      .add_option("--close", options->import.close,
                  "FRAME=FRAME, with :revolute, :spherical or :fixed behind it: frames of links or joints that "
                  "coincide; may be repeated")
      .repeated();
  command
      .add_option("--at", options->import.at,
                  "JOINT=VALUE: where a joint starts, in rad or m as the robot counts; loops are closed by the others; "
                  "may be repeated")
      .repeated();
  command.add_option("--limits", options->import.limits,
                     "STIFFNESS: limits of joints become one-sided springs; they are noted otherwise");
  command.add_flag("--floating", options->import.floating,
                   "The root moves freely; otherwise it is fixed to the ground");
  command.add_flag("--strict", options->import.strict, "Refuse what the model cannot have, which is noted otherwise");
  command.footer("Examples:\n  extremal import robot.urdf > robot.toml\n  extremal run robot.urdf --until 10");
  command.callback([options, &invocation] {
    options->import.folder = std::filesystem::path(options->file).parent_path().string();
    const Imported robot = import_robot(options->file, options->import);
    std::cout << robot.text;
    for (const std::string& note : robot.notes) std::cerr << "not in the model: " << note << "\n";
    invocation.exit_code = complete;
  });
}

}  // namespace extremal::cli
