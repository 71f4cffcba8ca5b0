// Accuracy: how many steps make positions as accurate as is wanted, found by trial runs of the full length.
//
//   auto run = extremal::run(pendulum, "spark(3)", start, {.until = 20, .accuracy = "1e-9"});
//   std::cout << run.accuracy->text();                              // what was tried, and what is expected
//   const Accuracy found = find_accuracy(pendulum, Scheme::named("spark(3)"), start, {.until = 20, .accuracy =
//   "1e-9"});
//
// The error is that of positions: the largest difference of a coordinate from the motion, over the whole run, divided
// by the largest coordinate that the motion has. Both are taken at 32 times, equally spaced, which all trials have in
// common.
//
// Trials have n, 2n, 4n, .. steps. The difference d of the last two is 2^r - 1 errors of the finer one, once the
// logarithms of successive differences fall by the order r; then as many steps are chosen as make the error half of
// what is wanted. Short trials would not do: where errors grow, and whether something happens late, is known at the
// end only. What is chosen between trials is tried, too. What rounding adds is the difference of one trial from the
// same steps in more digits. Where this is above a tenth of what is wanted, as in chaos, no step is chosen.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "extremal/control.hpp"
#include "extremal/error.hpp"
#include "extremal/number.hpp"

namespace extremal {

class System;
struct Scheme;
struct Start;
struct Span;
struct Progress;

struct Accuracy {
  struct Trial {
    long long steps = 0;
    double difference = 0;    // from the trial before, which had half as many steps; 0: there is none
    double slope = 0;         // log2 of the last difference over this one; 0: there is none
    double seconds = 0;       // that it took
    std::string failed = {};  // why it has no positions to compare
  };

  Number wanted = 0;
  std::string scheme = {}, precision = {};
  int order = 0;  // that the scheme declares for positions of this system
  std::vector<Trial> trials = {};

  // What rounding adds to so many steps, their difference from the same in more digits; and how often as large as one
  // rounding that is.
  double rounding = 0, growth = 0;
  long long rounding_steps = 0;
  std::string wide = {};  // the precision of more digits; empty: not measured
  double wide_seconds = 0;

  // What is chosen.
  long long steps = 0;
  Number step = 0;
  int every = 1;         // of Span::outputs
  double predicted = 0;  // the error

  std::string refused = {};  // why nothing is; empty if a step is chosen
  double attainable = 0;     // then, about: 0 if that is not known
  bool found() const { return refused.empty(); }

  double seconds() const;  // of all trials
  // A line and a table.
  std::string text() const;
  std::string json() const;
};

struct AccuracyOptions {
  std::string precision = "double";  // of the run
  // More than these are neither tried nor chosen; 0: 64 times as many as the span's step makes, or 1e8 over the number
  // of coordinates, whichever is more.
  long long most_steps = 0;
  // How far a trial is, and of how many steps.
  Listener<const Progress&> progress = {};
  const std::atomic<bool>* stop = nullptr;  // ends it, by Interrupted
};

// The step of the span is where trials begin: with a sixteenth as many. InputError for what has no accuracy: schemes
// without an order, steps that follow a pattern or a pace, starts by two positions.
Accuracy find_accuracy(const System& system, const Scheme& scheme, const Start& start, const Span& span,
                       const AccuracyOptions& options = {});

// Of runs: no step is chosen, and why.
struct AccuracyRefused : InputError {
  explicit AccuracyRefused(Accuracy found);
  Accuracy tried;
};

}  // namespace extremal
