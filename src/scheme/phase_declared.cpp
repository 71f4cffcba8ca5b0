// What a phase_space member may be and what it declares. With q~, p~ of degree k and p_g~ of degree d:
//
//   without constraints: 2k + 1, but never more than the order of the rule; 2k if q~ is continuous
//   with constraints:    2k + 1 (d = k) or 2d + 2 (d < k) for q, the projected p and lambda by [Wenger2017, eq. 70]
//
// Other functions in the place of powers change none of this if their derivatives at the start of a step are
// independent: with h their span tends to that of the powers.
// Different degrees of q~ and p~ have no name: one degree more in q~ is deficient already for a free particle.
#include <algorithm>

#include "scheme/basis.hpp"
#include "scheme/declared.hpp"
#include "scheme/family.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

bool continuous(const PhaseSpace& s) { return s.continuity == Continuity::q_continuous; }
bool same_side(const PhaseSpace& s) {
  return s.continuity == Continuity::both_left || s.continuity == Continuity::both_right;
}
// As many Gauss points as the degree: the rule does not see the Legendre polynomial whose roots the points are, and
// with it the constraint force of highest degree.
bool as_many_points_as_degrees(const PhaseSpace& s) {
  return !continuous(s) && s.rule.kind == RuleKind::gauss && s.rule.nodes == s.degree;
}
// The jumps are multiples of that polynomial: if no other rule sees them, they vanish.
bool is_gauss(const PhaseSpace& s) { return as_many_points_as_degrees(s) && !s.exact_mass && s.basis == Basis{}; }

int highest_pg(const PhaseSpace& s) { return continuous(s) ? s.degree - 1 : s.degree; }

std::string example(const PhaseSpace& s) { return to_text(default_phase_space(s.degree, s.continuity)); }

void require_rule(const PhaseSpace& s) {
  int k = s.degree, n = s.rule.nodes;
  std::string found = to_text(s.rule) + " with degree " + std::to_string(k);
  if (s.rule.kind == RuleKind::riemann) {
    if (!s.exact_mass)
      refuse("mass=rule", "quadrature=" + to_text(s.rule),
             "mass=exact: the Riemann sum is meant for the potential alone, as in the paper",
             "phase_space(" + std::to_string(k) + ", quadrature=" + to_text(s.rule) + ")");
    return;
  }
  int least = s.rule.kind == RuleKind::gauss ? k : k + 1;
  if (n < least)
    refuse(
        "quadrature", found,
        "at least " + std::to_string(least) + " points: with fewer the step equations are singular or lose their order",
        example(s));
  if (as_many_points_as_degrees(s) && same_side(s))
    refuse(
        "continuity=" + std::string(to_text(s.continuity)), found,
        "at least " + std::to_string(k + 1) + " points: with " + std::to_string(k) + " the jumps vanish on either side",
        example(s));
}

void flag_costs(const PhaseSpace& s, Declared& d) {
  int k = s.degree;
  std::string only = "unconstrained only: ";
  if (same_side(s)) {
    d.flags.push_back(s.continuity == Continuity::both_right
                          ? "not symplectic: loses energy, as Radau IIA does"
                          : "not symplectic: gains energy, as the adjoint of Radau IIA does");
    d.flags.push_back(only + "with q and p from the same side constraints are not reached");
  }
  if (as_many_points_as_degrees(s))
    d.flags.push_back(only + (is_gauss(s) ? "identical to " + std::to_string(k) + "-stage Gauss; " : "") +
                      "constraints need gauss(" + std::to_string(k + 1) + ")");
  if (!is_complete(s.basis))
    d.flags.push_back("incomplete basis: a shift in time leaves it, and with it the energy-like balance is lost");
  if (!s.projection) d.flags.push_back("not projected: p gathers a part across the constraints that grows with time");
  std::string reached = "order lost: order " + std::to_string(d.order.q) + " only, ";
  if (s.rule.kind == RuleKind::riemann) {
    d.flags.push_back("order lost: order 1 in the width of the Riemann sum; for reproducing the paper");
  } else if (d.order.q > 0) {
    if (s.pg_degree < highest_pg(s) && d.order.q < d.order_free)
      d.flags.push_back(reached + "as pg = " + std::to_string(s.pg_degree) + "; pg = " + std::to_string(highest_pg(s)) +
                        " restores it");
    PhaseSpace finer = s;
    ++finer.rule.nodes;
    if (s.pg_degree == highest_pg(s) && s.rule.kind == RuleKind::lobatto &&
        quadrature_order(s.rule) < 2 * k + (continuous(s) ? 0 : 1))
      d.flags.push_back(reached + "as " + to_text(s.rule) + " is too weak for the degree " + std::to_string(k) + "; " +
                        to_text(finer.rule) + " restores it");
  }
}

}  // namespace

PhaseSpace default_phase_space(int degree, Continuity continuity) {
  PhaseSpace s;
  s.degree = degree;
  s.continuity = continuity;
  s.pg_degree = highest_pg(s);
  s.rule.kind = RuleKind::gauss;
  s.rule.nodes = degree + 1;
  return s;
}

void require_admissible(const PhaseSpace& s) {
  if (s.pg_degree > highest_pg(s)) {
    std::string why = continuous(s) ? " without a jump of q~: more constraints than q~ has values"
                                    : ": with more the step equations are singular or regular only through curvature";
    refuse("degree of p_g", "pg = " + std::to_string(s.pg_degree) + " with degree " + std::to_string(s.degree),
           "pg <= " + std::to_string(highest_pg(s)) + why, example(s));
  }
  require_rule(s);
}

Declared declarations(const PhaseSpace& s) {
  Declared d;
  int k = s.degree, pg = s.pg_degree;
  d.degree = k;
  d.points = s.rule.nodes;
  if (!s.projection) d.momentum = EndMomentum::drifting;
  d.error_estimate = true;
  // The velocity is that of any momentum.
  d.needs = {.lagrangian = false, .regular_mass = true, .inertia = true, .independence = true};
  // Of other powers only those without a gap count; what they reach is not declared beyond consistency.
  if (!s.basis.powers.empty()) {
    d.order_free = 1;
    d.order = {1, 1, 1};
    d.symplectic = d.symplectic_free = !same_side(s);
    d.citation = "Muehlebach2016";
    flag_costs(s, d);
    return d;
  }
  d.order_free = std::min(2 * k + (continuous(s) ? 0 : 1), quadrature_order(s.rule));
  if (!same_side(s) && !as_many_points_as_degrees(s)) {
    int q = std::min(d.order_free, pg == k ? 2 * k + 1 : 2 * pg + 2);
    d.order = {q, q, q};
  }
  bool mirrors = (continuous(s) && symmetric(s.rule) && symmetric(s.basis)) || is_gauss(s);
  d.symmetry = mirrors ? Symmetry::full : Symmetry::none;
  d.symplectic = d.symplectic_free = !same_side(s);
  d.citation = "Muehlebach2016";
  flag_costs(s, d);
  return d;
}

const char* to_text(Continuity continuity) {
  switch (continuity) {
    case Continuity::q_left_p_right:
      return "q_left";
    case Continuity::q_right_p_left:
      return "q_right";
    case Continuity::q_continuous:
      return "q_continuous";
    case Continuity::both_left:
      return "both_left";
    case Continuity::both_right:
      return "both_right";
  }
  return "";
}

std::string to_text(const PhaseSpace& s) {
  PhaseSpace usual = default_phase_space(s.degree, s.continuity);
  bool riemann = s.rule.kind == RuleKind::riemann;
  std::string name = "phase_space(" + std::to_string(s.degree);
  if (s.pg_degree != usual.pg_degree) name += ", pg=" + std::to_string(s.pg_degree);
  if (to_text(s.rule) != to_text(usual.rule)) name += ", quadrature=" + to_text(s.rule);
  if (s.exact_mass && !riemann) name += ", mass=exact";
  if (s.continuity != Continuity::q_left_p_right) name += std::string(", continuity=") + to_text(s.continuity);
  if (s.basis != Basis{}) name += ", basis=" + to_text(s.basis);
  if (!s.projection) name += ", projection=off";
  return name + ")";
}

}  // namespace extremal
