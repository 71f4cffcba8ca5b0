// Declared orders. Wenger's tables 1 and 2 follow from one number, the loss [Wenger2017, section 4.1]:
//
//   q: 2w - loss     p: w + 2 (w even) or w + 1 (w odd), - loss     lambda: w (even) or w + 1 (odd), - loss
//
// for the variational closure, where the loss is 2s - (order of the Lagrangian's rule) if s = w and that rule is too
// weak for the degree, and 2 (s - w - 1) if s > w + 1 > 2; q and p never fall below 2 by the latter. Projected momenta
// and the multipliers of [Wenger2017, eq. 70] have the order of q; the multiplier that meets G v = 0 at the end has
// order w - loss. tests/laws and tests/papers measure all of this.
#include "scheme/declared.hpp"

#include <algorithm>

#include "scheme/basis.hpp"
#include "scheme/constraint_points.hpp"
#include "scheme/family.hpp"

namespace extremal {
namespace {

bool half(const Number& a) { return 2 * a.as<quad>() == 1; }

int loss(const Galerkin& g) {
  int s = g.degree, w = g.multiplier_degree;
  if (s == w) return std::max(0, 2 * s - quadrature_order(g.lagrangian));
  return w > 1 ? 2 * std::max(0, s - w - 1) : 0;
}

// g = 0 at Lobatto points: [Wenger2017, tables 1, 2].
Order lobatto_order(const Galerkin& g) {
  int s = g.degree, w = g.multiplier_degree, lost = loss(g), least = s == w ? 0 : 2;
  Order order;
  order.q = std::max(least, 2 * w - lost);
  order.p = order.lambda = order.q;
  if (g.closure == Closure::hidden) order.lambda = std::max(0, w - lost);
  if (g.closure == Closure::variational) {
    order.p = std::max(least, (w % 2 == 0 ? w + 2 : w + 1) - lost);
    order.lambda = std::max(0, (w % 2 == 0 ? w : w + 1) - lost);
  }
  return order;
}

// g = 0 at Radau points. Only their places matter for the motion; with the node at 0 they carry a rule of order
// 2z - 1, which a degree above z does not use.
Order radau_order(const Galerkin& g) {
  int s = g.degree, z = g.constraint.nodes;
  int q = z == 1 ? 2 : s == z ? 2 * z - 1 : std::max(2, 2 * (2 * z - s));
  q = std::min(q, quadrature_order(g.lagrangian));
  return {q, q, q};
}

// g = 0 at the constraint points [Man2020, table 3]: what a rule through them is exact for, twice the degree if they
// are Lobatto's.
Order position_order(const Galerkin& g) {
  const int q = std::min(interpolation_order(constraint_points(g)), quadrature_order(g.lagrangian));
  return {q, q, q};
}

// The s-stage Gauss method for the index-3 equations. The multipliers oscillate from step to step with an amplitude
// that does not vanish with h, hence lambda = 0.
Order gauss_order(const Galerkin& g) {
  int q = g.degree % 2 == 0 ? g.degree : g.degree + 1;
  q = std::min(q, quadrature_order(g.lagrangian));
  return {q, std::max(0, q - 2), 0};
}

// Of closure position: whether the action is stationary in lambda, as g = 0 wherever lambda acts.
bool vanishes_at_constraint_nodes(const Galerkin& g) {
  const std::vector<quad> points = constraint_points(g), nodes = quadrature(g.constraint).nodes;
  return std::all_of(nodes.begin(), nodes.end(), [&](const quad& node) {
    return std::any_of(points.begin(), points.end(),
                       [&](const quad& a) { return math::abs(a - node) < 100 * Scalar<quad>::epsilon; });
  });
}

Order constrained_order(const Galerkin& g) {
  if (g.closure == Closure::position) return position_order(g);
  if (g.constraint.kind == RuleKind::gauss) return gauss_order(g);
  return g.constraint.kind == RuleKind::radau ? radau_order(g) : lobatto_order(g);
}

// Flags a loss of order that a neighbouring choice would not have.
void flag_lost_order(const Galerkin& g, Declared& d) {
  std::string reached = "order lost: order " + std::to_string(d.order.q) + " only, ", s = std::to_string(g.degree);
  Galerkin enough = g;
  enough.multiplier_degree = g.degree;
  enough.constraint.nodes += g.degree - g.multiplier_degree;
  int highest = g.multiplier_degree + (g.constraint.kind == RuleKind::radau ? 0 : 1);
  if (g.degree > highest && constrained_order(enough).q > d.order.q) {
    d.flags.push_back(reached + "as the degree " + s + " is too high for w = " + std::to_string(g.multiplier_degree) +
                      "; w = " + s + " restores it");
    return;
  }
  Galerkin finer = g;
  ++finer.lagrangian.nodes;
  if (g.lagrangian.kind == RuleKind::lobatto && constrained_order(finer).q > d.order.q)
    d.flags.push_back(reached + "as " + to_text(g.lagrangian) + " is too weak for the degree " + s + "; " +
                      to_text(finer.lagrangian) + " restores it");
}

}  // namespace

bool symmetric(const Rule& rule) {
  if (rule.kind == RuleKind::ends) return half(rule.a);
  return rule.kind != RuleKind::radau && rule.kind != RuleKind::riemann;
}

Rule mirrored(const Rule& rule) {
  if (symmetric(rule)) return rule;
  Rule result = rule;
  // The rectangle rules have a name of their own for their mirror.
  if (rule.kind == RuleKind::ends && (rule.a == Number(0) || rule.a == Number(1)))
    result.a = rule.a == Number(0) ? Number(1) : Number(0);
  else
    result.mirrored = !rule.mirrored;
  return result;
}

Rule perturbed(const Rule& rule, double amount) {
  Rule result = rule;
  result.perturbation.amount_ = amount;
  return result;
}

int quadrature_order(const Rule& rule) {
  switch (rule.kind) {
    case RuleKind::gauss:
      return 2 * rule.nodes;
    case RuleKind::lobatto:
      return 2 * rule.nodes - 2;
    case RuleKind::radau:
      return 2 * rule.nodes - 1;
    case RuleKind::ends:
      return half(rule.a) ? 2 : 1;
    case RuleKind::riemann:
      return 1;
  }
  return 0;
}

std::string to_text(const Rule& rule) {
  std::string argument = std::to_string(rule.nodes);
  switch (rule.kind) {
    case RuleKind::gauss:
      return "gauss(" + argument + ")";
    case RuleKind::lobatto:
      return "lobatto(" + argument + ")";
    case RuleKind::radau:
      return "radau(" + argument + ")";
    case RuleKind::ends:
      return "ends(" + rule.a.text() + ")";
    case RuleKind::riemann:
      return "riemann(" + rule.a.text() + ")";
  }
  return "";
}

const char* to_text(Points points) {
  switch (points) {
    case Points::lobatto:
      return "lobatto";
    case Points::equidistant:
      return "equidistant";
    case Points::chebyshev:
      return "chebyshev";
  }
  return "";
}

const char* to_text(Closure closure) {
  switch (closure) {
    case Closure::variational:
      return "variational";
    case Closure::projected:
      return "projected";
    case Closure::hidden:
      return "hidden";
    case Closure::position:
      return "position";
    case Closure::given_lambda0:
      return "given_lambda0";
  }
  return "";
}

Declared declarations(const Galerkin& g) {
  Declared d;
  bool gauss = g.constraint.kind == RuleKind::gauss, position = g.closure == Closure::position;
  // With one Radau point g = 0 is imposed at the nodes only, which is symmetric.
  bool mirrors = symmetric(g.lagrangian) && (symmetric(g.constraint) || g.constraint.nodes == 1) &&
                 symmetric(g.basis) && (!position || symmetric(constraint_points(g)));

  d.order_free = std::min(2 * g.degree, quadrature_order(g.lagrangian));
  d.symplectic = true;
  d.symmetry = mirrors ? Symmetry::full : Symmetry::none;

  d.order = constrained_order(g);
  d.degree = g.degree;
  d.points = g.lagrangian.nodes;
  if (g.closure == Closure::variational || g.closure == Closure::given_lambda0) d.momentum = EndMomentum::bare;
  if (g.closure == Closure::hidden) d.multiplier = EndMultiplier::own;
  if (g.closure == Closure::variational) d.multiplier = EndMultiplier::late;

  if (position) {
    d.symplectic = vanishes_at_constraint_nodes(g);
    if (!d.symplectic)
      d.flags.push_back("not symplectic: the action is not stationary in lambda at constraint nodes that are no " +
                        std::string(g.points == ConstraintPoints{} ? "control" : "constraint") + " points");
  } else if (gauss) {
    d.on_manifold = false;
    d.flags.push_back(
        "blows up: g = 0 is imposed at the Gauss nodes only; g and G v grow exponentially along the run, lambda does "
        "not "
        "converge");
    if (g.closure == Closure::given_lambda0) {
      d.flags.push_back("not self-starting: lambda at the start is part of the state and its errors are never damped");
      if (mirrors) d.symmetry = Symmetry::configuration;
    }
  } else if (g.closure == Closure::variational && mirrors) {
    d.symmetry = Symmetry::configuration;
  }

  flag_lost_order(g, d);
  return d;
}

}  // namespace extremal
