// StealingQueue: numbers 0, ..., count - 1 for some threads, each of which takes the first of its own and, when it has
// none, the second half of another's.
//
// What a thread has is a range, so that a queue is one word: begin and end in two halves, changed by compare-and-swap.
// Ranges never grow and never come together again; a word that has come back means what it meant.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

namespace extremal::sweep {

class StealingQueue {
 public:
  StealingQueue(std::uint32_t count, std::uint32_t threads) : threads_(threads), ranges_(new Line[threads]) {
    for (std::uint64_t k = 0; k < threads; ++k)
      ranges_[k].range =
          pack(static_cast<std::uint32_t>(count * k / threads), static_cast<std::uint32_t>(count * (k + 1) / threads));
  }

  std::optional<std::uint32_t> take(std::uint32_t thread) {
    std::atomic<std::uint64_t>& own = ranges_[thread].range;
    for (;;) {
      std::uint64_t here = own.load();
      while (begin(here) < end(here))
        if (own.compare_exchange_weak(here, pack(begin(here) + 1, end(here)))) return begin(here);
      if (!steal(thread)) return {};
    }
  }
  std::uint64_t steals() const { return steals_; }

 private:
  struct alignas(64) Line {  // apart, so that threads do not wait for each other's
    std::atomic<std::uint64_t> range;
  };
  static constexpr std::uint64_t pack(std::uint32_t begin, std::uint32_t end) {
    return static_cast<std::uint64_t>(begin) << 32U | end;
  }
  static constexpr std::uint32_t begin(std::uint64_t range) { return static_cast<std::uint32_t>(range >> 32U); }
  static constexpr std::uint32_t end(std::uint64_t range) { return static_cast<std::uint32_t>(range); }

  // Into the empty range of this thread, which nobody else changes. From the thread that has most, as one that has
  // little will be done before the thief.
  bool steal(std::uint32_t thread) {
    for (;;) {
      std::uint32_t most = 0, victim = thread;
      for (std::uint32_t k = 0; k < threads_; ++k) {
        const std::uint64_t range = ranges_[k].range.load();
        const std::uint32_t left = end(range) - std::min(begin(range), end(range));
        if (left > most) most = left, victim = k;
      }
      if (most == 0) return false;
      std::uint64_t theirs = ranges_[victim].range.load();
      const std::uint32_t b = begin(theirs), e = end(theirs), middle = b + (e - b) / 2;
      if (b >= e || !ranges_[victim].range.compare_exchange_strong(theirs, pack(b, middle))) continue;
      ranges_[thread].range = pack(middle, e);
      ++steals_;
      return true;
    }
  }

  std::uint32_t threads_;
  std::unique_ptr<Line[]> ranges_;
  std::atomic<std::uint64_t> steals_ = 0;
};

}  // namespace extremal::sweep
