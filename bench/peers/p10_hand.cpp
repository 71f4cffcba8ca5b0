// P10a: the hand-written chain, composed to orders 4, 6 and 8.
#include "accuracy.hpp"
#include "compositions.hpp"
#include "hand_chain.hpp"

int main(int argc, char** argv) {
  using namespace peers;
  const Options options(argc, argv);
  const auto run = [&](const char* method, double coarse, const auto& substeps) {
    accuracy::steps({"P10a", 10, 1}, "hand-written", method, coarse, options.quick ? 0.1 : 0.5,
                    [&](int count, double h) {
                      chain::HandChain bars(10, substeps.size(), 1);
                      const double before = bars.energy();
                      double change = 0;
                      for (int k = 0; k < count; ++k) {
                        std::size_t substep = 0;
                        for (const double c : substeps)
                          if (!bars.step(c * h, substep++)) return static_cast<double>(INFINITY);
                        const double now = std::fabs(bars.energy() / before - 1);
                        if (!(now <= change)) change = std::isfinite(now) ? now : INFINITY;
                      }
                      return change;
                    });
  };
  if (!options.wanted("P10a")) return 0;
  run("Suzuki 4 of RATTLE", 0.05, suzuki_4);
  run("Kahan-Li 6 of RATTLE", 0.05, kahan_li_6);
  run("Kahan-Li 8 of RATTLE", 0.05, kahan_li_8);
}
