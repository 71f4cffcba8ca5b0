// PhaseStep: solves one step of a phase_space member by Newton's method.
//
// In all unknowns, and where momenta follow from positions in those that are left (phase_reduced.hpp); judged by all
// rows in either case, and the same solution.
//
// Starting guess of a reduced step: the unknowns of the last steps of this length, continued (histories.hpp). Then q +
// t v with constant tangential momentum, which works where the last step's parameters already fail; then the same with
// the acceleration.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernel/histories.hpp"
#include "kernel/newton.hpp"
#include "kernel/phase.hpp"
#include "kernel/phase_reduced.hpp"
#include "kernel/taker.hpp"

namespace extremal {

template <class S>
class PhaseStep final : public Taker<S> {
 public:
  PhaseStep(const System& system, const PhaseSpace& scheme);

  std::size_t size() const override { return all_.size(); }
  const std::vector<S>& multiplier_nodes() const override { return residual_->point().tables.dg; }
  void equilibrate(const std::vector<double>& scales) override;
  void expect(std::size_t substeps) override { histories_.expect(substeps); }
  void place(NodeSolver<S>&, const Motion<S>&) override { histories_.forget(); }
  void solve(NodeSolver<S>& node, TracePart<S>& part, StepReport& report) override;
  void tell(const TracePart<S>& part, Trace<S>& trace) override;
  // The normal part of p is a gauge: a step does not depend on it, but it would grow.
  bool projects() const override { return scheme_.projection; }
  bool hidden() const override { return scheme_.projection; }
  void tangent(const TracePart<S>& part, std::vector<S>& out, const std::vector<int>& dependent) override;
  void dense(const Trace<S>& trace, S c, DensePoint<S>& out) const override;
  bool balance(const TracePart<S>& part, StepBalance<S>& out) const override;
  void save(std::vector<S>& out) const override { histories_.save(out); }
  const S* restore(const S* from) override { return histories_.restore(from); }

 private:
  enum class Guess { continued, linear, accelerated };
  void build(S h);
  void make(const PhaseSpace& scheme, quad length);
  bool guess(Guess kind, NodeSolver<S>& node, const TracePart<S>& part);
  std::string row_name(int row) const;
  S action(const TracePart<S>& part) const;
  void inside(const TracePart<S>& part, S c, DensePoint<S>& out) const;
  void slopes(const TracePart<S>& part, S c, std::vector<S>& dq, std::vector<S>& dp) const;
  // Of q~ and p~, or of p_g~, in a step over h.
  BasisTable functions(const std::vector<S>& points, S c, S h, bool ansatz) const;
  static PhaseStart<S> start_of(const TracePart<S>& part) { return {part.q.data(), part.p.data(), part.t, part.h}; }

  const System system_;
  const PhaseSpace scheme_;
  std::unique_ptr<PhaseResidual<S>> residual_;
  std::unique_ptr<PhaseMatrix<double>> matrix_;
  std::optional<PhaseReduction<S>> reduction_;
  std::unique_ptr<PhaseBlocks> blocks_;  // the matrix then
  std::unique_ptr<Newton<S>> newton_;
  Histories<S, 4> histories_;          // of the unknowns of a reduction
  std::vector<S> all_, rows_, nodes_;  // unknowns, rows and velocities, of a reduction
  std::vector<S> a_, lambda_;
  std::vector<double> xd_, qd_, pd_, vd_, scales_;
  S built_h_{};
  bool loop_ = false;
};

}  // namespace extremal
