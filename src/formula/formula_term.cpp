#include "formula/formula_term.hpp"

#include <algorithm>

#include "formula/derivative.hpp"

namespace extremal {

FormulaTerm::FormulaTerm(Role r, std::string label, Graph graph, const std::vector<int>& rows, int local_coordinates,
                         std::vector<int> site_list)
    : Term(r, std::move(label)) {
  coordinates = local_coordinates;
  row_count = static_cast<int>(rows.size());
  sites = std::move(site_list);
  sites_ = site_count();

  const std::vector<bool> used = graph.reachable(rows);
  for (int n = 0; n < graph.size(); ++n)
    if (used[static_cast<std::size_t>(n)] && graph[n].leaf == Graph::Leaf::t) uses_time = true;
  const std::vector<DegreeBound> degrees = graph.degrees();
  degree = {0, 0, 0};
  for (const int row : rows) {
    const DegreeBound& d = degrees[static_cast<std::size_t>(row)];
    degree = {std::max(degree.q, d.q), std::max(degree.v, d.v), std::max(degree.t, d.t)};
  }

  std::vector<int> leaves;
  for (int c = 0; c < coordinates; ++c) leaves.push_back(graph.coordinate(c));
  if (velocity())
    for (int c = 0; c < coordinates; ++c) leaves.push_back(graph.velocity(c));
  if (uses_time) leaves.push_back(graph.time());
  variables = static_cast<int>(leaves.size());

  std::vector<int> outputs = rows;
  value_ = Tape(graph, outputs, row_count);
  for (const int row : rows) {
    const std::vector<int> slope = extremal::gradient(graph, {{row, graph.constant(1)}}, leaves);
    outputs.insert(outputs.end(), slope.begin(), slope.end());
  }
  gradient_ = Tape(graph, outputs, row_count);
  std::vector<std::pair<int, int>> seeds;
  for (int row = 0; row < row_count; ++row) seeds.emplace_back(rows[static_cast<std::size_t>(row)], graph.weight(row));
  const std::vector<int> bend = packed_hessian(graph, extremal::gradient(graph, seeds, leaves), leaves);
  hessian_ = Tape(graph, bend, static_cast<int>(bend.size()));
  operations_ = graph.size();
}

}  // namespace extremal
