// The chain of P2: N bars (mass 1, length 1, inertia 1/600 about the axis and 1/12 across) on spherical joints, the
// first at the origin, let go at rest along the x axis with gravity along -z; and how a step of it is measured.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "measure.hpp"

namespace peers::chain {

constexpr double gravity = 9.81, h = 1e-3, along = 1.0 / 600, across = 1.0 / 12;

inline std::vector<int> sizes(bool quick) {
  return quick ? std::vector<int>{10, 100} : std::vector<int>{10, 100, 1000, 10000};
}

inline int steps(int n, bool quick) { return quick ? 100 : n <= 10 ? 1000 : n <= 100 ? 300 : n <= 1000 ? 100 : 30; }

// `step()` makes one, and is false if it fails; `energy()` is that of the whole chain, not part of the time. The median
// over groups of steps counts, as the work changes with the motion.
template <class Step, class Energy>
void measure(const char* contestant, const char* method, int n, bool quick, Step&& step, Energy&& energy,
             const std::string& note = {}, int at_most = 1 << 30) {
  const int count = std::min(steps(n, quick), at_most), group = std::max(1, std::min(10, count / 10));
  const double before = energy();
  double change = 0;
  std::vector<double> times;
  for (int k = 0; k < count; k += group) {
    bool good = true;
    times.push_back(seconds([&] {
      for (int i = 0; i < group && good; ++i) good = step();
    }));
    const double now = energy();
    change = good && std::isfinite(now) ? std::max(change, std::fabs(now - before)) : INFINITY;
    if (!good) break;
  }
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  print({.workload = "P2",
         .contestant = contestant,
         .method = method,
         .setting = std::to_string(count) + " steps",
         .n = n,
         .value = 1e9 * *middle / group / n,
         .error = change / (n * gravity),
         .note = note});
}

}  // namespace peers::chain
