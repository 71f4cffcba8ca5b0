// P11: one chain of 1e5 bars, let go at rest as that of P2, on one and on two threads: time by the clock of a step, and
// whether both come to the same bits. The two take turns, a few steps each, so that what else the machine does meets
// both.
#include <extremal/extremal.hpp>
#include <extremal/models.hpp>

#include <chrono>

#include "kernel/step_engine.hpp"  // for the number of threads
#include "measure.hpp"

namespace {

double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

int main(int argc, char** argv) {
  const peers::Options options(argc, argv);
  const int bodies = options.quick ? 10000 : 100000, rounds = options.quick ? 5 : 10, each = 3;
  const double h = 1e-3;
  extremal::Model m = extremal::model("chain-spatial(" + std::to_string(bodies) + ")");
  m.start.v.clear();
  for (const char* scheme : {"lie(trapezoidal)"}) {
    struct Runner {
      extremal::Stepper<double> stepper;
      double least = INFINITY;
      bool good = true;
    };
    std::vector<Runner> runners;
    for (const int threads : {1, 2}) {
      auto engine = extremal::make_engine<double>(m.system, extremal::Scheme::named(scheme));
      engine->threads(threads);
      runners.push_back({extremal::Stepper<double>(std::move(engine))});
      runners.back().stepper.start(m.start);
    }
    for (int round = 0; round < rounds; ++round)
      for (Runner& r : runners) {
        const double from = clock_seconds();
        for (int k = 0; k < each; ++k) r.good = r.good && r.stepper.step(h).converged;
        r.least = std::min(r.least, (clock_seconds() - from) / each);
      }
    const auto &one = runners[0].stepper.state(), &two = runners[1].stepper.state();
    double different = runners[0].good && runners[1].good ? 0 : INFINITY;
    for (std::size_t i = 0; i < one.q.size(); ++i)
      if (one.q[i] != two.q[i] || one.p[i] != two.p[i]) ++different;
    for (int k = 0; k < 2; ++k)
      peers::print({.workload = "P11",
                    .contestant = "extremal",
                    .method = std::string(scheme) + (k == 0 ? ", 1 thread" : ", 2 threads"),
                    .setting = "h = 1e-3",
                    .n = bodies,
                    .value = runners[static_cast<std::size_t>(k)].least,
                    .error = different,
                    .note = "error: coordinates whose bits differ"});
  }
}
