// RowSink: where the output of a run goes while it goes on. A table in memory, a CSV file, an archive and a progress
// bar are sinks of the one time loop.
//
//   struct Printer : extremal::RowSink<double> {
//     void row(const std::vector<double>& values) override { std::cout << values[0] << "\n"; }
//   } printer;
//   extremal::run(pendulum, "rattle", start, span, {.sinks = {&printer}, .collect = false});
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "extremal/stepper.hpp"

namespace extremal {

template <class S>
struct Run;

// What a column is. Columns with the same `variable` belong together, one for each member of its axis; or several, if
// there is a second axis: position(body, xyz) has the columns "position:crank:x", "position:crank:y", ..., with members
// "crank:x", "crank:y", ... of both.
struct ColumnInfo {
  std::string name;         // "v:x"
  std::string variable;     // "v"
  std::string axis;         // "coordinate", "constraint", "body"; empty if the variable has this column only
  std::string member;       // "x"
  std::string unit;         // SI, if the model is
  std::string description;  // "velocity"
  std::string second = {};  // the second axis, "xyz"; empty if there is none
  friend bool operator==(const ColumnInfo&, const ColumnInfo&) = default;
};

// How far a run is.
struct Progress {
  long long step = 0, steps = 0;
  double t = 0;
};

// A sink that cannot go on throws; the run ends there.
template <class S>
class RowSink {
 public:
  virtual ~RowSink() = default;
  // Many times a second during trial runs (accuracy.hpp), which are before everything else.
  virtual void trial(const Progress& /*progress*/) {}
  // Before the first row. The run has its provenance and no values yet.
  virtual void begin(const Run<S>& /*run*/, const std::vector<ColumnInfo>& /*columns*/) {}
  // One value per column; rows are final.
  virtual void row(const std::vector<S>& /*values*/) {}
  // Many times a second, between two steps. True asks for a checkpoint.
  virtual bool pulse(const Progress& /*progress*/) { return false; }
  // Belongs to the rows so far: a run that starts from it goes on with the next row.
  virtual void checkpoint(const Checkpoint<S>& /*here*/) {}
  // After the last row; run.last is the checkpoint.
  virtual void end(const Run<S>& /*run*/) {}
};

// A quantity to look at: the value of its term, a function of coordinates, velocities and time. It is a column of its
// own.
struct Observer {
  std::string name;
  std::shared_ptr<const Term> term;
};

// What happens to a run's output, and where the run starts and stops.
template <class S>
struct Output {
  std::vector<RowSink<S>*> sinks = {};
  std::vector<Observer> observers = {};
  bool collect = true;                      // all rows in Run::columns; otherwise the last one only
  const std::atomic<bool>* stop = nullptr;  // ends the run after the step in which it becomes true
  // Goes on from here, as the run with the same system, scheme, start and span would have: its rows are those after
  // the checkpoint, everything else is as if the run had never stopped.
  const Checkpoint<S>* from = nullptr;
};

}  // namespace extremal
