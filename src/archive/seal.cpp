#include "archive/seal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <vector>

#include "extremal/error.hpp"
#include "extremal/output_error.hpp"

namespace extremal {
namespace {

constexpr char seal_mark[] = "EXTRSUM1";
constexpr std::size_t seal_size = 16, block_bytes = 1UL << 20;

// A descriptor that is closed.
class OpenFile {
 public:
  OpenFile(const std::string& path, int flags) : number_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (number_ >= 0) ::close(number_);
  }
  bool good() const { return number_ >= 0; }
  std::uint64_t size() const {
    struct stat state{};
    return ::fstat(number_, &state) == 0 ? static_cast<std::uint64_t>(state.st_size) : 0;
  }
  // As many bytes as there are, up to count.
  std::size_t read(unsigned char* to, std::size_t count) const {
    std::size_t done = 0;
    while (done < count) {
      const ssize_t n = ::read(number_, to + done, count - done);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) break;
      done += static_cast<std::size_t>(n);
    }
    return done;
  }
  bool write(const unsigned char* from, std::size_t count) const {
    for (std::size_t done = 0; done < count;) {
      const ssize_t n = ::write(number_, from + done, count - done);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      done += static_cast<std::size_t>(n);
    }
    return true;
  }

 private:
  int number_;
};

// The sum of the next `length` bytes, which `visit` sees one block after the other. Zero if there are not so many.
std::uint64_t sum_of(const OpenFile& file, std::uint64_t length,
                     const std::function<void(const unsigned char*, std::size_t)>& visit) {
  std::vector<unsigned char> block(block_bytes);
  Sum sum;
  for (std::uint64_t left = length; left > 0;) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left, block_bytes));
    if (file.read(block.data(), wanted) != wanted) return 0;
    sum.add(block.data(), wanted);
    if (visit) visit(block.data(), wanted);
    left -= wanted;
  }
  return sum.value();
}

void expect_sealed(const OpenFile& file, const std::string& path,
                   const std::function<void(const unsigned char*, std::size_t)>& visit) {
  const std::uint64_t size = file.size();
  const std::uint64_t length = size - std::min<std::uint64_t>(size, seal_size);
  const std::uint64_t sum = sum_of(file, length, visit);
  unsigned char end[seal_size] = {};
  const bool marked = file.read(end, seal_size) == seal_size && std::memcmp(end, seal_mark, 8) == 0;
  std::uint64_t kept = 0;
  std::memcpy(&kept, end + 8, 8);
  if (!marked)
    throw InputError(path +
                     ": no archive as extremal wrote it: the sum at its end is missing (it is another program's "
                     "netCDF file, was changed or cut off, or is of an earlier version); expected the file as it was");
  if (kept != sum)
    throw InputError(path +
                     ": damaged or changed: the sum at its end does not fit what is in it; expected the file as "
                     "extremal wrote it");
}

}  // namespace

void Sum::add(const unsigned char* bytes, std::size_t count) {
  length_ += count;
  for (std::size_t at = 0; at < count; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + at, std::min<std::size_t>(8, count - at));
    // Every step can be undone, so that no change of one word is lost.
    sum_ = (sum_ ^ word) * 0x9e3779b97f4a7c15U;
    sum_ ^= sum_ >> 32U;
  }
}

std::uint64_t Sum::value() const { return (sum_ ^ length_) * 0x9e3779b97f4a7c15U; }

void seal(const std::string& path) {
  const OpenFile file(path, O_RDWR);
  if (!file.good()) throw OutputError(path + ": cannot be written: " + std::strerror(errno));
  const std::uint64_t sum = sum_of(file, file.size(), {});
  unsigned char end[seal_size];
  std::copy_n(seal_mark, 8, end);  // without the zero at its end
  std::memcpy(end + 8, &sum, 8);
  if (!file.write(end, seal_size)) throw OutputError(path + ": cannot be written: " + std::strerror(errno));
}

bool is_netcdf(const std::string& path) {
  unsigned char mark[4] = {};
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  const OpenFile file(path, O_RDONLY);
  return file.good() && file.read(mark, 4) == 4 && std::memcmp(mark, "\x89HDF", 4) == 0;
}

void expect_whole(const std::string& path) {
  if (!is_netcdf(path))
    throw InputError(path + ": cannot be opened as netCDF; expected an archive that extremal wrote");
  const OpenFile file(path, O_RDONLY);
  if (!file.good()) throw InputError(path + ": cannot be read: " + std::strerror(errno));
  expect_sealed(file, path, {});
}

void copy_sealed(const std::string& from, const std::string& to) {
  const OpenFile in(from, O_RDONLY);
  if (!in.good()) throw InputError(from + ": cannot be read: " + std::strerror(errno));
  const OpenFile out(to, O_WRONLY | O_CREAT | O_TRUNC);
  if (!out.good()) throw OutputError(to + ": cannot be written: " + std::strerror(errno));
  expect_sealed(in, from, [&](const unsigned char* bytes, std::size_t count) {
    if (!out.write(bytes, count)) throw OutputError(to + ": cannot be written: " + std::strerror(errno));
  });
}

std::string followed(const std::string& path) {
  namespace fs = std::filesystem;
  fs::path at = path;
  std::error_code error;
  // A link may lead to a place where there is nothing yet.
  for (int links = 0; links < 40 && fs::is_symlink(at, error); ++links) {
    const fs::path to = fs::read_symlink(at, error);
    if (error) break;
    at = to.is_absolute() ? to : at.parent_path() / to;
  }
  return at.string();
}

}  // namespace extremal
