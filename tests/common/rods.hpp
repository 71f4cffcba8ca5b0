// What tests of rods have in common.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <vector>

#include "extremal/stepper.hpp"
#include "validation.hpp"

namespace extremal::papers {

template <class... A>
void row(const char* table, const char* format, A... values) {
  char text[160];
  std::snprintf(text, sizeof text, format, values...);
  record(table, text);
}

// Goes on until `steps` steps of h are done.
inline void advance(Stepper<double>& stepper, double h, int steps) {
  for (int k = 0; k < steps; ++k)
    if (const StepReport report = stepper.step(h); !report.converged) throw std::runtime_error(report.worst);
}

inline std::vector<double> node(const std::vector<double>& q, int i) {
  const auto first = q.begin() + 12 * i;
  return {first, first + 3};
}

}  // namespace extremal::papers
