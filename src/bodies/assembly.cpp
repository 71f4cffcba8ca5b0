// From what a Mechanism was told to its System and Start. Everything is one pass over bodies, joints and loads.
//
// Sites are as small as they can be: the kinetic energy and the weight act on one coordinate each, a row of a joint on
// the coordinates that occur in it. Sites with equally many coordinates share a term.
//
// Weights of rows decide between the multipliers of redundant joints. They stand for joints that are elastic and
// equally stiff: the energy of stiffness k in a row is lambda^2 / (2 k), a force lambda against a displacement counts 1
// and a torque lambda against an angle 1 / l^2, for the torsional stiffness of a joint of size l is k l^2; l is the
// length scale of the mechanism. Rigidity does not share loads with anything and is left out.
#include <algorithm>
#include <map>

#include "bodies/load_laws.hpp"
#include "bodies/mechanism_data.hpp"

#include "numbers/index.hpp"

namespace extremal {
namespace {

// Sites that will be one term.
struct Group {
  std::vector<int> sites;
  std::vector<Quadratic> rows;
  std::vector<std::string> names;
  std::vector<double> weights;
  std::vector<int> owners;
};

std::vector<int> distinct(std::vector<int> indices) {
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  return indices;
}

void add_group(System& system, Role role, const std::string& name, int coordinates, int rows, Group&& group) {
  if (group.sites.empty()) return;
  auto term = std::make_shared<PolynomialTerm>(role, name, coordinates, rows, std::move(group.sites), group.rows);
  term->site_names = std::move(group.names);
  term->row_weights = std::move(group.weights);
  system.add_term(std::move(term));
}

void name_coordinates(const MechanismData& data, System& system) {
  for (const BodyRecord& body : data.bodies) {
    const auto n = [&](const char* part) { return body.name + "." + part; };
    if (data.space == Space::planar) {
      if (body.rigid)
        system.coordinates(n("x"), n("y"), n("d1x"), n("d1y"), n("d2x"), n("d2y"));
      else
        system.coordinates(n("x"), n("y"));
    } else if (body.rigid) {
      system.coordinates(n("x"), n("y"), n("z"), n("d1x"), n("d1y"), n("d1z"), n("d2x"), n("d2y"), n("d2z"), n("d3x"),
                         n("d3y"), n("d3z"));
    } else {
      system.coordinates(n("x"), n("y"), n("z"));
    }
  }
}

// T = m r'^2 / 2 + sum E_i d_i'^2 / 2 [Kinon2023, eq. 60] and V = -m b . r [Kinon2023, eq. 63].
void add_energies(const MechanismData& data, System& system) {
  const int D = data.dimension();
  Group kinetic, weight;
  for (const BodyRecord& body : data.bodies)
    for (int i = 0; i <= (body.rigid ? D : 0); ++i) {
      const quad inertia = i == 0 ? body.mass : body.euler[sz(i - 1)];
      for (int k = 0; k < D; ++k) {
        const int index = body.first + D * i + k;
        const Quadratic x = Quadratic::variable(index);
        if (inertia != quad(0)) {
          kinetic.sites.push_back(index);
          kinetic.rows.push_back(Quadratic(inertia / 2) * x * x);
        }
        if (i == 0 && data.gravity[sz(k)] != quad(0)) {
          weight.sites.push_back(index);
          weight.rows.push_back(Quadratic(-body.mass * data.gravity[sz(k)]) * x);
        }
      }
    }
  add_group(system, Role::kinetic, "kinetic", 1, 1, std::move(kinetic));
  add_group(system, Role::potential, "gravity", 1, 1, std::move(weight));
}

// (d_i . d_i - 1) / 2, then d_i . d_j [Kinon2023, eq. 61].
void add_rigidity(const MechanismData& data, System& system) {
  const int D = data.dimension(), rows = D * (D + 1) / 2;
  Group group;
  for (std::size_t b = 0; b < data.bodies.size(); ++b) {
    const BodyRecord& body = data.bodies[b];
    if (!body.rigid) continue;
    std::array<VectorField, 3> d;
    for (std::size_t i = 0; i < sz(D); ++i) d[i] = data.vector(static_cast<int>(b), no_rotation[i]);
    for (std::size_t i = 0; i < sz(D); ++i) group.rows.push_back(Quadratic(0.5) * (dot(d[i], d[i]) - Quadratic(1)));
    for (std::size_t i = 0; i < sz(D); ++i)
      for (std::size_t j = i + 1; j < sz(D); ++j) group.rows.push_back(dot(d[i], d[j]));
    for (int c = 0; c < D * D; ++c) group.sites.push_back(body.first + D + c);
    group.names.push_back(body.name);
    group.weights.insert(group.weights.end(), sz(rows), 0.0);
  }
  add_group(system, Role::constraint, "rigidity", D * D, rows, std::move(group));
}

double angular_weight(const MechanismData& data) {
  return static_cast<double>(1 / (data.length_scale() * data.length_scale()));
}

void add_joints(const MechanismData& data, Assembly& assembly) {
  const double angular = angular_weight(data);
  std::map<std::pair<int, int>, Group> groups;  // by degree and number of coordinates
  for (const JointRecord& joint : data.joints) {
    assembly.first.push_back(static_cast<int>(assembly.rows.size()));
    joint.rows(data, assembly.rows);
    const int first = assembly.first.back(), count = static_cast<int>(assembly.rows.size()) - first;
    for (int r = 0; r < count; ++r) {
      const JointRow& row = assembly.rows[sz(first + r)];
      std::vector<int> used;
      row.g.collect(used);
      used = distinct(std::move(used));
      Group& group = groups[{row.g.degree(), static_cast<int>(used.size())}];
      group.sites.insert(group.sites.end(), used.begin(), used.end());
      group.rows.push_back(row.g);
      group.names.push_back(count == 1 ? joint.name : joint.name + "." + std::to_string(r));
      group.weights.push_back(row.angular ? angular : 1.0);
      group.owners.push_back(first + r);
    }
  }
  assembly.first.push_back(static_cast<int>(assembly.rows.size()));
  assembly.index.resize(assembly.rows.size());
  for (auto& [shape, group] : groups) {
    int row = assembly.system.constraint_count();
    for (const int owner : group.owners) assembly.index[sz(owner)] = row++;
    add_group(assembly.system, Role::constraint, "joints", shape.second, 1, std::move(group));
  }
}

void add_loads(const MechanismData& data, System& system, RigidStructure& rigid) {
  std::vector<Load> loads;
  std::vector<LinearForce> dampers;
  std::map<std::string, bool> turning;  // whether a servo exerts a torque
  for (const LoadRecord& record : data.loads) {
    const std::size_t before = loads.size();
    if (record.loads) record.loads(data, loads, dampers);
    for (std::size_t i = before; i < loads.size(); ++i) {
      loads[i].name = record.name;
      loads[i].plain = !record.plain.empty();
    }
    const bool turns = record.places.empty() || data.coordinate(record.places[0]).kind == RigidCoordinate::Kind::angle;
    turning[record.name] = turns;
    if (record.drives) rigid.motors.push_back({record.name, turns, nullptr, 0, system.constraint_count()});
    if (record.torque) rigid.motors.push_back({.name = record.name, .f = *record.torque});
    if (record.terms) record.terms(data, record.name, system);
    rigid.loads.insert(rigid.loads.end(), record.plain.begin(), record.plain.end());
    if (record.strut) rigid.struts.push_back(*record.strut);
  }

  struct LoadGroup {
    std::vector<int> sites;
    std::vector<const Load*> loads;
  };
  std::map<std::pair<int, int>, LoadGroup> groups;  // by law and number of coordinates
  for (const Load& load : loads) {
    std::vector<int> used;
    for (const Quadratic& u : load.u) u.collect(used);
    used = distinct(std::move(used));
    LoadGroup& group = groups[{load.law, static_cast<int>(used.size())}];
    group.sites.insert(group.sites.end(), used.begin(), used.end());
    group.loads.push_back(&load);
  }
  for (const auto& [shape, group] : groups) {
    auto term = load_laws()[sz(shape.first)].term(shape.second, group.sites, group.loads);
    if (std::all_of(group.loads.begin(), group.loads.end(), [](const Load* load) { return load->plain; }))
      rigid.described.push_back(term);
    if (shape.first == load::law<load::Servo> || shape.first == load::law<load::Pid>)
      for (std::size_t site = 0; site < group.loads.size(); ++site)
        rigid.motors.push_back(
            {group.loads[site]->name, turning.at(group.loads[site]->name), term, static_cast<int>(site)});
    system.add_term(std::move(term));
  }

  std::map<int, Group> by_size;
  for (const LinearForce& force : dampers) {
    if (force.coordinates.empty()) continue;
    Group& group = by_size[static_cast<int>(force.coordinates.size())];
    group.sites.insert(group.sites.end(), force.coordinates.begin(), force.coordinates.end());
    group.rows.insert(group.rows.end(), force.rows.begin(), force.rows.end());
  }
  for (auto& [size, group] : by_size) add_group(system, Role::force, "damper", size, size, std::move(group));
}

// Every momentum decays at the rate c: F = -c M v.
void add_damping(const MechanismData& data, System& system) {
  const int D = data.dimension();
  Group group;
  for (const BodyRecord& body : data.bodies)
    for (int i = 0; body.damping != quad(0) && i <= (body.rigid ? D : 0); ++i) {
      const quad inertia = i == 0 ? body.mass : body.euler[sz(i - 1)];
      for (int k = 0; inertia != quad(0) && k < D; ++k) {
        const int index = body.first + D * i + k;
        group.sites.push_back(index);
        group.rows.push_back(Quadratic(-body.damping * inertia) * Quadratic::variable(index));
      }
    }
  add_group(system, Role::force, "damping", 1, 1, std::move(group));
}

// The same once more, for bodies that are known by their rotation.
std::shared_ptr<RigidStructure> structure(const MechanismData& data, const Assembly& assembly) {
  auto rigid = std::make_shared<RigidStructure>();
  rigid->dimension = data.dimension();
  rigid->gravity = data.gravity;
  for (const BodyRecord& body : data.bodies) {
    const Triple& E = body.euler;
    rigid->bodies.push_back(
        {body.name,
         body.first,
         body.rigid,
         body.mass,
         {E[1] + E[2], E[2] + E[0], E[0] + E[1]},
         body.damping,
         inward(body.axes, quad(-1) * body.centre),
         {inward(body.axes, no_rotation[0]), inward(body.axes, no_rotation[1]), inward(body.axes, no_rotation[2])}});
  }
  rigid->rods = data.rods;
  for (const auto& [name, drive] : data.drives) {
    rigid->drives.push_back(drive);
    rigid->drives.back().frame = data.bodies[sz(drive.body)].directors;
  }
  const double angular = angular_weight(data);
  for (std::size_t j = 0; j < data.joints.size(); ++j) {
    const JointRecord& record = data.joints[j];
    RigidJoint joint{record.name, record.type, record.place, record.a, record.b, record.axis, {}, {}, {}};
    for (int r = assembly.first[j]; r < assembly.first[j + 1]; ++r) {
      joint.rows.push_back(assembly.rows[sz(r)].shape);
      joint.index.push_back(assembly.index[sz(r)]);
      joint.weights.push_back(assembly.rows[sz(r)].angular ? angular : 1.0);
    }
    joint.coordinates = coordinates_of(data, record);
    rigid->joints.push_back(std::move(joint));
  }
  return rigid;
}

}  // namespace

std::shared_ptr<const Assembly> assemble(const MechanismData& data) {
  auto assembly = std::make_shared<Assembly>();
  System& system = assembly->system = System(data.name);
  name_coordinates(data, system);
  name_own_coordinates(data, system);
  name_memories(data, system);
  add_energies(data, system);
  add_rigidity(data, system);
  add_joints(data, *assembly);
  add_damping(data, system);
  add_rods(data, system);
  add_drives(data, system);
  auto rigid = structure(data, *assembly);
  rigid->described = system.terms();
  add_own_coordinates(data, system);
  add_loads(data, system, *rigid);
  add_symmetries(data, *assembly);
  system.describe(std::move(rigid));
  return assembly;
}

namespace {

Start placed_start(const MechanismData& data, const Number& t) {
  Start start;
  start.t = t;
  // 0 has no sign here.
  const auto put = [](std::vector<Number>& list, quad x) { list.push_back(Number::exactly(x == quad(0) ? 0 : x)); };
  const auto D = sz(data.dimension());
  for (const BodyRecord& body : data.bodies) {
    for (std::size_t k = 0; k < D; ++k) {
      put(start.q, body.position[k]);
      put(start.v, body.velocity[k]);
    }
    if (!body.rigid) continue;
    for (std::size_t i = 0; i < D; ++i) {
      const Triple rate = cross(body.angular_velocity, body.directors[i]);
      for (std::size_t k = 0; k < D; ++k) {
        put(start.q, body.directors[i][k]);
        put(start.v, rate[k]);
      }
    }
  }
  start_own_coordinates(data, start);
  start_memories(data, start);
  start.slack = data.slack ? *data.slack : Number::exactly(data.length_scale() / 10);
  return start;
}

}  // namespace

Start assemble_start(const MechanismData& data, const Number& t) {
  const Start start = placed_start(data, t);
  return data.follow_loops(start) ? placed_start(data, t) : start;
}

}  // namespace extremal
