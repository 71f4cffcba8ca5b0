// Crew: threads that take blocks and compute them, and hand the results to the one who asks for them.
//
//   Crew crew(4, take, work);
//   while (!crew.finished())
//     if (auto result = crew.next(std::chrono::milliseconds(100))) ...
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "sweep/block.hpp"

namespace extremal::sweep {

class Crew {
 public:
  // The next block of a thread, which may wait for it; nothing at the end.
  using Take = std::function<std::optional<std::uint64_t>(unsigned thread)>;
  // False if it was stopped.
  using Work = std::function<bool(std::uint64_t block, BlockResult& result)>;

  Crew(unsigned threads, Take take, Work work);
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  // Waits for the threads, which end their blocks and take no others; a `take` that waits has to be ended before.
  ~Crew();

  // A result if there is one before this time has passed. What was thrown in a block is thrown here, after the results
  // that there are; the other threads stop taking blocks.
  std::optional<BlockResult> next(std::chrono::milliseconds wait);
  // Whether no result will come.
  bool finished();

 private:
  void labour(unsigned thread);

  Take take_;
  Work work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<BlockResult> results_;
  std::exception_ptr error_;
  unsigned working_;
  bool over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace extremal::sweep
