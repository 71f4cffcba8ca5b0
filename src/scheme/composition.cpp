#include "scheme/composition.hpp"

#include <algorithm>

#include "extremal/error.hpp"
#include "scheme/members.hpp"
#include "scheme/order_conditions.hpp"
#include "scheme/splitting.hpp"

namespace extremal {
namespace {

constexpr std::size_t most_substeps = 10000;

// The state that one substep hands to the next must be (q, p) with G v = 0. The unprojected closures hand on a
// momentum whose missing multiplier belongs to two steps of the same size.
void require_closed(const Scheme& scheme, const std::string& where, const std::string& example) {
  const Galerkin* member = scheme.as<Galerkin>();
  if (member != nullptr && scheme.declared.momentum == EndMomentum::bare)
    refuse(where, scheme.name + " with closure=" + to_text(member->closure),
           "closure=projected, which is the same motion: unprojected momenta are not reversible", example);
}

void append(Composition& whole, quad coefficient, const Scheme& part) {
  if (!part.composed()) whole.substeps.push_back({coefficient, part});
  for (const Substep& sub : part.substeps()) whole.substeps.push_back({coefficient * sub.coefficient, sub.scheme});
  if (whole.substeps.size() > most_substeps)
    refuse("composition", "more than " + std::to_string(most_substeps) + " substeps", "fewer", "kahan_li(8, rattle)");
}

void cite(std::string& citations, const std::string& key) {
  if (citations.find(key) == std::string::npos) citations += (citations.empty() ? "" : ", ") + key;
}

// Reads the same backwards, each part standing for its own adjoint.
bool palindrome(const std::vector<Substep>& substeps) {
  for (std::size_t i = 0, j = substeps.size() - 1; i <= j && j < substeps.size(); ++i, --j) {
    if (substeps[i].coefficient != substeps[j].coefficient) return false;
    if (adjoint_of(substeps[i].scheme) != substeps[j].scheme) return false;
  }
  return true;
}

// Momenta meet G v = 0 and have the order of q; so has lambda, which a composition reports by [Wenger2017, eq. 70]: the
// multiplier of the last substep's own end would have that substep's order.
Order order_of_all(int order) { return {order, order, order}; }

// What the parts have in common. The order of a composition is at least the least of its parts; symmetric methods have
// even order [HairerLubichWanner2006, II.3.2].
Declared common(const Composition& whole, const std::vector<const Scheme*>& parts) {
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
  Composition whole;
  for (quad c : coefficients) append(whole, c, base);
  Declared declared = common(whole, {&base});
  declared.order = order_of_all(order);
  declared.order_free = std::max(declared.order_free, order);
  cite(declared.citation, key);
  return of_substeps(name + "(" + std::to_string(order) + ", " + base.name + ")", whole, declared);
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

Scheme read_adjoint(const Call& call, const Usage& usage, int depth) {
  return adjoint_of(inner_scheme(call, usage, depth));
}

Scheme read_compose(const Call& call, const Usage& usage, int depth) {
  std::vector<Part> parts;
  for (const Argument& a : call.arguments) {
    if (a.coefficient.empty() || !a.key.empty())
      refuse(usage.form, quoted(a.value), "coefficient:scheme", usage.example);
    parts.push_back({Number(a.coefficient), read_scheme(a.value, depth + 1)});
  }
  return composed(parts);
}

// suzuki(p, S), kahan_li(p, S) and rkn(p, S).
template <Scheme (*repeat)(int, const Scheme&), int least, int most>
Scheme read_repeated(const Call& call, const Usage& usage, int depth) {
  require_plain(call, usage);
  std::vector<std::string> values = positional(call, 2, usage);
  int order = integer(values[0], "p", least, most, usage);
  return repeat(order, read_scheme(values[1], depth + 1));
}

// The kicks of a multirate scheme go before and after a step whose momenta are projected: what they have across the
// constraints changes the multiplier of the node, and nothing else.
void require_kicks(const Scheme& base, const std::string& where) {
  const std::string example = "multirate(10, rattle)";
  for (const Substep& sub : base.substeps()) require_kicks(sub.scheme, where);
  if (base.composed()) return;
  const Galerkin* member = base.as<Galerkin>();
  if (member == nullptr) refuse(where, base.name, "a member of the hamilton family", example);
  if (member->kicks.apart) refuse(where, "a multirate scheme inside of another", "one of them", example);
  if (member->closure != Closure::projected && member->closure != Closure::hidden)
    refuse(where, base.name + " with closure=" + to_text(member->closure), "closure=projected or closure=hidden",
           example);
}

Scheme read_multirate(const Call& call, const Usage& usage, int depth) {
  require_plain(call, usage);
  std::vector<std::string> values = positional(call, 2, usage);
  constexpr int most = 1000;
  return multirate(integer(values[0], "m", 1, most, usage), read_scheme(values[1], depth + 1));
}

}  // namespace

const Readers& readers(std::type_identity<Composition>) {
  static const Readers all{
      {"adjoint", {"adjoint(S)", "adjoint(alpha(0.3))"}, read_adjoint},
      {"compose", {"compose(c1:S1, c2:S2, ...)", "compose(0.5:rectangle(0), 0.5:rectangle(1))"}, read_compose},
      {"kahan_li", {"kahan_li(p, S)", "kahan_li(8, rattle)"}, read_repeated<kahan_li, 6, 8>},
      {"multirate", {"multirate(m, S)", "multirate(10, rattle)"}, read_multirate},
      {"rkn", {"rkn(p, S)", "rkn(6, lie(free))"}, read_repeated<rkn, 4, 6>},
      {"suzuki", {"suzuki(p, S)", "suzuki(4, rattle)"}, read_repeated<suzuki, 4, 64>},
  };
  return all;
}

Scheme of_substeps(const std::string& name, const Composition& composition, const Declared& declared) {
  Scheme whole{name, composition, declared};
  Declared& d = whole.declared;
  const Declared& last = composition.substeps.back().scheme.declared;
  d.momentum = last.momentum;
  d.multiplier = EndMultiplier::acceleration;
  d.error_estimate = d.gamma = false;
  d.degree = 1;
  d.points = composition.substeps.front().scheme.declared.points;
  d.needs = {.lagrangian = false};
  for (const Substep& sub : composition.substeps) {
    const Declared& own = sub.scheme.declared;
    if (own.momentum == EndMomentum::drifting) d.momentum = EndMomentum::drifting;
    d.degree = std::max(d.degree, own.degree);
    d.gamma |= own.gamma;
    d.needs.lagrangian |= own.needs.lagrangian;
    d.needs.constant_mass |= own.needs.constant_mass;
    d.needs.regular_mass |= own.needs.regular_mass;
    d.needs.inertia |= own.needs.inertia;
    d.needs.independence |= own.needs.independence;
    d.needs.quadratic |= own.needs.quadratic;
    d.needs.bodies |= own.needs.bodies;
  }
  return whole;
}

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

// Kicks of half a coefficient end one substep and begin the next, so that substeps mirror each other.
Scheme rkn(int order, const Scheme& base) {
  const LieGroup* lie = base.as<LieGroup>();
  if (order != 4 && order != 6) refuse("rkn(p, S)", "p = " + std::to_string(order), "4 or 6", "rkn(6, lie(free))");
  if (lie == nullptr || !lie->free || !whole_step(*lie) || !symmetric(*lie))
    refuse("rkn(" + std::to_string(order) + ", S)", base.name,
           "lie(free): kicks and drifts of their own coefficients need the exact motion without forces",
           "rkn(6, lie(free))");
  const Splitting& splitting = blanes_moan(order);
  Composition whole;
  const std::size_t last = splitting.drifts.size() - 1;
  for (std::size_t i = 0; i <= last; ++i) {
    LieGroup part = *lie;
    const quad drift = splitting.drifts[i];
    part.first = splitting.kicks[i] / (i == 0 ? drift : 2 * drift);
    part.last = splitting.kicks[i + 1] / (i == last ? drift : 2 * drift);
    append(whole, drift, {"kick and drift of " + base.name, part, declarations(part)});
  }
  Declared declared = common(whole, {&base});
  declared.order = order_of_all(order);
  declared.order_free = order;
  cite(declared.citation, "BlanesMoan2002");
  return of_substeps("rkn(" + std::to_string(order) + ", " + base.name + ")", whole, declared);
}

Scheme composed(const std::vector<Part>& parts) {
  const std::string example = "compose(0.5:rectangle(0), 0.5:rectangle(1))";
  Composition whole;
  std::vector<const Scheme*> schemes;
  quad sum = 0, size = 0;
  std::string list;
  for (const Part& part : parts) {
    require_closed(part.scheme, "compose", example);
    quad c = part.coefficient.as<quad>();
    if (c == 0) refuse("compose", "a coefficient 0", "coefficients other than 0", example);
    sum += c;
    size += math::abs(c);
    append(whole, c, part.scheme);
    schemes.push_back(&part.scheme);
    list += (list.empty() ? "" : ", ") + part.coefficient.text() + ":" + part.scheme.name;
  }
  if (parts.empty()) refuse("compose", "no parts", "coefficient:scheme, ...", example);
  // Allows for the round-off of coefficients that are roots or fractions, and for nothing more.
  if (math::abs(sum - 1) > 64 * Scalar<quad>::epsilon * math::max(size, quad(1)))
    refuse("compose", "coefficients with sum " + to_text(sum), "sum 1", example);
  Declared declared = common(whole, schemes);
  cite(declared.citation, "HairerLubichWanner2006");
  return of_substeps("compose(" + list + ")", whole, declared);
}

// With half of the weight at either end the kicks are the trapezoidal rule for V, and the step has order 2 at most.
Scheme multirate(int m, const Scheme& base) {
  require_kicks(base, "multirate(m, S)");
  Composition whole;
  for (int k = 0; k < m; ++k) append(whole, quad(1) / m, base);
  for (Substep& sub : whole.substeps) {
    Galerkin member = *sub.scheme.as<Galerkin>();
    member.kicks.apart = true;
    if (&sub == &whole.substeps.front()) member.kicks.start = 1 / (2 * sub.coefficient);
    if (&sub == &whole.substeps.back()) member.kicks.end = 1 / (2 * sub.coefficient);
    if (member.kicks.start != member.kicks.end) sub.scheme.declared.symmetry = Symmetry::none;
    sub.scheme.method = member;
  }
  Declared declared = common(whole, {&base});
  declared.order = order_of_all(std::min(2, declared.order.q));
  declared.order_free = std::min(2, declared.order_free);
  for (const char* key : {"Wenger2017", "LeyendeckerOberBloebaum2013", "TuckermanBerneMartyna1992"})
    cite(declared.citation, key);
  return of_substeps("multirate(" + std::to_string(m) + ", " + base.name + ")", whole, declared);
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
  std::visit([](auto& method) { method = mirrored(method); }, result.method);
  constexpr std::string_view wrapped = "adjoint(";
  const PhaseSpace* phase = result.as<PhaseSpace>();
  if (phase != nullptr && symmetric(phase->rule) && symmetric(phase->basis))
    result.name = to_text(*phase);
  else if (scheme.name == "rectangle(0)" || scheme.name == "rectangle(1)")
    result.name = scheme.name == "rectangle(0)" ? "rectangle(1)" : "rectangle(0)";
  else if (scheme.name == "lie(rectangle(0))" || scheme.name == "lie(rectangle(1))")
    result.name = scheme.name == "lie(rectangle(0))" ? "lie(rectangle(1))" : "lie(rectangle(0))";
  else if (scheme.name.starts_with(wrapped))
    result.name = scheme.name.substr(wrapped.size(), scheme.name.size() - wrapped.size() - 1);
  else
    result.name = std::string(wrapped) + scheme.name + ")";
  // Flags of phase_space tell the sides that the adjoint has exchanged; a composition ends with what it began with.
  if (phase != nullptr) result.declared = declarations(*phase);
  if (const Composition* whole = result.as<Composition>()) return of_substeps(result.name, *whole, result.declared);
  return result;
}

Composition mirrored(const Composition& composition) {
  Composition result;
  for (auto sub = composition.substeps.rbegin(); sub != composition.substeps.rend(); ++sub)
    result.substeps.push_back({sub->coefficient, adjoint_of(sub->scheme)});
  return result;
}

Composition perturbed(const Composition& composition, double amount) {
  Composition result = composition;
  for (Substep& sub : result.substeps) sub.scheme = perturbed(sub.scheme, amount);
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
  std::visit([&](auto& method) { method = perturbed(method, amount); }, result.method);
  return result;
}

DenseRows dense_matrix(const Scheme& scheme) {
  return std::visit([](const auto& method) { return dense_matrix(method); }, scheme.method);
}

}  // namespace extremal
