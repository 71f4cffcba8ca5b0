// The scene of a thermoelastic network: masses, springs, and supports that may move.
#include "bodies/thermoelastic_data.hpp"
#include "report/scene.hpp"

namespace extremal::report {
namespace {

double at(const TimeFunction& f, double t) { return static_cast<double>(f.at(quad(t))[0]); }

void still(int dimension, std::vector<double>& poses) {
  if (dimension == 2)
    poses.push_back(0);
  else
    poses.insert(poses.end(), {1, 0, 0, 0});
}

}  // namespace

Scene network_scene(const ThermoelasticNetwork& network) {
  const ThermoelasticData& data = network.parts();
  Scene scene;
  scene.dimension = data.dimension();
  scene.parts["dimension"] = scene.dimension;
  scene.parts["unit"] = "m";
  if (data.gravity) {
    Vec g{};
    for (std::size_t k = 0; k < data.gravity->list().size(); ++k) g[k] = data.gravity->list()[k].as<double>();
    if (g != Vec{}) scene.parts["gravity"] = scene.vector(g);
  }
  scene.trails = 3;
  const auto D = static_cast<std::size_t>(scene.dimension);
  std::vector<std::size_t> first;  // coordinates of the masses
  for (std::size_t m = 0; m < data.masses.size(); ++m) {
    scene.add("bodies", {{"name", data.masses[m].name}, {"shapes", Scene::particle()}});
    scene.tracked.push_back({static_cast<int>(m), {}});
    first.push_back(static_cast<std::size_t>(data.coordinate(static_cast<int>(m))));
  }
  std::vector<std::array<TimeFunction, 3>> moving;
  std::vector<Json> supports;  // as ends of springs
  for (const SupportRecord& support : data.supports) {
    if (support.moves) {
      supports.push_back(scene.end(static_cast<int>(data.masses.size() + moving.size()), {}));
      scene.add("bodies", {{"name", support.name}, {"shapes", Scene::particle()}});
      moving.push_back(support.position);
      continue;
    }
    const Vec place = {at(support.position[0], 0), at(support.position[1], 0), at(support.position[2], 0)};
    supports.push_back(scene.end(-1, place));
    scene.add_ground(place);
  }
  const auto end = [&](const NetworkEnd& e) {
    return e.support ? supports[static_cast<std::size_t>(e.index)] : scene.end(e.index, {});
  };
  for (const SpringRecord& spring : data.springs)
    scene.add("springs",
              {{"name", spring.name}, {"kind", "thermoelastic"}, {"from", end(spring.a)}, {"to", end(spring.b)}});
  scene.bodies = data.masses.size() + moving.size();
  scene.pose = [first, moving, D](const double* q, const double*, double t, std::vector<double>& poses) {
    for (const std::size_t at_mass : first) {
      poses.insert(poses.end(), q + at_mass, q + at_mass + D);
      still(static_cast<int>(D), poses);
    }
    for (const auto& place : moving) {
      for (std::size_t k = 0; k < D; ++k) poses.push_back(at(place[k], t));
      still(static_cast<int>(D), poses);
    }
  };
  return scene;
}

}  // namespace extremal::report
