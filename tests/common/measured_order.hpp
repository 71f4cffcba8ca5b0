// Orders of schemes, measured at the end of a motion whose exact end is known.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "distance.hpp"
#include "extremal/study.hpp"

namespace extremal::papers {

template <class S>
State<S> end_state(const Model& m, const Scheme& scheme, int end, int steps) {
  Stepper<S> stepper(m.system, scheme);
  stepper.start(m.start);
  for (int k = 0; k < steps; ++k)
    if (!stepper.step(S(end) / S(steps)).converged) throw std::runtime_error(scheme.name + ": no convergence");
  return stepper.state();
}

struct Member {
  const char* scheme;
  int order;
};

struct MeasuredOrder {
  double q = 0, p = 0;
};

// The slope of the error at `end` between consecutive numbers of steps; the last one is returned.
inline MeasuredOrder expect_order(const Model& m, const Member& member, const State<quad>& exact, int end,
                                  const std::vector<int>& counts) {
  SCOPED_TRACE(member.scheme);
  const Scheme scheme = Scheme::named(member.scheme);
  EXPECT_EQ(scheme.declared.order_free, member.order);
  double q = 0, p = 0;
  MeasuredOrder order;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const State<quad> state = end_state<quad>(m, scheme, end, counts[i]);
    const double fine_q = distance(state.q, exact.q), fine_p = distance(state.p, exact.p);
    if (i > 0) {
      const double refinement = static_cast<double>(counts[i]) / counts[i - 1];
      order = {study::slope(q, fine_q, refinement), study::slope(p, fine_p, refinement)};
      EXPECT_NEAR(order.q, member.order, 0.25) << counts[i] << " steps, q";
      EXPECT_NEAR(order.p, member.order, 0.25) << counts[i] << " steps, p";
    }
    q = fine_q;
    p = fine_p;
  }
  return order;
}

}  // namespace extremal::papers
