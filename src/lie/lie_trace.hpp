// LieTrace: what a step of the lie family leaves behind, written by whoever took it.
#pragma once

#include <algorithm>
#include <vector>

#include "lie/body_state.hpp"
#include "step/trace.hpp"

namespace extremal::lie {

template <class S>
struct LieTrace {
  S t{}, h{};                       // the step went from t over h
  std::vector<BodyState<S>> start;  // of a composition: the bodies at the start of the step
  std::vector<BodyState<S>> from;   // the bodies at the start of the last substep, if the directors took it
  bool by_directors = false;        // the directors took some substep
  bool last_by_directors = false;   // the directors took the last substep
  std::vector<S> sources;           // of the work, but for what the directors did
  S work{}, supplied{};
  Trace<S> told;  // what others read, from when somebody asks

  void begin(S time) {
    t = time;
    work = supplied = S(0);
    std::fill(sources.begin(), sources.end(), S(0));
    by_directors = last_by_directors = false;
    told.told = false;
  }
  void finish(S length) {
    h = length;
    for (const S& x : sources) {
      work += x;
      if (x > S(0)) supplied += x;
    }
  }
};

}  // namespace extremal::lie
