#include "archive/take_place.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "archive/seal.hpp"
#include "extremal/error.hpp"
#include "extremal/output_error.hpp"
#include "run/moment.hpp"

namespace extremal {
namespace {

[[noreturn]] void cannot_write(const std::string& path, int error) {
  throw OutputError(path + ": cannot be written: " + std::strerror(error));
}

// On the disk when it returns. A file system without such a thing says EINVAL.
void sync_place(const std::string& path, int flags) {
  const int file = ::open(path.c_str(), flags | O_CLOEXEC);
  if (file < 0) cannot_write(path, errno);
  const bool folder = (flags & O_DIRECTORY) != 0;
  const int error = (folder ? ::fsync(file) : ::fdatasync(file)) == 0 || errno == EINVAL ? 0 : errno;
  ::close(file);
  if (error != 0) cannot_write(path, error);
}

void expect_room(const std::string& path, std::uint64_t growth) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) cannot_write(path, errno);
  const off_t end = ::lseek(file, 0, SEEK_END);
  // netCDF cuts off what it has not used when it closes the file.
  int error = end < 0 ? errno : ::posix_fallocate(file, end, static_cast<off_t>(growth));
  if (error == EINVAL || error == EOPNOTSUPP) error = 0;
  ::close(file);
  if (error != 0) cannot_write(path, error);
}

}  // namespace

void replace_file(const std::string& path, bool as_copy, std::uint64_t growth,
                  const std::function<void(const std::string& part)>& change) {
  const std::string part = path + ".part";
  try {
    if (as_copy) copy_sealed(path, part);
    expect_room(part, growth);
    change(part);
    seal(part);
    // The content before the name, and the name before its journal is emptied: otherwise a machine that loses its power
    // may keep the one without the other.
    sync_place(part, O_RDONLY);
    static std::atomic<long long> places = 0;
    Moment("publish").pass(++places);
    if (::rename(part.c_str(), path.c_str()) != 0) cannot_write(path, errno);
    const std::string folder = std::filesystem::path(path).parent_path().string();
    sync_place(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
  } catch (...) {
    ::unlink(part.c_str());
    throw;
  }
}

}  // namespace extremal
