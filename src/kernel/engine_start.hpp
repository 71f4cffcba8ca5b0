// Of PointEngine: how a motion begins – at a start, at a state, at a checkpoint, out of a lane.
//
// The numbers of a checkpoint are those of the motion, of the matrices, of what small steps and the other takers
// remember, and of the scales.
#pragma once

#include "kernel/engine.hpp"

namespace extremal {

template <class S>
void PointEngine<S>::put(const State<S>& state) {
  put(state, find_rank(system_, node_, state.q, state.t, false));
}

template <class S>
void PointEngine<S>::put(const State<S>& state, const Rank& rank) {
  motion_ = Motion<S>(system_.size());
  motion_.state = state;
  trace_.by = By::nobody;
  trace_.told = true;
  trace_.count = 0;
  branch_.forget();
  if (small_ != nullptr) small_->forget();
  regularise(rank.eps);
  equilibrate();
  close_ = node_.close_count();
  histories_.clear();
  for (const auto& taker : plan_.takers()) {
    taker->place(node_, motion_);
    taker->save(histories_);  // sizes them
  }
}

template <class S>
void PointEngine<S>::place(const State<S>& state) {
  put(state);
  find_velocity();
}

template <class S>
bool PointEngine<S>::set(int parameter, S value) {
  system_.set(Parameter{parameter}, Number::exactly(static_cast<quad>(value)));
  branch_.forget();
  bool fine = node_.set(parameter, value);
  for (const auto& taker : plan_.takers()) fine = fine && taker->set(parameter, value);
  if (fine && small_ != nullptr) small_->set(parameter, value);
  return fine;
}

template <class S>
std::unique_ptr<StepEngine<S>> PointEngine<S>::with(const System& system, bool started) const {
  auto other = std::make_unique<PointEngine>(system, scheme_);
  if (!started) return other;
  other->put(motion_.state);
  other->motion_.t_low = motion_.t_low;
  other->motion_.q_low = motion_.q_low;
  other->motion_.p_low = motion_.p_low;
  other->find_velocity();
  return other;
}

template <class S>
void PointEngine<S>::find_velocity() {
  p_ = motion_.state.p;
  node_.legendre(motion_.state.q.data(), motion_.state.t, p_.data(), motion_.v.data(), nullptr);
}

template <class S>
Consistency PointEngine<S>::start(const Start& start, S step) {
  StartSolver<S> solver(system_, node_);
  State<S> state;
  std::vector<S> velocity;
  const StartNumbers<S> given(start);
  Consistency found = solver.resolve(given, state, velocity);
  put(state, solver.rank());
  refuse_singular_mass(velocity);
  if (found.redundant > 0 && scheme_.declared.needs.independence)
    throw InputError("start: constraint \"" + found.dependent.front() + "\" depends on others; " + scheme_.name +
                     " needs independent ones; try a hamilton scheme, as spark(2)");
  motion_.v = velocity;
  if (!start.next.empty()) {
    const Galerkin* galerkin = scheme_.as<Galerkin>();
    if (galerkin == nullptr)
      throw InputError("start: two positions need a single hamilton member; " + scheme_.name + " is none; try q and v");
    found.position = std::max(found.position, solver.two_positions(given, step, *galerkin, state));
    place(state);
  }
  return found;
}

// The velocity of a ggl step is explicit, and phase_space has that of any momentum: they need M^-1, not only on the
// tangent space. energy_momentum conserves the kinetic energy that belongs to p off the tangent space, which exists
// where coordinates have no inertia, but not where a combination of some has none.
template <class S>
void PointEngine<S>::refuse_singular_mass(const std::vector<S>& velocity) {
  const Needs& needs = scheme_.declared.needs;
  const bool inverted = plan_.has(Remedy::rattle) || needs.inertia;
  if (!needs.regular_mass || system_.has(Role::hamiltonian)) return;
  const State<S>& state = motion_.state;
  std::vector<S> v = velocity;
  p_ = state.p;
  const bool regular = node_.legendre(state.q.data(), state.t, p_.data(), v.data(), nullptr, true);
  if (regular && (!inverted || node_.massless() < 0)) return;
  const std::string which = regular ? "coordinate \"" + system_.coordinate_names()[sz(node_.massless())] + "\""
                                    : std::string("a combination of coordinates");
  throw InputError(system_.name() + ": " + which + " has no inertia of its own; " + scheme_.name +
                   " needs a regular mass matrix; try rattle, or spark(2)");
}

template <class S>
Checkpoint<S> PointEngine<S>::save() const {
  Checkpoint<S> out;
  std::vector<S>& numbers = out.numbers;
  motion_.save(numbers);
  const std::vector<double>& scales = node_.scales();
  for (const S x : {S(static_cast<int>(trace_.by)), S(eps_), S(close_), S(node_.suitable_eps()),
                    S(static_cast<double>(scales.size()))})
    numbers.push_back(x);
  if (small_ != nullptr) {
    small_->save_turns(numbers);
    small_->save(numbers);
  }
  for (const auto& taker : plan_.takers()) taker->save(numbers);
  numbers.insert(numbers.end(), scales.begin(), scales.end());
  return out;
}

template <class S>
void PointEngine<S>::restore(const Checkpoint<S>& checkpoint) {
  const S* from = motion_.restore(checkpoint.numbers.data());
  trace_.by = static_cast<By>(static_cast<int>(*from++));
  trace_.told = true;
  trace_.count = 0;
  branch_.forget();
  regularise(static_cast<double>(*from++));
  close_ = static_cast<int>(*from++);
  node_.suitable_eps(static_cast<double>(*from++));
  std::vector<double> scales(sz(static_cast<int>(*from++)));
  if (small_ != nullptr) from = small_->restore(small_->restore_turns(from));
  for (const auto& taker : plan_.takers()) from = taker->restore(from);
  for (double& x : scales) x = static_cast<double>(*from++);
  if (scales == node_.scales()) return;
  node_.equilibrate(scales);
  equilibrate();
}

template <class S>
void PointEngine<S>::lend(std::vector<S>& out) const {
  out.clear();
  motion_.save(out);
  small_->save(out);
}

template <class S>
void PointEngine<S>::take_back(const std::vector<S>& numbers, long steps) {
  small_->restore(motion_.restore(numbers.data()));
  small_->taken(steps);
  trace_.by = By::small;
  trace_.told = true;
  trace_.count = 0;
}

}  // namespace extremal
