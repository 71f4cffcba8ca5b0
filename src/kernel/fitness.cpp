#include "kernel/fitness.hpp"

#include <fmt/format.h>

#include "extremal/error.hpp"
#include "scheme/family.hpp"

namespace extremal {

namespace {

void refuse_variable_mass(const System& system, const Scheme& scheme) {
  for (const auto& term : system.terms()) {
    const DegreeBound& d = term->degree;
    if (term->role == Role::force || !term->velocity() || d.v == 0 || (d.q == 0 && d.t == 0 && d.v <= 2)) continue;
    throw InputError(system.name() + ": its mass depends on " +
                     (d.q > 0   ? "q"
                      : d.t > 0 ? "t"
                                : "v") +
                     " (term \"" + term->name + "\"); " + scheme.name +
                     " needs a constant mass matrix; try rattle or livens(2)" +
                     (term->role == Role::lagrangian ? ", or give kinetic and potential as terms of their own" : ""));
  }
}

void refuse_higher_constraints(const System& system, const Scheme& scheme) {
  for (const auto& term : system.terms()) {
    if (term->role != Role::constraint || (term->degree.q <= 2 && !term->uses_time)) continue;
    throw InputError(system.name() + ": its constraint \"" + term->name + "\" " +
                     (term->uses_time ? "depends on t" : "is not quadratic in q") + "; " + scheme.name +
                     " needs constraints of degree two at most that do not depend on t, of which the midpoint "
                     "derivative of G v is exact; try energy_momentum");
  }
}

// Its matrices are dense: of a few thousand coordinates they fill the memory, and a step takes hours.
void refuse_dense(const System& system, const Scheme& scheme) {
  for (const Substep& sub : scheme.substeps()) refuse_dense(system, sub.scheme);
  constexpr double gigabyte = 1e9;
  const DenseRows dense = dense_matrix(scheme);
  const double rows = dense.per_coordinate * system.size() + dense.per_constraint * system.constraint_count();
  const double size = 8 * rows * rows / gigabyte;
  if (size > 1)
    throw InputError(
        fmt::format("{}: {} coordinates; {} has a dense matrix, of {:.3g} GB here; expected at most 1 GB; "
                    "try rattle or spark(2), whose matrices are sparse",
                    system.name(), system.size(), scheme.name, size));
}

}  // namespace

void refuse_unfit(const System& system, const Scheme& scheme) {
  if (system.size() == 0) throw InputError(system.name() + ": has no coordinates; expected at least one");
  if (system.constraint_count() > 0 && !scheme.composed() && scheme.declared.order.q == 0)
    throw InputError(system.name() + ": has constraints; " + scheme.name +
                     " is for systems without; try continuity=q_left and gauss(k + 1), as in phase_space(2)");
  refuse_dense(system, scheme);
  const bool lagrangian = system.has(Role::kinetic) || system.has(Role::lagrangian);
  const Needs& needs = scheme.declared.needs;
  if (system.has(Role::hamiltonian)) {
    if (needs.lagrangian)
      throw InputError(system.name() + ": is given by a Hamiltonian; " + scheme.name +
                       " needs kinetic and potential terms or a Lagrangian; try phase_space(2)");
    if (lagrangian || system.has(Role::potential))
      throw InputError(system.name() +
                       ": mixes a Hamiltonian with other energies; expected all of the energy in the Hamiltonian, or "
                       "kinetic and potential terms");
    return;
  }
  if (!system.has(Role::kinetic) && !system.has(Role::lagrangian))
    throw InputError(system.name() + ": has no kinetic term and no Lagrangian; expected one that depends on v");
  if (needs.constant_mass) refuse_variable_mass(system, scheme);
  if (needs.quadratic) refuse_higher_constraints(system, scheme);
  if (needs.bodies) throw InputError(scheme.name + ": composes lie members with others; expected lie members only");
}

}  // namespace extremal
