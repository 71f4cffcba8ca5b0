#include "extremal/stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "extremal/error.hpp"
#include "kernel/step_engine.hpp"
#include "numbers/index.hpp"
#include "scheme/family.hpp"
#include "system/diagnosis.hpp"
#include "words/grammar.hpp"

namespace extremal {

namespace {

constexpr const char* overflow_advice = "; try a shorter step";

int parameter_index(const System& system, std::string_view name) {
  const std::vector<std::string>& all = system.parameter_names();
  const auto found = std::find(all.begin(), all.end(), name);
  if (found == all.end())
    throw InputError("stepper: " + system.name() + ": " + unknown("parameter", std::string(name), all));
  return static_cast<int>(found - all.begin());
}

}  // namespace

template <class S>
std::unique_ptr<StepEngine<S>> make_engine(const System& system, const Scheme& scheme) {
  return on_rotations(scheme) ? make_lie_engine<S>(system, scheme) : make_point_engine<S>(system, scheme);
}
template std::unique_ptr<StepEngine<double>> make_engine(const System&, const Scheme&);
template std::unique_ptr<StepEngine<long double>> make_engine(const System&, const Scheme&);
template std::unique_ptr<StepEngine<quad>> make_engine(const System&, const Scheme&);

template <class S>
Stepper<S>::Stepper(const System& system, const Scheme& scheme) : Stepper(make_engine<S>(system, scheme)) {}
template <class S>
Stepper<S>::Stepper(std::unique_ptr<StepEngine<S>> engine) : engine_(std::move(engine)) {}
template <class S>
Stepper<S>::~Stepper() = default;
template <class S>
Stepper<S>::Stepper(Stepper&&) noexcept = default;
template <class S>
Stepper<S>& Stepper<S>::operator=(Stepper&&) noexcept = default;

template <class S>
void Stepper<S>::refuse_unstarted() const {
  if (!started_) throw InputError("stepper: has no state yet; expected start, place or restore before anything else");
}
template <class S>
void Stepper<S>::refuse_size(const char* what, std::size_t found) const {
  const System& system = engine_->system();
  if (found != sz(system.size()))
    throw InputError(fmt::format("stepper: {} has {} values; {} has {} coordinates ({})", what, found, system.name(),
                                 system.size(), fmt::join(system.coordinate_names(), ", ")));
}

template <class S>
Consistency Stepper<S>::start(const Start& start, S step) {
  const System& system = engine_->system();
  refuse_not_finite<S>(system, start);
  started_ = false;
  Consistency found = engine_->start(start, step);
  started_ = true;
  // With momenta given, terms of the velocity have not been looked at.
  if (std::string text; (!start.p.empty() || !start.next.empty()) && !(text = not_finite()).empty())
    throw InputError("start: " + text + "; expected a start at which all terms and their derivatives are finite");
  return found;
}
template <class S>
void Stepper<S>::threads(int number) {
  if (number < 1) throw InputError(fmt::format("stepper: found {} threads; expected 1 or more", number));
  engine_->threads(number);
}
template <class S>
void Stepper<S>::place(const State<S>& state) {
  refuse_size("q", state.q.size());
  refuse_size("p", state.p.size());
  const int n = engine_->system().size();
  if (!math::finite(largest(state.q.data(), n) + largest(state.p.data(), n) + state.t))
    throw InputError("stepper: a state to be placed is not finite; expected finite t, q and p");
  engine_->place(state);
  started_ = true;
}
template <class S>
void Stepper<S>::set(std::string_view parameter, S value) {
  const int index = parameter_index(engine_->system(), parameter);
  if (!math::finite(value))
    throw InputError("stepper: parameter " + quoted(parameter) + " is to be no finite number; expected one");
  if (engine_->set(index, value)) return;
  System changed = engine_->system();
  changed.set(Parameter{index}, Number::exactly(static_cast<quad>(value)));
  engine_ = engine_->with(changed, started_);
}
template <class S>
S Stepper<S>::parameter(std::string_view name) const {
  const System& system = engine_->system();
  return system.parameters()[sz(parameter_index(system, name))].template as<S>();
}
template <class S>
const State<S>& Stepper<S>::state() const {
  return engine_->state();
}
template <class S>
StepReport Stepper<S>::step(S h) {
  refuse_unstarted();
  if (!math::finite(h) || h == S(0))
    throw InputError(fmt::format("stepper: step {}; expected a finite one other than 0", static_cast<double>(h)));
  StepReport report = engine_->step(h);
  if (!report.converged && !report.known) diagnose(h, report);
  return report;
}

template <class S>
std::string Stepper<S>::not_finite() const {
  refuse_unstarted();
  const State<S>& at = engine_->state();
  return find_not_finite<S>(engine_->system(), {at.t, at.q.data(), engine_->velocity().data(), at.p.data()},
                            Derivatives::first, overflow_advice);
}

// Terms are looked at where the step began, on the straight way from there, and where the kernel was last. Newton's
// method may stall for reasons of its own: what is on the way then is told beside them.
template <class S>
void Stepper<S>::diagnose(S h, StepReport& report) const {
  const System& system = engine_->system();
  const State<S> from = engine_->state();
  const std::vector<S> v = engine_->velocity();
  const int n = system.size();
  std::string found;
  const auto look = [&](S t, const S* q, const S* w) {
    if (found.empty() && math::finite(largest(q, n)) && (w == nullptr || math::finite(largest(w, n))))
      found = find_not_finite<S>(system, {t, q, w, from.p.data()}, Derivatives::second, overflow_advice);
  };
  const auto walk = [&](int first, int last) {
    std::vector<S> q = from.q;
    for (int k = first; k <= last && found.empty(); ++k) {
      const S part = S(k) / S(32) * h;
      for (std::size_t i = 0; i < q.size(); ++i) q[i] = from.q[i] + part * v[i];
      look(from.t + part, q.data(), v.data());
    }
  };
  look(from.t, from.q.data(), v.data());
  if (!report.finite || !report.stalled) walk(1, 32);
  for (const Visited<S>& visited : engine_->visited())
    for (int k = 0; k < visited.count; ++k)
      look(visited.t[k], visited.q + k * n, visited.v == nullptr ? nullptr : visited.v + k * n);
  if (!report.finite) walk(33, 128);
  if (report.finite && report.stalled && found.empty()) {
    walk(1, 32);
    if (!found.empty()) report.worst += "; on the straight way " + found;
    return;
  }
  if (!found.empty())
    report.worst = found;
  else if (!report.finite)
    report.worst = "the equations of the step are not finite (" + report.worst + ")";
  report.finite = report.finite && found.empty();
}

template <class S>
void Stepper<S>::observe(Observation<S>& out, bool multipliers) const {
  refuse_unstarted();
  engine_->observe(out, multipliers);
}
template <class S>
void Stepper<S>::observe(const State<S>& state, Observation<S>& out, bool multipliers) const {
  engine_->observe(state, out, multipliers);
}
template <class S>
Observation<S> Stepper<S>::observe() const {
  Observation<S> out;
  observe(out, true);
  return out;
}
template <class S>
bool Stepper<S>::end_multiplier(std::vector<S>& out) const {
  refuse_unstarted();
  return engine_->end_multiplier(out);
}
template <class S>
std::vector<S> Stepper<S>::constraint_jacobian(const std::vector<S>& q, S t) const {
  refuse_size("q", q.size());
  return engine_->constraint_jacobian(q, t);
}
template <class S>
std::vector<S> Stepper<S>::constraint_norms(const std::vector<S>& q, S t) const {
  refuse_size("q", q.size());
  std::vector<S> out;
  engine_->constraint_norms(q, t, out);
  return out;
}
template <class S>
void Stepper<S>::hidden(const std::vector<S>& q, const std::vector<S>& v, S t, std::vector<S>& out) const {
  refuse_size("q", q.size());
  refuse_size("v", v.size());
  engine_->hidden(q, v, t, out);
}
template <class S>
bool Stepper<S>::gamma(std::vector<S>& out) const {
  const Trace<S>& trace = engine_->trace();
  if (trace.gamma.empty() || trace.h == S(0)) return false;
  out = trace.gamma;
  for (S& x : out) x /= trace.h;
  return true;
}
template <class S>
double Stepper<S>::symmetry_defect(int index) const {
  refuse_unstarted();
  const auto& terms = engine_->system().terms();
  const auto count =
      std::count_if(terms.begin(), terms.end(), [](const auto& term) { return term->role == Role::symmetry; });
  if (index < 0 || index >= count)
    throw InputError(
        fmt::format("stepper: symmetry {}; {} has {}, counted from 0", index, engine_->system().name(), count));
  return engine_->symmetry_defect(index);
}
template <class S>
const std::vector<S>& Stepper<S>::multipliers() const {
  return engine_->trace().multipliers;
}
template <class S>
const std::vector<S>& Stepper<S>::multiplier_nodes() const {
  return engine_->trace().multiplier_nodes;
}
template <class S>
const std::vector<S>& Stepper<S>::node_multiplier() const {
  return engine_->trace().node_multiplier;
}
template <class S>
S Stepper<S>::node_weight() const {
  return engine_->trace().node_weight;
}
template <class S>
S Stepper<S>::node_work() const {
  return engine_->trace().node_work;
}
template <class S>
std::vector<S> Stepper<S>::tangent() const {
  refuse_unstarted();
  return engine_->tangent();
}
template <class S>
S Stepper<S>::action() const {
  return engine_->trace().action;
}
template <class S>
S Stepper<S>::work() const {
  return engine_->work().done;
}
template <class S>
S Stepper<S>::supplied() const {
  return engine_->work().supplied;
}
template <class S>
void Stepper<S>::dense(S c, DensePoint<S>& out) const {
  engine_->dense(c, out);
}
template <class S>
bool Stepper<S>::balance(StepBalance<S>& out) const {
  return engine_->balance(out);
}
template <class S>
Checkpoint<S> Stepper<S>::save() const {
  return engine_->save();
}
template <class S>
void Stepper<S>::restore(const Checkpoint<S>& checkpoint) {
  // That of a Run goes on with its own numbers.
  if (numbers_ == 0) numbers_ = engine_->save().numbers.size();
  if (checkpoint.numbers.size() < numbers_)
    throw InputError(fmt::format("stepper: a checkpoint of {} numbers; expected {}, of the same system and scheme",
                                 checkpoint.numbers.size(), numbers_));
  engine_->restore(checkpoint);
  started_ = true;
}

template class Stepper<double>;
template class Stepper<long double>;
template class Stepper<quad>;

}  // namespace extremal
