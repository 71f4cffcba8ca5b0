// The registry: one representative of every member, each of which tests/laws holds to its declarations.
#include "extremal/scheme.hpp"

namespace extremal {

const std::vector<Scheme>& registry() {
  static const std::vector<Scheme> all = [] {
    std::vector<std::string> names{
        // [LewMata2016, section 3]
        "rectangle(0)", "rectangle(1)", "alpha(0.3)", "trapezoidal", "midpoint", "quadratic",
        // Known by their own names.
        "shake", "rattle", "lobatto(2)", "lobatto(3)", "lobatto(4)", "lobatto(5)", "spark(1)", "spark(2)", "spark(3)",
        "spark(4)", "spark(5)",
        // [Wenger2017, tables 1 and 2]: s = w, s = w + 1, a degree too high, a rule too weak.
        "wenger(1, 1, gauss(1))", "wenger(2, 2, gauss(2))", "wenger(3, 2, gauss(3))", "wenger(3, 3, gauss(3))",
        "wenger(4, 4, gauss(4))", "wenger(2, 2, lobatto(3))", "wenger(3, 2, lobatto(3))", "wenger(3, 3, lobatto(3))",
        "wenger(5, 3, gauss(5))",
        // Other bases and rules.
        "galerkin(2, gauss(2))", "galerkin(3, gauss(4), control=equidistant)",
        "galerkin(4, lobatto(5), control=chebyshev)", "galerkin(2, radau(2))", "galerkin(4, gauss(4), w=2)",
        "galerkin(3, gauss(3), control=chebyshev, closure=position)",
        "galerkin(2, gauss(2), basis=functions(1, t, exp(-t)))",
        // Outlook of [Wenger2017].
        "radau_constraint(2)", "radau_constraint(3)", "galerkin(3, gauss(3), constraint=gauss(3), closure=variational)",
        "galerkin(3, gauss(3), closure=given_lambda0)",
        // [Muehlebach2016]: degrees, another rule, a force of lower degree, the adjoint, appendix B.
        "phase_space(1)", "phase_space(2)", "phase_space(3)", "phase_space(4)", "phase_space(2, quadrature=lobatto(4))",
        "phase_space(2, pg=1)", "adjoint(phase_space(1))", "adjoint(phase_space(2))",
        "phase_space(2, continuity=q_continuous)", "phase_space(2, basis=functions(1, t, exp(-t)))",
        // [Kinon2023], corrected, with its adjoint and symmetric compositions; its outlook; [Gonzalez1999].
        "ggl", "adjoint(ggl)", "ggl(2)", "ggl(4)", "ggl(projection=off)", "livens(1)", "livens(2)", "livens(3)",
        "livens(4)", "energy_momentum", "energy_momentum(ggl)",
        // [LewMata2016, section 4]: rigid bodies by rotations.
        "lie(trapezoidal)", "lie(alpha(0.3))", "lie(midpoint)", "suzuki(4, lie(trapezoidal))",
        "kahan_li(6, lie(trapezoidal))",
        // The same with the exact rotation of bodies of revolution [BlanesMoan2002].
        "lie(free)", "suzuki(4, lie(free))", "rkn(4, lie(free))", "rkn(6, lie(free))",
        // Compositions and adjoints.
        "adjoint(alpha(0.3))", "adjoint(radau_constraint(2))", "compose(0.5:rectangle(0), 0.5:rectangle(1))",
        "compose(0.5:alpha(0.3), 0.5:adjoint(alpha(0.3)))", "compose(0.5:phase_space(1), 0.5:adjoint(phase_space(1)))",
        "multirate(3, rattle)", "suzuki(4, multirate(2, rattle))", "suzuki(4, rattle)", "suzuki(4, midpoint)",
        "suzuki(6, spark(2))", "kahan_li(6, rattle)", "kahan_li(8, rattle)"};
    // [Man2020, section 3.1]: constraint points that are not the control points.
    for (const char* name : {"man(ELL, 4, points=lobatto)", "man(LGG, 4, points=equidistant)",
                             "man(LGG, 3, points=at(0.3, 1))", "man(LLL, 4, points=at(0.2, 0.6, 1))"})
      names.emplace_back(name);
    for (const char* letters : {"LLL", "LGL", "LLG", "LGG", "ELL", "EGL", "ELG", "EGG"})
      for (const char* points : {"2", "3", "4"}) names.push_back(std::string("man(") + letters + ", " + points + ")");
    std::vector<Scheme> schemes;
    for (const std::string& name : names) schemes.push_back(Scheme::named(name));
    return schemes;
  }();
  return all;
}

}  // namespace extremal
