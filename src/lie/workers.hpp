// Workers: a few threads that wait for work, for steps so short that starting threads would cost more than the step.
//
//   Workers workers(2);
//   workers.run([&](int thread) { ...; workers.meet(); ... });   // thread 0 is the caller; all take part
//   workers.share(count, [&](std::size_t begin, std::size_t end) { ... });   // pieces of 0, ..., count - 1
//
// Pieces are taken by whoever is free. The caller waits for those that others have taken, not for others to come: where
// the machine has no core left for them it does everything itself. No call allocates anything.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace extremal::lie {

class Workers {
 public:
  static constexpr int most = 64;
  explicit Workers(int number = 1) { employ(number); }
  ~Workers() { dismiss(); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int number() const { return number_; }
  void employ(int number);  // in place of those that are there, at most `most`

  template <class Task>
  void run(Task&& task) {
    run([](void* t, int thread) { (*static_cast<std::remove_reference_t<Task>*>(t))(thread); }, &task);
  }
  // Within a run: returns when all have come here.
  void meet();

  // task(k) for k = 0, ..., count - 1, in any order.
  template <class Task>
  void each(std::size_t count, Task&& task) {
    offer([](void* t, std::size_t k) { (*static_cast<std::remove_reference_t<Task>*>(t))(k); }, &task, count);
  }
  template <class Task>
  void share(std::size_t count, Task&& task) {
    if (number_ == 1) return task(std::size_t(0), count);
    const std::size_t pieces = pieces_of(count);
    each(pieces, [&](std::size_t k) { task(count * k / pieces, count * (k + 1) / pieces); });
  }
  // What is found in the pieces, joined in their order: as if there were one, if `join` keeps the first of equals.
  template <class Found, class Task, class Join>
  Found gather(std::size_t count, Task&& task, Join&& join) {
    if (number_ == 1) return task(std::size_t(0), count);
    const std::size_t pieces = pieces_of(count);
    std::array<Found, most_pieces> found;
    each(pieces, [&](std::size_t k) { found[k] = task(count * k / pieces, count * (k + 1) / pieces); });
    Found all = found[0];
    for (std::size_t k = 1; k < pieces; ++k) all = join(all, found[k]);
    return all;
  }

 private:
  using Call = void (*)(void*, int);
  using Take = void (*)(void*, std::size_t);
  static constexpr std::size_t pieces_each = 4, most_pieces = pieces_each * most;
  std::size_t pieces_of(std::size_t count) const {
    return std::clamp<std::size_t>(count, 1, pieces_each * static_cast<std::size_t>(number_));
  }
  void run(Call call, void* task);
  void offer(Take take, void* task, std::size_t count);
  void take_pieces();
  void dismiss();
  void wake(bool together);
  void wait_for_work(int thread, unsigned seen);

  int number_ = 1;
  Call call_ = nullptr;  // null: the end
  void* task_ = nullptr;
  std::atomic<unsigned> round_{0};    // twice the number of runs and offers so far, and 1 if all have to take part
  std::atomic<unsigned> meeting_{0};  // of the meetings
  std::atomic<int> arrived_{0};
  // What is offered: the number of the offer above, the next piece below.
  std::atomic<std::uint64_t> ticket_{closed};
  static constexpr std::uint64_t closed = 0xffffffff;
  std::atomic<Take> take_{nullptr};
  std::atomic<void*> offered_{nullptr};
  std::atomic<std::uint64_t> pieces_{0};
  std::atomic<unsigned> left_{0};  // pieces that are not done
  std::vector<std::thread> threads_;
};

}  // namespace extremal::lie
