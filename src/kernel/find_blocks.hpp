// The blocks of a system (algebra/blocks.hpp), from its terms and the patterns of its matrices.
#pragma once

#include "algebra/blocks.hpp"
#include "extremal/system.hpp"
#include "system/evaluation.hpp"

namespace extremal {

// Small systems are one block: below some dozens of rows a dense matrix is faster, and pivots freely.
// So does a system with coordinates without inertia, whose bodies need their joints to be regular, up to a larger size;
// beyond it they must be regular by themselves, as thin rods in the plane are.
inline constexpr int dense_rows = 40, massless_rows = 400;
Blocks find_blocks(const System& system, const Pattern& coupling, const Pattern& jacobian);
// Coordinates, then constraints, without rows and columns. Coordinates are coupled by the mass matrix, by that and
// other second derivatives of energies (and forces), or by all that coupling() has, constraints included.
enum class Coupled { by_mass, by_energies, by_all };
// A body with a direction of (nearly) no inertia leaves its joints a matrix of poor condition: it needs the pivots that
// its constraints give. It is thin if its least inertia is no more than this of its largest.
inline constexpr double thin_body = 1e-8;
Units find_units(const Blocks& blocks, Evaluation<double>& evaluation, Coupled coupled);

}  // namespace extremal
