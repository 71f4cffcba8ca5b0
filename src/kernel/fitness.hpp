// Fitness: whether a scheme can carry the terms of a system.
#pragma once

#include "extremal/scheme.hpp"
#include "extremal/system.hpp"

namespace extremal {

// InputError with the reason, and another scheme to try, if it cannot.
void refuse_unfit(const System& system, const Scheme& scheme);

}  // namespace extremal
