// run_block: the unit of work of a sweep, some consecutive runs and what is kept of them.
//
// It is a pure function of the sweep and the runs asked for: neither the thread nor the order in which blocks are taken
// changes a bit.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "sweep/sweep.hpp"

namespace extremal::sweep {

// Of every run, before its rows. The names are those of the variables in the archive.
enum Field : std::size_t {
  status,  // an Outcome
  row_count,
  steps,
  newton_mean,
  newton_max,
  fallbacks,
  retries,
  singular,
  energy_max_error,
  constraint_max,
  hidden_max,
  field_count
};

// Refused: there is no such run, as where its start violates a constraint.
enum class Outcome : unsigned char { pending = 0, complete = 1, failed = 2, refused = 3, suspect = 4 };

struct BlockResult {
  std::uint64_t first = 0, count = 0;
  // Of every run its fields, the values of what is varied, and rows x columns, with NaN where it has fewer rows than
  // others, and none at all of its end if it did not come there.
  std::vector<double> numbers = {};
  std::string messages = {};  // of every run why it ended, each with a zero behind

  std::size_t width() const { return count == 0 ? 0 : numbers.size() / count; }
  double field(std::uint64_t run, Field f) const { return numbers[(run - first) * width() + f]; }
  Outcome outcome(std::uint64_t run) const { return static_cast<Outcome>(static_cast<int>(field(run, status))); }
};

// How many numbers a run is.
std::size_t run_width(const Sweep& sweep);

// How many runs a block is: few enough blocks to be cheap, enough of them for many threads. A function of the sweep
// only, so that a resumed one has the same blocks.
std::uint64_t block_size(const Sweep& sweep);
std::uint64_t block_count(const Sweep& sweep);

// False if `stop` became true before the last run was finished; the result is then of no use.
bool run_block(const Sweep& sweep, std::uint64_t first, std::uint64_t count, const std::atomic<bool>* stop,
               BlockResult& out);

}  // namespace extremal::sweep
