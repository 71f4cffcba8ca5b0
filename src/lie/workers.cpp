#include "lie/workers.hpp"

namespace extremal::lie {
namespace {

// Looks for a while before it sleeps: waking a thread takes longer than a step of a few thousand elements.
void wait_while(const std::atomic<unsigned>& value, unsigned old) {
  for (int i = 0; i < 2000; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  while (value.load(std::memory_order_acquire) == old) value.wait(old, std::memory_order_acquire);
}

}  // namespace

void Workers::employ(int number) {
  dismiss();
  number_ = std::clamp(number, 1, most);
  const unsigned seen = round_.load(std::memory_order_relaxed);
  for (int i = 1; i < number_; ++i) threads_.emplace_back([this, i, seen] { wait_for_work(i, seen); });
}

void Workers::dismiss() {
  if (threads_.empty()) return;
  call_ = nullptr;
  wake(true);
  for (std::thread& t : threads_) t.join();
  threads_.clear();
}

void Workers::wake(bool together) {
  const unsigned last = round_.load(std::memory_order_relaxed);
  round_.store((last | 1U) + (together ? 2U : 1U), std::memory_order_release);
  round_.notify_all();
}

void Workers::run(Call call, void* task) {
  if (number_ > 1) {
    call_ = call;
    task_ = task;
    wake(true);
  }
  call(task, 0);
  meet();  // the task must be over everywhere before it ceases to exist
}

// Who comes late may find any later offer, but what it takes is of the offer whose number it has seen on the ticket:
// the ticket is closed before another offer is written, and who has read a part of that sees the ticket changed.
void Workers::offer(Take take, void* task, std::size_t count) {
  if (number_ == 1) {
    for (std::size_t k = 0; k < count; ++k) take(task, k);
    return;
  }
  const std::uint64_t next = ((ticket_.load(std::memory_order_relaxed) >> 32) + 1) << 32;
  ticket_.store(next | closed, std::memory_order_release);
  take_.store(take, std::memory_order_release);
  offered_.store(task, std::memory_order_release);
  pieces_.store(count, std::memory_order_release);
  left_.store(static_cast<unsigned>(count), std::memory_order_release);
  ticket_.store(next, std::memory_order_release);
  wake(false);
  take_pieces();
  for (unsigned left = left_.load(std::memory_order_acquire); left > 0; left = left_.load(std::memory_order_acquire))
    wait_while(left_, left);
}

void Workers::take_pieces() {
  std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
  for (;;) {
    const std::uint64_t piece = ticket & closed;
    const Take take = take_.load(std::memory_order_acquire);
    void* task = offered_.load(std::memory_order_acquire);
    if (piece == closed || piece >= pieces_.load(std::memory_order_acquire)) return;
    if (!ticket_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel, std::memory_order_acquire))
      continue;
    take(task, static_cast<std::size_t>(piece));
    if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) left_.notify_one();
    ticket = ticket_.load(std::memory_order_acquire);
  }
}

void Workers::wait_for_work(int thread, unsigned seen) {
  for (;;) {
    wait_while(round_, seen);
    seen = round_.load(std::memory_order_acquire);
    if (seen % 2 == 0) {
      take_pieces();
      continue;
    }
    if (call_ == nullptr) return;
    call_(task_, thread);
    meet();
  }
}

void Workers::meet() {
  if (number_ == 1) return;
  const unsigned meeting = meeting_.load(std::memory_order_acquire);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == number_) {
    arrived_.store(0, std::memory_order_relaxed);
    meeting_.fetch_add(1, std::memory_order_release);
    meeting_.notify_all();
  } else {
    wait_while(meeting_, meeting);
  }
}

}  // namespace extremal::lie
