// GalerkinStep: solves one step of a hamilton member by Newton's method, on bodies in the unknowns of a ReducedSolver.
//
// Starting guesses are tried in turn:
//   extrapolated  the last step's polynomial, continued, less what it missed in the steps before if that is steady;
//   accelerated   q + t v + t^2 a / 2 with the multipliers of [Wenger2017, eq. 70];
//   linear        q + t v.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "extremal/stepper.hpp"
#include "kernel/galerkin.hpp"
#include "kernel/newton.hpp"
#include "kernel/reduced_solver.hpp"
#include "kernel/taker.hpp"
#include "scheme/basis.hpp"

namespace extremal {

template <class S>
class GalerkinStep final : public Taker<S>, private BlockFill {
 public:
  GalerkinStep(const System& system, const Galerkin& scheme);
  GalerkinStep(const GalerkinStep&) = delete;  // x_ refers into newton_
  GalerkinStep& operator=(const GalerkinStep&) = delete;

  std::size_t size() const override { return newton_.x().size(); }
  const std::vector<S>& multiplier_nodes() const override { return multiplier_nodes_; }
  bool set(int parameter, S value) override {
    return !has_length(scheme_.basis) &&  // or the step is made from the system anew, now and then
           residual_.point().evaluation.set(parameter, value) && matrix_.set(parameter, static_cast<double>(value));
  }
  void equilibrate(const std::vector<double>& scales) override;
  void place(NodeSolver<S>& node, const Motion<S>& motion) override;
  void solve(NodeSolver<S>& node, TracePart<S>& part, StepReport& report) override;
  void adopt(const TracePart<S>& part) override;
  void tell(const TracePart<S>& part, Trace<S>& trace) override;
  void regularise(double eps, const std::vector<double>& row_weights) override {
    regularisation_ = eps;
    row_weights_ = row_weights;
  }
  bool projects() const override { return tables_.projects; }
  bool hidden() const override { return tables_.projects || tables_.coupled_hidden; }
  bool has_end_multiplier() const override { return scheme_.closure == Closure::hidden; }
  void tangent(const TracePart<S>& part, std::vector<S>& out, const std::vector<int>& dependent) override;
  std::vector<Visited<S>> visited() const override {
    const GalerkinPoint<S>& at = residual_.point();
    return {{static_cast<int>(at.t.size()), at.q.data(), at.v.data(), at.t.data()},
            {static_cast<int>(at.tg.size()), at.qg.data(), nullptr, at.tg.data()}};
  }
  void dense(const Trace<S>& trace, S c, DensePoint<S>& out) const override;
  // The first of its unknowns that are the displacement of the end.
  int end_unknown() const { return residual_.layout().z(residual_.layout().s - 1); }
  void save(std::vector<S>& out) const override;
  const S* restore(const S* from) override;

 private:
  void build(S h);
  // Where residual and matrix are of the same scalar, they are evaluated at once.
  GalerkinPoint<double>* lent_point() {
    if constexpr (std::is_same_v<S, double>)
      return &residual_.point();
    else
      return nullptr;
  }
  bool fill(int block, double* out) override { return matrix_.fill(block, out); }
  bool given_lambda0() const { return !tables_.spread.empty(); }
  StepStart<S> start_of(const TracePart<S>& part) const;
  enum class Guess { extrapolated, accelerated, linear };
  bool guess(Guess kind, NodeSolver<S>& node, const StepStart<S>& start, const S* v);
  void extrapolate_multipliers(S ratio);
  bool newton(const StepStart<S>& start, StepReport& report);
  std::string row_name(int row) const;
  std::string unknown_name(int column) const;

  const System system_;
  const Galerkin scheme_;
  Tables<S> tables_;
  GalerkinResidual<S> residual_;
  std::unique_ptr<ReducedSolver<S>> reduced_;  // or null; tried first
  Newton<S> newton_;
  GalerkinMatrix<double> matrix_;
  std::vector<S>& x_;                       // the unknowns, in newton_
  std::vector<S> guess_;                    // while a reduction of them is tried
  std::vector<S> raw_, miss_, older_miss_;  // the continued polynomial, and by what it missed the last two solutions
  std::vector<S> previous_x_, lambda0_, carried_, a_, lambda_, multiplier_nodes_;
  std::vector<double> xd_, qd_, pd_, lambda0d_, carriedd_;
  S previous_h_{}, built_h_{};
  int misses_ = 0;                // how many of them are known
  int usual_close_ = 0;           // the smallest number of small pivots that a step's matrix has had
  int pause_ = 0, patience_ = 0;  // guesses that no reduction is tried for; how many after the next that fails
  bool loop_ = false, has_history_ = false, by_reduction_ = false;
  double regularisation_ = 0;
  std::vector<double> row_weights_;
};

}  // namespace extremal
