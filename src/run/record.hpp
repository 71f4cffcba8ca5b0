// Record: one run while it goes on – its Run, the Recorder that makes its rows, and the sinks they go to.
//
// advance() is the only time loop. It works on one motion (run.cpp) or on many that advance side by side (batch.cpp).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

#include "extremal/output_error.hpp"
#include "run/failure.hpp"
#include "run/moment.hpp"
#include "run/recorder.hpp"

namespace extremal {

// The rows in memory: all of them, or the last.
template <class S>
class Collector : public RowSink<S> {
 public:
  Collector(Run<S>& run, bool all) : run_(run), all_(all) {}
  void begin(const Run<S>&, const std::vector<ColumnInfo>& columns) override {
    run_.columns.reserve(columns.size());
    for (const ColumnInfo& column : columns) run_.columns.push_back({column.name, {}});
  }
  void row(const std::vector<S>& values) override {
    for (std::size_t c = 0; c < values.size(); ++c) {
      std::vector<S>& column = run_.columns[c].values;
      if (!all_) column.clear();
      column.push_back(values[c]);
    }
  }

 private:
  Run<S>& run_;
  const bool all_;
};

// Reads the clock about a hundred times a second, however long a step takes.
class Pace {
 public:
  bool due() {
    if (--left_ > 0) return false;
    const Clock::time_point now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    if (seconds < 0.005) stride_ = std::min(2 * stride_, 1LL << 30);
    if (seconds > 0.02) stride_ = std::max(1LL, static_cast<long long>(static_cast<double>(stride_) * 0.01 / seconds));
    left_ = stride_;
    return true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
  long long stride_ = 1, left_ = 1;
};

template <class S>
class Record {
 public:
  // InputError if the span is none. Variants of a system share their `columns`; a run that shares them and does not
  // collect rows has no Run::columns.
  Record(const System& system, const Scheme& scheme, const Start& start, const Span& span, const Output<S>& output,
         std::shared_ptr<const Columns<S>> columns);
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;

  Run<S>& run() { return run_; }
  long long steps() const { return steps_; }  // in all
  S h() const { return h_; }
  bool row_after(long long k) const { return k % span_.every == 0 || k == steps_; }
  bool going() const { return going_; }

  // The sinks begin. Then there is a first row, or the run goes on from a checkpoint.
  void begin(Stepper<S>& stepper, Consistency found);
  // After step k was taken, or was not.
  void taken(Stepper<S>& stepper, long long k, const StepReport& report);
  // Of a motion that is seen at rows only: after a step that is none of a row's.
  void passed(Stepper<S>& stepper) { recorder_.pass(stepper); }
  bool counts_turns() const { return recorder_.counts_turns(); }
  void failed(Stepper<S>& stepper, long long k, const StepReport& report);
  void interrupt(Stepper<S>& stepper);
  // The last row, and the verdict: that of a run which was seen at every step, or of one that is watched again where
  // its rows raise a doubt.
  void end(Stepper<S>& stepper, bool seen_at_every_step);
  Checkpoint<S> save(Stepper<S>& stepper) const;

 private:
  void restore(Stepper<S>& stepper, const Checkpoint<S>& from);
  void stop(Status status, std::string reason);

  const System& system_;
  const Scheme& scheme_;
  const Start& start_;
  const Span& span_;
  const Output<S>& output_;
  Run<S> run_;
  const long long steps_;
  const S h_;
  long long iterations_ = 0;
  bool going_ = true;
  const bool collects_;
  Collector<S> collector_;
  std::vector<RowSink<S>*> sinks_;
  Recorder<S> recorder_;
  Pace pace_;
};

// Takes the runs, which are as many as there are motions, to their ends. `motions` steps them from k as far as it
// likes, at most to the next row, and says how far that was; between two such strides the flag is looked at.
template <class S, class Motions>
void advance(Motions& motions, const std::vector<Record<S>*>& runs, const std::atomic<bool>* stop) {
  const Moment moment("step");
  const long long steps = runs.front()->steps();
  for (long long k = runs.front()->run().steps; k < steps;) {
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) {
      for (std::size_t i = 0; i < runs.size(); ++i)
        if (runs[i]->going()) runs[i]->interrupt(motions.stepper(i));
      return;
    }
    k = motions.step(k);
    bool going = false;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (!runs[i]->going()) continue;
      if (!motions.report(i).converged)
        runs[i]->failed(motions.stepper(i), motions.failed_step(i, k), motions.report(i));
      else if (motions.watched(k))
        runs[i]->taken(motions.stepper(i), k, motions.report(i));
      going = going || runs[i]->going();
    }
    if (!going) return;
    moment.pass(k);
  }
}

}  // namespace extremal
