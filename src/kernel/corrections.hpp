// Corrections: when Newton's method for the equations of a step is over, and when its matrix serves once more, by the
// corrections made so far.
//
// Of Newton (newton.hpp) and of lie/rotation_solver.hpp, which solve for other unknowns and end alike. A tolerance on
// the residual alone either spins or drifts: it is the measured contraction that says that the next correction lies
// below round-off.
#pragma once

#include <algorithm>

#include "extremal/scalar.hpp"

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

// Of the unknowns that are lengths, whose reach sets the scale of round-off, and of the others (multipliers, momenta),
// which are judged by their own: the largest change, and the largest unknown.
template <class S>
struct Correction {
  S change{0}, reach{0}, other{0}, reach_other{0};
};

template <class S>
class Corrections {
 public:
  int made() const { return made_; }
  // Of the last one to that before it; 1 of the first.
  double contraction() const { return contraction_; }
  // Whether the lengths no longer fall: by round-off, if they are small.
  bool rest() const { return made_ > 1 && contraction_ >= newton::no_longer_falling; }

  // Takes note of one more; whether it was the last that the lengths need. The next one would be about contraction *
  // change; or round-off keeps them from falling.
  bool add(const Correction<S>& next) {
    const S floor = Scalar<S>::epsilon * next.reach;
    bool done = next.change <= S(newton::at_floor) * floor;
    contraction_other_ = 1;
    if (made_++ > 0) {
      contraction_ = static_cast<double>(next.change / last_.change);
      if (last_.other > S(0)) contraction_other_ = static_cast<double>(next.other / last_.other);
      done = done || S(contraction_) * next.change <= S(newton::left_over) * floor ||
             (rest() && next.change <= S(newton::small_at_rest) * floor);
      best_ = std::min({best_, contraction_, contraction_other_});
    }
    last_ = next;
    return done;
  }
  // Whether it was the last that the others need. A guess may have exact positions and poor multipliers. The best
  // contraction so far tells how good the matrix is, for these as for the positions.
  bool others_done() const {
    const S left = S(std::max(best_, newton::last_digits)) * last_.other;
    // In double the second correction of the others is at their floor already, which their reach underestimates.
    const bool stalled = made_ > 1 && (contraction_other_ >= newton::no_longer_falling || sizeof(S) == sizeof(double));
    return stalled || left <= S(newton::left_over) * Scalar<S>::epsilon * last_.reach_other;
  }
  // Whether a new matrix pays. One costs as much as a few more iterations with the old one. After a correction with a
  // new matrix Newton's method converges quadratically: the next correction is contraction^2 times the last one, and
  // with the matrix that it was found with, which is as old as that correction is long, those after it fall by twice
  // this factor. After one with an old matrix they go on as they did. `trusted`: the matrix of a small first correction
  // serves for the second.
  bool wear(bool renewed, bool trusted) const {
    if (made_ == 1) return !(trusted && last_.change <= S(newton::short_correction) * last_.reach);
    const double next = renewed ? contraction_ * contraction_ : contraction_, rate = renewed ? 2 * next : next;
    return !(static_cast<double>(last_.change / last_.reach) * next * rate * rate * rate <=
             newton::left_over * Scalar<double>::epsilon);
  }

 private:
  int made_ = 0;
  double contraction_ = 1, contraction_other_ = 1, best_ = 1;
  Correction<S> last_;
};

}  // namespace extremal
