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

namespace {

// By the name of a coordinate, if the joint has several: "stroke"; or empty.
JointPlace place_of(const MechanismData& data, const std::string& what, int joint, std::string_view which) {
  const JointRecord& record = data.joints[sz(joint)];
  const std::vector<RigidCoordinate> all = coordinates_of(data, record);
  std::vector<std::string> names;
  for (const RigidCoordinate& one : all) names.emplace_back(one.name);
  const std::string is = "joint " + quoted(record.name) + " is " + record.type->name + " and has ";
  // A rotation vector has no coordinates that go on over many turns.
  if (all.empty() || all[0].kind == RigidCoordinate::Kind::rotation)
    data.refuse(what, is + (all.empty() ? "no coordinate" : std::to_string(all.size()) + " coordinates") +
                          "; expected a revolute joint of two bodies, or a prismatic one");
  if (which.empty() && all.size() > 1)
    data.refuse(what, is + std::to_string(all.size()) + " coordinates; expected one of them; try " +
                          quoted(record.name + "." + names[0]));
  if (which.empty()) return {joint, 0};
  const auto found = std::find(names.begin(), names.end(), which);
  if (found == names.end())
    data.refuse(what, "joint " + quoted(record.name) + ": " + unknown("coordinate", std::string(which), names));
  return {joint, static_cast<int>(found - names.begin())};
}

}  // namespace

JointPlace MechanismData::joint_place(const std::string& what, std::string_view given) const {
  if (const auto found = joint_index.find(std::string(given)); found != joint_index.end())
    return place_of(*this, what, found->second, {});
  if (const std::size_t dot = given.rfind('.'); dot != std::string_view::npos)
    if (const auto found = joint_index.find(std::string(given.substr(0, dot))); found != joint_index.end())
      return place_of(*this, what, found->second, given.substr(dot + 1));
  std::vector<std::string> known;
  for (const JointRecord& each : joints) known.push_back(each.name);
  refuse(what, unknown("joint", std::string(given), known));
}

RigidCoordinate MechanismData::coordinate(const JointPlace& at) const {
  return coordinates_of(*this, joints[sz(at.joint)])[sz(at.which)];
}

std::string MechanismData::coordinate_name(const JointPlace& at) const {
  return joints[sz(at.joint)].name + "." + coordinate(at).name;
}

int MechanismData::body_coordinates() const {
  if (bodies.empty()) return 0;
  return bodies.back().first + dimension() * (bodies.back().rigid ? dimension() + 1 : 1);
}

int MechanismData::own_index(const JointPlace& at) const {
  const auto found = std::find(own.begin(), own.end(), at);
  return found == own.end() ? -1 : body_coordinates() + static_cast<int>(found - own.begin());
}

int MechanismData::memory_index(std::string_view load) const {
  int index = body_coordinates() + static_cast<int>(own.size());
  for (const LoadRecord& record : loads) {
    if (record.memory && record.name == load) return index;
    if (record.memory) ++index;
  }
  return -1;
}

void MechanismData::make_own(const JointPlace& at) {
  if (own_index(at) >= 0) return;
  own.push_back(at);
  assembled.reset();
}

void name_own_coordinates(const MechanismData& data, System& system) {
  for (const JointPlace& place : data.own) system.coordinates(data.coordinate_name(place));
}

void add_own_coordinates(const MechanismData& data, System& system) {
  std::vector<int> rotors;
  std::vector<Quadratic> energies;
  for (const JointPlace& place : data.own) {
    const JointRecord& record = data.joints[sz(place.joint)];
    const RigidCoordinate one = data.coordinate(place);
    const Quadratic phi = Quadratic::variable(data.own_index(place));
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
    rotors.push_back(data.own_index(place));
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
  std::vector<std::size_t> first;  // coordinate of the joint behind
  for (const RigidJoint& joint : data.assembly().system.rigid()->joints)
    first.push_back(first.empty() ? joint.coordinates.size() : first.back() + joint.coordinates.size());
  for (const JointPlace& place : data.own) {
    const std::size_t k = (place.joint > 0 ? first[sz(place.joint) - 1] : 0) + sz(place.which);
    start.q.push_back(Number::exactly(values[k]));
    start.v.push_back(Number::exactly(rates[k]));
  }
}

void Mechanism::own_coordinate(const std::string& joint) {
  data_->make_own(data_->joint_place("coordinate of joint " + quoted(joint), joint));
  tell_own_coordinate(*data_, joint);
}

Coordinates<1> Mechanism::coordinate(const std::string& joint) const {
  const std::string what = "coordinate of joint " + quoted(joint);
  const int index = data_->own_index(data_->joint_place(what, joint));
  if (index < 0) data_->refuse(what, "is none of the system; try own_coordinate before");
  return {{index}};
}

}  // namespace extremal
