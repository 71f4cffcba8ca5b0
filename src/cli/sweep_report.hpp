// How a sweep is told: `extremal sweep` says it when it ends, `extremal show` at any time.
#pragma once

#include <string>

namespace extremal::cli {

// Of the archive at this place; the exit code is that of a sweep which ended like this.
int report_sweep(const std::string& archive, bool json, bool table);

}  // namespace extremal::cli
