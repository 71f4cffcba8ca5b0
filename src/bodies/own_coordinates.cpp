// Coordinates of joints that are coordinates of the system, for laws that are told by the joint's name.
//
// A term is a function of one configuration, which knows an angle but for whole turns. Where a spring, a motor or a
// formula needs it as it is over many turns, the angle phi becomes a coordinate "elbow.angle" beside the bodies', tied
// to them by the row sin(theta - phi) = s cos(phi) - c sin(phi) with the cosine and sine of the angle theta of the
// bodies: smooth everywhere, with the derivative -1 by phi. The multiplier is the torque of all that acts on phi. It
// has no inertia but that of a rotor, if the joint is told one. A stroke is tied to its polynomial.
#include <algorithm>

#include "bodies/joint_coordinates.hpp"
#include "bodies/load_laws.hpp"
#include "bodies/mechanism_data.hpp"
#include "numbers/index.hpp"
#include "words/grammar.hpp"

namespace extremal {

int MechanismData::joint_number(const std::string& what, std::string_view joint) const {
  const auto found = joint_index.find(std::string(joint));
  if (found != joint_index.end()) return found->second;
  std::vector<std::string> known;
  for (const JointRecord& each : joints) known.push_back(each.name);
  refuse(what, unknown("joint", std::string(joint), known));
}

RigidCoordinate MechanismData::only_coordinate(const std::string& what, int joint) const {
  const JointRecord& record = joints[sz(joint)];
  std::vector<RigidCoordinate> all = coordinates_of(*this, record);
  if (all.size() != 1)
    refuse(what, "joint " + quoted(record.name) + " is " + record.type->name + " and has " +
                     (all.empty() ? "no coordinate" : std::to_string(all.size()) + " coordinates") +
                     "; expected a revolute joint of two bodies, or a prismatic one");
  return all[0];
}

int MechanismData::body_coordinates() const {
  if (bodies.empty()) return 0;
  return bodies.back().first + dimension() * (bodies.back().rigid ? dimension() + 1 : 1);
}

int MechanismData::own_index(int joint) const {
  for (std::size_t k = 0; k < own.size(); ++k)
    if (own[k] == joint) return body_coordinates() + static_cast<int>(k);
  return -1;
}

void MechanismData::make_own(int joint) {
  if (own_index(joint) >= 0) return;
  own.push_back(joint);
  assembled.reset();
}

void name_own_coordinates(const MechanismData& data, System& system) {
  for (const int joint : data.own) {
    const std::string& name = data.joints[sz(joint)].name;
    system.coordinates(name + "." + data.only_coordinate("joint " + quoted(name), joint).name);
  }
}

void add_own_coordinates(const MechanismData& data, System& system) {
  std::vector<int> rotors;
  std::vector<Quadratic> energies;
  for (const int joint : data.own) {
    const JointRecord& record = data.joints[sz(joint)];
    const RigidCoordinate one = data.only_coordinate("joint " + quoted(record.name), joint);
    const Quadratic phi = Quadratic::variable(data.own_index(joint));
    std::vector<int> used;
    const auto collect = [&](const Quadratic& u) {
      u.collect(used);
      std::sort(used.begin(), used.end());
      used.erase(std::unique(used.begin(), used.end()), used.end());
      return static_cast<int>(used.size());
    };
    const std::string name = record.name + "." + one.name;
    if (one.kind == RigidCoordinate::Kind::length) {
      const Quadratic row = dot(data.vector(one.a.body, one.axis), data.point(one.b) - data.point(one.a)) - phi;
      const int count = collect(row);
      auto term = std::make_shared<PolynomialTerm>(Role::constraint, own_coordinate_term, count, 1, used,
                                                   std::vector<Quadratic>{row});
      term->site_names = {name};
      system.add_term(std::move(term));
    } else {
      const VectorField to = data.vector(one.b.body, one.b.at);
      Load tie{load::law<load::JointAngle>,
               {dot(data.vector(one.a.body, one.a.at), to), dot(data.vector(one.a.body, one.axis), to),
                phi - Quadratic(one.zero)},
               {},
               {},
               name};
      int count = 0;
      for (const Quadratic& u : tie.u) count = collect(u);
      system.add_term(load_laws()[sz(tie.law)].term(count, used, {&tie}));
    }
    if (record.armature == quad(0)) continue;
    rotors.push_back(data.own_index(joint));
    energies.push_back(Quadratic(record.armature / 2) * phi * phi);
  }
  if (!rotors.empty())
    system.add_term(std::make_shared<PolynomialTerm>(Role::kinetic, "armature", 1, 1, rotors, energies));
}

// As the bodies are placed, and move.
void start_own_coordinates(const MechanismData& data, Start& start) {
  if (data.own.empty()) return;
  std::vector<quad> q, v;
  for (const Number& x : start.q) q.push_back(x.as<quad>());
  for (const Number& x : start.v) v.push_back(x.as<quad>());
  const JointCoordinates<quad> joints(*data.assembly().system.rigid());
  std::vector<quad> values(joints.count()), rates(joints.count());
  joints.at(q.data(), v.data(), values.data(), rates.data());
  for (const int joint : data.own)
    for (std::size_t k = 0; k < joints.count(); ++k)
      if (joints.infos()[k].joint == data.joints[sz(joint)].name) {
        start.q.push_back(Number::exactly(values[k]));
        start.v.push_back(Number::exactly(rates[k]));
      }
}

void Mechanism::own_coordinate(const std::string& joint) {
  const std::string what = "coordinate of joint " + quoted(joint);
  const int index = data_->joint_number(what, joint);
  data_->only_coordinate(what, index);
  data_->make_own(index);
}

Coordinates<1> Mechanism::coordinate(const std::string& joint) const {
  const std::string what = "coordinate of joint " + quoted(joint);
  const int index = data_->own_index(data_->joint_number(what, joint));
  if (index < 0) data_->refuse(what, "is none of the system; try own_coordinate before");
  return {{index}};
}

}  // namespace extremal
