#include "import/mjcf_geom.hpp"

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

bool add_geom(const MjcfCompiler& compiler, const Attributes& geom, Link& link) {
  const Element& e = geom.element();
  const std::string type = geom.text("type", "sphere");
  if (type == "plane" || type == "hfield") return true;  // of the world, without mass
  const quad given = geom.number("mass", -1), density = geom.number("density", 1000);
  if ((geom.has("mass") && given < 0) || density < 0) e.refuse("found a negative mass or density; expected 0 or more");
  if (geom.has("mass") ? given == 0 : density == 0) return true;
  if (type == "mesh" || type == "sdf") return false;
  Pose pose = compiler.pose(geom);
  std::vector<quad> size = geom.numbers("size", 0);
  if (geom.has("fromto")) {
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
  SolidShape solid;
  const auto exact = [](quad x) { return Numbers(Number::exactly(x)); };
  if (type == "sphere") {
    solid = solid_shape("sphere", {}, exact(size_at(geom, size, 0)), {});
  } else if (type == "capsule" || type == "cylinder") {
    const quad half = size_at(geom, size, 1);
    solid = solid_shape(type, {}, exact(size_at(geom, size, 0)), exact(2 * half));
  } else if (type == "box" || type == "ellipsoid") {
    Triple s{};
    for (std::size_t k = 0; k < 3; ++k) s[k] = size_at(geom, size, k);
    const bool box = type == "box";
    const Triple square{s[0] * s[0], s[1] * s[1], s[2] * s[2]};
    const quad by = box ? 3 : 5;
    solid.volume = (box ? 8 : 4 * math::acos(quad(-1)) / 3) * s[0] * s[1] * s[2];
    solid.moments = {(square[1] + square[2]) / by, (square[2] + square[0]) / by, (square[0] + square[1]) / by};
  } else {
    e.refuse(unknown("type of geom", type, {"sphere", "capsule", "cylinder", "box", "ellipsoid", "mesh", "plane"}));
  }
  const quad mass = geom.has("mass") ? given : density * solid.volume;
  const Triple& J = solid.moments;
  const Tensor own = turned({mass * J[0], mass * J[1], mass * J[2], 0, 0, 0}, pose.turn);
  add_mass(link.mass, link.centre, link.inertia, mass, pose.at, own);
  return true;
}

}  // namespace extremal::robots
