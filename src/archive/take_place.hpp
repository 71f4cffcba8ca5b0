// A file that is changed as a copy, which then takes its place at once: whoever looks finds a whole file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace extremal {

// `change` gets the name of a copy, path + ".part", or of nothing if there is no file yet. What it leaves is sealed, on
// the disk and in its place when this returns; if something fails the file is as it was. `growth` is about how many
// bytes come to it: there must be room for them, as HDF5 cannot be trusted with a disk that is full.
void replace_file(const std::string& path, bool as_copy, std::uint64_t growth,
                  const std::function<void(const std::string& part)>& change);

}  // namespace extremal
