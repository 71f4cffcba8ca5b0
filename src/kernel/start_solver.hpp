// StartSolver: turns a Start into a consistent State, or refuses it with the reason.
#pragma once

#include "extremal/start.hpp"
#include "extremal/stepper.hpp"
#include "kernel/node.hpp"
#include "kernel/rank.hpp"
#include "system/start_numbers.hpp"

namespace extremal {

template <class S>
class StartSolver {
 public:
  StartSolver(const System& system, NodeSolver<S>& node) : system_(system), node_(node) {}

  // v: the consistent velocity; some Lagrangians are defined near the given one only.
  Consistency resolve(const StartNumbers<S>& start, State<S>& state, std::vector<S>& v);
  // That of the node at this state.
  const Rank& rank() const { return rank_; }
  // The momentum for which one step of the scheme leads to start.next.
  // Returns by how much the second one was moved onto the constraints.
  double two_positions(const StartNumbers<S>& start, S step, const Galerkin& scheme, State<S>& state);

 private:
  const std::vector<S>& checked(const char* what, const std::vector<S>& given) const;
  bool has_inertia_nearby(int row, const std::vector<S>& q, S t) const;
  void refuse_singular(const std::vector<S>& q, S t) const;
  // Whether rows of g depend on others, at the position that was given.
  bool nearest(std::vector<S>& q, S t, S slack, const char* what, double& moved);

  const System& system_;
  NodeSolver<S>& node_;
  Rank rank_;
};

}  // namespace extremal
