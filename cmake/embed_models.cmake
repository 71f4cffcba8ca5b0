# cmake -D "files=a.toml;b.toml" -D out=texts.cpp -P embed_models.cmake: src/model/texts.hpp, filled.
set(entries "")
foreach(path IN LISTS files)
  cmake_path(GET path STEM LAST_ONLY name)
  file(READ "${path}" text)
  string(APPEND entries "    {\"${name}\", R\"toml(${text})toml\"},\n")
endforeach()
file(WRITE "${out}" "// Made from models/*.toml by cmake/embed_models.cmake.
#include \"model/texts.hpp\"

namespace extremal {

std::span<const ModelText> model_texts() {
  static constexpr ModelText texts[] = {
${entries}  };
  return texts;
}

}  // namespace extremal
")
