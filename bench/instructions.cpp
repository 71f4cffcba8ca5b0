// Some steps of a workload, for scripts/instructions to count what the processor does:
//
//   bench_instructions P1a-rattle 1000
//
// Instructions do not depend on what else the machine is doing, so that a test can hold them.
#include <cstdio>
#include <cstdlib>
#include <extremal/extremal.hpp>
#include <extremal/models.hpp>
#include <string>

namespace {

using extremal::Scheme;
using extremal::Stepper;

extremal::System pendulum() {
  extremal::System s;
  const auto ball = s.coordinates("x", "y");
  s.kinetic(ball, [](auto, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  const auto g = s.parameter("g", "9.81");
  s.potential(ball, [](auto q, auto gravity) { return gravity * q[1]; }, g);
  s.constraint("rod", ball, [](auto q) { return q[0] * q[0] + q[1] * q[1] - 1.0; });
  return s;
}

int run(Stepper<double>& stepper, double h, long steps) {
  for (long k = 0; k < steps; ++k)
    if (!stepper.step(h).converged) return 1;
  return 0;
}

int pendulum(const char* scheme, double h, long steps) {
  Stepper<double> stepper(pendulum(), Scheme::named(scheme));
  stepper.start({.q = {1, 0}});
  return run(stepper, h, steps);
}

int chain(int bodies, const char* scheme, long steps) {
  extremal::Model m = extremal::model("chain-spatial(" + std::to_string(bodies) + ")");
  Stepper<double> stepper(m.system, Scheme::named(scheme));
  m.start.v.clear();
  stepper.start(m.start);
  return run(stepper, 1e-3, steps);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string workload = argc > 1 ? argv[1] : "";
  const long steps = argc > 2 ? std::strtol(argv[2], nullptr, 10) : 0;
  if (workload == "P1a-rattle") return pendulum("rattle", 1e-3, steps);
  if (workload == "P1a-rattle-long") return pendulum("rattle", 1e-2, steps);
  if (workload == "P1a-lobatto") return pendulum("lobatto(3)", 1e-3, steps);
  if (workload == "P1a-lobatto-long") return pendulum("lobatto(3)", 1e-2, steps);
  if (workload == "P2-lie-10") return chain(10, "lie(trapezoidal)", steps);
  if (workload == "P2-lie-100") return chain(100, "lie(trapezoidal)", steps);
  if (workload == "P2-rattle-10") return chain(10, "rattle", steps);
  std::fprintf(stderr, "bench_instructions WORKLOAD STEPS: no workload \"%s\"\n", workload.c_str());
  return 2;
}
