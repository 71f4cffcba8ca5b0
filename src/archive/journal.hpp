// Journal: an append-only file of rows and checkpoints in which every record has a checksum.
//
//   "EXTRJNL1" id                                                        16 bytes
//   "RECD" row_size first_row row_count checkpoint_size rows checkpoint checksum     and so on
//
// Numbers are little-endian as the machine's. A record is written by one call; one that the end of the file cuts off,
// or whose checksum is wrong, ends the journal. A record's rows are numbered, so that those that have reached the
// archive itself are known.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "archive/encoding.hpp"
#include "run/moment.hpp"

namespace extremal {

struct JournalRecord {
  std::uint64_t first_row = 0, row_count = 0, row_size = 0;
  Bytes rows, checkpoint;
};

struct JournalState {
  bool found = false;           // there is a file with a header
  std::uint64_t id = 0;         // of the archive to which it belongs
  std::uint64_t valid_end = 0;  // bytes up to the end of the last whole record
  std::uint64_t dropped = 0;    // bytes after it
};

// Visits every whole record in order, one in memory at a time.
JournalState read_journal(const std::string& path, const std::function<void(const JournalRecord&)>& visit);
// True if a program has it open for writing.
bool journal_locked(const std::string& path);

class Journal {
 public:
  // Opens or makes the file and locks it; InputError if another program writes it. The content stays.
  explicit Journal(std::string path);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();

  void start(std::uint64_t id);         // empty but for the header
  void go_on(std::uint64_t valid_end);  // drops what is behind
  void append(const JournalRecord& record);
  void clear();  // drops all records
  void remove();
  const std::string& path() const { return path_; }

 private:
  void write(const unsigned char* bytes, std::size_t count);
  std::string path_;
  int file_ = -1;
  Moment moment_{"record"};
  long long records_ = 0;  // appended
};

}  // namespace extremal
