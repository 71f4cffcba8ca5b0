// The heavy top of P4 in steady precession: its centre of mass stays at the height of the start, exactly. Data of
// models/top-lie.toml; R e_3 points from the tip to the centre of mass.
//
// Rates: the same top in ordinary differential equations, for solvers that know nothing of rotations. About the tip
// with inertia I_1 = J + m l^2 across and I_3 = J along the axis, quaternion q and angular velocity w in the body,
//   q' = q (0, w) / 2,   I w' = I w x w + l e_3 x R^T (-m g e_z).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "measure.hpp"

namespace peers::top {

constexpr double mass = 0.7069, J = 5.3014e-4, length = 0.075, gravity = 9.81, precession = 10, spin = 135.6089523522;
constexpr double across = J + mass * length * length, along = J, until = 10, target = 1e-6;
const double tilt = std::acos(-1.0) / 3, height = length * std::cos(tilt);

class Height {
 public:
  void add(double z) {
    const double e = std::fabs(z - height);
    if (!(e <= error_)) error_ = std::isfinite(e) ? e : INFINITY;
  }
  double error() const { return error_; }

 private:
  double error_ = 0;
};

using Seven = std::array<double, 7>;  // q (w, x, y, z), then w

inline Seven start() {
  const double w3 = precession * std::cos(tilt) + spin, w2 = precession * std::sin(tilt);
  return {std::cos(tilt / 2), std::sin(tilt / 2), 0, 0, 0, w2, w3};
}

inline double height_of(const double* s) { return length * (s[0] * s[0] - s[1] * s[1] - s[2] * s[2] + s[3] * s[3]); }

inline void rates(const double* s, double* d) {
  const double w = s[0], x = s[1], y = s[2], z = s[3], a = s[4], b = s[5], c = s[6];
  d[0] = (-x * a - y * b - z * c) / 2;
  d[1] = (w * a + y * c - z * b) / 2;
  d[2] = (w * b + z * a - x * c) / 2;
  d[3] = (w * c + x * b - y * a) / 2;
  // R^T e_z is the last row of R; e_3 x (-k R^T e_z) = k (row_y, -row_x, 0).
  const double k = mass * gravity * length, row_x = 2 * (x * z - w * y), row_y = 2 * (y * z + w * x);
  d[4] = ((across - along) * b * c + k * row_y) / across;
  d[5] = ((along - across) * a * c - k * row_x) / across;
  d[6] = 0;
}

inline void report(const char* contestant, const char* method, const std::string& setting, double time, double error) {
  print({.workload = "P4",
         .contestant = contestant,
         .method = method,
         .setting = setting,
         .value = time,
         .error = error});
}

// Constant steps from `coarse` down by 1.2 until the target is met. `solve(n, h, height)` makes n steps.
template <class Solve>
void steps(const char* contestant, const char* method, double coarse, double budget, Solve&& solve) {
  climb(60, target, budget, [&](int rung) {
    const int n = static_cast<int>(std::ceil(until / coarse * std::pow(1.2, rung)));
    double error = INFINITY;
    const double time = least_seconds([&] {
      Height height;
      solve(n, until / n, height);
      error = height.error();
    });
    report(contestant, method, text("h = %.4g", until / n), time, error);
    return std::pair(error, time);
  });
}

// Tolerances, half a decade at a time; the height is looked at every 0.02 s.
template <class Solve>
void tolerances(const char* contestant, const char* method, double coarse, double budget, Solve&& solve) {
  climb(30, target, budget, [&](int rung) {
    const double tolerance = coarse * std::pow(10, -rung / 2.0);
    double error = INFINITY;
    const double time = least_seconds([&] {
      Height height;
      solve(tolerance, height);
      error = height.error();
    });
    report(contestant, method, text("tolerance %.1e", tolerance), time, error);
    return std::pair(error, tolerance < 1e-15 ? INFINITY : time);
  });
}

}  // namespace peers::top
