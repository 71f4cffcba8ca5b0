// Runs as glTF animations, and as tables of poses.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <ostream>

#include "extremal/error.hpp"
#include "extremal/report.hpp"
#include "report/looks.hpp"
#include "report/scene.hpp"

namespace extremal {
namespace report {
namespace {

Scene bodies_of(const Model& model) {
  if (model.system.rigid() == nullptr)
    throw InputError("export: " + model.system.name() + " has no bodies; expected a mechanism");
  return mechanism_scene(model);
}

// x y z w i j k of every body at a row; in the plane from x y angle.
std::vector<double> poses_at(const Scene& scene, const Table& table, std::size_t row) {
  const std::vector<double> q = table.block("q", row, 1);
  std::vector<double> given, all;
  scene.pose(q.data(), nullptr, table.t()[row], given);
  if (scene.dimension == 3) return given;
  for (std::size_t b = 0; b < scene.bodies; ++b) {
    const double half = given[3 * b + 2] / 2;
    for (const double x : {given[3 * b], given[3 * b + 1], 0.0, std::cos(half), 0.0, 0.0, std::sin(half)})
      all.push_back(x);
  }
  return all;
}

// Triangles of a shape, flat: every corner has the normal of its triangle.
struct Surface {
  std::vector<double> points, normals;
  void triangle(const Vec& a, const Vec& b, const Vec& c) {
    const Vec u{b[0] - a[0], b[1] - a[1], b[2] - a[2]}, w{c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    Vec n{u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]};
    const double length = std::hypot(n[0], n[1], n[2]);
    if (!(length > 0)) return;
    for (double& x : n) x /= length;
    for (const Vec* corner : {&a, &b, &c}) {
      points.insert(points.end(), corner->begin(), corner->end());
      normals.insert(normals.end(), n.begin(), n.end());
    }
  }
};

// A body of revolution about axis 3 by a profile of radius and height.
Surface turned_shape(const std::vector<std::array<double, 2>>& profile) {
  constexpr int n = 24;
  Surface out;
  const auto at = [&](std::size_t i, int k) {
    const double angle = 2 * std::acos(-1.0) * k / n;
    return Vec{profile[i][0] * std::cos(angle), profile[i][0] * std::sin(angle), profile[i][1]};
  };
  for (std::size_t i = 0; i + 1 < profile.size(); ++i)
    for (int k = 0; k < n; ++k) {
      out.triangle(at(i, k), at(i, k + 1), at(i + 1, k + 1));
      out.triangle(at(i, k), at(i + 1, k + 1), at(i + 1, k));
    }
  return out;
}

Surface box_shape(const Vec& size) {
  Surface out;
  const auto corner = [&](int c) {
    Vec x{};
    for (std::size_t k = 0; k < 3; ++k) x[k] = ((c >> k & 1) != 0 ? 0.5 : -0.5) * size[k];
    return x;
  };
  constexpr int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& f : faces) {
    out.triangle(corner(f[0]), corner(f[1]), corner(f[2]));
    out.triangle(corner(f[0]), corner(f[2]), corner(f[3]));
  }
  return out;
}

std::vector<std::array<double, 2>> round_profile(double radius, double half) {
  std::vector<std::array<double, 2>> all;
  for (int k = 0; k <= 16; ++k) {
    const double angle = std::acos(-1.0) * (k / 16.0 - 0.5);
    all.push_back({radius * std::cos(angle), radius * std::sin(angle) + (k < 8 ? -half : k > 8 ? half : 0)});
    if (k == 8) all.back()[1] = -half, all.push_back({radius, half});
  }
  return all;
}

std::vector<double> numbers_of(const Json& list) {
  std::vector<double> x;
  for (const Json& each : list) x.push_back(each.get<double>());
  return x;
}

Vec vec_of(const Json& list) {
  const std::vector<double> x = numbers_of(list);
  return {x[0], x[1], x.size() > 2 ? x[2] : 0};
}

class Gltf {
 public:
  Gltf(const Archive& archive, const Model& model) : table_(archive), scene_(bodies_of(model)), model_(model) {}

  Json document() {
    Json roots = Json::array();
    const Json& bodies = std::as_const(scene_.parts).at("bodies");
    for (std::size_t b = 0; b < scene_.bodies; ++b) {
      Json children = Json::array();
      if (bodies[b].contains("shapes"))
        for (const Json& shape : bodies[b].at("shapes"))
          if (const int node = part(shape, bodies[b].contains("colour") ? bodies[b].at("colour").get<int>() : 0);
              node >= 0)
            children.push_back(node);
      Json node = {{"name", bodies[b].at("name").get<std::string>()}};
      if (!children.empty()) node["children"] = std::move(children);
      body_nodes_.push_back(static_cast<int>(nodes_.size()));
      roots.push_back(static_cast<int>(nodes_.size()));
      nodes_.push_back(std::move(node));
    }
    animate();
    Json all = {{"asset", {{"version", "2.0"}, {"generator", "extremal " EXTREMAL_VERSION}}},
                {"scene", 0},
                {"nodes", nodes_},
                {"accessors", accessors_},
                {"bufferViews", views_}};
    all["scenes"] = Json::array({Json::object({{"name", model_.system.name()}, {"nodes", roots}})});
    if (!meshes_.empty()) all["meshes"] = meshes_, all["materials"] = materials_;
    all["animations"] = Json::array({animation_});
    all["buffers"] = Json::array({Json::object(
        {{"byteLength", static_cast<unsigned long>(4 * numbers_.size())},
         {"uri", "data:application/octet-stream;base64," + f32(numbers_).at("f32").get<std::string>()}})});
    return all;
  }

 private:
  // Of binary32 numbers, with the bounds that readers want for points and times.
  int accessor(const std::vector<double>& values, int width, const char* type, bool bounds, int target) {
    Json view = {{"buffer", 0},
                 {"byteOffset", static_cast<unsigned long>(4 * numbers_.size())},
                 {"byteLength", static_cast<unsigned long>(4 * values.size())}};
    if (target != 0) view["target"] = target;
    Json out = {{"bufferView", static_cast<unsigned long>(views_.size())},
                {"componentType", 5126},
                {"count", static_cast<unsigned long>(values.size() / static_cast<std::size_t>(width))},
                {"type", type}};
    if (bounds) {
      Json low = Json::array(), high = Json::array();
      for (int k = 0; k < width; ++k) {
        float a = static_cast<float>(values[static_cast<std::size_t>(k)]), b = a;
        for (std::size_t i = static_cast<std::size_t>(k); i < values.size(); i += static_cast<std::size_t>(width))
          a = std::min(a, static_cast<float>(values[i])), b = std::max(b, static_cast<float>(values[i]));
        low.push_back(static_cast<double>(a)), high.push_back(static_cast<double>(b));
      }
      out["min"] = std::move(low), out["max"] = std::move(high);
    }
    views_.push_back(std::move(view));
    accessors_.push_back(std::move(out));
    numbers_.insert(numbers_.end(), values.begin(), values.end());
    return static_cast<int>(accessors_.size()) - 1;
  }

  int material(const std::string& paint, int colour) {
    constexpr const char* usual[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5b5b5b"};
    const std::string hex = paint.empty() ? usual[colour % 7] : paint;
    Json factor = Json::array();
    for (std::size_t i = 1; i < 7; i += 2)
      factor.push_back(std::pow(std::stoi(hex.substr(i, 2), nullptr, 16) / 255.0, 2.2));  // linear
    factor.push_back(1.0);
    materials_.push_back(
        {{"pbrMetallicRoughness",
          {{"baseColorFactor", std::move(factor)}, {"metallicFactor", 0.05}, {"roughnessFactor", 0.6}}}});
    return static_cast<int>(materials_.size()) - 1;
  }

  // A node with the shape, placed in its body; -1 for what has no surface.
  int part(const Json& shape, int colour) {
    const std::string kind = shape.at("kind").get<std::string>();
    Surface surface;
    Json node = Json::object();
    if (kind == "box") {
      Vec size = vec_of(shape.at("size"));
      if (!(size[2] > 0)) size[2] = 0.3 * std::min(size[0], size[1]);
      surface = box_shape(size);
    } else if (kind == "ellipsoid") {
      Vec radii = vec_of(shape.at("radii"));
      if (!(radii[2] > 0)) radii[2] = std::min(radii[0], radii[1]);
      surface = turned_shape(round_profile(1, 0));
      node["scale"] = Json::array({radii[0], radii[1], radii[2]});
    } else if (kind == "cylinder" || kind == "capsule") {
      const double r = shape.at("radius").get<double>(), half = shape.at("length").get<double>() / 2;
      surface = turned_shape(kind == "capsule"
                                 ? round_profile(r, half)
                                 : std::vector<std::array<double, 2>>{{0, -half}, {r, -half}, {r, half}, {0, half}});
    } else if (kind == "bar") {
      const Vec a = vec_of(shape.at("from")), b = vec_of(shape.at("to"));
      const double length = std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
      const double r = shape.contains("width") ? shape.at("width").get<double>() / 2 : 0.08 * length;
      surface = turned_shape(round_profile(r, length / 2));
      const Vec u{(b[0] - a[0]) / length, (b[1] - a[1]) / length, (b[2] - a[2]) / length};
      // From axis 3 to u the short way: (e3 x u, 1 + e3 . u), normalised.
      std::array<double, 4> q = {-u[1], u[0], 0, 1 + u[2]};
      if (u[2] < -0.999999) q = {1, 0, 0, 0};
      const double norm = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
      node["rotation"] = Json::array({q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm});
      node["translation"] = Json::array({(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2});
    } else if (kind == "mesh") {
      surface = mesh_surface(shape.at("mesh").get<int>());
      if (shape.contains("scale")) node["scale"] = shape.at("scale");
    }
    if (surface.points.empty()) return -1;
    if (shape.contains("centre")) {
      const Vec at = vec_of(shape.at("centre"));
      node["translation"] = Json::array({at[0], at[1], at[2]});
    }
    if (shape.contains("turn")) {
      const std::vector<double> q = numbers_of(shape.at("turn"));
      node["rotation"] = Json::array({q[1], q[2], q[3], q[0]});
    }
    const std::string paint = shape.contains("paint") ? shape.at("paint").get<std::string>() : "";
    const int points = accessor(surface.points, 3, "VEC3", true, 34962),
              normals = accessor(surface.normals, 3, "VEC3", false, 34962);
    Json primitive = {{"attributes", {{"POSITION", points}, {"NORMAL", normals}}},
                      {"material", material(paint, colour)}};
    node["mesh"] = static_cast<unsigned long>(meshes_.size());
    meshes_.push_back(Json::object({{"primitives", Json::array({primitive})}}));
    nodes_.push_back(std::move(node));
    return static_cast<int>(nodes_.size()) - 1;
  }

  Surface mesh_surface(int index) const {
    Surface out;
    const Mesh& mesh = scene_.meshes[static_cast<std::size_t>(index)];
    for (const auto& t : mesh.triangles) {
      const auto corner = [&](std::size_t k) -> Vec { return mesh.points[static_cast<std::size_t>(t[k])]; };
      out.triangle(corner(0), corner(1), corner(2));
    }
    return out;
  }

  void animate() {
    constexpr std::size_t most = 2000;
    const std::size_t rows = table_.rows(), stride = std::max<std::size_t>(1, (rows + most - 1) / most);
    std::vector<double> t;
    std::vector<std::vector<double>> places(scene_.bodies), turns(scene_.bodies);
    for (std::size_t row = 0; row < rows; row += stride) {
      t.push_back(table_.t()[row] - table_.t()[0]);
      const std::vector<double> poses = poses_at(scene_, table_, row);
      for (std::size_t b = 0; b < scene_.bodies; ++b) {
        const double* p = poses.data() + 7 * b;
        places[b].insert(places[b].end(), p, p + 3);
        // The same rotation has two signs: the one that is near, so that readers turn the short way.
        double sign = 1;
        if (!turns[b].empty()) {
          const double* last = turns[b].data() + turns[b].size() - 4;
          sign = last[0] * p[4] + last[1] * p[5] + last[2] * p[6] + last[3] * p[3] < 0 ? -1 : 1;
        }
        for (const double x : {p[4], p[5], p[6], p[3]}) turns[b].push_back(sign * x);
      }
    }
    const int times = accessor(t, 1, "SCALAR", true, 0);
    Json samplers = Json::array(), channels = Json::array();
    for (std::size_t b = 0; b < scene_.bodies; ++b)
      for (const bool turn : {false, true}) {
        const int values = accessor(turn ? turns[b] : places[b], turn ? 4 : 3, turn ? "VEC4" : "VEC3", false, 0);
        channels.push_back({{"sampler", static_cast<unsigned long>(samplers.size())},
                            {"target", {{"node", body_nodes_[b]}, {"path", turn ? "rotation" : "translation"}}}});
        samplers.push_back({{"input", times}, {"output", values}, {"interpolation", "LINEAR"}});
      }
    animation_ = {{"name", "motion"}, {"samplers", samplers}, {"channels", channels}};
  }

  Table table_;
  Scene scene_;
  const Model& model_;
  Json nodes_ = Json::array(), meshes_ = Json::array(), materials_ = Json::array(), accessors_ = Json::array(),
       views_ = Json::array(), animation_ = Json::object();
  std::vector<int> body_nodes_;
  std::vector<double> numbers_;
};

}  // namespace
}  // namespace report

void write_gltf(const Archive& archive, const Model& model, const std::string& path) {
  const Json document = report::Gltf(archive, model).document();
  std::ofstream out(path, std::ios::binary);
  out << document.dump(Json::one_line, Json::BadText::replaced) << "\n";
  out.flush();
  if (!out) throw InputError(path + ": cannot be written; expected a file in a folder that exists, and room for it");
}

void write_poses(const Archive& archive, const Model& model, std::ostream& out) {
  const report::Table table(archive);
  const report::Scene scene = report::bodies_of(model);
  const auto& bodies = std::as_const(scene.parts).at("bodies");
  out << "t";
  for (std::size_t b = 0; b < scene.bodies; ++b)
    for (const char* part : {"x", "y", "z", "qw", "qx", "qy", "qz"}) {
      std::string name = bodies[b].at("name").get<std::string>() + "." + part;
      std::replace(name.begin(), name.end(), ',', ' ');
      out << "," << name;
    }
  out << "\n";
  for (std::size_t row = 0; row < table.rows(); ++row) {
    out << to_text(table.t()[row]);
    for (const double x : report::poses_at(scene, table, row)) out << "," << to_text(x);
    out << "\n";
  }
}

}  // namespace extremal
