// Following: the functions of terms and loads written down, as nodes of a Graph, by running them with degrees that
// tell.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "extremal/term.hpp"
#include "formula/graph.hpp"

namespace extremal {

// Rows as nodes, over the coordinates 0 to N - 1 of a site, their velocities, t and parameters of the system.
struct Followed {
  Graph graph;
  std::vector<int> rows;
};

// Nothing if the term has a class of its own, or its function branches.
std::optional<Followed> follow(const Term& term);

// A node of t alone as text, without names for what is shared; empty if that would be longer than formulas may be.
std::string time_formula(const Graph& graph, int root);

}  // namespace extremal
