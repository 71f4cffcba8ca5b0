#include "run/recorder.hpp"

#include <algorithm>

#include "bodies/rigid.hpp"
#include "numbers/instantiate.hpp"
#include "system/evaluation.hpp"

namespace extremal {
namespace {

std::string variable_name(std::string column) {
  std::replace(column.begin(), column.end(), ':', '_');
  return column;
}

// An observer may have any name; one that is taken, as x or energy, is a column with "observer:" before it.
void make_unique(std::vector<ColumnInfo>& columns, std::size_t which) {
  ColumnInfo& own = columns[which];
  own.variable = own.name;
  const auto taken = [&](const ColumnInfo& other) {
    return &other != &own && (other.name == own.name || other.variable == own.name);
  };
  while (std::any_of(columns.begin(), columns.end(), taken)) own.name = own.variable = "observer:" + own.name;
}

}  // namespace

template <class S>
Recorder<S>::Recorder(const System& system, const Scheme& scheme, const Span& span,
                      const std::vector<Observer>& observers, Run<S>& run, long long steps)
    : system_(system),
      observers_(observers),
      rods_(system.rigid() != nullptr && !system.rigid()->rods.empty()),
      run_(run),
      balances_(span.error_estimate),
      worked_(does_work(system)),
      own_(span.multipliers == Multipliers::scheme && scheme.declared.multiplier != EndMultiplier::acceleration),
      drift_(steps),
      belief_(steps, system.size(), scheme.declared.momentum == EndMomentum::drifting),
      late_(scheme.declared.multiplier == EndMultiplier::late && system.constraint_count() > 0) {
  const auto add = [&](const std::string& name, const std::string& unit, const std::string& description) {
    columns_.push_back({name, variable_name(name), "", "", unit, description});
  };
  const auto add_all = [&](const std::string& prefix, const std::string& variable, const std::string& axis,
                           const std::vector<std::string>& members, const std::string& unit,
                           const std::string& description) {
    for (const auto& member : members) columns_.push_back({prefix + member, variable, axis, member, unit, description});
  };
  const std::size_t size = system.coordinate_names().size(), rows = system.constraint_names().size();
  columns_.reserve(3 * size + 2 * rows + 64);  // of many bodies they are a good part of all that a run needs
  columns_.push_back({"t", "time", "", "", "s", "time"});
  const auto& coordinates = system.coordinate_names();
  add_all("", "q", "coordinate", coordinates, "unit of the coordinate", "coordinate");
  add_all("v:", "v", "coordinate", coordinates, "unit of the coordinate / s", "velocity dH/dp");
  add_all("p:", "p", "coordinate", coordinates, "J s / unit of the coordinate", "conjugate momentum");
  const auto& constraints = system.constraint_names();
  add_all("lambda:", "lambda", "constraint", constraints, "J / unit of the constraint",
          std::string(own_ ? "multiplier of the scheme" : "multiplier") + "; the constraint force is -G^T lambda");
  add_all("force:", "force", "constraint", constraints, "J / unit of the coordinate",
          "size of the constraint force, -lambda times the norm of the row of G");
  add("energy", "J", "energy H");
  add("kinetic", "J", "kinetic energy");
  add("potential", "J", "potential energy");
  std::vector<std::string> symmetries;
  for (const auto& term : system.terms())
    if (term->role == Role::symmetry) {
      symmetries.push_back(term->name);
      run_.momentum_error.push_back({term->name, {S(0)}});
    }
  add_all("momentum:", "momentum", "symmetry", symmetries, "J s / unit of the symmetry", "momentum map of a symmetry");
  columns_.push_back(
      {"constraint", "constraint_residual", "", "", "unit of the constraint", "largest |g| over the constraints"});
  columns_.push_back(
      {"hidden", "hidden_residual", "", "", "unit of the constraint / s", "largest |G v + g_t| over the constraints"});
  add("iterations", "1", "iterations of Newton's method in the step");
  if (worked_) add("work", "J", "work of forces, given motions and constraints that depend on time, since the start");
  if (rods_)
    for (const char* kind : {"translation", "rotation", "stretching", "shear", "torsion", "bending"})
      add(std::string("energy:") + kind, "J", std::string("energy of ") + kind);
  if (span.multipliers == Multipliers::scheme && !constraints.empty())
    run_.notes.push_back(scheme.name + (own_ ? ": lambda is the scheme's own multiplier"
                                             : " has no multiplier of its own at the ends of its steps: lambda is "
                                               "that of the motion"));
  for (const Number& x : system.parameters()) parameters_.push_back(x.template as<S>());
  const std::size_t first_observer = columns_.size();
  for (const Observer& observer : observers_) add(observer.name, "unit of the formula", "formula of the model");
  if (balances_) {
    const std::size_t first = columns_.size();
    add("balance", "J", "residual of the energy balance of the step");
    add("balance:quadrature", "J", "the same with the quadrature of dH/dt");
    add("error:force", "N", "artificial force, rms over the step");
    add("error:velocity", "m / s", "artificial velocity, rms over the step");
    add("error:impulse", "N s", "artificial impulse at the end of the step");
    add("error:jump", "m", "artificial jump at the start of the step");
    add("gap", "unit of the constraint", "largest |g| inside the step");
    for (std::size_t i = first; i < columns_.size(); ++i) run_.estimate_max.push_back({columns_[i].name, {S(0)}});
  }
  for (std::size_t k = 0; k < observers_.size(); ++k) make_unique(columns_, first_observer + k);
  run_.columns.reserve(columns_.size());
  for (const ColumnInfo& column : columns_) run_.columns.push_back({column.name, {}});
  row_.assign(columns_.size(), S(0));
  node_.q.assign(coordinates.size(), S(0));
  node_.p = node_.q;
  first_momenta_.assign(symmetries.size(), S(0));
  symmetry_defect_.assign(symmetries.size(), 0.0);
  wanted_.assign(span.at.size(), S(0));
  for (std::size_t i = 0; i < span.at.size(); ++i) wanted_[i] = span.at[i].template as<S>();
  if (!wanted_.empty()) {
    run_.dense.push_back({"t", {}});
    for (const char* prefix : {"", "p:"})
      for (const auto& name : coordinates) run_.dense.push_back({prefix + name, {}});
    for (const auto& name : constraints) run_.dense.push_back({"lambda:" + name, {}});
  }
}

template <class S>
void Recorder<S>::begin(Stepper<S>& stepper, const std::vector<RowSink<S>*>& sinks) {
  sinks_ = &sinks;
  stepper.observe(seen_);
  run_.energy_initial = seen_.energy();
  first_momenta_ = seen_.momenta;
  watch(stepper.state(), 0, S(0));
  make_row(stepper, stepper.state(), 0, S(0));  // at the very first node the data are the user's
  emit();
}

template <class S>
bool Recorder<S>::step(Stepper<S>& stepper, long long k, S h, int iterations, bool output) {
  if (waiting_) {
    finish_late(stepper, k - 1, h);
    if (!math::finite(seen_.energy())) return false;
  }
  if (!wanted_.empty()) evaluate_inside(stepper, h);
  if (worked_) {
    const S work = stepper.work(), supplied = stepper.supplied();
    work_ += work;
    run_.supplied += supplied;
    run_.dissipated += supplied - work;
  }
  if (late_) {
    node_ = stepper.state();
    node_iterations_ = iterations;
    waiting_ = true;
    waiting_row_ = output;
    return true;
  }
  stepper.observe(seen_, output && !own_);
  if (!math::finite(seen_.energy())) return false;
  watch(stepper.state(), k, work_);
  if (!output) return true;
  if (own_) stepper.end_multiplier(seen_.lambda);
  make_row(stepper, stepper.state(), iterations, work_);
  emit();
  return true;
}

template <class S>
void Recorder<S>::end(Stepper<S>& stepper) {
  // A run that was interrupted will take the step that a waiting row waits for.
  if (waiting_ && run_.status != Status::interrupted) {
    // The last node's own multiplier would be fixed by the step that was not taken.
    stepper.observe(node_, seen_, !own_);
    if (own_) std::fill(seen_.lambda.begin(), seen_.lambda.end(), S(0) / S(0));
    make_row(stepper, node_, node_iterations_, work_);
    run_.notes.push_back(std::string("closure variational: at the last node p is the carried momentum") +
                         (own_ ? " and lambda does not exist" : ""));
    waiting_ = false;
    emit();
  }
  run_.drift = drift_.line();
  std::size_t e = 0;
  for (const auto& term : system_.terms())
    if (term->role == Role::symmetry && symmetry_defect_[e++] > 1e-8)
      run_.notes.push_back(
          fmt::format("\"{}\" is not a symmetry of the system: its momentum is not conserved", term->name));
}

template <class S>
void Recorder<S>::watch(const State<S>& state, long long k, S work) {
  const S error = seen_.energy() - work - run_.energy_initial;
  run_.energy_max_error = math::max(run_.energy_max_error, math::abs(error));
  run_.constraint_max = math::max(run_.constraint_max, seen_.constraint);
  run_.hidden_max = math::max(run_.hidden_max, seen_.hidden);
  for (std::size_t i = 0; i < seen_.momenta.size(); ++i) {
    S& worst = run_.momentum_error[i].values[0];
    worst = math::max(worst, math::abs(seen_.momenta[i] - first_momenta_[i]));
  }
  drift_.add(k, static_cast<double>(state.t), static_cast<double>(error));
  belief_.add(k, state, seen_, error);
  run_.energy_range = S(belief_.range());
}

template <class S>
void Recorder<S>::make_row(Stepper<S>& stepper, const State<S>& state, int iterations, S work) {
  std::size_t c = 0;
  row_[c++] = state.t;
  for (const auto* values : {&state.q, static_cast<const std::vector<S>*>(&seen_.v), &state.p,
                             static_cast<const std::vector<S>*>(&seen_.lambda)})
    for (const S& x : *values) row_[c++] = x;
  if (!seen_.lambda.empty()) {
    const std::vector<S> norms = stepper.constraint_norms(state.q, state.t);
    for (std::size_t k = 0; k < norms.size(); ++k) row_[c++] = -seen_.lambda[k] * norms[k];
  }
  for (const S& x : {seen_.energy(), seen_.kinetic, seen_.potential}) row_[c++] = x;
  for (std::size_t i = 0; i < seen_.momenta.size(); ++i) {
    row_[c++] = seen_.momenta[i];
    symmetry_defect_[i] = math::max(symmetry_defect_[i], stepper.symmetry_defect(static_cast<int>(i)));
  }
  for (const S& x : {seen_.constraint, seen_.hidden, S(iterations)}) row_[c++] = x;
  if (worked_) row_[c++] = work;
  if (rods_) {
    const EnergySplit<S> e = energy_split(*system_.rigid(), state.q, seen_.v);
    for (const S& x : {e.translation, e.rotation, e.stretching, e.shear, e.torsion, e.bending}) row_[c++] = x;
  }
  const Nodes<S> here{1, system_.size(), state.q.data(), seen_.v.data(), &state.t, parameters_.data()};
  for (const Observer& observer : observers_) observer.term->template at<S>().value(here, &row_[c++]);
  if (balances_) {
    StepBalance<S> b{};  // zero at the start, where no step has been taken
    if (run_.steps > 0) stepper.balance(b);
    std::size_t i = 0;
    for (const S& x : {b.energy, b.energy_quadrature, b.force, b.velocity, b.impulse, b.jump, b.gap}) {
      S& most = run_.estimate_max[i++].values[0];
      most = math::max(most, math::abs(x));
      row_[c++] = x;
    }
  }
}

// The wanted times inside the step that was just taken.
template <class S>
void Recorder<S>::evaluate_inside(Stepper<S>& stepper, S h) {
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

// Closure variational: the node that the last step started from is complete with the node's total multiplier T:
// p = p^ - h e G^T T / 2, and the scheme's own lambda is T / 2 [Wenger2017, eq. 22]. Velocity, energy and hidden
// constraint are those of p.
template <class S>
void Recorder<S>::finish_late(Stepper<S>& stepper, long long k, S h) {
  waiting_ = false;
  const std::vector<S>& T = stepper.node_multiplier();
  const std::vector<S> G = stepper.constraint_jacobian(node_.q, node_.t);
  const std::size_t n = node_.q.size();
  for (std::size_t e = 0; e < T.size(); ++e)
    for (std::size_t i = 0; i < n; ++i) node_.p[i] -= h * stepper.node_weight() * G[e * n + i] * T[e] / S(2);
  const S work = work_ + stepper.node_work();
  stepper.observe(node_, seen_, waiting_row_ && !own_);
  for (std::size_t e = 0; own_ && e < T.size(); ++e) seen_.lambda[e] = T[e] / S(2);
  watch(node_, k, work);
  if (!waiting_row_) return;
  make_row(stepper, node_, node_iterations_, work);
  emit();
}

template <class S>
void Recorder<S>::save(std::vector<S>& out) const {
  for (const S& x :
       {S(rows_), S(waiting_ ? 1 : 0), S(waiting_row_ ? 1 : 0), S(node_iterations_), node_.t, work_, run_.supplied,
        run_.dissipated, run_.energy_initial, run_.energy_max_error, run_.constraint_max, run_.hidden_max})
    out.push_back(x);
  for (const auto* v : {&row_, &node_.q, &node_.p, &first_momenta_}) out.insert(out.end(), v->begin(), v->end());
  out.insert(out.end(), symmetry_defect_.begin(), symmetry_defect_.end());
  for (const auto* columns : {&run_.momentum_error, &run_.estimate_max})
    for (const Column<S>& column : *columns) out.push_back(column.values[0]);
  drift_.save(out);
  belief_.save(out);
  out.push_back(S(run_.dense.empty() ? 0 : static_cast<double>(run_.dense[0].values.size())));
  for (const Column<S>& column : run_.dense) out.insert(out.end(), column.values.begin(), column.values.end());
}

template <class S>
void Recorder<S>::restore(NumberReader<S>& from, const std::vector<RowSink<S>*>& sinks) {
  sinks_ = &sinks;
  from.take(rows_);
  waiting_ = from.next() != S(0);
  waiting_row_ = from.next() != S(0);
  from.take(node_iterations_);
  for (S* x : {&node_.t, &work_, &run_.supplied, &run_.dissipated, &run_.energy_initial, &run_.energy_max_error,
               &run_.constraint_max, &run_.hidden_max})
    from.take(*x);
  for (auto* v : {&row_, &node_.q, &node_.p, &first_momenta_}) from.take(*v);
  from.take(symmetry_defect_);
  for (auto* columns : {&run_.momentum_error, &run_.estimate_max})
    for (Column<S>& column : *columns) from.take(column.values[0]);
  drift_.restore(from);
  belief_.restore(from);
  run_.energy_range = S(belief_.range());
  const auto points = static_cast<std::size_t>(from.next());
  if (points > wanted_.size()) throw InputError("checkpoint: found more dense points than the span asks for");
  for (Column<S>& column : run_.dense) {
    column.values.resize(points);
    from.take(column.values);
  }
}

#define EXTREMAL_INSTANTIATE(S) template class Recorder<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
