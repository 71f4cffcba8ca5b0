// Laws by the joint's name, against its coordinate, which they make one of the system: rows of the table of loads.
//
// What they act on is known when the mechanism is assembled.
#include <algorithm>

#include "bodies/joint_terms.hpp"
#include "bodies/load_laws.hpp"
#include "bodies/load_request.hpp"

namespace extremal {
namespace {

using JointLoads = std::vector<Load>;
using JointForces = std::vector<LinearForce>;

JointPlace told_place(const LoadRequest& r) { return r.data.joint_place(r.what, r.given.joint); }

LinearForce against(int coordinate, quad c) {
  return {{coordinate}, {Quadratic(-c) * Quadratic::variable(coordinate)}};
}

LoadRecord joint_spring(const LoadRequest& r) {
  const JointPlace place = told_place(r);
  const quad k = r.not_negative("stiffness", r.given.stiffness), rest = r.given.rest.as<quad>();
  const quad c = r.not_negative("damping", r.given.damping);
  return {.loads =
              [=](const MechanismData& d, JointLoads& loads, JointForces& forces) {
                const int at = d.own_index(place);
                loads.push_back({load::law<load::JointSpring>, {Quadratic::variable(at)}, {k, rest}, {}});
                if (c != quad(0)) forces.push_back(against(at, c));
              },
          .places = {place}};
}

LoadRecord joint_damper(const LoadRequest& r) {
  const JointPlace place = told_place(r);
  const quad c = r.not_negative("damping", r.given.damping);
  return {.loads = [=](const MechanismData& d, JointLoads&,
                       JointForces& forces) { forces.push_back(against(d.own_index(place), c)); },
          .places = {place}};
}

LoadRecord joint_friction(const LoadRequest& r) {
  const JointPlace place = told_place(r);
  const quad f = r.not_negative("friction", r.given.friction), c = r.not_negative("damping", r.given.damping);
  const quad creep = r.given.creep.as<quad>();
  if (!(creep > 0)) r.data.refuse(r.what, "creep " + r.given.creep.text() + "; expected a positive rate");
  return {.loads =
              [=](const MechanismData& d, JointLoads& loads, JointForces&) {
                const Quadratic at = Quadratic::variable(d.own_index(place));
                loads.push_back({load::law<load::JointFriction>, {at}, {f, creep, c}, {}});
              },
          .places = {place}};
}

LoadRecord joint_limit(const LoadRequest& r) {
  const JointPlace place = told_place(r);
  const quad k = r.not_negative("stiffness", r.given.stiffness), c = r.not_negative("damping", r.given.damping);
  struct Stop {
    quad at, side;  // beyond it: side (x - at) > 0
  };
  std::vector<Stop> stops;
  for (const auto& [list, side] : {std::pair{&r.given.lower, -1}, {&r.given.upper, 1}}) {
    if (list->list().size() > 1) r.data.refuse(r.what, "several limits on one side; expected one");
    if (!list->empty()) stops.push_back({list->list()[0].as<quad>(), quad(side)});
  }
  if (stops.empty()) r.data.refuse(r.what, "neither lower nor upper; expected one of them, or both");
  if (stops.size() == 2 && !(stops[0].at < stops[1].at))
    r.data.refuse(r.what, "lower " + r.given.lower.list()[0].text() + " and upper " + r.given.upper.list()[0].text() +
                              "; expected the lower below the upper");
  return {.loads =
              [=](const MechanismData& d, JointLoads& loads, JointForces&) {
                const Quadratic x = Quadratic::variable(d.own_index(place));
                for (const Stop& stop : stops) {
                  loads.push_back({load::law<load::JointStop>, {x}, {k, stop.at, stop.side}, {}});
                  if (c != quad(0)) loads.push_back({load::law<load::StopDamper>, {x}, {k, stop.at, stop.side, c}, {}});
                }
              },
          .places = {place}};
}

LoadRecord servo(const LoadRequest& r) {
  const JointPlace place = told_place(r);
  const quad k = r.not_negative("stiffness", r.given.stiffness), c = r.not_negative("damping", r.given.damping);
  const quad i = r.not_negative("integral", r.given.integral);
  LoadRecord record{.places = {place}};
  record.loads = [=, f = r.given.target, name = r.name](const MechanismData& d, JointLoads& loads, JointForces&) {
    const Quadratic x = Quadratic::variable(d.own_index(place));
    if (i == quad(0))
      loads.push_back({load::law<load::Servo>, {x}, {k, c}, f});
    else
      loads.push_back({load::law<load::Pid>, {x, Quadratic::variable(d.memory_index(name))}, {k, c, i}, f});
  };
  if (i == quad(0)) return record;
  record.memory = Remembered{place, r.given.target};
  record.terms = [=, f = r.given.target](const MechanismData& d, const std::string& name, System& system) {
    system.add_term(memory_term(name + ".integral", d.memory_index(name), d.own_index(place), f));
  };
  return record;
}

LoadRecord gear(const LoadRequest& r) {
  const JointPlace place = told_place(r), other = r.data.joint_place(r.what, r.given.follows);
  if (place == other) r.data.refuse(r.what, "a joint that follows itself; expected two coordinates");
  const quad ratio = r.given.ratio.as<quad>(), offset = r.given.offset.as<quad>();
  if (ratio == quad(0)) r.data.refuse(r.what, "ratio 0; expected another, or a fixed joint");
  return {
      .places = {place, other}, .terms = [=](const MechanismData& d, const std::string& name, System& system) {
        const int x = d.own_index(place), y = d.own_index(other);
        const Quadratic row = Quadratic::variable(x) - Quadratic(ratio) * Quadratic::variable(y) - Quadratic(offset);
        auto term = std::make_shared<PolynomialTerm>(
            Role::constraint, "gear", 2, 1, std::vector{std::min(x, y), std::max(x, y)}, std::vector<Quadratic>{row});
        term->site_names = {name};
        system.add_term(std::move(term));
      }};
}

LoadRecord joint_drive(const LoadRequest& r) {
  const JointPlace place = told_place(r);
  return {.places = {place},
          .terms = [=, f = r.given.position](
                       const MechanismData& d, const std::string& name,
                       System& system) { system.add_term(given_motion_term(name, d.own_index(place), f)); },
          .drives = true};
}

}  // namespace

std::vector<LoadRow> joint_law_rows() {
  const LoadType::Key of = needed("joint", &LoadData::joint), damped = needed("damping", &LoadData::damping),
                      stiff = needed("stiffness", &LoadData::stiffness), damping = maybe("damping", &LoadData::damping);
  return {
      {{"joint_spring", {of, stiff, maybe("rest", &LoadData::rest), damping}}, joint_spring},
      {{"joint_damper", {of, damped}}, joint_damper},
      {{"joint_friction", {of, needed("friction", &LoadData::friction), maybe("creep", &LoadData::creep), damping}},
       joint_friction},
      {{"joint_limit", {of, stiff, maybe("lower", &LoadData::lower), maybe("upper", &LoadData::upper), damping}},
       joint_limit},
      {{"servo", {of, stiff, damping, maybe("integral", &LoadData::integral), needed("target", &LoadData::target)}},
       servo},
      {{"gear",
        {of, needed("follows", &LoadData::follows), maybe("ratio", &LoadData::ratio),
         maybe("offset", &LoadData::offset)}},
       gear},
      {{"joint_drive", {of, needed("position", &LoadData::position)}}, joint_drive},
  };
}

}  // namespace extremal
