// SmallTables: the stages of a hamilton step, eliminated.
//
// With constant mass M the step equations (scheme/tables.hpp) are linear in the control points and can be solved for
// them. Of a step from (q, v) over h, with a_i = M^-1 f at the Lagrangian's nodes and c_j = M^-1 G_j^T lambda_j at the
// multipliers', what is left is
//   D(x) = h y(x) v + h^2 sum_i P(x)_i a_i - h^2 sum_j R(x)_j c_j,      x a node: the displacement q_d(x) - q,
//   dv   = h sum_i b_i a_i - h sum_j e_j c_j,
// so that Newton's method runs on the multipliers and on D at the nodes where G is not known before.
#pragma once

#include <memory>
#include <vector>

#include "extremal/scheme.hpp"

namespace extremal {

template <class S>
struct SmallTables {
  int s = 0;  // control points after the start
  int r = 0;  // the Lagrangian's nodes
  int J = 0;  // multipliers, none without constraints: the first at the start of the step, that of number j at
              // constraint node j - 1
  std::vector<S> b, e;
  // At the constraint's nodes, the last of which is the end: J, J x r, J x J, and the nodes.
  std::vector<S> y, P, R, x;
  // The same at the Lagrangian's nodes: r, r x r, r x J, r.
  std::vector<S> inner_y, inner_P, inner_R, inner_x;
  // All of these at the control points, s x (1 + r + J).
  std::vector<S> control;
  // The polynomial through lambda_0 .. lambda_J-1 and the end multiplier, at the nodes of the next step: J x (J + 1).
  std::vector<S> next;
  // Which of the Lagrangian's nodes a step has to be solved for: the first may be the start, and the last the end,
  // whose force acts on nothing but the momentum there.
  int first = 0, last = 0;
  bool starts = false, ends = false;  // it is so
  S end_weight{};                     // of the multiplier at the end
};

// Null where the elimination does not apply: constraints imposed elsewhere than at the start, inside and at the end,
// momenta that are not projected, tables that depend on h.
template <class S>
std::unique_ptr<SmallTables<S>> small_tables(const Galerkin& galerkin, bool constrained);

}  // namespace extremal
