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
    : ScalarTerm(r, std::move(label)), graph_(std::make_shared<const Graph>(graph)), roots_(rows) {
  coordinates = local_coordinates;
  row_count = static_cast<int>(rows.size());
  sites = std::move(site_list);
  sites_ = site_count();

  const std::vector<bool> used = graph.reachable(rows);
  for (int n = 0; n < graph.size(); ++n)
    if (used[static_cast<std::size_t>(n)]) {
      if (graph[n].leaf == Graph::Leaf::t) uses_time = true;
      if (graph[n].leaf == Graph::Leaf::parameter) depends_on.push_back(graph[n].a);
    }
  jumps = uses_time && graph.jumps_in_time(rows);
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
  if (role == Role::constraint && expanded && degree.q == 2) find_squares(graph, leaves);
}

void FormulaTerm::find_squares(Graph& graph, const std::vector<int>& leaves) {
  const int count = row_count * (coordinates + 1);
  if (count > most_squares) return;
  GraphCopy at_zero(graph, graph, [&](const Graph::Node& leaf) {
    return leaf.leaf == Graph::Leaf::parameter ? graph.parameter(leaf.a) : graph.constant(0);
  });
  std::vector<int> numbers;
  for (const int row : roots_) {
    const std::vector<int> slope = extremal::gradient(graph, {{row, graph.constant(1)}}, leaves);
    for (const int s : slope)
      if (!graph.is(at_zero(s), 0)) return;  // a row that is linear
    const std::vector<int> bend = packed_hessian(graph, slope, leaves);
    for (int c = 0; c < coordinates; ++c)
      numbers.push_back(graph.multiply(graph.constant(0.5), bend[static_cast<std::size_t>(packed_index(c, c))]));
    numbers.push_back(at_zero(row));
  }
  squares_ = Tape(graph, numbers, count);
  square_count_ = count;
  const auto constant = [&](int n) { return graph.is_constant(n); };
  if (std::all_of(numbers.begin(), numbers.end(), constant))
    for (const int n : numbers)
      std::apply(
          [&](auto&... list) { (list.push_back(static_cast<std::decay_t<decltype(list[0])>>(graph.value(n))), ...); },
          square_constants_);
  if (!agrees()) square_count_ = 0;
}

// Sums are taken in one order, which may be another one than the formula has.
bool FormulaTerm::agrees() const {
  const int n = 1 + *std::max_element(sites.begin(), sites.end());
  int most = 0;
  for (const int parameter : depends_on) most = std::max(most, parameter + 1);
  const auto calls = static_cast<std::size_t>(sites_ * row_count);
  std::vector<double> q(static_cast<std::size_t>(n)), parameters(static_cast<std::size_t>(most)), value(calls),
      slope(calls);
  slope.resize(calls * static_cast<std::size_t>(coordinates));
  std::vector<double> other_value = value, other_slope = slope;
  unsigned seed = 12345;
  const auto fill = [&](std::vector<double>& x) {
    for (double& one : x) one = 0.5 + static_cast<double>((seed = seed * 1103515245U + 12345U) >> 8U) / 0x1p24;
  };
  const double t = 0;
  for (int trial = 0; trial < 16; ++trial) {
    fill(q);
    fill(parameters);
    const Nodes<double> at{1, n, q.data(), nullptr, &t, parameters.data(), most};
    gradient_.run<double>(inputs<double>(at, nullptr), value.data(), slope.data());
    squares_at<double>(at, other_value.data(), other_slope.data());
    if (value != other_value || slope != other_slope) return false;
  }
  return true;
}

}  // namespace extremal
