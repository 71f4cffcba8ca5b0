// PhaseStep: solves one step of a phase_space member by Newton's method.
//
// Starting guess: q + t v with constant tangential momentum, which works where the last step's parameters already
// fail; then the same with the acceleration.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernel/newton.hpp"
#include "kernel/phase.hpp"
#include "kernel/step_kernel.hpp"

namespace extremal {

template <class S>
class PhaseStep final : public StepKernel<S> {
 public:
  PhaseStep(const System& system, const PhaseSpace& scheme);

  void equilibrate(const std::vector<double>& scales) override;
  void place(NodeSolver<S>& node, S t, const S* q, const S* p) override;
  void solve(NodeSolver<S>& node, S t, const S* q, const S* p, const S* v, S h, S* dq, S* dp,
             StepReport& report) override;
  void close(const S*) override {}
  // The normal part of p is a gauge: a step does not depend on it, but it would grow.
  bool projects() const override { return scheme_.projection; }
  bool hidden() const override { return scheme_.projection; }
  void tangent(std::vector<S>& out, const std::vector<int>& dependent) override;
  S action() const override;
  void add_work(S* out) override { residual_->add_work(h_, out); }
  const std::vector<S>& multipliers() const override { return multipliers_; }
  const std::vector<S>& multiplier_nodes() const override { return multiplier_nodes_; }
  const std::vector<S>& node_multiplier() const override { return node_multiplier_; }
  S node_weight() const override { return S(0); }
  bool end_multiplier(S*) const override { return false; }
  void dense(S c, DensePoint<S>& out) override;
  bool balance(StepBalance<S>& out) override;
  void save(std::vector<S>&) const override {}
  const S* restore(const S* from) override { return from; }

 private:
  void build(S h);
  std::string row_name(int row) const;
  void slopes(S c, std::vector<S>& dq, std::vector<S>& dp) const;
  BasisTable functions(const std::vector<S>& points, S c, bool ansatz) const;  // of q~ and p~, or of p_g~
  PhaseStart<S> start() const { return {start_q_.data(), start_p_.data(), t_, h_}; }

  const System system_;
  const PhaseSpace scheme_;
  std::unique_ptr<PhaseResidual<S>> residual_;
  std::unique_ptr<PhaseMatrix<double>> matrix_;
  std::unique_ptr<Newton<S>> newton_;
  std::vector<S> start_q_, start_p_, a_, lambda_, r_, multipliers_, multiplier_nodes_, node_multiplier_;
  std::vector<double> xd_, qd_, pd_, vd_, scales_;
  S t_{}, h_{}, built_h_{};
};

}  // namespace extremal
