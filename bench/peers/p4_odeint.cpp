// P4: Boost.odeint on the quaternion and the angular velocity, RKF78.
#include <boost/numeric/odeint.hpp>

#include "top.hpp"

int main(int argc, char** argv) {
  using namespace peers;
  namespace odeint = boost::numeric::odeint;
  const Options options(argc, argv);
  const double budget = options.quick ? 0.3 : 0.4;
  for (const top::Top& top : top::tops()) {
    if (!options.wanted(top.workload)) continue;
    const auto rates = [&](const top::Seven& s, top::Seven& d, double) { top::rates(top, s.data(), d.data()); };
    top::steps(top, "Boost.odeint", "RKF78 constant step, quaternion", 0.012, budget,
               [&](int n, double h, top::Error& error) {
                 odeint::runge_kutta_fehlberg78<top::Seven> stepper;
                 top::Seven s = top.start();
                 for (int k = 0; k < n; ++k) {
                   stepper.do_step(rates, s, k * h, h);
                   error.add(top::place(s.data()));
                 }
               });
    top::tolerances(
        top, "Boost.odeint", "RKF78 controlled, quaternion", 1e-6, budget, [&](double tolerance, top::Error& error) {
          top::Seven s = top.start();
          // In whole steps to every time that is looked at, so that the last is the end.
          odeint::integrate_const(
              odeint::make_controlled(tolerance, tolerance, odeint::runge_kutta_fehlberg78<top::Seven>()), rates, s,
              0.0, top::until + 0.01, 0.02, [&](const top::Seven& at, double) { error.add(top::place(at.data())); });
        });
  }
}
