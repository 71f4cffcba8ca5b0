// Members of the livens family by name, and what they declare.
#include "scheme/composition.hpp"
#include "scheme/members.hpp"

namespace extremal {

const std::vector<std::string>& livens_names() {
  static const std::vector<std::string> names{"energy_momentum", "ggl"};
  return names;
}

Usage livens_usage(const std::string& name) {
  if (name == "ggl") return {"ggl or ggl(p)", "ggl(2)"};
  return {name, name};
}

// Without constraints ggl and its adjoint are the symplectic Euler methods, energy_momentum is the midpoint rule with
// the force replaced by a discrete derivative.
Declared declarations(const Livens& livens) {
  Declared d;
  if (livens.rule == Livens::Rule::energy_momentum) {
    d.order = {2, 2, 2};
    d.order_free = 2;
    d.symmetry = Symmetry::full;
    d.symplectic = d.symplectic_free = false;
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

Scheme livens_member(const Call& call) {
  Usage usage = livens_usage(call.name);
  Scheme scheme;
  scheme.name = call.name;
  scheme.family = Family::livens;
  if (call.name == "energy_momentum") {
    positional(call, 0, usage);
    scheme.livens.rule = Livens::Rule::energy_momentum;
  }
  scheme.declared = declarations(scheme.livens);
  if (call.name != "ggl" || call.arguments.empty()) return scheme;
  int order = integer(positional(call, 1, usage)[0], "p", 1, 4, usage);
  if (order == 3)
    refuse(usage.form, "p = 3", "1, 2 or 4: compositions with the adjoint have even order", usage.example);
  return order == 1 ? scheme : symmetric_ggl(order, scheme);
}

}  // namespace extremal
