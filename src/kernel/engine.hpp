// PointEngine: a motion on the coordinates as they are, and the takers that advance it.
//
// A step is taken by the small taker where it can (small/taker.hpp), otherwise in the ways of the Plan, one after the
// other: the report says which, and why not the first. Everything that is asked of it afterwards is in the Trace.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "extremal/error.hpp"
#include "kernel/branch.hpp"
#include "kernel/fitness.hpp"
#include "kernel/plan.hpp"
#include "kernel/rank.hpp"
#include "kernel/start_solver.hpp"
#include "kernel/step_engine.hpp"
#include "numbers/index.hpp"
#include "small/taker.hpp"

namespace extremal {

template <class S>
class PointEngine final : public StepEngine<S> {
  using By = typename Trace<S>::By;

 public:
  PointEngine(const System& system, const Scheme& scheme);

  const System& system() const override { return system_; }
  const State<S>& state() const override { return motion_.state; }
  const std::vector<S>& velocity() const override { return motion_.v; }

  // engine_start.hpp
  Consistency start(const Start& start, S step) override;
  void place(const State<S>& state) override;
  Checkpoint<S> save() const override;
  void restore(const Checkpoint<S>& checkpoint) override;
  bool has_small_steps() const override { return small_ != nullptr; }
  bool in_small_steps() const override { return trace_.by == By::small && !small_->resting(); }
  void lend(std::vector<S>& out) const override;
  void take_back(const std::vector<S>& numbers, long steps) override;

  StepReport step(S h) override;
  bool set(int parameter, S value) override;
  std::unique_ptr<StepEngine<S>> with(const System& system, bool started) const override;

  // engine_look.hpp
  void observe(Observation<S>& out, bool multipliers) const override;
  void observe(const State<S>& state, Observation<S>& out, bool multipliers) const override;
  std::vector<S> constraint_jacobian(const std::vector<S>& q, S t) const override;
  void constraint_norms(const std::vector<S>& q, S t, std::vector<S>& out) const override;
  void hidden(const std::vector<S>& q, const std::vector<S>& v, S t, std::vector<S>& out) const override;
  double symmetry_defect(int index) const override;

  // engine_trace.hpp
  const Trace<S>& trace() const override;
  Work<S> work() const override;
  bool end_multiplier(std::vector<S>& out) const override;
  std::vector<S> tangent() const override;
  void dense(S c, DensePoint<S>& out) const override;
  bool balance(StepBalance<S>& out) const override;
  std::vector<Visited<S>> visited() const override;

 private:
  using Way = typename Plan<S>::Way;

  static const System& fit(const System& system, const Scheme& scheme) {
    refuse_unfit(system, scheme);
    return system;
  }
  void put(const State<S>& state);
  void put(const State<S>& state, const Rank& rank);
  void refuse_singular_mass(const std::vector<S>& velocity);
  void regularise(double eps);
  void equilibrate();
  void find_velocity();
  bool take_small(S h, StepReport& report);
  void attempt(const Way& way, S h, StepReport& report);
  void advance(TracePart<S>& part, StepReport& report);
  void begin_trace(S h);
  void go_back();
  std::string singular_name() const;
  bool is_finite() const;
  void free_velocity(const State<S>& state, std::vector<S>& v) const;
  void find_multipliers(const State<S>& state, const std::vector<S>& v, Observation<S>& out, bool wanted) const;
  void look(const State<S>& state, Observation<S>& out) const;
  void add_projection_work(const TracePart<S>& part) const;
  // Where a part of the trace ended.
  struct End {
    S t;
    const std::vector<S>*q, *p, *v;
  };
  End end_of(std::size_t part) const;
  void project_tangent(const End& end, const std::vector<S>& nu, const std::vector<int>& dependent,
                       std::vector<S>& part) const;

  System system_;
  Scheme scheme_;
  Plan<S> plan_;
  std::unique_ptr<SmallTaker<S>> small_;  // null where steps are not small
  Motion<S> motion_;
  std::vector<S> histories_;    // of the takers, before the last step
  mutable Trace<S> trace_;      // of a small step it is completed when it is asked for
  mutable NodeSolver<S> node_;  // whose memory is what it was asked last
  BranchWatch<S> branch_;
  double eps_ = 0;                // regularisation of the matrices
  int close_ = 0;                 // pivots that are small from the start
  mutable std::vector<S> p_, a_;  // of use within a function only
};

template <class S>
PointEngine<S>::PointEngine(const System& system, const Scheme& scheme)
    : system_(fit(system, scheme)),
      scheme_(scheme),
      plan_(system, scheme),
      motion_(system.size()),
      node_(system),
      branch_(system) {
  const std::size_t n = sz(system.size()), m = sz(system.constraint_count());
  for (auto* v : {&p_, &a_}) v->assign(n, S(0));
  trace_.before = motion_;
  trace_.parts.resize(plan_.most_substeps());
  std::size_t most = 0;
  for (const auto& taker : plan_.takers()) {
    most = std::max(most, taker->size());
    taker->expect(plan_.most_substeps());
    if (taker->kicks()) branch_.rest();
  }
  for (TracePart<S>& part : trace_.parts) {
    for (auto* v : {&part.q, &part.p, &part.v, &part.dq, &part.dp}) v->assign(n, S(0));
    for (auto* v : {&part.nu, &part.lambda0, &part.carried}) v->assign(m, S(0));
    part.x.reserve(most);
  }
  for (auto* v : {&trace_.multipliers, &trace_.multiplier_nodes}) v->reserve(most + m);
  trace_.node_multiplier.assign(m, S(0));
  if (scheme.declared.gamma) trace_.gamma.assign(m, S(0));
  trace_.multiplier_nodes = plan_.last().multiplier_nodes();
  trace_.multipliers.assign(trace_.multiplier_nodes.size() * m, S(0));
  const auto works = [](const auto& term) { return does_work(*term); };
  if (std::any_of(system.terms().begin(), system.terms().end(), works))
    trace_.sources.assign(sz(node_.evaluation().source_count()), S(0));
  // Small steps do not watch branches.
  if (branch_.is_needed()) return;
  std::vector<S> parameters;
  for (const Number& p : system_.parameters()) parameters.push_back(p.as<S>());
  small_ = SmallTaker<S>::make(system_, parameters, small_plan<S>(scheme_));
}

template <class S>
StepReport PointEngine<S>::step(S h) {
  StepReport report;
  if (take_small(h, report)) return report;
  StepReport first;
  trace_.before.copy(motion_);
  histories_.clear();
  for (const auto& taker : plan_.takers()) taker->save(histories_);
  const double eps = eps_;
  for (const Way& way : plan_.ways()) {
    // No matrix finds a root that is not there.
    if (way.remedy == Remedy::regularised && first.refused == Trouble::fold) continue;
    if (way.remedy != Remedy::none) {
      go_back();
      regularise(eps > 0 ? eps / 10 : node_.suitable_eps());
      ++report.retries;
    }
    attempt(way, h, report);
    if (report.converged) {
      report.remedy = way.remedy;
      break;
    }
    if (way.remedy == Remedy::none) first = report;
  }
  if (report.retries > 0) {
    regularise(eps);
    report.refused = first.refused != Trouble::none ? first.refused
                     : !first.finite                ? Trouble::not_finite
                     : first.stalled                ? Trouble::stalled
                                                    : Trouble::singular;
    if (!report.converged) {
      report.worst = first.worst;
      report.residual = first.residual;
      report.correction = first.correction;
      report.stalled = first.stalled;
      report.finite = first.finite;
    }
  }
  if (report.converged)
    motion_.pass(trace_.before.state.t, h);
  else
    go_back();
  return report;
}

// False, and nothing has happened, if another taker has to take the step. The others then begin without histories.
// In line, as a small step takes few more instructions than to call it and to come back.
template <class S>
[[gnu::always_inline]] inline bool PointEngine<S>::take_small(S h, StepReport& report) {
  if (small_ == nullptr || eps_ > 0 || small_->rests()) return false;
  trace_.before.copy(motion_);
  const bool fine = small_->step(motion_, h, [&](S t, const S* q, const S* v, S* lambda) {
    return system_.constraint_count() == 0 || node_.acceleration(q, v, t, a_.data(), lambda);
  });
  report.iterations += small_->iterations();
  if (!fine) {
    motion_.copy(trace_.before);
    small_->refused();
    for (const auto& taker : plan_.takers()) taker->place(node_, motion_);
    return false;
  }
  small_->taken(1);
  motion_.pass(trace_.before.state.t, h);
  trace_.by = By::small;
  trace_.told = false;
  trace_.h = h;
  report.residual = static_cast<double>(small_->residual());
  report.converged = true;
  return true;
}

template <class S>
void PointEngine<S>::begin_trace(S h) {
  trace_.by = By::general;
  trace_.told = true;
  trace_.h = h;
  trace_.count = 0;
  trace_.action = S(0);
  for (auto* sums : {&trace_.sources, &trace_.gamma}) std::fill(sums->begin(), sums->end(), S(0));
}

// Leaves the motion wherever it gets.
template <class S>
void PointEngine<S>::attempt(const Way& way, S h, StepReport& report) {
  if (branch_.is_needed()) branch_.begin(node_, motion_);
  begin_trace(h);
  const S t0 = motion_.state.t;
  S fraction(0);
  report.converged = false;
  report.refused = Trouble::none;
  for (const auto& sub : way.subs) {
    TracePart<S>& part = trace_.parts[trace_.count];
    part.taker = sub.taker;
    part.number = static_cast<int>(trace_.count);
    part.t = t0 + fraction * h;
    part.h = sub.coefficient * h;
    advance(part, report);
    if (!report.converged) return;
    if (branch_.is_needed() && branch_.is_left(node_, motion_, part.h)) {
      report.converged = false;
      report.refused = Trouble::jump;
      report.worst = "the velocity jumps: the motion may have changed branch at a singular configuration";
      return;
    }
    ++trace_.count;
    fraction += sub.coefficient;
  }
}

template <class S>
void PointEngine<S>::advance(TracePart<S>& part, StepReport& report) {
  Taker<S>& taker = plan_.taker(part.taker);
  State<S>& state = motion_.state;
  part.q = state.q;
  part.p = state.p;
  part.v = motion_.v;
  taker.solve(node_, part, report);
  if (!report.converged) return;
  for (std::size_t i = 0; i < part.dq.size(); ++i) add_compensated(state.q[i], motion_.q_low[i], part.dq[i]);
  // The projection works on a copy; what it takes off joins the increment, so that p is rounded once.
  for (std::size_t i = 0; i < part.dp.size(); ++i) p_[i] = state.p[i] + part.dp[i];
  state.t = part.t + part.h;
  if (!node_.legendre(state.q.data(), state.t, p_.data(), motion_.v.data(), part.nu.data())) {
    report.converged = false;
    report.worst = node_.singular_row() >= 0 ? singular_name() : "the momentum at the end of the step has no velocity";
    return;
  }
  if (branch_.is_needed() && node_.close_count() > close_) ++report.singular;
  if (!taker.projects())
    std::fill(part.nu.begin(), part.nu.end(), S(0));
  else if (!part.nu.empty())
    add_transposed(node_.evaluation().jacobian(), node_.G(), part.nu.data(), S(-1), part.dp.data());
  for (std::size_t i = 0; i < part.dp.size(); ++i) add_compensated(state.p[i], motion_.p_low[i], part.dp[i]);
  if (!is_finite()) {
    report.converged = report.finite = false;
    report.worst = "the state at the end of the step is not finite";
    return;
  }
  taker.tell(part, trace_);
  if (!trace_.sources.empty() && taker.projects()) add_projection_work(part);
}

// The motion and the histories of the takers before the step.
template <class S>
void PointEngine<S>::go_back() {
  motion_.copy(trace_.before);
  branch_.forget();
  const S* from = histories_.data();
  for (const auto& taker : plan_.takers()) from = taker->restore(from);
}

template <class S>
std::string PointEngine<S>::singular_name() const {
  const int row = node_.singular_row();
  if (row >= system_.size())
    return "singular projection: constraint \"" + system_.constraint_names()[sz(row - system_.size())] +
           "\" is singular or depends on the others here";
  return "singular mass matrix: coordinate \"" + system_.coordinate_names()[sz(row)] + "\" has no inertia here";
}

// One sum: what is not finite makes it so, and what comes near to overflow is of no use either.
template <class S>
bool PointEngine<S>::is_finite() const {
  S sum(0);
  for (std::size_t i = 0; i < motion_.v.size(); ++i) sum += motion_.state.q[i] + motion_.state.p[i] + motion_.v[i];
  return math::finite(sum);
}

template <class S>
void PointEngine<S>::regularise(double eps) {
  eps_ = eps;
  node_.regularise(eps);
  for (const auto& taker : plan_.takers()) taker->regularise(eps, node_.row_weights());
}

template <class S>
void PointEngine<S>::equilibrate() {
  for (const auto& taker : plan_.takers()) taker->equilibrate(node_.scales());
}

}  // namespace extremal
