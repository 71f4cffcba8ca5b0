// Instructions: what the machine can compute at once, found out when the program runs, so that one binary serves all.
//
//   with_best_instructions([&] { for (int i = 0; i < n; ++i) y[i] = 3 * x[i]; });
//
// compiles the function once for each instruction set and calls the best that the machine has. What it calls is inlined
// as far as possible and compiled for that set, too, also if it is a function of the user. All give the same bits
// unless products and sums are contracted: -ffp-contract=off forbids it and comes with the CMake target.
#pragma once

namespace extremal {

enum class Instructions { baseline, avx2, avx512 };

// The best that this machine has, or the limit if that is less.
extern Instructions instructions_in_use;
inline Instructions instructions() { return instructions_in_use; }
// For tests and comparisons, while nothing runs.
void limit_instructions(Instructions most);

// AVX2 without FMA, which has no use where nothing is contracted. AVX-512 always has it: GCC is told here, in case that
// the user's flags do not.
#if !defined(__x86_64__)
#define EXTREMAL_AVX2
#define EXTREMAL_AVX512
#elif defined(__clang__)
#define EXTREMAL_AVX2 [[gnu::target("avx2")]]
#define EXTREMAL_AVX512 [[gnu::target("avx512f,avx512dq,avx512vl")]]
#else
#define EXTREMAL_AVX2 [[gnu::target("avx2")]]
#define EXTREMAL_AVX512 \
  [[gnu::target("avx512f,avx512dq,avx512vl,prefer-vector-width=512"), gnu::optimize("fp-contract=off")]]
#endif

template <class F>
[[gnu::flatten]] void with_baseline(F& f) {
  f();
}
template <class F>
EXTREMAL_AVX2 [[gnu::flatten]] void with_avx2(F& f) {
  f();
}
template <class F>
EXTREMAL_AVX512 [[gnu::flatten]] void with_avx512(F& f) {
  f();
}

template <class F>
[[gnu::always_inline]] inline void with_best_instructions(F f) {
  switch (instructions()) {
    case Instructions::avx512:
      return with_avx512(f);
    case Instructions::avx2:
      return with_avx2(f);
    case Instructions::baseline:
      return with_baseline(f);
  }
}

}  // namespace extremal
