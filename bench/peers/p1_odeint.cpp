// P1b: Boost.odeint. The symplectic steppers and RKF78 in the angle, and RKF78 on the index-reduced equations in
// Cartesian coordinates, q'' = -g e_y - lambda q, lambda = (v.v - g y) / q.q, which leave the constraint to drift.
#include <boost/numeric/odeint.hpp>
#include <boost/numeric/odeint/stepper/symplectic_rkn_sb3a_m4_mclachlan.hpp>

#include "measure.hpp"
#include "pendulum.hpp"

namespace {

using namespace peers;
using namespace peers::pendulum;
namespace odeint = boost::numeric::odeint;

using One = std::array<double, 1>;
using Two = std::array<double, 2>;
using Four = std::array<double, 4>;

void force(const One& q, One& f) { f[0] = -gravity * std::sin(q[0]); }
void angle_rates(const Two& x, Two& d, double) {
  d[0] = x[1];
  d[1] = -gravity * std::sin(x[0]);
}
void cartesian_rates(const Four& x, Four& d, double) {
  const double lambda = (x[2] * x[2] + x[3] * x[3] - gravity * x[1]) / (x[0] * x[0] + x[1] * x[1]);
  d = {x[2], x[3], -lambda * x[0], -gravity - lambda * x[1]};
}

void report(const char* method, const std::string& setting, double time, double error) {
  print({.workload = "P1b",
         .contestant = "Boost.odeint",
         .method = method,
         .setting = setting,
         .value = time,
         .error = error});
}

template <class Stepper>
void symplectic(const char* method, double coarse, double budget) {
  climb(40, 1e-9, budget, [&](int rung) {
    const int n = static_cast<int>(std::ceil(until / coarse * std::pow(1.25, rung)));
    const double h = until / n;
    LastPeriod last;
    const double time = least_seconds([&] {
      Stepper stepper;
      std::pair<One, One> x{{std::acos(0.0)}, {0}};
      last.clear();
      for (int k = 1; k <= n; ++k) {
        stepper.do_step(force, x, (k - 1) * h, h);
        if (last.covers(k * h)) last.add(k * h, std::sin(x.first[0]), -std::cos(x.first[0]));
      }
    });
    report(method, text("h = %.4g", h), time, last.error());
    return std::pair(last.error(), time);
  });
}

// `stepper(tolerance or step)` makes one; integrate_times does the rest, controlled or not.
template <class State, class Make, class Rates, class Place>
void runge_kutta(const char* method, const char* format, double coarse, double factor, double budget, Make make,
                 Rates rates, State start, Place place) {
  climb(40, 1e-9, budget, [&](int rung) {
    const double setting = coarse * std::pow(factor, rung);
    LastPeriod last;
    const double time = least_seconds([&] {
      State x = start;
      last.clear();
      std::vector<double> times{0};
      for (int k = 1; k <= 24; ++k) times.push_back(until - 2.4 + 0.1 * k);
      odeint::integrate_times(make(setting), rates, x, times.begin(), times.end(), std::min(0.02, setting * 1e3),
                              [&](const State& at, double t) {
                                if (last.covers(t)) last.add(t, place(at).first, place(at).second);
                              });
    });
    report(method, text(format, setting), time, last.error());
    return std::pair(last.error(), time);
  });
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv);
  if (!options.wanted("P1b")) return 0;
  const double budget = options.quick ? 0.2 : 0.3;
  symplectic<odeint::symplectic_rkn_sb3a_mclachlan<One>>("symplectic SB3A, angle", 0.1, budget);
  symplectic<odeint::symplectic_rkn_sb3a_m4_mclachlan<One>>("symplectic SB3A M4, angle", 0.1, budget);

  const auto angle = [](const Two& x) { return std::pair(std::sin(x[0]), -std::cos(x[0])); };
  const auto cartesian = [](const Four& x) { return std::pair(x[0], x[1]); };
  const auto controlled = [](auto stepper) {
    return [stepper](double tolerance) { return odeint::make_controlled(tolerance, tolerance, stepper); };
  };
  const Two in_angle{std::acos(0.0), 0};
  const Four in_cartesian{1, 0, 0, 0};
  runge_kutta("RKF78 controlled, angle", "tolerance %.1e", 1e-8, 1 / std::sqrt(10.0), budget,
              controlled(odeint::runge_kutta_fehlberg78<Two>()), angle_rates, in_angle, angle);
  runge_kutta("RKF78 controlled, Cartesian", "tolerance %.1e", 1e-8, 1 / std::sqrt(10.0), budget,
              controlled(odeint::runge_kutta_fehlberg78<Four>()), cartesian_rates, in_cartesian, cartesian);
  runge_kutta(
      "Bulirsch-Stoer, angle", "tolerance %.1e", 1e-8, 1 / std::sqrt(10.0), budget,
      [](double tolerance) { return odeint::bulirsch_stoer<Two>(tolerance, tolerance); }, angle_rates, in_angle, angle);
  // Constant steps: the interval up to the last period and the 0.1 s between its points are whole numbers of steps.
  for (const bool minimal : {true, false})
    climb(40, 1e-9, budget, [&](int rung) {
      const int per = static_cast<int>(std::ceil(std::pow(1.25, rung)));  // steps in 0.1 s
      const int n = static_cast<int>(until * 10) * per;
      const double h = until / n;
      LastPeriod last;
      const double time = least_seconds([&] {
        last.clear();
        const auto run = [&](auto stepper, auto rates, auto x, auto place) {
          for (int k = 1; k <= n; ++k) {
            stepper.do_step(rates, x, (k - 1) * h, h);
            if (last.covers(k * h)) last.add(k * h, place(x).first, place(x).second);
          }
        };
        if (minimal)
          run(odeint::runge_kutta_fehlberg78<Two>(), angle_rates, in_angle, angle);
        else
          run(odeint::runge_kutta_fehlberg78<Four>(), cartesian_rates, in_cartesian, cartesian);
      });
      report(minimal ? "RKF78 constant step, angle" : "RKF78 constant step, Cartesian", text("h = %.4g", h), time,
             last.error());
      return std::pair(last.error(), time);
    });
}
