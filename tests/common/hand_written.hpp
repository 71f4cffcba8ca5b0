// The constrained systems once more, written out by hand in quad precision, and Newton's method with differences for
// derivatives: what an equivalence with a textbook method needs, and nothing of the library but the scalar.
//
//   L = v^T M(q) v / 2 - V(q),  g(q) = 0,  p = M v,  p' = L_q - G^T lambda
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "extremal/scalar.hpp"

namespace extremal::papers {

using Vector = std::vector<quad>;
using Matrix = std::vector<Vector>;

struct HandWritten {
  int n, m;
  std::function<Matrix(const Vector&)> mass;
  std::function<Vector(const Vector& q, const Vector& v)> force;  // L_q
  std::function<Vector(const Vector&)> constraint;
  std::function<Matrix(const Vector&)> jacobian;                    // G, m x n
  std::function<Matrix(const Vector& q, const Vector& v)> bend;     // d(G v)/dq, m x n
  std::function<Matrix(const Vector& q, const Vector& v)> inertia;  // d(M v)/dq, n x n
  Vector q, v;                                                      // the start
};

inline Matrix unit_matrix(int n) {
  Matrix unit(static_cast<std::size_t>(n), Vector(static_cast<std::size_t>(n)));
  for (std::size_t i = 0; i < unit.size(); ++i) unit[i][i] = 1;
  return unit;
}

inline Vector product(const Matrix& a, const Vector& x) {
  Vector y(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) y[i] += a[i][j] * x[j];
  return y;
}

// y += factor * a^T x
inline void add_transposed(Vector& y, quad factor, const Matrix& a, const Vector& x) {
  for (std::size_t k = 0; k < x.size(); ++k)
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += factor * a[k][i] * x[k];
}

inline void add(Vector& y, quad factor, const Vector& x) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += factor * x[i];
}

// Gauss's elimination with row pivots.
inline Vector solve(Matrix a, Vector b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (math::abs(a[i][k]) > math::abs(a[pivot][k])) pivot = i;
    if (a[pivot][k] == 0) throw std::runtime_error("singular matrix");
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const quad f = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= f * a[k][j];
      b[i] -= f * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

// f(x) = 0 from a guess, to round-off. With differences over 1e-12 an iteration gains at least some twelve digits, so
// that the correction after one below 1e-22 would be round-off.
inline Vector newton(const std::function<Vector(const Vector&)>& f, Vector x) {
  const quad reach = quad(1) / quad(1e12);
  for (int iteration = 0; iteration < 10; ++iteration) {
    const Vector residual = f(x);
    Matrix slopes(residual.size(), Vector(x.size()));
    for (std::size_t j = 0; j < x.size(); ++j) {
      Vector moved = x;
      moved[j] += reach;
      const Vector change = f(moved);
      for (std::size_t i = 0; i < residual.size(); ++i) slopes[i][j] = (change[i] - residual[i]) / reach;
    }
    const Vector correction = solve(slopes, residual);
    quad largest(0);
    for (std::size_t j = 0; j < x.size(); ++j) {
      x[j] -= correction[j];
      largest = math::max(largest, math::abs(correction[j]));
    }
    if (!math::finite(largest)) break;
    if (largest < quad(1e-22)) return x;
  }
  throw std::runtime_error("Newton's method did not converge");
}

inline HandWritten hand_written(const std::string& name) {
  const quad root_half = math::sqrt(quad(2)) / 2, gravity = quad(981) / 100;
  const auto decimal = [](int numerator) { return quad(numerator) / 100; };
  const auto unit = [](int n) { return [n](const Vector&) { return unit_matrix(n); }; };
  const auto constant = [](const Vector& q, const Vector&) { return Matrix(q.size(), Vector(q.size())); };
  if (name == "pendulum")
    return {.n = 2,
            .m = 1,
            .mass = unit(2),
            .force = [gravity](const Vector&, const Vector&) { return Vector{0, -gravity}; },
            .constraint = [](const Vector& q) { return Vector{(q[0] * q[0] + q[1] * q[1] - 1) / 2}; },
            .jacobian = [](const Vector& q) { return Matrix{{q[0], q[1]}}; },
            .bend = [](const Vector&, const Vector& v) { return Matrix{{v[0], v[1]}}; },
            .inertia = constant,
            .q = {decimal(60), decimal(-80)},
            .v = {decimal(160), decimal(120)}};
  if (name == "double-pendulum-3d")
    return {.n = 6,
            .m = 2,
            .mass = unit(6),
            .force = [gravity](const Vector&, const Vector&) { return Vector{0, 0, -gravity, 0, 0, -gravity}; },
            .constraint =
                [](const Vector& q) {
                  const quad x = q[3] - q[0], y = q[4] - q[1], z = q[5] - q[2];
                  return Vector{(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 1) / 2, (x * x + y * y + z * z - 1) / 2};
                },
            .jacobian =
                [](const Vector& q) {
                  const quad x = q[3] - q[0], y = q[4] - q[1], z = q[5] - q[2];
                  return Matrix{{q[0], q[1], q[2], 0, 0, 0}, {-x, -y, -z, x, y, z}};
                },
            .bend =
                [](const Vector&, const Vector& v) {
                  const quad x = v[3] - v[0], y = v[4] - v[1], z = v[5] - v[2];
                  return Matrix{{v[0], v[1], v[2], 0, 0, 0}, {-x, -y, -z, x, y, z}};
                },
            .inertia = constant,
            .q = {decimal(60), 0, decimal(-80), decimal(60), decimal(80), decimal(-140)},
            .v = {decimal(80), 1, decimal(60), decimal(80), decimal(25), decimal(-40)}};
  if (name == "spring-pendulum")
    return {.n = 4,
            .m = 2,
            .mass = unit(4),
            .force = [](const Vector& q, const Vector&) { return Vector{-q[0] - 2 * q[0] * q[0] * q[0], 0, 0, 1}; },
            .constraint =
                [](const Vector& q) {
                  const quad x = q[2] - q[0], y = q[3] - q[1];
                  return Vector{q[1], x * x + y * y - 1};
                },
            .jacobian =
                [](const Vector& q) {
                  const quad x = 2 * (q[2] - q[0]), y = 2 * (q[3] - q[1]);
                  return Matrix{{0, 1, 0, 0}, {-x, -y, x, y}};
                },
            .bend =
                [](const Vector&, const Vector& v) {
                  const quad x = 2 * (v[2] - v[0]), y = 2 * (v[3] - v[1]);
                  return Matrix{{0, 0, 0, 0}, {-x, -y, x, y}};
                },
            .inertia = constant,
            .q = {0, 0, root_half, root_half},
            .v = {0, 0, 0, 0}};
  if (name == "triple-pendulum")
    return {.n = 4,
            .m = 1,
            .mass =
                [](const Vector& q) {
                  const quad c = math::cos(q[0] - q[1]);
                  return Matrix{{2, c, 0, 0}, {c, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
                },
            .force =
                [](const Vector& q, const Vector& v) {
                  const quad s = math::sin(q[0] - q[1]) * v[0] * v[1];
                  return Vector{-s - 2 * math::sin(q[0]), s - math::sin(q[1]), 0, 1};
                },
            .constraint =
                [](const Vector& q) {
                  const quad x = q[2] - math::sin(q[0]) - math::sin(q[1]), y = q[3] - math::cos(q[0]) - math::cos(q[1]);
                  return Vector{x * x + y * y - 1};
                },
            .jacobian =
                [](const Vector& q) {
                  const quad x = q[2] - math::sin(q[0]) - math::sin(q[1]), y = q[3] - math::cos(q[0]) - math::cos(q[1]);
                  return Matrix{{2 * (y * math::sin(q[0]) - x * math::cos(q[0])),
                                 2 * (y * math::sin(q[1]) - x * math::cos(q[1])), 2 * x, 2 * y}};
                },
            .bend =
                [](const Vector& q, const Vector& v) {
                  const quad x = q[2] - math::sin(q[0]) - math::sin(q[1]), y = q[3] - math::cos(q[0]) - math::cos(q[1]);
                  const quad dx = v[2] - math::cos(q[0]) * v[0] - math::cos(q[1]) * v[1],
                             dy = v[3] + math::sin(q[0]) * v[0] + math::sin(q[1]) * v[1];
                  const auto angle = [&](std::size_t i) {
                    const quad s = math::sin(q[i]), c = math::cos(q[i]);
                    return 2 * (-c * dx + x * s * v[i] + s * dy + y * c * v[i]);
                  };
                  return Matrix{{angle(0), angle(1), 2 * dx, 2 * dy}};
                },
            .inertia =
                [](const Vector& q, const Vector& v) {
                  const quad s = math::sin(q[0] - q[1]);
                  return Matrix{{-s * v[1], s * v[1], 0, 0}, {-s * v[0], s * v[0], 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};
                },
            .q = {0, 0, root_half, 2 + root_half},
            .v = {0, 0, 0, 0}};
  throw std::runtime_error(name + ": not written by hand");
}

}  // namespace extremal::papers
