// Run: what a computation leaves behind – status, columns, provenance – enough to repeat it bit for bit.
//
//   auto run = extremal::run(pendulum, "lobatto(3)", {.q = {1, 0}, .v = {0, 0}}, {.step = 0.05, .until = 100});
//   std::cout << run.summary() << "\n";
//   run.column("x");                                   // one value per output time
//   auto fine = extremal::run<quad>(pendulum, ...);    // 34 digits
//
// Numerical trouble ends a Run with a status and the reason; nothing that was computed is lost. Bad input
// throws InputError before the first step.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "extremal/accuracy.hpp"
#include "extremal/pace.hpp"
#include "extremal/remedies.hpp"
#include "extremal/sink.hpp"
#include "extremal/stepper.hpp"

namespace extremal {

// What the columns "lambda:" and "force:" have: the multipliers of the acceleration at the row's q and v [Wenger2017,
// eq. 70], which are as accurate as these; or those of the scheme itself, which are often of a lower order, where it
// has them (closures hidden and variational).
enum class Multipliers { motion, scheme };
const char* name(Multipliers multipliers);

// A whole number of steps; negative steps run backwards. Steps of different length, 0 = t^0 < t^1 < .. [LewMata2016,
// section 3.1], are given by a pattern: step k is pattern[k] times `step`, and the pattern repeats.
struct Span {
  Number step = "0.01";
  Number until = 1;                  // end time
  std::vector<Number> pattern = {};  // positive; none: all steps are alike
  // Steps of fictitious time, by a rate (pace.hpp); null: the built-in one. There are then as many as it takes, and the
  // last ends at `until`.
  Pace pace = Pace::none;
  Rate rate = {};
  // Of positions, as accuracy.hpp has it; 0: none. Trial runs then choose the step, and `step` is where they begin.
  Number accuracy = 0;
  // With a pace or an accuracy, if it is not 0: so many rows besides the start, equally spaced in t, in the place of
  // `every`. Rows of a paced run are those of a shorter step from where the step around them starts.
  int outputs = 0;
  int every = 1;                // output every so many steps (and always the last)
  std::vector<Number> at = {};  // times between start and end at which the motion is evaluated inside the steps
  int threads = 0;              // of one step, where its scheme shares large systems among them; 0: as it thinks best
  Multipliers multipliers = Multipliers::motion;
  bool error_estimate = false;  // phase_space: columns of the balances and artificial forces of every output step
  // More columns: "hidden", G v + g_t of every constraint rod as "hidden:rod"; "gamma", the multiplier of the hidden
  // constraint in the step as "gamma:rod", of schemes that have one; "angular_momentum", of all bodies of a mechanism
  // about the origin.
  std::vector<std::string> extra_columns = {};
  // Which columns there are, by their names, "joint:elbow:angle", or those of their variables, "position"; t is always
  // one. None: all.
  std::vector<std::string> columns = {};
};

// Suspect: all steps were taken, and what came out cannot be the motion (docs/theory.md, "Believable or suspect").
enum class Status { complete, suspect, failed, interrupted };
const char* name(Status status);

// A straight line through the energy error: slope per unit time with its standard error, from the means
// of consecutive blocks, so that the oscillation of a symplectic scheme does not pose as noise or drift.
struct Drift {
  double slope = 0, slope_error = 0;
};

template <class S>
struct Column {
  std::string name;
  std::vector<S> values;
};

template <class S = double>
struct Run {
  Status status = Status::failed;
  std::string reason;  // empty if complete

  // Provenance
  std::string model, scheme, precision, version;
  Number step, until;
  std::vector<Number> pattern;
  Start start;
  std::shared_ptr<const Accuracy> accuracy;  // how the step was found; null if it was said

  Consistency consistency;
  long long steps = 0;
  double newton_mean = 0;
  int newton_max = 0;
  long long fallbacks = 0;  // starting guesses that failed
  long long retries = 0;    // steps that failed and were taken in another way
  Remedies remedies;        // these by the way that succeeded, and by the reason
  long long singular = 0;   // nodes close to a singular configuration, where about half of the digits are lost
  std::vector<std::string> notes;

  // With error_estimate also "balance", "balance:quadrature", "error:force", "error:velocity", "error:impulse",
  // "error:jump" and "gap", see StepBalance. A constraint rod has "force:rod" beside "lambda:rod": the size of its
  // force, -lambda times the norm of its row of G.
  // Without Output::collect the columns have one value, the last.
  // t, then per coordinate q, v, p, per constraint lambda, energies, momenta, residuals, iterations.
  // With forces, given motions or constraints that depend on time also "work", what they did since the start:
  // energy - work is then conserved.
  // A coordinate x gives columns "x", "v:x", "p:x"; a constraint rod "lambda:rod"; a symmetry "momentum:name".
  std::vector<Column<S>> columns;
  const std::vector<S>& column(std::string_view name) const;  // InputError with the names there are

  // At the times of Span::at, from the functions inside the steps: t, q, "p:", "lambda:".
  std::vector<Column<S>> dense;

  // Over every step, not only the output times.
  S energy_initial{}, energy_max_error{};  // |H - W - H0|, absolute, W the work since the start
  S supplied{}, dissipated{};  // W by its sign, step by step and source by source: W = supplied - dissipated
  S energy_range{};            // the larger of the ranges of kinetic and of potential energy
  Drift drift;
  S constraint_max{}, hidden_max{};
  std::vector<Column<S>> momentum_error;  // per symmetry: one value, max |I - I0|
  // Over the output steps, with error_estimate: one value per column of the estimate, the largest size.
  std::vector<Column<S>> estimate_max;

  // For Output::from. It begins with what Stepper::save() gives, so that a Stepper can be restored from it too.
  Checkpoint<S> last;
  std::string summary() const;
};

template <class S = double>
Run<S> run(const System& system, const Scheme& scheme, const Start& start, const Span& span,
           const Output<S>& output = {});
template <class S = double>
Run<S> run(const System& system, std::string_view scheme, const Start& start, const Span& span,
           const Output<S>& output = {}) {
  return run<S>(system, Scheme::named(scheme), start, span, output);
}

extern template Run<double> run(const System&, const Scheme&, const Start&, const Span&, const Output<double>&);
extern template Run<long double> run(const System&, const Scheme&, const Start&, const Span&,
                                     const Output<long double>&);
extern template Run<quad> run(const System&, const Scheme&, const Start&, const Span&, const Output<quad>&);
extern template struct Run<double>;
extern template struct Run<long double>;
extern template struct Run<quad>;

}  // namespace extremal
