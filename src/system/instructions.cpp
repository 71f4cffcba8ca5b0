#include "extremal/detail/instructions.hpp"

#include <algorithm>

namespace extremal {
namespace {

Instructions best() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return Instructions::avx512;
  if (__builtin_cpu_supports("avx2")) return Instructions::avx2;
#endif
  return Instructions::baseline;
}

}  // namespace

// Whoever is called before it is set takes the baseline.
Instructions instructions_in_use = best();

void limit_instructions(Instructions most) { instructions_in_use = std::min(best(), most); }

}  // namespace extremal
