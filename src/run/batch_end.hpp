// How a single run ended, as a batch tells it.
#pragma once

#include "extremal/batch.hpp"

namespace extremal {

template <class S>
BatchEnd batch_end(const Run<S>& run, std::size_t rows) {
  return {.status = run.status,
          .reason = run.reason,
          .steps = run.steps,
          .rows = rows,
          .newton_mean = run.newton_mean,
          .newton_max = run.newton_max,
          .fallbacks = run.fallbacks,
          .retries = run.retries,
          .singular = run.singular,
          .energy_max_error = static_cast<double>(run.energy_max_error),
          .constraint_max = static_cast<double>(run.constraint_max),
          .hidden_max = static_cast<double>(run.hidden_max)};
}

}  // namespace extremal
