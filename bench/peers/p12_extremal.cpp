// P12: extremal with equal steps, with the symplectic and with the reversible pace, each by dt/dtau = |q| or the
// distance from the well, and by the rate of the energies where none is given.
#include <extremal/extremal.hpp>
#include <extremal/pace.hpp>

#include "passages.hpp"

namespace {

using namespace peers;
using namespace extremal;

struct Problem {
  const passages::Passage& passage;
  System system;
  Start start;
  Rate rate;
};

Problem orbits() {
  System kepler("kepler");
  const auto planet = kepler.coordinates("x", "y");
  kepler.kinetic(planet, [](auto q, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  kepler.potential(planet, [](auto q) { return -1.0 / sqrt(q[0] * q[0] + q[1] * q[1]); });
  return {passages::orbits, kepler, Start{.q = {"1.9", 0}, .v = {0, "sqrt(0.1/1.9)"}},
          rate(planet, [](auto q) { return sqrt(q[0] * q[0] + q[1] * q[1]); })};
}

Problem bead() {
  System well("bead");
  const auto ball = well.coordinates("x", "y", "z");
  const auto distance = [](auto q) {
    const auto z = q[2] + 1.01;
    return sqrt(q[0] * q[0] + q[1] * q[1] + z * z);
  };
  well.kinetic(ball, [](auto q, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); });
  well.potential(ball, [distance](auto q) { return -0.1 / distance(q); });
  well.constraint("sphere", ball, [](auto q) { return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 1.0; });
  return {passages::bead, well, Start{.q = {1, 0, 0}, .v = {0, "0.01", 0}}, rate(ball, distance)};
}

void climb(const Problem& p, const char* scheme, Pace pace, bool built_in, double budget) {
  const std::string method = std::string(scheme) +
                             (pace == Pace::none         ? ", equal steps"
                              : pace == Pace::symplectic ? ", symplectic pace"
                                                         : ", reversible pace") +
                             (built_in ? ", rate of the energies" : "");
  passages::ladder(p.passage, "extremal", method.c_str(), "step %.4g", p.passage.step * (built_in ? 8 : 1), 0.8, budget,
                   [&](double step) {
                     const long long steps = std::llround(p.passage.until / step);
                     const Span span{
                         .step = Number::exactly(pace == Pace::none ? quad(p.passage.until) / quad(steps) : quad(step)),
                         .until = Number::exactly(quad(p.passage.until)),
                         .pace = pace,
                         .rate = pace == Pace::none || built_in ? nullptr : p.rate,
                         .every = 1 << 30};
                     const auto run = extremal::run(p.system, scheme, p.start, span);
                     passages::Place end{INFINITY, 0, 0};
                     if (run.status == Status::failed) return end;
                     for (std::size_t i = 0; i < p.start.q.size(); ++i)
                       end[i] = run.column(p.system.coordinate_names()[i]).back();
                     return end;
                   });
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv);
  const double budget = options.quick ? 0.2 : 1.5;
  for (const Problem& p : {orbits(), bead()}) {
    if (!options.wanted(p.passage.workload)) continue;
    for (const char* scheme : {"spark(3)", "spark(4)", "spark(5)"}) {
      climb(p, scheme, Pace::none, false, budget);
      climb(p, scheme, Pace::symplectic, false, budget);
      climb(p, scheme, Pace::symplectic, true, budget);
      climb(p, scheme, Pace::reversible, false, budget);
    }
    climb(p, "kahan_li(8, rattle)", Pace::none, false, budget);
    climb(p, "kahan_li(8, rattle)", Pace::symplectic, false, budget);
  }
}
