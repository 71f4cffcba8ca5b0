// Members of the livens family by name, and what they declare.
#include "scheme/composition.hpp"
#include "scheme/members.hpp"

namespace extremal {
namespace {

Scheme livens_member(const std::string& name, const Livens& livens) { return {name, livens, declarations(livens)}; }

Scheme energy_momentum(const Call& call, const Usage& usage, int) {
  require_values(call, usage, Keys::none);
  if (call.arguments.empty()) return livens_member(call.name, {.rule = Livens::Rule::energy_momentum});
  const std::string word = positional(call, 1, usage)[0];
  if (word != "ggl")
    refuse(usage.form, word, "ggl, with G v = 0 as an equation of the step, or nothing", usage.example);
  return livens_member("energy_momentum(ggl)", {.rule = Livens::Rule::energy_momentum_ggl});
}

Scheme galerkin_livens(const Call& call, const Usage& usage, int) {
  require_values(call, usage, Keys::none);
  const int s = integer(positional(call, 1, usage)[0], "s", 1, most_degree, usage);
  return livens_member("livens(" + std::to_string(s) + ")", {.rule = Livens::Rule::galerkin, .degree = s});
}

Scheme ggl(const Call& call, const Usage& usage, int) {
  require_values(call, usage, Keys::some);
  require_keys(call, {"projection"}, usage);
  std::vector<std::string> values;
  bool projected = true;
  for (const Argument& argument : call.arguments)
    if (argument.key == "projection")
      projected = read_projection(argument.value);
    else
      values.push_back(argument.value);
  if (!projected && values.empty())
    return livens_member("ggl(projection=off)", {.rule = Livens::Rule::ggl, .projection = false});
  if (!projected)
    refuse(usage.form, "projection=off with p", "ggl(projection=off): compositions are of projected steps",
           "ggl(projection=off)");
  Scheme scheme = livens_member(call.name, {.rule = Livens::Rule::ggl});
  if (values.empty()) return scheme;
  int order = integer(positional(call, 1, usage)[0], "p", 1, 4, usage);
  if (order == 3)
    refuse(usage.form, "p = 3", "1, 2 or 4: compositions with the adjoint have even order", usage.example);
  return order == 1 ? scheme : symmetric_ggl(order, scheme);
}

}  // namespace

// Without constraints ggl and its adjoint are the symplectic Euler methods, livens(s) is galerkin(s, gauss(s)), and
// both members with discrete derivatives are the midpoint rule with the force replaced by one.
Declared declarations(const Livens& livens) {
  Declared d;
  d.needs.constant_mass = d.needs.regular_mass = true;
  d.gamma = livens.rule != Livens::Rule::energy_momentum;
  if (livens.rule == Livens::Rule::energy_momentum) {
    d.order = {2, 2, 2};
    d.order_free = 2;
    d.symmetry = Symmetry::full;
    d.symplectic = d.symplectic_free = false;
    d.momentum = EndMomentum::near;
    d.citation = "Gonzalez1999";
    d.flags = {"conserves energy: to round-off, where nothing depends on time and no forces act",
               "not symplectic: a discrete derivative is no derivative of an action",
               "hidden constraints: momenta meet G v = 0 to the order of the scheme, not to round-off"};
    return d;
  }
  if (livens.rule == Livens::Rule::energy_momentum_ggl) {
    d.order = {2, 2, 2};
    d.order_free = 2;
    d.symmetry = Symmetry::full;
    d.symplectic = d.symplectic_free = false;
    d.needs.quadratic = d.needs.inertia = true;
    d.citation = "Kinon2023, Gonzalez1999";
    d.flags = {"conserves energy: to round-off, where nothing depends on time and no forces act",
               "not symplectic: a discrete derivative is no derivative of an action"};
    return d;
  }
  d.symplectic = true;
  d.citation = "Kinon2023";
  if (livens.rule == Livens::Rule::galerkin) {
    const int order = 2 * livens.degree;
    d.order = {order, order, order};
    d.order_free = order;
    d.symmetry = Symmetry::full;
    d.degree = d.points = livens.degree;
    d.needs.constant_mass = d.needs.regular_mass = false;
    return d;
  }
  d.order = {1, 1, 1};
  d.order_free = 1;
  if (!livens.projection) {
    d.momentum = EndMomentum::bare;
    d.flags = {"hidden constraints: the scheme's own momenta meet G v = 0 inside the step, at its end to first order"};
  }
  return d;
}

Livens mirrored(const Livens& livens) {
  Livens result = livens;
  if (livens.rule == Livens::Rule::ggl) result.rule = Livens::Rule::ggl_adjoint;
  if (livens.rule == Livens::Rule::ggl_adjoint) result.rule = Livens::Rule::ggl;
  return result;
}

Livens perturbed(const Livens& livens, double amount) {
  Livens result = livens;
  result.perturbation.amount_ = amount;
  return result;
}

const char* stand_in(const Scheme& member) {
  const Livens* livens = member.as<Livens>();
  if (livens == nullptr) return nullptr;
  if (livens->rule == Livens::Rule::ggl_adjoint) return "alpha(1)";
  return livens->rule == Livens::Rule::ggl ? "alpha(0)" : nullptr;
}

const Readers& readers(std::type_identity<Livens>) {
  static const Readers all{
      {"energy_momentum", {"energy_momentum or energy_momentum(ggl)", "energy_momentum(ggl)"}, energy_momentum},
      {"ggl", {"ggl, ggl(p) or ggl(projection=off)", "ggl(2)"}, ggl},
      {"livens", {"livens(s)", "livens(2)"}, galerkin_livens}};
  return all;
}

}  // namespace extremal
