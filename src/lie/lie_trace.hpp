// LieTrace: what a step of the lie family leaves behind, written by whoever took it.
#pragma once

#include <algorithm>
#include <vector>

#include "lie/body_state.hpp"
#include "step/trace.hpp"

namespace extremal::lie {

template <class S>
struct LieTrace {
  // One substep.
  struct Part {
    bool by_directors = false;
    S action{};  // if the directors took it
    // Where it began. Kept in compositions and where the directors took it: of others Motion knows, and the kernel of
    // rods goes back when somebody asks.
    bool kept = false;
    std::vector<BodyState<S>> from;
    std::vector<Vec3<S>> turned;  // in compositions: Motion::free_turns
  };
  S t{}, h{};               // the step went from t over h; 0: none was taken
  std::vector<Part> parts;  // as many as a step has
  std::vector<S> sources;   // of the work, but for what the directors did
  S work{}, supplied{};
  Trace<S> told;  // what others read, from when somebody asks

  void begin(S time) {
    t = time;
    work = supplied = S(0);
    std::fill(sources.begin(), sources.end(), S(0));
    for (Part& part : parts) part.by_directors = part.kept = false;
    told.told = false;
  }
  void finish(S length) {
    h = length;
    for (const S& x : sources) {
      work += x;
      if (x > S(0)) supplied += x;
    }
  }
  // The motion was put elsewhere.
  void forget() {
    begin(S(0));
    h = S(0);
  }
  bool by_directors() const {
    return std::any_of(parts.begin(), parts.end(), [](const Part& part) { return part.by_directors; });
  }
};

}  // namespace extremal::lie
