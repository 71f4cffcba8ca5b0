// P3: the hand-written kernel, composed to orders 6 and 8 [KahanLi1997].
#include "compositions.hpp"
#include "hand_four_bars.hpp"

int main(int argc, char** argv) {
  using namespace peers;
  const Options options(argc, argv);
  for (const int n : four_bars::sizes()) {
    const auto run = [&](const char* method, double coarse, const auto& substeps) {
      four_bars::steps("hand-written", method, n, coarse, options.quick ? 0.3 : 2,
                       [&](int count, double h, four_bars::EnergyError& error) {
                         four_bars::HandFourBars bars(n);
                         error.add(bars.energy());
                         for (int k = 0; k < count; ++k) {
                           for (const double c : substeps)
                             if (!bars.step(c * h)) return error.add(INFINITY);
                           error.add(bars.energy());
                         }
                       });
    };
    run("Kahan-Li 6 of RATTLE", 0.1, kahan_li_6);
    run("Kahan-Li 8 of RATTLE", 0.2, kahan_li_8);
  }
}
