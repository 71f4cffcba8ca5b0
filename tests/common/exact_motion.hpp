// The motion itself at given times, by a member of order 17 in quad or long double with steps of at most 0.05.
//
//   auto states = exact_motion<quad>(model("pendulum-polar"), {0, quad(3) / 10, quad(6) / 10});
//
// phase_space(8) is checked against independent values in papers/muehlebach2016_motions_test.cpp.
#pragma once

#include <cmath>
#include <stdexcept>
#include <vector>

#include "extremal/models.hpp"

namespace extremal::papers {

// `times` ascend from the time of the start.
template <class S>
std::vector<State<S>> exact_motion(const Model& m, const std::vector<S>& times, double longest = 0.05) {
  Stepper<S> stepper(m.system, Scheme::named("phase_space(8)"));
  stepper.start(m.start);
  std::vector<State<S>> states;
  for (const S& t : times) {
    const S from = stepper.state().t;
    const int steps = static_cast<int>(std::ceil(static_cast<double>(t - from) / longest - 1e-9));
    for (int k = 0; k < steps; ++k)
      if (!stepper.step((t - from) / steps).converged) throw std::runtime_error("exact_motion: no convergence");
    states.push_back(stepper.state());
  }
  return states;
}

}  // namespace extremal::papers
