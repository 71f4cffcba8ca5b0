#include "scheme/composition.hpp"

#include <algorithm>

#include "extremal/error.hpp"
#include "scheme/declared.hpp"
#include "scheme/order_conditions.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

constexpr std::size_t most_substeps = 10000;

// The state that one substep hands to the next must be (q, p) with G v = 0. The unprojected closures hand on a
// momentum whose missing multiplier belongs to two steps of the same size.
void require_closed(const Scheme& scheme, const std::string& where, const std::string& example) {
  Closure closure = scheme.galerkin.closure;
  if (!scheme.composed() && scheme.family == Family::hamilton &&
      (closure == Closure::variational || closure == Closure::given_lambda0))
    refuse(where, scheme.name + " with closure=" + to_text(closure),
           "closure=projected, which is the same motion: unprojected momenta are not reversible", example);
}

void append(Scheme& whole, quad coefficient, const Scheme& part) {
  if (!part.composed()) whole.substeps.push_back({coefficient, part});
  for (const Substep& sub : part.substeps) whole.substeps.push_back({coefficient * sub.coefficient, sub.scheme});
  if (whole.substeps.size() > most_substeps)
    refuse("composition", "more than " + std::to_string(most_substeps) + " substeps", "fewer", "kahan_li(8, rattle)");
}

void cite(std::string& citations, const std::string& key) {
  if (citations.find(key) == std::string::npos) citations += (citations.empty() ? "" : ", ") + key;
}

bool same_member(const Scheme& a, const Scheme& b) {
  if (a.family != b.family) return false;
  if (a.family == Family::livens) return a.livens == b.livens;
  if (a.family == Family::lie) return a.lie == b.lie;
  return a.family == Family::hamilton ? a.galerkin == b.galerkin : a.phase_space == b.phase_space;
}

// Reads the same backwards, each part standing for its own adjoint.
bool palindrome(const std::vector<Substep>& substeps) {
  for (std::size_t i = 0, j = substeps.size() - 1; i <= j && j < substeps.size(); ++i, --j) {
    if (substeps[i].coefficient != substeps[j].coefficient) return false;
    if (!same_member(adjoint_of(substeps[i].scheme), substeps[j].scheme)) return false;
  }
  return true;
}

// Momenta meet G v = 0 and have the order of q; so has lambda, which a composition reports by [Wenger2017, eq. 70]: the
// multiplier of the last substep's own end would have that substep's order.
Order order_of_all(int order) { return {order, order, order}; }

// What the parts have in common. The order of a composition is at least the least of its parts; symmetric methods have
// even order [HairerLubichWanner2006, II.3.2].
Declared common(const Scheme& whole, const std::vector<const Scheme*>& parts) {
  Declared d = parts.front()->declared;
  bool symmetric = palindrome(whole.substeps);
  for (const Scheme* part : parts) {
    const Declared& own = part->declared;
    d.order.q = std::min(d.order.q, own.order.q);
    d.order_free = std::min(d.order_free, own.order_free);
    d.symplectic = d.symplectic && own.symplectic;
    d.symplectic_free = d.symplectic_free && own.symplectic_free;
    d.on_manifold = d.on_manifold && own.on_manifold;
    for (const std::string& flag : own.flags)
      if (std::find(d.flags.begin(), d.flags.end(), flag) == d.flags.end()) d.flags.push_back(flag);
    std::size_t start = 0;
    while (start < own.citation.size()) {
      std::size_t end = std::min(own.citation.find(", ", start), own.citation.size());
      cite(d.citation, own.citation.substr(start, end - start));
      start = end + 2;
    }
  }
  d.symmetry = symmetric ? Symmetry::full : Symmetry::none;
  if (symmetric) {
    d.order.q += d.order.q % 2;
    d.order_free += d.order_free % 2;
  }
  d.order = order_of_all(d.order.q);
  if (std::any_of(whole.substeps.begin(), whole.substeps.end(), [](const Substep& s) { return s.coefficient < 0; }))
    d.damped =
        "goes back in time: some substeps are negative, and damping feeds the motion there; where it is strong, orders "
        "are lost";
  return d;
}

Scheme repeated(const std::string& name, const std::vector<quad>& coefficients, const Scheme& base, int order,
                const char* key) {
  Scheme scheme;
  scheme.name = name + "(" + std::to_string(order) + ", " + base.name + ")";
  for (quad c : coefficients) append(scheme, c, base);
  scheme.declared = common(scheme, {&base});
  scheme.declared.order = order_of_all(order);
  scheme.declared.order_free = std::max(scheme.declared.order_free, order);
  cite(scheme.declared.citation, key);
  return scheme;
}

void require_symmetric(const Scheme& base, int order, const std::string& where, const std::string& example) {
  require_closed(base, where, example);
  if (base.declared.symmetry != Symmetry::full)
    refuse(where, base.name + ", which is not symmetric", "a symmetric scheme of order " + std::to_string(order),
           example);
  if (base.declared.order.q != order)
    refuse(where, base.name + " of order " + std::to_string(base.declared.order.q),
           "a symmetric scheme of order " + std::to_string(order), example);
}

Rule mirror(const Rule& rule) {
  if (symmetric(rule)) return rule;
  Rule result = rule;
  // The rectangle rules have a name of their own for their mirror.
  if (rule.kind == RuleKind::ends && (rule.a == Number(0) || rule.a == Number(1)))
    result.a = rule.a == Number(0) ? Number(1) : Number(0);
  else
    result.mirrored = !rule.mirrored;
  return result;
}

// Time runs backwards: left becomes right.
Continuity mirror(Continuity continuity) {
  switch (continuity) {
    case Continuity::q_left_p_right:
      return Continuity::q_right_p_left;
    case Continuity::q_right_p_left:
      return Continuity::q_left_p_right;
    case Continuity::both_left:
      return Continuity::both_right;
    case Continuity::both_right:
      return Continuity::both_left;
    case Continuity::q_continuous:
      break;
  }
  return continuity;
}

Livens mirror(const Livens& livens) {
  Livens result = livens;
  if (livens.rule == Livens::Rule::ggl) result.rule = Livens::Rule::ggl_adjoint;
  if (livens.rule == Livens::Rule::ggl_adjoint) result.rule = Livens::Rule::ggl;
  return result;
}

}  // namespace

Scheme suzuki(int order, const Scheme& base) {
  if (order % 2 != 0) refuse("suzuki(p, S)", "p = " + std::to_string(order), "an even order", "suzuki(4, rattle)");
  require_symmetric(base, order - 2, "suzuki(" + std::to_string(order) + ", S)",
                    order == 4 ? "suzuki(4, rattle)" : "suzuki(6, spark(2))");
  // [Suzuki1990; HairerLubichWanner2006, II.4]: 4 u^(p-1) + (1 - 4u)^(p-1) = 0.
  quad u = 1 / (4 - math::pow(quad(4), 1 / quad(order - 1)));
  return repeated("suzuki", {u, u, 1 - 4 * u, u, u}, base, order, "Suzuki1990");
}

Scheme kahan_li(int order, const Scheme& base) {
  if (order != 6 && order != 8)
    refuse("kahan_li(p, S)", "p = " + std::to_string(order), "6 or 8", "kahan_li(8, rattle)");
  require_symmetric(base, 2, "kahan_li(" + std::to_string(order) + ", S)", "kahan_li(8, rattle)");
  return repeated("kahan_li", kahan_li_coefficients(order), base, order, "KahanLi1997");
}

Scheme composed(const std::vector<Part>& parts) {
  const std::string example = "compose(0.5:rectangle(0), 0.5:rectangle(1))";
  Scheme scheme;
  std::vector<const Scheme*> schemes;
  quad sum = 0, size = 0;
  std::string list;
  for (const Part& part : parts) {
    require_closed(part.scheme, "compose", example);
    quad c = part.coefficient.as<quad>();
    if (c == 0) refuse("compose", "a coefficient 0", "coefficients other than 0", example);
    sum += c;
    size += math::abs(c);
    append(scheme, c, part.scheme);
    schemes.push_back(&part.scheme);
    list += (list.empty() ? "" : ", ") + part.coefficient.text() + ":" + part.scheme.name;
  }
  if (parts.empty()) refuse("compose", "no parts", "coefficient:scheme, ...", example);
  // Allows for the round-off of coefficients that are roots or fractions, and for nothing more.
  if (math::abs(sum - 1) > 64 * Scalar<quad>::epsilon * math::max(size, quad(1)))
    refuse("compose", "coefficients with sum " + to_text(sum), "sum 1", example);
  scheme.name = "compose(" + list + ")";
  scheme.declared = common(scheme, schemes);
  cite(scheme.declared.citation, "HairerLubichWanner2006");
  return scheme;
}

Scheme symmetric_ggl(int order, const Scheme& ggl) {
  // The adjoint first: the step ends as ggl does, with g = 0 and the momentum of the discrete action.
  Scheme scheme = composed({{Number("0.5"), adjoint_of(ggl)}, {Number("0.5"), ggl}});
  scheme.name = "ggl(2)";
  if (order == 2) return scheme;
  scheme = suzuki(4, scheme);
  scheme.name = "ggl(4)";
  return scheme;
}

Scheme adjoint_of(const Scheme& scheme) {
  if (scheme.declared.symmetry == Symmetry::full) return scheme;
  require_closed(scheme, "adjoint", "adjoint(galerkin(2, gauss(2)))");
  Scheme result = scheme;
  constexpr std::string_view wrapped = "adjoint(";
  bool phase = scheme.family == Family::phase_space && !scheme.composed();
  if (phase) {
    result.phase_space.continuity = mirror(scheme.phase_space.continuity);
    result.phase_space.rule = mirror(scheme.phase_space.rule);
    result.declared = declarations(result.phase_space);
  }
  if (phase && symmetric(scheme.phase_space.rule))
    result.name = to_text(result.phase_space);
  else if (scheme.name == "rectangle(0)" || scheme.name == "rectangle(1)")
    result.name = scheme.name == "rectangle(0)" ? "rectangle(1)" : "rectangle(0)";
  else if (scheme.name == "lie(rectangle(0))" || scheme.name == "lie(rectangle(1))")
    result.name = scheme.name == "lie(rectangle(0))" ? "lie(rectangle(1))" : "lie(rectangle(0))";
  else if (scheme.name.starts_with(wrapped))
    result.name = scheme.name.substr(wrapped.size(), scheme.name.size() - wrapped.size() - 1);
  else
    result.name = std::string(wrapped) + scheme.name + ")";
  if (scheme.family == Family::livens) result.livens = mirror(scheme.livens);
  result.lie.rule = mirror(scheme.lie.rule);
  result.galerkin.lagrangian = mirror(scheme.galerkin.lagrangian);
  result.galerkin.constraint = mirror(scheme.galerkin.constraint);
  result.substeps.clear();
  for (auto sub = scheme.substeps.rbegin(); sub != scheme.substeps.rend(); ++sub)
    result.substeps.push_back({sub->coefficient, adjoint_of(sub->scheme)});
  return result;
}

Scheme adjoint(const Scheme& scheme) {
  try {
    return adjoint_of(scheme);
  } catch (const Refusal& refusal) {
    throw InputError("scheme " + quoted("adjoint(" + scheme.name + ")") + ": " + refusal.reason);
  }
}

Scheme perturbed(const Scheme& scheme, double amount) {
  Scheme result = scheme;
  if (scheme.family == Family::livens)
    result.livens.perturbation = amount;
  else if (scheme.family == Family::lie)
    result.lie.rule.perturbation = amount;
  else
    (scheme.family == Family::hamilton ? result.galerkin.lagrangian : result.phase_space.rule).perturbation = amount;
  for (Substep& sub : result.substeps) sub.scheme = perturbed(sub.scheme, amount);
  return result;
}

}  // namespace extremal
