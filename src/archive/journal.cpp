#include "archive/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "extremal/error.hpp"
#include "extremal/output_error.hpp"

namespace extremal {
namespace {

constexpr char file_mark[] = "EXTRJNL1", record_mark[] = "RECD";
constexpr std::size_t header_size = 16, record_head = 4 + 4 * 8, checksum_size = 8;

// FNV-1a.
std::uint64_t checksum(const unsigned char* bytes, std::size_t count) {
  std::uint64_t sum = 0xcbf29ce484222325U;
  for (std::size_t i = 0; i < count; ++i) sum = (sum ^ bytes[i]) * 0x100000001b3U;
  return sum;
}

void put(Bytes& out, std::uint64_t x) {
  const std::size_t at = out.size();
  out.resize(at + 8);
  std::memcpy(out.data() + at, &x, 8);
}

std::uint64_t get(const unsigned char* from) {
  std::uint64_t x = 0;
  std::memcpy(&x, from, 8);
  return x;
}

bool read(std::ifstream& in, unsigned char* to, std::size_t count) {
  return static_cast<bool>(in.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(count)));
}

}  // namespace

JournalState read_journal(const std::string& path, const std::function<void(const JournalRecord&)>& visit) {
  JournalState state;
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in) return state;
  const auto length = static_cast<std::uint64_t>(in.tellg());
  in.seekg(0);
  Bytes bytes(header_size);
  if (length < header_size || !read(in, bytes.data(), header_size) || std::memcmp(bytes.data(), file_mark, 8) != 0)
    return state;
  state.found = true;
  state.id = get(bytes.data() + 8);
  state.valid_end = header_size;
  while (length - state.valid_end >= record_head + checksum_size) {
    bytes.resize(record_head);
    if (!read(in, bytes.data(), record_head) || std::memcmp(bytes.data(), record_mark, 4) != 0) break;
    JournalRecord record;
    record.row_size = get(bytes.data() + 4);
    record.first_row = get(bytes.data() + 12);
    record.row_count = get(bytes.data() + 20);
    const std::uint64_t checkpoint_size = get(bytes.data() + 28);
    const std::uint64_t room = length - state.valid_end - record_head - checksum_size;
    // Sizes that are damaged must not be believed.
    if (record.row_size == 0 || record.row_count > room / record.row_size || checkpoint_size > room) break;
    const std::uint64_t rows = record.row_count * record.row_size;
    if (rows > room - checkpoint_size) break;
    bytes.resize(record_head + rows + checkpoint_size);
    unsigned char sum[checksum_size];
    if (!read(in, bytes.data() + record_head, rows + checkpoint_size) || !read(in, sum, checksum_size)) break;
    if (get(sum) != checksum(bytes.data(), bytes.size())) break;
    const auto begin = bytes.begin() + record_head, middle = begin + static_cast<std::ptrdiff_t>(rows);
    record.rows.assign(begin, middle);
    record.checkpoint.assign(middle, bytes.end());
    visit(record);
    state.valid_end += bytes.size() + checksum_size;
  }
  state.dropped = length - state.valid_end;
  return state;
}

bool journal_locked(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool locked = ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  return locked;
}

Journal::Journal(std::string path) : path_(std::move(path)) {
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) throw InputError(path_ + ": cannot be written; expected a file in a folder that exists");
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    ::close(file_);
    throw InputError(path_ + ": another program is writing this archive; expected it to have ended");
  }
}

Journal::~Journal() {
  if (file_ >= 0) ::close(file_);
}

void Journal::start(std::uint64_t id) {
  go_on(0);
  Bytes header(file_mark, file_mark + 8);
  put(header, id);
  write(header.data(), header.size());
}

void Journal::go_on(std::uint64_t valid_end) {
  const auto end = static_cast<off_t>(valid_end);
  if (::ftruncate(file_, end) != 0 || ::lseek(file_, end, SEEK_SET) != end)
    throw OutputError(path_ + ": cannot be shortened: " + std::strerror(errno));
}

void Journal::append(const JournalRecord& record) {
  Bytes bytes(record_mark, record_mark + 4);
  bytes.reserve(record_head + record.rows.size() + record.checkpoint.size() + checksum_size);
  for (const std::uint64_t x :
       {record.row_size, record.first_row, record.row_count, static_cast<std::uint64_t>(record.checkpoint.size())})
    put(bytes, x);
  bytes.insert(bytes.end(), record.rows.begin(), record.rows.end());
  bytes.insert(bytes.end(), record.checkpoint.begin(), record.checkpoint.end());
  put(bytes, checksum(bytes.data(), bytes.size()));
  const std::size_t half = moment_.is(++records_) ? bytes.size() / 2 : 0;
  const off_t begin = ::lseek(file_, 0, SEEK_CUR);
  try {
    if (half > 0) {
      write(bytes.data(), half);
      moment_.act();
    }
    write(bytes.data() + half, bytes.size() - half);
  } catch (const OutputError&) {
    go_on(static_cast<std::uint64_t>(begin));  // half a record would hide those that may follow
    throw;
  }
}

void Journal::clear() { go_on(header_size); }

void Journal::remove() { ::unlink(path_.c_str()); }

void Journal::write(const unsigned char* bytes, std::size_t count) {
  for (std::size_t done = 0; done < count;) {
    const ssize_t n = ::write(file_, bytes + done, count - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw OutputError(path_ + ": could not be written to the end: " + std::strerror(errno));
    done += static_cast<std::size_t>(n);
  }
}

}  // namespace extremal
