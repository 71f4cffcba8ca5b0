// Degree: a scalar that tracks the polynomial degree of a term in q, v and t.
//
// A term's function is run once with it when the term is added. The result is conservative: what it calls
// a constant mass or a quadratic constraint is one; anything it cannot follow (a branch, a quotient, a
// transcendental function) counts as unbounded. Kernels choose their path by it.
//
// While somebody follows, every operation is told: what was a function of C++ can be written down as a formula.
#pragma once

#include <cstdint>
#include <type_traits>

#include "extremal/error.hpp"
#include "extremal/scalar.hpp"

namespace extremal {

struct Degree {
  static constexpr int unbounded = 99;

  // What was done, and what is at the bottom of it.
  enum class Did : std::uint8_t {
    add,
    multiply,
    divide,
    negate,
    power,
    sqrt,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    atan2,
    sinh,
    cosh,
    tanh,
    exp,
    log,
    abs
  };
  enum class From : std::uint8_t { coordinate, velocity, time, parameter };
  // Numbers what it is told of from 0.
  class Follower {
   public:
    virtual ~Follower();
    virtual int constant(double value) = 0;
    virtual int leaf(From kind, int index) = 0;
    virtual int operation(Did what, int x, int y) = 0;
  };
  // Of this thread; null if nobody follows.
  static Follower*& follower() {
    static thread_local Follower* one = nullptr;
    return one;
  }

  double a = 0;  // a sample value, for branches
  int q = 0, v = 0, t = 0;
  int node = -1;  // of the follower; constants have none before they are used

  constexpr Degree() = default;
  template <class T>
    requires(std::is_arithmetic_v<T>)
  constexpr Degree(T value) : a(static_cast<double>(value)) {}
  constexpr Degree(double value, int in_q, int in_v, int in_t) : a(value), q(in_q), v(in_v), t(in_t) {}
  static Degree in_q(double value, int index = 0) { return Degree(value, 1, 0, 0).leaf(From::coordinate, index); }
  static Degree in_v(double value, int index = 0) { return Degree(value, 0, 1, 0).leaf(From::velocity, index); }
  static Degree in_t(double value) { return Degree(value, 0, 0, 1).leaf(From::time, 0); }
  static Degree parameter(double value, int index) { return Degree(value).leaf(From::parameter, index); }
  Degree leaf(From kind, int index) const;
  // The same, told to the follower as the result of an operation.
  Degree did(Did what, const Degree& x, const Degree& y) const {
    if (follower() == nullptr) return *this;
    return told(what, x, y);
  }
  Degree did(Did what, const Degree& x) const { return did(what, x, x); }
  Degree told(Did what, const Degree& x, const Degree& y) const;

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
  friend Degree operator-(const Degree& x) { return Degree(-x.a, x.q, x.v, x.t).did(Did::negate, x); }
  friend Degree operator+(const Degree& x, const Degree& y) {
    Degree r = worst(x, y);
    r.a = x.a + y.a;
    return r.did(Did::add, x, y);
  }
  friend Degree operator-(const Degree& x, const Degree& y) { return x + (-y); }
  friend Degree operator*(const Degree& x, const Degree& y) {
    return Degree(x.a * y.a, cap(x.q + y.q), cap(x.v + y.v), cap(x.t + y.t)).did(Did::multiply, x, y);
  }
  friend Degree operator/(const Degree& x, const Degree& y) {
    const Degree under = y.transcendental(1 / y.a);
    return Degree(x.a * under.a, cap(x.q + under.q), cap(x.v + under.v), cap(x.t + under.t)).did(Did::divide, x, y);
  }
  Degree& operator+=(const Degree& y) { return *this = *this + y; }
  Degree& operator-=(const Degree& y) { return *this = *this - y; }
  Degree& operator*=(const Degree& y) { return *this = *this * y; }
  Degree& operator/=(const Degree& y) { return *this = *this / y; }

  // Of a function that is known by its value and derivatives only: of any degree, and nothing to follow.
  template <class T>
  Degree chain(const T& value, const T&, const T&) const {
    branched() = true;
    return transcendental(static_cast<double>(value));
  }

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

  friend Degree sqrt(const Degree& x) { return x.transcendental(math::sqrt(x.a)).did(Did::sqrt, x); }
  friend Degree sin(const Degree& x) { return x.transcendental(math::sin(x.a)).did(Did::sin, x); }
  friend Degree cos(const Degree& x) { return x.transcendental(math::cos(x.a)).did(Did::cos, x); }
  friend Degree tan(const Degree& x) { return x.transcendental(math::tan(x.a)).did(Did::tan, x); }
  friend Degree asin(const Degree& x) { return x.transcendental(math::asin(x.a)).did(Did::asin, x); }
  friend Degree acos(const Degree& x) { return x.transcendental(math::acos(x.a)).did(Did::acos, x); }
  friend Degree atan(const Degree& x) { return x.transcendental(math::atan(x.a)).did(Did::atan, x); }
  friend Degree sinh(const Degree& x) { return x.transcendental(math::sinh(x.a)).did(Did::sinh, x); }
  friend Degree cosh(const Degree& x) { return x.transcendental(math::cosh(x.a)).did(Did::cosh, x); }
  friend Degree tanh(const Degree& x) { return x.transcendental(math::tanh(x.a)).did(Did::tanh, x); }
  friend Degree exp(const Degree& x) { return x.transcendental(math::exp(x.a)).did(Did::exp, x); }
  friend Degree log(const Degree& x) { return x.transcendental(math::log(x.a)).did(Did::log, x); }
  friend Degree abs(const Degree& x) { return x.transcendental(math::abs(x.a)).did(Did::abs, x); }
  friend Degree atan2(const Degree& y, const Degree& x) {
    return worst(x, y).transcendental(math::atan2(y.a, x.a)).did(Did::atan2, y, x);
  }
  friend Degree pow(const Degree& x, int n) {
    const double value = math::pow(x.a, static_cast<double>(n));
    const Degree r = n < 0 ? x.transcendental(value) : Degree(value, cap(n * x.q), cap(n * x.v), cap(n * x.t));
    return r.did(Did::power, x, Degree(n));
  }
  friend Degree pow(const Degree& x, const Degree& y) {
    return worst(x, y).transcendental(math::pow(x.a, y.a)).did(Did::power, x, y);
  }
  template <class T>
    requires(std::is_floating_point_v<T>)
  friend Degree pow(const Degree& x, T y) {
    return x.transcendental(math::pow(x.a, static_cast<double>(y))).did(Did::power, x, Degree(y));
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
