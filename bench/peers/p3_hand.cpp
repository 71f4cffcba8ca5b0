// P3: the hand-written kernel, composed to orders 6 and 8 [KahanLi1997].
#include "hand_four_bars.hpp"
#include "hand_pendulum.hpp"

int main(int argc, char** argv) {
  using namespace peers;
  const Options options(argc, argv);
  constexpr std::array<double, 9> kahan_li_6{
      0.39216144400731413927925056,  0.33259913678935943859974864, -0.70624617255763935980996482,
      0.08221359629355080023149045,  0.79854399093482996339895035, 0.08221359629355080023149045,
      -0.70624617255763935980996482, 0.33259913678935943859974864, 0.39216144400731413927925056};
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
    run("Kahan-Li 8 of RATTLE", 0.2, pendulum::kahan_li_8);
  }
}
