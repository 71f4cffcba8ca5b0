// P12: Boost.odeint, Runge-Kutta methods whose steps follow the local error; the bead by its equations of index 1,
// q'' = f - lambda q, lambda = (v.v + q.f) / q.q, which leave the sphere to drift.
#include <boost/numeric/odeint.hpp>

#include "passages.hpp"

namespace {

using namespace peers;
namespace odeint = boost::numeric::odeint;

using Four = std::array<double, 4>;
using Six = std::array<double, 6>;

void orbit_rates(const Four& x, Four& d, double) {
  const double r2 = x[0] * x[0] + x[1] * x[1], f = -1 / (r2 * std::sqrt(r2));
  d = {x[2], x[3], f * x[0], f * x[1]};
}
void bead_rates(const Six& x, Six& d, double) {
  const double z = x[2] + 1.01, r2 = x[0] * x[0] + x[1] * x[1] + z * z, k = -0.1 / (r2 * std::sqrt(r2));
  const double f[3] = {k * x[0], k * x[1], k * z};
  double up = 0, down = 0;
  for (std::size_t i = 0; i < 3; ++i) up += x[3 + i] * x[3 + i] + x[i] * f[i], down += x[i] * x[i];
  for (std::size_t i = 0; i < 3; ++i) d[i] = x[3 + i], d[3 + i] = f[i] - up / down * x[i];
}

template <class State, class Rates>
void contest(const passages::Passage& passage, const State& start, Rates rates, double budget) {
  const auto controlled = [&](const char* method, double coarse, auto stepper) {
    passages::ladder(passage, "Boost.odeint", method, "tolerance %.1e", coarse, 1 / std::sqrt(10.0), budget,
                     [&](double tolerance) {
                       State x = start;
                       odeint::integrate_adaptive(odeint::make_controlled(tolerance, tolerance, stepper), rates, x, 0.0,
                                                  passage.until, 0.01);
                       return passages::Place{x[0], x[1], x.size() == 6 ? x[2] : 0};
                     });
  };
  controlled("RKF78 controlled", 1e-6, odeint::runge_kutta_fehlberg78<State>());
  controlled("Dormand-Prince 5(4) controlled", 1e-6, odeint::runge_kutta_dopri5<State>());
  passages::ladder(passage, "Boost.odeint", "RKF78 constant step", "step %.4g", passage.step, 0.8, budget,
                   [&](double step) {
                     State x = start;
                     odeint::runge_kutta_fehlberg78<State> stepper;
                     const long long steps = std::llround(passage.until / step);
                     const double h = passage.until / static_cast<double>(steps);
                     for (long long k = 0; k < steps; ++k) stepper.do_step(rates, x, static_cast<double>(k) * h, h);
                     return passages::Place{x[0], x[1], x.size() == 6 ? x[2] : 0};
                   });
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv);
  const double budget = options.quick ? 0.2 : 1.5;
  if (options.wanted("P12a")) contest(passages::orbits, Four{1.9, 0, 0, std::sqrt(0.1 / 1.9)}, orbit_rates, budget);
  if (options.wanted("P12b")) contest(passages::bead, Six{1, 0, 0, 0, 0.01, 0}, bead_rates, budget);
}
