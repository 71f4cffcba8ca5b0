// Quadrature rules on [0, 1] and the control points, computed in quad precision and never typed in.
//
// The nodes are roots of combinations of the Legendre polynomials [HairerLubichWanner2006, II.1.3]
//   gauss(n):   P_n                 weights 1 / (u (1 - u) P_n'(u)^2)
//   lobatto(n): u (1 - u) P_(n-1)'  weights 1 / (n (n - 1) P_(n-1)(u)^2)
//   radau(n):   P_n - P_(n-1)       weights (1 - u) / (n^2 P_(n-1)(u)^2)
// where u = 1 - t runs backwards, P_k is the Legendre polynomial of 1 - 2u, and a prime is d/du.
#include <string>

#include "extremal/error.hpp"
#include "extremal/scheme.hpp"
#include "scheme/members.hpp"

namespace extremal {
namespace {

quad pi() { return 4 * math::atan(quad(1)); }

// P_n(u) and its derivatives, with the difference P_n - P_(n-1). The recurrence runs on the differences, so
// that near u = 0, where every P is 1, the small quantity u keeps its relative accuracy.
struct Legendre {
  quad value = 1, slope = 0, difference = 0, difference_slope = 0;
  Legendre(int n, quad u) {
    for (int k = 0; k < n; ++k) {
      difference_slope = (k * difference_slope - 2 * (2 * k + 1) * (value + u * slope)) / (k + 1);
      difference = (k * difference - 2 * (2 * k + 1) * u * value) / (k + 1);
      value += difference;
      slope += difference_slope;
    }
  }
  // Legendre's differential equation u (1 - u) P'' + (1 - 2u) P' + n (n + 1) P = 0.
  static quad curvature(const Legendre& p, int n, quad u) {
    return -((1 - 2 * u) * p.slope + n * (n + 1) * p.value) / (u * (1 - u));
  }
};

// Newton from the asymptotic place of the k-th zero of a Jacobi polynomial of degree n,
// theta = (k + alpha/2 - 1/4) pi / (n + (alpha + beta + 1)/2); `newton` returns the correction.
template <class Newton>
quad root(int k, int n, int alpha, int beta, Newton newton) {
  quad half_angle = (k + quad(alpha) / 2 - quad(1) / 4) * pi() / (2 * n + alpha + beta + 1);
  quad u = math::sin(half_angle) * math::sin(half_angle);
  for (int i = 0; i < 50; ++i) {
    quad correction = newton(u);
    u -= correction;
    if (math::abs(correction) <= 2 * Scalar<quad>::epsilon * u) break;
  }
  return u;
}

// Symmetric rules are computed on one half: nodes and weights then mirror each other to the last bit.
template <class Node, class Weight>
Quadrature symmetric_rule(int n, Node node, Weight weight) {
  Quadrature rule;
  rule.nodes.resize(static_cast<std::size_t>(n));
  rule.weights.resize(static_cast<std::size_t>(n));
  for (int i = 0; 2 * i < n; ++i) {
    auto low = static_cast<std::size_t>(i), high = static_cast<std::size_t>(n - 1 - i);
    quad u = 2 * i == n - 1 ? quad(1) / 2 : node(i);
    rule.nodes[low] = u;
    if (low != high) rule.nodes[high] = 1 - u;
    rule.weights[low] = rule.weights[high] = weight(u);
  }
  return rule;
}

Quadrature gauss_rule(int n) {
  return symmetric_rule(
      n,
      [n](int i) {
        return root(i + 1, n, 0, 0, [n](quad u) {
          Legendre p(n, u);
          return p.value / p.slope;
        });
      },
      [n](quad u) {
        Legendre p(n, u);
        return 1 / (u * (1 - u) * p.slope * p.slope);
      });
}

Quadrature lobatto_rule(int n) {
  return symmetric_rule(
      n,
      [n](int i) {
        if (i == 0) return quad(0);
        return root(i, n - 2, 1, 1, [n](quad u) {
          Legendre p(n - 1, u);
          return p.slope / Legendre::curvature(p, n - 1, u);
        });
      },
      [n](quad u) {
        Legendre p(n - 1, u);
        return 1 / (n * (n - 1) * p.value * p.value);
      });
}

// The nodes below 1/2 are solved for in t itself, with P_k(u) = (-1)^k P_k(t): there P_n + P_(n-1) vanishes.
Quadrature radau_rule(int n) {
  auto below = [n](quad t) {
    Legendre p(n, t);
    return (2 * p.value - p.difference) / (2 * p.slope - p.difference_slope);
  };
  auto above = [n](quad u) {
    Legendre p(n, u);
    return p.difference / p.difference_slope;
  };
  Quadrature rule;
  for (int i = 0; i < n; ++i) {
    bool low = 2 * i < n - 1;
    quad x = 0;  // t below 1/2, u above; the last node is u = 0
    if (low)
      x = root(i + 1, n - 1, 0, 1, below);
    else if (i < n - 1)
      x = root(n - 1 - i, n - 1, 1, 0, above);
    quad t = low ? x : 1 - x, previous = Legendre(n - 1, x).value;
    rule.nodes.push_back(t);
    rule.weights.push_back(t / (n * n * previous * previous));
  }
  return rule;
}

// Weight 1 - a at 0 and a at 1 [LewMata2016, eq. 54e]; a node without weight is no node.
Quadrature ends_rule(quad a) {
  if (!(a >= 0 && a <= 1)) throw InputError("rule ends(a): found a = " + to_text(a) + "; expected 0 <= a <= 1");
  Quadrature rule;
  if (a != 1) {
    rule.nodes.push_back(0);
    rule.weights.push_back(1 - a);
  }
  if (a != 0) {
    rule.nodes.push_back(1);
    rule.weights.push_back(a);
  }
  return rule;
}

void require_nodes(const char* kind, int nodes, int fewest) {
  if (nodes < fewest || nodes > most_nodes)
    throw InputError("rule " + std::string(kind) + "(n): found n = " + std::to_string(nodes) + "; expected " +
                     std::to_string(fewest) + " to " + std::to_string(most_nodes));
}

}  // namespace

Quadrature quadrature(const Rule& rule) {
  Quadrature result;
  switch (rule.kind) {
    case RuleKind::gauss:
      require_nodes("gauss", rule.nodes, 1);
      result = gauss_rule(rule.nodes);
      break;
    case RuleKind::lobatto:
      require_nodes("lobatto", rule.nodes, 2);
      result = lobatto_rule(rule.nodes);
      break;
    case RuleKind::radau:
      require_nodes("radau", rule.nodes, 1);
      result = radau_rule(rule.nodes);
      break;
    case RuleKind::ends:
      result = ends_rule(rule.a.as<quad>());
      break;
    case RuleKind::riemann:
      throw InputError(
          "rule riemann(w): found no step; expected one, as its width is a time: it belongs to phase_space");
  }
  if (rule.mirrored) {
    Quadrature mirror;
    for (std::size_t i = result.nodes.size(); i-- > 0;) {
      mirror.nodes.push_back(1 - result.nodes[i]);
      mirror.weights.push_back(result.weights[i]);
    }
    result = mirror;
  }
  result.weights.front() *= 1 + quad(rule.perturbation.amount());
  return result;
}

std::vector<quad> control_points(Points kind, int degree) {
  if (degree < 1 || degree >= most_nodes)
    throw InputError("control points: found degree " + std::to_string(degree) + "; expected 1 to " +
                     std::to_string(most_nodes - 1));
  if (kind == Points::lobatto) return lobatto_rule(degree + 1).nodes;
  auto place = [&](int k) {
    if (kind == Points::equidistant) return quad(k) / degree;
    quad sine = math::sin(k * pi() / (2 * degree));  // the extrema of the Chebyshev polynomial
    return sine * sine;
  };
  std::vector<quad> points(static_cast<std::size_t>(degree) + 1);
  for (int k = 0; 2 * k <= degree; ++k) {
    quad u = 2 * k == degree ? quad(1) / 2 : place(k);
    points[static_cast<std::size_t>(k)] = u;
    if (2 * k != degree) points[static_cast<std::size_t>(degree - k)] = 1 - u;
  }
  return points;
}

// Each l_k is a product of linear factors, carried with its derivative factor by factor. At a node one factor
// of every other l_k is exactly 0 and every factor of its own is exactly 1.
BasisTable lagrange_basis(const std::vector<quad>& points, const std::vector<quad>& x) {
  BasisTable table;
  for (quad at : x) {
    std::vector<quad> values, slopes;
    for (std::size_t k = 0; k < points.size(); ++k) {
      quad value = 1, slope = 0;
      for (std::size_t j = 0; j < points.size(); ++j) {
        if (j == k) continue;
        quad width = points[k] - points[j], factor = (at - points[j]) / width;
        slope = slope * factor + value / width;
        value *= factor;
      }
      values.push_back(value);
      slopes.push_back(slope);
    }
    table.values.push_back(std::move(values));
    table.slopes.push_back(std::move(slopes));
  }
  return table;
}

}  // namespace extremal
