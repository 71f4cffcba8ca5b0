// P3: N four-bar linkages in a row (models/four-bar-chain.toml), 10 s, to |dE| / E = 1e-6.
//
// Bars by their ends: leg k stands at (k, 0) and its tip is at (k, 0) + d_k, |d_k| = 1; a coupler joins the tips of
// legs k and k + 1, c_k = d_{k+1} - d_k + e_x, |c_k| = 1. A uniform bar with ends a and b has the kinetic energy m
// (a'.a' + a'.b' + b'.b') / 6, so that with masses 1 and n = N + 1 legs
//   M_kk = (1 + number of couplers at k) / 3,   M_{k,k+1} = 1 / 6   (times the 2 x 2 identity),
//   f_k = -g e_y (1 + number of couplers at k) / 2,   g = ((d.d - 1) / 2, (c.c - 1) / 2):
// a constant mass and quadratic constraints. The hand-written kernel and IDA use this form, and extremal both this one
// and its own model.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "measure.hpp"

namespace peers::four_bars {

constexpr double gravity = 9.81, until = 10, target = 1e-6;

// Ends that leg k shares: itself and its couplers.
inline int bars_at(int k, int legs) { return 1 + (k > 0) + (k + 1 < legs); }
inline double mass(int k, int legs) { return bars_at(k, legs) / 3.0; }
inline double weight(int k, int legs) { return -gravity * bars_at(k, legs) / 2; }

// d and its rate: x_0, y_0, x_1, ...
inline double energy(int legs, const double* d, const double* v) {
  double sum = 0;
  for (int k = 0; k < legs; ++k) {
    const double *a = v + 2 * k, *b = a + 2;
    sum += mass(k, legs) / 2 * (a[0] * a[0] + a[1] * a[1]) - weight(k, legs) * d[2 * k + 1];
    if (k + 1 < legs) sum += (a[0] * b[0] + a[1] * b[1]) / 6;
  }
  return sum;
}

class EnergyError {
 public:
  void add(double energy) {
    if (first_) start_ = energy;
    first_ = false;
    const double e = std::fabs(energy / start_ - 1);
    if (!(e <= error_)) error_ = std::isfinite(e) ? e : INFINITY;
  }
  double error() const { return error_; }

 private:
  bool first_ = true;
  double start_ = 0, error_ = 0;
};

inline std::vector<int> sizes() { return {2, 40}; }

// `solve(error)` does the whole run; returns (error, seconds).
template <class Solve>
std::pair<double, double> measure(const char* contestant, const char* method, const std::string& setting, int n,
                                  Solve&& solve) {
  double result = INFINITY;
  const double time = least_seconds([&] {
    EnergyError error;
    solve(error);
    result = error.error();
  });
  print({.workload = "P3",
         .contestant = contestant,
         .method = method,
         .setting = setting,
         .n = n,
         .value = time,
         .error = result});
  return {result, time};
}

// Constant steps from `coarse` down by 1.1 until the target is met; `solve(count, h, error)`.
template <class Solve>
void steps(const char* contestant, const char* method, int n, double coarse, double budget, Solve&& solve) {
  climb(60, target, budget, [&](int rung) {
    const int count = static_cast<int>(std::ceil(until / coarse * std::pow(1.1, rung)));
    return measure(contestant, method, text("h = %.4g", until / count), n,
                   [&](EnergyError& error) { solve(count, until / count, error); });
  });
}

}  // namespace peers::four_bars
