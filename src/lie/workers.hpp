// Workers: a few threads that wait for work, for steps so short that starting threads would cost more than the step.
//
//   Workers workers(2);
//   workers.run([&](int thread) { ...; workers.meet(); ... });   // thread 0 is the caller
//
// A run allocates nothing.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

namespace extremal::lie {

class Workers {
 public:
  explicit Workers(int number);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int number() const { return number_; }

  template <class Task>
  void run(Task&& task) {
    run([](void* t, int thread) { (*static_cast<std::remove_reference_t<Task>*>(t))(thread); }, &task);
  }
  // Within a run: returns when all have come here.
  void meet();

 private:
  using Call = void (*)(void*, int);
  void run(Call call, void* task);
  void wait_for_work(int thread);

  int number_;
  Call call_ = nullptr;  // null: the end
  void* task_ = nullptr;
  std::atomic<unsigned> round_{0};    // of the runs
  std::atomic<unsigned> meeting_{0};  // of the meetings
  std::atomic<int> arrived_{0};
  std::vector<std::thread> threads_;
};

}  // namespace extremal::lie
