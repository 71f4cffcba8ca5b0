// vectorised<S>(f): f() compiled for every instruction set where S is Lanes, as it is otherwise. For code that is
// written once for all scalars. Under sanitizers, which check every access, once has to do: the compiler would take
// minutes.
#pragma once

#include <type_traits>

#include "extremal/detail/instructions.hpp"
#include "extremal/detail/lanes.hpp"

namespace extremal {

template <class S, class F>
[[gnu::always_inline]] inline void vectorised(F f) {
#if defined(__SANITIZE_ADDRESS__)
  f();
#else
  if constexpr (std::is_same_v<S, Lanes>)
    with_best_instructions(f);
  else
    f();
#endif
}

}  // namespace extremal
