// P10: time to accuracy of bodies, to errors of 1e-6 and of 1e-9.
//
// P10a is the chain of P2 with 10 bars for 1 s, let go while it turns about the vertical by 1 rad/s
// (models/chain-spatial.toml); the error is the largest change of the energy, relative. P10b are the four-bars of P3 as
// bodies, which the programs of P3 measure. P10c is Andrews' squeezing mechanism (andrews.hpp); the error is that of
// its angles at the end.
#pragma once

#include <algorithm>
#include <cmath>

#include "measure.hpp"

namespace peers::accuracy {

constexpr double loose = 1e-6, tight = 1e-9;

struct Task {
  const char* workload;
  int n;
  double until;
};

// `solve()` does the whole run and returns its error.
template <class Solve>
std::pair<double, double> measure(const Task& task, const char* contestant, const std::string& method,
                                  const std::string& setting, Solve&& solve) {
  double error = INFINITY;
  const double time = least_seconds([&] { error = solve(); });
  print({.workload = task.workload,
         .contestant = contestant,
         .method = method,
         .setting = setting,
         .n = task.n,
         .value = time,
         .error = error});
  return {error, time};
}

// Constant steps from `coarse` down by 1.15 until the error is `tight`; `solve(count, h)`.
template <class Solve>
void steps(const Task& task, const char* contestant, const std::string& method, double coarse, double budget,
           Solve&& solve) {
  climb(80, tight, budget, [&](int rung) {
    const int count = static_cast<int>(std::ceil(task.until / coarse * std::pow(1.15, rung)));
    return measure(task, contestant, method, text("h = %.4g", task.until / count),
                   [&] { return solve(count, task.until / count); });
  });
}

}  // namespace peers::accuracy
