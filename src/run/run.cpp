#include "extremal/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "extremal/error.hpp"
#include "run/drift.hpp"
#include "run/span.hpp"

namespace extremal {

namespace {

// Collects the columns of a Run and what is watched at every step.
template <class S>
class Recorder {
 public:
  Recorder(const System& system, const Scheme& scheme, const Span& span, Run<S>& run, long long steps)
      : system_(system),
        run_(run),
        balances_(span.error_estimate),
        forced_(system.has(Role::force)),
        drift_(steps),
        late_(scheme.galerkin.closure == Closure::variational && !scheme.composed() && system.constraint_count() > 0) {
    const auto add = [&](const std::string& name) { run_.columns.push_back({name, {}}); };
    add("t");
    for (const char* prefix : {"", "v:", "p:"})
      for (const auto& name : system.coordinate_names()) add(prefix + name);
    for (const auto& name : system.constraint_names()) add("lambda:" + name);
    for (const auto& name : system.constraint_names()) add("force:" + name);
    for (const char* name : {"energy", "kinetic", "potential"}) add(name);
    for (const auto& term : system.terms())
      if (term->role == Role::symmetry) {
        add("momentum:" + term->name);
        run_.momentum_error.push_back({term->name, {S(0)}});
      }
    for (const char* name : {"constraint", "hidden", "iterations"}) add(name);
    if (forced_) add("work");
    if (balances_)
      for (const char* name :
           {"balance", "balance:quadrature", "error:force", "error:velocity", "error:impulse", "error:jump", "gap"})
        add(name);
    wanted_.assign(span.at.size(), S(0));
    for (std::size_t i = 0; i < span.at.size(); ++i) wanted_[i] = span.at[i].template as<S>();
    if (!wanted_.empty()) {
      run_.dense.push_back({"t", {}});
      for (const char* prefix : {"", "p:"})
        for (const auto& name : system.coordinate_names()) run_.dense.push_back({prefix + name, {}});
      for (const auto& name : system.constraint_names()) run_.dense.push_back({"lambda:" + name, {}});
    }
  }

  void begin(Stepper<S>& stepper) {
    stepper.observe(seen_);
    run_.energy_initial = seen_.energy();
    first_momenta_ = seen_.momenta;
    symmetry_defect_.assign(seen_.momenta.size(), 0.0);
    watch(stepper, 0);
    append(stepper, 0);
  }

  void step(Stepper<S>& stepper, long long k, S h, int iterations, bool output) {
    if (late_ && waiting_) finish_late(stepper, h);
    if (!wanted_.empty()) evaluate_inside(stepper, h);
    work_ += stepper.work();
    stepper.observe(seen_, output);
    watch(stepper, k);
    if (output) append(stepper, iterations);
  }

  void end() {
    run_.drift = drift_.line();
    if (late_ && waiting_) {
      // The last node's own multiplier would be fixed by the step that was not taken.
      for (int k = 0; k < system_.constraint_count(); ++k)
        for (const int at : {lambda_at() + k, lambda_at() + system_.constraint_count() + k})
          column(at).back() = S(0) / S(0);
      run_.notes.push_back("closure variational: at the last node p is the carried momentum and lambda does not exist");
    }
    std::size_t e = 0;
    for (const auto& term : system_.terms())
      if (term->role == Role::symmetry && symmetry_defect_[e++] > 1e-8)
        run_.notes.push_back(
            fmt::format("\"{}\" is not a symmetry of the system: its momentum is not conserved", term->name));
  }

 private:
  int lambda_at() const { return 1 + 3 * system_.size(); }
  std::vector<S>& column(int i) { return run_.columns[static_cast<std::size_t>(i)].values; }

  void watch(Stepper<S>& stepper, long long k) {
    const S error = seen_.energy() - run_.energy_initial;
    run_.energy_max_error = math::max(run_.energy_max_error, math::abs(error));
    run_.constraint_max = math::max(run_.constraint_max, seen_.constraint);
    run_.hidden_max = math::max(run_.hidden_max, seen_.hidden);
    for (std::size_t i = 0; i < seen_.momenta.size(); ++i) {
      S& worst = run_.momentum_error[i].values[0];
      worst = math::max(worst, math::abs(seen_.momenta[i] - first_momenta_[i]));
    }
    drift_.add(k, static_cast<double>(stepper.state().t), static_cast<double>(error));
  }

  void append(Stepper<S>& stepper, int iterations) {
    const State<S>& state = stepper.state();
    int c = 0;
    column(c++).push_back(state.t);
    for (const auto* values : {&state.q, static_cast<const std::vector<S>*>(&seen_.v), &state.p,
                               static_cast<const std::vector<S>*>(&seen_.lambda)})
      for (const S& x : *values) column(c++).push_back(x);
    if (!seen_.lambda.empty()) {
      const std::vector<S> norms = stepper.constraint_norms(state.q, state.t);
      for (std::size_t k = 0; k < norms.size(); ++k) column(c++).push_back(-seen_.lambda[k] * norms[k]);
    }
    for (const S& x : {seen_.energy(), seen_.kinetic, seen_.potential}) column(c++).push_back(x);
    for (std::size_t i = 0; i < seen_.momenta.size(); ++i) {
      column(c++).push_back(seen_.momenta[i]);
      symmetry_defect_[i] = std::max(symmetry_defect_[i], stepper.symmetry_defect(static_cast<int>(i)));
    }
    for (const S& x : {seen_.constraint, seen_.hidden, S(iterations)}) column(c++).push_back(x);
    if (forced_) column(c++).push_back(work_);
    if (balances_) {
      StepBalance<S> b{};  // zero at the start, where no step has been taken
      if (column(0).size() > 1) stepper.balance(b);
      for (const S& x : {b.energy, b.energy_quadrature, b.force, b.velocity, b.impulse, b.jump, b.gap})
        column(c++).push_back(x);
    }
    waiting_ = late_;
    if (waiting_) late_row_ = static_cast<long long>(column(0).size()) - 1, late_q_ = state.q, late_t_ = state.t;
  }

  // The wanted times inside the step that was just taken.
  void evaluate_inside(Stepper<S>& stepper, S h) {
    const S t1 = stepper.state().t, t0 = t1 - h;
    for (const S& t : wanted_) {
      const S c = (t - t0) / h;
      // Half open, and the start of the run belongs to its first step.
      const bool first = run_.steps == 1 && c > S(-1e-9) && c <= S(0);
      if (!first && !(c > S(1e-9) && c <= S(1) + S(1e-9))) continue;
      stepper.dense(c, inside_);
      std::size_t d = 0;
      run_.dense[d++].values.push_back(t);
      for (const auto* values : {&inside_.q, &inside_.p, &inside_.lambda})
        for (const S& x : *values) run_.dense[d++].values.push_back(x);
    }
  }

  // The step that leaves a node tells its total multiplier T: p = p^ - h e G^T T / 2, lambda = T / 2
  // [Wenger2017, eq. 22]. At the very first node the data are the user's.
  void finish_late(Stepper<S>& stepper, S h) {
    waiting_ = false;
    if (late_row_ == 0) return;
    const std::vector<S>& T = stepper.node_multiplier();
    const std::vector<S> G = stepper.constraint_jacobian(late_q_, late_t_);
    const int n = system_.size(), m = system_.constraint_count();
    for (int k = 0; k < m; ++k) {
      const auto row = static_cast<std::size_t>(late_row_);
      const S lambda = T[static_cast<std::size_t>(k)] / S(2);
      S square(0);
      for (int i = 0; i < n; ++i)
        square += G[static_cast<std::size_t>(k * n + i)] * G[static_cast<std::size_t>(k * n + i)];
      column(lambda_at() + k)[row] = lambda;
      column(lambda_at() + m + k)[row] = -lambda * math::sqrt(square);
      for (int i = 0; i < n; ++i)
        column(1 + 2 * n + i)[row] -=
            h * stepper.node_weight() * G[static_cast<std::size_t>(k * n + i)] * T[static_cast<std::size_t>(k)] / S(2);
    }
  }

  const System& system_;
  Run<S>& run_;
  const bool balances_, forced_;
  DriftMeter drift_;
  Observation<S> seen_;
  DensePoint<S> inside_;
  std::vector<S> wanted_;
  std::vector<S> first_momenta_, late_q_;
  std::vector<double> symmetry_defect_;
  S late_t_{}, work_{};
  long long late_row_ = 0;
  const bool late_;  // closure variational: a row is complete only after the next step
  bool waiting_ = false;
};

}  // namespace

template <class S>
Run<S> run(const System& system, const Scheme& scheme, const Start& start, const Span& span) {
  Run<S> out;
  out.model = system.name();
  out.scheme = scheme.name;
  out.precision = Scalar<S>::name;
  out.version = EXTREMAL_VERSION;
  out.step = span.step;
  out.until = span.until;
  out.start = start;
  out.notes = scheme.declared.flags;

  const long long steps = whole_steps<S>(start.t, span);
  const S h = span.step.as<S>();
  for (const Number& t : span.at) {
    const S c = (t.as<S>() - start.t.as<S>()) / h;
    if (!(c >= S(-1e-9) && c <= S(steps) + S(1e-9)))
      throw InputError(fmt::format("span: asks for t = {}; expected a time between {} and {}", t.text(), start.t.text(),
                                   span.until.text()));
  }
  if (span.error_estimate && (scheme.composed() || scheme.family != Family::phase_space))
    throw InputError("error estimate: " + scheme.name + " has none; expected a phase_space scheme");
  Stepper<S> stepper(system, scheme);
  out.consistency = stepper.start(start, h);
  if (const Consistency& c = out.consistency; c.redundant > 0)
    out.notes.push_back(fmt::format("{} redundant rows among the constraints {}; multipliers of least norm",
                                    c.redundant, fmt::join(c.dependent, ", ")));

  Recorder<S> recorder(system, scheme, span, out, steps);
  recorder.begin(stepper);
  long long iterations = 0;
  out.status = Status::complete;
  for (long long k = 1; k <= steps; ++k) {
    const StepReport report = stepper.step(h);
    if (!report.converged) {
      out.status = Status::failed;
      out.reason = fmt::format(
          "step {}, t = {:.8g}: Newton stalled at {:.2g} (residual {:.2g}); worst row: {}; try step <= {:.2g}", k,
          static_cast<double>(stepper.state().t), report.correction, report.residual, report.worst,
          static_cast<double>(math::abs(h)) / 2);
      break;
    }
    out.steps = k;
    iterations += report.iterations;
    out.newton_max = std::max(out.newton_max, report.iterations);
    out.fallbacks += report.fallbacks;
    if (report.retries > 0) ++out.retries;
    out.singular += report.singular;
    recorder.step(stepper, k, h, report.iterations, k % span.every == 0 || k == steps);
  }
  recorder.end();
  out.newton_mean = out.steps > 0 ? static_cast<double>(iterations) / static_cast<double>(out.steps) : 0;
  out.last = stepper.save();
  return out;
}

template <class S>
const std::vector<S>& Run<S>::column(std::string_view name) const {
  for (const auto& c : columns)
    if (c.name == name) return c.values;
  std::vector<std::string> names;
  for (const auto& c : columns) names.push_back(c.name);
  throw InputError(fmt::format("run: no column \"{}\"; the columns are {}", name, fmt::join(names, ", ")));
}

template <class S>
std::string Run<S>::summary() const {
  const auto d = [](S x) { return static_cast<double>(x); };
  std::string s = fmt::format("{}, {}, step {}, {} steps in {}: {}\n", model, scheme, step.text(), steps, precision,
                              status == Status::complete ? "complete" : "failed");
  if (!reason.empty()) s += "  " + reason + "\n";
  s += fmt::format("  energy       {:.10g}, error at most {:.3g}, drift {:.2g} +- {:.2g} per unit time\n",
                   d(energy_initial), d(energy_max_error), drift.slope, drift.slope_error);
  if (std::any_of(columns.begin(), columns.end(), [](const auto& c) { return c.name.starts_with("lambda:"); }))
    s += fmt::format("  constraints  |g| at most {:.2g}, |G v| at most {:.2g}\n", d(constraint_max), d(hidden_max));
  for (const auto& m : momentum_error)
    s += fmt::format("  momentum     \"{}\" changed by at most {:.2g}\n", m.name, d(m.values[0]));
  s += fmt::format("  newton       {:.2f} iterations a step, at most {}", newton_mean, newton_max);
  if (fallbacks > 0) s += fmt::format(", {} starting guesses failed", fallbacks);
  if (retries > 0) s += fmt::format(", {} steps taken in another way after a failure", retries);
  if (singular > 0)
    s += fmt::format("\n  singular     {} nodes close to a singular configuration: digits are lost", singular);
  for (const auto& note : notes) s += "\n  note         " + note;
  return s;
}

template Run<double> run(const System&, const Scheme&, const Start&, const Span&);
template Run<long double> run(const System&, const Scheme&, const Start&, const Span&);
template Run<quad> run(const System&, const Scheme&, const Start&, const Span&);
template struct Run<double>;
template struct Run<long double>;
template struct Run<quad>;

}  // namespace extremal
