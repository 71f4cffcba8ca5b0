// Which combinations of degrees, rules and closures are refused. Theorem 1 of [Wenger2017] asks for
//   1. the multipliers' control points to be the nodes of the constraint rule (lobatto: z = w + 1),
//   2. w <= s, else the step equations are linearly dependent,
//   3. the last node at 1, so that g = 0 holds at the end of the step.
// The rest was found by measurement: r < s, Gauss rules with fewer nodes than the degree, and constraints in the mean.
#include "scheme/declared.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

void require_lagrangian(const Galerkin& g) {
  int s = g.degree, r = g.lagrangian.nodes;
  if (g.lagrangian.kind == RuleKind::ends) {
    if (s != 1)
      refuse("Lagrangian rule", to_text(g.lagrangian) + " with degree " + std::to_string(s),
             "degree 1 with the rule ends",
             "galerkin(" + std::to_string(s) + ", lobatto(" + std::to_string(s + 1) + "))");
    return;
  }
  if (r >= s) return;
  Rule enough = g.lagrangian;
  enough.nodes = s;
  refuse("Lagrangian rule", to_text(g.lagrangian) + " with degree " + std::to_string(s),
         "at least " + std::to_string(s) + " points: with fewer the step equations are singular or lose their order",
         "galerkin(" + std::to_string(s) + ", " + to_text(enough) + ")");
}

void require_position(const Galerkin& g) {
  int s = g.degree, z = g.constraint.nodes;
  std::string example = "galerkin(" + std::to_string(s) + ", gauss(" + std::to_string(s + 1) + "), closure=position)";
  if (g.multiplier_degree != s)
    refuse("closure=position", "w = " + std::to_string(g.multiplier_degree),
           "w = s = " + std::to_string(s) + ", the multipliers having the control points of q", example);
  if (g.constraint.kind == RuleKind::radau || z != s + 1)
    refuse("closure=position", "constraint=" + to_text(g.constraint),
           "lobatto(" + std::to_string(s + 1) + ") or gauss(" + std::to_string(s + 1) +
               "), as many points as control points",
           example);
}

void require_given_lambda0(const Galerkin& g) {
  int s = g.degree, w = g.multiplier_degree, z = g.constraint.nodes;
  std::string example = "galerkin(" + std::to_string(s) + ", gauss(" + std::to_string(s) + "), closure=given_lambda0)";
  if (g.constraint.kind != RuleKind::gauss)
    refuse("closure=given_lambda0", "constraint=" + to_text(g.constraint),
           "gauss(" + std::to_string(s) + "): with a node at 1 the last multiplier would be undetermined", example);
  if (w != s)
    refuse("closure=given_lambda0", "w = " + std::to_string(w) + " with degree " + std::to_string(s),
           "w = s: with fewer multipliers the motion blows up within a few steps", example);
  if (z != w)
    refuse("closure=given_lambda0", "constraint=" + to_text(g.constraint) + " with w = " + std::to_string(w),
           "gauss(" + std::to_string(w) +
               "): otherwise g = 0 is imposed in the mean over two steps and its error is multiplied "
               "by 2 + sqrt(3) (w = 1) or more in every step",
           example);
}

void require_gauss_constraint(const Galerkin& g) {
  int s = g.degree, z = g.constraint.nodes;
  std::string example = "galerkin(" + std::to_string(s) + ", gauss(" + std::to_string(s) + "))";
  if (g.closure != Closure::variational)
    refuse("closure=" + std::string(to_text(g.closure)), "constraint=" + to_text(g.constraint),
           "a rule with a node at 1: with Gauss nodes g = 0 does not hold at the end, where the momentum would be "
           "projected",
           example);
  if (z != s || g.multiplier_degree != s)
    refuse("closure=variational",
           "constraint=" + to_text(g.constraint) + " and w = " + std::to_string(g.multiplier_degree) + " with degree " +
               std::to_string(s),
           "gauss(" + std::to_string(s) + ") and w = " + std::to_string(s) +
               ": with fewer nodes the motion blows up, with more it is "
               "over-determined",
           example);
}

}  // namespace

void require_admissible(const Galerkin& g) {
  require_lagrangian(g);
  int s = g.degree, w = g.multiplier_degree, z = g.constraint.nodes;
  if (w > s)
    refuse("multiplier degree", "w = " + std::to_string(w) + " with degree " + std::to_string(s),
           "w <= " + std::to_string(s) + ", else the step equations are linearly dependent [Wenger2017, theorem 1]",
           "galerkin(" + std::to_string(s) + ", gauss(" + std::to_string(s) + "), w=" + std::to_string(s) + ")");
  if (g.points != ConstraintPoints{} && g.closure != Closure::position)
    refuse("points", "closure=" + std::string(to_text(g.closure)),
           "closure=position: the others impose g = 0 at the nodes of the constraint rule",
           "galerkin(2, gauss(3), closure=position, points=at(0.3, 1))");
  if (g.closure == Closure::position) return require_position(g);
  if (g.closure == Closure::given_lambda0) return require_given_lambda0(g);
  if (g.constraint.kind == RuleKind::gauss) return require_gauss_constraint(g);

  std::string base = "galerkin(" + std::to_string(s) + ", " + to_text(g.lagrangian);
  if (g.constraint.kind == RuleKind::lobatto && z != w + 1)
    refuse(
        "constraint rule", to_text(g.constraint) + " with w = " + std::to_string(w),
        "lobatto(w + 1) = lobatto(" + std::to_string(w + 1) + ") [Wenger2017, theorem 1]",
        z >= 2 && z - 1 <= s ? base + ", w=" + std::to_string(z - 1) + ")" : base + ", w=" + std::to_string(w) + ")");
  if (g.constraint.kind == RuleKind::radau && z != w)
    refuse("constraint rule", to_text(g.constraint) + " with w = " + std::to_string(w),
           "w = " + std::to_string(z) + " multipliers for radau(" + std::to_string(z) + ")",
           base + ", constraint=radau(" + std::to_string(w) + "))");
  if (g.constraint.kind == RuleKind::radau && g.closure != Closure::projected)
    refuse("closure=" + std::string(to_text(g.closure)), "constraint=" + to_text(g.constraint),
           "closure=projected: a Radau rule weighs only one side of a node, so that the momentum and the multiplier of "
           "the unprojected or hidden closure lose order",
           base + ", constraint=" + to_text(g.constraint) + ")");
}

}  // namespace extremal
