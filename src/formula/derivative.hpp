// Derivatives of a Graph, exact, as nodes of the same graph.
#pragma once

#include <utility>
#include <vector>

#include "formula/graph.hpp"

namespace extremal {

// The gradient of sum_k s_k f_k in the given leaves, by one reverse sweep; `seeds` are the pairs (f_k, s_k). What is
// structurally zero is the constant 0.
std::vector<int> gradient(Graph& graph, const std::vector<std::pair<int, int>>& seeds,
                          const std::vector<int>& variables);

// The packed lower triangle (packed_index of jet.hpp) of the derivatives of a gradient, by one forward sweep per
// variable.
std::vector<int> packed_hessian(Graph& graph, const std::vector<int>& gradient, const std::vector<int>& variables);

}  // namespace extremal
