// Heavy tops, 10 s. P4 is that of models/top-lie.toml in steady precession: its centre of mass stays at the height of
// the start, exactly. P4b is the same top let go without precession, so that it nods; P4c has three different moments
// and starts as the first, which is no steady motion of it. R e_3 points from the tip to the centre of mass.
//
// Rates: the same tops in ordinary differential equations, for solvers that know nothing of rotations. About the tip
// with inertia I = J + m l^2 across and J along the axis, quaternion q and angular velocity w in the body,
//   q' = q (0, w) / 2,   I w' = I w x w + l e_3 x R^T (-m g e_z).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "measure.hpp"

namespace peers::top {

constexpr double mass = 0.7069, length = 0.075, gravity = 9.81, precession = 10, spin = 135.6089523522;
constexpr double until = 10, loose = 1e-6, tight = 1e-9;
const double tilt = std::acos(-1.0) / 3, height = length * std::cos(tilt);

using Three = std::array<double, 3>;
using Seven = std::array<double, 7>;  // q (w, x, y, z), then w

struct Top {
  const char* workload;
  Three J;      // about the centre of mass
  Three omega;  // at the start, in the body
  bool steady, round;
  Three inertia() const { return {J[0] + mass * length * length, J[1] + mass * length * length, J[2]}; }
  Seven start() const { return {std::cos(tilt / 2), std::sin(tilt / 2), 0, 0, omega[0], omega[1], omega[2]}; }
};

inline std::vector<Top> tops() {
  constexpr double J = 5.3014e-4;
  const double along = precession * std::cos(tilt) + spin, across = precession * std::sin(tilt);
  return {{"P4", {J, J, J}, {0, across, along}, true, true},
          {"P4b", {J, J, J}, {0, 0, along}, false, true},
          {"P4c", {2e-3, J, 1.7e-3}, {0, across, along}, false, false}};
}

// Where the centre of mass is.
template <class T>
Three place(const T* q) {
  const T w = q[0], x = q[1], y = q[2], z = q[3];
  const double far = length;
  return {static_cast<double>(2 * far * (x * z + w * y)), static_cast<double>(2 * far * (y * z - w * x)),
          static_cast<double>(far * (w * w - x * x - y * y + z * z))};
}

template <class T>
void rates(const Top& top, const T* s, T* d) {
  const T w = s[0], x = s[1], y = s[2], z = s[3], a = s[4], b = s[5], c = s[6];
  const Three I = top.inertia();
  d[0] = (-x * a - y * b - z * c) / 2;
  d[1] = (w * a + y * c - z * b) / 2;
  d[2] = (w * b + z * a - x * c) / 2;
  d[3] = (w * c + x * b - y * a) / 2;
  // R^T e_z is the last row of R; e_3 x (-k R^T e_z) = k (row_y, -row_x, 0).
  const T k = mass * gravity * length, row_x = 2 * (x * z - w * y), row_y = 2 * (y * z + w * x);
  d[4] = ((I[1] - I[2]) * b * c + k * row_y) / I[0];
  d[5] = ((I[2] - I[0]) * a * c - k * row_x) / I[1];
  d[6] = (I[0] - I[1]) * a * b / I[2];
}

// Where the centre of mass is at the end: the modified midpoint rule with 2, 4, ..., 20 substeps of 0.005 s,
// extrapolated to order 20 in long double [HairerNorsettWanner1993, section II.9].
inline Three end_of(const Top& top) {
  using T = long double;
  using State = std::array<T, 7>;
  constexpr int columns = 10, steps = 2000;
  const T H = T(until) / steps;
  const Seven start = top.start();
  State s;
  std::copy(start.begin(), start.end(), s.begin());
  const auto ahead = [](const State& from, T by, const State& slope) {
    State to = from;
    for (std::size_t i = 0; i < 7; ++i) to[i] += by * slope[i];
    return to;
  };
  for (int step = 0; step < steps; ++step) {
    std::array<State, columns> row{};
    for (int k = 0; k < columns; ++k) {
      const int n = 2 * (k + 1);
      const T h = H / n;
      State slope, before = s;
      rates(top, s.data(), slope.data());
      State now = ahead(s, h, slope);
      for (int i = 1; i < n; ++i) {
        rates(top, now.data(), slope.data());
        const State next = ahead(before, 2 * h, slope);
        before = now;
        now = next;
      }
      rates(top, now.data(), slope.data());
      const State last = ahead(before, h, slope);
      State value;
      for (std::size_t i = 0; i < 7; ++i) value[i] = (now[i] + last[i]) / 2;
      for (int m = 1; m <= k; ++m) {
        const T ratio = T(k + 1) / T(k + 1 - m), by = 1 / (ratio * ratio - 1);
        State& last_row = row[static_cast<std::size_t>(m - 1)];
        State better;
        for (std::size_t i = 0; i < 7; ++i) better[i] = value[i] + by * (value[i] - last_row[i]);
        last_row = value;
        value = better;
      }
      row[static_cast<std::size_t>(k)] = value;
    }
    s = row.back();
  }
  return place(s.data());
}

// Of the height, the largest over the run, where the exact one is known; of the place at the end otherwise, in lengths.
class Error {
 public:
  explicit Error(const Top& top) : steady_(top.steady) {
    if (!steady_) end_ = end_of(top);
  }
  void begin() { error_ = 0; }
  void add(const Three& place) {
    last_ = place;
    if (!steady_) return;
    const double e = std::fabs(place[2] - height);
    if (!(e <= error_)) error_ = std::isfinite(e) ? e : INFINITY;
  }
  void fail() { error_ = INFINITY; }
  double error() const {
    if (steady_ || !std::isfinite(error_)) return error_;
    const double far = std::hypot(last_[0] - end_[0], last_[1] - end_[1], last_[2] - end_[2]) / length;
    return std::isfinite(far) ? far : INFINITY;
  }

 private:
  bool steady_;
  Three end_{}, last_{};
  double error_ = 0;
};

template <class Solve>
std::pair<double, double> measure(const Top& top, const char* contestant, const char* method,
                                  const std::string& setting, Error& error, Solve&& solve) {
  const double time = least_seconds([&] {
    error.begin();
    solve();
  });
  print({.workload = top.workload,
         .contestant = contestant,
         .method = method,
         .setting = setting,
         .value = time,
         .error = error.error()});
  return {error.error(), time};
}

// Constant steps from `coarse` down by 1.2 until the error is `tight`. `solve(n, h, error)` makes n steps.
template <class Solve>
void steps(const Top& top, const char* contestant, const char* method, double coarse, double budget, Solve&& solve) {
  Error error(top);
  climb(60, tight, budget, [&](int rung) {
    const int n = static_cast<int>(std::ceil(until / coarse * std::pow(1.2, rung)));
    return measure(top, contestant, method, text("h = %.4g", until / n), error, [&] { solve(n, until / n, error); });
  });
}

// Tolerances, half a decade at a time; the top is looked at every 0.02 s.
template <class Solve>
void tolerances(const Top& top, const char* contestant, const char* method, double coarse, double budget,
                Solve&& solve) {
  Error error(top);
  climb(30, tight, budget, [&](int rung) {
    const double tolerance = coarse * std::pow(10, -rung / 2.0);
    const auto result =
        measure(top, contestant, method, text("tolerance %.1e", tolerance), error, [&] { solve(tolerance, error); });
    return std::pair(result.first, tolerance < 1e-15 ? INFINITY : result.second);
  });
}

}  // namespace peers::top
