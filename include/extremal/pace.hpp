// Pace: steps of different length that keep the structure – a system in fictitious time tau, dt/dtau = s(q) > 0.
//
//   auto s = rate(ball, [](auto q) { return sqrt(q[0] * q[0] + q[1] * q[1]); });   // short steps close to the centre
//   auto run = extremal::run(kepler, "spark(3)", start,
//                            {.step = 0.05, .until = 100, .pace = Pace::symplectic, .rate = s});
//
// symplectic: the Lagrangian of the system in tau, with a clock u = t / unit as one more coordinate,
//   s (L(q, q'/s) + E0) + (u' - s / unit)^2 / 2,     K = s (H(q, p) - E0) + s p_u / unit + p_u^2 / 2,
// E0 the energy of the start. p_u stays 0, so that u' = s / unit; on the energy of the start the motion is that of the
// system, and g(q) = 0 is what it was. Every scheme that carries a mass which depends on q takes equal steps of
// tau, symplectic where it is [HairerLubichWanner2006, section VIII.2.1]. Time, forces and damping have no E0 and are
// refused.
//
// reversible: steps h = eps / rho of the system as it is, rho += eps G with G = -d ln s / dt, half of it before and
// half after the step [HairerSoederlind2005]. Any symmetric scheme stays reversible, and carries all that it carries
// with equal steps; it is not symplectic any more.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "extremal/expression.hpp"
#include "extremal/start.hpp"
#include "extremal/system.hpp"

namespace extremal {

enum class Pace { none, symplectic, reversible };
const char* name(Pace pace);

// s: a function of q and parameters, as a potential has them. Positive wherever the motion goes.
using Rate = std::shared_ptr<const Term>;
template <int N, class F, class... P>
Rate rate(const Coordinates<N>& site, F f, P... parameters) {
  return Rate(new FunctionTerm<Role::potential, N, F, P...>(
      "rate", std::move(f), std::vector<int>(site.index.begin(), site.index.end()), parameters...));
}
// Of the coordinates of `site`, as 0, 1, ... of the Symbols.
Rate rate(const System& system, const Expression& s, const std::vector<int>& site);

// What the clock's coordinate is multiplied with to be t. It is large, so that the clock is never the largest
// coordinate, by which steps are judged; and a power of two.
inline constexpr double clock_unit = 1073741824;

// The system in tau: its coordinates and then "clock", its constraints and symmetries as they are. The energy is E0.
// InputError with the reason if it has none.
System paced(const System& system, const Rate& rate, const Number& energy);

// The same with E0 of a start, and this start: q and the clock, p and 0, at tau = 0.
struct Paced {
  System system;
  Start start;
};
// Without a rate: the built-in one, of the energies.
Paced paced(const System& system, const Rate& rate, const Start& start);

}  // namespace extremal
