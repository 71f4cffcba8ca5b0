#include "extremal/ensemble.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "extremal/detail/instructions.hpp"
#include "extremal/detail/lanes.hpp"
#include "extremal/error.hpp"
#include "kernel/step_engine.hpp"
#include "numbers/index.hpp"
#include "small/taker.hpp"

namespace extremal {

namespace {

void refuse_strangers(const std::vector<Ensemble::Member>& members) {
  for (const Ensemble::Member& member : members)
    if (member.system.terms() != members.front().system.terms())
      throw InputError("ensemble: systems with different terms; expected variants of one system; try System::with");
}

}  // namespace

// Up to sixteen motions. Each has a Stepper of its own, which starts it, takes the steps that lanes cannot take and
// answers questions. A motion in lanes is away from it, lent by its engine.
class Ensemble::Group {
 public:
  Group(const Scheme& scheme, const Member* members, int count) : count_(count), motion_(members->system.size()) {
    motions_.reserve(sz(count));
    consistency_.resize(sz(count));
    refused_.resize(sz(count));
    for (int l = 0; l < Lanes::count; ++l) {
      const Member& member = members[l < count ? l : 0];
      h_[l] = member.step;
      if (l >= count) continue;
      auto engine = make_engine<double>(member.system, scheme);
      engines_.push_back(engine.get());
      motions_.emplace_back(std::move(engine));
      try {
        consistency_[sz(l)] = motions_.back().start(member.start, member.step);
      } catch (const InputError& error) {
        refused_[sz(l)] = error.what();
        failed_[sz(l)] = true;
      }
    }
    reports_.resize(sz(count));
    if (engines_.front()->has_small_steps()) make_taker(scheme, members);
  }

  void step(long count) {
    // A motion that a lane loses is taken back to where these steps began.
    constexpr long most = 256;
    // Lanes take motions on that have begun by themselves.
    if (count > 0 && !std::exchange(begun_, true)) {
      advance(1);
      --count;
    }
    for (; count > 0; count -= most) advance(std::min(count, most));
  }

  Stepper<double>& motion(int l) {
    if (away_[sz(l)] && !known_[sz(l)]) fetch(l);
    return motions_[sz(l)];
  }
  const std::string& refused(int l) const { return refused_[sz(l)]; }
  bool failed(int l) const { return failed_[sz(l)]; }
  const StepReport& report(int l) const { return reports_[sz(l)]; }
  const Consistency& consistency(int l) const { return consistency_[sz(l)]; }
  int in_lanes() const { return static_cast<int>(std::count(away_.begin(), away_.end(), true)); }

 private:
  void make_taker(const Scheme& scheme, const Member* members) {
    std::vector<Lanes> parameters(members->system.parameters().size());
    for (int l = 0; l < Lanes::count; ++l)
      for (std::size_t p = 0; p < parameters.size(); ++p)
        parameters[p][l] = members[l < count_ ? l : 0].system.parameters()[p].as<double>();
    taker_ = SmallTaker<Lanes>::make(members->system, parameters, small_plan<double>(scheme));
    save(numbers_);
  }

  void advance(long count) {
    collect();
    std::array<bool, Lanes::count> lost{};
    if (in_lanes() > 0) {
      LaneMask idle(true);
      for (int l = 0; l < count_; ++l) idle.set(l, !away_[sz(l)]);
      with_best_instructions([&] {
        for (long k = 0; k < count && !all(idle); ++k) idle = idle || !step_lanes(idle);
      });
      for (int l = 0; l < count_; ++l) lost[sz(l)] = away_[sz(l)] && idle[l];
      known_.fill(false);
      shown_known_ = false;
    }
    for (int l = 0; l < count_; ++l) {
      if (lost[sz(l)]) bring_back(l);
      if (away_[sz(l)]) {
        taken_[sz(l)] += count;
        continue;
      }
      for (long k = 0; k < count && !failed_[sz(l)]; ++k) step_alone(l);
    }
  }

  LaneMask step_lanes(const LaneMask& idle) {
    const LaneMask fine = taker_->step(motion_, h_, [](auto&&...) { return false; }, idle);
    motion_.pass(motion_.state.t, h_);
    return fine;
  }

  void step_alone(int l) {
    reports_[sz(l)] = motions_[sz(l)].step(h_[l]);
    failed_[sz(l)] = !reports_[sz(l)].converged;
  }

  // Into lanes, whoever has come so far that they can take it on; numbers_ is then where everybody starts from.
  void collect() {
    if (taker_ == nullptr) return;
    save(numbers_);
    for (int l = 0; l < count_; ++l) {
      if (away_[sz(l)] || failed_[sz(l)] || !engines_[sz(l)]->in_small_steps()) continue;
      engines_[sz(l)]->lend(lent_);
      for (std::size_t i = 0; i < numbers_.size(); ++i) numbers_[i][l] = lent_[i];
      away_[sz(l)] = true;
      taken_[sz(l)] = 0;
      changed_ = true;
    }
    if (!changed_) return;
    // What all lanes have in common must be true of the others as well.
    const auto some = static_cast<int>(std::find(away_.begin(), away_.end(), true) - away_.begin());
    for (Lanes& x : numbers_)
      for (int l = 0; l < Lanes::count; ++l)
        if (!away_[sz(l)]) x[l] = x[some];
    taker_->restore(motion_.restore(numbers_.data()));
    changed_ = false;
  }
  // The lanes, in the order in which an engine lends.
  void save(std::vector<Lanes>& out) const {
    out.clear();
    motion_.save(out);
    taker_->save(out);
  }
  void fetch(int l) {
    if (!std::exchange(shown_known_, true)) save(shown_);
    give(l, shown_);
    known_[sz(l)] = true;
  }
  void bring_back(int l) {
    give(l, numbers_);
    away_[sz(l)] = false;
  }
  void give(int l, const std::vector<Lanes>& numbers) {
    lent_.resize(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) lent_[i] = numbers[i][l];
    engines_[sz(l)]->take_back(lent_, std::exchange(taken_[sz(l)], 0));
  }

  int count_;
  std::vector<Stepper<double>> motions_;
  std::vector<StepEngine<double>*> engines_;  // of the steppers
  std::vector<Consistency> consistency_;
  std::vector<StepReport> reports_;
  std::vector<std::string> refused_;
  std::array<bool, Lanes::count> away_{}, failed_{}, known_{};  // known: the stepper is where the lane is
  bool changed_ = false, begun_ = false;
  bool shown_known_ = false;  // shown_ is what all lanes are now
  Lanes h_{0};
  std::unique_ptr<SmallTaker<Lanes>> taker_;
  Motion<Lanes> motion_;                    // the lanes
  std::array<long, Lanes::count> taken_{};  // steps in lanes that a stepper has not been told of
  std::vector<Lanes> numbers_, shown_;
  std::vector<double> lent_;
};

Ensemble::Ensemble(const Scheme& scheme, const std::vector<Member>& members) : size_(static_cast<int>(members.size())) {
  refuse_strangers(members);
  for (int k = 0; k < size_; k += Lanes::count)
    groups_.push_back(std::make_unique<Group>(scheme, members.data() + k, std::min(Lanes::count, size_ - k)));
}
bool Ensemble::has_lanes(const System& system, const Scheme& scheme) {
  return make_engine<double>(system, scheme)->has_small_steps();
}
Ensemble::~Ensemble() = default;
Ensemble::Ensemble(Ensemble&&) noexcept = default;
Ensemble& Ensemble::operator=(Ensemble&&) noexcept = default;

int Ensemble::size() const { return size_; }
void Ensemble::step(long count) {
  for (auto& group : groups_) group->step(count);
}
Stepper<double>& Ensemble::motion(int k) { return groups_[sz(k / Lanes::count)]->motion(k % Lanes::count); }
const std::string& Ensemble::refused(int k) const { return groups_[sz(k / Lanes::count)]->refused(k % Lanes::count); }
bool Ensemble::failed(int k) const { return groups_[sz(k / Lanes::count)]->failed(k % Lanes::count); }
const StepReport& Ensemble::report(int k) const { return groups_[sz(k / Lanes::count)]->report(k % Lanes::count); }
const Consistency& Ensemble::consistency(int k) const {
  return groups_[sz(k / Lanes::count)]->consistency(k % Lanes::count);
}
int Ensemble::in_lanes() const {
  int sum = 0;
  for (const auto& group : groups_) sum += group->in_lanes();
  return sum;
}

}  // namespace extremal
