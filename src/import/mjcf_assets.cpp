#include "import/mjcf_assets.hpp"

#include <filesystem>

namespace extremal::robots {

bool MjcfAssets::read(const MjcfCompiler& compiler, const MjcfDefaults& defaults, const Element& e) {
  const Attributes a(e, defaults, "");
  if (e.name() == "material") {
    if (a.has("rgba")) colours[e.node.attribute("name").value()] = colour_of(a.numbers("rgba", 4));
    return true;
  }
  if (e.name() != "mesh") return e.name() == "texture";
  std::string file = a.text("file");
  if (file.empty()) return false;  // by its points in the file itself
  std::string name = e.node.attribute("name").value();
  if (name.empty()) name = std::filesystem::path(file).stem().string();
  if (compiler.strippath) file = std::filesystem::path(file).filename().string();
  if (!compiler.meshdir.empty()) file = (std::filesystem::path(compiler.meshdir) / file).generic_string();
  meshes[name] = {file, a.triple("scale", {1, 1, 1})};
  return true;
}

}  // namespace extremal::robots
