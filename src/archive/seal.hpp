// The seal of an archive: a sum over all of its bytes, behind what netCDF reads of it.
//
//   netCDF's bytes "EXTRSUM1" sum
//
// netCDF has checksums for the numbers of a variable (Fletcher32), which every program checks that reads them; it has
// none for names, attributes, sizes and the places of blocks. HDF5 ignores what stands behind the end of its data, and
// cuts it off when it changes the file: a file that something else has changed has no seal, or one that does not fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace extremal {

// 64 bits; any change of a single word of 8 bytes changes it.
class Sum {
 public:
  // In pieces of a multiple of 8 bytes, except for the last.
  void add(const unsigned char* bytes, std::size_t count);
  std::uint64_t value() const;

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325U, length_ = 0;
};

// Behind a file that netCDF has closed. OutputError if it cannot be written.
void seal(const std::string& path);

// Whether it looks like a netCDF-4 file.
bool is_netcdf(const std::string& path);
// InputError unless it is a netCDF-4 file as it was sealed.
void expect_whole(const std::string& path);

// All but the seal. InputError if the source is not as it was sealed, OutputError if the copy cannot be written.
void copy_sealed(const std::string& from, const std::string& to);

// The file itself, where `path` is a link to it: its journal stands there, and it is what a new version replaces.
std::string followed(const std::string& path);

}  // namespace extremal
