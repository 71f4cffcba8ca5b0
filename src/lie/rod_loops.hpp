// The loops of a rod step over a block of nodes, compiled for several instruction sets and chosen at run time.
//
// Every loop runs over a multiple of rod_lanes slots, so that no vector is left half filled. Its body is straight-line:
// the functions of rotation_step.hpp and rod_element.hpp, a lane per node. Products and sums are never contracted and
// roots and quotients are correctly rounded, so that every instruction set gives the same bits.
#pragma once

#include <cstddef>

#include "extremal/detail/instructions.hpp"

namespace extremal::lie {

inline constexpr std::size_t rod_lanes = 8;

// Pointers at the first slot of a block.
template <class S>
struct NodeArrays {
  S *x[3], *q[4], *p[3], *pi[3];
};
template <class S>
struct InertiaArrays {
  const S *mass, *inverse_mass, *inverse_inertia[3], *asymmetry;  // asymmetry: (J3 - J2)/J1
};
template <class S>
struct ElementArrays {
  const S *force_rate[3], *force0[3], *moment_rate[3], *moment0[3];  // RodLaw
};
// What the elements of a block do to its nodes: entry i of the element between nodes i and i + 1, entry -1 of the one
// before the block.
template <class S>
struct ForceArrays {
  S *n[3], *m[3], *c[3];  // RodForces
};

// P <- decay P + weight (force + mass * gravity)
template <class S>
struct Kick {
  S decay, weight, gravity[3];
};

template <class S>
struct RodLoops {
  // x and q over a time h. [uniform: entry 0 of the inertia is that of all][round: no asymmetry]. False if the rotation
  // of a node does not exist.
  bool (*drift[2][2])(std::size_t n, const NodeArrays<S>&, const InertiaArrays<S>&, S h);
  // [uniform: entry 0 of the elements is that of all]. Reads n + 1 nodes.
  void (*elements[2])(std::size_t n, const NodeArrays<S>&, const ElementArrays<S>&, const ForceArrays<S>&);
  void (*kick[2])(std::size_t n, const NodeArrays<S>&, const InertiaArrays<S>&, const ForceArrays<S>&, const Kick<S>&);
  // Forces and torques on the nodes, written to f and tau; mass * gravity added.
  void (*sum[2])(std::size_t n, S* const f[3], S* const tau[3], const InertiaArrays<S>&, const ForceArrays<S>&,
                 const S gravity[3]);
};

// For scalars other than double there is the baseline only.
template <class S>
const RodLoops<S>& rod_loops(Instructions instructions);

}  // namespace extremal::lie
