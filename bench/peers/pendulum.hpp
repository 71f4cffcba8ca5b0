// The pendulum of P1a, P1b and P8: m = l = 1, g = 9.81, let go at rest from the horizontal, and its exact motion
//   sin(theta / 2) = k cd(omega t, k),   k = sin(theta_0 / 2) = sqrt(1/2),   omega^2 = g,
// theta from the bottom, in long double.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

namespace peers::pendulum {

constexpr double gravity = 9.81, until = 1000;

struct Jacobi {
  long double sn, cn, dn;
};

// By the arithmetic-geometric mean and descending Landen transformations.
inline Jacobi jacobi(long double u, long double k) {
  long double a[16], c[16];
  a[0] = 1, c[0] = k;
  long double b = std::sqrt(1 - k * k);
  int n = 0;
  while (std::fabs(c[n]) > 1e-19L && n < 15) {
    a[n + 1] = (a[n] + b) / 2;
    c[n + 1] = (a[n] - b) / 2;
    b = std::sqrt(a[n] * b);
    ++n;
  }
  // u modulo the period 4 K, K = pi / (2 agm).
  const long double period = 2 * std::acos(-1.0L) / a[n];
  u -= period * std::floor(u / period);
  long double phi = std::ldexp(a[n] * u, n);
  for (int i = n; i > 0; --i) phi = (phi + std::asin(c[i] * std::sin(phi) / a[i])) / 2;
  const long double sn = std::sin(phi), cn = std::cos(phi);
  return {sn, cn, std::sqrt(1 - k * k * sn * sn)};
}

inline std::pair<double, double> position(long double t) {
  const long double k = std::sqrt(0.5L), omega = std::sqrt(9.81L);
  const Jacobi j = jacobi(omega * t, k);
  const long double s = k * j.cn / j.dn;  // sin(theta / 2)
  const long double c = std::sqrt(1 - s * s);
  return {static_cast<double>(2 * s * c), static_cast<double>(2 * s * s - 1)};
}

// Positions of the last 2.4 s, about one period, and their largest error. An error at the very end alone may be small
// by accident.
class LastPeriod {
 public:
  bool covers(double t) const { return t > until - 2.4; }
  void add(double t, double x, double y) { points_.push_back({t, x, y}); }
  void clear() { points_.clear(); }
  double error() const {
    double largest = points_.empty() ? INFINITY : 0;
    for (const auto& p : points_) {
      const auto [x, y] = position(p.t);
      const double e = std::hypot(p.x - x, p.y - y);
      if (!(e <= largest)) largest = std::isfinite(e) ? e : INFINITY;
    }
    return largest;
  }

 private:
  struct Point {
    double t, x, y;
  };
  std::vector<Point> points_;
};

}  // namespace peers::pendulum
