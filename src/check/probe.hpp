// Probe: what the laws share when they look at one (System, Scheme, Start) – the consistent start in quad, the
// exact solution, the long run in double, and the size of round-off.
//
// Floors. A step is solved until the corrections of its positions are round-off, delta q = C eps |q|, and its
// momenta are sums of L_v = O(M q / h) over stages, so that one step leaves, for degree s and smallest substep h,
//   q: C eps |q|      p: C eps (|p| + s^2 M |q| / h)      lambda: (error of p) s^2 / (h |G|).
// s^2 bounds the slopes of the basis on [0, 1]. C = 4: the last correction of Newton's method is at most two units,
// and so is the rounding of the sums. Every law says how many steps it adds up.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/algebra.hpp"
#include "extremal/check.hpp"
#include "system/evaluation.hpp"
#include "system/hamiltonian.hpp"

namespace extremal::laws {

inline constexpr int headroom = 4;
// Round-off of a term or one of its derivatives, in units of the largest intermediate result: a user's function is a
// few dozen operations.
inline constexpr int operations = 64;

// Ends a law, never leaves check(): a step was not solved.
struct StepFailure {
  std::string reason;
};

struct Floor {
  quad q = 0, p = 0, lambda = 0;
};

// q, p and lambda at one node.
struct Sample {
  Vector q, p, lambda;
};

class Probe {
 public:
  Probe(const System& system, const Scheme& scheme, const Start& start, const CheckOptions& options);

  const System system;
  const Scheme scheme;
  const Start start;
  const CheckOptions options;
  const int n, m;
  const quad h;
  State<quad> initial;
  Evaluation<quad> evaluation;

  bool constrained() const { return m > 0; }
  bool hamiltonian() const { return system.has(Role::hamiltonian); }  // given by H, not by L
  bool forced() const { return system.has(Role::force); }
  bool timed() const { return timed_; }  // some term depends on t
  // L is quadratic: most rules are exact for it, and schemes may be better on this system than they are.
  bool quadratic() const { return quadratic_; }
  bool variational() const;   // p is the momentum without the node's own multiplier
  bool meets_hidden() const;  // momenta at the nodes have G v + g_t = 0
  bool symplectic() const { return constrained() ? scheme.declared.symplectic : scheme.declared.symplectic_free; }
  bool on_manifold() const { return !constrained() || scheme.declared.on_manifold; }
  Symmetry symmetry() const;
  Order order() const;

  // A stepper of `scheme` at a state; and one at a state inside the motion, since starts are often special.
  Stepper<quad> stepper(const Scheme& of, const State<quad>& at) const;
  State<quad> inside();

  // What one step of size h starting at `state` may lose.
  Floor floor(const State<quad>& state, quad step);
  Vector velocity(const State<quad>& state);  // with G v + g_t = 0
  Matrix mass(const State<quad>& state, const Vector& v);
  Matrix jacobian(const State<quad>& state);

  // The four nodes T/4, T/2, 3T/4, T of a motion of the given number of steps (a multiple of 4).
  std::vector<Sample> follow(const Scheme& of, quad span, int steps);
  // With another rule for L than the scheme has.
  Scheme reference_scheme() const;
  const std::vector<Sample>& reference(quad span);

  const Run<double>& long_run();         // of options.long_steps steps, every one of them in its columns
  Run<double> run_for(long long steps);  // with the ends only
  double long_time() const;

 private:
  // Any member carries the Legendre transform; a projected one leaves out what p has across the constraints.
  Stepper<quad> legendre_;
  bool timed_ = false, quadratic_ = true;
  std::optional<State<quad>> inside_;
  quad reference_span_ = 0;
  std::vector<Sample> reference_;
  std::unique_ptr<Run<double>> long_run_;
};

void advance(Stepper<quad>& stepper, quad step, int steps = 1);

// A member of order at least six above `order`, which the system can bear.
Scheme reference_scheme(const System& system, int order, RuleKind rule);

// The laws on a Probe; the functions of check.hpp make one and call these.
std::vector<Law> order(Probe& probe);
std::vector<Law> inside(Probe& probe);
Law symplecticity(Probe& probe);
Law reversibility(Probe& probe);
Law adjointness(Probe& probe);
std::vector<Law> noether(Probe& probe);
std::vector<Law> constraints(Probe& probe);
Law energy(Probe& probe);
Law modified_energy(Probe& probe);
Law variational_order(Probe& probe);

// A slope from three or more points: starts where the declared order leaves room above the floor, halves the
// step until two consecutive slopes agree within 0.05 or the floor is reached.
class Slope {
 public:
  void add(quad error, quad floor);
  bool settled() const;                  // no further halving is needed
  bool exact() const { return exact_; }  // at the floor from the first step on
  bool measured() const { return errors_.size() >= 3; }
  double value() const { return slope_; }
  double last() const { return last_; }  // the last error above the floor

 private:
  std::vector<quad> errors_;
  bool exact_ = false, settled_ = false;
  double slope_ = 0, last_ = 0;
};
// Holds if the slope less `local` is within 0.25 of `declared`; 0: nothing is declared. `local` is 1 for what is
// committed in one step. A higher order than declared is a wrong declaration, too, unless L is quadratic.
Law slope_law(const std::string& name, int declared, const Slope& slope, bool quadratic, int local = 0);

// "1.3e-07 ~ h^5.0" from the defects at h and h/2.
std::string defect_text(quad coarse, quad fine);
std::string scientific(double x);
// A fixed sequence of numbers in (-1, 1): the same points on every machine.
class Dice {
 public:
  quad operator()();

 private:
  unsigned long long state_ = 88172645463325252ULL;
};

}  // namespace extremal::laws
