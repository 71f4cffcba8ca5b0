// Members of the phase_space family by name.
#include <optional>

#include "scheme/members.hpp"

namespace extremal {
namespace {

bool exact_mass(const std::string& text) {
  if (text == "exact") return true;
  if (text != "rule") refuse_unknown("mass", text, {"exact", "rule"});
  return false;
}

}  // namespace

Usage phase_usage() {
  return {"phase_space(k, pg=.., quadrature=.., mass=.., continuity=.., basis=..)",
          "phase_space(2, pg=1, quadrature=lobatto(4))"};
}

Scheme phase_member(const Call& call) {
  Usage usage = phase_usage();
  require_keys(call, {"pg", "quadrature", "mass", "continuity", "basis"}, usage);
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
  if (auto text = value("basis")) phase.fourier = read_basis(*text);

  require_admissible(phase);
  Scheme scheme;
  scheme.name = to_text(phase);
  scheme.family = Family::phase_space;
  scheme.phase_space = phase;
  scheme.declared = declarations(phase);
  return scheme;
}

}  // namespace extremal
