#include "study/baseline_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numbers/index.hpp"
#include "run/drift.hpp"
#include "study/cpu_time.hpp"
#include "system/evaluation.hpp"

namespace extremal {

BaselineMotion::~BaselineMotion() = default;
Baseline::~Baseline() = default;

}  // namespace extremal

namespace extremal::study {

BaselineLook BaselineRun::look(const Control& control) {
  constexpr long long parts = 1 << 20;  // of the time: the blocks of a drift are of equal length, steps are not
  BaselineLook out;
  Evaluation<double> evaluation(system_, 1, Storage::sparse);
  std::vector<double> g(sz(evaluation.m())), G(sz(evaluation.jacobian().size())), hidden(g.size());
  DriftMeter drift(parts);
  const double way = times_.back() - begin_;
  const auto see = [&](double t, const double* q, const double* v) {
    double kinetic = 0, potential = 0;
    evaluation.energies(q, v, &t, kinetic, potential);
    const double energy = kinetic + potential;
    if (t == begin_) out.energy_initial = energy;  // the first look is that of the start
    out.energy_error = math::max(out.energy_error, std::fabs(energy - out.energy_initial));
    drift.add(std::llround(static_cast<double>(parts) * (t - begin_) / way), t, energy - out.energy_initial);
    if (g.empty()) return;
    evaluation.constraints(1, q, &t, g.data(), G.data(), hidden.data());
    add_product(evaluation.jacobian(), G.data(), v, 1.0, hidden.data());
    out.constraint_max = math::max(out.constraint_max, largest(g.data(), evaluation.m()));
    out.hidden_max = math::max(out.hidden_max, largest(hidden.data(), evaluation.m()));
  };
  try {
    out.cost = motion_->go(
        times_, [&](double, const double* q, const double*) { out.q.emplace_back(q, q + system_.size()); }, see,
        control.stop);
  } catch (const BaselineFailed& failed) {
    out.failure = failed.what();
  }
  out.drift = drift.line();
  if (does_work(system_)) {
    out.energy_error = std::numeric_limits<double>::quiet_NaN();
    out.drift = {out.energy_error, out.energy_error};
  }
  return out;
}

double BaselineRun::seconds(const Control& control) {
  constexpr double long_enough = 2e-3;
  const auto nothing = [](double, const double*, const double*) {};
  const CpuTime clock;
  for (int rounds = 1;; ++rounds) {
    motion_->go(times_, nothing, {}, control.stop);
    if (const double seconds = clock.seconds(); seconds >= long_enough) return seconds / rounds;
  }
}

}  // namespace extremal::study
