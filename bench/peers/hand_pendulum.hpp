// Hand-written kernels of the pendulum, the limit of what a library can reach: |q| = 1, m = 1, gravity -g e_y, nothing
// general about them. The force of the rod is -lambda q.
//
//   Rattle          RATTLE [HairerLubichWanner2006, VII.1.3] with Newton's method on lambda, as a library has to do it
//   RattleClosed    the same map; g(q1) = 0 is quadratic in lambda here and solved in closed form
//   Lobatto3        Lobatto IIIA-IIIB with 3 nodes [Jay1996], chord Newton on two multipliers
//   Verlet          the angle from the bottom and its rate: the minimal coordinate
//
// A composition takes substeps of changing sign and size; only the closed forms, which need no guess, are composed.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "pendulum.hpp"

namespace peers::pendulum {

struct Rattle {
  double x = 1, y = 0, u = 0, v = 0;
  double lambda = 0, before = 0;  // of the last steps: the next one is extrapolated

  void step(double h) {
    const double ax = x + h * u, ay = y + h * v - h * h / 2 * gravity, w = h * h / 2;
    double next = 2 * lambda - before, nx = 0, ny = 0, last = 1;
    for (int k = 0; k < 20; ++k) {
      nx = ax - w * next * x;
      ny = ay - w * next * y;
      const double g = (nx * nx + ny * ny - 1) / 2;
      const double slope = w * (nx * x + ny * y);
      const double change = g / slope;
      next += change;
      nx -= w * change * x;
      ny -= w * change * y;
      // The contraction of Newton's method is measured: the next residual is about g^2 / last.
      const double size = std::fabs(g);
      if (size < 1e-15 || size * size < 1e-17 * last) break;
      last = size;
    }
    before = lambda;
    lambda = next;
    const double hu = (nx - x) / h, hv = (ny - y) / h - h / 2 * gravity;
    const double mu = (hu * nx + hv * ny) / (nx * nx + ny * ny);
    x = nx, y = ny;
    u = hu - mu * nx, v = hv - mu * ny;
  }
};

struct RattleClosed {
  double x = 1, y = 0, u = 0, v = 0;

  void step(double h) {
    const double ax = x + h * u, ay = y + h * v - h * h / 2 * gravity;
    const double b = ax * x + ay * y, c = ax * ax + ay * ay - 1;
    const double w = c / (b + std::sqrt(b * b - c));  // h^2 lambda / 2
    const double nx = ax - w * x, ny = ay - w * y;
    const double hu = u - w / h * x, hv = v - h * gravity - w / h * y;
    const double mu = hu * nx + hv * ny;
    x = nx, y = ny;
    u = hu - mu * nx, v = hv - mu * ny;
  }
};

// With F_i = -g e_y - lambda_i Q_i and A, A^ the coefficients of IIIA and IIIB, Q = q0 + c h v0 + h^2 A A^ F:
//   Q2 = q0 + h v0 / 2 + h^2 (F1 / 12 + F2 / 24),   Q3 = q0 + h v0 + h^2 (F1 / 6 + F2 / 3),
//   v1 = v0 + h (F1 + 4 F2 + F3) / 6,
// lambda_1, lambda_2 from |Q2| = |Q3| = 1 and lambda_3 from Q3 . v1 = 0.
struct Lobatto3 {
  double x = 1, y = 0, u = 0, v = 0;
  std::array<double, 4> first{}, second{};  // lambda_1, lambda_2 of the last steps, newest first

  void step(double h) {
    const double hh = h * h, ax = x + h / 2 * u, ay = y + h / 2 * v - hh / 8 * gravity;
    const double bx = x + h * u, by = y + h * v - hh / 2 * gravity;
    const auto cubic = [](const std::array<double, 4>& a) { return 4 * (a[0] + a[2]) - 6 * a[1] - a[3]; };
    double l1 = cubic(first), l2 = cubic(second), qx = 0, qy = 0, nx = 0, ny = 0, last = 1;
    double inverse[4] = {};
    for (int k = 0; k < 20; ++k) {
      const double scale = 1 / (1 + hh / 24 * l2);
      qx = (ax - hh / 12 * l1 * x) * scale;
      qy = (ay - hh / 12 * l1 * y) * scale;
      nx = bx - hh / 6 * l1 * x - hh / 3 * l2 * qx;
      ny = by - hh / 6 * l1 * y - hh / 3 * l2 * qy;
      const double g2 = (qx * qx + qy * qy - 1) / 2, g3 = (nx * nx + ny * ny - 1) / 2;
      if (k == 0) {
        const double a = hh / 12 * (qx * x + qy * y), b = hh / 24, c = hh / 6 * (nx * x + ny * y),
                     d = hh / 3 * (nx * qx + ny * qy);
        const double determinant = 1 / (a * d - b * c);
        inverse[0] = d * determinant, inverse[1] = -b * determinant;
        inverse[2] = -c * determinant, inverse[3] = a * determinant;
      }
      l1 += inverse[0] * g2 + inverse[1] * g3;
      l2 += inverse[2] * g2 + inverse[3] * g3;
      const double size = std::max(std::fabs(g2), std::fabs(g3));
      if (size < 4e-16 || (k > 0 && size * size < 1e-17 * last)) break;
      last = size;
    }
    const double scale = 1 / (1 + hh / 24 * l2);
    qx = (ax - hh / 12 * l1 * x) * scale;
    qy = (ay - hh / 12 * l1 * y) * scale;
    nx = bx - hh / 6 * l1 * x - hh / 3 * l2 * qx;
    ny = by - hh / 6 * l1 * y - hh / 3 * l2 * qy;
    for (std::size_t i = 3; i > 0; --i) first[i] = first[i - 1], second[i] = second[i - 1];
    first[0] = l1, second[0] = l2;
    const double hu = u - h / 6 * (l1 * x + 4 * l2 * qx), hv = v - h / 6 * (l1 * y + 4 * l2 * qy) - h * gravity;
    const double mu = (hu * nx + hv * ny) / (nx * nx + ny * ny);
    x = nx, y = ny;
    u = hu - mu * nx, v = hv - mu * ny;
  }
};

struct Verlet {
  double angle = std::acos(0.0), rate = 0;
  double force = -gravity;  // of the last position

  void step(double h) {
    rate += h / 2 * force;
    angle += h * rate;
    force = -gravity * std::sin(angle);
    rate += h / 2 * force;
  }
};

}  // namespace peers::pendulum
