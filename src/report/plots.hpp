// The plots of a report, from the columns of an archive.
#pragma once

#include "extremal/models.hpp"
#include "report/pack.hpp"
#include "report/table.hpp"

namespace extremal::report {

// {"axes": ..., "plots": ...}
Json plots_of(const Model& model, const Table& table);

}  // namespace extremal::report
