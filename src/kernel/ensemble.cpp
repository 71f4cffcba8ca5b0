#include "extremal/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "extremal/error.hpp"
#include "kernel/fitness.hpp"
#include "kernel/lane_group.hpp"
#include "numbers/index.hpp"
#include "scheme/family.hpp"

namespace extremal {

struct Ensemble::Parts {
  Members members;
  std::vector<double> values = {};  // of what is varied: those of the caller may be gone when a motion leaves its lane
  MemberStart starts;
  std::vector<LaneGroup> groups = {};

  explicit Parts(const Members& given) : members(given), starts(members) {
    values.reserve(members.count * members.varied.size());
    for (const Varied& one : members.varied)
      for (std::size_t k = 0; k < members.count; ++k) values.push_back(one.values[k * one.stride]);
    for (std::size_t i = 0; i < members.varied.size(); ++i) {
      members.varied[i].values = values.data() + i * members.count;
      members.varied[i].stride = 1;
    }
  }
  LaneGroup& group(int k) { return groups[sz(k / Lanes::count)]; }
};

Ensemble::Ensemble(const Scheme& scheme, const Members& members, double step)
    : Ensemble(scheme, members, std::vector<double>(members.count, step)) {}

Ensemble::Ensemble(const Scheme& scheme, const Members& members, const std::vector<double>& steps)
    : parts_(std::make_unique<Parts>(members)) {
  if (steps.size() != members.count)
    throw InputError(
        fmt::format("ensemble: found {} steps; expected one for each of {} members", steps.size(), members.count));
  if (!on_rotations(scheme)) refuse_unfit(members.system, scheme);
  parts_->groups.reserve((members.count + Lanes::count - 1) / Lanes::count);
  for (std::size_t k = 0; k < members.count; k += Lanes::count) {
    const auto count = static_cast<int>(std::min<std::size_t>(Lanes::count, members.count - k));
    parts_->groups.emplace_back(parts_->starts, scheme, k, count, steps.data() + k);
  }
}

bool Ensemble::has_lanes(const System& system, const Scheme& scheme) {
  if (on_rotations(scheme)) return false;
  refuse_unfit(system, scheme);
  std::vector<Lanes> parameters;
  for (const Number& p : system.parameters()) parameters.emplace_back(p.as<double>());
  return lane_taker(system, scheme, parameters) != nullptr;
}
Ensemble::~Ensemble() = default;
Ensemble::Ensemble(Ensemble&&) noexcept = default;
Ensemble& Ensemble::operator=(Ensemble&&) noexcept = default;

int Ensemble::size() const { return static_cast<int>(parts_->members.count); }
void Ensemble::step(long count) {
  for (LaneGroup& group : parts_->groups) group.step(count);
}
State<double> Ensemble::state(int k) const { return parts_->group(k).state(k % Lanes::count); }
Stepper<double>& Ensemble::motion(int k) { return parts_->group(k).motion(k % Lanes::count); }
const std::string& Ensemble::refused(int k) const { return parts_->group(k).refused(k % Lanes::count); }
bool Ensemble::failed(int k) const { return parts_->group(k).failed(k % Lanes::count); }
const StepReport& Ensemble::report(int k) const { return parts_->group(k).report(k % Lanes::count); }
const Consistency& Ensemble::consistency(int k) const { return parts_->group(k).consistency(k % Lanes::count); }
int Ensemble::in_lanes() const {
  int sum = 0;
  for (const LaneGroup& group : parts_->groups) sum += group.in_lanes();
  return sum;
}

}  // namespace extremal
