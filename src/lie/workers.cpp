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

Workers::Workers(int number) : number_(number) {
  for (int i = 1; i < number; ++i) threads_.emplace_back([this, i] { wait_for_work(i); });
}

Workers::~Workers() {
  call_ = nullptr;
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& t : threads_) t.join();
}

void Workers::run(Call call, void* task) {
  if (number_ > 1) {
    call_ = call;
    task_ = task;
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }
  call(task, 0);
  meet();  // the task must be over everywhere before it ceases to exist
}

void Workers::wait_for_work(int thread) {
  for (unsigned seen = 0;; ++seen) {
    wait_while(round_, seen);
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
