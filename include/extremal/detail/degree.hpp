// Degree: a scalar that tracks the polynomial degree of a term in q, v and t.
//
// A term's function is run once with it when the term is added. The result is conservative: what it calls
// a constant mass or a quadratic constraint is one; anything it cannot follow (a branch, a quotient, a
// transcendental function) counts as unbounded. Kernels choose their path by it.
#pragma once

#include <type_traits>

#include "extremal/error.hpp"
#include "extremal/scalar.hpp"

namespace extremal {

struct Degree {
  static constexpr int unbounded = 99;

  double a = 0;  // a sample value, for branches
  int q = 0, v = 0, t = 0;

  constexpr Degree() = default;
  template <class T>
    requires(std::is_arithmetic_v<T>)
  constexpr Degree(T value) : a(static_cast<double>(value)) {}
  constexpr Degree(double value, int in_q, int in_v, int in_t) : a(value), q(in_q), v(in_v), t(in_t) {}
  static Degree in_q(double value) { return {value, 1, 0, 0}; }
  static Degree in_v(double value) { return {value, 0, 1, 0}; }
  static Degree in_t(double value) { return {value, 0, 0, 1}; }

  static Degree worst(const Degree& x, const Degree& y) {
    return {x.a, math::max(x.q, y.q), math::max(x.v, y.v), math::max(x.t, y.t)};
  }
  Degree transcendental(double value) const {
    return {value, q > 0 ? unbounded : 0, v > 0 ? unbounded : 0, t > 0 ? unbounded : 0};
  }
  static int cap(int d) { return d < unbounded ? d : unbounded; }
  static void check_index(int i, int n) {
    if (i < 0 || i >= n) refuse_index(i, n);
  }
  [[noreturn]] static void refuse_index(int i, int n);  // InputError

  friend Degree operator+(const Degree& x) { return x; }
  friend Degree operator-(const Degree& x) { return {-x.a, x.q, x.v, x.t}; }
  friend Degree operator+(const Degree& x, const Degree& y) {
    Degree r = worst(x, y);
    r.a = x.a + y.a;
    return r;
  }
  friend Degree operator-(const Degree& x, const Degree& y) { return x + (-y); }
  friend Degree operator*(const Degree& x, const Degree& y) {
    return {x.a * y.a, cap(x.q + y.q), cap(x.v + y.v), cap(x.t + y.t)};
  }
  friend Degree operator/(const Degree& x, const Degree& y) { return x * y.transcendental(1 / y.a); }
  Degree& operator+=(const Degree& y) { return *this = *this + y; }
  Degree& operator-=(const Degree& y) { return *this = *this - y; }
  Degree& operator*=(const Degree& y) { return *this = *this * y; }
  Degree& operator/=(const Degree& y) { return *this = *this / y; }

  // A term that branches may be another polynomial elsewhere.
  static bool& branched() {
    static thread_local bool seen = false;
    return seen;
  }
  friend bool operator<(const Degree& x, const Degree& y) { return branched() = true, x.a < y.a; }
  friend bool operator>(const Degree& x, const Degree& y) { return y < x; }
  friend bool operator<=(const Degree& x, const Degree& y) { return !(y < x); }
  friend bool operator>=(const Degree& x, const Degree& y) { return !(x < y); }
  friend bool operator==(const Degree& x, const Degree& y) { return branched() = true, x.a == y.a; }

  friend Degree sqrt(const Degree& x) { return x.transcendental(math::sqrt(x.a)); }
  friend Degree sin(const Degree& x) { return x.transcendental(math::sin(x.a)); }
  friend Degree cos(const Degree& x) { return x.transcendental(math::cos(x.a)); }
  friend Degree tan(const Degree& x) { return x.transcendental(math::tan(x.a)); }
  friend Degree asin(const Degree& x) { return x.transcendental(math::asin(x.a)); }
  friend Degree acos(const Degree& x) { return x.transcendental(math::acos(x.a)); }
  friend Degree atan(const Degree& x) { return x.transcendental(math::atan(x.a)); }
  friend Degree sinh(const Degree& x) { return x.transcendental(math::sinh(x.a)); }
  friend Degree cosh(const Degree& x) { return x.transcendental(math::cosh(x.a)); }
  friend Degree tanh(const Degree& x) { return x.transcendental(math::tanh(x.a)); }
  friend Degree exp(const Degree& x) { return x.transcendental(math::exp(x.a)); }
  friend Degree log(const Degree& x) { return x.transcendental(math::log(x.a)); }
  friend Degree abs(const Degree& x) { return x.transcendental(math::abs(x.a)); }
  friend Degree atan2(const Degree& y, const Degree& x) { return worst(x, y).transcendental(math::atan2(y.a, x.a)); }
  friend Degree pow(const Degree& x, int n) {
    if (n < 0) return x.transcendental(math::pow(x.a, static_cast<double>(n)));
    return {math::pow(x.a, static_cast<double>(n)), cap(n * x.q), cap(n * x.v), cap(n * x.t)};
  }
  friend Degree pow(const Degree& x, const Degree& y) { return worst(x, y).transcendental(math::pow(x.a, y.a)); }
  template <class T>
    requires(std::is_floating_point_v<T>)
  friend Degree pow(const Degree& x, T y) {
    return x.transcendental(math::pow(x.a, static_cast<double>(y)));
  }
};

struct DegreeBound {
  int q = Degree::unbounded, v = Degree::unbounded, t = Degree::unbounded;

  template <class Probe>
  static DegreeBound of(Probe probe) {
    Degree::branched() = false;
    const Degree d = probe();
    if (Degree::branched()) return {};
    return {d.q, d.v, d.t};
  }
};

}  // namespace extremal
