// Scene: what the animation of a report shows – bodies with shapes, and what connects them – and the pose of every body
// at a row of the run.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "extremal/mesh.hpp"
#include "extremal/models.hpp"
#include "report/pack.hpp"
#include "report/table.hpp"

namespace extremal::report {

using Vec = std::array<double, 3>;

struct Scene {
  int dimension = 2;
  Json parts = Json::object();  // bodies, links, joints, springs, rods, ground, as report/schema.json has them
  std::size_t bodies = 0;
  // Appends x y angle of every body, or x y z w i j k.
  std::function<void(const double* q, const double* v, double t, std::vector<double>& poses)> pose;

  // Points that may leave a trail; those of them that move most do.
  struct Tracked {
    int body = 0;
    Vec point{};
  };
  std::vector<Tracked> tracked = {};
  std::size_t trails = 1;
  std::vector<std::string> notes = {};  // what is not drawn, and why
  std::vector<Mesh> meshes = {};        // those of parts["meshes"]

  std::size_t pose_size() const { return dimension == 2 ? 3 : 7; }
  Json vector(const Vec& x) const;  // two or three components
  Json end(int body, const Vec& point) const { return {{"body", body}, {"point", vector(point)}}; }
  void add(const char* list, Json part) { parts[list].push_back(std::move(part)); }
  void add_ground(const Vec& point);                                                   // once
  static Json particle() { return Json::array({Json::object({{"kind", "point"}})}); }  // its shapes
};

// Nothing if the model says no more than numbers: neither parts, nor a picture, nor coordinates x, y.
std::optional<Scene> scene_of(const Model& model, const Table& table);
Scene mechanism_scene(const Model& model);
Scene network_scene(const ThermoelasticNetwork& network);
std::optional<Scene> point_scene(const Model& model, const Table& table);

// Bars between the points where something is attached, or a solid with the inertia of the body: shapes in its own axes,
// and the points that bound them.
struct Outline {
  Json shapes = Json::array();
  std::vector<Vec> points = {};
};
struct Solid {
  int dimension = 3;
  double mass = 1;
  Vec inertia{};  // moments about the centre
};
Outline outline(const Scene& scene, const Solid& body, const std::vector<Vec>& attached);

// The scene with its frames: all rows, every so many, or, where that would tear the motion apart, a part of them, which
// `notes` are told.
Json framed(Scene scene, const Table& table, std::vector<std::string>& notes);

}  // namespace extremal::report
