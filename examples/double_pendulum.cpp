// Two masses on two rods. One learns: several coordinates at once, a term that acts at many sites, constraints between
// bodies, and what is conserved: the energy to the order of the scheme, the constraints to round-off.
#include <extremal/extremal.hpp>
#include <iostream>

int main() {
  extremal::System pendulum("double pendulum");
  const auto upper = pendulum.coordinates("x1", "y1"), lower = pendulum.coordinates("x2", "y2");
  const auto both = std::vector{upper, lower};
  pendulum.kinetic(both, [](auto q, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  pendulum.potential(both, [](auto q, auto g) { return g * q[1]; }, pendulum.parameter("g", "9.81"));
  pendulum.constraint("upper rod", upper, [](auto q) { return 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0); });
  pendulum.constraint("lower rod", extremal::join(upper, lower), [](auto q) {
    const auto x = q[2] - q[0], y = q[3] - q[1];
    return 0.5 * (x * x + y * y - 1.0);
  });

  const auto run =
      extremal::run(pendulum, "spark(2)", {.q = {1, 0, 2, 0}, .v = {0, 0, 0, 0}}, {.step = "0.01", .until = 5});
  std::cout << run.summary() << "\n";
  std::cout << "the upper rod pulls with " << run.column("lambda:upper rod").back() << " N at the end\n";
}
