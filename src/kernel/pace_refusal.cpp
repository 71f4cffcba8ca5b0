// What a pace cannot carry, with the reason.
#include "extremal/error.hpp"
#include "kernel/pace_engine.hpp"
#include "scheme/family.hpp"

namespace extremal {

void refuse_unpaced(const System& system, const Scheme& scheme, Pace pace) {
  const Declared& declared = scheme.declared;
  const std::string where = "pace: " + scheme.name;
  const bool constrained = system.constraint_count() > 0;
  if (pace == Pace::reversible) {
    if (declared.symmetry == Symmetry::none || (constrained && declared.symmetry != Symmetry::full))
      throw InputError(where + " is not symmetric" +
                       (constrained && declared.symmetry != Symmetry::none ? " in p" : "") +
                       ", which a reversible pace needs; try spark(2)");
    return;
  }
  if (on_rotations(scheme))
    throw InputError(where +
                     " turns bodies by rotations, of which a paced system knows nothing; try spark(2), or the "
                     "reversible pace");
  if (declared.multiplier == EndMultiplier::late && constrained)
    throw InputError(where +
                     " carries half of a multiplier from step to step, which has another rate there; try rattle, "
                     "or the reversible pace");
  if (declared.needs.constant_mass)
    throw InputError(where +
                     " needs a constant mass matrix, and that of a paced system is M / s(q); try rattle, or the "
                     "reversible pace");
  if (system.has_slow())
    throw InputError(
        "pace: " + system.name() +
        ": found slow potentials; a symplectic pace has none of its own for them; try the reversible pace");
}

}  // namespace extremal
