// Jet: a truncated Taylor expansion in M variables, for exact first and second derivatives.
//
// With x = a + g.e + e^T h e / 2 and y likewise, dropping third powers of e,
//   x y  = a b + (a g_y + b g_x).e + e^T (a h_y + b h_x + g_x g_y^T + g_y g_x^T) e / 2,
//   f(x) = f(a) + f'(a) g.e + e^T (f'(a) h + f''(a) g g^T) e / 2.
// A function written once for any scalar therefore yields its gradient and Hessian when it is called
// with jets whose i-th argument is a_i + e_i:
//
//   using J = Jet<double, 2, 2>;
//   J x = J::variable(3, 0), y = J::variable(4, 1);
//   J r = sqrt(x * x + y * y);       // r.a = 5, r.g = {.6, .8}, r.second(0, 1) = -.096
//
// Order 0 keeps the value only (Real<S>: what parameters are), 1 the gradient, 2 the Hessian as a packed
// lower triangle. Loops over small M are unrolled by fold expressions: left as loops they measured 3 to 16
// times slower at -O2, and this header is compiled in the user's file with the user's flags.
#pragma once

#include <array>
#include <type_traits>
#include <utility>

#include "extremal/scalar.hpp"

namespace extremal {

template <class S, int M, int Order>
struct Jet;

// A scalar that is not differentiated. It is a class, not an alias of S, so that an unqualified sin(x) in
// the user's function finds ours at every scalar.
template <class S>
using Real = Jet<S, 0, 0>;

namespace unrolled {

// A lambda that is called N times is inlined only if told so.
#define EXTREMAL_INLINE __attribute__((always_inline))

template <int N, class F>
[[gnu::always_inline]] constexpr void each(F f) {
  if constexpr (N <= 45) {
    [&]<int... I>(std::integer_sequence<int, I...>)
        EXTREMAL_INLINE { (f(I), ...); }(std::make_integer_sequence<int, N>{});
  } else {
    for (int i = 0; i < N; ++i) f(i);
  }
}

// For numbers S. Operations of quad are calls, beside which a loop costs nothing: unrolled they would only be long to
// compile.
template <class S, int N, class F>
[[gnu::always_inline]] constexpr void entries(F f) {
  if constexpr (std::is_same_v<S, quad>)
    for (int i = 0; i < N; ++i) f(i);
  else
    each<N>(f);
}

// Row and column of every entry of a packed lower triangle.
template <int M>
struct Packed {
  static constexpr int size = M * (M + 1) / 2;
  struct Table {
    int row[size > 0 ? size : 1] = {};
    int column[size > 0 ? size : 1] = {};
  };
  static constexpr Table make() {
    Table t;
    for (int r = 0, k = 0; r < M; ++r)
      for (int c = 0; c <= r; ++c, ++k) t.row[k] = r, t.column[k] = c;
    return t;
  }
  static constexpr Table table = make();
};

}  // namespace unrolled

constexpr int packed_index(int row, int column) {
  return row >= column ? row * (row + 1) / 2 + column : column * (column + 1) / 2 + row;
}

template <class S, int M, int Order>
struct Jet {
  static constexpr int gradient_size = Order >= 1 ? M : 0;
  static constexpr int hessian_size = Order >= 2 ? M * (M + 1) / 2 : 0;

  S a;
  std::array<S, gradient_size> g;
  std::array<S, hessian_size> h;

  constexpr Jet() : Jet(S(0)) {}
  constexpr Jet(S value) : a(value), g{}, h{} {}
  template <class T>
    requires(std::is_arithmetic_v<T> && !std::is_same_v<T, S>)
  constexpr Jet(T value) : Jet(static_cast<S>(value)) {}
  template <class T>  // a template, so that it is never taken for the copy constructor of Real<S> itself
    requires(std::is_same_v<T, Real<S>> && M > 0)
  constexpr Jet(const T& value) : Jet(value.a) {}

  static constexpr Jet variable(S value, int index) {
    Jet x(value);
    if constexpr (Order >= 1) x.g[static_cast<std::size_t>(index)] = S(1);
    return x;
  }

  // A result whose derivatives are about to be written: zeroing them first is what a compiler does not always undo.
  struct Unset {};
  constexpr Jet(S value, Unset) : a(value) {}

  constexpr S second(int row, int column) const { return h[static_cast<std::size_t>(packed_index(row, column))]; }

  // f(x) from the three numbers f, f', f'' at x.a.
  constexpr Jet chain(S f, S f1, S f2) const {
    Jet r(f, Unset{});
    if constexpr (Order >= 1) unrolled::entries<S, gradient_size>([&](int i) EXTREMAL_INLINE { r.g[i] = f1 * g[i]; });
    if constexpr (Order >= 2) {
      using P = unrolled::Packed<M>;
      unrolled::entries<S, hessian_size>(
          [&](int k) EXTREMAL_INLINE { r.h[k] = f1 * h[k] + f2 * g[P::table.row[k]] * g[P::table.column[k]]; });
    }
    return r;
  }

  constexpr Jet& operator+=(const Jet& y) {
    a += y.a;
    unrolled::entries<S, gradient_size>([&](int i) EXTREMAL_INLINE { g[i] += y.g[i]; });
    unrolled::entries<S, hessian_size>([&](int i) EXTREMAL_INLINE { h[i] += y.h[i]; });
    return *this;
  }
  constexpr Jet& operator-=(const Jet& y) {
    a -= y.a;
    unrolled::entries<S, gradient_size>([&](int i) EXTREMAL_INLINE { g[i] -= y.g[i]; });
    unrolled::entries<S, hessian_size>([&](int i) EXTREMAL_INLINE { h[i] -= y.h[i]; });
    return *this;
  }
  constexpr Jet& operator*=(S y) {
    a *= y;
    unrolled::entries<S, gradient_size>([&](int i) EXTREMAL_INLINE { g[i] *= y; });
    unrolled::entries<S, hessian_size>([&](int i) EXTREMAL_INLINE { h[i] *= y; });
    return *this;
  }
  constexpr Jet& operator*=(const Jet& y)
    requires(M > 0)
  {
    return *this = *this * y;
  }
  constexpr Jet& operator/=(const Jet& y) { return *this = *this / y; }

  friend constexpr Jet operator+(const Jet& x) { return x; }
  friend constexpr Jet operator-(Jet x) { return x *= S(-1); }
  friend constexpr Jet operator+(Jet x, const Jet& y) { return x += y; }
  friend constexpr Jet operator-(Jet x, const Jet& y) { return x -= y; }
  friend constexpr Jet operator*(const Jet& x, const Jet& y) {
    Jet r(x.a * y.a, Unset{});
    if constexpr (Order >= 1)
      unrolled::entries<S, gradient_size>([&](int i) EXTREMAL_INLINE { r.g[i] = x.a * y.g[i] + y.a * x.g[i]; });
    if constexpr (Order >= 2) {
      using P = unrolled::Packed<M>;
      unrolled::entries<S, hessian_size>([&](int k) EXTREMAL_INLINE {
        const int i = P::table.row[k], j = P::table.column[k];
        r.h[k] = x.a * y.h[k] + y.a * x.h[k] + (x.g[i] * y.g[j] + x.g[j] * y.g[i]);
      });
    }
    return r;
  }
  friend constexpr Jet operator/(const Jet& x, const Jet& y) {
    if constexpr (M == 0) {
      return Jet(x.a / y.a);
    } else {
      const S inverse = S(1) / y.a;
      return x * y.chain(inverse, -inverse * inverse, S(2) * inverse * inverse * inverse);
    }
  }

  // Constants: plain numbers, and Real<S> (parameters). They have no derivatives to carry along.
  template <class T>
    requires(std::is_arithmetic_v<T>)
  friend constexpr Jet operator*(Jet x, T y) {
    return x *= static_cast<S>(y);
  }
  template <class T>
    requires(std::is_arithmetic_v<T>)
  friend constexpr Jet operator*(T y, Jet x) {
    return x *= static_cast<S>(y);
  }
  template <class T>
    requires(std::is_arithmetic_v<T>)
  friend constexpr Jet operator/(Jet x, T y) {
    // Multiplying by 1/y would not be exact where y is not a power of two.
    const S d = static_cast<S>(y);
    x.a /= d;
    unrolled::entries<S, gradient_size>([&](int i) EXTREMAL_INLINE { x.g[i] /= d; });
    unrolled::entries<S, hessian_size>([&](int i) EXTREMAL_INLINE { x.h[i] /= d; });
    return x;
  }

  friend constexpr bool operator<(const Jet& x, const Jet& y) { return x.a < y.a; }
  friend constexpr bool operator>(const Jet& x, const Jet& y) { return x.a > y.a; }
  friend constexpr bool operator<=(const Jet& x, const Jet& y) { return x.a <= y.a; }
  friend constexpr bool operator>=(const Jet& x, const Jet& y) { return x.a >= y.a; }
  friend constexpr bool operator==(const Jet& x, const Jet& y) { return x.a == y.a; }

  friend Jet sqrt(const Jet& x) {
    const S f = math::sqrt(x.a);
    if constexpr (M == 0) return Jet(f);
    const S f1 = S(1) / (f + f);
    return x.chain(f, f1, -f1 / (x.a + x.a));
  }
  friend Jet sin(const Jet& x) {
    const S f = math::sin(x.a);
    return x.chain(f, M > 0 ? math::cos(x.a) : S(0), -f);
  }
  friend Jet cos(const Jet& x) {
    const S f = math::cos(x.a);
    return x.chain(f, M > 0 ? -math::sin(x.a) : S(0), -f);
  }
  friend Jet tan(const Jet& x) {
    const S f = math::tan(x.a), f1 = S(1) + f * f;
    return x.chain(f, f1, S(2) * f * f1);
  }
  friend Jet asin(const Jet& x) {
    const S f1 = S(1) / math::sqrt(S(1) - x.a * x.a);
    return x.chain(math::asin(x.a), f1, x.a * f1 * f1 * f1);
  }
  friend Jet acos(const Jet& x) {
    const S f1 = S(-1) / math::sqrt(S(1) - x.a * x.a);
    return x.chain(math::acos(x.a), f1, x.a * f1 * f1 * f1);
  }
  friend Jet atan(const Jet& x) {
    const S f1 = S(1) / (S(1) + x.a * x.a);
    return x.chain(math::atan(x.a), f1, S(-2) * x.a * f1 * f1);
  }
  friend Jet sinh(const Jet& x) {
    const S f = math::sinh(x.a);
    return x.chain(f, math::cosh(x.a), f);
  }
  friend Jet cosh(const Jet& x) {
    const S f = math::cosh(x.a);
    return x.chain(f, math::sinh(x.a), f);
  }
  friend Jet tanh(const Jet& x) {
    const S f = math::tanh(x.a), f1 = S(1) - f * f;
    return x.chain(f, f1, S(-2) * f * f1);
  }
  friend Jet exp(const Jet& x) {
    const S f = math::exp(x.a);
    return x.chain(f, f, f);
  }
  friend Jet log(const Jet& x) {
    const S f1 = S(1) / x.a;
    return x.chain(math::log(x.a), f1, -f1 * f1);
  }
  friend Jet abs(const Jet& x) { return x.a < S(0) ? -x : x; }
  friend Jet pow(const Jet& x, int n) {
    if (n < 0) return Jet(S(1)) / pow(x, -n);
    Jet r(S(1)), base = x;
    for (; n > 0; n /= 2, base = base * base)
      if (n % 2 == 1) r = r * base;
    return r;
  }
  friend Jet pow(const Jet& x, const Real<S>& y) {
    const S f = math::pow(x.a, y.a);
    return x.chain(f, y.a * f / x.a, y.a * (y.a - S(1)) * f / (x.a * x.a));
  }
  template <class T>
    requires(std::is_floating_point_v<T>)
  friend Jet pow(const Jet& x, T y) {
    return pow(x, Real<S>(y));
  }
  friend Jet atan2(const Jet& y, const Jet& x) {
    // Near either axis one of the two quotients is well conditioned; both differ from atan2 by a constant.
    Jet r = math::abs(x.a) > math::abs(y.a) ? atan(y / x) : -atan(x / y);
    r.a = math::atan2(y.a, x.a);
    return r;
  }
};

// Mixed products of jets and parameters, without promoting the parameter to a jet full of zeros.
template <class S, int M, int Order>
  requires(M > 0)
constexpr Jet<S, M, Order> operator*(Jet<S, M, Order> x, const Real<S>& y) {
  return x *= y.a;
}
template <class S, int M, int Order>
  requires(M > 0)
constexpr Jet<S, M, Order> operator*(const Real<S>& y, Jet<S, M, Order> x) {
  return x *= y.a;
}

#undef EXTREMAL_INLINE

}  // namespace extremal
