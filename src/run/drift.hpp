// DriftMeter: a line through the means of consecutive blocks of a series of known length.
//
// The energy error of a symplectic scheme oscillates; its samples are anything but independent. Means over long
// blocks nearly are, and their scatter about the line gives the slope an honest error bar.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "extremal/run.hpp"
#include "run/numbers.hpp"

namespace extremal {

class DriftMeter {
 public:
  explicit DriftMeter(long long steps)
      : steps_(std::max(1LL, steps)), blocks_(static_cast<std::size_t>(std::min(32LL, steps_))) {}

  void add(long long step, double t, double value) {
    Block& b = blocks_[static_cast<std::size_t>(std::min(
        static_cast<long long>(blocks_.size()) - 1, step * static_cast<long long>(blocks_.size()) / (steps_ + 1)))];
    b.t += t;
    b.value += value;
    ++b.count;
  }

  Drift line() const {
    double n = 0, t = 0, y = 0;
    for (const Block& b : blocks_)
      if (b.count > 0) n += 1, t += b.t / b.count, y += b.value / b.count;
    if (n < 3) return {};
    t /= n;
    y /= n;
    double tt = 0, ty = 0, rest = 0;
    for (const Block& b : blocks_)
      if (b.count > 0) tt += square(b.t / b.count - t), ty += (b.t / b.count - t) * (b.value / b.count - y);
    if (!(tt > 0)) return {};
    const double slope = ty / tt;
    for (const Block& b : blocks_)
      if (b.count > 0) rest += square(b.value / b.count - y - slope * (b.t / b.count - t));
    return {slope, std::sqrt(rest / (n - 2) / tt)};
  }

  template <class S>
  void save(std::vector<S>& out) const {
    for (const Block& b : blocks_)
      for (const double x : {b.t, b.value, b.count}) out.push_back(S(x));
  }
  template <class S>
  void restore(NumberReader<S>& from) {
    for (Block& b : blocks_)
      for (double* x : {&b.t, &b.value, &b.count}) from.take(*x);
  }

 private:
  struct Block {
    double t = 0, value = 0, count = 0;
  };
  static double square(double x) { return x * x; }

  long long steps_;
  std::vector<Block> blocks_;
};

}  // namespace extremal
