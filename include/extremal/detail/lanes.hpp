// Lanes: one number of each of 16 motions of the same system, for kernels that step them at once.
//
//   Lanes x(1.0);                         // 1 in every lane
//   x[3] = 4.0;                           // another motion
//   Lanes y = math::sqrt(x) / 3;          // y[3] is what the same expression gives for double, to the last bit
//   y = select(less(x, Lanes(2)), x, y);  // lane by lane
//
// A lane never depends on the others, whatever they hold. There is no operator<, since lanes may disagree: kernels
// compare by names that exist for all scalars, with masks that are LaneMask here and bool elsewhere. Functions of terms
// never see Lanes (term.hpp), and kernels work on parts of them that fit into registers (src/small/part.hpp).
//
// Sixteen: a call of a term is worth a few nanoseconds, which 16 motions share, and the numbers of a small system
// still fit into the first cache. Vectors of four are what AVX2 computes at once; vectors of eight cost twice the time
// there, as GCC keeps them in memory, and gain nothing on processors that halve them anyway. Without AVX they become
// pairs.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "extremal/scalar.hpp"

#define EXTREMAL_INLINE [[gnu::always_inline]] inline

namespace extremal {

// The alignment is said, since what that of a vector is depends on the instructions.
struct alignas(64) Lanes {
  static constexpr int count = 16;
  static constexpr int parts = count / 4;
  using Part = double __attribute__((vector_size(4 * sizeof(double))));

  Part part[parts];

  Lanes() = default;
  template <class T>
    requires(std::is_arithmetic_v<T>)
  EXTREMAL_INLINE Lanes(T value) {
    each([&](int i) __attribute__((always_inline)) { part[i] = Part{} + static_cast<double>(value); });
  }

  EXTREMAL_INLINE double& operator[](int lane) { return reinterpret_cast<double*>(part)[lane]; }
  EXTREMAL_INLINE const double& operator[](int lane) const { return reinterpret_cast<const double*>(part)[lane]; }

  // f(i) for every part, with i a constant.
  template <class F>
  EXTREMAL_INLINE static void each(F f) {
    [&]<int... I>(std::integer_sequence<int, I...>)
        __attribute__((always_inline)) { (f(I), ...); }(std::make_integer_sequence<int, parts>{});
  }

#define EXTREMAL_OPERATOR(o)                                                                \
  EXTREMAL_INLINE Lanes& operator o##=(const Lanes & y) {                                   \
    each([&](int i) __attribute__((always_inline)) { part[i] = part[i] o y.part[i]; });     \
    return *this;                                                                           \
  }                                                                                         \
  EXTREMAL_INLINE friend Lanes operator o(const Lanes& x, const Lanes& y) {                 \
    Lanes r;                                                                                \
    each([&](int i) __attribute__((always_inline)) { r.part[i] = x.part[i] o y.part[i]; }); \
    return r;                                                                               \
  }
  EXTREMAL_OPERATOR(+)
  EXTREMAL_OPERATOR(-)
  EXTREMAL_OPERATOR(*)
  EXTREMAL_OPERATOR(/)
#undef EXTREMAL_OPERATOR
  EXTREMAL_INLINE friend Lanes operator-(const Lanes& x) {
    Lanes r;
    each([&](int i) __attribute__((always_inline)) { r.part[i] = -x.part[i]; });
    return r;
  }
};

// Yes or no in every lane.
struct alignas(64) LaneMask {
  using Part = std::int64_t __attribute__((vector_size(4 * sizeof(double))));

  Part part[Lanes::parts];  // all bits of a lane are set, or none

  LaneMask() = default;
  EXTREMAL_INLINE LaneMask(bool value) {
    Lanes::each([&](int i) __attribute__((always_inline)) { part[i] = Part{} - static_cast<std::int64_t>(value); });
  }
  EXTREMAL_INLINE void set(int lane, bool value) { reinterpret_cast<std::int64_t*>(part)[lane] = value ? -1 : 0; }
  EXTREMAL_INLINE bool operator[](int lane) const { return reinterpret_cast<const std::int64_t*>(part)[lane] != 0; }

  EXTREMAL_INLINE friend LaneMask operator&&(const LaneMask& x, const LaneMask& y) {
    LaneMask r;
    Lanes::each([&](int i) __attribute__((always_inline)) { r.part[i] = x.part[i] & y.part[i]; });
    return r;
  }
  EXTREMAL_INLINE friend LaneMask operator||(const LaneMask& x, const LaneMask& y) {
    LaneMask r;
    Lanes::each([&](int i) __attribute__((always_inline)) { r.part[i] = x.part[i] | y.part[i]; });
    return r;
  }
  EXTREMAL_INLINE friend LaneMask operator!(const LaneMask& x) {
    LaneMask r;
    Lanes::each([&](int i) __attribute__((always_inline)) { r.part[i] = ~x.part[i]; });
    return r;
  }
};

EXTREMAL_INLINE bool any(const LaneMask& m) {
  const LaneMask::Part p = (m.part[0] | m.part[1]) | (m.part[2] | m.part[3]);
  return ((p[0] | p[1]) | (p[2] | p[3])) != 0;
}
EXTREMAL_INLINE bool all(const LaneMask& m) {
  const LaneMask::Part p = (m.part[0] & m.part[1]) & (m.part[2] & m.part[3]);
  return ((p[0] & p[1]) & (p[2] & p[3])) != 0;
}
// x where the mask is set, y elsewhere.
EXTREMAL_INLINE Lanes select(const LaneMask& m, const Lanes& x, const Lanes& y) {
  Lanes r;
  Lanes::each([&](int i) __attribute__((always_inline)) { r.part[i] = m.part[i] ? x.part[i] : y.part[i]; });
  return r;
}
EXTREMAL_INLINE constexpr bool any(bool m) { return m; }
EXTREMAL_INLINE constexpr bool all(bool m) { return m; }
template <class S>
EXTREMAL_INLINE constexpr S select(bool m, const S& x, const S& y) {
  return m ? x : y;
}

#define EXTREMAL_COMPARISON(name, o)                                                               \
  EXTREMAL_INLINE LaneMask name(const Lanes& x, const Lanes& y) {                                  \
    LaneMask r;                                                                                    \
    Lanes::each([&](int i) __attribute__((always_inline)) { r.part[i] = x.part[i] o y.part[i]; }); \
    return r;                                                                                      \
  }                                                                                                \
  template <class S>                                                                               \
    requires(!std::is_same_v<S, Lanes>)                                                            \
  EXTREMAL_INLINE constexpr bool name(const S& x, const S& y) {                                    \
    return x o y;                                                                                  \
  }
EXTREMAL_COMPARISON(less, <)
EXTREMAL_COMPARISON(less_or_equal, <=)
EXTREMAL_COMPARISON(equal, ==)
#undef EXTREMAL_COMPARISON

template <>
struct Scalar<Lanes> {
  static constexpr double epsilon = Scalar<double>::epsilon;
  static constexpr const char* name = "lanes";
};

// The scalar of one lane, and the number of lanes: what code needs that treats lanes one after the other.
template <class S>
struct Single {
  using type = S;
  static constexpr int count = 1;
  EXTREMAL_INLINE static S& lane(S& x, int) { return x; }
  EXTREMAL_INLINE static const S& lane(const S& x, int) { return x; }
};
template <>
struct Single<Lanes> {
  using type = double;
  static constexpr int count = Lanes::count;
  EXTREMAL_INLINE static double& lane(Lanes& x, int l) { return x[l]; }
  EXTREMAL_INLINE static const double& lane(const Lanes& x, int l) { return x[l]; }
};

// The same functions as for the other scalars, lane by lane.
namespace math {
#define EXTREMAL_UNARY(name)                                        \
  inline Lanes name(const Lanes& x) {                               \
    Lanes r;                                                        \
    for (int l = 0; l < Lanes::count; ++l) r[l] = math::name(x[l]); \
    return r;                                                       \
  }
EXTREMAL_UNARY(sin)
EXTREMAL_UNARY(cos)
EXTREMAL_UNARY(tan)
EXTREMAL_UNARY(asin)
EXTREMAL_UNARY(acos)
EXTREMAL_UNARY(atan)
EXTREMAL_UNARY(sinh)
EXTREMAL_UNARY(cosh)
EXTREMAL_UNARY(tanh)
EXTREMAL_UNARY(exp)
EXTREMAL_UNARY(log)
#if !defined(__SSE2__)
EXTREMAL_UNARY(sqrt)
#else
// A loop of roots that may set errno is not turned into vectors; pairs take as long as longer ones.
EXTREMAL_INLINE Lanes sqrt(const Lanes& x) {
  Lanes r;
  Lanes::each([&](int i) __attribute__((always_inline)) {
    const Lanes::Part p = x.part[i];
    const __m128d low = _mm_sqrt_pd(__m128d{p[0], p[1]}), high = _mm_sqrt_pd(__m128d{p[2], p[3]});
    r.part[i] = Lanes::Part{low[0], low[1], high[0], high[1]};
  });
  return r;
}
#endif
#undef EXTREMAL_UNARY
inline Lanes pow(const Lanes& x, const Lanes& y) {
  Lanes r;
  for (int l = 0; l < Lanes::count; ++l) r[l] = math::pow(x[l], y[l]);
  return r;
}
inline Lanes atan2(const Lanes& y, const Lanes& x) {
  Lanes r;
  for (int l = 0; l < Lanes::count; ++l) r[l] = math::atan2(y[l], x[l]);
  return r;
}
EXTREMAL_INLINE Lanes abs(const Lanes& x) { return select(less(x, Lanes(0)), -x, x); }
EXTREMAL_INLINE Lanes max(const Lanes& x, const Lanes& y) { return select(less_or_equal(y, x) || !equal(x, x), x, y); }
EXTREMAL_INLINE LaneMask finite(const Lanes& x) { return equal(x - x, Lanes(0)); }
}  // namespace math

}  // namespace extremal

#undef EXTREMAL_INLINE
