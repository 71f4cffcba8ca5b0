#include "kernel/lane_group.hpp"

#include <algorithm>
#include <utility>

#include "extremal/detail/instructions.hpp"
#include "extremal/error.hpp"
#include "kernel/rank.hpp"
#include "numbers/index.hpp"

namespace extremal {

std::unique_ptr<SmallTaker<Lanes>> lane_taker(const System& system, const Scheme& scheme,
                                              const std::vector<Lanes>& parameters) {
  if (system.constraint_count() > 0 && has_loop(system)) return nullptr;  // whose branches small steps do not watch
  return SmallTaker<Lanes>::make(system, parameters, small_plan<double>(scheme));
}

LaneGroup::LaneGroup(MemberStart& starts, const Scheme& scheme, std::size_t first, int count, const double* steps,
                     LaneTools tools)
    : starts_(starts), scheme_(scheme), first_(first), count_(count), motion_(starts.members().system.size()) {
  const System& system = starts.members().system;
  parameters_.resize(system.parameters().size());
  for (int l = 0; l < Lanes::count; ++l) {
    const int k = l < count ? l : 0;
    h_[l] = steps[k];
    const std::vector<double>& own = starts.parameters(first + sz(k));
    for (std::size_t p = 0; p < own.size(); ++p) parameters_[p][l] = own[p];
  }
  const std::size_t size = sz(count);
  steppers_.resize(size);
  engines_.resize(size);
  consistency_.resize(size);
  reports_.resize(size);
  refused_.resize(size);
  scales_.resize(size);
  if (!take_over(std::move(tools))) taker_ = lane_taker(system, scheme, parameters_);
  seeds_.assign(sz(system.constraint_count()), Lanes(0));
  MemberStart::Begun begun;
  for (int l = 0; l < count; ++l) try {
      start(l, begun);
    } catch (const InputError& error) {
      refused_[sz(l)] = error.what();
      failed_[sz(l)] = true;
    }
  if (in_lanes() > 0) level();
}

LaneTools LaneGroup::leave() { return {std::move(parameters_), std::move(taker_), std::move(look_)}; }

bool LaneGroup::take_over(LaneTools tools) {
  if (tools.taker == nullptr) return false;
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    if (all(equal(parameters_[p], tools.parameters[p]))) continue;
    if (starts_.shapes(p)) return false;
    tools.taker->set(static_cast<int>(p), parameters_[p]);
    if (tools.look != nullptr && !tools.look->set(static_cast<int>(p), parameters_[p])) tools.look.reset();
  }
  tools.taker->forget();
  taker_ = std::move(tools.taker);
  look_ = std::move(tools.look);
  return true;
}

void LaneGroup::start(int l, MemberStart::Begun& begun) {
  if (taker_ == nullptr || !starts_.start(first_ + sz(l), begun)) {
    make_stepper(l);
    return;
  }
  lent_.clear();
  begun.motion.save(lent_);
  numbers_.clear();
  motion_.save(numbers_);
  for (std::size_t i = 0; i < lent_.size(); ++i) numbers_[i][l] = lent_[i];
  motion_.restore(numbers_.data());
  for (std::size_t k = 0; k < seeds_.size(); ++k) seeds_[k][l] = begun.lambda[k];
  scales_[sz(l)] = begun.scales;
  consistency_[sz(l)] = std::move(begun.consistency);
  away_[sz(l)] = true;
}

void LaneGroup::make_stepper(int l) {
  const Members& members = starts_.members();
  auto engine = make_engine<double>(members.system_of(first_ + sz(l)), scheme_);
  engines_[sz(l)] = engine.get();
  steppers_[sz(l)] = std::make_unique<Stepper<double>>(std::move(engine));
  consistency_[sz(l)] = steppers_[sz(l)]->start(members.start_of(first_ + sz(l)), h_[l]);
}

// What all lanes have in common must be true of those, too, that nobody is in.
void LaneGroup::level() {
  const auto some = static_cast<int>(std::find(away_.begin(), away_.end(), true) - away_.begin());
  const auto fill = [&](std::vector<Lanes>& numbers) {
    for (Lanes& x : numbers)
      for (int l = 0; l < Lanes::count; ++l)
        if (!away_[sz(l)]) x[l] = x[some];
  };
  numbers_.clear();
  motion_.save(numbers_);
  if (begun_) taker_->save(numbers_);
  fill(numbers_);
  fill(seeds_);
  const Lanes* from = motion_.restore(numbers_.data());
  if (begun_) taker_->restore(from);
}

int LaneGroup::in_lanes() const { return static_cast<int>(std::count(away_.begin(), away_.end(), true)); }

State<double> LaneGroup::state(int l) const {
  if (!away_[sz(l)]) return steppers_[sz(l)] != nullptr ? steppers_[sz(l)]->state() : State<double>();
  State<double> out;
  out.t = motion_.state.t[l];
  for (const Lanes& x : motion_.state.q) out.q.push_back(x[l]);
  for (const Lanes& x : motion_.state.p) out.p.push_back(x[l]);
  return out;
}

Stepper<double>& LaneGroup::motion(int l) {
  if (away_[sz(l)] && !known_[sz(l)]) {
    if (steppers_[sz(l)] == nullptr) make_stepper(l);
    if (begun_) {
      std::vector<Lanes> shown;
      save(shown);
      give(l, shown);
    }
    known_[sz(l)] = true;
  }
  if (steppers_[sz(l)] == nullptr) throw InputError(refused_[sz(l)]);
  return *steppers_[sz(l)];
}

LaneLook* LaneGroup::look() {
  const System& system = starts_.members().system;
  if (taker_ == nullptr) return nullptr;
  if (look_ == nullptr) look_ = std::make_unique<LaneLook>(system, parameters_, *taker_);
  return look_.get();
}

void LaneGroup::step(long count) {
  // A motion that a lane loses is taken back to where these steps began.
  constexpr long most = 256;
  for (; count > 0; count -= most) advance(std::min(count, most));
}

// Of a composition every substep of the first step begins anew.
bool LaneGroup::seed(const Lanes& t, const Lanes* q, const Lanes* v, Lanes* lambda) {
  if (!seeds_.empty()) {
    std::copy(seeds_.begin(), seeds_.end(), lambda);
    seeds_.clear();
    return true;
  }
  const int n = starts_.members().system.size(), m = starts_.members().system.constraint_count();
  std::vector<double> here(sz(2 * n)), found(sz(m));
  for (int l = 0; l < count_; ++l) {
    if (!away_[sz(l)]) continue;
    for (int i = 0; i < n; ++i) here[sz(i)] = q[i][l], here[sz(n + i)] = v[i][l];
    if (!starts_.multipliers(first_ + sz(l), scales_[sz(l)], t[l], here.data(), here.data() + n, found.data()))
      unseeded_[sz(l)] = true;
    for (int k = 0; k < m; ++k) lambda[k][l] = found[sz(k)];
  }
  return true;
}

void LaneGroup::advance(long count) {
  collect();
  std::array<bool, Lanes::count> lost{};
  const bool first = !begun_;
  if (in_lanes() > 0) {
    LaneMask idle(true);
    for (int l = 0; l < count_; ++l) idle.set(l, !away_[sz(l)]);
    if (first) {
      idle = idle || !taker_->step(motion_, h_, [this](auto&&... x) { return seed(x...); }, idle);
      motion_.pass(motion_.state.t, h_);
      for (int l = 0; l < count_; ++l)
        if (unseeded_[sz(l)]) idle.set(l, true);
      begun_ = true;
    }
    with_best_instructions([&] { idle = idle || !taker_->steps(motion_, h_, first ? count - 1 : count, idle); });
    for (int l = 0; l < count_; ++l) lost[sz(l)] = away_[sz(l)] && idle[l];
    known_.fill(false);
  }
  for (int l = 0; l < count_; ++l) {
    if (lost[sz(l)]) {
      if (steppers_[sz(l)] == nullptr) make_stepper(l);
      if (!first) give(l, numbers_);
      away_[sz(l)] = false;
    }
    if (away_[sz(l)]) {
      taken_[sz(l)] += count;
      continue;
    }
    for (long k = 0; k < count && !failed_[sz(l)]; ++k) step_alone(l);
  }
}

void LaneGroup::step_alone(int l) {
  reports_[sz(l)] = steppers_[sz(l)]->step(h_[l]);
  failed_[sz(l)] = !reports_[sz(l)].converged;
}

// Into lanes, whoever has come so far that they can take it on; numbers_ is then where everybody starts from.
void LaneGroup::collect() {
  if (taker_ == nullptr || !begun_) return;
  bool changed = false;
  for (int l = 0; l < count_; ++l) {
    if (away_[sz(l)] || failed_[sz(l)] || !engines_[sz(l)]->in_small_steps()) continue;
    if (!changed) save(numbers_);
    engines_[sz(l)]->lend(lent_);
    for (std::size_t i = 0; i < numbers_.size(); ++i) numbers_[i][l] = lent_[i];
    away_[sz(l)] = true;
    taken_[sz(l)] = 0;
    changed = true;
  }
  if (changed) {
    taker_->restore(motion_.restore(numbers_.data()));
    level();
  }
  save(numbers_);
}

// The lanes, in the order in which an engine lends.
void LaneGroup::save(std::vector<Lanes>& out) const {
  out.clear();
  motion_.save(out);
  taker_->save(out);
}

void LaneGroup::give(int l, const std::vector<Lanes>& numbers) {
  lent_.resize(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) lent_[i] = numbers[i][l];
  engines_[sz(l)]->take_back(lent_, std::exchange(taken_[sz(l)], 0));
}

}  // namespace extremal
