// How the laws of a model are checked unless the user says otherwise.
#pragma once

#include <algorithm>

#include "extremal/check.hpp"
#include "extremal/models.hpp"

namespace extremal::cli {

inline CheckOptions check_options(const Model& model) {
  CheckOptions how;
  // Rods bear no longer step than their own.
  const bool rods = model.mechanism != nullptr && model.mechanism->step_bound() != Number(0);
  if (rods || model.span.step.as<double>() < 0.02)
    how.step = rods ? model.span.step : Number("5*(" + model.span.step.text() + ")");
  // The long run is one that the model was made for.
  how.long_step = model.span.step;
  how.uneven = !model.span.pattern.empty();
  const double steps = (model.span.until.as<double>() - model.start.t.as<double>()) / model.span.step.as<double>();
  // Steps of rods are cheap.
  const double most = rods ? 2000 : std::clamp(250000.0 / model.system.size(), 200.0, 2000.0);
  how.long_steps = static_cast<int>(std::clamp(steps, 1.0, most));
  return how;
}

}  // namespace extremal::cli
