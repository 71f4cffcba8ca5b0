// The scene of a system by formulas: the points of its picture, or coordinates x, y, z as particles.
#include <algorithm>
#include <functional>
#include <map>

#include "report/scene.hpp"

namespace extremal::report {
namespace {

// One component of the place of a point.
using Component = std::function<double(const double* q, const double* v, double t)>;

struct Spot {
  std::string name;
  std::vector<Component> place;
};

std::vector<Spot> of_picture(const Model& model) {
  auto parameters = std::make_shared<std::vector<double>>();
  for (const Number& x : model.system.parameters()) parameters->push_back(x.as<double>());
  const int n = model.system.size();
  std::vector<Spot> all;
  for (const Picture::Spot& point : model.picture.points) {
    Spot spot{point.name, {}};
    for (const auto& term : point.place)
      spot.place.emplace_back([term, parameters, n](const double* q, const double* v, double t) {
        double value = 0;
        term->at<double>().value({1, n, q, v, &t, parameters->data()}, &value);
        return value;
      });
    all.push_back(std::move(spot));
  }
  return all;
}

// x, y and maybe z; x1, y1, x2, y2, ...
std::vector<Spot> of_names(const System& system) {
  std::map<std::string, std::array<int, 3>> particles;
  std::vector<std::string> order;
  const auto& names = system.coordinate_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    const auto axis = name.empty() ? std::string::npos : std::string("xyz").find(name[0]);
    if (axis == std::string::npos || name.find_first_not_of("0123456789", 1) != std::string::npos) continue;
    const auto [found, fresh] = particles.try_emplace(name.substr(1), std::array<int, 3>{-1, -1, -1});
    if (fresh) order.push_back(name.substr(1));
    found->second[axis] = static_cast<int>(i);
  }
  std::vector<Spot> all;
  const auto spatial = [](const auto& particle) { return particle.second[2] >= 0; };
  const int dimension = std::any_of(particles.begin(), particles.end(), spatial) ? 3 : 2;
  for (const std::string& suffix : order) {
    Spot spot{suffix.empty() ? "particle" : "particle " + suffix, {}};
    for (int k = 0; k < dimension; ++k) {
      const int at = particles[suffix][static_cast<std::size_t>(k)];
      if (at < 0) return {};
      spot.place.emplace_back([at](const double* q, const double*, double) { return q[at]; });
    }
    all.push_back(std::move(spot));
  }
  return all;
}

// Which of them stay where they are in all rows, or in some hundred of them.
std::vector<std::optional<Vec>> fixed_places(const std::vector<Spot>& spots, const Table& table) {
  std::vector<std::optional<Vec>> places(spots.size());
  constexpr std::size_t looks = 200;
  const std::size_t stride = std::max<std::size_t>(1, table.rows() / looks);
  for (std::size_t r = 0; r < table.rows(); r += stride) {
    const std::vector<double> q = table.block("q", r, 1), v = table.block("v", r, 1);
    for (std::size_t i = 0; i < spots.size(); ++i) {
      Vec here{};
      for (std::size_t k = 0; k < spots[i].place.size(); ++k)
        here[k] = spots[i].place[k](q.data(), v.data(), table.t()[r]);
      if (r == 0)
        places[i] = here;
      else if (places[i] && *places[i] != here)
        places[i].reset();
    }
  }
  return places;
}

}  // namespace

std::optional<Scene> point_scene(const Model& model, const Table& table) {
  const bool pictured = !model.picture.points.empty();
  const std::vector<Spot> spots = pictured ? of_picture(model) : of_names(model.system);
  if (spots.empty()) return std::nullopt;
  Scene scene;
  scene.dimension = static_cast<int>(spots.front().place.size());
  scene.parts["dimension"] = scene.dimension;
  scene.parts["bodies"] = Json::array();
  scene.trails = 3;
  const auto fixed = fixed_places(spots, table);
  std::vector<Spot> moving;
  std::vector<Json> ends;
  for (std::size_t i = 0; i < spots.size(); ++i) {
    const std::vector<int>& trails = model.picture.trails;
    if (fixed[i]) {
      ends.push_back(scene.end(-1, *fixed[i]));
      scene.add_ground(*fixed[i]);
      continue;
    }
    const int body = static_cast<int>(moving.size());
    ends.push_back(scene.end(body, {}));
    if (trails.empty() || std::find(trails.begin(), trails.end(), static_cast<int>(i)) != trails.end())
      scene.tracked.push_back({body, {}});
    scene.add("bodies", {{"name", spots[i].name}, {"shapes", Scene::particle()}});
    moving.push_back(spots[i]);
  }
  for (const Picture::Line& line : model.picture.lines)
    scene.add(line.spring ? "springs" : "links",
              {{"from", ends[static_cast<std::size_t>(line.from)]}, {"to", ends[static_cast<std::size_t>(line.to)]}});
  scene.bodies = moving.size();
  scene.pose = [moving](const double* q, const double* v, double t, std::vector<double>& poses) {
    for (const Spot& spot : moving) {
      for (const Component& component : spot.place) poses.push_back(component(q, v, t));
      if (spot.place.size() == 2)
        poses.push_back(0);
      else
        poses.insert(poses.end(), {1, 0, 0, 0});
    }
  };
  return scene;
}

std::optional<Scene> scene_of(const Model& model, const Table& table) {
  if (table.rows() == 0) return std::nullopt;
  if (model.mechanism != nullptr && model.system.rigid() != nullptr) return mechanism_scene(model);
  if (model.network != nullptr) return network_scene(*model.network);
  return point_scene(model, table);
}

Json Scene::vector(const Vec& x) const {
  Json out = {x[0], x[1]};
  if (dimension == 3) out.push_back(x[2]);
  return out;
}

void Scene::add_ground(const Vec& point) {
  const Json place = {{"point", vector(point)}};
  Json& ground = parts["ground"];
  if (std::find(ground.begin(), ground.end(), place) == ground.end()) ground.push_back(place);
}

}  // namespace extremal::report
