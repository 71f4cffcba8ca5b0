// The words for a step that failed.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "extremal/stepper.hpp"

namespace extremal {

inline std::string failure_text(long long step, double t, double h, const StepReport& report) {
  // An explicit step that is too long has no iterations.
  const std::string stalled =
      report.iterations == 0
          ? ""
          : fmt::format("Newton stalled at {:.2g} (residual {:.2g}); worst row: ", report.correction, report.residual);
  return fmt::format("step {}, t = {:.8g}: {}{}; try step <= {:.2g}", step, t, stalled, report.worst, std::fabs(h) / 2);
}

}  // namespace extremal
