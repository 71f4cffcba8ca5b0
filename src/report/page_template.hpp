// The page of report/, bundled into one file, inside the library.
#pragma once

#include <string_view>

namespace extremal::report {

// The page with the mark for its data; empty if the library was built without.
std::string_view page_template();

}  // namespace extremal::report
