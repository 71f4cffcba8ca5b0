// What `run` and `resume` print of a run, and the exit code it means.
#pragma once

#include "extremal/run.hpp"

namespace extremal::cli {

template <class S>
int report(Run<S>& run, const System& system, const std::vector<Observer>& observers, bool as_one_json,
           bool table_on_stdout, double seconds);

}  // namespace extremal::cli
