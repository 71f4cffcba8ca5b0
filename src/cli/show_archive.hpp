// How `extremal show` tells the archive of a run.
#pragma once

#include <string>

namespace extremal::cli {

void show_archive(const std::string& path, bool as_json);

}  // namespace extremal::cli
