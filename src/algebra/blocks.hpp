// Blocks: which unknowns of a system are eliminated together.
//
// The graph of a mechanism: a vertex per body (its coordinates and the constraints on it alone) and per joint (the
// multipliers of a constraint between bodies); an edge where a matrix of the system has entries. A family gives every
// vertex as many copies of its rows and columns as it has stages, and so keeps all stages of a body together.
#pragma once

#include <utility>
#include <vector>

#include "algebra/pattern.hpp"

namespace extremal {

struct Blocks {
  int count = 1;
  std::vector<int> coordinate, constraint;  // the block of every coordinate and of every row of g
  std::vector<bool> joint;                  // eliminated after its bodies: multipliers, coordinates that need them
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

}  // namespace extremal
