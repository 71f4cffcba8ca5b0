// What fuzz targets and their replay do with a robot: read it, and read the model that it became. Either may refuse
// it, by an InputError of one line.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

#include "extremal/error.hpp"
#include "extremal/import.hpp"
#include "extremal/models.hpp"

namespace extremal {

inline void fuzz_robot(std::string_view text) {
  if (text.size() > 20000) return;
  try {
    const Imported robot = import_robot_text(text, "robot", {.close = {"a=b:spherical"}});
    read_model_text(robot.text, "model");
  } catch (const InputError& error) {
    if (std::string(error.what()).find('\n') != std::string::npos) std::abort();
  }
  try {
    import_robot_text(text, "robot", {.floating = true});
  } catch (const InputError& error) {
    if (std::string(error.what()).find('\n') != std::string::npos) std::abort();
  }
}

}  // namespace extremal
