#include "sweep/crew.hpp"

namespace extremal::sweep {

Crew::Crew(unsigned threads, Take take, Work work) : take_(std::move(take)), work_(std::move(work)), working_(threads) {
  for (unsigned k = 0; k < threads; ++k) threads_.emplace_back([this, k] { labour(k); });
}

Crew::~Crew() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  for (std::thread& thread : threads_) thread.join();
}

void Crew::labour(unsigned thread) {
  std::exception_ptr thrown;
  try {
    for (;;) {
      if (const std::lock_guard lock(mutex_); over_ || error_ != nullptr) break;
      const std::optional<std::uint64_t> block = take_(thread);
      BlockResult result;
      if (!block || !work_(*block, result)) break;
      {
        const std::lock_guard lock(mutex_);
        results_.push_back(std::move(result));
      }
      changed_.notify_one();
    }
  } catch (...) {
    thrown = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    if (error_ == nullptr) error_ = thrown;
    --working_;
  }
  changed_.notify_one();
}

std::optional<BlockResult> Crew::next(std::chrono::milliseconds wait) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, wait, [&] { return !results_.empty() || working_ == 0; });
  if (!results_.empty()) {
    std::optional<BlockResult> first(std::move(results_.front()));
    results_.pop_front();
    return first;
  }
  if (working_ == 0 && error_ != nullptr) std::rethrow_exception(error_);
  return {};
}

bool Crew::finished() {
  const std::lock_guard lock(mutex_);
  return working_ == 0 && results_.empty() && error_ == nullptr;
}

}  // namespace extremal::sweep
