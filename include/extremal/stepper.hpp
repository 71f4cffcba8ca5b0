// Stepper: (System, Scheme, scalar) bound to a workspace that is sized once.
//
//   Stepper<double> stepper(pendulum, Scheme::named("spark(2)"));
//   stepper.start({.q = {1, 0}}, 0.01);
//   for (int k = 0; k < 1000; ++k)
//     if (!stepper.step(0.01).converged) break;
//
// A step solves the stationarity conditions of the scheme's discrete action by Newton's method and allocates
// nothing. q and p advance by increments with compensated summation. A run is repeated bit for bit by
// saving and restoring a Checkpoint.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "extremal/remedies.hpp"
#include "extremal/scheme.hpp"
#include "extremal/start.hpp"
#include "extremal/system.hpp"

namespace extremal {

template <class S>
struct State {
  S t{};
  std::vector<S> q, p;
};

// Starts as failure.
struct StepReport {
  bool converged = false;
  int iterations = 0;               // of Newton's method, all attempts and substeps together
  int fallbacks = 0;                // starting guesses that failed before one succeeded
  int retries = 0;                  // other ways of taking the step that were tried: see docs/theory.md
  Remedy remedy = Remedy::none;     // the one of them that succeeded
  Trouble refused = Trouble::none;  // why the scheme's own way did not
  int singular = 0;       // nodes close to a singular configuration, where digits are lost: G is hardly of full rank
  double correction = 0;  // last Newton correction of q, relative to the largest coordinate
  double residual = 0;    // largest residual of the stationarity conditions
  bool stalled = false;   // on failure: Newton's method did not converge, and `worst` is its worst row
  bool finite = true;     // on failure: false if numbers were met that are not finite
  bool known = false;     // on failure: why, so that nothing is looked for and no other step is advised
  std::string worst;      // on failure: what went wrong – the row with the largest residual, or the term that is not
                          // finite and where, by name
};

// Everything a Stepper needs to go on as if it had never stopped: state, compensation, histories.
template <class S>
struct Checkpoint {
  std::vector<S> numbers;
};

// Pure functions of the state.
template <class S>
struct Observation {
  std::vector<S> v;        // dH/dp
  std::vector<S> lambda;   // multipliers of the acceleration at (q, v) [Wenger2017, eq. 70]: of the order of q
  std::vector<S> momenta;  // p . a(q) for every symmetry of the system
  S kinetic{}, potential{};
  S constraint{}, hidden{};  // largest |g| and |G v + g_t|
  S energy() const { return kinetic + potential; }
};

// The motion inside a step.
template <class S>
struct DensePoint {
  std::vector<S> q, p, lambda;  // lambda: the constraint force is -G^T lambda
};

// phase_space: what happens inside a step and at its ends [Muehlebach2016, eqs. 24, 40], and the artificial forces
// that hold the trajectory in the ansatz, an a-posteriori measure of the error.
template <class S>
struct StepBalance {
  S energy{};             // residual of the energy-like balance: round-off iff the quadrature is exact
  S energy_quadrature{};  // the same with H1 - H0 replaced by the quadrature of dH/dt
  S force{}, velocity{};  // rms over the step of z = p~' + H_q - f - W p_g' and of v = q~' - H_p
  S impulse{}, jump{};    // norms of p_z - p_z^- at the end and of q~(0+) - q at the start
  S gap{};                // largest |g| inside the step
};

template <class S>
class StepEngine;

template <class S>
class Stepper {
 public:
  // Throws InputError if the scheme cannot carry the system's terms.
  Stepper(const System& system, const Scheme& scheme);
  explicit Stepper(std::unique_ptr<StepEngine<S>> engine);  // for those who made one
  ~Stepper();
  Stepper(Stepper&&) noexcept;
  Stepper& operator=(Stepper&&) noexcept;

  // Makes the start consistent and puts it in place; `step` is needed for the two-step form only.
  Consistency start(const Start& start, S step = S(0));
  // How many threads share a step, where the scheme can: large mechanisms by lie, rods. The bits are the same on any
  // number of them, which is by default that of the machine for systems that are large enough.
  void threads(int number);
  // Puts a state in place as it is and forgets compensation and histories.
  void place(const State<S>& state);
  const State<S>& state() const;

  // A parameter of the system has another value from now on, while the motion goes on with q, p and what rounding took
  // off them. Of forces and potentials that costs little, so that a loop may set what a motor does at every step; of
  // masses and constraints the equations are made anew. InputError if there is no such parameter.
  void set(std::string_view parameter, S value);
  S parameter(std::string_view name) const;

  // On failure the state is the one before the step. A step that converged has finite numbers.
  StepReport step(S h);
  // The first term that is not finite at the current state, or whose derivative is not, by name, and where; empty if
  // there is none.
  std::string not_finite() const;

  // Questions change nothing.
  //
  // Of the current state. For closure variational p is the momentum the next step needs, without the node's
  // own multiplier; see node_multiplier().
  // Without `multipliers` lambda is left out, which saves the solution of a linear system.
  void observe(Observation<S>& out, bool multipliers = true) const;
  Observation<S> observe() const;
  // Of any other state, as it is: v = dH/dp of its p.
  void observe(const State<S>& state, Observation<S>& out, bool multipliers = true) const;
  // The multiplier that the scheme itself has at the end of the last step, of the order that it declares for lambda:
  // that of closure hidden. False if it has none there, or no step has been taken.
  bool end_multiplier(std::vector<S>& out) const;
  // How far symmetry `index` of the system is from leaving L and g unchanged here: the derivative of L and of
  // g along its field, relative to the size of what is summed. Noether's theorem needs it to vanish.
  double symmetry_defect(int index) const;

  // G = dg/dq at any position, m x n row-major.
  std::vector<S> constraint_jacobian(const std::vector<S>& q, S t) const;

  // The norms of the rows of G.
  std::vector<S> constraint_norms(const std::vector<S>& q, S t) const;

  // Of the last step: the multipliers at the constraint rule's nodes, node-major (the end node included
  // where the closure fixes it), and the node positions in [0, 1].
  const std::vector<S>& multipliers() const;
  const std::vector<S>& multiplier_nodes() const;
  // G v + g_t of every constraint, at any position and velocity.
  void hidden(const std::vector<S>& q, const std::vector<S>& v, S t, std::vector<S>& out) const;
  // livens: the multiplier gamma of the hidden constraint in the last step, its mean over the step; substeps that
  // another scheme has taken have none. False if the scheme has no such multiplier, or no step has been taken.
  bool gamma(std::vector<S>& out) const;
  // For the library itself. Closure variational: the total multiplier T of the node where the last step started, and
  // the weight e with which it acts: its momentum is p - h e G^T T / 2 and its multiplier T / 2 [Wenger2017, eq. 22].
  const std::vector<S>& node_multiplier() const;
  S node_weight() const;
  // What of the last step's work belongs to that node: half of the work of its multiplier, where g depends on time.
  S node_work() const;

  // d(q1, p1)/d(q0, p0) of the last step, 2n x 2n row-major, by implicit differentiation of the step's
  // equations: no finite differences.
  std::vector<S> tangent() const;

  // The discrete action h sum_i b_i L(c_i) of the last step, summed over substeps.
  S action() const;
  // The work W over the last step of forces, motors, dampers, given motions and constraints that depend on time, each
  // by the quadrature of the step's own discrete action: H - W is conserved to the order of the scheme. And what of it
  // was supplied: the sum of the sources whose work is positive. What was dissipated is supplied() - work().
  S work() const;
  S supplied() const;

  // The motion at t_0 + c h inside the last step, 0 <= c <= 1, from the step's own functions (the last substep's, for
  // compositions).
  void dense(S c, DensePoint<S>& out) const;
  // phase_space only: false otherwise.
  bool balance(StepBalance<S>& out) const;

  Checkpoint<S> save() const;
  void restore(const Checkpoint<S>& checkpoint);

 private:
  void refuse_unstarted() const;
  void refuse_size(const char* what, std::size_t found) const;
  void diagnose(S h, StepReport& report) const;

  std::unique_ptr<StepEngine<S>> engine_;
  bool started_ = false;
  std::size_t numbers_ = 0;  // of a checkpoint; 0 if not known yet
};

extern template class Stepper<double>;
extern template class Stepper<long double>;
extern template class Stepper<quad>;

}  // namespace extremal
