// CpuTime: the CPU time of this thread since it was made, which other programs on the machine hardly change.
#pragma once

#include <ctime>

namespace extremal::study {

class CpuTime {
 public:
  double seconds() const { return now() - begin_; }

 private:
  static double now() {
    std::timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  }
  double begin_ = now();
};

}  // namespace extremal::study
