// The words for a step that failed.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "extremal/stepper.hpp"

namespace extremal {

// A shorter step is advised where it may help: not where a term does not exist.
inline std::string failure_text(long long step, double t, double h, const StepReport& report) {
  const std::string where = fmt::format("step {}, t = {:.8g}: ", step, t);
  if (!report.finite || report.known) return where + report.worst;
  const std::string stalled =
      report.stalled
          ? fmt::format("Newton stalled at {:.2g} (residual {:.2g}); worst row: ", report.correction, report.residual)
          : "";
  return where + stalled + fmt::format("{}; try step <= {:.2g}", report.worst, std::fabs(h) / 2);
}

// The step was taken, but what is seen at its end is not finite.
template <class S>
std::string sight_text(long long step, Stepper<S>& stepper) {
  const std::string found = stepper.not_finite();
  return fmt::format("step {}, t = {:.8g}: {}", step, static_cast<double>(stepper.state().t),
                     found.empty() ? "the energy is not finite" : found);
}

}  // namespace extremal
