// What fuzz targets and their replay do with a robot and what stands beside it: read it, and read the model that it
// became. Either may refuse it, by an InputError of one line.
//
// The first byte says what there is: 'i' a robot and, behind a line "=====", the file that every include is; 'y' a
// robot and its YAML; 's' and 'o' meshes, STL and OBJ; whatever else a robot alone, which that byte belongs to.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "extremal/error.hpp"
#include "extremal/import.hpp"
#include "extremal/mesh.hpp"
#include "extremal/models.hpp"
#include "import/reader.hpp"

namespace extremal {

template <class Action>
void refuses_in_one_line(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    if (std::string(error.what()).find('\n') != std::string::npos) std::abort();
  }
}

inline void fuzz_robot(std::string_view text) {
  if (text.size() > 20000) return;
  const char kind = text.empty() ? '<' : text[0];
  if (kind == 's' || kind == 'o') {
    const std::string name = kind == 's' ? "a.stl" : "a.obj";
    refuses_in_one_line([&] { solid_body(read_mesh_text(std::string(text.substr(1)), name), 1); });
    return;
  }
  if (kind == 'i' || kind == 'y') {
    constexpr std::string_view line = "\n=====\n";
    const std::size_t end = std::min(text.find(line), text.size());
    const std::string first(text.substr(1, std::max<std::size_t>(end, 1) - 1)),
        second(end < text.size() ? text.substr(end + line.size()) : std::string_view());
    refuses_in_one_line([&] {
      robots::Around around;
      if (kind == 'i') around.file = [&](const std::string&) { return second; };
      std::vector<robots::YamlBeside> yamls;
      if (kind == 'y') yamls.push_back({second, "robot.yaml"});
      const Imported robot = robots::imported(robots::XmlFile(first, "robot"), "robot", {}, around, yamls);
      read_model_text(robot.text, "model");
    });
    return;
  }
  refuses_in_one_line([&] {
    const Imported robot = import_robot_text(text, "robot", {.close = {"a=b:spherical"}});
    read_model_text(robot.text, "model");
  });
  refuses_in_one_line([&] { import_robot_text(text, "robot", {.floating = true, .at = {"j=0.5"}, .limits = "100"}); });
}

}  // namespace extremal
