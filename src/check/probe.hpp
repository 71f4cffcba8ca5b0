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

// q, p and lambda at one node. Redundant constraints share their force in many ways: lambda is then G^T lambda, which
// is what all schemes have in common.
struct Sample {
  Vector q, p, lambda;
};

Floor largest_difference(const std::vector<Sample>& a, const std::vector<Sample>& b);

// The motion as a scheme of higher order has it, and what may be wrong with it: the change when its step was halved
// last.
struct Reference {
  std::vector<Sample> samples;
  Floor error;
  int steps = 0;
};

// A fixed sequence of numbers in (-1, 1): the same points on every machine.
class Dice {
 public:
  quad operator()();

 private:
  unsigned long long state_ = 88172645463325252ULL;
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
  // A random change of the momentum along the constraints: that of a velocity of `share` times what would take the
  // system as far as it is large in one step.
  Vector impulse(const State<quad>& state, quad step, quad share, Dice& dice);
  Matrix jacobian(const State<quad>& state);

  // The four nodes T/4, T/2, 3T/4, T of a motion of the given number of steps (a multiple of 4).
  std::vector<Sample> follow(const Scheme& of, quad span, int steps);
  // With another rule for L than the scheme has.
  Scheme reference_scheme() const;
  const Reference& reference(quad span);
  bool refine_reference();  // halves its step; false if that would be too much effort

  const Run<double>& long_run();  // of options.long_steps steps, 40000 / n of them at most in its columns
  Run<double> run_for(long long steps, int divisor);  // with the ends only; the step divided by `divisor`
  quad long_step() const;
  double long_time() const;

 private:
  // Any member carries the Legendre transform; a projected one leaves out what p has across the constraints.
  Stepper<quad> legendre_;
  bool timed_ = false, quadratic_ = true, redundant_ = false;
  std::optional<State<quad>> inside_;
  quad reference_span_ = 0;
  Reference reference_;
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
std::vector<Law> on_directors(Probe& probe);
Law variational_order(Probe& probe);

// The slope of errors at steps that are halved again and again, against what is declared (0: nothing). `local` is 1 for
// what is committed in one step, where the slope is one more than the order.
//
// Slopes are a verdict only in the asymptotic range. It holds where two successive slopes agree within 0.05 and lie
// within 0.25 of what is declared, or where both do when the floor or the last halving is reached. It fails where three
// successive slopes agree and none comes nearer to what is declared. All else is not measurable.
class Slope {
 public:
  explicit Slope(int declared, int local = 0) : declared_(declared), local_(local) {}
  // `lacking`: what the reference itself may be wrong by.
  void add(quad error, quad floor, quad lacking = 0);
  bool settled() const { return settled_; }  // no further halving is needed
  bool holds() const;                        // as it stands
  // `quadratic`: L is, so that a higher order than declared is no wrong declaration.
  Law law(const std::string& name, bool quadratic) const;

 private:
  bool agrees(double slope) const;  // with what is declared

  int declared_, local_;
  quad last_error_ = 0;
  std::vector<double> slopes_;
  bool exact_ = false, settled_ = false;  // exact: at the floor from the first step on
  int points_ = 0;
};
// How often the step may be halved on a system of n coordinates: the last run is to take some 2^16 / n steps.
int halvings(int n, int first_steps);

// "1.3e-07 ~ h^5.0" from the defects at h and h/2.
std::string defect_text(quad coarse, quad fine);
std::string scientific(double x);

}  // namespace extremal::laws
