// A file that is changed as a copy, which then takes its place at once: whoever looks finds a whole file.
#pragma once

#include <string>

namespace extremal {

// InputError if it cannot be written.
void copy_file(const std::string& from, const std::string& to);
void take_place(const std::string& part, const std::string& path);

}  // namespace extremal
