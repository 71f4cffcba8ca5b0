// The nearest root of a few equations in more unknowns, to the last bits of quad: published coefficients have 16 to 26
// digits.
#pragma once

#include <functional>
#include <vector>

#include "extremal/scalar.hpp"

namespace extremal {

// Of all Newton corrections the shortest, J^T (J J^T)^-1 r; derivatives are differences, which cost an iteration more.
std::vector<quad> nearest_root(std::vector<quad> x,
                               const std::function<std::vector<quad>(const std::vector<quad>&)>& defects);

}  // namespace extremal
