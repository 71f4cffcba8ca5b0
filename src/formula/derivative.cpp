#include "formula/derivative.hpp"

#include "extremal/detail/jet.hpp"
#include "numbers/index.hpp"

namespace extremal {
namespace {

// d(node n) / d(operand), for the first (which = 0) or the second operand.
int partial(Graph& g, int n, int which) {
  const Graph::Node node = g[n];  // a copy: new nodes move the others
  const int a = node.a, b = node.b;
  const auto one = [&] { return g.constant(1); };
  const auto square = [&](int x) { return g.multiply(x, x); };
  // 1 - x^2 loses its digits where x is close to 1.
  const auto root = [&] { return g.apply(Operation::sqrt, g.multiply(g.subtract(one(), a), g.add(one(), a))); };
  switch (node.operation) {
    case Operation::add:
      return one();
    case Operation::multiply:
      return which == 0 ? b : a;
    case Operation::divide:
      return which == 0 ? g.inverse(b) : g.negate(g.multiply(n, g.inverse(b)));
    case Operation::inverse:
      return g.negate(square(n));
    case Operation::power:
      if (which == 0) return g.multiply(b, g.power(a, g.subtract(b, one())));
      return g.multiply(n, g.apply(Operation::log, a));
    case Operation::sqrt:
      return g.multiply(g.constant(quad(0.5)), g.inverse(n));
    case Operation::sin:
      return g.apply(Operation::cos, a);
    case Operation::cos:
      return g.negate(g.apply(Operation::sin, a));
    case Operation::tan:
      return g.add(one(), square(n));
    case Operation::asin:
      return g.inverse(root());
    case Operation::acos:
      return g.negate(g.inverse(root()));
    case Operation::atan:
      return g.inverse(g.add(one(), square(a)));
    case Operation::atan2: {
      const int scale = g.inverse(g.add(square(a), square(b)));
      return which == 0 ? g.multiply(b, scale) : g.negate(g.multiply(a, scale));
    }
    case Operation::sinh:
      return g.apply(Operation::cosh, a);
    case Operation::cosh:
      return g.apply(Operation::sinh, a);
    case Operation::tanh:
      return g.subtract(one(), square(n));
    case Operation::exp:
      return n;
    case Operation::log:
      return g.inverse(a);
    case Operation::abs:
      return g.apply(Operation::sign, a);
    case Operation::table: {  // the handles of derivatives follow each other
      const int handle = static_cast<int>(g.value(b));
      const bool ends = handle % table_orders == table_orders - 1;
      return which == 1 || ends ? g.constant(0) : g.apply(Operation::table, a, g.constant(handle + 1));
    }
    default:
      return g.constant(0);  // sign, floor, less; the others are not nodes of a graph
  }
}

bool is_branch(const Graph::Node& node) {
  return node.leaf == Graph::Leaf::none && (node.operation == Operation::when || node.operation == Operation::unless);
}

// Whether a node is a number wherever its variables are, and so are its derivatives.
std::vector<bool> always_finite(const Graph& g) {
  std::vector<bool> result(sz(g.size()), true);
  for (int n = 0; n < g.size(); ++n) {
    const Graph::Node& node = g[n];
    if (node.leaf != Graph::Leaf::none) continue;
    switch (node.operation) {
      case Operation::add:
      case Operation::multiply:
      case Operation::sin:
      case Operation::cos:
      case Operation::tanh:
      case Operation::atan:
      case Operation::abs:
      case Operation::sign:
      case Operation::floor:
      case Operation::less:
      case Operation::when:
      case Operation::unless:
      case Operation::table:
        result[sz(n)] = result[sz(node.a)] && (node.b < 0 || result[sz(node.b)]);
        break;
      default:
        result[sz(n)] = false;
    }
  }
  return result;
}

}  // namespace

std::vector<int> gradient(Graph& graph, const std::vector<std::pair<int, int>>& seeds,
                          const std::vector<int>& variables) {
  const int count = graph.size();
  // What reaches a node comes from its last use to its first. It is summed from the first to the last, as jet.hpp does:
  // a function of C++ and its formula then have the same bits.
  std::vector<std::vector<int>> contributions(sz(count));
  std::vector<int> adjoint(sz(count), -1);
  const auto accumulate = [&](int n, int x) { contributions[sz(n)].push_back(x); };
  const auto sum = [&](int n) {
    std::vector<int>& list = contributions[sz(n)];
    for (; !list.empty(); list.pop_back())
      adjoint[sz(n)] = adjoint[sz(n)] < 0 ? list.back() : graph.add(adjoint[sz(n)], list.back());
  };
  for (const auto& [f, s] : seeds) accumulate(f, s);
  const std::vector<bool> finite = always_finite(graph);
  for (int n = count - 1; n >= 0; --n) {
    const Graph::Node node = graph[n];
    sum(n);
    if (adjoint[sz(n)] < 0 || node.leaf != Graph::Leaf::none || graph.is(adjoint[sz(n)], 0)) continue;
    if (is_branch(node)) {
      if (!graph.differentiable(node.b)) continue;
      if (finite[sz(node.b)]) {
        accumulate(node.b, graph.apply(node.operation, node.a, adjoint[sz(n)]));
        continue;
      }
      // 0 times the slope of a branch that is not taken may be no number: its whole gradient is left out instead.
      const std::vector<int> inner = gradient(graph, {{node.b, adjoint[sz(n)]}}, variables);
      for (std::size_t i = 0; i < variables.size(); ++i)
        if (!graph.is(inner[i], 0)) accumulate(variables[i], graph.apply(node.operation, node.a, inner[i]));
      continue;
    }
    if (node.a == node.b) {  // of x^2 it is 2 x, not x and x
      const int slope = graph.add(partial(graph, n, 0), partial(graph, n, 1));
      if (graph.differentiable(node.a)) accumulate(node.a, graph.multiply(adjoint[sz(n)], slope));
      continue;
    }
    for (const int which : {0, 1}) {
      const int operand = which == 0 ? node.a : node.b;
      if (operand >= 0 && graph.differentiable(operand))
        accumulate(operand, graph.multiply(adjoint[sz(n)], partial(graph, n, which)));
    }
  }
  std::vector<int> result;
  for (const int x : variables) result.push_back(adjoint[sz(x)] < 0 ? graph.constant(0) : adjoint[sz(x)]);
  return result;
}

std::vector<int> packed_hessian(Graph& graph, const std::vector<int>& gradient, const std::vector<int>& variables) {
  const int M = static_cast<int>(variables.size()), count = graph.size();
  const std::vector<bool> needed = graph.reachable(gradient);
  const int zero = graph.constant(0);
  std::vector<int> result(sz(M * (M + 1) / 2), zero), slope(sz(count));
  for (int j = 0; j < M; ++j) {
    for (int n = 0; n < count; ++n) {
      slope[sz(n)] = n == variables[sz(j)] ? graph.constant(1) : zero;
      const Graph::Node node = graph[n];
      if (!needed[sz(n)] || node.leaf != Graph::Leaf::none) continue;
      if (is_branch(node)) {
        slope[sz(n)] = graph.apply(node.operation, node.a, slope[sz(node.b)]);
        continue;
      }
      for (const int which : {0, 1}) {
        const int operand = which == 0 ? node.a : node.b;
        if (operand < 0 || slope[sz(operand)] == zero) continue;
        slope[sz(n)] = graph.add(slope[sz(n)], graph.multiply(slope[sz(operand)], partial(graph, n, which)));
      }
    }
    for (int i = j; i < M; ++i) result[sz(packed_index(i, j))] = slope[sz(gradient[sz(i)])];
  }
  return result;
}

}  // namespace extremal
