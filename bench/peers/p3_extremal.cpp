// P3: extremal, the stock model, whose bars are bodies, and the bars by their ends, written with lambdas. The bodies
// are solved for rotations, and once by their directors, as systems of any coordinates are.
#include <extremal/extremal.hpp>
#include <extremal/models.hpp>

#include "four_bars.hpp"

namespace {

using namespace peers;

extremal::Model by_ends(int n) {
  extremal::Model m{extremal::System("four-bars"), {}, {}, {}, {}};
  std::vector<extremal::Coordinates<2>> tips;
  std::vector<extremal::Coordinates<4>> couplers;
  for (int k = 0; k <= n; ++k) {
    tips.push_back(m.system.coordinates("x" + std::to_string(k), "y" + std::to_string(k)));
    m.start.q.insert(m.start.q.end(), {0, 1});
    m.start.v.insert(m.start.v.end(), {1, 0});
    if (k > 0) couplers.push_back(join(tips[static_cast<std::size_t>(k - 1)], tips.back()));
  }
  const auto g = m.system.parameter("g", "9.81"), sixth = m.system.parameter("m/6", "1/6");
  m.system.kinetic(tips, [](auto q, auto v, auto m) { return m * (v[0] * v[0] + v[1] * v[1]); }, sixth);
  m.system.potential(tips, [](auto q, auto g) { return 0.5 * g * q[1]; }, g);
  m.system.kinetic(
      couplers,
      [](auto q, auto v, auto m) {
        return m * (v[0] * v[0] + v[1] * v[1] + v[0] * v[2] + v[1] * v[3] + v[2] * v[2] + v[3] * v[3]);
      },
      sixth);
  m.system.potential(couplers, [](auto q, auto g) { return 0.5 * g * (q[1] + q[3]); }, g);
  m.system.constraint("leg", tips, [](auto q) { return 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0); });
  m.system.constraint("coupler", couplers, [](auto q) {
    const auto x = q[2] - q[0] + 1.0, y = q[3] - q[1];
    return 0.5 * (x * x + y * y - 1.0);
  });
  return m;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv);
  enum class Bars { by_ends, bodies, by_directors };
  struct Candidate {
    const char* scheme;
    double coarse;
    Bars bars;
  };
  const char* names[] = {", by ends", ", bodies", ", by directors"};
  for (const int n : four_bars::sizes())
    for (const auto& [scheme, coarse, bars] :
         {Candidate{"spark(2)", 0.03, Bars::by_ends}, Candidate{"spark(3)", 0.1, Bars::by_ends},
          Candidate{"spark(4)", 0.21, Bars::by_ends}, Candidate{"spark(2)", 0.03, Bars::bodies},
          Candidate{"spark(3)", 0.1, Bars::bodies}, Candidate{"spark(4)", 0.21, Bars::bodies},
          Candidate{"spark(3)", 0.1, Bars::by_directors}}) {
      extremal::Model m =
          bars == Bars::by_ends ? by_ends(n) : extremal::model("four-bar-chain(" + std::to_string(n) + ")");
      if (bars == Bars::by_directors) m.system.describe(nullptr);
      extremal::Stepper<double> stepper(m.system, extremal::Scheme::named(scheme));
      four_bars::steps("extremal", (scheme + std::string(names[static_cast<int>(bars)])).c_str(), n, coarse,
                       options.quick ? 0.5 : 3, [&](int count, double h, four_bars::EnergyError& error) {
                         extremal::Observation<double> now;
                         stepper.start(m.start);
                         stepper.observe(now, false);
                         error.add(now.energy());
                         for (int k = 0; k < count; ++k) {
                           if (!stepper.step(h).converged) return error.add(INFINITY);
                           stepper.observe(now, false);
                           error.add(now.energy());
                         }
                       });
    }
}
