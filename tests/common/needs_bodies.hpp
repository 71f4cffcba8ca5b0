// Which schemes need a system that is made of rigid bodies.
#pragma once

#include "extremal/scheme.hpp"

namespace extremal {

inline bool needs_bodies(const Scheme& scheme) { return scheme.declared.needs.bodies; }

}  // namespace extremal
