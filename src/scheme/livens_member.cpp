// Members of the livens family by name, and what they declare.
#include "scheme/composition.hpp"
#include "scheme/members.hpp"

namespace extremal {
namespace {

Scheme livens_member(const std::string& name, Livens::Rule rule) {
  const Livens livens{.rule = rule};
  return {name, livens, declarations(livens)};
}

Scheme energy_momentum(const Call& call, const Usage& usage, int) {
  require_values(call, usage, Keys::none);
  positional(call, 0, usage);
  return livens_member(call.name, Livens::Rule::energy_momentum);
}

Scheme ggl(const Call& call, const Usage& usage, int) {
  require_values(call, usage, Keys::none);
  Scheme scheme = livens_member(call.name, Livens::Rule::ggl);
  if (call.arguments.empty()) return scheme;
  int order = integer(positional(call, 1, usage)[0], "p", 1, 4, usage);
  if (order == 3)
    refuse(usage.form, "p = 3", "1, 2 or 4: compositions with the adjoint have even order", usage.example);
  return order == 1 ? scheme : symmetric_ggl(order, scheme);
}

}  // namespace

// Without constraints ggl and its adjoint are the symplectic Euler methods, energy_momentum is the midpoint rule with
// the force replaced by a discrete derivative.
Declared declarations(const Livens& livens) {
  Declared d;
  d.needs.constant_mass = d.needs.regular_mass = true;
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
  d.order = {1, 1, 1};
  d.order_free = 1;
  d.symplectic = true;
  d.citation = "Kinon2023";
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
  if (livens == nullptr || livens->rule == Livens::Rule::energy_momentum) return nullptr;
  return livens->rule == Livens::Rule::ggl_adjoint ? "alpha(1)" : "alpha(0)";
}

const Readers& readers(std::type_identity<Livens>) {
  static const Readers all{{"energy_momentum", {"energy_momentum", "energy_momentum"}, energy_momentum},
                           {"ggl", {"ggl or ggl(p)", "ggl(2)"}, ggl}};
  return all;
}

}  // namespace extremal
