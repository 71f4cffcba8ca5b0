// Laws of the long run in double: the constraints at every node, and the energy.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "check/probe.hpp"
#include "scheme/family.hpp"

namespace extremal::laws {

namespace {

// max over the run and the rows of G of sum_i |G_ki| max|x|: what g (x = q) and G v (x = v) are sums of, up to the
// constants in g, which balance the rest. Of the energy: |T| + |V|, and by how much T or V varies, whichever does more.
struct Sizes {
  double g = 0, hidden = 0, energy = 0, moved = 0;
};

Sizes sizes(Probe& probe) {
  const Run<double>& run = probe.long_run();
  const auto n = static_cast<std::size_t>(probe.n), m = static_cast<std::size_t>(probe.m);
  Evaluation<double> evaluation(probe.system, 1);
  const std::vector<double>& t = run.column("t");
  std::vector<const std::vector<double>*> q, v, p;
  for (const std::string& name : probe.system.coordinate_names()) {
    q.push_back(&run.column(name));
    p.push_back(&run.column("p:" + name));
    v.push_back(&run.column("v:" + name));
  }
  std::vector<double> position(n), velocity(n), g(m), G(m * n), gt(m), turn(m);
  Sizes result;
  const double infinity = std::numeric_limits<double>::infinity();
  double least[2] = {infinity, infinity}, most[2] = {-infinity, -infinity};
  for (std::size_t k = 0; k < t.size(); ++k) {
    double reach = 0, speed = 0;
    for (std::size_t i = 0; i < n; ++i) {
      position[i] = (*q[i])[k];
      velocity[i] = (*v[i])[k];
      reach = std::max(reach, std::fabs(position[i]));
      speed = std::max(speed, std::fabs(velocity[i]));
    }
    double kinetic = 0, potential = 0;
    if (probe.hamiltonian()) {  // p v / 2 is T wherever there is one
      for (std::size_t i = 0; i < n; ++i) kinetic += (*p[i])[k] * velocity[i] / 2;
      potential = run.column("energy")[k] - kinetic;
    } else {
      evaluation.energies(position.data(), velocity.data(), &t[k], kinetic, potential);
    }
    result.energy = std::max(result.energy, std::fabs(kinetic) + std::fabs(potential));
    for (const int part : {0, 1}) {
      least[part] = std::min(least[part], part == 0 ? kinetic : potential);
      most[part] = std::max(most[part], part == 0 ? kinetic : potential);
    }
    if (m == 0) continue;
    evaluation.constraints(1, position.data(), &t[k], g.data(), G.data(), gt.data());
    if (probe.timed()) evaluation.bend(position.data(), &t[k], velocity.data(), nullptr, turn.data());
    for (std::size_t row = 0; row < m; ++row) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += std::fabs(G[row * n + i]);
      // The time of a node is itself rounded.
      result.g = std::max(result.g, sum * reach + std::fabs(gt[row] * t[k]));
      result.hidden = std::max(result.hidden, sum * speed + std::fabs(gt[row]) + std::fabs(turn[row] * t[k]));
    }
  }
  // H alone does not say what moves in it: nor may its level, which is 0 of systems in fictitious time.
  result.moved = std::max(most[0] - least[0], most[1] - least[1]);
  if (probe.hamiltonian()) result.moved = std::max(result.moved, result.energy);
  return result;
}

// Newton's method, for positions and in the projection, ends at corrections of two units; g is then evaluated.
constexpr double constraint_headroom = 4;

// Whether the slopes of the two longest runs can be those of the same line, or of something that grows.
bool one_drift(const std::vector<double>& slopes) {
  const double last = slopes[slopes.size() - 1], before = slopes[slopes.size() - 2];
  return last * before > 0 && std::fabs(last) >= std::fabs(before) / 2;
}

}  // namespace

std::vector<Law> constraints(Probe& probe) {
  if (!probe.constrained()) return {};
  const bool on_manifold = probe.on_manifold(), promised = probe.meets_hidden();
  Law g{.name = "constraints", .declared = on_manifold ? "yes" : "no"};
  Law hidden{.name = "hidden constraints", .declared = promised ? "yes" : "no"};
  try {
    const Run<double>& run = probe.long_run();
    const Sizes size = sizes(probe);
    const auto judge = [](Law& law, double defect, double extent) {
      law.defect = defect;
      law.floor = constraint_headroom * Scalar<double>::epsilon * extent;
      const bool met = law.defect <= law.floor;
      law.measured = met ? "yes" : "no: " + scientific(law.defect);
      law.holds = met || law.declared == "no";
    };
    judge(g, run.constraint_max, size.g);
    judge(hidden, run.hidden_max, size.hidden);
  } catch (const StepFailure& failure) {
    g.measured = hidden.measured = "no: " + failure.reason;
    g.holds = hidden.holds = !on_manifold;
  }
  return {g, hidden};
}

Law energy(Probe& probe) {
  Law law{.name = "energy drift", .declared = "-"};
  if (probe.forced() || probe.timed()) {
    law.measured = probe.forced() ? "not asked: forces do work" : "not asked: the Lagrangian depends on time";
    law.holds = true;
    return law;
  }
  // A scheme that leaves the manifold says that it does not stay near the energy.
  if (probe.options.uneven) {
    law.measured = "not measurable: steps of different length have no modified energy in common";
    law.measurable = false;
    return law;
  }
  if (probe.symplectic() && probe.on_manifold()) law.declared = "none";
  try {
    const Run<double>* run = &probe.long_run();
    const Sizes size = sizes(probe);
    const double noise = operations * Scalar<double>::epsilon * size.energy;
    Run<double> other;
    std::string verdict;
    bool bounded = true;
    // Whether the energy of a run of so many of the model's own spans and so many steps to one of them is level.
    const auto level = [&](int length, int divisor) {
      law.defect = std::fabs(run->drift.slope);
      // Three standard errors of the slope; and energies are sums of T and V, each rounded once per step, a random
      // walk whose slope over the run is its end divided by the time.
      const double steps = static_cast<double>(probe.options.long_steps) * length * divisor;
      const double walk = noise * std::sqrt(steps);
      law.floor = 3 * run->drift.slope_error + walk / (probe.long_time() * length);
      // What moves is a bound of what may be missing.
      bounded = run->energy_max_error <= size.moved / 2 + walk;
      return bounded && law.defect <= law.floor;
    };
    // Of a run of so many times the steps, in steps of a coordinate that need no equations to be solved.
    const auto effort = [&](int times) {
      const int solved = on_rotations(probe.scheme) ? 1 : 10;
      return 1.0 * probe.options.long_steps * times * probe.n * solved;
    };
    constexpr double most_effort = 6e6;
    // A quasi-periodic energy has slow beats that look like a slope. A beat is gone in a longer run, a drift is not: a
    // suspicion is followed up twice.
    std::vector<double> slopes;
    bool steady = false, suspected = false;  // which is no verdict, if it is not followed up
    for (int length = 1;; length *= 4) {
      steady = level(length, 1);
      slopes.push_back(run->drift.slope);
      suspected = !steady && bounded && length < 16;
      if (steady || !bounded || length == 16 || effort(4 * length) > most_effort) break;
      try {
        other = probe.run_for(probe.options.long_steps * length * 4LL, 1);
      } catch (const StepFailure& failure) {
        law.measured = fmt::format("not measurable: yes, and a longer run fails: {}", failure.reason);
        law.measurable = law.declared == "-";
        law.holds = law.measurable;
        return law;
      }
      run = &other;
    }
    verdict = steady     ? "none"
              : !bounded ? fmt::format("yes: more than half of the {} by which T and V vary", scientific(size.moved))
                         : "yes";
    // A drift keeps its sign and does not fade. Jumps, where the step is too long for what happens, do neither; they
    // are gone with a shorter one.
    if (!steady && bounded && (suspected || !one_drift(slopes))) {
      for (const int divisor : {2, 4}) {
        if (effort(divisor) > most_effort) break;
        other = probe.run_for(static_cast<long long>(probe.options.long_steps) * divisor, divisor);
        run = &other;
        steady = level(1, divisor);
        verdict = fmt::format("{} with steps of {:.3g}", steady ? "none" : "jumps, even",
                              static_cast<double>(probe.long_step()) / divisor);
        if (steady) break;
      }
      suspected = !steady;
    }
    law.measured = fmt::format("{}: |H-H0| <= {}, slope {:.1e} +- {:.1e}", verdict, scientific(run->energy_max_error),
                               run->drift.slope, run->drift.slope_error);
    // What drifts may be no energy of the scheme's.
    if (const long long strange = run->remedies.total(); strange > 0)
      law.measured += fmt::format("; {} of {} steps not its own", strange, run->steps);
    law.holds = steady || law.declared == "-";
    law.measurable = law.holds || !suspected;
  } catch (const StepFailure& failure) {
    law.measured = "no: " + failure.reason;
    law.holds = !probe.on_manifold();
  }
  return law;
}

}  // namespace extremal::laws
