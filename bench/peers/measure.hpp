// What the programs of this directory have in common: they print one line of JSON per measurement, which the script
// `measure` collects.
//
//   peers::Options options(argc, argv);
//   if (options.wanted("P1a")) peers::print({.workload = "P1a", .contestant = "hand", .method = "RATTLE", ...});
//
// A program whose workload has an error to reach climbs a ladder of steps or tolerances, prints every rung, and stops
// where the last target is met: the table takes the fastest rung that meets a target.
#pragma once

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace peers {

struct Measurement {
  std::string workload, contestant;
  std::string method = {};   // what the peer calls it
  std::string setting = {};  // step or tolerance
  int n = 0;                 // size, where the workload has one
  double value = 0;          // in the workload's unit: ns or s
  double error = -1;         // as the workload defines it; -1: not measured
  std::string note = {};
};

inline std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}

inline void print(const Measurement& m) {
  // JSON knows no infinity: what is not finite is an error that meets no target.
  const double error = std::isfinite(m.error) ? m.error : 1e300;
  std::printf(
      "{\"workload\": %s, \"contestant\": %s, \"method\": %s, \"setting\": %s, \"n\": %d, \"value\": %.6g, "
      "\"error\": %.4g, \"note\": %s}\n",
      quoted(m.workload).c_str(), quoted(m.contestant).c_str(), quoted(m.method).c_str(), quoted(m.setting).c_str(),
      m.n, m.value, error, quoted(m.note).c_str());
  std::fflush(stdout);
}

// PROGRAM [--quick] [WORKLOAD...]
struct Options {
  bool quick = false;
  std::vector<std::string> workloads;

  Options(int count, char** arguments) {
    for (int i = 1; i < count; ++i)
      if (std::string_view(arguments[i]) == "--quick")
        quick = true;
      else
        workloads.emplace_back(arguments[i]);
  }
  bool wanted(std::string_view workload) const {
    return workloads.empty() || std::find(workloads.begin(), workloads.end(), workload) != workloads.end();
  }
};

// Seconds of processor time: nobody here uses more than one thread, and what else the machine does is not counted.
inline double now() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

inline double seconds_since(double from) { return now() - from; }

template <class F>
double seconds(F&& f) {
  const double from = now();
  f();
  return seconds_since(from);
}

// The least of several calls, so that short ones are not at the mercy of the machine.
template <class F>
double least_seconds(F&& f, double budget = 0.05, int most = 20) {
  const double begin = now();
  double least = seconds(f);
  for (int k = 1; k < most && seconds_since(begin) < budget; ++k) least = std::min(least, seconds(f));
  return least;
}

// Time per step of a loop that has no end of its own.
template <class F>
double ns_per_step(F&& step, int steps = 20000, int repetitions = 20) {
  for (int k = 0; k < 1000; ++k) step();
  double least = 1e30;
  for (int r = 0; r < repetitions; ++r)
    least = std::min(least, seconds([&] {
                       for (int k = 0; k < steps; ++k) step();
                     }));
  return 1e9 * least / steps;
}

// Rungs until the target is met, or a rung costs more than the budget. `rung(k)` prints, and returns (error, seconds).
template <class F>
void climb(int rungs, double target, double budget, F&& rung) {
  for (int k = 0; k < rungs; ++k) {
    const auto [error, time] = rung(k);
    if ((std::isfinite(error) && error <= target) || time > budget) return;
  }
}

inline std::string text(const char* format, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

template <class T>
inline void keep(T const& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

}  // namespace peers
