// PhaseTables: the numbers a phase_space step is made of, on the unit interval, at the precision of the scalar.
//
// Ansatz functions are cardinal: f_a(d_b) = delta_ab at points d with d_0 = 0 and the last one 1, for whatever
// space was chosen. Pairings of ansatz functions are exact; what depends on H and g is summed over the nodes c
// with weights of its own for H_p, H_q and the constraint products.
#pragma once

#include <vector>

#include "extremal/scheme.hpp"

namespace extremal {

template <class S>
struct PhaseTables {
  int Kq = 0, Kp = 0, Kg = 0, r = 0;
  std::vector<S> c, bp, bq, bg;     // r: nodes and weights for H_p, H_q, constraint products
  std::vector<S> fq, dfq, fp, dfp;  // r x Kq, r x Kp
  std::vector<S> fg, dfg;           // r x Kg
  std::vector<S> fg0, fg1;          // Kg: values of the p_g functions at 0 and 1
  std::vector<S> force;             // Kg x Kg: their slopes at their control points
  std::vector<S> pairing_pq;        // Kp x Kq: int fp_b dfq_a
  std::vector<S> pairing_qp;        // Kq x Kp: int dfq_b fp_a
  std::vector<S> d, dp, dg;         // control points of q, p and p_g
};

// h is the length of the step: a Riemann sum of given width has more nodes the longer it is.
template <class S>
PhaseTables<S> phase_tables(const PhaseSpace& scheme, quad h);

}  // namespace extremal
