// Recorder: makes the rows of a Run and keeps what is watched at every step.
//
// Everything it carries from step to step can be saved, so that a run that goes on from a checkpoint ends with the
// same rows and the same summary.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "extremal/run.hpp"
#include "run/believe.hpp"
#include "run/columns.hpp"
#include "run/drift.hpp"
#include "run/numbers.hpp"

namespace extremal {

template <class S>
class Recorder {
 public:
  Recorder(const System& system, const Scheme& scheme, const Span& span, const std::vector<Observer>& observers,
           Run<S>& run, long long steps);

  const std::vector<ColumnInfo>& columns() const { return columns_.infos(); }
  void begin(Stepper<S>& stepper, const std::vector<RowSink<S>*>& sinks);
  // False, and nothing is recorded of the step, if the energy at its end is not finite.
  bool step(Stepper<S>& stepper, long long k, S h, int iterations, bool output);
  // A row inside the step that was just taken, at t: of a motion that was brought there from where the step started.
  // False if its energy is not finite.
  bool inside(Stepper<S>& there, S t, int iterations);
  long long rows() const { return rows_; }
  void end(Stepper<S>& stepper);
  // Why the run, all of whose steps were taken, cannot be the motion; empty if there is no reason.
  std::string doubt(S h) const {
    return belief_.doubt(run_, static_cast<double>(h), static_cast<double>(Scalar<S>::epsilon));
  }

  // The row that was made last, even if it still waits for the next step.
  const std::vector<S>& last_row() const { return row_; }

  void save(std::vector<S>& out) const;
  void restore(NumberReader<S>& from, const std::vector<RowSink<S>*>& sinks);

 private:
  void emit() {
    for (RowSink<S>* sink : *sinks_) sink->row(row_);
    ++rows_;
  }
  // How far the run is, in steps: of one whose steps are paced as if all were alike.
  long long place(long long k, S t) const;
  // Of seen_, at a state after step k, when so much work had been done.
  void watch(const State<S>& state, long long k, S work);
  void make_row(Stepper<S>& stepper, const State<S>& state, int iterations, S work);
  void evaluate_inside(Stepper<S>& stepper, S h);
  void finish_late(Stepper<S>& stepper, long long k, S h);  // of the step after k
  // The numbers that go from step to step, in the order of a checkpoint.
  template <class Self, class Visit>
  static void carried(Self& self, const Visit& visit) {
    visit(self.rows_);
    visit(self.waiting_);
    visit(self.waiting_row_);
    visit(self.node_iterations_);
    visit(self.node_.t);
    visit(self.node_h_);
    visit(self.work_);
    visit(self.run_.supplied);
    visit(self.run_.dissipated);
    visit(self.run_.energy_initial);
    visit(self.run_.energy_max_error);
    visit(self.run_.constraint_max);
    visit(self.run_.hidden_max);
    visit(self.row_);
    visit(self.node_.q);
    visit(self.node_.p);
    visit(self.first_momenta_);
    visit(self.symmetry_defect_);
    if (self.joints_.any()) JointTurns<S>::carried(self.joints_, visit);
    for (auto* columns : {&self.run_.momentum_error, &self.run_.estimate_max})
      for (auto& column : *columns) visit(column.values[0]);
  }

  const System& system_;
  Run<S>& run_;
  const std::vector<RowSink<S>*>* sinks_ = nullptr;
  const bool own_;  // multipliers of the scheme
  const Columns<S> columns_;
  std::vector<S> parameters_;
  const bool worked_;
  const long long steps_;
  const Span& span_;
  const long long stride_;  // of the rows at which symmetries are looked at
  JointTurns<S> joints_;
  DriftMeter drift_;
  Belief<S> belief_;
  Observation<S> seen_;
  DensePoint<S> inside_;
  std::vector<S> wanted_, row_;
  std::vector<S> first_momenta_;
  std::vector<double> symmetry_defect_;
  S work_{};
  long long rows_ = 0;  // handed over
  // Closure variational: a node has its momentum and its multiplier only after the next step, and so have its row and
  // what is watched there. Until then it waits as the last step left it.
  const bool late_;
  bool waiting_ = false, waiting_row_ = false;
  State<S> node_;
  S node_h_{};  // of the step that ended there
  int node_iterations_ = 0;
};

}  // namespace extremal
