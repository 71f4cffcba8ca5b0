// Blocks: which unknowns of a system are eliminated together.
//
// The graph of a mechanism: a vertex per body (its coordinates and the constraints on it alone) and per joint (the
// multipliers of a constraint between bodies); an edge where a matrix of the system has entries. A family gives every
// vertex as many copies of its rows and columns as it has stages, and so keeps all stages of a body together.
#pragma once

#include <utility>
#include <vector>

#include "extremal/system.hpp"
#include "system/evaluation.hpp"
#include "system/pattern.hpp"

namespace extremal {

struct Blocks {
  int count = 1;
  std::vector<int> coordinate, constraint;  // the block of every coordinate and of every row of g
  std::vector<bool> joint;                  // multipliers only: eliminated after its bodies
  std::vector<std::pair<int, int>> edges;   // first < second, each once
};

// What is known of the entries inside of blocks. A unit is a coordinate or a constraint; it has as many rows as
// columns.
struct Units {
  std::vector<int> row, column;  // the unit of every row and column
  std::vector<int> block;        // of every unit
  Pattern pattern;               // units x units, symmetric: where entries may differ from zero
  // Units that are eliminated before the others of their block, in a fixed order: coordinates with inertia. All
  // coordinates of a body, or none.
  std::vector<bool> early;
};

// Small systems are one block: below some dozens of rows a dense matrix is faster, and pivots freely.
// So does a system with coordinates without inertia, whose bodies need their joints to be regular, up to a larger size;
// beyond it they must be regular by themselves, as thin rods in the plane are.
inline constexpr int dense_rows = 40, massless_rows = 400;
Blocks find_blocks(const System& system, const Pattern& coupling, const Pattern& jacobian);
// Coordinates, then constraints, without rows and columns. Coordinates are coupled by the mass matrix, by that and
// other second derivatives of energies (and forces), or by all that coupling() has, constraints included.
enum class Coupled { by_mass, by_energies, by_all };
Units find_units(const Blocks& blocks, Evaluation<double>& evaluation, Coupled coupled);

}  // namespace extremal
