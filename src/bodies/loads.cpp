// Loads of a Mechanism, by their intermediates (load.hpp). A load is a function and a line of the table here, a line in
// extremal/mechanism.hpp, and a law in load_laws.hpp unless it has one.
#include <algorithm>

#include "bodies/load_laws.hpp"
#include "bodies/load_request.hpp"
#include "extremal/error.hpp"
#include "numbers/index.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

using Loads = std::vector<Load>;
using LinearForces = std::vector<LinearForce>;

std::string load_label(const std::string& name) { return "load \"" + name + "\""; }

struct Pair {
  Side a, b;
};

Pair two_points(const LoadRequest& r) {
  const Pair pair{r.data.side(r.what, r.given.from), r.data.side(r.what, r.given.to)};
  r.data.expect_two(r.what, pair.a.body, pair.b.body);
  return pair;
}

Pair two_bodies(const LoadRequest& r) {
  const Pair pair{{r.data.index(r.what, r.given.from), {}}, {r.data.index(r.what, r.given.to), {}}};
  r.data.expect_two(r.what, pair.a.body, pair.b.body);
  r.data.expect_turning(r.what, pair.a.body);
  r.data.expect_turning(r.what, pair.b.body);
  return pair;
}

bool none(const TimeFunction& f) { return f.constant() && f.at(quad(0))[0] == quad(0); }

Quadratic squared_distance(const MechanismData& data, const Pair& pair) {
  const VectorField r = data.point(pair.b) - data.point(pair.a);
  return dot(r, r);
}

Triple turning_axis(const LoadRequest& r) {
  if (r.data.space == Space::spatial)
    return r.data.along_directors(r.data.index(r.what, r.given.from), r.data.direction(r.what, r.given.axis));
  if (!r.given.axis.empty()) r.data.refuse(r.what, "an axis in the plane; expected none");
  return {0, 0, 1};
}

// Cosine and sine of the angle by which b has turned against a about the axis since the placements, less `rest`.
std::vector<Quadratic> angle(const MechanismData& data, const Pair& pair, const Triple& axis, quad rest = 0) {
  const auto [n, m] =
      data.space == Space::planar ? std::array<Triple, 2>{no_rotation[0], no_rotation[1]} : normals(axis);
  const quad c = math::cos(rest), s = math::sin(rest);
  const VectorField turned = data.vector(pair.b.body, data.carried(pair.a.body, pair.b.body, n));
  return {dot(data.vector(pair.a.body, c * n + s * m), turned), dot(data.vector(pair.a.body, c * m - s * n), turned)};
}

// The components of a body's directors across coordinate axis k, in right-handed order.
void across(const MechanismData& data, int body, int k, std::vector<Quadratic>& u) {
  const int D = data.dimension(), first = data.bodies[static_cast<std::size_t>(body)].first;
  for (int i = 1; i <= D; ++i)
    for (const int side : {1, 2}) u.push_back(Quadratic::variable(first + D * i + (k + side) % 3));
}

// What happens to `count` components of a force or torque.
void expect_components(const LoadRequest& r, int count) {
  if (r.given.components.size() != sz(count))
    r.data.refuse(r.what, std::to_string(r.given.components.size()) + " components; expected " + std::to_string(count));
}

LoadRecord spring(const LoadRequest& r) {
  const Pair pair = two_points(r);
  const quad k = r.not_negative("stiffness", r.given.stiffness);
  const quad length = r.not_negative("length", r.given.length);
  const quad c = r.not_negative("damping", r.given.damping);
  return {.loads =
              [=](const MechanismData& d, Loads& loads, LinearForces&) {
                loads.push_back({load::law<load::Spring>, {squared_distance(d, pair)}, {k, length}, {}});
                if (c != quad(0)) loads.push_back({load::law<load::LineDamper>, {squared_distance(d, pair)}, {c}, {}});
              },
          .strut = RigidStrut{{}, false, pair.a, pair.b}};
}

LoadRecord torsion_spring(const LoadRequest& r) {
  const Pair pair = two_bodies(r);
  const Triple u = turning_axis(r);
  const quad k = r.not_negative("stiffness", r.given.stiffness), at_rest = r.given.angle.as<quad>();
  const quad c = r.not_negative("damping", r.given.damping);
  return {.loads = [=](const MechanismData& d, Loads& loads, LinearForces&) {
    loads.push_back({load::law<load::TorsionSpring>, angle(d, pair, u, at_rest), {k}, {}});
    if (c != quad(0)) loads.push_back({load::law<load::RotationalDamper>, angle(d, pair, u), {c}, {}});
  }};
}

LoadRecord damper(const LoadRequest& r) {
  const Pair pair = two_points(r);
  const quad c = r.not_negative("damping", r.given.damping);
  return {.loads =
              [=](const MechanismData& d, Loads&, LinearForces& forces) {
                const VectorField gap = d.point(pair.b) - d.point(pair.a);
                for (int k = 0; k < d.dimension(); ++k) {
                  LinearForce force;
                  Quadratic rate;  // of the component; its monomials c q_j stand for c v_j
                  for (const Monomial& m : gap[sz(k)].monomials())
                    if (m.j >= 0) rate = rate + Quadratic(m.c) * Quadratic::variable(m.j);
                  for (const Monomial& m : rate.monomials()) {
                    force.coordinates.push_back(m.j);
                    force.rows.push_back(Quadratic(-c * m.c) * rate);
                  }
                  forces.push_back(std::move(force));
                }
              },
          .strut = RigidStrut{{}, true, pair.a, pair.b}};
}

LoadRecord line_damper(const LoadRequest& r) {
  const Pair pair = two_points(r);
  const quad c = r.not_negative("damping", r.given.damping);
  return {.loads =
              [=](const MechanismData& d, Loads& loads, LinearForces&) {
                loads.push_back({load::law<load::LineDamper>, {squared_distance(d, pair)}, {c}, {}});
              },
          .strut = RigidStrut{{}, true, pair.a, pair.b}};
}

LoadRecord rotational_damper(const LoadRequest& r) {
  const Pair pair = two_bodies(r);
  const quad c = r.not_negative("damping", r.given.damping);
  if (r.data.space == Space::planar || !r.given.axis.empty()) {
    const Triple u = turning_axis(r);
    return {.loads = [=](const MechanismData& d, Loads& loads, LinearForces&) {
      loads.push_back({load::law<load::RotationalDamper>, angle(d, pair, u), {c}, {}});
    }};
  }
  return {.loads = [=](const MechanismData& d, Loads& loads, LinearForces&) {
    for (int k = 0; k < 3; ++k) {
      Load drag{load::law<load::Drag<2>>, {}, {c}, {}};
      for (const Side& side : {pair.a, pair.b}) {
        if (side.body >= 0)
          across(d, side.body, k, drag.u);
        else
          drag.law = load::law<load::Drag<1>>;
      }
      loads.push_back(std::move(drag));
    }
  }};
}

LoadRecord force(const LoadRequest& r) {
  const Side side = r.data.side(r.what, r.given.on);
  const Frame frame = r.given.frame;
  const std::vector<TimeFunction> components = r.given.components;
  if (side.body < 0) r.data.refuse(r.what, "acts on the ground; expected a body");
  if (frame == Frame::body) r.data.expect_turning(r.what, side.body);
  expect_components(r, r.data.dimension());
  LoadRecord record{.loads = [=](const MechanismData& d, Loads& loads, LinearForces&) {
    const VectorField x = d.point(side);
    const std::size_t D = sz(d.dimension());
    for (std::size_t k = 0; k < D; ++k) {
      if (none(components[k])) continue;
      if (frame == Frame::space) {
        loads.push_back({load::law<load::Force>, {x[k]}, {}, components[k]});
        continue;
      }
      const VectorField along = d.vector(side.body, d.along_directors(side.body, no_rotation[k]));
      Load push{D == 2 ? load::law<load::BodyForce<2>> : load::law<load::BodyForce<3>>, {}, {}, components[k]};
      push.u.assign(along.begin(), along.begin() + static_cast<std::ptrdiff_t>(D));
      push.u.insert(push.u.end(), x.begin(), x.begin() + static_cast<std::ptrdiff_t>(D));
      loads.push_back(std::move(push));
    }
  }};
  for (std::size_t k = 0; frame == Frame::space && norm(side.at) == quad(0) && k < components.size(); ++k)
    if (!none(components[k])) record.plain.push_back({side.body, static_cast<int>(k), false, components[k]});
  return record;
}

LoadRecord torque(const LoadRequest& r) {
  const int body = r.data.index(r.what, r.given.on);
  const std::vector<TimeFunction> components = r.given.components;
  if (body < 0) r.data.refuse(r.what, "acts on the ground; expected a body");
  r.data.expect_turning(r.what, body);
  const bool planar = r.data.space == Space::planar;
  expect_components(r, planar ? 1 : 3);
  LoadRecord record;
  record.loads = [=](const MechanismData& d, Loads& loads, LinearForces&) {
    for (std::size_t k = 0; k < components.size(); ++k) {
      if (none(components[k])) continue;
      Load turn{planar ? load::law<load::Torque<2>> : load::law<load::Torque<3>>, {}, {}, components[k]};
      across(d, body, planar ? 2 : static_cast<int>(k), turn.u);
      loads.push_back(std::move(turn));
    }
  };
  for (std::size_t k = 0; k < components.size(); ++k)
    if (!none(components[k])) record.plain.push_back({body, planar ? 2 : static_cast<int>(k), true, components[k]});
  return record;
}

LoadRecord motor(const LoadRequest& r) {
  const Pair pair = two_bodies(r);
  const Triple u = turning_axis(r);
  return {.loads = [=, f = r.given.torque](
                       const MechanismData& d, Loads& loads,
                       LinearForces&) { loads.push_back({load::law<load::Motor>, angle(d, pair, u), {}, f}); },
          .torque = r.given.torque};
}

using Key = LoadType::Key;

// Points at both ends, or bodies.
std::vector<Key> between(LoadType::Ends ends, std::initializer_list<Key> more) {
  const bool whole = ends == LoadType::Ends::bodies;
  std::vector<Key> keys = {needed("from", &LoadData::from), needed("to", &LoadData::to)};
  for (Key& key : keys) key.whole = whole;
  keys.insert(keys.end(), more);
  return keys;
}

const std::vector<LoadRow>& load_rows() {
  using enum LoadType::Ends;
  const Key stiff = needed("stiffness", &LoadData::stiffness), damped = needed("damping", &LoadData::damping),
            about = maybe("axis", &LoadData::axis), forces = needed("components", &LoadData::components);
  static const std::vector<LoadRow> all = [&] {
    std::vector<LoadRow> rows = {
        {{"spring", between(points, {maybe("stiffness", &LoadData::stiffness), maybe("length", &LoadData::length),
                                     maybe("damping", &LoadData::damping)})},
         spring},
        {{"torsion_spring",
          between(bodies, {stiff, maybe("angle", &LoadData::angle), maybe("damping", &LoadData::damping), about})},
         torsion_spring},
        {{"damper", between(points, {damped})}, damper},
        {{"line_damper", between(points, {damped})}, line_damper},
        {{"rotational_damper", between(bodies, {damped, about})}, rotational_damper},
        {{"force", {needed("on", &LoadData::on), forces, maybe("frame", &LoadData::frame)}}, force},
        {{"torque", {{"on", &LoadData::on, true, true}, forces}}, torque},
        {{"motor", between(bodies, {needed("torque", &LoadData::torque), about})}, motor},
    };
    const std::vector<LoadRow> more = joint_law_rows();
    rows.insert(rows.end(), more.begin(), more.end());
    return rows;
  }();
  return all;
}

}  // namespace

const std::vector<LoadType>& load_types() {
  static const std::vector<LoadType> all = [] {
    std::vector<LoadType> types;
    for (const LoadRow& row : load_rows()) types.push_back(row.type);
    return types;
  }();
  return all;
}

void Mechanism::load(std::string_view type, const std::string& name, const LoadData& given) {
  const auto row =
      std::find_if(load_rows().begin(), load_rows().end(), [&](const LoadRow& each) { return each.type.name == type; });
  if (row == load_rows().end()) {
    std::vector<std::string> known;
    for (const LoadType& each : load_types()) known.emplace_back(each.name);
    throw InputError(unknown("load", std::string(type), known));
  }
  const std::string what = load_label(name);
  LoadRecord record = row->make({*data_, what, name, given});
  record.name = name, record.type = row->type.name, record.given = given;
  if (record.strut) record.strut->name = name;
  data_->claim(what, name);
  for (const JointPlace& place : record.places) data_->make_own(place);
  data_->loads.push_back(std::move(record));
  tell_load(*data_, type, name, given);
}

}  // namespace extremal
