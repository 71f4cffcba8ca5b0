// Printing: nodes of a Graph as formulas that are read as the same nodes again.
//
// What several formulas share, or one of them more than once, gets a name, so that the text is never much longer than
// the graph: y = sin(y) + y^2, fourteen times over, has 16384 sines without names and 14 with them.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "formula/graph.hpp"

namespace extremal {

struct PrintedFormulas {
  std::vector<std::string> rows;
  std::vector<std::pair<std::string, std::string>> definitions;  // name and formula, each after those it uses
};

// leaf(node) is the name of a leaf other than a constant; fresh() a name that nothing has yet; table(handle) that of a
// table (system/table.hpp), without which a formula that has one is refused.
PrintedFormulas print(const Graph& graph, const std::vector<int>& roots,
                      const std::function<std::string(const Graph::Node&)>& leaf,
                      const std::function<std::string()>& fresh, const std::function<std::string(int)>& table = {});

// A name as formulas have it, in quotes if it needs them.
std::string formula_name(const std::string& name);

}  // namespace extremal
