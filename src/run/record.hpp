// Record: one run while it goes on – its Run, the Recorder that makes its rows, and the sinks they go to.
//
// advance() is the only time loop. It works on one motion (run.cpp) or on many that advance side by side
// (lane_record.cpp).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "extremal/output_error.hpp"
#include "kernel/pace_engine.hpp"
#include "run/failure.hpp"
#include "run/moment.hpp"
#include "run/recorder.hpp"

namespace extremal {

// The rows in memory: all of them, or, where nobody collects, the last one in the end.
template <class S>
class Collector : public RowSink<S> {
 public:
  explicit Collector(Run<S>& run) : run_(run) {}
  void begin(const Run<S>&, const std::vector<ColumnInfo>& columns) override {
    run_.columns.reserve(columns.size());
    for (const ColumnInfo& column : columns) run_.columns.push_back({column.name, {}});
  }
  void row(const std::vector<S>& values) override {
    for (std::size_t c = 0; c < values.size(); ++c) run_.columns[c].values.push_back(values[c]);
  }

 private:
  Run<S>& run_;
};

// A sink that gets some of the columns.
template <class S>
class Chosen : public RowSink<S> {
 public:
  Chosen(RowSink<S>& sink, const std::vector<std::size_t>& columns) : sink_(sink), columns_(columns) {}
  void begin(const Run<S>& run, const std::vector<ColumnInfo>& all) override {
    std::vector<ColumnInfo> some;
    for (const std::size_t c : columns_) some.push_back(all[c]);
    row_.resize(some.size());
    sink_.begin(run, some);
  }
  void row(const std::vector<S>& values) override {
    for (std::size_t k = 0; k < row_.size(); ++k) row_[k] = values[columns_[k]];
    sink_.row(row_);
  }
  bool pulse(const Progress& progress) override { return sink_.pulse(progress); }
  void checkpoint(const Checkpoint<S>& here) override { sink_.checkpoint(here); }
  void end(const Run<S>& run) override { sink_.end(run); }

 private:
  RowSink<S>& sink_;
  const std::vector<std::size_t>& columns_;
  std::vector<S> row_;
};

// Reads the clock about a hundred times a second, however long a step takes.
class Beat {
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
  // InputError if the span is none.
  Record(const System& system, const Scheme& scheme, const Start& start, const Span& span, const Output<S>& output);
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;

  Run<S>& run() { return run_; }
  long long steps() const { return steps_; }  // in all; of a paced run the most there may be
  // The length of step k, counted from 1.
  S h(long long k) const {
    return lengths_.size() == 1 ? lengths_.front()
                                : lengths_[static_cast<std::size_t>((k - 1) % static_cast<long long>(lengths_.size()))];
  }
  bool row_after(long long k) const {
    return (k % span_.every == 0 && !inside_.has_value()) || k == steps_ || landed();
  }
  bool going() const { return going_; }
  // A run whose steps are paced ends with the one that lands.
  void follow(const PaceEngine<S>& pace) { pace_ = &pace; }
  bool landed() const { return pace_ != nullptr && pace_->landed(); }
  // Rows at times of their own are made by a second motion, which is brought to each of them.
  void rows_inside(std::unique_ptr<PaceEngine<S>> there);
  // Before a step.
  void depart(const Stepper<S>& stepper) {
    if (inside_) inside_->from = stepper.state();
  }

  // The sinks begin. Then there is a first row, or the run goes on from a checkpoint.
  void begin(Stepper<S>& stepper, Consistency found);
  // After step k was taken, or was not.
  void taken(Stepper<S>& stepper, long long k, const StepReport& report);
  void failed(Stepper<S>& stepper, long long k, const StepReport& report);
  void interrupt(Stepper<S>& stepper);
  // The last row, and the verdict.
  void end(Stepper<S>& stepper);
  Checkpoint<S> save(Stepper<S>& stepper) const;

 private:
  void restore(Stepper<S>& stepper, const Checkpoint<S>& from);
  void stop(Status status, std::string reason);
  Progress progress(long long k, S t) const;
  bool make_rows_inside(long long k, const StepReport& report, S now);

  const System& system_;
  const Scheme& scheme_;
  const Start& start_;
  const Span& span_;
  const Output<S>& output_;
  Run<S> run_;
  const long long steps_;
  const std::vector<S> lengths_;  // of steps, which repeat
  long long iterations_ = 0;
  bool going_ = true;
  Collector<S> collector_;
  std::vector<RowSink<S>*> sinks_;
  Recorder<S> recorder_;
  std::vector<std::size_t> columns_;                // that sinks get, if not all
  std::vector<std::unique_ptr<Chosen<S>>> chosen_;  // what stands before these sinks
  Beat beat_;
  const PaceEngine<S>* pace_ = nullptr;  // of a run whose steps are paced
  struct Inside {
    PaceEngine<S>* engine;
    Stepper<S> stepper;
    State<S> from;  // where the step starts
  };
  std::optional<Inside> inside_;
};

// Takes motions to step number `steps`. They step from k as far as they like, at most to the next row, and say how far
// that was; watch what is there and say whether any of them goes on; and between two such strides the flag is looked
// at.
template <class Motions>
void advance(Motions& motions, long long steps, const std::atomic<bool>* stop) {
  const Moment moment("step");
  for (long long k = motions.taken(); k < steps;) {
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) return motions.interrupt();
    k = motions.step(k);
    if (!motions.watch(k)) return;
    moment.pass(k);
  }
}

}  // namespace extremal
