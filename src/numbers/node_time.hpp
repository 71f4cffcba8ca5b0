// node_time: when a node of a step is, for terms that jump in time.
//
// Where a load jumps at the end of a step, the step has to see the value before, and the next one the value after: then
// the rule integrates a smooth function in either, and the impulse is right. But t, a sum of steps, misses the jump by
// its last bits, to this side or that. So nodes at the ends of a step are moved inside by a few of these bits; `inset`
// is 0 for all other systems, which changes no bit.
#pragma once

#include "extremal/scalar.hpp"

namespace extremal {

// In units of the last place of t.
inline constexpr int node_inset = 8;

template <class S>
S inset_of(bool jumps) {
  return jumps ? S(node_inset) * Scalar<S>::epsilon : S(0);
}

// At the fraction c of a step of length h from t, with the inset of the system.
template <class S>
S node_time(const S& t, const S& h, const S& c, const S& inset) {
  const S at = t + c * h;
  if (inset == S(0) || (c != S(0) && c != S(1))) return at;
  const S size = inset * (math::abs(t) + math::abs(h)), inside = h < S(0) ? -size : size;
  return c == S(0) ? at + inside : at - inside;
}

}  // namespace extremal
