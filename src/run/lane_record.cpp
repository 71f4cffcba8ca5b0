#include "run/lane_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "extremal/error.hpp"
#include "numbers/index.hpp"
#include "run/failure.hpp"
#include "run/recorder.hpp"
#include "run/span.hpp"

namespace extremal {
namespace {

// At most so many steps between two looks at the flag that stops them.
constexpr long long patience = 4096;

class LanesAsked final : public Asked<Lanes> {
 public:
  explicit LanesAsked(LaneLook& look) : look_(look) {}
  void norms(const State<Lanes>& state, std::vector<Lanes>& out) override { look_.norms(state, out); }

 private:
  LaneLook& look_;
};

}  // namespace

BatchRows::BatchRows(const Scheme& of_scheme, const Span& of_span, const Members& of_members,
                     const BatchOutput& of_output)
    : scheme(of_scheme),
      span(of_span),
      members(of_members),
      output(of_output),
      steps(span.pace == Pace::none ? whole_steps<double>(members.start.t, span) : 0),
      count(common_rows(steps, span, output.only_last)),
      keep(output.keep),
      lanes(members.system, scheme, span, output.observers),
      singles(members.system, scheme, span, output.observers) {
  if (keep.empty()) {
    keep.resize(singles.infos().size());
    std::iota(keep.begin(), keep.end(), std::size_t(0));
    if (!span.columns.empty()) keep = chosen_columns(singles.infos(), span.columns);
  }
  std::sort(keep.begin(), keep.end());
}

void BatchRows::only_wanted() {
  lanes.keep(keep);
  singles.keep(keep);
}

LaneRecord::LaneRecord(const BatchRows& rows, MemberStart& starts, std::size_t first, int count,
                       const std::vector<double>& steps, Batch& batch, LaneTools tools)
    : rows_(rows),
      first_(first),
      batch_(batch),
      group_(starts, rows.scheme, first, count, steps.data(), std::move(tools)) {
  lane_row_.resize(rows.lanes.infos().size());
  row_.resize(rows.singles.infos().size());
  for (int l = 0; l < count; ++l) {
    BatchEnd& one = run(l);
    going_[sz(l)] = group_.refused(l).empty();
    one.refused = !going_[sz(l)];
    one.reason = group_.refused(l);
    if (going_[sz(l)]) one.newton_mean = std::numeric_limits<double>::quiet_NaN();
  }
  look(0);
}

long long LaneRecord::step(long long k) {
  const long long every = rows_.span.every, row = std::min(rows_.steps, (k / every + 1) * every);
  const long long to = std::min(row, k + patience);
  group_.step(to - k);
  return to;
}

bool LaneRecord::watch(long long k) {
  const double t0 = rows_.members.start.t.as<double>();
  bool any = false;
  for (int l = 0; l < group_.count(); ++l) {
    if (!going_[sz(l)]) continue;
    if (group_.failed(l)) {
      const double t = group_.state(l).t, h = group_.h()[l];
      const long long failed = std::llround((t - t0) / h) + 1;
      run(l).steps = failed - 1;
      stop(l, Status::failed, failure_text(failed, t, h, group_.report(l)));
      continue;
    }
    run(l).steps = k;
    any = true;
  }
  if (any && (k % rows_.span.every == 0 || k == rows_.steps)) look(k);
  return std::find(going_.begin(), going_.end(), true) != going_.end();
}

void LaneRecord::interrupt() {
  for (int l = 0; l < group_.count(); ++l)
    if (going_[sz(l)])
      stop(l, Status::interrupted,
           fmt::format("interrupted after step {}, t = {:.8g}", run(l).steps, group_.state(l).t));
}

LaneTools LaneRecord::end() {
  for (int l = 0; l < group_.count(); ++l) {
    if (!going_[sz(l)]) continue;
    BatchEnd& one = run(l);
    one.status = Status::complete;
    if (moving_[sz(l)].is_doubtful(one.energy_max_error, Scalar<double>::epsilon, one.steps)) {
      const std::size_t k = first_ + sz(l);
      one.reason = extremal::run<double>(rows_.members.system_of(k), rows_.scheme, rows_.members.start_of(k),
                                         rows_.span, {.collect = false})
                       .reason;
      if (!one.reason.empty()) one.status = Status::suspect;
    }
  }
  return group_.leave();
}

void LaneRecord::stop(int l, Status status, std::string reason) {
  going_[sz(l)] = false;
  run(l).status = status;
  run(l).reason = std::move(reason);
}

// Where the row after step k goes; null if nobody wants it.
double* LaneRecord::place(int l, long long k) const {
  if (rows_.output.only_last && k < rows_.steps) return nullptr;
  const std::size_t row = first_ + sz(l);
  return batch_.values.data() + (row * batch_.times + run(l).rows) * rows_.keep.size();
}

void LaneRecord::look(long long k) {
  std::array<bool, Lanes::count> seen{};
  look_at_lanes(k, seen);
  for (int l = 0; l < group_.count(); ++l)
    if (going_[sz(l)] && !seen[sz(l)]) look_at(l, k);
}

void LaneRecord::look_at_lanes(long long k, std::array<bool, Lanes::count>& seen) {
  const bool row = !rows_.output.only_last || k == rows_.steps;
  LaneLook* const look = group_.in_lanes() > 0 ? group_.look() : nullptr;
  if (look == nullptr) return;
  const Motion<Lanes>& motion = group_.lanes();
  const LaneMask fine = look->observe(motion, row && rows_.lanes.needs_multipliers(), seen_);
  Lanes rate(0);
  for (std::size_t i = 0; i < motion.v.size(); ++i) rate += motion.state.p[i] * motion.v[i];
  if (row) {
    LanesAsked asked(*look);
    rows_.lanes.fill({asked, motion.state, seen_, look->parameters(), 0, Lanes(0), Lanes(0), k > 0, nullptr},
                     lane_row_);
  }
  for (int l = 0; l < group_.count(); ++l) {
    if (!going_[sz(l)] || !group_.away(l) || !fine[l]) continue;
    seen[sz(l)] = true;
    add(l, k, seen_.kinetic[l], seen_.potential[l], rate[l], seen_.constraint[l], seen_.hidden[l]);
    double* to = place(l, k);
    if (to == nullptr) continue;
    for (const std::size_t c : rows_.keep) *to++ = lane_row_[c][l];
    ++run(l).rows;
  }
}

void LaneRecord::look_at(int l, long long k) {
  Stepper<double>& stepper = group_.motion(l);
  double* to = place(l, k);
  stepper.observe(single_, to != nullptr && rows_.singles.needs_multipliers());
  if (!std::isfinite(single_.energy())) return stop(l, Status::failed, sight_text(k, stepper));
  const State<double>& state = stepper.state();
  double rate = 0;
  for (std::size_t i = 0; i < state.p.size(); ++i) rate += state.p[i] * single_.v[i];
  add(l, k, single_.kinetic, single_.potential, rate, single_.constraint, single_.hidden);
  if (to == nullptr) return;
  StepperAsked<double> asked(stepper);
  const std::vector<double> parameters = group_.parameters(l);
  rows_.singles.fill({asked, state, single_, parameters, 0, 0.0, energy_[sz(l)], k > 0, nullptr}, row_);
  for (const std::size_t c : rows_.keep) *to++ = row_[c];
  ++run(l).rows;
}

void LaneRecord::add(int l, long long k, double kinetic, double potential, double rate, double constraint,
                     double hidden) {
  BatchEnd& one = run(l);
  const double energy = kinetic + potential;
  if (k == 0) energy_[sz(l)] = energy;
  one.energy_max_error = std::max(one.energy_max_error, std::fabs(energy - energy_[sz(l)]));
  one.constraint_max = std::max(one.constraint_max, constraint);
  one.hidden_max = std::max(one.hidden_max, hidden);
  moving_[sz(l)].add(k == 0, kinetic, potential, rate);
}

}  // namespace extremal
