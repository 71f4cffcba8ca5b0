// What tests of the phase_space family have in common.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "distance.hpp"
#include "extremal/models.hpp"
#include "numbers/index.hpp"

namespace extremal::phase_steps {

using papers::distance;
using papers::magnitude;

inline constexpr double quad_floor = 1e-30;

inline std::string member(int degree, const std::string& options = "") {
  return "phase_space(" + std::to_string(degree) + options + ")";
}
inline std::string gauss(int nodes) { return ", quadrature=gauss(" + std::to_string(nodes) + ")"; }

template <class S>
Stepper<S> stepper_of(const Model& m, const std::string& scheme) {
  Stepper<S> stepper(m.system, Scheme::named(scheme));
  stepper.start(m.start);
  return stepper;
}

template <class S>
State<S> end_of(const Model& m, const std::string& scheme, S until, int steps) {
  Stepper<S> stepper = stepper_of<S>(m, scheme);
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(stepper.step(until / steps).converged) << scheme;
  return stepper.state();
}

inline double distance(const State<quad>& x, const State<quad>& y) {
  return std::max(distance(x.q, y.q), distance(x.p, y.p));
}

// Both pendulums start with an angle of 2 and an angular velocity of 1/2.
inline Model moving(const char* name) {
  Model m = model(name);
  m.start = m.system.constraint_count() == 0 ? Start{.q = {2}, .p = {2}}
                                             : Start{.q = {"2*sin(2)", "-2*cos(2)"}, .p = {"cos(2)", "sin(2)"}};
  return m;
}

// The largest residuals of the balance in five steps.
struct Balance {
  double energy = 0, quadrature = 0;
};
inline Balance balance(const char* name, const std::string& scheme) {
  Stepper<quad> stepper = stepper_of<quad>(model(name), scheme);
  Balance worst;
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(stepper.step(quad(1) / 10).converged);
    StepBalance<quad> b;
    EXPECT_TRUE(stepper.balance(b));
    worst.energy = std::max(worst.energy, magnitude(b.energy));
    worst.quadrature = std::max(worst.quadrature, magnitude(b.energy_quadrature));
  }
  return worst;
}

}  // namespace extremal::phase_steps
