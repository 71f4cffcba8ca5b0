// A system in fictitious time with the start of its motion.
#include "extremal/error.hpp"
#include "extremal/pace.hpp"
#include "extremal/stepper.hpp"
#include "system/energy_rate.hpp"

namespace extremal {

// In quad, so that E0 is exact at every scalar. Any member carries the Legendre transform.
Paced paced(const System& system, const Rate& rate, const Start& start) {
  if (!start.next.empty())
    throw InputError("start: found two positions; expected q and v, or q and p, for a run that is paced");
  Stepper<quad> stepper(system, Scheme::named(system.has(Role::hamiltonian) ? "phase_space(2)" : "rattle"));
  stepper.start(start);
  const State<quad>& state = stepper.state();
  const Observation<quad> seen = stepper.observe();
  Rate own = rate;
  if (own == nullptr) own = energy_rate(system, seen.kinetic, state.q);
  Paced out{paced(system, own, Number::exactly(seen.energy())), {.slack = start.slack}};
  for (const quad& x : state.q) out.start.q.push_back(Number::exactly(x));
  for (const quad& x : state.p) out.start.p.push_back(Number::exactly(x));
  out.start.q.push_back(Number::exactly(state.t / quad(clock_unit)));
  out.start.p.emplace_back(0);
  return out;
}

}  // namespace extremal
