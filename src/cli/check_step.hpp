// How the laws of a model are checked unless the user says otherwise.
#pragma once

#include "extremal/check.hpp"
#include "extremal/models.hpp"

namespace extremal::cli {

inline CheckOptions check_options(const Model& model) {
  CheckOptions how;
  // Rods bear no longer step than their own.
  const bool rods = model.mechanism != nullptr && model.mechanism->step_bound() != Number(0);
  if (rods || model.span.step.as<double>() < 0.02)
    how.step = rods ? model.span.step : Number("5*(" + model.span.step.text() + ")");
  return how;
}

}  // namespace extremal::cli
