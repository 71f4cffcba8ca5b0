#include "formula/formula_term.hpp"

#include <algorithm>

#include "formula/derivative.hpp"

namespace extremal {
namespace {

// Whether a row of degree two is as well computed from its Taylor series at zero: a sum of squares and a constant, or
// linear. Products such as those of (x - y)^2, or 1000^2 - 2000 x + x^2, would lose digits.
bool expands(Graph& graph, const std::vector<int>& slope, const std::vector<int>& leaves, bool linear_allowed) {
  GraphCopy at_zero(graph, graph, [&](const Graph::Node& leaf) {
    return leaf.leaf == Graph::Leaf::parameter ? graph.parameter(leaf.a) : graph.constant(0);
  });
  bool linear = false, curved = false;
  for (const int s : slope) linear = linear || !graph.is(at_zero(s), 0);
  const std::vector<int> bend = packed_hessian(graph, slope, leaves);
  for (int i = 0; i < static_cast<int>(leaves.size()); ++i)
    for (int j = 0; j <= i; ++j) {
      if (graph.is(bend[static_cast<std::size_t>(packed_index(i, j))], 0)) continue;
      if (i != j) return false;
      curved = true;
    }
  return !linear || (linear_allowed && !curved);
}

}  // namespace

FormulaTerm::FormulaTerm(Role r, std::string label, Graph graph, const std::vector<int>& rows, int local_coordinates,
                         std::vector<int> site_list)
    : ScalarTerm(r, std::move(label)) {
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
  const bool quadratic = !uses_time && ((role == Role::kinetic && degree.q == 0 && degree.v <= 2) ||
                                        ((role == Role::potential || role == Role::constraint) && degree.q <= 2));
  expanded = quadratic;
  for (const int row : rows) {
    const std::vector<int> slope = extremal::gradient(graph, {{row, graph.constant(1)}}, leaves);
    outputs.insert(outputs.end(), slope.begin(), slope.end());
    expanded = expanded && expands(graph, slope, leaves, role != Role::kinetic);
  }
  gradient_ = Tape(graph, outputs, row_count);
  std::vector<std::pair<int, int>> seeds;
  for (int row = 0; row < row_count; ++row) seeds.emplace_back(rows[static_cast<std::size_t>(row)], graph.weight(row));
  const std::vector<int> bend = packed_hessian(graph, extremal::gradient(graph, seeds, leaves), leaves);
  hessian_ = Tape(graph, bend, static_cast<int>(bend.size()));
  operations_ = graph.size();
}

}  // namespace extremal
