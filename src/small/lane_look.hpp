// LaneLook: what is seen of sixteen small motions at once, with the bits that each would show by itself.
#pragma once

#include <utility>
#include <vector>

#include "small/taker.hpp"

namespace extremal {

class LaneLook {
 public:
  // Of the motions of the taker, which has to outlive it.
  LaneLook(const System& system, std::vector<Lanes> parameters, SmallTaker<Lanes>& taker);
  LaneLook(const LaneLook&) = delete;
  LaneLook& operator=(const LaneLook&) = delete;

  // As Stepper::observe. Where the mask is false somebody else has to look.
  LaneMask observe(const Motion<Lanes>& motion, bool multipliers, Observation<Lanes>& out);
  // The norms of the rows of G at a position.
  void norms(const State<Lanes>& state, std::vector<Lanes>& out);
  // A parameter of potentials has another value from now on; false where it is one of others.
  bool set(int parameter, const Lanes& value) { return evaluation_.set(parameter, value); }
  const std::vector<Lanes>& parameters() const { return evaluation_.parameters(); }

 private:
  Evaluation<Lanes> evaluation_;
  SmallTaker<Lanes>& taker_;
  std::vector<Lanes> g_, G_, g_t_;
};

}  // namespace extremal
