#include "import/mjcf_geom.hpp"

#include "bodies/mesh_solid.hpp"
#include "extremal/error.hpp"
#include "words/grammar.hpp"

namespace extremal::robots {
namespace {

quad size_at(const Attributes& geom, const std::vector<quad>& size, std::size_t i) {
  if (i >= size.size())
    geom.element().refuse("size: found " + std::to_string(size.size()) + " numbers; expected " + std::to_string(i + 1));
  if (!(size[i] > 0)) geom.element().refuse("size: found a size that is not positive; expected another");
  return size[i];
}

}  // namespace

bool read_geom(const MjcfCompiler& compiler, const Attributes& geom, const Pose& within, Visual& visual) {
  const Element& e = geom.element();
  const std::string type = geom.text("type", geom.has("mesh") ? "mesh" : "sphere");
  if (type == "plane" || type == "hfield") return false;  // of the world, without mass
  if (type == "sdf" || (type != "mesh" && geom.has("mesh"))) return false;
  Pose pose = compiler.pose(geom);
  std::vector<quad> size = geom.numbers("size", 0);
  if (geom.has("fromto") && type != "mesh") {
    // From end to end: the radius is all that is left to say.
    const std::vector<quad> x = geom.numbers("fromto", 6);
    const Triple from{x[0], x[1], x[2]}, to{x[3], x[4], x[5]};
    if (!(norm(to - from) > 0)) e.refuse("fromto: found one point twice; expected two");
    pose = {quad(0.5) * (from + to), towards(from - to)};
    const quad half = norm(to - from) / 2, radius = size_at(geom, size, 0);
    if (type == "box" || type == "ellipsoid")
      size = {radius, radius, half};
    else
      size = {radius, half};
  }
  visual.shape = type, visual.at = within * pose;
  if (type == "mesh") {
    visual.file = geom.text("mesh");
    if (visual.file.empty()) e.refuse("found a mesh without its name; expected mesh");
  } else if (type == "sphere") {
    const quad across = 2 * size_at(geom, size, 0);
    visual.size = {across, across, across};
  } else if (type == "capsule" || type == "cylinder") {
    const quad across = 2 * size_at(geom, size, 0);
    visual.size = {across, across, 2 * size_at(geom, size, 1)};
  } else if (type == "box" || type == "ellipsoid") {
    for (std::size_t k = 0; k < 3; ++k) visual.size[k] = 2 * size_at(geom, size, k);
  } else {
    e.refuse(unknown("type of geom", type, {"sphere", "capsule", "cylinder", "box", "ellipsoid", "mesh", "plane"}));
  }
  return true;
}

bool add_geom(const Attributes& geom, const Visual& visual, const Mesh* mesh, Link& link) {
  const Element& e = geom.element();
  const quad given = geom.number("mass", -1), density = geom.number("density", 1000);
  if ((geom.has("mass") && given < 0) || density < 0) e.refuse("found a negative mass or density; expected 0 or more");
  if (geom.has("mass") ? given == 0 : density == 0) return true;
  if (visual.shape == "mesh") {
    if (mesh == nullptr) return false;
    try {
      const MeshSolid solid = mesh_solid(*mesh, visual.size);
      const quad mass = geom.has("mass") ? given : density * solid.volume, by = mass / solid.volume;
      Tensor own = turned(solid.inertia, visual.at.turn);
      for (quad& x : own) x *= by;
      add_mass(link.mass, link.centre, link.inertia, mass, point(visual.at, solid.centre), own);
    } catch (const InputError& error) {
      e.refuse("mesh " + extremal::quoted(visual.file) + ": " + error.what());
    }
    return true;
  }
  const SolidShape solid = solid_extent(visual.shape, visual.size);
  const quad mass = geom.has("mass") ? given : density * solid.volume;
  const Triple& J = solid.moments;
  const Tensor own = turned({mass * J[0], mass * J[1], mass * J[2], 0, 0, 0}, visual.at.turn);
  add_mass(link.mass, link.centre, link.inertia, mass, visual.at.at, own);
  return true;
}

}  // namespace extremal::robots
