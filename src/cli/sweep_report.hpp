// How a sweep is told: `extremal sweep` says it when it ends, `extremal show` at any time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace extremal::cli {

struct SweepView {
  bool json = false, table = false;
  std::optional<std::uint64_t> computed = {};  // runs, by this command
};

// Of the archive at this place; the exit code is that of a sweep which ended like this.
int report_sweep(const std::string& archive, const SweepView& view);

}  // namespace extremal::cli
