// Rank: whether constraints depend on each other, everywhere or in one configuration only.
//
// Redundant constraints (a planar mechanism of spatial joints) are dependent wherever g = 0 holds. A singular
// configuration (a four-bar linkage folded flat) is one where the rank is less than nearby; the motion may branch
// there.
#pragma once

#include <string>
#include <vector>

#include "kernel/node.hpp"

namespace extremal {

struct Rank {
  int redundant = 0;               // rows that depend on others here and nearby
  int lost = 0;                    // rows that depend on others here only
  double eps = 0;                  // what the matrices are to be regularised with; 0: they need not be
  std::vector<std::string> names;  // the constraints involved, each once
};

// At a position with g = 0. With `nearby`, neighbouring positions are looked at too, to tell the one from the other;
// otherwise everything counts as redundant.
template <class S>
Rank find_rank(const System& system, NodeSolver<S>& node, const std::vector<S>& q, S t, bool nearby);

// The name of every row's constraint without the number of the row in it, as the user gave it.
std::vector<std::string> site_names(const System& system);

// Whether the bodies and the ground form a closed loop.
bool has_loop(const System& system);

}  // namespace extremal
