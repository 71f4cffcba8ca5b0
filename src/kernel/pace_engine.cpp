#include "kernel/pace_engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "extremal/error.hpp"
#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"
#include "system/energy_rate.hpp"

namespace extremal {

template <class S>
PaceEngine<S>::PaceEngine(std::unique_ptr<StepEngine<S>> plain, Rate rate, std::string text)
    : plain_(std::move(plain)), rate_(std::move(rate)), text_(std::move(text)) {
  for (const Number& x : plain_->system().parameters()) parameters_.push_back(x.as<S>());
}

template <class S>
std::unique_ptr<StepEngine<S>> PaceEngine<S>::with(const System& system, bool /*started*/) const {
  throw InputError(
      "pace: " + system.name() +
      ": found a parameter to be set between steps; expected the parameters of the start: its rate and its "
      "energy go with them");
}

template <class S>
Nodes<S> PaceEngine<S>::node(const std::vector<S>& q) const {
  static constexpr S any_time(0);  // of which a rate is no function
  return {1,
          static_cast<int>(q.size()),
          q.data(),
          nullptr,
          &any_time,
          parameters_.data(),
          static_cast<int>(parameters_.size())};
}

template <class S>
S PaceEngine<S>::rate(const std::vector<S>& q) const {
  S s;
  rate_->at<S>().value(node(q), &s);
  return s;
}

template <class S>
S PaceEngine<S>::log_slope(const std::vector<S>& q, const std::vector<S>& v) const {
  S s, sum(0);
  slope_.resize(rate_->sites.size());
  rate_->at<S>().gradient(node(q), &s, slope_.data());
  for (std::size_t j = 0; j < slope_.size(); ++j) sum += slope_[j] * v[sz(rate_->sites[j])];
  return -sum / s;
}

template <class S>
Consistency PaceEngine<S>::begin(const Start& start, S step) {
  Consistency found = plain_->start(start, step);
  const State<S>& state = plain_->state();
  if (rate_ == nullptr) {
    Observation<S> seen;
    plain_->observe(seen, false);
    rate_ = energy_rate(plain_->system(), static_cast<quad>(seen.kinetic),
                        std::vector<quad>(state.q.begin(), state.q.end()));
  }
  if (const S s = rate(state.q); !(s > S(0)) || !math::finite(s))
    throw InputError(fmt::format("pace: {}: the rate is {:.6g} at the start; expected a positive number",
                                 plain_->system().name(), static_cast<double>(s)));
  landed_ = ends_ && math::abs(end_ - state.t) <= tolerance(state.t);
  passed_ = shortest_ = longest_ = S(0);
  return found;
}

template <class S>
S PaceEngine<S>::tolerance(S t) const {
  return S(4) * Scalar<S>::epsilon * math::max(math::abs(end_), math::abs(t));
}

// Where a rate goes to 0 no number of steps leads on, and what keeps the energy, s (H - E0) = 0, says nothing of it any
// more: rounding carries the motion to another one. Steps have then become shorter by the root of what is resolved.
template <class S>
bool PaceEngine<S>::has_rate(StepReport& report) const {
  const S s = rate(this->state().q);
  const bool vanishes = !landed_ && math::abs(passed_) < math::sqrt(Scalar<S>::epsilon) * longest_;
  if (s > S(0) && math::finite(s) && !vanishes) return true;
  report.known = true;
  report.worst =
      fmt::format("the rate is {:.3g} here, after a step of {:.3g} in t; expected a rate that stays positive",
                  static_cast<double>(s), static_cast<double>(passed_));
  return false;
}

template <class S>
void PaceEngine<S>::took(S t) {
  passed_ = t;
  const S size = math::abs(t);
  // The last step is as long as what was left.
  if (shortest_ == S(0) || (size < shortest_ && !landed_)) shortest_ = size;
  longest_ = math::max(longest_, size);
}

template <class S>
void PaceEngine<S>::save_pace(std::vector<S>& out) const {
  for (const S& x : {passed_, shortest_, longest_, S(landed_ ? 1 : 0)}) out.push_back(x);
}
template <class S>
const S* PaceEngine<S>::restore_pace(const S* from) {
  for (S* x : {&passed_, &shortest_, &longest_}) *x = *from++;
  landed_ = *from++ != S(0);
  return from;
}

namespace {

// The system in tau, by the scheme; and the system itself, at whose states it is looked at.
template <class S>
class SymplecticPace final : public PaceEngine<S> {
 public:
  SymplecticPace(const System& system, const Scheme& scheme, const Rate& rate)
      : PaceEngine<S>(make_engine<S>(system, scheme), rate,
                      "steps of fictitious time, symplectic and reversible where " + scheme.name + " is"),
        scheme_(scheme) {
    if (rate != nullptr) paced(system, rate, 0);  // what is refused, before anything is computed
  }

  Consistency start(const Start& start, S step) override {
    if (!start.next.empty())
      throw InputError("start: found two positions; expected q and v, or q and p, for a run that is paced");
    Consistency found = this->begin(start, step);
    const State<S>& state = this->plain_->state();
    Observation<S> seen;
    this->plain_->observe(seen, false);
    inner_ =
        make_engine<S>(paced(this->system(), this->rate_, Number::exactly(static_cast<quad>(seen.energy()))), scheme_);
    put(state);
    return found;
  }
  void place(const State<S>& state) override {
    if (inner_ == nullptr)
      throw InputError(
          "stepper: found a state to be placed before there was a start; expected a start, whose energy "
          "is that of the paced motion");
    put(state);
  }

  StepReport step(S h) override {
    StepReport report;
    if (!this->has_rate(report)) return report;
    before_ = inner_->state();
    report = inner_->step(h);
    if (!report.converged) return report;
    const S t0 = time(before_.q.back()), t1 = time(clock());
    const S forward = h > S(0) ? S(1) : S(-1);
    if (this->ends_ && (t1 - this->end_) * forward >= -this->tolerance(t1)) land(h, t0, report);
    show();
    this->took(state_.t - t0);
    return report;
  }

  StepReport reach(const State<S>& from, S h, S t) override {
    put(from);
    this->end_ = t;
    StepReport report = inner_->step(h);
    if (!report.converged) return report;
    land(h, from.t, report);
    show();
    this->passed_ = state_.t - from.t;
    return report;
  }

  const State<S>& state() const override { return state_; }
  const std::vector<S>& velocity() const override { return v_; }
  using PaceEngine<S>::observe;
  void observe(Observation<S>& out, bool multipliers) const override {
    this->plain_->observe(state_, out, multipliers);
  }
  // Of the paced system: a rate that is not invariant spoils a momentum, too.
  double symmetry_defect(int index) const override { return inner_->symmetry_defect(index); }
  const Trace<S>& trace() const override { return inner_ == nullptr ? this->plain_->trace() : inner_->trace(); }
  Work<S> work() const override { return {}; }
  bool end_multiplier(std::vector<S>& out) const override {
    if (inner_ == nullptr || !inner_->end_multiplier(out)) return false;
    const S s = this->rate(state_.q);
    for (S& x : out) x /= s;
    return true;
  }
  std::vector<S> tangent() const override { return inner_->tangent(); }

  // c is of t: the place of tau is found where the clock shows it.
  void dense(S c, DensePoint<S>& out) const override {
    find_inside(state_.t - (S(1) - c) * this->passed_, c, this->passed_ > S(0), out);
    out.q.pop_back();
    out.p.pop_back();
    const S s = this->rate(out.q);
    for (S& l : out.lambda) l /= s;
  }

  Checkpoint<S> save() const override {
    Checkpoint<S> out;
    this->save_pace(out.numbers);
    const Checkpoint<S> inside = inner_->save();
    out.numbers.insert(out.numbers.end(), inside.numbers.begin(), inside.numbers.end());
    return out;
  }
  void restore(const Checkpoint<S>& checkpoint) override {
    Checkpoint<S> inside;
    const S* const from = this->restore_pace(checkpoint.numbers.data());
    inside.numbers.assign(from, checkpoint.numbers.data() + checkpoint.numbers.size());
    inner_->restore(inside);
    show();
  }

 private:
  S clock() const { return inner_->state().q.back(); }
  static S time(S shown) { return shown * S(clock_unit); }
  // dt/dtau.
  S clock_rate(const std::vector<S>& q) const {
    plain_q_.assign(q.begin(), q.end() - 1);
    return this->rate(plain_q_);
  }
  void put(const State<S>& state) {
    before_.t = S(0);
    before_.q.assign(state.q.begin(), state.q.end());
    before_.p.assign(state.p.begin(), state.p.end());
    before_.q.push_back(state.t / S(clock_unit));
    before_.p.push_back(S(0));
    inner_->place(before_);
    show();
  }
  void show() {
    const State<S>& inside = inner_->state();
    const auto n = static_cast<std::ptrdiff_t>(inside.q.size()) - 1;
    state_.t = time(inside.q.back());
    state_.q.assign(inside.q.begin(), inside.q.begin() + n);
    state_.p.assign(inside.p.begin(), inside.p.begin() + n);
    const std::vector<S>& v = inner_->velocity();
    const S s = this->rate(state_.q);
    v_.assign(v.begin(), v.begin() + n);
    for (S& x : v_) x /= s;
  }

  // The part of the step of tau at which its own functions show a time on the clock.
  S find_inside(S wanted, S guess, bool forward, DensePoint<S>& out) const {
    S low(0), high(1), x = guess;
    for (int k = 0; k < 60; ++k) {
      inner_->dense(x, out);
      const S miss = time(out.q.back()) - wanted;
      if (math::abs(miss) <= this->tolerance(wanted) || !(high - low > Scalar<S>::epsilon)) break;
      (miss > S(0)) == forward ? high = x : low = x;
      const S next = x - miss / (clock_rate(out.q) * inner_->trace().h);
      x = next > low && next < high ? next : (low + high) / S(2);
    }
    return x;
  }

  // The step from before_ that ends where the clock shows the end: Newton's method with dt/dtau = s, from where the
  // functions of the whole step show it, and by secants where that leaves what is known to be around it. What rounding
  // leaves is the best that was met.
  void land(S h, S t0, StepReport& report) {
    const S end = this->end_, t1 = time(clock());
    S low(0), high = h, below = t0 - end, above = t1 - end, best = h, least = math::abs(above), last = h;
    const auto take = [&](S x) {
      inner_->place(before_);
      const StepReport again = inner_->step(x);
      const int iterations = report.iterations + again.iterations;
      report = again;
      report.iterations = iterations;
      return again.converged;
    };
    const bool shown = !scheme_.composed();  // of a composition the last substep is
    S x = shown && least > S(0) ? h * find_inside(end, (end - t0) / (t1 - t0), t1 > t0, inside_) : low;
    for (int k = 0; k < 60 && least > Scalar<S>::epsilon * math::abs(end); ++k) {
      if (!((x - low) * (x - high) < S(0))) x = low - below * (high - low) / (above - below);
      if (x == low || x == high || !take(x)) break;
      last = x;
      const S miss = time(clock()) - end;
      if (math::abs(miss) < least) {
        least = math::abs(miss);
        best = x;
      } else if (k > 4) {
        break;  // rounding
      }
      const bool beyond = (miss > S(0)) == (above > S(0));
      (beyond ? high : low) = x;
      (beyond ? above : below) = miss;
      x -= miss / clock_rate(inner_->state().q);
    }
    if (last != best) take(best);
    this->landed_ = report.converged;
  }

  const Scheme scheme_;
  std::unique_ptr<StepEngine<S>> inner_;
  State<S> before_, state_;  // of the inner engine; of the system
  std::vector<S> v_;
  DensePoint<S> inside_;
  mutable std::vector<S> plain_q_;
};

// rho at the ends of steps: half of its change belongs to each end, so that a step of -eps goes back.
template <class S>
class ReversiblePace final : public PaceEngine<S> {
 public:
  ReversiblePace(const System& system, const Scheme& scheme, const Rate& rate)
      : PaceEngine<S>(make_engine<S>(system, scheme), rate,
                      "steps of " + scheme.name +
                          " by a reversible density: reversible, not symplectic; in chaos the energy error grows like "
                          "a random walk") {}

  Consistency start(const Start& start, S step) override {
    Consistency found = this->begin(start, step);
    rho_ = S(1) / this->rate(state().q);
    return found;
  }
  void place(const State<S>& state) override {
    this->plain_->place(state);
    rho_ = S(1) / this->rate(state.q);
  }

  StepReport step(S h) override {
    if (StepReport none; !this->has_rate(none)) return none;
    const S half = rho_ + h / S(2) * this->log_slope(state().q, velocity());
    if (!(half > S(0)) || !math::finite(half)) {
      StepReport report;
      report.worst =
          fmt::format("the rate changes too much in a step: its density would be {:.3g}", static_cast<double>(half));
      report.finite = math::finite(half);
      return report;
    }
    const S t0 = state().t, left = this->end_ - t0;
    S dt = h / half;
    const bool last = this->ends_ && math::abs(dt) >= math::abs(left) - this->tolerance(t0);
    if (last) dt = left;
    StepReport report = this->plain_->step(dt);
    if (!report.converged) return report;
    this->landed_ = last;
    this->took(dt);
    rho_ = half + h / S(2) * this->log_slope(state().q, velocity());
    return report;
  }

  StepReport reach(const State<S>& from, S /*h*/, S t) override {
    this->plain_->place(from);
    this->passed_ = t - from.t;
    return this->plain_->step(this->passed_);
  }

  const State<S>& state() const override { return this->plain_->state(); }
  const std::vector<S>& velocity() const override { return this->plain_->velocity(); }
  using PaceEngine<S>::observe;
  void observe(Observation<S>& out, bool multipliers) const override { this->plain_->observe(out, multipliers); }
  double symmetry_defect(int index) const override { return this->plain_->symmetry_defect(index); }
  const Trace<S>& trace() const override { return this->plain_->trace(); }
  Work<S> work() const override { return this->plain_->work(); }
  bool end_multiplier(std::vector<S>& out) const override { return this->plain_->end_multiplier(out); }
  std::vector<S> tangent() const override { return this->plain_->tangent(); }
  void dense(S c, DensePoint<S>& out) const override { this->plain_->dense(c, out); }
  bool balance(StepBalance<S>& out) const override { return this->plain_->balance(out); }
  std::vector<Visited<S>> visited() const override { return this->plain_->visited(); }

  Checkpoint<S> save() const override {
    Checkpoint<S> out;
    this->save_pace(out.numbers);
    out.numbers.push_back(rho_);
    const Checkpoint<S> inside = this->plain_->save();
    out.numbers.insert(out.numbers.end(), inside.numbers.begin(), inside.numbers.end());
    return out;
  }
  void restore(const Checkpoint<S>& checkpoint) override {
    Checkpoint<S> inside;
    const S* from = this->restore_pace(checkpoint.numbers.data());
    rho_ = *from++;
    inside.numbers.assign(from, checkpoint.numbers.data() + checkpoint.numbers.size());
    this->plain_->restore(inside);
  }

 private:
  S rho_{1};
};

}  // namespace

template <class S>
std::unique_ptr<PaceEngine<S>> make_pace_engine(const System& system, const Scheme& scheme, Pace pace,
                                                const Rate& rate) {
  refuse_unpaced(system, scheme, pace);
  if (pace == Pace::symplectic) return std::make_unique<SymplecticPace<S>>(system, scheme, rate);
  return std::make_unique<ReversiblePace<S>>(system, scheme, rate);
}

#define EXTREMAL_INSTANTIATE(S) \
  template class PaceEngine<S>; \
  template std::unique_ptr<PaceEngine<S>> make_pace_engine(const System&, const Scheme&, Pace, const Rate&);
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
