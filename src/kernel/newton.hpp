// Newton: one solver for the step equations of every family.
//
// The residual is taken in S, the matrix in double: each iteration gains the digits of double, so quad costs one
// or two iterations more than double and no factorisation in quad. It stops when the measured contraction says
// that the next correction lies below round-off: a tolerance on the residual alone either spins or drifts.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "algebra/block_lu.hpp"
#include "extremal/stepper.hpp"
#include "numbers/index.hpp"

namespace extremal {

// What Newton's method compares with.
namespace newton {

constexpr int most_iterations = 30;

// When to stop. Corrections and what is left of them are told in units of round-off, epsilon times the largest unknown.
constexpr double at_floor = 2;             // a correction of so many units is round-off
constexpr double left_over = 0.05;         // what the next correction may be, so that it need not be made
constexpr double no_longer_falling = 0.5;  // a contraction above this is that of round-off, if the correction ...
constexpr double small_at_rest = 400;      // ... has at most so many units
constexpr double coming_to_rest = 1e-5;  // a correction so small, relative to the unknowns, may have come to rest above
                                         // its own round-off: the residual decides
constexpr double row_round_off = 16;     // units of what a row is summed of: the residual cannot be told from rounding
constexpr double last_digits = 0x1p-46;  // what a correction solved in double leaves of itself at least

// When to go on though corrections are at round-off: redundant constraints, whose matrix is not that of the equations.
constexpr double residual_left = 200;     // units of pivot times unknown above which the residual is not round-off
constexpr double residual_falling = 0.5;  // by what it has to fall
constexpr int extra_iterations = 6;

// When to give up.
constexpr double growing = 2;          // a contraction above this ...
constexpr int patient_iterations = 4;  // ... after so many iterations ...
constexpr double far_away = 1e-3;      // ... with corrections so large, relative to the unknowns
constexpr double singular_pivot = 16 * Scalar<double>::epsilon;  // relative to what it was subtracted from

// When a matrix serves once more.
constexpr double close_pivot = 1e-4;       // below this ratio of pivots, close to a singular configuration, none does
constexpr double short_correction = 1e-4;  // after a first correction so small, relative to the unknowns, it does

}  // namespace newton

template <class S>
class Newton {
 public:
  static constexpr int max_iterations = newton::most_iterations;

  // `leading`: how many of the unknowns are lengths; they set the scale of round-off. The others (multipliers,
  // momenta) are judged by their own size.
  Newton(BlockLu lu, int leading)
      : leading_(leading), lu_(std::move(lu)), x_(sz(lu_.size())), r_(sz(lu_.size())), dx_(sz(lu_.size())) {}

  BlockLu& lu() { return lu_; }
  // Whether the matrix of a small first correction serves for the second as well. Not where loops may be singular: an
  // old matrix may lead to another branch of the motion there.
  void trust_first_matrix(bool trust) { trusted_ = trust; }

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
    S previous(0), previous_other(0);
    double contraction = 1, best = 1;
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
      const bool renew =
          sizeof(S) > sizeof(double) || worn || (!trusted_ && lu_.smallest_ratio() < newton::close_pivot);
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
      S change(0), reach = extent, change_other(0), reach_other(0);
      for (std::size_t i = 0; i < x_.size(); ++i) {
        const S d = scale * S(dx_[i]);
        x_[i] -= d;
        S& most = i < sz(leading_) ? change : change_other;
        S& far = i < sz(leading_) ? reach : reach_other;
        most = math::max(most, math::abs(d));
        far = math::max(far, math::abs(x_[i]));
      }
      if (!math::finite(change + change_other)) return give_up();
      if (!(reach > S(0))) reach = S(1);
      const S floor = Scalar<S>::epsilon * reach;
      report.correction = static_cast<double>(change / reach);
      bool done = change <= S(newton::at_floor) * floor;
      double contraction_other = 1;
      if (iteration > 0) {
        contraction = static_cast<double>(change / previous);
        if (previous_other > S(0)) contraction_other = static_cast<double>(change_other / previous_other);
        // The next correction would be about contraction * change; or round-off keeps them from falling.
        const bool rests = contraction >= newton::no_longer_falling;
        done = done || S(contraction) * change <= S(newton::left_over) * floor ||
               (rests && change <= S(newton::small_at_rest) * floor);
        if (contraction > newton::growing && iteration > newton::patient_iterations &&
            change > S(newton::far_away) * reach)
          return false;
        // Close to a singular configuration round-off of the residual is magnified in the unknowns, which then come to
        // rest above their own: the residual decides.
        if (!done && rests && change <= S(newton::coming_to_rest) * reach) {
          residual(x_.data(), r_.data());
          done = at_round_off(matrix, reach, reach_other);
        }
      }
      // A guess may have exact positions and poor multipliers. The best contraction so far tells how good the matrix
      // is, for these as for the positions; a correction solved in double leaves 2^-46 of itself at least.
      if (iteration > 0) best = std::min({best, contraction, contraction_other});
      const S left = S(std::max(best, newton::last_digits)) * change_other;
      // In double the second correction of the others is at their floor already, which reach_other underestimates.
      const bool stalled =
          iteration > 0 && (contraction_other >= newton::no_longer_falling || sizeof(S) == sizeof(double));
      done = done && (stalled || left <= S(newton::left_over) * Scalar<S>::epsilon * reach_other);
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
        worn = is_worn(iteration, renew, contraction, change, reach);
      }
      previous = change;
      previous_other = change_other;
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
  // Whether a new matrix pays. One costs as much as a few more iterations with the old one. After a correction with a
  // new matrix Newton's method converges quadratically: the next correction is contraction^2 times the last one, and
  // with the matrix that it was found with, which is as old as that correction is long, those after it fall by twice
  // this factor. After one with an old matrix they go on as they did.
  bool is_worn(int iteration, bool renewed, double contraction, S change, S reach) const {
    if (iteration == 0) return !(trusted_ && change <= S(newton::short_correction) * reach);
    const double next = renewed ? contraction * contraction : contraction, rate = renewed ? 2 * next : next;
    return !(static_cast<double>(change / reach) * next * rate * rate * rate <=
             newton::left_over * Scalar<double>::epsilon);
  }
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
  bool trusted_ = false;
  BlockLu lu_;
  std::vector<S> x_, r_;
  std::vector<double> dx_;
};

}  // namespace extremal
