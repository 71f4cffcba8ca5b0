// One step of [Kinon2023] on the spherical pendulum, written out with M^-1 and solved with a matrix of differences: an
// independent computation, and the variants that are no variational integrators.
#pragma once

#include <array>
#include <vector>

#include "algebra/lu.hpp"
#include "extremal/scalar.hpp"

namespace extremal::by_hand {

using Vector = std::vector<quad>;

struct State {
  Vector q, p;
};

// V = m g z, g(q) = (q . q - l^2) / 2, hence G = q^T and D^2 g = 1.
struct Pendulum {
  int n = 3;
  quad m = 1, l = 1, gravity = quad(981) / quad(100);
  Vector force() const {
    Vector f(static_cast<std::size_t>(n));
    f.back() = -m * gravity;
    return f;
  }
};

inline quad dot(const Vector& a, const Vector& b) {
  quad sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
inline Vector sum(const Vector& a, quad f, const Vector& b) {
  Vector c = a;
  for (std::size_t i = 0; i < a.size(); ++i) c[i] += f * b[i];
  return c;
}

// Newton's method with a matrix of central differences; they only slow it down.
template <class Residual>
bool solve(Residual residual, Vector& x) {
  const int size = static_cast<int>(x.size());
  for (int iteration = 0; iteration < 40; ++iteration) {
    const quad d = quad(0x1p-40);
    Lu<quad> lu(size);
    for (int j = 0; j < size; ++j) {
      Vector more = x, less = x;
      more[static_cast<std::size_t>(j)] += d;
      less[static_cast<std::size_t>(j)] -= d;
      const Vector a = residual(more), b = residual(less);
      for (int i = 0; i < size; ++i)
        lu.row(i)[j] = (a[static_cast<std::size_t>(i)] - b[static_cast<std::size_t>(i)]) / (2 * d);
    }
    if (lu.factor() >= 0) return false;
    Vector dx = residual(x);
    lu.solve(dx.data());
    quad change = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] -= dx[i];
      change = math::max(change, math::abs(dx[i]));
    }
    if (change <= 8 * Scalar<quad>::epsilon) return true;
  }
  return false;
}

// p less its part across the constraint.
inline State projected(const State& s) { return {s.q, sum(s.p, -dot(s.q, s.p) / dot(s.q, s.q), s.q)}; }

enum class Variant {
  variational,  // [Kinon2023, eq. 57] with p^{n+1} in the gamma term of its second line
  printed,      // with p^n there, as it is printed
  classical,    // the equations of Gear, Gupta and Leimkuhler, discretised: no curvature of the constraint in p'
};

// Unknowns p1, Lambda, Gamma.
inline State ggl(const Pendulum& s, const State& from, quad h, Variant variant = Variant::variational) {
  const auto n = static_cast<std::size_t>(s.n);
  State to;
  const auto residual = [&](const Vector& x) {
    const Vector p1(x.begin(), x.begin() + s.n);
    const quad lambda = x[n], gamma = x[n + 1];
    const Vector impulse = sum(sum(from.p, h, s.force()), -lambda, from.q);
    Vector v, rest;
    if (variant == Variant::variational) {
      v = sum(Vector(n), 1 / s.m, impulse);
      rest = sum(sum(p1, gamma / s.m, p1), -s.m, v);
    } else if (variant == Variant::printed) {
      v = sum(Vector(n), (1 + gamma / s.m) / s.m, p1);
      rest = sum(sum(p1, -1, impulse), gamma / s.m, from.p);
    } else {
      v = sum(Vector(n), 1 / s.m, p1);
      rest = sum(p1, -1, impulse);
    }
    const Vector bar = sum(from.q, h, v);
    const Vector q1 = sum(bar, gamma / s.m, bar);
    to = {q1, p1};
    Vector r = rest;
    r.push_back((dot(q1, q1) - s.l * s.l) / 2);
    r.push_back(dot(variant == Variant::classical ? q1 : bar, p1));
    return r;
  };
  Vector x = from.p;
  x.resize(n + 2);
  if (!solve(residual, x)) return {};
  residual(x);
  return to;
}

// Unknowns qbar, Lambda, Gamma.
inline State ggl_adjoint(const Pendulum& s, const State& from, quad h) {
  const auto n = static_cast<std::size_t>(s.n);
  State to;
  const auto residual = [&](const Vector& x) {
    const Vector bar(x.begin(), x.begin() + s.n);
    const quad lambda = x[n], gamma = x[n + 1];
    const Vector P = sum(from.p, -lambda, from.q);
    const Vector later = sum(P, -gamma / s.m, P);
    to.q = sum(bar, h / s.m, later);
    to.p = sum(later, h, s.force());
    Vector r = sum(sum(bar, -1, from.q), -gamma / s.m, bar);
    r.push_back((dot(to.q, to.q) - s.l * s.l) / 2);
    r.push_back(dot(bar, P));
    return r;
  };
  Vector x = from.q;
  x.resize(n + 2);
  if (!solve(residual, x)) return {};
  residual(x);
  return to;
}

// How much one projected step changes Omega, relative, by central differences along tangent vectors of the manifold.
template <class Step>
quad symplecticity_defect(const State& at, Step step) {
  const std::size_t n = at.q.size();
  // Points near `at` on the manifold: q back to its length, p projected.
  const auto near = [&](const Vector& direction, quad d) {
    State s = at;
    for (std::size_t i = 0; i < n; ++i) s.q[i] += d * direction[i], s.p[i] += d * direction[n + i];
    s.q = sum(Vector(n), math::sqrt(dot(at.q, at.q) / dot(s.q, s.q)), s.q);
    return projected(s);
  };
  const quad d = quad(0x1p-36);
  const auto slope = [&](const State& a, const State& b) {
    Vector v;
    for (std::size_t i = 0; i < n; ++i) v.push_back((a.q[i] - b.q[i]) / (2 * d));
    for (std::size_t i = 0; i < n; ++i) v.push_back((a.p[i] - b.p[i]) / (2 * d));
    return v;
  };
  const auto omega = [&](const Vector& a, const Vector& b) {
    quad sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += a[n + i] * b[i] - b[n + i] * a[i];
    return sum;
  };
  std::vector<Vector> before, after;
  for (std::size_t k = 0; k < 2 * n; ++k) {
    Vector e(2 * n);
    e[k] = 1;
    const State more = near(e, d), less = near(e, -d);
    before.push_back(slope(more, less));
    after.push_back(slope(projected(step(more)), projected(step(less))));
  }
  quad defect = 0, scale = 0;
  for (std::size_t i = 0; i < 2 * n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const quad was = omega(before[i], before[j]);
      scale = math::max(scale, math::abs(was));
      defect = math::max(defect, math::abs(omega(after[i], after[j]) - was));
    }
  return defect / scale;
}

}  // namespace extremal::by_hand
