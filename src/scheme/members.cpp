// The hamilton family: its members by name, and the arguments that members of all families have in common.
#include "scheme/members.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "scheme/constraint_points.hpp"

namespace extremal {
namespace {

struct Built {
  std::string name;  // canonical
  Galerkin galerkin;
  std::string citation;
};

Rule rule(RuleKind kind, int nodes) {
  Rule result;
  result.kind = kind;
  result.nodes = nodes;
  return result;
}
Rule gauss(int n) { return rule(RuleKind::gauss, n); }
Rule lobatto(int n) { return rule(RuleKind::lobatto, n); }
Rule radau(int n) { return rule(RuleKind::radau, n); }
Rule ends(const Number& a) {
  Rule result = rule(RuleKind::ends, 2);
  result.a = a;
  return result;
}

Galerkin galerkin(int s, const Rule& lagrangian, int w, Closure closure) {
  Galerkin g;
  g.degree = s;
  g.lagrangian = lagrangian;
  g.multiplier_degree = w;
  g.constraint = lobatto(w + 1);
  g.closure = closure;
  return g;
}

Number fraction(const std::string& text, const Usage& usage) {
  Number a(text);
  quad value = a.as<quad>();
  if (value < 0 || value > 1) refuse(usage.form, "a = " + text, "0 <= a <= 1", usage.example);
  return a;
}

Built rectangle(const Call& call, const Usage& usage) {
  std::string end = positional(call, 1, usage)[0];
  if (end != "0" && end != "1") refuse(usage.form, "end = " + end, "0 or 1", usage.example);
  return {"rectangle(" + end + ")", galerkin(1, ends(Number(end)), 1, Closure::projected), "LewMata2016"};
}

Built alpha(const Call& call, const Usage& usage) {
  Number a = fraction(positional(call, 1, usage)[0], usage);
  return {"alpha(" + a.text() + ")", galerkin(1, ends(a), 1, Closure::projected), "LewMata2016"};
}

Built fixed(const Call& call, const Usage& usage, const Galerkin& g, const char* citation) {
  positional(call, 0, usage);
  return {call.name, g, citation};
}

Built trapezoidal(const Call& call, const Usage& usage) {
  return fixed(call, usage, galerkin(1, lobatto(2), 1, Closure::projected), "LewMata2016");
}
Built midpoint(const Call& call, const Usage& usage) {
  return fixed(call, usage, galerkin(1, gauss(1), 1, Closure::projected), "LewMata2016");
}
Built quadratic(const Call& call, const Usage& usage) {
  return fixed(call, usage, galerkin(2, lobatto(3), 2, Closure::projected), "LewMata2016");
}
Built shake(const Call& call, const Usage& usage) {
  return fixed(call, usage, galerkin(1, lobatto(2), 1, Closure::variational),
               "RyckaertCiccottiBerendsen1977, Wenger2017");
}
Built rattle(const Call& call, const Usage& usage) {
  return fixed(call, usage, galerkin(1, lobatto(2), 1, Closure::hidden), "Andersen1983, Wenger2017");
}

// Constrained Lobatto IIIA–IIIB [MarsdenWest2001; Wenger2017, section 3.5].
Built constrained_lobatto(const Call& call, const Usage& usage) {
  int s = integer(positional(call, 1, usage)[0], "s", 2, most_degree, usage);
  return {"lobatto(" + std::to_string(s) + ")", galerkin(s, lobatto(s), s - 1, Closure::hidden),
          "MarsdenWest2001, Wenger2017"};
}

// (s, s)-Gauss–Lobatto SPARK [Jay2007; Wenger2017, section 3.5].
Built spark(const Call& call, const Usage& usage) {
  int s = integer(positional(call, 1, usage)[0], "s", 1, most_degree, usage);
  return {"spark(" + std::to_string(s) + ")", galerkin(s, gauss(s), s, Closure::hidden), "Jay2007, Wenger2017"};
}

Built wenger(const Call& call, const Usage& usage) {
  std::vector<std::string> values = positional(call, 3, usage);
  int s = integer(values[0], "s", 1, most_degree, usage), w = integer(values[1], "w", 1, most_degree, usage);
  Rule lagrangian = read_rule(values[2], {"gauss", "lobatto"});
  return {"wenger(" + std::to_string(s) + ", " + std::to_string(w) + ", " + to_text(lagrangian) + ")",
          galerkin(s, lagrangian, w, Closure::variational), "Wenger2017"};
}

Built radau_constraint(const Call& call, const Usage& usage) {
  int s = integer(positional(call, 1, usage)[0], "s", 1, most_degree, usage);
  Galerkin g = galerkin(s, gauss(s), s, Closure::projected);
  g.constraint = radau(s);
  return {"radau_constraint(" + std::to_string(s) + ")", g, "Wenger2017"};
}

// What is said of constraint points; nothing of those that are the control points.
std::string points_text(const Galerkin& g) {
  return g.points == ConstraintPoints{} ? "" : ", points=" + to_text(g.points);
}

// Three letters: control points, rule of the Lagrangian, rule of the constraints [Man2020, table 2].
Built man(const Call& call, const Usage& usage) {
  std::vector<std::string> values = positional(call, 2, usage);
  const std::string& letters = values[0];
  auto among = [&](std::size_t i, const char* pair) { return letters[i] == pair[0] || letters[i] == pair[1]; };
  if (letters.size() != 3 || !among(0, "LE") || !among(1, "LG") || !among(2, "LG"))
    refuse(usage.form, quoted(letters), "L or E, then twice L or G", usage.example);
  int m = integer(values[1], "m", 2, most_nodes, usage);
  Galerkin g = galerkin(m - 1, letters[1] == 'G' ? gauss(m) : lobatto(m), m - 1, Closure::position);
  g.control = letters[0] == 'E' ? Points::equidistant : Points::lobatto;
  g.constraint = letters[2] == 'G' ? gauss(m) : lobatto(m);
  require_keys(call, {"points"}, usage);
  for (const Argument& a : call.arguments)
    if (a.key == "points") g.points = read_constraint_points(a.value, g.degree);
  return {"man(" + letters + ", " + std::to_string(m) + points_text(g) + ")", g, "Man2020"};
}

int default_multiplier_degree(int s, const std::optional<Rule>& constraint) {
  return constraint && constraint->kind == RuleKind::radau ? constraint->nodes : s;
}
Rule default_constraint(int w, Closure closure) {
  return closure == Closure::given_lambda0 ? gauss(w) : lobatto(w + 1);
}

Built general(const Call& call, const Usage& usage) {
  std::vector<std::string> values = positional(call, 2, usage);
  int s = integer(values[0], "s", 1, most_degree, usage);
  Galerkin g = galerkin(s, read_rule(values[1], {"gauss", "lobatto", "radau", "ends"}), s, Closure::projected);

  std::optional<int> w;
  std::optional<Rule> constraint;
  require_keys(call, {"w", "control", "constraint", "closure", "points", "basis"}, usage);
  for (const Argument& a : call.arguments) {
    if (a.key == "w")
      w = integer(a.value, "w", 1, most_degree, usage);
    else if (a.key == "control")
      g.control =
          read_word<Points>("control points", a.value, {Points::lobatto, Points::equidistant, Points::chebyshev});
    else if (a.key == "constraint")
      constraint = read_rule(a.value, {"lobatto", "radau", "gauss"});
    else if (a.key == "closure")
      g.closure = read_word<Closure>(
          "closure", a.value,
          {Closure::variational, Closure::projected, Closure::hidden, Closure::position, Closure::given_lambda0});
    else if (a.key == "points")
      g.points = read_constraint_points(a.value, s);
    else if (a.key == "basis")
      g.basis = read_basis(a.value, s, {"fourier", "functions", "polynomial"});
  }
  g.multiplier_degree = w.value_or(default_multiplier_degree(s, constraint));
  g.constraint = constraint.value_or(default_constraint(g.multiplier_degree, g.closure));

  std::string name = "galerkin(" + std::to_string(s) + ", " + to_text(g.lagrangian);
  if (g.multiplier_degree != default_multiplier_degree(s, constraint))
    name += ", w=" + std::to_string(g.multiplier_degree);
  if (g.control != Points::lobatto) name += std::string(", control=") + to_text(g.control);
  if (g.constraint != default_constraint(g.multiplier_degree, g.closure))
    name += ", constraint=" + to_text(g.constraint);
  if (g.closure != Closure::projected) name += std::string(", closure=") + to_text(g.closure);
  name += points_text(g);
  if (g.basis != Basis{}) name += ", basis=" + to_text(g.basis);
  return {name + ")", g, g.closure == Closure::position ? "Man2020, Wenger2017" : "MarsdenWest2001, Wenger2017"};
}

template <Built (*build)(const Call&, const Usage&), Keys keys = Keys::none>
Scheme hamilton(const Call& call, const Usage& usage, int) {
  require_values(call, usage, keys);
  Built built = build(call, usage);
  require_admissible(built.galerkin);
  Scheme scheme{built.name, built.galerkin, declarations(built.galerkin)};
  scheme.declared.citation = built.citation;
  return scheme;
}

}  // namespace

Rule read_rule(const std::string& text, const std::vector<std::string>& kinds) {
  Call call(text);
  if (std::find(kinds.begin(), kinds.end(), call.name) == kinds.end()) refuse_unknown("rule", call.name, kinds);
  if (call.name == "ends") {
    Usage usage{"ends(a)", "ends(0.3)"};
    return ends(fraction(positional(call, 1, usage)[0], usage));
  }
  if (call.name == "riemann") {
    Usage usage{"riemann(w)", "riemann(1e-4)"};
    std::string width = positional(call, 1, usage)[0];
    Rule result = rule(RuleKind::riemann, 0);
    result.a = Number(width);
    if (!(result.a.as<quad>() > 0))
      refuse(usage.form, "w = " + width, "w > 0, the width of the sum's cells in time", usage.example);
    return result;
  }
  Usage usage{call.name + "(n)", call.name + "(3)"};
  int least = call.name == "lobatto" ? 2 : 1;
  int n = integer(positional(call, 1, usage)[0], "n", least, most_nodes, usage);
  return call.name == "gauss" ? gauss(n) : call.name == "lobatto" ? lobatto(n) : radau(n);
}

void require_keys(const Call& call, const std::vector<std::string>& known, const Usage& usage) {
  std::vector<std::string> seen;
  for (const Argument& a : call.arguments) {
    if (a.key.empty()) continue;
    if (std::find(seen.begin(), seen.end(), a.key) != seen.end())
      refuse(usage.form, a.key + " twice", "it once", usage.example);
    if (std::find(known.begin(), known.end(), a.key) == known.end()) refuse_unknown("argument", a.key, known);
    seen.push_back(a.key);
  }
}

void require_values(const Call& call, const Usage& usage, Keys keys) {
  for (const Argument& a : call.arguments) {
    if (!a.coefficient.empty()) refuse(usage.form, quoted(a.coefficient + ":"), "no coefficient", usage.example);
    if (!a.key.empty() && keys == Keys::none)
      refuse(usage.form, quoted(a.key + "="), "no keys, which galerkin(..) takes", usage.example);
  }
}

void require_plain(const Call& call, const Usage& usage) {
  for (const Argument& a : call.arguments)
    if (!a.key.empty() || !a.coefficient.empty())
      refuse(usage.form, quoted(a.key + a.coefficient), "neither keys nor coefficients", usage.example);
}

Scheme inner_scheme(const Call& call, const Usage& usage, int depth) {
  require_plain(call, usage);
  return read_scheme(positional(call, 1, usage)[0], depth + 1);
}

const Readers& readers(std::type_identity<Galerkin>) {
  static const Readers all{
      {"alpha", {"alpha(a)", "alpha(0.3)"}, hamilton<alpha>},
      {"galerkin",
       {"galerkin(s, rule(r), w=.., control=.., constraint=.., closure=.., points=.., basis=..)",
        "galerkin(3, gauss(3), w=2, closure=hidden)"},
       hamilton<general, Keys::some>},
      {"lobatto", {"lobatto(s)", "lobatto(3)"}, hamilton<constrained_lobatto>},
      {"man", {"man(letters, m, points=..)", "man(LGL, 3)"}, hamilton<man, Keys::some>},
      {"midpoint", {"midpoint", "midpoint"}, hamilton<midpoint>},
      {"quadratic", {"quadratic", "quadratic"}, hamilton<quadratic>},
      {"radau_constraint", {"radau_constraint(s)", "radau_constraint(2)"}, hamilton<radau_constraint>},
      {"rattle", {"rattle", "rattle"}, hamilton<rattle>},
      {"rectangle", {"rectangle(end)", "rectangle(0)"}, hamilton<rectangle>},
      {"shake", {"shake", "shake"}, hamilton<shake>},
      {"spark", {"spark(s)", "spark(3)"}, hamilton<spark>},
      {"trapezoidal", {"trapezoidal", "trapezoidal"}, hamilton<trapezoidal>},
      {"wenger", {"wenger(s, w, rule(r))", "wenger(3, 2, gauss(3))"}, hamilton<wenger>},
  };
  return all;
}

Galerkin mirrored(const Galerkin& galerkin) {
  Galerkin result = galerkin;
  result.lagrangian = mirrored(galerkin.lagrangian);
  result.constraint = mirrored(galerkin.constraint);
  result.points = mirrored(galerkin.points);
  result.basis = mirrored(galerkin.basis);
  std::swap(result.kicks.start, result.kicks.end);
  return result;
}

Galerkin perturbed(const Galerkin& galerkin, double amount) {
  Galerkin result = galerkin;
  result.lagrangian = perturbed(galerkin.lagrangian, amount);
  return result;
}

}  // namespace extremal
