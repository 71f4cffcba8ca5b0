// atan(t)/t = 1 - z B(z), z = t^2, for |t| <= tan(pi/8): the polynomial B, to the precision of the scalar.
//
// With p = tan(pi/16) and |x| <= 1 the Chebyshev series is known,
//   atan(x tan(pi/8)) = 2 sum_k (-1)^k p^(2k+1)/(2k+1) T_(2k+1)(x),
// and its remainder after n terms is below 2 p^(2n+1): n = 12 suffices for double. A polynomial without branches, it is
// vectorised and differentiated like any other sum of products; atan itself is neither.
#pragma once

#include <array>
#include <cstddef>

#include "extremal/detail/jet.hpp"

namespace extremal::lie {

template <class S>
struct ArcTangent;

template <int Terms>
constexpr std::array<quad, Terms - 1> arc_tangent_coefficients() {
  const auto root = [](quad a) {  // Newton, which doubles its digits
    quad x = 1;
    for (int i = 0; i < 12; ++i) x = (x + a / x) / 2;
    return x;
  };
  const quad tau = root(2) - 1, p = (root(1 + tau * tau) - 1) / tau;
  // Coefficients of T_n by powers of x, from T_(n+1) = 2 x T_n - T_(n-1).
  std::array<quad, 2 * Terms> before{}, now{}, sum{};
  before[0] = now[1] = 1;
  quad power = 2 * p;
  for (int k = 0; k < Terms; ++k) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += power / (2 * k + 1) * now[i];
    power *= -p * p;
    for (int twice = 0; twice < 2; ++twice) {
      std::array<quad, 2 * Terms> next{};
      for (std::size_t i = 0; i < next.size(); ++i) next[i] = (i > 0 ? 2 * now[i - 1] : 0) - before[i];
      before = now, now = next;
    }
  }
  // x = t / tau. The coefficient of t is 1 within the remainder, and is taken as 1.
  std::array<quad, Terms - 1> b{};
  quad scale = tau * tau * tau;
  for (std::size_t j = 0; j < b.size(); ++j, scale *= tau * tau) b[j] = -sum[2 * j + 3] / scale;
  return b;
}

template <class S, int Terms>
struct ArcTangentTable {
  static constexpr int terms = Terms - 1;
  static constexpr std::array<S, terms> make() {
    constexpr std::array<quad, terms> wide = arc_tangent_coefficients<Terms>();
    std::array<S, terms> rounded{};
    for (std::size_t i = 0; i < rounded.size(); ++i) rounded[i] = static_cast<S>(wide[i]);
    return rounded;
  }
  static constexpr std::array<S, terms> b = make();
};

template <>
struct ArcTangent<double> : ArcTangentTable<double, 12> {};
template <>
struct ArcTangent<long double> : ArcTangentTable<long double, 15> {};
template <>
struct ArcTangent<quad> : ArcTangentTable<quad, 26> {};
template <class S, int M, int Order>
struct ArcTangent<Jet<S, M, Order>> : ArcTangent<S> {};

// B(z). Even and odd powers are summed apart, which halves the chain of operations that wait for each other.
template <class S>
[[gnu::always_inline]] inline S arc_tangent_defect(const S& z) {
  using Table = ArcTangent<S>;
  constexpr int n = Table::terms;
  const S zz = z * z;
  S upper = S(Table::b[n - 1]), lower = S(Table::b[n - 2]);
  unrolled::each<(n - 1) / 2>([&](int i) __attribute__((always_inline)) {
    upper = upper * zz + S(Table::b[static_cast<std::size_t>(n - 3 - 2 * i)]);
    if (n - 4 - 2 * i >= 0) lower = lower * zz + S(Table::b[static_cast<std::size_t>(n - 4 - 2 * i)]);
  });
  return n % 2 == 1 ? upper + z * lower : lower + z * upper;
}

}  // namespace extremal::lie
