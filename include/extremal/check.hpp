// Laws: properties of (System, Scheme), measured, with the floor that round-off sets.
//
//   Certificate c = check(pendulum, Scheme::named("spark(3)"), {.q = {"0.6", "-0.8"}, .v = {"1.6", "1.2"}});
//   std::cout << c.text();          // each law, the defect, the floor, holds or not
//   if (!c.holds()) ...             // a declared law failed
//
//   Law one = law::symplecticity(pendulum, Scheme::named("man(LGG,2)"), start, {.step = "0.05"});
//   one.measured                    // "no: 1.3e-04 ~ h^3.0"
//
// The step map F_h takes (q0, p0) to (q1, p1). With Omega = dq ^ dp on the constraint manifold
// {g = 0, G v + g_t = 0} and e(h) the error at a fixed time,
//   order            e(h) ~ h^r, the slope r of log e over log h within 0.25, where it has settled: the step is halved
//                    until successive slopes agree, at most nine times; otherwise the order is not measurable
//   symplecticity    F_h^* Omega = Omega
//   reversibility    F_{-h} o F_h = id          adjointness   F*_{-h} o F_h = id
//   Noether          p . a(q) is constant for every linear symmetry a of L and g
//   constraints      g = 0 and G v + g_t = 0 at every node
//   energy           its mean does not drift, and its error stays below half of what T and V vary by
//   action           |L_d - L_d^E| ~ h^{r+1} along exact solutions [LewMata2016, eq. 76]
//   derivatives      of the user's terms: analytic, automatic and finite differences agree
// A scheme is held to what it declares: a law that is not declared is measured and reported all the same
// ("not symplectic", with the size and the order of the defect), but does not make the certificate fail.
#pragma once

#include <string>
#include <vector>

#include "extremal/control.hpp"
#include "extremal/run.hpp"

namespace extremal {

struct Law {
  std::string name{};      // "order of q", "symplecticity", "reversibility", ...
  std::string declared{};  // what the scheme says: "6", "yes", "no", "-"
  std::string measured{};  // what was found, in words: "5.98", "yes", "no: 1.3e-07 ~ h^5.0"
  double defect = 0;       // the number behind it
  double floor = 0;        // what round-off alone would give; or the tolerance on a slope
  bool holds = false;      // the measurement agrees with the declaration
  bool measurable = true;  // if not, the law neither holds nor fails: `measured` says what was in the way
  bool fails() const { return measurable && !holds; }
};

struct Certificate {
  std::string model, scheme, precision;
  std::vector<Law> laws;
  std::vector<std::string> notes = {};  // what a scheme costs on such a system, and no law measures
  bool holds() const;                   // no law fails
  std::string text() const;
};

struct CheckOptions {
  Number step = "0.1";    // of the user's runs; where the order is measured it is halved and doubled as needed
  int long_steps = 2000;  // steps of the long run behind the energy, momentum and constraint laws
  Number long_step = 0;   // of that run; 0: `step`
  bool uneven = false;    // the user's steps differ in length: what needs equal ones is not measurable
  Control control = {};
};

// All laws, in a few seconds. Measured in quad precision where double cannot see it; long runs in double. Throws
// InputError if the start is not consistent or the scheme cannot carry the system.
Certificate check(const System& system, const Scheme& scheme, const Start& start, const CheckOptions& options = {});

// The laws one by one, for a system of your own.
namespace law {

// Order of q, p and, with constraints, lambda.
std::vector<Law> order(const System& system, const Scheme& scheme, const Start& start,
                       const CheckOptions& options = {});
// phase_space only: the order inside the step, that of the constraint force, and the energy-like balance, which is an
// identity of one step that holds where the rule is exact (reported, never fails). Nothing for other schemes.
std::vector<Law> inside(const System& system, const Scheme& scheme, const Start& start,
                        const CheckOptions& options = {});
// lie with a rule at the ends only: the step is that of the member with the same rule on directors. Nothing for other
// schemes.
std::vector<Law> on_directors(const System& system, const Scheme& scheme, const Start& start,
                              const CheckOptions& options = {});
Law symplecticity(const System& system, const Scheme& scheme, const Start& start, const CheckOptions& options = {});
Law reversibility(const System& system, const Scheme& scheme, const Start& start, const CheckOptions& options = {});
Law adjointness(const System& system, const Scheme& scheme, const Start& start, const CheckOptions& options = {});
// One law per symmetry of the system. Says so where L or g is not invariant, or where the symmetry is not linear:
// the motions of a step are polynomials, which only affine maps take to polynomials of the same degree.
std::vector<Law> noether(const System& system, const Scheme& scheme, const Start& start,
                         const CheckOptions& options = {});
// g and, where the closure promises it, G v + g_t; nothing without constraints.
std::vector<Law> constraints(const System& system, const Scheme& scheme, const Start& start,
                             const CheckOptions& options = {});
Law energy(const System& system, const Scheme& scheme, const Start& start, const CheckOptions& options = {});
// How much steadier the modified energy is than the energy; never fails.
Law modified_energy(const System& system, const Scheme& scheme, const Start& start, const CheckOptions& options = {});
Law variational_order(const System& system, const Scheme& scheme, const Start& start, const CheckOptions& options = {});
// One law per term, at random points near `start`; no scheme is needed.
std::vector<Law> derivatives(const System& system, const Start& start);

}  // namespace law

// The modified energy H~ along a computed motion. The nodes of a symplectic scheme lie on a motion of a nearby
// H~, whose action between two nodes is the discrete action, dA/dt = p . q' - H~. Hence, with d the central
// difference over `reach` steps to either side,
//   H~ = (p . dq - q . dp) / 2 + d(p . q / 2 - A) + O(h^{2 reach}),
// written so that it is an exact invariant of every linear system: for the rectangle scheme on the oscillator
// it is (p^2 + 10 x^2 - 10 h x p) / 2 times a constant [LewMata2016, figs. 15 and 16]. Needs 2 reach + 1 states
// or more and the action of every step between them; returns one value for each state but `reach` at either end.
template <class S>
std::vector<S> modified_energy(const std::vector<State<S>>& states, const std::vector<S>& actions, S step, int reach);

extern template std::vector<double> modified_energy(const std::vector<State<double>>&, const std::vector<double>&,
                                                    double, int);
extern template std::vector<quad> modified_energy(const std::vector<State<quad>>&, const std::vector<quad>&, quad, int);

}  // namespace extremal
