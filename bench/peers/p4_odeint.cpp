// P4: Boost.odeint on the quaternion and the angular velocity, RKF78.
#include <boost/numeric/odeint.hpp>

#include "top.hpp"

int main(int argc, char** argv) {
  using namespace peers;
  namespace odeint = boost::numeric::odeint;
  const Options options(argc, argv);
  const double budget = options.quick ? 0.3 : 0.4;
  const auto rates = [](const top::Seven& s, top::Seven& d, double) { top::rates(s.data(), d.data()); };
  top::steps("Boost.odeint", "RKF78 constant step, quaternion", 0.012, budget,
             [&](int n, double h, top::Height& height) {
               odeint::runge_kutta_fehlberg78<top::Seven> stepper;
               top::Seven s = top::start();
               for (int k = 0; k < n; ++k) {
                 stepper.do_step(rates, s, k * h, h);
                 height.add(top::height_of(s.data()));
               }
             });
  top::tolerances(
      "Boost.odeint", "RKF78 controlled, quaternion", 1e-6, budget, [&](double tolerance, top::Height& height) {
        top::Seven s = top::start();
        odeint::integrate_const(
            odeint::make_controlled(tolerance, tolerance, odeint::runge_kutta_fehlberg78<top::Seven>()), rates, s, 0.0,
            top::until + 0.01, 0.02, [&](const top::Seven& at, double) { height.add(top::height_of(at.data())); });
      });
}
