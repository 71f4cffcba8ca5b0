// Moments of inertia as files have them: of a thin plate to six digits, 0.00166667 about its normal may be more than
// twice 0.00083333 about the axes in it.
#pragma once

#include <string_view>

#include "bodies/principal.hpp"

namespace extremal::robots {

// No principal moment of a body is above the sum of the other two, or below 0.
enum class Moments { possible, mended, impossible };
inline constexpr const char* mended_moments =
    "moments of inertia that no body has but for their last digits, mended here";

// What three moments are above that by their digits is taken off the largest and given to the others, a third each: at
// most 1e-4 of the largest, or what rounding to `place`, one unit of the last place that is written, can have made of
// it. Less than 1e-12 is round-off, and not called mended.
Moments mend_moments(Tensor& inertia, quad place);

// The coarsest of the last places of some numbers that are not 0.
quad coarsest_place(std::string_view numbers);

}  // namespace extremal::robots
