// Rotations against directors: a step of a lie member is that of the hamilton member with the same rule and RATTLE's
// closure [LewMata2016, section 4.1], which knows nothing of rotations and takes the forces from the terms themselves.
// So the equations of motion are the right ones, whatever the reference of the orders is. The midpoint rule has another
// kinetic energy between two rotations than between two sets of directors.
#include "check/probe.hpp"
#include "scheme/family.hpp"

namespace extremal::laws {

std::vector<Law> on_directors(Probe& probe) {
  if (probe.scheme.composed() || !same_on_directors(probe.scheme)) return {};
  const Scheme directors = on_directors(probe.scheme);
  Law law{.name = "same step on directors", .declared = "yes"};
  try {
    const State<quad> from = probe.inside();
    Stepper<quad> one = probe.stepper(probe.scheme, from), other = probe.stepper(directors, from);
    advance(one, probe.h);
    advance(other, probe.h);
    const Floor lost = probe.floor(from, probe.h);
    const quad q = distance(one.state().q, other.state().q), p = distance(one.state().p, other.state().p);
    // Two steps, each with its own round-off, and what the forces make of it: h K dq, where h^2 K < 4 M.
    const quad q_floor = quad(2) * lost.q, p_floor = quad(8) * lost.p;
    const bool by_q = q * p_floor > p * q_floor;
    law.defect = static_cast<double>(by_q ? q : p);
    law.floor = static_cast<double>(by_q ? q_floor : p_floor);
    law.holds = law.defect <= law.floor;
    law.measured = law.holds ? "yes" : "no: " + scientific(law.defect);
  } catch (const StepFailure& failure) {
    law.measured = "no: " + failure.reason;
  }
  return {law};
}

}  // namespace extremal::laws
