// The scene of a mechanism: bodies as bars between the points of their joints, and the joints as what they are.
#include <algorithm>
#include <cmath>

#include "bodies/rigid.hpp"
#include "numbers/index.hpp"
#include "report/looks.hpp"
#include "report/scene.hpp"

namespace extremal::report {
namespace {

Vec vec(const Triple& x) { return {static_cast<double>(x[0]), static_cast<double>(x[1]), static_cast<double>(x[2])}; }
// w i j k of the rotation with these columns.
std::array<double, 4> quaternion(const Vec& x, const Vec& y, const Vec& z) {
  const std::array<double, 4> squares = {1 + x[0] + y[1] + z[2], 1 + x[0] - y[1] - z[2], 1 - x[0] + y[1] - z[2],
                                         1 - x[0] - y[1] + z[2]};
  const auto largest = std::max_element(squares.begin(), squares.end()) - squares.begin();
  std::array<double, 4> q{};
  switch (largest) {
    case 0:
      q = {squares[0], y[2] - z[1], z[0] - x[2], x[1] - y[0]};
      break;
    case 1:
      q = {y[2] - z[1], squares[1], x[1] + y[0], z[0] + x[2]};
      break;
    case 2:
      q = {z[0] - x[2], x[1] + y[0], squares[2], y[2] + z[1]};
      break;
    default:
      q = {x[1] - y[0], z[0] + x[2], y[2] + z[1], squares[3]};
  }
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (double& c : q) c /= length;
  return q;
}

void add_pose(const RigidBody& body, int D, const double* q, std::vector<double>& poses) {
  const double* x = q + body.first;
  poses.insert(poses.end(), x, x + D);
  if (D == 2) {
    poses.push_back(body.turns ? std::atan2(x[3], x[2]) : 0);
    return;
  }
  std::array<double, 4> turn = {1, 0, 0, 0};
  if (body.turns) turn = quaternion({x[3], x[4], x[5]}, {x[6], x[7], x[8]}, {x[9], x[10], x[11]});
  poses.insert(poses.end(), turn.begin(), turn.end());
}

// A vector in the axes of one body, in those of the other as they are at the start.
Vec carried(const RigidStructure& rigid, const std::vector<double>& q, const Side& from, const Side& to, const Vec& x) {
  const auto D = sz(rigid.dimension);
  const auto director = [&](const Side& side, std::size_t i, std::size_t k) {
    if (side.body < 0) return i == k ? 1.0 : 0.0;
    return q[sz(rigid.bodies[sz(side.body)].first) + D * (i + 1) + k];
  };
  Vec space{}, out{};
  for (std::size_t i = 0; i < D; ++i)
    for (std::size_t k = 0; k < D; ++k) space[k] += x[i] * director(from, i, k);
  for (std::size_t i = 0; i < D; ++i)
    for (std::size_t k = 0; k < D; ++k) out[i] += space[k] * director(to, i, k);
  return out;
}

// Of a round rod: EI / EA = r^2 / 4. Rods that are given by numbers may be as thick as they are long.
double radius(const RigidRod& rod) {
  const auto& element = rod.elements.front();
  const double area = static_cast<double>(element.force_stiffness.x);
  const double bending = static_cast<double>(element.moment_stiffness.y + element.moment_stiffness.z) / 2;
  double length = 0;
  for (const auto& e : rod.elements) length += 1 / static_cast<double>(e.inverse_length);
  return std::clamp(2 * std::sqrt(bending / area), 0.004 * length, 0.012 * length);
}

// As thick as bars of their length are, not as the whole scene asks for: a chain would be one thick line.
void proportion(Scene& scene) {
  std::vector<Json*> bars;
  std::vector<double> lengths;
  for (Json& body : scene.parts["bodies"]) {
    if (!body.contains("shapes")) continue;
    for (Json& shape : body["shapes"])
      if (shape["kind"] == "bar" && !shape.contains("width")) {
        double square = 0;
        for (std::size_t k = 0; k < shape["from"].size(); ++k)
          square += std::pow(shape["to"][k].get<double>() - shape["from"][k].get<double>(), 2);
        bars.push_back(&shape);
        lengths.push_back(std::sqrt(square));
      }
  }
  if (bars.empty()) return;
  std::vector<double> sorted = lengths;
  std::sort(sorted.begin(), sorted.end());
  const double width = 0.16 * sorted[sorted.size() / 2];
  if (!(width > 0)) return;
  for (std::size_t i = 0; i < bars.size(); ++i)
    (*bars[i])["width"] = std::min(width, std::max(0.4 * lengths[i], 0.3 * width));
  if (scene.parts.contains("joints"))
    for (Json& joint : scene.parts["joints"]) joint["size"] = width / 3;
}

// Neighbours differ: the smallest number that none of those joined to a body has.
std::vector<int> colours(const RigidStructure& rigid) {
  std::vector<std::vector<int>> beside(rigid.bodies.size());
  for (const RigidJoint& joint : rigid.joints)
    if (joint.a.body >= 0 && joint.b.body >= 0) {
      beside[sz(joint.a.body)].push_back(joint.b.body);
      beside[sz(joint.b.body)].push_back(joint.a.body);
    }
  std::vector<int> all(rigid.bodies.size(), -1);
  for (std::size_t b = 0; b < all.size(); ++b) {
    int colour = 0;
    while (std::any_of(beside[b].begin(), beside[b].end(), [&](int other) { return all[sz(other)] == colour; }))
      ++colour;
    all[b] = colour % 7;
  }
  return all;
}

}  // namespace

Scene mechanism_scene(const Model& model) {
  const std::shared_ptr<const RigidStructure> rigid = model.system.rigid();
  Scene scene;
  scene.dimension = rigid->dimension;
  scene.bodies = rigid->bodies.size();
  scene.parts["dimension"] = scene.dimension;
  scene.parts["unit"] = "m";
  if (const Vec g = vec(rigid->gravity); g != Vec{}) scene.parts["gravity"] = scene.vector(g);

  std::vector<double> start;
  for (const Number& x : model.start.q) start.push_back(x.as<double>());
  std::vector<std::vector<Vec>> attached(rigid->bodies.size());
  const auto attach = [&](const Side& side) {
    if (side.body < 0)
      scene.add_ground(vec(side.at));
    else
      attached[sz(side.body)].push_back(vec(side.at));
  };
  scene.parts["bodies"] = Json::array();
  for (const RigidJoint& joint : rigid->joints) {
    attach(joint.a);
    attach(joint.b);
    const JointPicture picture = joint.type->picture;
    if (picture == JointPicture::link) {
      scene.add("links", {{"name", joint.name},
                          {"from", scene.end(joint.a.body, vec(joint.a.at))},
                          {"to", scene.end(joint.b.body, vec(joint.b.at))}});
      continue;
    }
    // A line or plane moves with the first side, which may turn against the point on it; others are drawn once, where
    // both sides are.
    const bool guide = picture == JointPicture::line || picture == JointPicture::plane;
    const Side& side = guide || joint.b.body < 0 ? joint.a : joint.b;
    Json part = {{"name", joint.name},
                 {"kind", joint.type->name},
                 {"picture", name(picture)},
                 {"body", side.body},
                 {"point", scene.vector(vec(side.at))}};
    if (const Vec axis = vec(joint.axis); picture != JointPicture::ball && axis != Vec{})
      part["axis"] = scene.vector(carried(*rigid, start, joint.a, side, axis));
    if (guide) part["to"] = scene.end(joint.b.body, vec(joint.b.at));
    scene.add("joints", std::move(part));
  }
  for (const RigidStrut& strut : rigid->struts) {
    attach(strut.a);
    attach(strut.b);
    scene.add("springs", {{"name", strut.name},
                          {"kind", strut.damps ? "damper" : "spring"},
                          {"from", scene.end(strut.a.body, vec(strut.a.at))},
                          {"to", scene.end(strut.b.body, vec(strut.b.at))}});
  }
  std::vector<bool> node(rigid->bodies.size(), false);
  for (const RigidRod& rod : rigid->rods) {
    Json nodes = Json::array();
    for (int k = rod.first; k < rod.first + rod.nodes; ++k) {
      nodes.push_back(k);
      node[sz(k)] = true;
      scene.tracked.push_back({k, {}});
    }
    scene.add("rods", {{"name", rod.name}, {"nodes", nodes}, {"radius", radius(rod)}, {"closed", rod.closed}});
  }
  const std::vector<int> colour = colours(*rigid);
  for (std::size_t b = 0; b < rigid->bodies.size(); ++b) {
    const RigidBody& body = rigid->bodies[b];
    Json part = {{"name", body.name}};
    if (!node[b]) {
      part["colour"] = colour[b];
      Outline shape;
      if (body.turns)
        shape = outline(scene, {rigid->dimension, static_cast<double>(body.mass), vec(body.inertia)}, attached[b]);
      else
        shape = {.shapes = Scene::particle(), .points = {Vec{}}};
      part["shapes"] = shape.shapes;
      for (const Vec& point : shape.points) scene.tracked.push_back({static_cast<int>(b), point});
    }
    scene.add("bodies", std::move(part));
  }
  proportion(scene);
  if (model.mechanism != nullptr) add_looks(*model.mechanism, scene);
  scene.pose = [rigid](const double* q, const double*, double, std::vector<double>& poses) {
    for (const RigidBody& body : rigid->bodies) add_pose(body, rigid->dimension, q, poses);
  };
  return scene;
}

}  // namespace extremal::report
