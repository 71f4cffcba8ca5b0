// with_widest: code for one part of the lanes, compiled for the widest that the machine computes at once.
#pragma once

#include "extremal/detail/instructions.hpp"
#include "small/part.hpp"

namespace extremal {

// f(part), part being of the widest kind that the machine computes at once.
template <class S, class F>
[[gnu::always_inline]] inline void with_widest(F f) {
  if constexpr (!std::is_same_v<S, Lanes>) {
    f(S(0));
  } else {
#if defined(__SANITIZE_ADDRESS__)
    f(LanePart<4>(0));
#else
    auto narrow = [&] { f(LanePart<4>(0)); };
    switch (instructions()) {
      case Instructions::avx512:  // gains nothing over four lanes at once, and takes as long to compile again
      case Instructions::avx2:
        return with_avx2(narrow);
      case Instructions::baseline:
        return f(LanePart<2>(0));
    }
#endif
  }
}

}  // namespace extremal
