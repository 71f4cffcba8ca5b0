// P3: extremal, the stock model (bars in directors) and the bars by their ends, written with lambdas.
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
  struct Candidate {
    const char* scheme;
    double coarse;
  };
  for (const int n : four_bars::sizes())
    for (const bool ends : {true, false}) {
      const extremal::Model m = ends ? by_ends(n) : extremal::model("four-bar-chain(" + std::to_string(n) + ")");
      for (const auto& [scheme, coarse] :
           {Candidate{"spark(2)", 0.03}, Candidate{"spark(3)", 0.1}, Candidate{"spark(4)", 0.21}}) {
        extremal::Stepper<double> stepper(m.system, extremal::Scheme::named(scheme));
        four_bars::steps("extremal", (std::string(scheme) + (ends ? ", by ends" : ", directors")).c_str(), n, coarse,
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
}
