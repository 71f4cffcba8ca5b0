// Sweep: many runs of one model, of which parameters, starts, schemes or steps differ.
//
//   model = "pendulum-cartesian"          # a model of models/, or a model file beside this one
//   scheme = "rattle"                     # these as in [run] of a model file, which has them otherwise
//   step = 0.01
//   until = 10
//   outputs = 10                          # rows of every run besides its start; or every = STEPS; otherwise its end
//                                         # (of runs that are paced not every: their steps end at times of their own)
//
//   [vary]                                # the grid: every combination, the last name changes fastest
//   m = [1, 2]
//   g = { from = 9.7, to = 9.9, count = 11 }
//
//   [sample]                              # and so many runs with random numbers at every point of the grid
//   count = 100
//   seed = 7
//   "v:x" = { normal = [0, 0.1] }
//
// What run i is depends on this text, the model and i only. A Sweep is constant once it is read and shared by threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "extremal/members.hpp"
#include "extremal/models.hpp"
#include "run/keys.hpp"
#include "sweep/axis.hpp"

namespace extremal::sweep {

// The numbers and texts of a sweep file, or of options that go before it.
struct Plan {
  std::string model;
  RunTexts run = {};           // by the keys of [run]
  int outputs = 0;             // 0: not given
  bool watches_steps = false;  // not only rows: no lanes
  Settings set = {}, start = {};
  std::vector<std::string> keep = {};  // variables
  std::vector<Axis> axes = {};
  std::vector<std::vector<std::size_t>> grid = {};  // axes that go together, the last fastest
  std::uint64_t samples = 1, seed = 0;

  bool says(const std::string& key) const { return run.contains(key); }
};

// A sweep file, before which options go; its errors have their place.
Plan read_plan(const Document& file, const RunTexts& options);

// What a single run is, ready to go.
struct SweepRun {
  System system;
  const Scheme* scheme = nullptr;
  Start start;
  Span span;
  std::vector<Observer> observers;
};

class Sweep {
 public:
  // `model_text` is the file that plan.model names, or empty where that is a model of models/.
  Sweep(const Document& file, Plan plan, const std::string& model_text);

  std::uint64_t size() const { return size_; }
  const Plan& plan() const { return plan_; }
  const std::string& model_name() const { return base_.system.name(); }
  const std::string& model_text() const { return base_.text; }
  const std::string& precision() const { return precision_; }
  const std::vector<Scheme>& schemes() const { return schemes_; }

  // One for every axis; and the doubles that they are rounded to.
  std::vector<Number> values(std::uint64_t run) const;
  void numbers(std::uint64_t run, double* out) const;
  // InputError if there cannot be such a run.
  SweepRun run(std::uint64_t run) const;
  // Whether the runs have the same terms, and differ in the parameters of their systems, starts, schemes and spans
  // only.
  bool shares_terms() const { return !whole_; }

  // Whether blocks of them advance in lanes (ensemble.hpp).
  bool in_lanes() const { return in_lanes_; }
  // In lanes: these runs as members of a batch, over a common span. What differs is in `numbers`; runs that have to be
  // taken by themselves, or are refused by what `run` throws, are left out of `runs`.
  Members members(std::vector<std::uint64_t>& runs, std::vector<double>& numbers) const;
  Span lane_span() const { return span_of(base_.span, fixed_start().t, {}); }
  const std::vector<Observer>& observers() const { return base_.observers; }

  // What is kept of a run: `rows` rows of `columns`, which are those of `kept` among all columns of a Run.
  const std::vector<ColumnInfo>& columns() const { return columns_; }
  const std::vector<std::size_t>& kept() const { return kept_; }
  const std::vector<ColumnInfo>& all_columns() const { return all_columns_; }
  std::size_t rows() const { return rows_; }
  bool only_end() const { return !plan_.says("every") && plan_.outputs == 0; }

  // All that decides what its runs are, as a text to compare.
  std::string identity() const;

 private:
  Model read(const Settings& settings) const;
  void resolve(const Document& file);
  void choose_columns(const Document& file);
  void count_rows();
  bool fits_lanes() const;
  Span span_of(Span span, const Number& t, const std::vector<Number>& values) const;
  void place(Start& start, const std::vector<Number>& values) const;
  Start fixed_start() const;
  bool follow(std::uint64_t run, const Start& like, std::vector<double>& numbers) const;
  Settings settings_of(const std::vector<Number>& values) const;

  Plan plan_;
  std::string text_;  // of the model file
  std::shared_ptr<const Document> document_;
  Model base_;
  std::string precision_;
  std::vector<Scheme> schemes_;
  std::vector<Axis> starts_ = {};            // of plan.start, as lists of one
  std::vector<std::uint64_t> stride_;        // of every axis in the run index
  std::vector<std::vector<double>> points_;  // of axes that are not random and not too long, as doubles
  bool whole_ = false, moves_ = false;       // the model is read again for every run, or its start
  bool run_moves_ = false;                   // [run] of the model depends on what is varied
  std::uint64_t size_ = 1;
  bool in_lanes_ = false;
  std::vector<ColumnInfo> all_columns_, columns_;
  std::vector<std::size_t> kept_;
  std::size_t rows_ = 1;
};

}  // namespace extremal::sweep
