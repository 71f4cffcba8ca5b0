// run_batch: runs of members (members.hpp) side by side, and their rows as one block of numbers.
//
//   std::vector<double> g(1000);
//   for (int k = 0; k < 1000; ++k) g[k] = 9 + 0.001 * k;
//   Members members{.system = pendulum, .start = {.q = {1, 0}}, .count = g.size()};
//   const Batch batch =
//       run_batch(Scheme::named("rattle"), {.step = 0.01, .until = 10, .every = 100}, members.set("g", g));
//   batch.value(7, 3, batch.column("x"));      // of run 7, in row 3
//
// Rows have the bits that extremal::run gives them. Motions in lanes are watched at their rows, not at every step:
// errors of energy and constraints are those at rows, and iterations of Newton's method are not counted. Where the rows
// raise a doubt, the run is taken again by itself, and its verdict holds. Systems that have no lanes, and spans that
// ask for what only single steps tell, are run one by one.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "extremal/members.hpp"
#include "extremal/run.hpp"

namespace extremal {

struct BatchOutput {
  std::vector<Observer> observers = {};
  std::vector<std::size_t> keep = {};  // of all columns of a run those that are wanted; Span::columns if it is empty
  bool only_last = false;              // of every run that came to its end the last row
  const std::atomic<bool>* stop = nullptr;
};

// How a run ended.
struct BatchEnd {
  bool refused = false;  // there is no such run, as where its start violates a constraint; the reason says why
  Status status = Status::failed;
  std::string reason = {};
  long long steps = 0;
  std::size_t rows = 0;
  // Of runs in lanes iterations are not known, and the others are none.
  double newton_mean = 0;
  int newton_max = 0;
  long long fallbacks = 0, retries = 0, singular = 0;
  double energy_max_error = 0, constraint_max = 0, hidden_max = 0;
};

struct Batch {
  std::vector<ColumnInfo> columns = {};
  std::size_t times = 0;            // rows of a run that came to its end
  std::vector<double> values = {};  // (run, time, column); not a number where a run has no such row
  std::vector<BatchEnd> runs = {};

  double value(std::size_t run, std::size_t row, std::size_t column) const {
    return values[(run * times + row) * columns.size() + column];
  }
  std::size_t column(std::string_view name) const;  // InputError with the names there are
};

// Whether such runs advance in lanes.
bool fits_batch(const System& system, const Scheme& scheme, const Span& span);

// InputError if the scheme cannot carry the system, or the span is none.
Batch run_batch(const Scheme& scheme, const Span& span, const Members& members, const BatchOutput& output = {});

}  // namespace extremal
