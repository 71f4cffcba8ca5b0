// Small steps (small/step.hpp) with one multiplier and one constraint that is a sum of squares (small/quadratic.hpp):
// with D = base - s A_0, A_0 = M^-1 G(q)^T at the start, g(q + D) = 0 is
//   alpha s^2 - beta s + gamma = 0,   alpha = sum_i half_i A_0i^2,   beta = G(q + base) . A_0,   gamma = g(q + base),
// whose root of short steps, which vanishes with h, is 2 gamma / (beta + sqrt(beta^2 - 4 alpha gamma)). Nothing is
// guessed and nothing iterated. Where the other root is less than three times as far away the step is refused: the
// general kernel has to say which of them the motion takes.
#pragma once

#include "small/data.hpp"
#include "small/quadratic.hpp"

namespace extremal::small {

// Takes `count` steps of the length that the data are set to, and leaves |g| at their end. Where the mask is false a
// step was refused, or led to what is not finite.
template <class S>
Mask<S> close(SmallData<S, 2, 1, 1>& data, const SmallQuadratic<S, 2>& constraint, const SmallState<S>& state,
              SmallNode<S>& node, long count, S& residual);

}  // namespace extremal::small
