#include "extremal/stepper.hpp"

#include "kernel/step_engine.hpp"

namespace extremal {

namespace {

bool of_lie(const Scheme& scheme) {
  return scheme.composed() ? of_lie(scheme.substeps.front().scheme) : scheme.family == Family::lie;
}

}  // namespace

template <class S>
std::unique_ptr<StepEngine<S>> make_engine(const System& system, const Scheme& scheme) {
  return of_lie(scheme) ? make_lie_engine<S>(system, scheme) : make_point_engine<S>(system, scheme);
}
template std::unique_ptr<StepEngine<double>> make_engine(const System&, const Scheme&);

template <class S>
Stepper<S>::Stepper(const System& system, const Scheme& scheme) : engine_(make_engine<S>(system, scheme)) {}
template <class S>
Stepper<S>::~Stepper() = default;
template <class S>
Stepper<S>::Stepper(Stepper&&) noexcept = default;
template <class S>
Stepper<S>& Stepper<S>::operator=(Stepper&&) noexcept = default;

template <class S>
Consistency Stepper<S>::start(const Start& start, S step) {
  return engine_->start(start, step);
}
template <class S>
void Stepper<S>::place(const State<S>& state) {
  engine_->place(state);
}
template <class S>
const State<S>& Stepper<S>::state() const {
  return engine_->state();
}
template <class S>
StepReport Stepper<S>::step(S h) {
  return engine_->step(h);
}
template <class S>
void Stepper<S>::observe(Observation<S>& out, bool multipliers) {
  engine_->observe(out, multipliers);
}
template <class S>
void Stepper<S>::observe(const State<S>& state, Observation<S>& out, bool multipliers) {
  engine_->observe(state, out, multipliers);
}
template <class S>
Observation<S> Stepper<S>::observe() {
  Observation<S> out;
  engine_->observe(out, true);
  return out;
}
template <class S>
std::vector<S> Stepper<S>::constraint_jacobian(const std::vector<S>& q, S t) {
  return engine_->constraint_jacobian(q, t);
}
template <class S>
std::vector<S> Stepper<S>::constraint_norms(const std::vector<S>& q, S t) {
  std::vector<S> out;
  engine_->constraint_norms(q, t, out);
  return out;
}
template <class S>
double Stepper<S>::symmetry_defect(int index) {
  return engine_->symmetry_defect(index);
}
template <class S>
const std::vector<S>& Stepper<S>::multipliers() const {
  return engine_->multipliers();
}
template <class S>
const std::vector<S>& Stepper<S>::multiplier_nodes() const {
  return engine_->multiplier_nodes();
}
template <class S>
const std::vector<S>& Stepper<S>::node_multiplier() const {
  return engine_->node_multiplier();
}
template <class S>
S Stepper<S>::node_weight() const {
  return engine_->node_weight();
}
template <class S>
S Stepper<S>::node_work() const {
  return engine_->node_work();
}
template <class S>
std::vector<S> Stepper<S>::tangent() {
  return engine_->tangent();
}
template <class S>
S Stepper<S>::action() const {
  return engine_->action();
}
template <class S>
S Stepper<S>::work() const {
  return engine_->work();
}
template <class S>
S Stepper<S>::supplied() const {
  return engine_->supplied();
}
template <class S>
void Stepper<S>::dense(S c, DensePoint<S>& out) {
  engine_->dense(c, out);
}
template <class S>
bool Stepper<S>::balance(StepBalance<S>& out) {
  return engine_->balance(out);
}
template <class S>
Checkpoint<S> Stepper<S>::save() const {
  return engine_->save();
}
template <class S>
void Stepper<S>::restore(const Checkpoint<S>& checkpoint) {
  engine_->restore(checkpoint);
}

template class Stepper<double>;
template class Stepper<long double>;
template class Stepper<quad>;

}  // namespace extremal
