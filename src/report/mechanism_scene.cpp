// The scene of a mechanism, from the rows of its joints: they know their points, and how many there are of each kind
// says which joint it is.
#include <algorithm>
#include <cmath>

#include "bodies/rigid.hpp"
#include "numbers/index.hpp"
#include "report/scene.hpp"

namespace extremal::report {
namespace {

Vec vec(const Triple& x) { return {static_cast<double>(x[0]), static_cast<double>(x[1]), static_cast<double>(x[2])}; }
Vec cross_product(const Vec& x, const Vec& y) {
  return {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
}

struct Joint {
  std::string kind;
  Side a, b;
  std::optional<Vec> axis = std::nullopt;  // in the first side
};

Joint joint_of(const RigidJoint& given, int dimension) {
  using Kind = RigidRow::Kind;
  const auto count = [&](Kind kind) {
    return std::count_if(given.rows.begin(), given.rows.end(), [&](const RigidRow& row) { return row.kind == kind; });
  };
  const auto gaps = count(Kind::gap), planes = count(Kind::plane), normals = count(Kind::normal);
  const RigidRow& first = given.rows.front();
  Joint joint{"spherical", first.a, first.b};
  std::vector<Vec> across;
  for (const RigidRow& row : given.rows) {
    if (gaps > 0 && row.kind == Kind::normal) across.push_back(vec(row.a.at));
    if (row.kind == Kind::plane) across.push_back(vec(row.axis));
  }
  const bool planar = dimension == 2;
  if (count(Kind::distance) > 0)
    joint.kind = "distance";
  else if (gaps > 0)
    joint.kind = normals == (planar ? 1 : 3) ? "fixed"
                 : planar || normals == 2    ? "revolute"
                 : normals == 1              ? "universal"
                                             : "spherical";
  else if (planes > 0 && (planar || planes > 1))
    joint.kind = normals == 2 ? "cylindrical" : "prismatic";
  if (planar && joint.kind == "prismatic") joint.axis = Vec{across[0][1], -across[0][0], 0};
  if (!planar && across.size() >= 2 && joint.kind != "fixed" && joint.kind != "universal")
    joint.axis = cross_product(across[0], across[1]);
  return joint;
}

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
std::vector<int> colours(const RigidStructure& rigid, const std::vector<Joint>& joints) {
  std::vector<std::vector<int>> beside(rigid.bodies.size());
  for (const Joint& joint : joints)
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
  std::vector<Joint> joints;
  std::vector<std::vector<Vec>> attached(rigid->bodies.size());
  const auto attach = [&](const Side& side) {
    if (side.body < 0)
      scene.add_ground(vec(side.at));
    else
      attached[sz(side.body)].push_back(vec(side.at));
  };
  scene.parts["bodies"] = Json::array();
  for (const RigidJoint& given : rigid->joints) {
    joints.push_back(joint_of(given, rigid->dimension));
    const Joint& joint = joints.back();
    attach(joint.a);
    attach(joint.b);
    if (joint.kind == "distance") {
      scene.add("links", {{"name", given.name},
                          {"from", scene.end(joint.a.body, vec(joint.a.at))},
                          {"to", scene.end(joint.b.body, vec(joint.b.at))}});
      continue;
    }
    const bool second = joint.b.body >= 0;
    const Side& side = second ? joint.b : joint.a;
    Json part = {
        {"name", given.name}, {"kind", joint.kind}, {"body", side.body}, {"point", scene.vector(vec(side.at))}};
    if (joint.axis) part["axis"] = scene.vector(carried(*rigid, start, joint.a, side, *joint.axis));
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
  const std::vector<int> colour = colours(*rigid, joints);
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
  scene.pose = [rigid](const double* q, const double*, double, std::vector<double>& poses) {
    for (const RigidBody& body : rigid->bodies) add_pose(body, rigid->dimension, q, poses);
  };
  return scene;
}

}  // namespace extremal::report
