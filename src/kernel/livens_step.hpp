// LivensStep: solves one step of a livens member by Newton's method.
//
// Starting guess: the motion with the velocity of the start and no multipliers, which is safer than those of the last
// step [Kinon2023, section 5]. No history: a step depends on (q, p) only. Where this guess leads nowhere, ggl is
// followed from shorter steps to this one.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "kernel/livens.hpp"
#include "kernel/newton.hpp"
#include "kernel/taker.hpp"

namespace extremal {

template <class S>
class LivensStep final : public Taker<S> {
 public:
  LivensStep(const System& system, const Livens& scheme);

  void regularise(double eps, const std::vector<double>& row_weights) override {
    regularisation_ = eps;
    row_weights_ = row_weights;
  }

  std::size_t size() const override { return newton_.x().size(); }
  const std::vector<S>& multiplier_nodes() const override { return multiplier_nodes_; }
  void equilibrate(const std::vector<double>& scales) override;
  void solve(NodeSolver<S>& node, TracePart<S>& part, StepReport& report) override;
  // Multipliers: of ggl the impulses at the start of the step and of the projection at its end, per h; of
  // energy_momentum the one impulse.
  void tell(const TracePart<S>& part, Trace<S>& trace) override;
  // p1 + G^T mu is the same motion: the normal part of the momentum of ggl is a gauge. That of energy_momentum is not.
  bool projects() const override { return ggl_; }
  bool hidden() const override { return ggl_; }
  void tangent(const TracePart<S>& part, std::vector<S>& out, const std::vector<int>& dependent) override;
  // q and p linear between the ends, an error of h^2 inside the step; lambda is constant, the force whose impulse is
  // that of the step.
  void dense(const Trace<S>& trace, S c, DensePoint<S>& out) const override;

 private:
  bool newton(S extent, StepReport& report, int most);
  void begin(const TracePart<S>& part, S h);
  bool follow(const TracePart<S>& part, S extent, StepReport& report);
  static BlockLu block_lu(const System& system, const LivensRule<double>& rule);
  void find_slots();
  void assemble(BlockLu& lu);
  void refine();
  void add_regularisation(BlockLu& lu);
  std::string row_name(int row) const;
  std::string unknown_name(int column) const;

  const System system_;
  const bool ggl_;
  std::unique_ptr<LivensRule<S>> rule_;
  std::unique_ptr<LivensRule<double>> matrix_;
  Newton<S> newton_;
  std::vector<std::vector<int>> slots_;  // of every entry of every piece of the matrix
  std::vector<int> multiplier_slots_;    // constraint, row set, column set
  std::vector<double> row_weights_, xd_, qd_, pd_;
  std::vector<S> r_, multiplier_nodes_;
  std::vector<S> shorter_, shortest_;  // solutions of the last two shorter steps, per h and h^2
  double regularisation_ = 0;
};

}  // namespace extremal
