// run_batch: runs of variants of one system that advance side by side (ensemble.hpp), each with rows of its own.
//
//   std::vector<BatchMember> members;
//   for (int k = 0; k < 1000; ++k) members.push_back({pendulum.with("g", 9 + 0.001 * k), {.q = {1, 0}}});
//   const auto runs = run_batch(Scheme::named("rattle"), {.step = 0.01, .until = 10, .every = 100}, members);
//   runs[7].run.column("x");
//
// Rows have the bits that extremal::run gives them. Motions in lanes are watched at their rows, not at every step:
// errors of energy and constraints are those at rows, and iterations of Newton's method are not counted. Where the rows
// raise a doubt, the run is taken again by itself, and its verdict holds. Systems that have no lanes, and spans that
// ask for what only single steps tell, are run one by one.
#pragma once

#include <atomic>
#include <vector>

#include "extremal/run.hpp"

namespace extremal {

struct BatchMember {
  System system;  // all made from the same one by System::with
  Start start;
  std::vector<RowSink<double>*> sinks = {};
};

struct BatchOutput {
  std::vector<Observer> observers = {};
  bool collect = true;  // otherwise there are no Run::columns
  // Of all columns those that are read; in lanes the others are not found and have no meaning. All if it is empty.
  std::vector<std::size_t> keep = {};
  const std::atomic<bool>* stop = nullptr;
};

// Refused: there is no such run, as where its start violates a constraint; the reason is that of the run.
struct BatchRun {
  Run<double> run;
  bool refused = false;
};

// Whether such runs advance in lanes.
bool fits_batch(const System& system, const Scheme& scheme, const Span& span);

// InputError if the scheme cannot carry the system, or the systems are not variants of one, or the numbers of steps
// differ.
std::vector<BatchRun> run_batch(const Scheme& scheme, const Span& span, const std::vector<BatchMember>& members,
                                const BatchOutput& output = {});

}  // namespace extremal
