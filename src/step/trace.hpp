// Trace: what a step leaves behind, written once by the taker that took it and read by everybody. Whatever is asked of
// the last step is answered from here; no step is taken again.
#pragma once

#include <cstddef>
#include <vector>

#include "step/motion.hpp"

namespace extremal {

// Of one substep: where it started, and what was solved for.
template <class S>
struct TracePart {
  int taker = 0;           // by its number in the Plan
  int number = 0;          // of the substep in its step
  S t{}, h{};              // from t over h
  std::vector<S> q, p, v;  // the start
  std::vector<S> dq, dp;   // the increments, that of p projected in the end
  std::vector<S> x;        // the taker's unknowns
  std::vector<S> lambda0;  // closure position at control points: h^2 lambda at the start, and the part of the first
  std::vector<S> carried;  // variation that the step before left
  std::vector<S> nu;       // what the projection took off: p1 = p + dp - G^T nu
};

// The work of a step: what all sources did, and what was supplied by those that did a positive one.
template <class S>
struct Work {
  S done{}, supplied{};
};

template <class S>
struct Trace {
  enum class By { nobody, small, general };
  By by = By::nobody;  // who took the last step
  S h{};               // its length
  Motion<S> before;    // where the step began
  // Whether all that follows has been told. Of a small step it is when somebody asks.
  bool told = true;
  // The substeps; `count` of them are those of the last step.
  std::vector<TracePart<S>> parts;
  std::size_t count = 0;
  // Of all substeps: the discrete action, and the work source by source as Evaluation::add_work has it.
  S action{};
  std::vector<S> sources;
  // The impulse of the multiplier of G v = 0 over all substeps; empty if the scheme has none.
  std::vector<S> gamma;
  // Of the last substep: see Stepper.
  std::vector<S> multipliers, multiplier_nodes, node_multiplier;
  S node_weight{}, node_work{};

  Work<S> work() const {
    Work<S> out;
    for (const S& x : sources) {
      out.done += x;
      if (x > S(0)) out.supplied += x;
    }
    return out;
  }
};

}  // namespace extremal
