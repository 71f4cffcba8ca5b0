// Parts: what the kernel of small steps works on at once – a scalar, or as many lanes as a register holds. Arrays of
// the scalar are seen through views, which for all but Lanes are pointers.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "extremal/detail/lanes.hpp"

namespace extremal {

#define EXTREMAL_INLINE [[gnu::always_inline]] inline

// Yes or no in W lanes: all bits of a lane are set, or none.
template <int W>
struct alignas(W * sizeof(double)) PartMask {
  using Vector [[gnu::vector_size(W * sizeof(double)), gnu::may_alias]] = std::int64_t;
  Vector x;

  // Copied as a vector: left to itself GCC copies such a structure piece by piece, and reading the whole of it then
  // waits for all of them.
  PartMask() = default;
  EXTREMAL_INLINE PartMask(const PartMask& other) : x(other.x) {}
  EXTREMAL_INLINE PartMask& operator=(const PartMask& other) {
    x = other.x;
    return *this;
  }
  EXTREMAL_INLINE explicit PartMask(const Vector& vector) : x(vector) {}
  EXTREMAL_INLINE PartMask(bool value) : x(Vector{} - static_cast<std::int64_t>(value)) {}
  EXTREMAL_INLINE friend PartMask operator&&(const PartMask& a, const PartMask& b) { return PartMask(a.x & b.x); }
  EXTREMAL_INLINE friend PartMask operator||(const PartMask& a, const PartMask& b) { return PartMask(a.x | b.x); }
  EXTREMAL_INLINE friend PartMask operator!(const PartMask& a) { return PartMask(~a.x); }
};

// W lanes of a number. The alignment is said, since what that of a vector is depends on the instructions.
template <int W>
struct alignas(W * sizeof(double)) LanePart {
  using Vector [[gnu::vector_size(W * sizeof(double)), gnu::may_alias]] = double;
  Vector x;

  LanePart() = default;
  EXTREMAL_INLINE LanePart(const LanePart& other) : x(other.x) {}
  EXTREMAL_INLINE LanePart& operator=(const LanePart& other) {
    x = other.x;
    return *this;
  }
  EXTREMAL_INLINE explicit LanePart(const Vector& vector) : x(vector) {}
  EXTREMAL_INLINE LanePart(double value) : x(Vector{} + value) {}

#define EXTREMAL_OPERATOR(o)                                    \
  EXTREMAL_INLINE LanePart& operator o##=(const LanePart & y) { \
    x = x o y.x;                                                \
    return *this;                                               \
  }                                                             \
  EXTREMAL_INLINE friend LanePart operator o(const LanePart& a, const LanePart& b) { return LanePart(a.x o b.x); }
  EXTREMAL_OPERATOR(+)
  EXTREMAL_OPERATOR(-)
  EXTREMAL_OPERATOR(*)
  EXTREMAL_OPERATOR(/)
#undef EXTREMAL_OPERATOR
  EXTREMAL_INLINE friend LanePart operator-(const LanePart& a) { return LanePart(-a.x); }
  EXTREMAL_INLINE friend PartMask<W> less(const LanePart& a, const LanePart& b) { return PartMask<W>(a.x < b.x); }
  EXTREMAL_INLINE friend PartMask<W> less_or_equal(const LanePart& a, const LanePart& b) {
    return PartMask<W>(a.x <= b.x);
  }
  EXTREMAL_INLINE friend PartMask<W> equal(const LanePart& a, const LanePart& b) { return PartMask<W>(a.x == b.x); }
  EXTREMAL_INLINE friend LanePart select(const PartMask<W>& m, const LanePart& a, const LanePart& b) {
    return LanePart(m.x ? a.x : b.x);
  }
};

namespace math {
template <int W>
EXTREMAL_INLINE LanePart<W> abs(const LanePart<W>& x) {
  using Bits = typename PartMask<W>::Vector;
  const Bits bits = reinterpret_cast<Bits>(x.x) & std::numeric_limits<std::int64_t>::max();
  return LanePart<W>(reinterpret_cast<typename LanePart<W>::Vector>(bits));
}
// With -fno-math-errno compilers make one instruction of these.
template <int W>
EXTREMAL_INLINE LanePart<W> sqrt(const LanePart<W>& x) {
  return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    return LanePart<W>(typename LanePart<W>::Vector{__builtin_sqrt(x.x[I])...});
  }(std::make_integer_sequence<int, W>{});
}
}  // namespace math

// The larger one as processors find it: x where one of them is not a number.
template <int W>
EXTREMAL_INLINE LanePart<W> larger(const LanePart<W>& x, const LanePart<W>& y) {
  return select(less(x, y), y, x);
}
template <class S>
EXTREMAL_INLINE S larger(const S& x, const S& y) {
  return x < y ? y : x;
}

// Halves of halves: taking out one lane after the other would take longer.
template <int W, bool And>
EXTREMAL_INLINE bool fold(const typename PartMask<W>::Vector& x) {
  using Half = typename PartMask<W / 2>::Vector;
  if constexpr (W == 2) {
    return (And ? x[0] & x[1] : x[0] | x[1]) != 0;
  } else if constexpr (W == 4) {
    const Half low = __builtin_shufflevector(x, x, 0, 1), high = __builtin_shufflevector(x, x, 2, 3);
    return fold<W / 2, And>(And ? low & high : low | high);
  } else {
    const Half low = __builtin_shufflevector(x, x, 0, 1, 2, 3), high = __builtin_shufflevector(x, x, 4, 5, 6, 7);
    return fold<W / 2, And>(And ? low & high : low | high);
  }
}
template <int W>
EXTREMAL_INLINE bool any(const PartMask<W>& m) {
  return fold<W, false>(m.x);
}
template <int W>
EXTREMAL_INLINE bool all(const PartMask<W>& m) {
  return fold<W, true>(m.x);
}

template <class P>
struct MaskFor {
  using type = bool;
};
template <int W>
struct MaskFor<LanePart<W>> {
  using type = PartMask<W>;
};

// A part of every element of an array of Lanes.
template <class L, class P>
class LaneView {
 public:
  EXTREMAL_INLINE LaneView(L* first, int part) : first_(first), part_(part) {}
  EXTREMAL_INLINE P& operator[](int i) const { return reinterpret_cast<P*>(first_ + i)[part_]; }
  EXTREMAL_INLINE LaneView operator+(int i) const { return {first_ + i, part_}; }

 private:
  L* first_;
  int part_;
};

template <class P>
EXTREMAL_INLINE P* view(P* x, int) {
  return x;
}
template <class P>
EXTREMAL_INLINE const P* view(const P* x, int) {
  return x;
}
template <class P>
EXTREMAL_INLINE LaneView<Lanes, P> view(Lanes* x, int part) {
  return {x, part};
}
template <class P>
EXTREMAL_INLINE LaneView<const Lanes, const P> view(const Lanes* x, int part) {
  return {x, part};
}
template <class P>
EXTREMAL_INLINE bool& part_of(bool& x, int) {
  return x;
}
template <class P>
EXTREMAL_INLINE bool part_of(const bool& x, int) {
  return x;
}
template <class P>
EXTREMAL_INLINE typename MaskFor<P>::type& part_of(LaneMask& x, int part) {
  return reinterpret_cast<typename MaskFor<P>::type*>(&x)[part];
}
template <class P>
EXTREMAL_INLINE const typename MaskFor<P>::type& part_of(const LaneMask& x, int part) {
  return reinterpret_cast<const typename MaskFor<P>::type*>(&x)[part];
}
// How many parts of the kind P a scalar has.
template <class S, class P>
constexpr int part_count = static_cast<int>(sizeof(S) / sizeof(P));

#undef EXTREMAL_INLINE

// Of fixed size, without a detour, where it is known.
template <class S, int size>
using Store = std::conditional_t<(size > 0), std::array<S, static_cast<std::size_t>(size)>, std::vector<S>>;
template <class S, std::size_t size>
void clear(std::array<S, size>& x, int) {
  x.fill(S(0));
}
template <class S>
void clear(std::vector<S>& x, int size) {
  x.assign(static_cast<std::size_t>(size), S(0));
}

}  // namespace extremal
