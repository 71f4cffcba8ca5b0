// Newton: one solver for the step equations of every family.
//
// The residual is taken in S, the matrix in double: each iteration gains the digits of double, so quad costs one
// or two iterations more than double and no factorisation in quad. When it stops is told by Corrections.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "algebra/block_lu.hpp"
#include "extremal/stepper.hpp"
#include "kernel/corrections.hpp"
#include "numbers/index.hpp"

namespace extremal {

template <class S>
class Newton {
 public:
  static constexpr int max_iterations = newton::most_iterations;

  // `leading`: how many of the unknowns are lengths; they set the scale of round-off. The others (multipliers,
  // momenta) are judged by their own size.
  Newton(BlockLu lu, int leading)
      : leading_(leading), lu_(std::move(lu)), x_(sz(lu_.size())), r_(sz(lu_.size())), dx_(sz(lu_.size())) {}

  BlockLu& lu() { return lu_; }
  // Whether the matrix of a small first correction serves for the second as well; and whether no matrix serves twice
  // where its pivots are close to singular. Where loops may be singular an old matrix may lead to another branch of the
  // motion, the first one, too, unless the guess continues that motion.
  void trust_first_matrix(bool trust, bool watch_pivots) {
    trusted_ = trust;
    watched_ = watch_pivots;
  }

  std::vector<S>& x() { return x_; }
  const std::vector<S>& x() const { return x_; }
  // The residual of the last evaluation; after success, that of the solution.
  const std::vector<S>& r() const { return r_; }
  // The column at which the matrix was singular, or -1.
  int singular() const { return singular_; }

  // residual(x, r) fills r and returns its largest entry; matrix(lu) fills the matrix, in double, at x();
  // extent is the size of the coordinates that the unknowns are added to; patience: the most iterations.
  template <class Residual, class Matrix>
  bool solve(Residual residual, Matrix matrix, S extent, StepReport& report, int patience = max_iterations) {
    Corrections<S> corrections;
    bool worn = true;  // the matrix: too far from the present one to go on with
    int extra = 0;
    singular_ = -1;
    report.stalled = true;
    report.finite = true;
    const auto give_up = [&] { return report.finite = false; };
    for (int iteration = 0; iteration < patience; ++iteration) {
      ++report.iterations;
      const S size = residual(x_.data(), r_.data());
      report.residual = static_cast<double>(size);
      if (!math::finite(size)) return give_up();
      // In double a new matrix costs more than one more iteration with the old one; in quad it costs nothing
      // beside the residual. Close to a singular configuration an old matrix may lead to another branch of the motion.
      const bool renew = sizeof(S) > sizeof(double) || worn || (watched_ && lu_.smallest_ratio() < newton::close_pivot);
      // In quad the residual may lie below the range of double: scale it.
      const S scale = size > S(0) ? size : S(1);
      for (std::size_t i = 0; i < x_.size(); ++i) dx_[i] = static_cast<double>(r_[i] / scale);
      if (renew) {
        matrix(lu_);
        singular_ = lu_.factor(newton::singular_pivot, dx_.data());
        if (singular_ >= 0) return report.stalled = false;
        lu_.finish(dx_.data());
      } else {
        lu_.solve(dx_.data());
      }
      Correction<S> made{.reach = extent};
      for (std::size_t i = 0; i < x_.size(); ++i) {
        const S d = scale * S(dx_[i]);
        x_[i] -= d;
        S& most = i < sz(leading_) ? made.change : made.other;
        S& far = i < sz(leading_) ? made.reach : made.reach_other;
        most = math::max(most, math::abs(d));
        far = math::max(far, math::abs(x_[i]));
      }
      const auto& [change, reach, other, reach_other] = made;
      if (!math::finite(change + other)) return give_up();
      if (!(reach > S(0))) made.reach = S(1);
      report.correction = static_cast<double>(change / reach);
      bool done = corrections.add(made);
      if (corrections.contraction() > newton::growing && iteration > newton::patient_iterations &&
          change > S(newton::far_away) * reach)
        return false;
      // Close to a singular configuration round-off of the residual is magnified in the unknowns, which then come to
      // rest above their own: the residual decides.
      if (!done && corrections.rest() && change <= S(newton::coming_to_rest) * reach) {
        residual(x_.data(), r_.data());
        done = at_round_off(matrix, reach, reach_other);
      }
      done = done && corrections.others_done();
      if (done) {
        const S last = residual(x_.data(), r_.data());
        report.residual = static_cast<double>(last);
        if (!math::finite(last)) return give_up();
        // Where constraints are redundant the matrix is not that of the equations, and corrections at round-off do not
        // mean that the residual is: as long as it falls, go on.
        const S far = math::max(reach, reach_other) * S(lu_.largest_pivot());
        if (last > S(newton::residual_left) * Scalar<S>::epsilon * far && last < S(newton::residual_falling) * size &&
            extra++ < newton::extra_iterations)
          worn = true;
        else
          return !(report.stalled = false);
      } else {
        worn = corrections.wear(renew, trusted_);
      }
    }
    return false;
  }

  // The row with the largest residual, or the first that is not a number.
  int worst_row() const {
    std::size_t row = 0;
    for (std::size_t i = 0; i < r_.size() && r_[row] == r_[row]; ++i)
      if (!(math::abs(r_[i]) <= math::abs(r_[row]))) row = i;
    return static_cast<int>(row);
  }

 private:
  // Whether no row of the residual can be told from the rounding of what it is summed of.
  template <class Matrix>
  bool at_round_off(Matrix matrix, S reach, S reach_other) {
    matrix(lu_);
    lu_.row_sizes(dx_.data());
    singular_ = lu_.factor(newton::singular_pivot);  // families may solve with it after the last iteration
    if (singular_ >= 0) return false;
    for (std::size_t i = 0; i < r_.size(); ++i) {
      // The rows of the lengths are balances of momentum, which multipliers enter; the others are constraints.
      const S far = i < sz(leading_) ? math::max(reach, reach_other) : reach;
      if (!(math::abs(r_[i]) <= S(newton::row_round_off) * Scalar<S>::epsilon * S(dx_[i]) * far)) return false;
    }
    return true;
  }

  int leading_, singular_ = -1;
  bool trusted_ = false, watched_ = true;
  BlockLu lu_;
  std::vector<S> x_, r_;
  std::vector<double> dx_;
};

}  // namespace extremal
