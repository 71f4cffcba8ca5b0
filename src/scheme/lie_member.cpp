// Members of the lie family by name, and what they declare.
#include "scheme/composition.hpp"
#include "scheme/members.hpp"

namespace extremal {

Usage lie_usage() { return {"lie(S)", "lie(trapezoidal)"}; }

Declared declarations(const LieGroup& lie) {
  Declared d;
  const bool centred = symmetric(lie.rule);
  const int order = centred ? 2 : 1;
  d.order = {order, order, order};
  d.order_free = order;
  d.symmetry = centred ? Symmetry::full : Symmetry::none;
  d.symplectic = true;
  d.citation = "LewMata2016";
  return d;
}

Scheme lie_member(const Scheme& base) {
  const Usage usage = lie_usage();
  const Rule& rule = base.galerkin.lagrangian;
  const bool at_ends = rule.kind == RuleKind::ends || (rule.kind == RuleKind::lobatto && rule.nodes == 2);
  const bool middle = rule.kind == RuleKind::gauss && rule.nodes == 1;
  if (base.composed() || base.family != Family::hamilton || base.galerkin.degree != 1 || !(at_ends || middle))
    refuse(usage.form, base.name,
           "trapezoidal, alpha(a) or rectangle(0|1), which take the potential at the ends of the step, or midpoint",
           usage.example);
  Scheme scheme;
  scheme.name = "lie(" + base.name + ")";
  scheme.family = Family::lie;
  scheme.lie.rule = rule;
  scheme.declared = declarations(scheme.lie);
  return scheme;
}

}  // namespace extremal
