// P2: the hand-written kernel.
#include "hand_chain.hpp"

int main(int argc, char** argv) {
  const peers::Options options(argc, argv);
  for (const int n : peers::chain::sizes(options.quick)) {
    peers::chain::HandChain chain(n);
    peers::chain::measure(
        "hand-written", "RATTLE on rotations", n, options.quick, [&] { return chain.step(); },
        [&] { return chain.energy(); });
  }
}
