// Loads of a Mechanism, by their intermediates (load.hpp).
#include <algorithm>

#include "bodies/mechanism_data.hpp"
#include "extremal/error.hpp"

namespace extremal {
namespace {

using Loads = std::vector<Load>;
using LinearForces = std::vector<LinearForce>;

std::string load_label(const std::string& name) { return "load \"" + name + "\""; }

template <class Make>
void add(MechanismData& data, const std::string& name, Make make) {
  data.claim(load_label(name), name);
  data.loads.push_back({name, make});
}

bool none(const TimeFunction& f) { return f.constant() && f.at(quad(0))[0] == quad(0); }

void note_plain(MechanismData& data, int body, int component, bool torque, const TimeFunction& f) {
  if (!none(f)) data.loads.back().plain.push_back({body, component, torque, f});
}

struct Pair {
  Side a, b;
};

void note_strut(MechanismData& data, const Pair& pair, bool damps) {
  LoadRecord& load = data.loads.back();
  load.strut = RigidStrut{load.name, damps, pair.a, pair.b};
}

Pair two_points(const MechanismData& data, const std::string& name, const Point& a, const Point& b) {
  const Pair pair{data.side(load_label(name), a), data.side(load_label(name), b)};
  data.expect_two(load_label(name), pair.a.body, pair.b.body);
  return pair;
}

Pair two_bodies(const MechanismData& data, const std::string& name, const Body& a, const Body& b) {
  const Pair pair{{data.index(load_label(name), a), {}}, {data.index(load_label(name), b), {}}};
  data.expect_two(load_label(name), pair.a.body, pair.b.body);
  data.expect_turning(load_label(name), pair.a.body);
  data.expect_turning(load_label(name), pair.b.body);
  return pair;
}

quad not_negative(const MechanismData& data, const std::string& name, const char* what, const Number& given) {
  const quad x = given.as<quad>();
  if (x < 0) data.refuse(load_label(name), std::string(what) + " " + given.text() + "; expected 0 or more");
  return x;
}

Quadratic squared_distance(const MechanismData& data, const Pair& pair) {
  const VectorField r = data.point(pair.b) - data.point(pair.a);
  return dot(r, r);
}

Triple axis_of(const MechanismData& data, const std::string& name, const Numbers& axis) {
  if (data.space == Space::spatial) return data.direction(load_label(name), axis);
  if (!axis.empty()) data.refuse(load_label(name), "an axis in the plane; expected none");
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

}  // namespace

void Mechanism::spring(const std::string& name, const Point& a, const Point& b, const SpringData& given) {
  const Pair pair = two_points(*data_, name, a, b);
  const quad k = not_negative(*data_, name, "stiffness", given.stiffness);
  const quad length = not_negative(*data_, name, "length", given.length);
  const quad c = not_negative(*data_, name, "damping", given.damping);
  add(*data_, name, [=](const MechanismData& d, Loads& loads, LinearForces&) {
    loads.push_back({LoadKind::spring, {squared_distance(d, pair)}, {k, length}, {}});
    if (c != quad(0)) loads.push_back({LoadKind::line_damper, {squared_distance(d, pair)}, {c}, {}});
  });
  note_strut(*data_, pair, false);
}

void Mechanism::torsion_spring(const std::string& name, const Body& a, const Body& b, const Number& stiffness,
                               const Number& rest, const Numbers& axis) {
  const Pair pair = two_bodies(*data_, name, a, b);
  const Triple u = axis_of(*data_, name, axis);
  const quad k = not_negative(*data_, name, "stiffness", stiffness), at_rest = rest.as<quad>();
  add(*data_, name, [=](const MechanismData& d, Loads& loads, LinearForces&) {
    loads.push_back({LoadKind::torsion_spring, angle(d, pair, u, at_rest), {k}, {}});
  });
}

void Mechanism::damper(const std::string& name, const Point& a, const Point& b, const Number& damping) {
  const Pair pair = two_points(*data_, name, a, b);
  const quad c = not_negative(*data_, name, "damping", damping);
  add(*data_, name, [=](const MechanismData& d, Loads&, LinearForces& forces) {
    const VectorField r = d.point(pair.b) - d.point(pair.a);
    for (int k = 0; k < d.dimension(); ++k) {
      LinearForce force;
      Quadratic rate;  // of the component; its monomials c q_j stand for c v_j
      for (const Monomial& m : r[static_cast<std::size_t>(k)].monomials())
        if (m.j >= 0) rate = rate + Quadratic(m.c) * Quadratic::variable(m.j);
      for (const Monomial& m : rate.monomials()) {
        force.coordinates.push_back(m.j);
        force.rows.push_back(Quadratic(-c * m.c) * rate);
      }
      forces.push_back(std::move(force));
    }
  });
  note_strut(*data_, pair, true);
}

void Mechanism::line_damper(const std::string& name, const Point& a, const Point& b, const Number& damping) {
  const Pair pair = two_points(*data_, name, a, b);
  const quad c = not_negative(*data_, name, "damping", damping);
  add(*data_, name, [=](const MechanismData& d, Loads& loads, LinearForces&) {
    loads.push_back({LoadKind::line_damper, {squared_distance(d, pair)}, {c}, {}});
  });
  note_strut(*data_, pair, true);
}

void Mechanism::rotational_damper(const std::string& name, const Body& a, const Body& b, const Number& damping,
                                  const Numbers& axis) {
  const Pair pair = two_bodies(*data_, name, a, b);
  const quad c = not_negative(*data_, name, "damping", damping);
  if (data_->space == Space::planar || !axis.empty()) {
    const Triple u = axis_of(*data_, name, axis);
    add(*data_, name, [=](const MechanismData& d, Loads& loads, LinearForces&) {
      loads.push_back({LoadKind::rotational_damper, angle(d, pair, u), {c}, {}});
    });
    return;
  }
  add(*data_, name, [=](const MechanismData& d, Loads& loads, LinearForces&) {
    for (int k = 0; k < 3; ++k) {
      Load load{LoadKind::drag, {}, {c}, {}};
      for (const Side& side : {pair.a, pair.b}) {
        if (side.body >= 0)
          across(d, side.body, k, load.u);
        else
          load.kind = LoadKind::drag_to_ground;
      }
      loads.push_back(std::move(load));
    }
  });
}

void Mechanism::force(const std::string& name, const Point& at, const std::vector<TimeFunction>& components,
                      Frame frame) {
  const Side side = data_->side(load_label(name), at);
  if (side.body < 0) data_->refuse(load_label(name), "acts on the ground; expected a body");
  if (frame == Frame::body) data_->expect_turning(load_label(name), side.body);
  if (components.size() != static_cast<std::size_t>(data_->dimension()))
    data_->refuse(load_label(name),
                  std::to_string(components.size()) + " components; expected " + std::to_string(data_->dimension()));
  add(*data_, name, [=](const MechanismData& d, Loads& loads, LinearForces&) {
    const VectorField x = d.point(side);
    const auto D = static_cast<std::size_t>(d.dimension());
    for (std::size_t k = 0; k < D; ++k) {
      if (none(components[k])) continue;
      if (frame == Frame::space) {
        loads.push_back({LoadKind::force, {x[k]}, {}, components[k]});
        continue;
      }
      const VectorField along = d.vector(side.body, no_rotation[k]);
      Load load{D == 2 ? LoadKind::body_force_planar : LoadKind::body_force, {}, {}, components[k]};
      load.u.assign(along.begin(), along.begin() + static_cast<std::ptrdiff_t>(D));
      load.u.insert(load.u.end(), x.begin(), x.begin() + static_cast<std::ptrdiff_t>(D));
      loads.push_back(std::move(load));
    }
  });
  if (frame == Frame::space && norm(side.at) == quad(0))
    for (std::size_t k = 0; k < components.size(); ++k)
      note_plain(*data_, side.body, static_cast<int>(k), false, components[k]);
}

void Mechanism::torque(const std::string& name, const Body& body, const std::vector<TimeFunction>& components) {
  const int index = data_->index(load_label(name), body);
  if (index < 0) data_->refuse(load_label(name), "acts on the ground; expected a body");
  data_->expect_turning(load_label(name), index);
  const bool planar = data_->space == Space::planar;
  if (components.size() != (planar ? 1 : 3))
    data_->refuse(load_label(name),
                  std::to_string(components.size()) + " components; expected " + (planar ? "1" : "3"));
  add(*data_, name, [=](const MechanismData& d, Loads& loads, LinearForces&) {
    for (std::size_t k = 0; k < components.size(); ++k) {
      if (none(components[k])) continue;
      Load load{planar ? LoadKind::torque_planar : LoadKind::torque, {}, {}, components[k]};
      across(d, index, planar ? 2 : static_cast<int>(k), load.u);
      loads.push_back(std::move(load));
    }
  });
  for (std::size_t k = 0; k < components.size(); ++k)
    note_plain(*data_, index, planar ? 2 : static_cast<int>(k), true, components[k]);
}

void Mechanism::motor(const std::string& name, const Body& a, const Body& b, const TimeFunction& torque,
                      const Numbers& axis) {
  const Pair pair = two_bodies(*data_, name, a, b);
  const Triple u = axis_of(*data_, name, axis);
  add(*data_, name, [=](const MechanismData& d, Loads& loads, LinearForces&) {
    loads.push_back({LoadKind::motor, angle(d, pair, u), {}, torque});
  });
}

}  // namespace extremal
