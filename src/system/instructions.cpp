#include "extremal/instructions.hpp"

#include <algorithm>
#include <atomic>

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

std::atomic<Instructions>& in_use() {
  static std::atomic<Instructions> value = best();
  return value;
}

}  // namespace

Instructions instructions() { return in_use().load(std::memory_order_relaxed); }

void limit_instructions(Instructions most) { in_use() = std::min(best(), most); }

}  // namespace extremal
