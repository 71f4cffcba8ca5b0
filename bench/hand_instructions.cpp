// Some steps of the hand-written kernels of bench/peers, for scripts/profile to count as bench_instructions is counted:
//
//   bench_hand_instructions P1a-rattle 1000
#include <cstdio>
#include <cstdlib>
#include <string>

#include "peers/hand_chain.hpp"
#include "peers/hand_pendulum.hpp"

namespace {

template <class Kernel>
int pendulum(double h, long steps) {
  Kernel kernel;
  for (long k = 0; k < steps; ++k) kernel.step(h);
  peers::keep(kernel.x);
  return 0;
}

int chain(int bodies, long steps) {
  peers::chain::HandChain kernel(bodies);
  for (long k = 0; k < steps; ++k)
    if (!kernel.step()) return 1;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string workload = argc > 1 ? argv[1] : "";
  const long steps = argc > 2 ? std::strtol(argv[2], nullptr, 10) : 0;
  if (workload == "P1a-rattle") return pendulum<peers::pendulum::Rattle>(1e-3, steps);
  if (workload == "P1a-lobatto") return pendulum<peers::pendulum::Lobatto3>(1e-3, steps);
  if (workload == "P2-lie-100") return chain(100, steps);
  std::fprintf(stderr, "bench_hand_instructions WORKLOAD STEPS: no workload \"%s\"\n", workload.c_str());
  return 2;
}
