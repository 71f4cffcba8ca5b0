#include <algorithm>

#include "extremal/error.hpp"
#include "extremal/pace.hpp"
#include "numbers/index.hpp"
#include "system/paced_term.hpp"

namespace extremal {
namespace {

constexpr int most_rate_coordinates = 64;

void refuse_pace(const System& system, const Rate& rate) {
  const std::string where = "pace: " + system.name() + ": ";
  if (rate->role != Role::potential || rate->row_count != 1 || rate->site_count() != 1)
    throw InputError(where +
                     "found a rate that is no function of one site; expected one of coordinates and parameters");
  if (rate->uses_time)
    throw InputError(where + "found a rate that depends on t; expected one of coordinates and parameters");
  for (const int i : rate->sites)
    if (i < 0 || i >= system.size())
      throw InputError(where + "the rate names a coordinate of another system; expected coordinates of this one");
  for (const auto& term : system.terms()) {
    if (term->role == Role::force)
      throw InputError(where + "found the force \"" + term->name +
                       "\": its energy is no constant, and a symplectic pace needs it; try the reversible pace");
    if (term->uses_time && term->role != Role::symmetry)
      throw InputError(where + "the term \"" + term->name +
                       "\" depends on t: its energy is no constant, and a symplectic pace needs it; try the reversible "
                       "pace");
  }
  if (rate->coordinates > most_rate_coordinates)
    throw InputError(where + "found a rate of " + std::to_string(rate->coordinates) +
                     " coordinates, with which every term is coupled; expected " +
                     std::to_string(most_rate_coordinates) + " at most; try the reversible pace");
}

}  // namespace

const char* name(Pace pace) {
  return pace == Pace::symplectic ? "symplectic" : pace == Pace::reversible ? "reversible" : "none";
}

System paced(const System& system, const Rate& rate, const Number& energy) {
  refuse_pace(system, rate);
  System out(system.name());
  // In the groups that they had: large systems are solved by them.
  std::vector<std::string> group;
  for (int k = 0; k < system.size(); ++k) {
    group.push_back(system.coordinate_names()[sz(k)]);
    if (k + 1 == system.size() || system.groups()[sz(k + 1)] != system.groups()[sz(k)]) {
      out.coordinates(group);
      group.clear();
    }
  }
  out.coordinates(std::vector<std::string>{"clock"});
  for (std::size_t k = 0; k < system.parameter_names().size(); ++k)
    out.parameter(system.parameter_names()[k], system.parameters()[k]);
  // First, so that a rate that is not positive is found by its own name.
  out.add_term(clock_term(system.has(Role::hamiltonian) ? Role::hamiltonian : Role::lagrangian, rate, system.size()));
  // E0 goes with the first potential, s (V - E0); or with the first of what there is.
  const Role with_energy = system.has(Role::potential)     ? Role::potential
                           : system.has(Role::hamiltonian) ? Role::hamiltonian
                           : system.has(Role::lagrangian)  ? Role::lagrangian
                                                           : Role::kinetic;
  bool given = false;
  for (const auto& term : system.terms()) {
    if (term->role == Role::constraint || term->role == Role::symmetry) {
      out.add_term(term);
      continue;
    }
    quad share(0);
    if (term->role == with_energy && !given) {
      share = energy.as<quad>();
      if (term->role == Role::potential || term->role == Role::hamiltonian) share = -share;
      given = true;
    }
    for (auto& one : paced_terms(term, rate, share)) out.add_term(std::move(one));
  }
  return out;
}

}  // namespace extremal
