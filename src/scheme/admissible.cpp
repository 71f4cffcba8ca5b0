// Which combinations of degrees, rules and closures are refused. Theorem 1 of [Wenger2017] asks for
//   1. the multipliers' control points to be the nodes of the constraint rule (lobatto: z = w + 1),
//   2. w <= s, else the step equations are linearly dependent,
//   3. the last node at 1, so that g = 0 holds at the end of the step.
// The rest was found by measurement: r < s, Gauss rules with fewer nodes than the degree, and constraints in the mean.
#include "scheme/declared.hpp"
#include "scheme/grammar.hpp"

namespace extremal {
namespace {

std::string number(int n) { return std::to_string(n); }

void require_lagrangian(const Galerkin& g) {
  int s = g.degree, r = g.lagrangian.nodes;
  if (g.lagrangian.kind == RuleKind::ends) {
    if (s != 1)
      refuse("Lagrangian rule", to_text(g.lagrangian) + " with degree " + number(s), "degree 1 with the rule ends",
             "galerkin(" + number(s) + ", lobatto(" + number(s + 1) + "))");
    return;
  }
  if (r >= s) return;
  Rule enough = g.lagrangian;
  enough.nodes = s;
  refuse("Lagrangian rule", to_text(g.lagrangian) + " with degree " + number(s),
         "at least " + number(s) + " points: with fewer the step equations are singular or lose their order",
         "galerkin(" + number(s) + ", " + to_text(enough) + ")");
}

void require_position(const Galerkin& g) {
  int s = g.degree, z = g.constraint.nodes;
  std::string example = "galerkin(" + number(s) + ", gauss(" + number(s + 1) + "), closure=position)";
  if (g.multiplier_degree != s)
    refuse("closure=position", "w = " + number(g.multiplier_degree),
           "w = s = " + number(s) + ", the multipliers having the control points of q", example);
  if (g.constraint.kind == RuleKind::radau || z != s + 1)
    refuse("closure=position", "constraint=" + to_text(g.constraint),
           "lobatto(" + number(s + 1) + ") or gauss(" + number(s + 1) + "), as many points as control points", example);
}

void require_given_lambda0(const Galerkin& g) {
  int s = g.degree, w = g.multiplier_degree, z = g.constraint.nodes;
  std::string example = "galerkin(" + number(s) + ", gauss(" + number(s) + "), closure=given_lambda0)";
  if (g.constraint.kind != RuleKind::gauss)
    refuse("closure=given_lambda0", "constraint=" + to_text(g.constraint),
           "gauss(" + number(s) + "): with a node at 1 the last multiplier would be undetermined", example);
  if (w != s)
    refuse("closure=given_lambda0", "w = " + number(w) + " with degree " + number(s),
           "w = s: with fewer multipliers the motion blows up within a few steps", example);
  if (z != w)
    refuse("closure=given_lambda0", "constraint=" + to_text(g.constraint) + " with w = " + number(w),
           "gauss(" + number(w) +
               "): otherwise g = 0 is imposed in the mean over two steps and its error is multiplied "
               "by 2 + sqrt(3) (w = 1) or more in every step",
           example);
}

void require_gauss_constraint(const Galerkin& g) {
  int s = g.degree, z = g.constraint.nodes;
  std::string example = "galerkin(" + number(s) + ", gauss(" + number(s) + "))";
  if (g.closure != Closure::variational)
    refuse("closure=" + std::string(to_text(g.closure)), "constraint=" + to_text(g.constraint),
           "a rule with a node at 1: with Gauss nodes g = 0 does not hold at the end, where the momentum would be "
           "projected",
           example);
  if (z != s || g.multiplier_degree != s)
    refuse(
        "closure=variational",
        "constraint=" + to_text(g.constraint) + " and w = " + number(g.multiplier_degree) + " with degree " + number(s),
        "gauss(" + number(s) + ") and w = " + number(s) +
            ": with fewer nodes the motion blows up, with more it is "
            "over-determined",
        example);
}

}  // namespace

void require_admissible(const Galerkin& g) {
  if (g.fourier != Fourier{} && g.degree < 2)
    refuse("basis=fourier", "degree " + number(g.degree), "at least degree 2: 1, cos and sin are three functions",
           "galerkin(3, gauss(3), basis=fourier(2*pi))");
  require_lagrangian(g);
  int s = g.degree, w = g.multiplier_degree, z = g.constraint.nodes;
  if (w > s)
    refuse("multiplier degree", "w = " + number(w) + " with degree " + number(s),
           "w <= " + number(s) + ", else the step equations are linearly dependent [Wenger2017, theorem 1]",
           "galerkin(" + number(s) + ", gauss(" + number(s) + "), w=" + number(s) + ")");
  if (g.closure == Closure::position) return require_position(g);
  if (g.closure == Closure::given_lambda0) return require_given_lambda0(g);
  if (g.constraint.kind == RuleKind::gauss) return require_gauss_constraint(g);

  std::string base = "galerkin(" + number(s) + ", " + to_text(g.lagrangian);
  if (g.constraint.kind == RuleKind::lobatto && z != w + 1)
    refuse("constraint rule", to_text(g.constraint) + " with w = " + number(w),
           "lobatto(w + 1) = lobatto(" + number(w + 1) + ") [Wenger2017, theorem 1]",
           z >= 2 && z - 1 <= s ? base + ", w=" + number(z - 1) + ")" : base + ", w=" + number(w) + ")");
  if (g.constraint.kind == RuleKind::radau && z != w)
    refuse("constraint rule", to_text(g.constraint) + " with w = " + number(w),
           "w = " + number(z) + " multipliers for radau(" + number(z) + ")",
           base + ", constraint=radau(" + number(w) + "))");
  if (g.constraint.kind == RuleKind::radau && g.closure != Closure::projected)
    refuse("closure=" + std::string(to_text(g.closure)), "constraint=" + to_text(g.constraint),
           "closure=projected: a Radau rule weighs only one side of a node, so that the momentum and the multiplier of "
           "the unprojected or hidden closure lose order",
           base + ", constraint=" + to_text(g.constraint) + ")");
}

}  // namespace extremal
