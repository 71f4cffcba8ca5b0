// Rest: when the corrections of an iteration are over – they are round-off, or round-off that is magnified keeps them
// from falling not far above it.
//
// For Newton's method at one place, whose matrix is that of the place: velocities of momenta, positions on constraints,
// paths between two positions. The equations of steps end by what was contracted so far (kernel/corrections.hpp).
#pragma once

#include "extremal/scalar.hpp"

namespace extremal {

// Corrections rest that are at least `falling` times the one before, from the correction after number `patience` on, if
// they have at most `magnified` times the size of round-off.
struct RestRule {
  int patience;
  double falling, magnified;
};

namespace rest {

// How ill-conditioned a place may be: 1e8 is half the digits of double, as close to a singular configuration as
// pivots are told from zero.
constexpr RestRule velocity{1, 1, 1e3};                // of a momentum, by an exact matrix of a few coordinates
constexpr RestRule projection{1, 0.8, 1e8};            // of a momentum, and its velocity: linear but for the mass
constexpr RestRule position{2, 0.5, 1e8};              // on constraints, which may be redundant
constexpr RestRule canonical_projection{1, 0.8, 1e4};  // the same two of systems that are given by H: the matrix is
constexpr RestRule canonical_position{2, 0.5, 1e4};    // factored in the scalar itself, and never redundant
constexpr RestRule path{2, 0.5, 250};                  // between two positions, times the number of its steps

}  // namespace rest

template <class S>
class Rest {
 public:
  explicit Rest(RestRule rule) : rule_(rule) {}

  // Whether a correction of this size is the last one; `floor`: what round-off leaves of it.
  bool reached(const S& change, const S& floor) {
    const bool stalled =
        made_ > rule_.patience && change >= S(rule_.falling) * previous_ && change <= S(rule_.magnified) * floor;
    previous_ = change;
    ++made_;
    return change <= floor || stalled;
  }

 private:
  RestRule rule_;
  int made_ = 0;
  S previous_{0};
};

// What an iteration has come to: one more correction and what round-off leaves of it, or its end.
template <class S>
struct Settling {
  enum class Outcome { corrected, settled, failed };
  Outcome outcome;
  S change{}, floor{};

  static Settling corrected(const S& change, const S& floor) { return {Outcome::corrected, change, floor}; }
  static Settling settled() { return {Outcome::settled}; }
  static Settling failed() { return {Outcome::failed}; }
};

// Corrections until they rest, `most` of them; correct(k) evaluates, factors, solves and moves, and tells how far.
template <class S, class Correct>
bool settles(RestRule rule, int most, const Correct& correct) {
  Rest<S> ending(rule);
  for (int iteration = 0; iteration < most; ++iteration) {
    const Settling<S> made = correct(iteration);
    if (made.outcome != Settling<S>::Outcome::corrected) return made.outcome == Settling<S>::Outcome::settled;
    if (ending.reached(made.change, made.floor)) return true;
    if (!math::finite(made.change)) return false;
  }
  return false;
}

}  // namespace extremal
