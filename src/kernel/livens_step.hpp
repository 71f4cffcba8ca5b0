// LivensStep: solves one step of a livens member: that of ggl in its multipliers (ggl_solver.hpp), which continue those
// of the last steps; where this does not serve, and of the other members, all equations by Newton's method.
//
// Its starting guess: the motion with the velocity of the start and no multipliers, which is safer than those of the
// last step [Kinon2023, section 5]; it has no history. Where this guess leads nowhere, ggl is followed from shorter
// steps to this one.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "kernel/ggl_solver.hpp"
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
  void expect(std::size_t substeps) override {
    if (reduced_ != nullptr) reduced_->histories().expect(substeps);
  }
  void place(NodeSolver<S>&, const Motion<S>&) override {
    if (reduced_ != nullptr) reduced_->histories().forget();
  }
  const std::vector<S>& multiplier_nodes() const override { return rule_->multiplier_nodes(); }
  void equilibrate(const std::vector<double>& scales) override;
  void solve(NodeSolver<S>& node, TracePart<S>& part, StepReport& report) override;
  void tell(const TracePart<S>& part, Trace<S>& trace) override;
  // p1 + G^T mu is the same motion: the normal part of the momentum of ggl and of livens(s) is a gauge. That of
  // energy_momentum is not; with the hidden constraint it is round-off, and taking it off changes the energy by its
  // square.
  bool projects() const override { return scheme_.projection && scheme_.rule != Livens::Rule::energy_momentum; }
  bool hidden() const override { return projects(); }
  void tangent(const TracePart<S>& part, std::vector<S>& out, const std::vector<int>& dependent) override;
  // By the polynomials of livens(s). Else q and p are linear between the ends, an error of h^2 inside the step, and
  // lambda is constant, the force whose impulse is that of the step.
  void dense(const Trace<S>& trace, S c, DensePoint<S>& out) const override;
  void save(std::vector<S>& out) const override {
    if constexpr (std::is_same_v<S, double>)
      if (reduced_ != nullptr) reduced_->histories().save(out);
  }
  const S* restore(const S* from) override {
    if constexpr (std::is_same_v<S, double>)
      if (reduced_ != nullptr) return reduced_->histories().restore(from);
    return from;
  }

 private:
  void finish(TracePart<S>& part);
  bool reduced(const TracePart<S>& part, StepReport& report);
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
  const Livens scheme_;
  const bool ggl_;  // or its adjoint: may have a fold
  std::unique_ptr<LivensRule<S>> rule_;
  std::unique_ptr<LivensRule<double>> matrix_;
  std::unique_ptr<GglSolver> reduced_;  // or null; tried first
  Newton<S> newton_;
  std::vector<std::vector<int>> slots_;  // of every entry of every piece of the matrix
  std::vector<int> multiplier_slots_;    // constraint, row set, column set
  std::vector<double> row_weights_, xd_, qd_, pd_;
  std::vector<S> r_;
  std::vector<S> shorter_, shortest_;  // solutions of the last two shorter steps, per h and h^2
  double regularisation_ = 0;
};

}  // namespace extremal
