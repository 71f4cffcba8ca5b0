// P2: extremal, by rotations (lie) and by directors.
#include <extremal/extremal.hpp>
#include <extremal/models.hpp>

#include "chain.hpp"

int main(int argc, char** argv) {
  const peers::Options options(argc, argv);
  for (const int n : peers::chain::sizes(options.quick))
    for (const char* scheme : {"lie(trapezoidal)", "rattle"}) {
      if (std::string_view(scheme) == "rattle" && n > 1000) continue;
      extremal::Model m = extremal::model("chain-spatial(" + std::to_string(n) + ")");
      extremal::Stepper<double> stepper(m.system, extremal::Scheme::named(scheme));
      m.start.v.clear();
      stepper.start(m.start);
      extremal::Observation<double> now;
      peers::chain::measure(
          "extremal", scheme, n, options.quick, [&] { return stepper.step(peers::chain::h).converged; },
          [&] {
            stepper.observe(now, false);
            return now.energy();
          });
    }
}
