// Members of the phase_space family by name, and their adjoints.
#include <optional>

#include "scheme/members.hpp"

namespace extremal {
namespace {

bool exact_mass(const std::string& text) {
  if (text == "exact") return true;
  if (text != "rule") refuse_unknown("mass", text, {"exact", "rule"});
  return false;
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

Scheme phase_member(const Call& call, const Usage& usage, int) {
  require_values(call, usage, Keys::some);
  require_keys(call, {"pg", "quadrature", "mass", "continuity", "basis", "projection"}, usage);
  int k = integer(positional(call, 1, usage)[0], "k", 1, most_degree, usage);
  auto value = [&](const char* key) -> std::optional<std::string> {
    for (const Argument& a : call.arguments)
      if (a.key == key) return a.value;
    return std::nullopt;
  };

  Continuity continuity = Continuity::q_left_p_right;
  if (auto text = value("continuity"))
    continuity = read_word<Continuity>("continuity", *text,
                                       {Continuity::q_left_p_right, Continuity::q_right_p_left,
                                        Continuity::q_continuous, Continuity::both_left, Continuity::both_right});
  PhaseSpace phase = default_phase_space(k, continuity);
  if (auto text = value("pg")) phase.pg_degree = integer(*text, "pg", 0, most_degree, usage);
  if (auto text = value("quadrature")) phase.rule = read_rule(*text, {"gauss", "lobatto", "riemann"});
  phase.exact_mass = phase.rule.kind == RuleKind::riemann;
  if (auto text = value("mass")) phase.exact_mass = exact_mass(*text);
  if (auto text = value("projection")) phase.projection = read_projection(*text);
  if (auto text = value("basis")) phase.basis = read_basis(*text, k, {"fourier", "functions", "polynomial", "powers"});

  require_admissible(phase);
  return {to_text(phase), phase, declarations(phase)};
}

}  // namespace

bool read_projection(const std::string& text) {
  if (text == "off") return false;
  if (text != "on") refuse_unknown("projection", text, {"off", "on"});
  return true;
}

const Readers& readers(std::type_identity<PhaseSpace>) {
  static const Readers all{{"phase_space",
                            {"phase_space(k, pg=.., quadrature=.., mass=.., continuity=.., basis=.., projection=..)",
                             "phase_space(2, pg=1, quadrature=lobatto(4))"},
                            phase_member}};
  return all;
}

PhaseSpace mirrored(const PhaseSpace& phase_space) {
  PhaseSpace result = phase_space;
  result.continuity = mirror(phase_space.continuity);
  result.rule = mirrored(phase_space.rule);
  result.basis = mirrored(phase_space.basis);
  return result;
}

PhaseSpace perturbed(const PhaseSpace& phase_space, double amount) {
  PhaseSpace result = phase_space;
  result.rule = perturbed(phase_space.rule, amount);
  return result;
}

DenseRows dense_matrix(const PhaseSpace& phase_space) {
  return {2.0 * phase_space.degree + 3, phase_space.pg_degree + 1.0};
}

}  // namespace extremal
