// ProgressBar: one line on a terminal that says how far a run is, how fast, and how long it will take. TaskBar: the
// same for work that is not counted in steps.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <string>

#include "extremal/run.hpp"

namespace extremal::cli {

using Clock = std::chrono::steady_clock;
inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

inline std::string duration(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  if (seconds < 3600) return fmt::format("{:.0f} min {:02.0f} s", std::floor(seconds / 60), std::fmod(seconds, 60));
  return fmt::format("{:.0f} h {:02.0f} min", std::floor(seconds / 3600), std::floor(std::fmod(seconds, 3600) / 60));
}

// `seconds` for the steps since `first`, where this part of the run began.
inline std::string progress_line(const Progress& progress, long long first, double seconds) {
  constexpr int width = 24;
  const double done = static_cast<double>(progress.step) / static_cast<double>(std::max(1LL, progress.steps));
  const double rate = static_cast<double>(progress.step - first) / seconds;
  const auto full = static_cast<std::size_t>(done * width);
  return fmt::format("[{}{}] {:3.0f} %  t = {:.6g}  {:.3g} steps/s  {} left", std::string(full, '#'),
                     std::string(width - full, '.'), std::floor(100 * done), progress.t, rate,
                     rate > 0 ? duration(static_cast<double>(progress.steps - progress.step) / rate) : "?");
}

template <class S>
class ProgressBar : public RowSink<S> {
 public:
  bool pulse(const Progress& progress) override {
    const auto now = Clock::now();
    if (first_ < 0) first_ = progress.step - 1;
    if (now - shown_ < std::chrono::milliseconds(250)) return false;
    shown_ = now;
    visible_ = true;
    std::cerr << "\r" << progress_line(progress, first_, std::chrono::duration<double>(now - begin_).count())
              << "\033[K" << std::flush;
    return false;
  }
  void trial(const Progress& progress) override {
    const auto now = Clock::now();
    if (now - shown_ < std::chrono::milliseconds(250)) return;
    shown_ = now;
    visible_ = true;
    std::cerr << fmt::format("\rtrial of {} steps: {:3.0f} %\033[K", progress.steps,
                             std::floor(100.0 * static_cast<double>(progress.step) /
                                        static_cast<double>(std::max(1LL, progress.steps))))
              << std::flush;
  }
  void begin(const Run<S>&, const std::vector<ColumnInfo>&) override { begin_ = Clock::now(); }
  void end(const Run<S>&) override { clear(); }
  // Also of trials that no run follows.
  void clear() {
    if (visible_) std::cerr << "\r\033[K" << std::flush;
    visible_ = false;
  }

 private:
  Clock::time_point begin_ = Clock::now(), shown_ = begin_;
  long long first_ = -1;
  bool visible_ = false;
};

class TaskBar {
 public:
  // The line is gone when all is done, so that nothing is printed behind it.
  void show(double done) {
    if (done >= 1) return clear();
    const auto now = Clock::now();
    if (now - shown_ < std::chrono::milliseconds(250)) return;
    shown_ = now;
    visible_ = true;
    const double passed = std::chrono::duration<double>(now - begin_).count();
    const auto full = static_cast<std::size_t>(done * 24);
    std::cerr << fmt::format("\r[{}{}] {:3.0f} %  {} left\033[K", std::string(full, '#'), std::string(24 - full, '.'),
                             std::floor(100 * done), done > 0 ? duration(passed * (1 - done) / done) : "?")
              << std::flush;
  }
  void clear() {
    if (visible_) std::cerr << "\r\033[K" << std::flush;
    visible_ = false;
  }

 private:
  Clock::time_point begin_ = Clock::now(), shown_ = begin_;
  bool visible_ = false;
};

}  // namespace extremal::cli
