#include "archive/take_place.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>

#include "extremal/error.hpp"
#include "run/moment.hpp"

namespace extremal {

void copy_file(const std::string& from, const std::string& to) {
  std::error_code error;
  std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing, error);
  if (error) throw InputError(to + ": cannot be written: " + error.message());
}

void take_place(const std::string& part, const std::string& path) {
  // The content before the name: otherwise a machine that loses its power may keep the name only.
  if (const int file = ::open(part.c_str(), O_RDONLY | O_CLOEXEC); file >= 0) {
    ::fdatasync(file);
    ::close(file);
  }
  static std::atomic<long long> places = 0;
  Moment("publish").pass(++places);
  std::error_code error;
  std::filesystem::rename(part, path, error);
  if (error) throw InputError(path + ": cannot be written: " + error.message());
}

}  // namespace extremal
