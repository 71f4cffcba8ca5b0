#include "kernel/member_start.hpp"

#include <algorithm>

#include "kernel/start_solver.hpp"
#include "numbers/index.hpp"
#include "system/diagnosis.hpp"

namespace extremal {

MemberStart::MemberStart(const Members& members)
    : members_(members), a_(sz(members.system.size())), base_(members.start) {
  for (const Number& p : members.system.parameters()) own_parameters_.push_back(p.as<double>());
  shapes_.assign(own_parameters_.size(), false);
  for (const auto& term : members.system.terms())
    if (term->role == Role::constraint || (term->velocity() && term->role != Role::force))
      for (const int parameter : term->depends_on) shapes_[sz(parameter)] = true;
}

bool MemberStart::same_shape(const std::vector<double>& a, const std::vector<double>& b) const {
  for (std::size_t k = 0; k < a.size(); ++k)
    if (shapes_[k] && a[k] != b[k]) return false;
  return true;
}

const std::vector<double>& MemberStart::parameters(std::size_t member) {
  parameters_ = own_parameters_;
  for (const Varied& one : members_.varied)
    if (one.kind == Varied::Kind::parameter) parameters_[one.index] = one.values[member * one.stride];
  return parameters_;
}

void MemberStart::bind(std::size_t member) {
  parameters(member);
  if (node_ != nullptr && parameters_ == bound_) return;
  bool set = node_ != nullptr && same_shape(parameters_, bound_);
  for (std::size_t k = 0; set && k < parameters_.size(); ++k)
    if (parameters_[k] != bound_[k]) set = node_->evaluation().set(static_cast<int>(k), parameters_[k]);
  if (set) node_->regularise(0);
  if (!set && (node_ == nullptr || !node_->set(parameters_)))
    node_ = std::make_unique<NodeSolver<double>>(members_.system_of(member));
  bound_ = parameters_;
}

bool MemberStart::start(std::size_t member, Begun& out) {
  const System& system = members_.system;
  const std::size_t n = sz(system.size());
  numbers_ = base_;
  for (const Varied& one : members_.varied) {
    if (one.kind == Varied::Kind::parameter) continue;
    if (one.kind == Varied::Kind::velocity) numbers_.p.clear(), numbers_.next.clear();
    if (one.kind == Varied::Kind::momentum) numbers_.v.clear(), numbers_.next.clear();
    std::vector<double>& list = one.kind == Varied::Kind::position   ? numbers_.q
                                : one.kind == Varied::Kind::velocity ? numbers_.v
                                                                     : numbers_.p;
    list.resize(n);
    list[one.index] = one.values[member * one.stride];
  }
  if (!numbers_.next.empty()) return false;
  bind(member);
  refuse_not_finite(system, parameters_, numbers_);
  const auto same_start = [&] {
    const StartNumbers<double>& x = last_numbers_;
    return resolved_ && x.q == numbers_.q && x.v == numbers_.v && x.p == numbers_.p &&
           same_shape(parameters_, last_parameters_);
  };
  if (same_start()) {
    node_->equilibrate(last_.scales);
  } else {
    resolved_ = false;
    last_.motion = Motion<double>(system.size());
    last_.consistency = StartSolver<double>(system, *node_).resolve(numbers_, last_.motion.state, last_.motion.v);
    last_.scales = node_->scales();
    last_numbers_ = numbers_;
    last_parameters_ = parameters_;
    resolved_ = true;
  }
  out.motion = last_.motion;
  out.consistency = last_.consistency;
  out.scales = last_.scales;
  const State<double>& state = out.motion.state;
  if (out.consistency.redundant > 0) return false;
  // With momenta given, terms of the velocity have not been looked at; engines do, and say what they find.
  if (!numbers_.p.empty() &&
      !find_not_finite<double>(system, parameters_, {state.t, state.q.data(), out.motion.v.data(), state.p.data()},
                               Derivatives::first)
           .empty())
    return false;
  out.lambda.resize(sz(system.constraint_count()));
  return out.lambda.empty() ||
         node_->acceleration(state.q.data(), out.motion.v.data(), state.t, a_.data(), out.lambda.data());
}

bool MemberStart::multipliers(std::size_t member, const std::vector<double>& scales, double t, const double* q,
                              const double* v, double* lambda) {
  if (members_.system.constraint_count() == 0) return true;
  bind(member);
  node_->equilibrate(scales);
  return node_->acceleration(q, v, t, a_.data(), lambda);
}

}  // namespace extremal
