// A heavy top on its tip. One learns: bodies in space, schemes that move them by rotations, and momenta: those of the
// symmetries that the mechanism has are conserved to round-off.
#include <extremal/extremal.hpp>
#include <iostream>

int main() {
  using namespace extremal;
  Mechanism m("top");
  m.gravity(0, 0, "-9.81");
  const Body top = m.body("top", {.mass = 1, .inertia = {"0.3", "0.3", "0.1"}});
  m.spherical("tip", m.ground(0, 0, 0), top.at(0, 0, -1));
  m.place(top, {.position = {0, "-sin(0.5)", "cos(0.5)"},
                .rotation = {"0.5", 0, 0},
                .angular_velocity = {0, "-20*sin(0.5)", "20*cos(0.5)"}});

  for (const char* scheme : {"lie(trapezoidal)", "spark(2)"}) {
    const auto run = extremal::run(m.system(), scheme, m.start(), {.step = "0.005", .until = 1});
    std::cout << run.summary() << "\n";
    for (const auto& momentum : run.momentum_error)
      std::cout << momentum.name << (momentum.values[0] < 1e-10 ? " is conserved\n" : " is not conserved\n");
  }
}
