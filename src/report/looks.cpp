#include "report/looks.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "bodies/mechanism_data.hpp"
#include "bodies/quaternion.hpp"
#include "extremal/error.hpp"

namespace extremal::report {
namespace {

constexpr std::size_t triangles_of_all = 60000, triangles_of_one = 6000;

Vec to_vec(const Triple& x) {
  return {static_cast<double>(x[0]), static_cast<double>(x[1]), static_cast<double>(x[2])};
}

using Cell = std::array<long long, 3>;

// With cells of this size.
Mesh clustered(const Mesh& mesh, double cell) {
  std::map<Cell, int> index;
  std::vector<int> of(mesh.points.size());
  std::vector<std::array<double, 4>> sums;  // of the points of a cell, and their number
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    Cell key;
    for (std::size_t k = 0; k < 3; ++k) key[k] = std::llround(mesh.points[i][k] / cell);
    const auto [found, added] = index.emplace(key, static_cast<int>(sums.size()));
    if (added) sums.push_back({});
    of[i] = found->second;
    std::array<double, 4>& sum = sums[static_cast<std::size_t>(found->second)];
    for (std::size_t k = 0; k < 3; ++k) sum[k] += mesh.points[i][k];
    sum[3] += 1;
  }
  Mesh out;
  for (const auto& sum : sums) out.points.push_back({sum[0] / sum[3], sum[1] / sum[3], sum[2] / sum[3]});
  std::set<std::array<int, 3>> seen;
  for (const auto& triangle : mesh.triangles) {
    std::array<int, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) corners[k] = of[static_cast<std::size_t>(triangle[k])];
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) continue;
    std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
    if (seen.insert(corners).second) out.triangles.push_back(corners);
  }
  return out;
}

// Meshes are embedded once, whoever has them.
class MeshStore {
 public:
  MeshStore(Scene& scene, std::size_t files)
      : scene_(scene),
        most_(std::clamp<std::size_t>(triangles_of_all / std::max<std::size_t>(files, 1), 300, triangles_of_one)) {}

  // -1 if the file cannot be read.
  int add(const std::string& file) {
    if (const auto found = index_.find(file); found != index_.end()) return found->second;
    int& place = index_[file];
    place = -1;
    try {
      Mesh mesh = decimated(read_mesh(file), most_);
      std::vector<double> points, corners;
      for (const auto& x : mesh.points) points.insert(points.end(), x.begin(), x.end());
      for (const auto& triangle : mesh.triangles) corners.insert(corners.end(), triangle.begin(), triangle.end());
      place = count_++;
      scene_.add("meshes", {{"points", f32(points)}, {"triangles", f32(corners)}});
      scene_.meshes.push_back(std::move(mesh));
    } catch (const InputError& error) {
      scene_.notes.push_back(std::string("a mesh is not drawn: ") + error.what());
    }
    return place;
  }

 private:
  Scene& scene_;
  std::size_t most_;
  std::map<std::string, int> index_;
  int count_ = 0;
};

Json shape_of(const LookRecord& look, const Scene& scene, MeshStore& meshes) {
  const Vec size = to_vec(look.size);
  Json shape = Json::object();
  if (look.shape == "mesh") {
    const int mesh = meshes.add(look.file);
    if (mesh < 0) return shape;
    shape = {{"kind", "mesh"}, {"mesh", mesh}};
    if (size != Vec{1, 1, 1}) shape["scale"] = {size[0], size[1], size[2]};
  } else if (look.shape == "box") {
    shape = {{"kind", "box"}, {"size", scene.vector(size)}};
  } else if (look.shape == "sphere" || look.shape == "ellipsoid" || scene.dimension == 2) {
    shape = {{"kind", "ellipsoid"}, {"radii", scene.vector({size[0] / 2, size[1] / 2, size[2] / 2})}};
  } else {
    shape = {{"kind", look.shape}, {"radius", size[0] / 2}, {"length", size[2]}};
  }
  if (const Vec at = to_vec(look.at); at != Vec{}) shape["centre"] = scene.vector(at);
  if (look.turn != no_rotation) {
    const auto vec = [](const Triple& x) { return lie::Vec3<quad>{x[0], x[1], x[2]}; };
    const auto q = lie::from_columns(lie::Columns<quad>{vec(look.turn[0]), vec(look.turn[1]), vec(look.turn[2])});
    shape["turn"] = {static_cast<double>(q.w), static_cast<double>(q.x), static_cast<double>(q.y),
                     static_cast<double>(q.z)};
  }
  if (!look.colour.empty()) shape["paint"] = look.colour;
  return shape;
}

}  // namespace

Mesh decimated(const Mesh& mesh, std::size_t most) {
  if (mesh.triangles.size() <= most) return mesh;
  double reach = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    double low = mesh.points[0][k], high = low;
    for (const auto& x : mesh.points) low = std::min(low, x[k]), high = std::max(high, x[k]);
    reach = std::max(reach, high - low);
  }
  // Finer by a fifth as long as there is room: a grid of n cells has of order n^2 triangles.
  Mesh best = clustered(mesh, reach / 4);
  for (double cells = 6; cells < 1000; cells *= 1.2) {
    Mesh finer = clustered(mesh, reach / cells);
    if (finer.triangles.size() > most) break;
    best = std::move(finer);
  }
  return best;
}

void add_looks(const Mechanism& mechanism, Scene& scene) {
  const MechanismData& told = mechanism.told();
  std::set<std::string> files;
  for (const LookRecord& look : told.looks)
    if (look.shape == "mesh") files.insert(look.file);
  MeshStore meshes(scene, files.size());
  std::vector<bool> drawn(told.bodies.size(), false);
  for (const LookRecord& look : told.looks) {
    Json shape = shape_of(look, scene, meshes);
    if (shape.empty()) continue;
    if (look.body < 0) {
      scene.add("scenery", std::move(shape));
      continue;
    }
    const auto body = static_cast<std::size_t>(look.body);
    Json& part = scene.parts["bodies"][body];
    if (!drawn[body]) part["shapes"] = Json::array();
    part["shapes"].push_back(std::move(shape));
    drawn[body] = true;
  }
}

}  // namespace extremal::report
