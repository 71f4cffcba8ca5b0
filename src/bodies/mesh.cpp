#include "extremal/mesh.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <unordered_map>

#include "extremal/error.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

constexpr std::size_t mesh_limit = std::size_t(1) << 28;  // bytes of a file
constexpr std::size_t triangle_limit = 4'000'000;

// Triangles by their corners; corners at one place are one point.
class MeshBuilder {
 public:
  explicit MeshBuilder(const std::string& name) : name_(name) {}

  [[noreturn]] void refuse(int line, const std::string& reason) const {
    throw InputError(name_ + (line > 0 ? ":" + std::to_string(line) : "") + ": " + reason);
  }

  int point(const std::array<double, 3>& x, int line) {
    for (const double each : x)
      if (!std::isfinite(each) || std::fabs(each) > 1e30)
        refuse(line, "found a corner that is no place; expected three numbers");
    const auto [found, added] = index_.emplace(x, static_cast<int>(mesh.points.size()));
    if (added) mesh.points.push_back(x);
    return found->second;
  }

  void triangle(int a, int b, int c, int line) {
    if (a == b || b == c || c == a) return;  // without an area
    if (mesh.triangles.size() == triangle_limit)
      refuse(line, "found more than " + std::to_string(triangle_limit) + " triangles; expected fewer");
    mesh.triangles.push_back({a, b, c});
  }

  Mesh mesh;

 private:
  struct Hash {
    std::size_t operator()(const std::array<double, 3>& x) const {
      std::size_t all = 0;
      for (const double each : x) all = all * 1000003U ^ std::hash<double>()(each);
      return all;
    }
  };
  const std::string& name_;
  std::unordered_map<std::array<double, 3>, int, Hash> index_;
};

std::uint32_t little_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t all = 0;
  for (std::size_t k = 4; k-- > 0;) all = all << 8 | static_cast<unsigned char>(bytes[at + k]);
  return all;
}

// 80 bytes of anything, the number of triangles, and for each a normal, three corners and two bytes more.
bool is_binary_stl(std::string_view bytes) {
  return bytes.size() >= 84 && bytes.size() == 84 + 50 * std::size_t(little_endian(bytes, 80));
}

void read_binary_stl(std::string_view bytes, MeshBuilder& builder) {
  const std::size_t count = little_endian(bytes, 80);
  for (std::size_t i = 0; i < count; ++i) {
    std::array<int, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) {
      std::array<double, 3> x{};
      for (std::size_t j = 0; j < 3; ++j)
        x[j] = static_cast<double>(std::bit_cast<float>(little_endian(bytes, 84 + 50 * i + 12 + 12 * k + 4 * j)));
      corners[k] = builder.point(x, 0);
    }
    builder.triangle(corners[0], corners[1], corners[2], 0);
  }
}

// Lines of words.
template <class Line>
void each_line(std::string_view text, Line line) {
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view rest = text.substr(begin, end - begin);
    begin = end + 1;
    std::vector<std::string_view> words;
    ++number;
    while (words.size() < 1000) {
      const std::size_t from = rest.find_first_not_of(" \t\r");
      if (from == std::string_view::npos) break;
      rest.remove_prefix(from);
      const std::size_t to = std::min(rest.find_first_of(" \t\r"), rest.size());
      words.push_back(rest.substr(0, to));
      rest.remove_prefix(to);
    }
    if (!words.empty()) line(words, number);
  }
}

std::array<double, 3> corner(const MeshBuilder& builder, const std::vector<std::string_view>& words, int line) {
  std::array<double, 3> x{};
  for (std::size_t k = 0; k < 3; ++k)
    if (k + 1 >= words.size() || !from_text(words[k + 1], x[k]))
      builder.refuse(line, "found " + extremal::quoted(k + 1 < words.size() ? words[k + 1] : std::string_view("")) +
                               "; expected three numbers behind " + std::string(words[0]));
  return x;
}

void read_text_stl(std::string_view text, MeshBuilder& builder) {
  std::vector<int> corners;
  each_line(text, [&](const std::vector<std::string_view>& words, int line) {
    if (words[0] == "vertex") corners.push_back(builder.point(corner(builder, words, line), line));
    if (words[0] != "endloop") return;
    if (corners.size() != 3)
      builder.refuse(line, "found a loop of " + std::to_string(corners.size()) + " corners; expected three");
    builder.triangle(corners[0], corners[1], corners[2], line);
    corners.clear();
  });
}

void read_obj(std::string_view text, MeshBuilder& builder) {
  std::vector<int> points;  // as they are counted in the file
  each_line(text, [&](const std::vector<std::string_view>& words, int line) {
    if (words[0] == "v") points.push_back(builder.point(corner(builder, words, line), line));
    if (words[0] != "f") return;
    std::vector<int> corners;
    for (std::size_t k = 1; k < words.size(); ++k) {
      const std::string word(words[k].substr(0, words[k].find('/')));
      char* end = nullptr;
      const long index = std::strtol(word.c_str(), &end, 10);
      const long at = index < 0 ? static_cast<long>(points.size()) + index : index - 1;
      if (word.empty() || *end != '\0' || at < 0 || at >= static_cast<long>(points.size()))
        builder.refuse(line, "found " + extremal::quoted(words[k]) + "; expected one of " +
                                 std::to_string(points.size()) + " points");
      corners.push_back(points[static_cast<std::size_t>(at)]);
    }
    if (corners.size() < 3) builder.refuse(line, "found a face of fewer than 3 points; expected more");
    for (std::size_t k = 2; k < corners.size(); ++k) builder.triangle(corners[0], corners[k - 1], corners[k], line);
  });
}

}  // namespace

Mesh read_mesh_text(std::string_view bytes, const std::string& name) {
  MeshBuilder builder(name);
  const std::size_t begin = bytes.find_first_not_of(" \t\r\n");
  if (name.ends_with(".obj") || name.ends_with(".OBJ"))
    read_obj(bytes, builder);
  else if (is_binary_stl(bytes))
    read_binary_stl(bytes, builder);
  else if (begin != std::string_view::npos && bytes.substr(begin).starts_with("solid"))
    read_text_stl(bytes, builder);
  else
    builder.refuse(0, "found neither STL, in text or binary, nor OBJ; expected a mesh in one of them");
  if (builder.mesh.triangles.empty()) builder.refuse(0, "found no triangles; expected a mesh");
  return std::move(builder.mesh);
}

Mesh read_mesh(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  std::ifstream in(path, std::ios::binary);
  std::ostringstream all;
  if (!error && size > mesh_limit)
    throw InputError(path + ": found a file of " + std::to_string(size) + " bytes; expected at most " +
                     std::to_string(mesh_limit));
  if (error || !std::filesystem::is_regular_file(path, error) || !in || !(all << in.rdbuf()))
    throw InputError(path + ": cannot be read; expected a mesh, STL or OBJ");
  return read_mesh_text(all.str(), path);
}

}  // namespace extremal
