// PointEngine: the state, its compensation, and the members that a scheme is made of.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "extremal/error.hpp"
#include "extremal/stepper.hpp"
#include "kernel/fitness.hpp"
#include "kernel/make_step.hpp"
#include "kernel/rank.hpp"
#include "kernel/start_solver.hpp"
#include "kernel/step_engine.hpp"
#include "numbers/index.hpp"
#include "scheme/family.hpp"
#include "small/motion.hpp"

namespace extremal {

template <class S>
class PointEngine final : public StepEngine<S> {
  using Header = CheckpointHeader;

 public:
  PointEngine(const System& system, const Scheme& scheme) : system_(system), scheme_(scheme), node_(system) {
    refuse_unfit(system, scheme);
    const int n = system.size();
    if (!scheme.composed())
      substeps_.push_back({S(1), member(scheme)});
    else
      flatten(scheme, S(1));
    if (system.constraint_count() > 0 && std::any_of(kinds_.begin(), kinds_.end(), stand_in))
      for (const Sub& sub : substeps_) rattle_.push_back({sub.coefficient, stand_in_of(sub.member)});
    for (const S part : {S(0.6), S(0.4)})
      for (const Sub& sub : substeps_) divided_.push_back({part * sub.coefficient, sub.member});
    plan_ = &substeps_;
    for (const auto& term : system.terms()) {
      driven_ = driven_ || term->uses_time;
      worked_ = worked_ || does_work(*term);
    }
    sources_.assign(sz(node_.evaluation().source_count()), S(0));
    loop_ = system.constraint_count() > 0 && has_loop(system);
    if (!loop_) make_small();
    for (auto* v : {&q_low_, &p_low_, &v_, &dq_, &dp_, &start_p_, &start_v_, &from_v_, &a_, &from_a_})
      v->assign(sz(n), S(0));
    lambda_.assign(sz(system.constraint_count()), S(0));
    nu_.assign(sz(system.constraint_count()), S(0));
    state_.q.assign(sz(n), S(0));
    state_.p.assign(sz(n), S(0));
    for (auto* x : {&start_, &previous_}) x->assign(Header::size + 5 * sz(n), S(0));
  }

  void place(const State<S>& state) override {
    state_ = state;
    std::fill(q_low_.begin(), q_low_.end(), S(0));
    std::fill(p_low_.begin(), p_low_.end(), S(0));
    std::fill(v_.begin(), v_.end(), S(0));
    velocity_known_ = false;
    has_stepped_ = false;
    acceleration_known_ = false;
    t_low_ = S(0);
    leave_small();
    const Rank rank = find_rank(system_, node_, state_.q, state_.t, false);
    regularise(rank.eps);
    equilibrate();
    close_ = node_.close_count();
    for (auto& m : members_) m->place(node_, state_.t, state_.q.data(), state_.p.data());
    saved_.numbers.reserve(save().numbers.size());
  }

  Consistency start(const Start& start, S step) override {
    StartSolver<S> solver(system_, node_);
    std::vector<S> velocity;
    Consistency found = solver.resolve(start, state_, velocity);
    place(state_);
    refuse_singular_mass(velocity);
    if (found.redundant > 0 && scheme_.declared.needs.independence)
      throw InputError("start: constraint \"" + found.dependent.front() + "\" depends on others; " + scheme_.name +
                       " needs independent ones; try a hamilton scheme, as spark(2)");
    v_ = velocity;
    velocity_known_ = true;
    if (!start.next.empty()) {
      const Galerkin* galerkin = scheme_.as<Galerkin>();
      if (galerkin == nullptr)
        throw InputError("start: two positions need a single hamilton member; " + scheme_.name +
                         " is none; try q and v");
      solver.two_positions(start, step, *galerkin, state_);
      place(state_);
    }
    return found;
  }

  // A step that fails is taken in other ways, one after the other, and the report says which and why: with a
  // regularised matrix (or a less regularised one); by RATTLE, for ggl; in two parts of unequal length, which moves the
  // nodes away from a singular configuration.
  StepReport step(S h) override {
    StepReport report;
    if (small_ != nullptr && eps_ == 0 && small_step(h, report)) return report;
    save_into(saved_);
    const S t0 = state_.t;
    attempt(substeps_, h, report);
    if (!report.converged && system_.constraint_count() > 0) {
      const StepReport first = report;
      const double eps = eps_ > 0 ? eps_ / 10 : node_.suitable_eps();
      // No matrix finds a root that is not there.
      if (first.refused != Trouble::fold) retry(substeps_, Remedy::regularised, eps, h, report);
      if (!rattle_.empty()) retry(rattle_, Remedy::rattle, eps, h, report);
      retry(divided_, Remedy::divided, eps, h, report);
      report.refused = reason_of(first);
      if (report.converged) {
        regularise(saved_eps());
      } else {
        report.worst = first.worst;
        report.residual = first.residual;
        report.correction = first.correction;
        report.stalled = first.stalled;
        report.finite = first.finite;
      }
    }
    if (!report.converged) {
      restore(saved_);
      return report;
    }
    pass(t0, h);
    return report;
  }

  void observe(Observation<S>& out, bool multipliers) override {
    ensure_velocity();
    out.v = v_;
    // For momenta that miss the hidden constraint, v = dH/dp is not the projected velocity.
    if (!projected()) free_velocity(state_, out.v);
    find_multipliers(state_, v_, out, multipliers);
    look(state_, out);
  }
  void observe(const State<S>& state, Observation<S>& out, bool multipliers) override {
    out.v = v_;
    free_velocity(state, out.v);
    if (multipliers && !lambda_.empty()) {
      start_p_ = state.p;
      start_v_ = out.v;
      node_.legendre(state.q.data(), state.t, start_p_.data(), start_v_.data(), nullptr);
    }
    find_multipliers(state, start_v_, out, multipliers);
    look(state, out);
  }

  bool end_multiplier(std::vector<S>& out) override {
    if (scheme_.composed() || lambda_.empty() || !has_stepped_) return false;
    if (by_small_) {
      if (scheme_.declared.multiplier != EndMultiplier::own) return false;
      out.assign(small_->end_multiplier(), small_->end_multiplier() + lambda_.size());
      return true;
    }
    out.resize(lambda_.size());
    if (!last().end_multiplier(out.data())) return false;
    ensure_velocity();
    if (eps_ > 0) node_.shorten(state_.q.data(), v_.data(), state_.t, out.data());
    return true;
  }

  // engine_point.hpp
  std::vector<S> constraint_jacobian(const std::vector<S>& q, S t) override;
  void constraint_norms(const std::vector<S>& q, S t, std::vector<S>& out) override;
  double symmetry_defect(int index) override;
  std::vector<S> tangent() override;

  // engine_saved.hpp
  Checkpoint<S> save() const override;
  void restore(const Checkpoint<S>& checkpoint) override;
  std::size_t lane_numbers() const override;

  bool in_small_steps() const override { return by_small_ && pause_ == 0; }

  const State<S>& state() const override { return state_; }
  const std::vector<S>& velocity() override { return ensure_velocity(), v_; }
  std::vector<Visited<S>> visited() const override { return members_[sz(tried_)]->visited(); }
  const System& system() const override { return system_; }
  S action() override { return detail(), action_; }
  S work() override {
    if (worked_) detail();  // which needs the nodes
    return std::accumulate(sources_.begin(), sources_.end(), S(0));
  }
  S supplied() override {
    if (worked_) detail();
    return std::accumulate(sources_.begin(), sources_.end(), S(0), [](S sum, S x) { return x > S(0) ? sum + x : sum; });
  }
  const std::vector<S>& multipliers() override { return detail(), last().multipliers(); }
  const std::vector<S>& multiplier_nodes() const override { return last().multiplier_nodes(); }
  const std::vector<S>& node_multiplier() override { return detail(), last().node_multiplier(); }
  S node_weight() const override { return last().node_weight(); }
  S node_work() const override { return last().node_work(); }
  void dense(S c, DensePoint<S>& out) override { detail(), last().dense(c, out); }
  bool balance(StepBalance<S>& out) override { return last().balance(out); }

 private:
  // v = dH/dp, from a guess.
  void free_velocity(const State<S>& state, std::vector<S>& v) {
    start_p_ = state.p;
    start_v_ = v;
    if (node_.legendre(state.q.data(), state.t, start_p_.data(), start_v_.data(), nullptr, true)) {
      v = start_v_;
      return;
    }
    start_p_ = state.p;  // a singular mass is regular on the tangent space
    node_.legendre(state.q.data(), state.t, start_p_.data(), v.data(), nullptr);
  }
  // Those of the acceleration [Wenger2017, eq. 70], v on the tangent space. At a singular configuration, those of
  // least norm.
  void find_multipliers(const State<S>& state, const std::vector<S>& v, Observation<S>& out, bool wanted) {
    out.lambda.resize(lambda_.size());
    if (!wanted || lambda_.empty()) return;
    const auto find = [&] {
      return node_.acceleration(state.q.data(), v.data(), state.t, dq_.data(), out.lambda.data());
    };
    if (find()) return;
    node_.regularise(node_.suitable_eps());
    const bool found = find();
    node_.regularise(eps_);
    if (!found) std::fill(out.lambda.begin(), out.lambda.end(), S(0) / S(0));
  }
  // All of an observation that its velocity gives.
  void look(const State<S>& state, Observation<S>& out) {
    const bool constrained = system_.constraint_count() > 0;
    Evaluation<S>& evaluation = node_.evaluation();
    out.momenta.resize(sz(evaluation.symmetry_count()));
    node_.energies(state.q.data(), state.p.data(), out.v.data(), state.t, out.kinetic, out.potential);
    evaluation.momenta(state.q.data(), state.p.data(), &state.t, out.momenta.data());
    out.constraint = constrained ? node_.constraint(state.q.data(), state.t) : S(0);
    out.hidden = constrained ? node_.hidden(state.q.data(), out.v.data(), state.t) : S(0);
  }
  StepKernel<S>& last() const { return *members_[sz(substeps_.back().member)]; }

  struct Sub {
    S coefficient;
    int member;
  };

  static void add(std::vector<S>& x, std::vector<S>& low, const std::vector<S>& dx) {
    for (std::size_t i = 0; i < x.size(); ++i) add_compensated(x[i], low[i], dx[i]);
  }
  // Of time, after a step.
  void pass(S t0, S h) {
    start_t_ = t0;
    last_h_ = h;
    const S y = h + t_low_;
    state_.t = t0 + y;
    t_low_ = y - (state_.t - t0);
  }

  // engine_small.hpp: steps with eliminated stages, of small systems.
  void make_small();
  bool small_step(S h, StepReport& report);
  void leave_small();
  void detail();
  void continue_members();
  void complete_saved();

  // The velocity of a ggl step is explicit, and phase_space has that of any momentum: they need M^-1, not only on the
  // tangent space. energy_momentum conserves the kinetic energy that belongs to p off the tangent space, which exists
  // where coordinates have no inertia, but not where a combination of some has none.
  void refuse_singular_mass(const std::vector<S>& velocity) {
    const Needs& needs = scheme_.declared.needs;
    const bool inverted = !rattle_.empty() || needs.inertia;
    if (!needs.regular_mass || system_.has(Role::hamiltonian)) return;
    start_p_ = state_.p;
    start_v_ = velocity;
    const bool regular = node_.legendre(state_.q.data(), state_.t, start_p_.data(), start_v_.data(), nullptr, true);
    if (regular && (!inverted || node_.massless() < 0)) return;
    const std::string which = regular ? "coordinate \"" + system_.coordinate_names()[sz(node_.massless())] + "\""
                                      : std::string("a combination of coordinates");
    throw InputError(system_.name() + ": " + which + " has no inertia of its own; " + scheme_.name +
                     " needs a regular mass matrix; try rattle, or spark(2)");
  }

  int member(const Scheme& scheme) {
    for (std::size_t k = 0; k < kinds_.size(); ++k)
      if (kinds_[k] == scheme) return static_cast<int>(k);
    kinds_.push_back(scheme);
    members_.push_back(make_step<S>(system_, scheme));
    return static_cast<int>(kinds_.size()) - 1;
  }
  int stand_in_of(int of) {
    const char* other = stand_in(kinds_[sz(of)]);
    return other != nullptr ? member(Scheme::named(other)) : of;
  }
  void flatten(const Scheme& scheme, S factor) {
    for (const Substep& sub : scheme.substeps()) {
      const S c = factor * static_cast<S>(sub.coefficient);
      if (sub.scheme.composed())
        flatten(sub.scheme, c);
      else
        substeps_.push_back({c, member(sub.scheme)});
    }
  }
  void regularise(double eps) {
    eps_ = eps;
    node_.regularise(eps);
    for (auto& m : members_) m->regularise(eps, node_.row_weights());
  }
  void equilibrate() {
    for (auto& m : members_) m->equilibrate(node_.scales());
  }
  double saved_eps() const { return static_cast<double>(saved_.numbers[Header::eps]); }

  void retry(const std::vector<Sub>& plan, Remedy remedy, double eps, S h, StepReport& report) {
    if (report.converged) return;
    restore(saved_);
    regularise(eps);
    ++report.retries;
    attempt(plan, h, report);
    if (report.converged) report.remedy = remedy;
  }
  static Trouble reason_of(const StepReport& failed) {
    if (failed.refused != Trouble::none) return failed.refused;
    if (!failed.finite) return Trouble::not_finite;
    return failed.stalled ? Trouble::stalled : Trouble::singular;
  }

  // Leaves the state wherever it gets.
  void attempt(const std::vector<Sub>& plan, S h, StepReport& report) {
    if (loop_) {
      ensure_acceleration();
      from_v_ = v_;
      from_a_ = a_;
    }
    const S t0 = state_.t;
    S fraction(0);
    action_ = S(0);
    std::fill(sources_.begin(), sources_.end(), S(0));
    plan_ = &plan;
    report.converged = false;
    report.refused = Trouble::none;
    for (const auto& sub : plan) {
      const S from = t0 + fraction * h, length = sub.coefficient * h;
      tried_ = sub.member;
      advance(*members_[sz(sub.member)], from, length, report);
      if (!report.converged) return;
      if (loop_ && bent(length)) {
        report.converged = false;
        report.refused = Trouble::jump;
        report.worst = "the velocity jumps: the motion may have changed branch at a singular configuration";
        return;
      }
      fraction += sub.coefficient;
    }
  }

  // Where two branches of motions cross (a parallelogram folded flat may unfold crossed), a step may end on the other
  // one with g = 0 to round-off; and the equations of ggl have further roots close to singular configurations. Only the
  // velocity shows it: it changes by what no acceleration explains. On a smooth motion `jump` is O(h^3), for ggl O(h^2)
  // as h times the change of the acceleration is. At rest there is nothing but round-off to compare.
  bool bent(S h) {
    acceleration_known_ = false;
    ensure_acceleration();
    S jump(0), speed(0), turn(0);
    for (std::size_t i = 0; i < v_.size(); ++i) {
      const S d = v_[i] - from_v_[i] - h * (a_[i] + from_a_[i]) / S(2), b = h * (a_[i] - from_a_[i]);
      jump += d * d;
      turn += b * b;
      speed += v_[i] * v_[i] + from_v_[i] * from_v_[i];
    }
    from_v_ = v_;
    from_a_ = a_;
    jump = math::sqrt(jump), turn = math::sqrt(turn), speed = math::sqrt(speed);
    // Loads that depend on time may jump, and the acceleration with them.
    const bool large = jump > S(0.1) * speed && !(driven_ && jump <= turn);
    const bool unexplained = jump > S(0.003) * speed + S(3) * turn;
    if (!math::finite(jump)) return true;
    return speed > S(0) && (large || unexplained) && jump > round_off(h);
  }
  // Of a velocity after a step: a thousand units in the last place of q, which is what Newton's method leaves of it at
  // the most, in a step; and of the accelerations that cancel each other where a mechanism carries loads.
  S round_off(S h) {
    S reach(0);
    for (const S& x : state_.q) reach += x * x;
    const S loads = node_.loads(state_.q.data(), v_.data(), state_.t, lambda_.data());
    return S(1000) * Scalar<S>::epsilon * (math::sqrt(reach) / math::abs(h) + math::abs(h) * loads);
  }
  void ensure_acceleration() {
    ensure_velocity();
    if (acceleration_known_) return;
    if (!node_.acceleration(state_.q.data(), v_.data(), state_.t, a_.data(), lambda_.data()))
      std::fill(a_.begin(), a_.end(), S(0));
    acceleration_known_ = true;
  }

  bool projected() const { return system_.constraint_count() == 0 || last().hidden(); }

  void ensure_velocity() {
    if (velocity_known_) return;
    start_p_ = state_.p;
    node_.legendre(state_.q.data(), state_.t, start_p_.data(), v_.data(), nullptr);
    velocity_known_ = true;
  }

  void advance(StepKernel<S>& m, S t, S h, StepReport& report) {
    ensure_velocity();
    m.solve(node_, t, state_.q.data(), state_.p.data(), v_.data(), h, dq_.data(), dp_.data(), report);
    if (!report.converged) return;
    add(state_.q, q_low_, dq_);
    // The projection works on a copy; what it takes off joins the increment, so that p is rounded once.
    for (std::size_t i = 0; i < dp_.size(); ++i) start_p_[i] = state_.p[i] + dp_[i], start_v_[i] = start_p_[i];
    const bool solved = node_.legendre(state_.q.data(), t + h, start_p_.data(), v_.data(), nu_.data());
    if (!solved) {
      report.converged = false;
      report.worst =
          node_.singular_row() >= 0 ? singular_name() : "the momentum at the end of the step has no velocity";
      return;
    }
    if (loop_ && node_.close_count() > close_) ++report.singular;
    if (m.projects() && !nu_.empty())
      add_transposed(node_.evaluation().jacobian(), node_.G(), nu_.data(), S(-1), dp_.data());
    add(state_.p, p_low_, dp_);
    m.close(nu_.data());
    state_.t = t + h;
    velocity_known_ = true;
    if (!is_finite()) {
      report.converged = report.finite = false;
      report.worst = "the state at the end of the step is not finite";
      return;
    }
    action_ += m.action();
    if (worked_) {
      m.add_work(sources_.data());
      if (m.projects())
        for (std::size_t k = 0; k < nu_.size(); ++k) sources_.back() += nu_[k] * node_.g_t()[k];
    }
    has_stepped_ = true;
  }

  std::string singular_name() const {
    const int row = node_.singular_row();
    if (row >= system_.size())
      return "singular projection: constraint \"" + system_.constraint_names()[sz(row - system_.size())] +
             "\" is singular or depends on the others here";
    return "singular mass matrix: coordinate \"" + system_.coordinate_names()[sz(row)] + "\" has no inertia here";
  }
  // One sum: what is not finite makes it so, and what comes near to overflow is of no use either.
  bool is_finite() const {
    S sum(0);
    for (std::size_t i = 0; i < v_.size(); ++i) sum += state_.q[i] + state_.p[i] + v_[i];
    return math::finite(sum);
  }

  void project_tangent(std::vector<S>& part, const std::vector<int>& dependent);

  // engine_saved.hpp
  void save_into(Checkpoint<S>& out) const;
  void save_state(S* to) const;
  void save_motion();
  const S* restore_state(const S* from);
  void restore_scales(const S* from, bool scaled);

  System system_;
  Scheme scheme_;
  NodeSolver<S> node_;
  std::vector<Scheme> kinds_;
  std::vector<std::unique_ptr<StepKernel<S>>> members_;
  std::vector<Sub> substeps_, divided_, rattle_;
  const std::vector<Sub>* plan_;  // how the last step was taken
  State<S> state_;
  std::vector<S> sources_;  // of the work over the last step
  std::vector<S> q_low_, p_low_, v_, dq_, dp_, start_p_, start_v_, nu_, from_v_, from_a_, a_, lambda_;
  Checkpoint<S> saved_;  // before the last step
  std::unique_ptr<SmallMotion<S>> small_;
  std::vector<S> start_, previous_;  // the states before the small step that is being taken, and before the last one
  bool by_small_ = false;            // the last step was taken by it
  bool ready_ = false;               // saved_ is complete but for the state, and no member remembers a step
  bool detailed_ = false;            // the members know the last step nevertheless
  int pause_ = 0, patience_ = 0;
  int tried_ = 0;  // the member that took, or failed to take, the last step
  S start_t_{}, last_h_{}, action_{}, t_low_{};
  double eps_ = 0;  // regularisation of the matrices
  int close_ = 0;   // pivots that are small from the start
  bool velocity_known_ = false, has_stepped_ = false, acceleration_known_ = false, loop_ = false, driven_ = false,
       worked_ = false;  // energy goes in or out
};

}  // namespace extremal
