// What MJCF's geoms refer to: meshes by files, and colours by materials.
#pragma once

#include "import/mjcf_words.hpp"

namespace extremal::robots {

struct MjcfAssets {
  struct AssetMesh {
    std::string file;
    Triple scale{1, 1, 1};
  };
  std::map<std::string, AssetMesh> meshes;
  std::map<std::string, std::string> colours;  // of materials

  // An element of <asset>; false if it is of another kind.
  bool read(const MjcfCompiler& compiler, const MjcfDefaults& defaults, const Element& element);
};

}  // namespace extremal::robots
