#include <algorithm>

#include <fmt/format.h>

#include "check/probe.hpp"
#include "extremal/error.hpp"

namespace extremal {

template <class S>
std::vector<S> modified_energy(const std::vector<State<S>>& states, const std::vector<S>& actions, S step, int reach) {
  const auto k = static_cast<std::size_t>(std::max(reach, 1)), count = states.size();
  if (reach < 1 || count < 2 * k + 1 || actions.size() + 1 != count)
    throw InputError(
        fmt::format("modified energy: found {} states, {} actions, reach {}; expected reach >= 1, at least "
                    "2 reach + 1 states and one action between two of them",
                    count, actions.size(), reach));
  // f'(0) = sum_j c_j (f(j h) - f(-j h)) / h + O(h^{2k}), c_j = (-1)^{j+1} k!^2 / (j (k-j)! (k+j)!).
  std::vector<S> c(k + 1);
  S ratio(1);  // k!^2 / ((k-j)! (k+j)!)
  for (std::size_t j = 1; j <= k; ++j) {
    ratio *= S(static_cast<int>(k - j + 1)) / S(static_cast<int>(k + j));
    c[j] = (j % 2 == 1 ? ratio : -ratio) / S(static_cast<int>(j));
  }
  const auto product = [](const std::vector<S>& a, const std::vector<S>& b) {
    S sum(0);
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  };
  std::vector<S> result;
  for (std::size_t i = k; i + k < count; ++i) {
    const State<S>& here = states[i];
    S sum(0), action(0);
    for (std::size_t j = 1; j <= k; ++j) {
      const State<S>&next = states[i + j], &last = states[i - j];
      action += actions[i + j - 1] + actions[i - j];
      const S area =
          product(here.p, next.q) - product(here.p, last.q) - product(here.q, next.p) + product(here.q, last.p);
      const S ends = product(next.p, next.q) - product(last.p, last.q);
      sum += c[j] * ((area + ends) / S(2) - action);
    }
    result.push_back(sum / step);
  }
  return result;
}

template std::vector<double> modified_energy(const std::vector<State<double>>&, const std::vector<double>&, double,
                                             int);
template std::vector<quad> modified_energy(const std::vector<State<quad>>&, const std::vector<quad>&, quad, int);

namespace laws {

Law modified_energy(Probe& probe) {
  Law law{.name = "modified energy", .declared = "-", .holds = true};
  if (probe.forced() || probe.timed()) {
    law.measured = "not defined: energy is not conserved";
    return law;
  }
  if (probe.options.uneven) {
    law.measured = "not defined: steps of different length";
    return law;
  }
  // Of the model's own size: longer ones need not have a solution all the way.
  const int steps = std::min(std::clamp(20000 / probe.n, 49, 200), probe.options.long_steps);
  const quad step = probe.long_step();
  try {
    Stepper<quad> stepper = probe.stepper(probe.scheme, probe.initial);
    std::vector<State<quad>> states{stepper.state()};
    std::vector<quad> actions, energies;
    Observation<quad> seen;
    for (int k = 0; k < steps; ++k) {
      advance(stepper, step);
      states.push_back(stepper.state());
      actions.push_back(stepper.action());
      stepper.observe(seen, false);
      energies.push_back(seen.energy());
    }
    const auto spread = [](const std::vector<quad>& x) {
      const auto [least, most] = std::minmax_element(x.begin(), x.end());
      return static_cast<double>(*most - *least) / 2;
    };
    const double plain = spread(energies);
    // Differences get better with their reach until it comes near a singularity of the motion in complex time. H~ is
    // constant: the steadiest estimate is the best.
    double modified = plain;
    for (const int reach : {1, 2, 4, 6, 8, 12, 16, 24})
      if (2 * reach <= steps)
        modified = std::min(modified, spread(extremal::modified_energy(states, actions, step, reach)));
    law.defect = modified;
    law.floor = plain;
    law.measured = fmt::format("fluctuation {} (energy {})", scientific(modified), scientific(plain));
  } catch (const StepFailure& failure) {
    law.measured = "no: " + failure.reason;
    law.holds = !probe.on_manifold();
  }
  return law;
}

}  // namespace laws
}  // namespace extremal
