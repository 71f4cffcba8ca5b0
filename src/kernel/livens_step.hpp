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
#include "kernel/step_kernel.hpp"

namespace extremal {

template <class S>
class LivensStep final : public StepKernel<S> {
 public:
  LivensStep(const System& system, const Livens& scheme);

  void regularise(double eps, const std::vector<double>& row_weights) override {
    regularisation_ = eps;
    row_weights_ = row_weights;
  }

  void equilibrate(const std::vector<double>& scales) override;
  void place(NodeSolver<S>&, S, const S*, const S*) override {}
  void solve(NodeSolver<S>& node, S t, const S* q, const S* p, const S* v, S h, S* dq, S* dp,
             StepReport& report) override;
  void close(const S* nu) override;
  // p1 + G^T mu is the same motion: the normal part of the momentum of ggl is a gauge. That of energy_momentum is not.
  bool projects() const override { return ggl_; }
  bool hidden() const override { return ggl_; }
  void tangent(std::vector<S>& out, const std::vector<int>& dependent) override;
  S action() const override { return action_; }
  void add_work(S* out) override { rule_->add_work(newton_.x().data(), out); }
  // ggl: the impulses at the start of the step and of the projection at its end, per h; energy_momentum: the one
  // impulse.
  const std::vector<S>& multipliers() const override { return multipliers_; }
  const std::vector<S>& multiplier_nodes() const override { return multiplier_nodes_; }
  const std::vector<S>& node_multiplier() const override { return node_multiplier_; }
  S node_weight() const override { return S(0); }
  bool end_multiplier(S*) const override { return false; }
  // q and p linear between the ends (p less what the projection took off), an error of h^2 inside the step; lambda is
  // constant, the force whose impulse is that of the step.
  void dense(S c, DensePoint<S>& out) override;
  void save(std::vector<S>&) const override {}
  const S* restore(const S* from) override { return from; }

 private:
  bool newton(S extent, StepReport& report, int most);
  void begin(S h);
  bool follow(const S* v, S extent, StepReport& report);
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
  std::vector<S> r_, start_q_, start_p_, dq_, dp_, nu_, multipliers_, multiplier_nodes_, node_multiplier_;
  std::vector<S> shorter_, shortest_;  // solutions of the last two shorter steps, per h and h^2
  S t_{}, h_{}, action_{};
  double regularisation_ = 0;
};

}  // namespace extremal
