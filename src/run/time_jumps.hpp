// time_jumps: where loads jump in time, or have kinks, inside of steps, which orders do not survive.
//
// Steps that end where a load jumps are as good as others (numbers/node_time.hpp); whether they do depends on the step.
// For f over a step with its rates, f1 - f0 - h (f0' + f1') / 2 is h^3 for a smooth f: it falls to an eighth of it
// with every halving of the step, with a kink to one half, and with a jump not at all.
#pragma once

#include <string>
#include <vector>

#include "extremal/scheme.hpp"
#include "extremal/system.hpp"

namespace extremal {

// The steps of a run from t0, whose lengths repeat.
template <class S>
struct StepTimes {
  S t0;
  long long steps;
  const std::vector<S>& lengths;
};

// What a run should say of them, with loads as they are at the given place, or nothing.
template <class S>
std::string jumps_inside(const System& system, const Scheme& scheme, const StepTimes<S>& times, const std::vector<S>& q,
                         const std::vector<S>& v);

}  // namespace extremal
