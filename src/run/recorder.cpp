#include "run/recorder.hpp"

#include <algorithm>

#include "numbers/instantiate.hpp"
#include "run/span.hpp"
#include "system/evaluation.hpp"

namespace extremal {

namespace {

constexpr long long paced_places = 1LL << 20U;
// A property of the system, which more rows would not tell better.
constexpr long long looks_at_symmetries = 256;

}  // namespace

template <class S>
Recorder<S>::Recorder(const System& system, const Scheme& scheme, const Span& span,
                      const std::vector<Observer>& observers, Run<S>& run, long long steps)
    : system_(system),
      run_(run),
      own_(reports_own(scheme, span)),
      columns_(system, scheme, span, observers),
      worked_(does_work(system)),
      steps_(span.pace == Pace::none ? steps : paced_places),
      span_(span),
      stride_(span.pace == Pace::none ? 1 + steps / span.every / looks_at_symmetries : 1),
      joints_(system),
      drift_(steps_),
      belief_(steps_, system.size(), scheme.declared.momentum == EndMomentum::drifting),
      late_(scheme.declared.multiplier == EndMultiplier::late && system.constraint_count() > 0) {
  const std::vector<ColumnInfo>& infos = columns_.infos();
  const auto &coordinates = system.coordinate_names(), &constraints = system.constraint_names();
  for (const Number& x : system.parameters()) parameters_.push_back(x.template as<S>());
  for (const auto& term : system.terms())
    if (term->role == Role::symmetry) run_.momentum_error.push_back({term->name, {S(0)}});
  for (std::size_t i = 0; i < columns_.estimated().count; ++i)
    run_.estimate_max.push_back({infos[columns_.estimated().first + i].name, {S(0)}});
  row_.assign(infos.size(), S(0));
  node_.q.assign(coordinates.size(), S(0));
  node_.p = node_.q;
  first_momenta_.assign(run_.momentum_error.size(), S(0));
  symmetry_defect_.assign(run_.momentum_error.size(), 0.0);
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
  stepper.observe(seen_, columns_.needs_multipliers());
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
    node_h_ = h;
    node_iterations_ = iterations;
    waiting_ = true;
    waiting_row_ = output;
    return true;
  }
  stepper.observe(seen_, output && !own_ && columns_.needs_multipliers());
  if (!math::finite(seen_.energy())) return false;
  watch(stepper.state(), k, work_);
  if (!output) return true;
  if (own_) stepper.end_multiplier(seen_.lambda);
  make_row(stepper, stepper.state(), iterations, work_);
  // All runs have the same times, wherever in the last digit of t they land.
  if (has_row_times(span_)) row_.front() = span_.until.template as<S>();
  emit();
  return true;
}

template <class S>
bool Recorder<S>::inside(Stepper<S>& there, S t, int iterations) {
  there.observe(seen_, !own_ && columns_.needs_multipliers());
  if (!math::finite(seen_.energy())) return false;
  if (own_) there.end_multiplier(seen_.lambda);
  const State<S>& state = there.state();
  joints_.look(t, state.q, seen_.v);
  make_row(there, state, iterations, worked_ ? work_ + there.work() : work_);
  row_.front() = t;  // as it was asked for, not as rounding shows it
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
    joints_.look(node_.t, node_.q, seen_.v);
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
long long Recorder<S>::place(long long k, S t) const {
  if (span_.pace == Pace::none) return k;
  const S begin = run_.start.t.template as<S>(), end = span_.until.template as<S>();
  return static_cast<long long>(static_cast<double>((t - begin) / (end - begin)) * static_cast<double>(steps_));
}

template <class S>
void Recorder<S>::watch(const State<S>& state, long long k, S work) {
  const S error = seen_.energy() - work - run_.energy_initial;
  joints_.look(state.t, state.q, seen_.v);
  run_.energy_max_error = math::max(run_.energy_max_error, math::abs(error));
  run_.constraint_max = math::max(run_.constraint_max, seen_.constraint);
  run_.hidden_max = math::max(run_.hidden_max, seen_.hidden);
  for (std::size_t i = 0; i < seen_.momenta.size(); ++i) {
    S& worst = run_.momentum_error[i].values[0];
    worst = math::max(worst, math::abs(seen_.momenta[i] - first_momenta_[i]));
  }
  const long long here = place(k, state.t);
  drift_.add(here, static_cast<double>(state.t), static_cast<double>(error));
  belief_.add(k, here, state, seen_, error);
  run_.energy_range = S(belief_.range());
}

template <class S>
void Recorder<S>::make_row(Stepper<S>& stepper, const State<S>& state, int iterations, S work) {
  StepperAsked<S> asked(stepper);
  columns_.fill({asked, state, seen_, parameters_, iterations, work, run_.energy_initial, run_.steps > 0, &joints_},
                row_);
  const bool looks = columns_.needs_symmetries() && rows_ % stride_ == 0;
  for (std::size_t i = 0; looks && i < symmetry_defect_.size(); ++i)
    symmetry_defect_[i] = math::max(symmetry_defect_[i], stepper.symmetry_defect(static_cast<int>(i)));
  for (std::size_t i = 0; i < run_.estimate_max.size(); ++i) {
    S& most = run_.estimate_max[i].values[0];
    most = math::max(most, math::abs(row_[columns_.estimated().first + i]));
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
// p = p^ - h e G^T T / 2, and the scheme's own lambda is T / 2 [Wenger2017, eq. 22]. Where the steps beside the node,
// h_0 and h, differ, h T is (h_0 + h) lambda and p = p^ - h_0 e G^T lambda. Velocity, energy and hidden constraint are
// those of p.
template <class S>
void Recorder<S>::finish_late(Stepper<S>& stepper, long long k, S h) {
  waiting_ = false;
  const std::vector<S>& T = stepper.node_multiplier();
  const std::vector<S> G = stepper.constraint_jacobian(node_.q, node_.t);
  const std::size_t n = node_.q.size();
  const S part = node_h_ == h ? S(1) / S(2) : h / (node_h_ + h);  // lambda of T
  for (std::size_t e = 0; e < T.size(); ++e)
    for (std::size_t i = 0; i < n; ++i) node_.p[i] -= node_h_ * stepper.node_weight() * G[e * n + i] * part * T[e];
  // node_work() is half of the work of T.
  const S work = work_ + stepper.node_work() * (node_h_ == h ? S(1) : S(2) * node_h_ / (node_h_ + h));
  stepper.observe(node_, seen_, waiting_row_ && !own_);
  for (std::size_t e = 0; own_ && e < T.size(); ++e) seen_.lambda[e] = part * T[e];
  watch(node_, k, work);
  if (!waiting_row_) return;
  make_row(stepper, node_, node_iterations_, work);
  emit();
}

template <class S>
void Recorder<S>::save(std::vector<S>& out) const {
  carried(*this, [&](const auto& x) {
    if constexpr (requires { x.begin(); })
      for (const auto& one : x) out.push_back(S(one));
    else
      out.push_back(S(x));
  });
  drift_.save(out);
  belief_.save(out);
  out.push_back(S(run_.dense.empty() ? 0 : static_cast<double>(run_.dense[0].values.size())));
  for (const Column<S>& column : run_.dense) out.insert(out.end(), column.values.begin(), column.values.end());
}

template <class S>
void Recorder<S>::restore(NumberReader<S>& from, const std::vector<RowSink<S>*>& sinks) {
  sinks_ = &sinks;
  carried(*this, [&](auto& x) { from.take(x); });
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
