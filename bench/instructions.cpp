// Some steps of a workload, or the start of one that is so large, for scripts/instructions to count what the processor
// does:
//
//   bench_instructions P1a-rattle 1000
//   bench_instructions start-four-bars 100
//
// Instructions do not depend on what else the machine is doing, so that a test can hold them.
#include <cstdio>
#include <cstdlib>
#include <extremal/extremal.hpp>
#include <extremal/models.hpp>
#include <string>
#include <utility>

#include "kernel/pace_engine.hpp"

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

// A bead on a sphere past a well, as P12b of bench/peers has it, by one of the paces or none.
int bead(const char* scheme, extremal::Pace pace, double h, long steps) {
  extremal::System s("bead");
  const auto ball = s.coordinates("x", "y", "z");
  const auto distance = [](auto q) {
    const auto z = q[2] + 1.01;
    return sqrt(q[0] * q[0] + q[1] * q[1] + z * z);
  };
  s.kinetic(ball, [](auto, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); });
  s.potential(ball, [distance](auto q) { return -0.1 / distance(q); });
  s.constraint("sphere", ball, [](auto q) { return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 1.0; });
  const auto engine =
      extremal::make_pace_engine<double>(s, Scheme::named(scheme), pace, extremal::rate(ball, distance));
  engine->start({.q = {1, 0, 0}, .v = {0, "0.01", 0}}, h);
  for (long k = 0; k < steps; ++k)
    if (!engine->step(h).converged) return 1;
  return 0;
}

// Bodies in the plane, in loops that pass no singular position within these steps.
int mechanism(const extremal::Model& m, const char* scheme, double h, long steps) {
  Stepper<double> stepper(m.system, Scheme::named(scheme));
  stepper.start(m.start);
  return run(stepper, h, steps);
}

// Redundant joints in many loops, from the text to the first state.
int start_four_bars(long count) {
  const extremal::Model m = extremal::model("four-bar-spatial(" + std::to_string(count) + ")");
  Stepper<double> stepper(m.system, Scheme::named("spark(3)"));
  return stepper.start(m.start).redundant > 0 ? 0 : 1;
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
  // The same thousand steps to t = 20, with every pace.
  using extremal::Pace;
  for (const char* scheme : {"spark(3)", "rattle"})
    for (const auto& [pace, h] : {std::pair(Pace::none, 0.02), {Pace::symplectic, 0.0227}, {Pace::reversible, 0.0227}})
      if (workload == "bead-" + std::string(scheme) + "-" + name(pace)) return bead(scheme, pace, h, steps);
  if (workload == "start-four-bars") return start_four_bars(steps);
  // Five bars in two loops; Andrews' mechanism, seven bodies in three, read from where the program runs.
  for (const auto& [word, scheme] :
       {std::pair("spark2", "spark(2)"), {"spark3", "spark(3)"}, {"ggl4", "ggl(4)"}, {"phase2", "phase_space(2)"}}) {
    if (workload == "linkage-" + std::string(word))
      return mechanism(extremal::model("double-four-bar"), scheme, 1e-2, steps);
    if (workload == "andrews-" + std::string(word))
      return mechanism(extremal::read_model("tests/data/andrews.toml"), scheme, 1e-4, steps);
  }
  std::fprintf(stderr, "bench_instructions WORKLOAD STEPS: no workload \"%s\"\n", workload.c_str());
  return 2;
}
