// Members of the lie family by name, what they declare, and the same steps on directors.
#include "scheme/composition.hpp"
#include "scheme/members.hpp"

namespace extremal {
namespace {

Scheme free_member() {
  LieGroup lie;
  lie.free = true;
  return {"lie(free)", lie, declarations(lie)};
}

// lie(free), or lie(S), with S a member of the hamilton family whose rule has its nodes at the ends, or one in the
// middle.
Scheme lie_member(const Call& call, const Usage& usage, int depth) {
  require_plain(call, usage);
  if (positional(call, 1, usage)[0] == "free") return free_member();
  const Scheme base = inner_scheme(call, usage, depth);
  const Galerkin* galerkin = base.as<Galerkin>();
  const auto fits = [](const Rule& rule) {
    const bool at_ends = rule.kind == RuleKind::ends || (rule.kind == RuleKind::lobatto && rule.nodes == 2);
    return at_ends || (rule.kind == RuleKind::gauss && rule.nodes == 1);
  };
  if (galerkin == nullptr || galerkin->degree != 1 || !fits(galerkin->lagrangian))
    refuse(usage.form, base.name,
           "free, or trapezoidal, alpha(a) or rectangle(0|1), which take the potential at the ends of the step, or "
           "midpoint",
           usage.example);
  const LieGroup lie{galerkin->lagrangian};
  return {"lie(" + base.name + ")", lie, declarations(lie)};
}

}  // namespace

const Readers& readers(std::type_identity<LieGroup>) {
  static const Readers all{{"lie", {"lie(S)", "lie(trapezoidal)"}, lie_member}};
  return all;
}

bool symmetric(const LieGroup& lie) { return lie.free ? lie.first == lie.last : symmetric(lie.rule); }

bool whole_step(const LieGroup& lie) { return !lie.free || lie.first + lie.last == quad(1); }

Declared declarations(const LieGroup& lie) {
  Declared d;
  const bool centred = symmetric(lie);
  const int order = centred ? 2 : 1;
  d.order = {order, order, order};
  d.order_free = order;
  d.symmetry = centred ? Symmetry::full : Symmetry::none;
  d.symplectic = true;
  d.citation = lie.free ? "HairerLubichWanner2006" : "LewMata2016";
  d.needs.bodies = true;
  return d;
}

LieGroup mirrored(const LieGroup& lie) { return {mirrored(lie.rule), lie.free, lie.last, lie.first}; }
LieGroup perturbed(const LieGroup& lie, double amount) {
  LieGroup result = lie;
  result.rule = perturbed(lie.rule, amount);
  return result;
}

bool on_rotations(const Scheme& scheme) {
  return (scheme.composed() ? scheme.substeps().front().scheme : scheme).as<LieGroup>() != nullptr;
}

bool same_on_directors(const Scheme& scheme) {
  for (const Substep& sub : scheme.substeps())
    if (!same_on_directors(sub.scheme)) return false;
  const LieGroup* lie = scheme.as<LieGroup>();
  return scheme.composed() || (lie != nullptr && !lie->free && lie->rule.kind != RuleKind::gauss);
}

Scheme on_directors(const Scheme& scheme) {
  const std::string name = scheme.name + " on directors";
  if (scheme.composed()) {
    Composition composition;
    for (const Substep& sub : scheme.substeps())
      composition.substeps.push_back({sub.coefficient, on_directors(sub.scheme)});
    return of_substeps(name, composition, scheme.declared);
  }
  const Scheme rattle = Scheme::named("rattle");
  Galerkin galerkin = std::get<Galerkin>(rattle.method);
  galerkin.lagrangian = std::get<LieGroup>(scheme.method).rule;
  return {name, galerkin, rattle.declared};
}

}  // namespace extremal
