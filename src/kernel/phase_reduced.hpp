// The equations of a phase_space step (phase.hpp) in fewer unknowns, for systems given by L = T(v) - V(q, t), T with a
// constant mass M, with any forces and constraints.
//
// There H_p = M^-1 (p - c), and the A_p rows give the momenta: with W_bf = sum_i bp_i f_b f_f,
//   y_f = sum_b W^-1_fb (sum_a (<f_b, f_a'> + f_b(0) f_a(0) - f_b(1) f_a(1)) Q_a + f_b(1) E),
//   P_f = M y_f - h (p_i - c),   v(c_i) = sum_f f_f(c_i) y_f / h,
// where the functions of p~ make up a constant. Continuity gives E = Q_last, or Q_0 = 0 and E in its place, or both.
// The unknowns that are left, V and Z, are as many as those of a hamilton step of this degree with one control point
// more, and their matrix is one of blocks by bodies and joints, as its is.
#pragma once

#include <optional>
#include <vector>

#include "algebra/block_lu.hpp"
#include "kernel/phase.hpp"

namespace extremal {

// The unknowns and rows that are left, at one scalar.
template <class S>
class PhaseReduction {
 public:
  // Nothing where system or scheme are others.
  static std::optional<PhaseReduction> make(const System& system, const PhaseSpace& scheme, quad h);

  int copies() const { return copies_; }  // of V, and of the rows that belong to it
  int size() const { return copies_ * layout_.n + layout_.Kg * layout_.m; }
  // All unknowns of the step from these, with the velocities at the nodes (r n), and back.
  void expand(const PhaseStart<S>& start, const S* x, S* all, S* velocities) const;
  void contract(const S* all, S* x) const;
  // The row of all equations that a row is.
  int row(int k) const;
  void pick(const S* all, S* rows) const {
    for (int k = 0; k < size(); ++k) rows[k] = all[row(k)];
  }

  // What it is made of, for the matrix.
  const PhaseTables<S>& tables() const { return tables_; }
  const PhaseLayout& layout() const { return layout_; }
  const std::vector<S>& mass() const { return mass_; }      // by the entries of the coupling
  const std::vector<S>& to_y() const { return to_y_; }      // of V: Kp x copies
  const std::vector<S>& to_q() const { return to_q_; }      // Kq x copies
  const std::vector<S>& to_end() const { return to_end_; }  // copies

 private:
  PhaseReduction(const System& system, PhaseTables<S> tables, const PhaseLayout& layout);
  bool find_velocities();

  PhaseTables<S> tables_;
  PhaseLayout layout_;
  int copies_;
  Pattern coupling_;
  std::vector<S> mass_, momentum_;  // M by coupling_, and c
  std::vector<S> to_y_, to_q_, to_end_;
  mutable std::vector<S> y_;  // Kp x n
};

// Their matrix, in double.
class PhaseBlocks {
 public:
  PhaseBlocks(const System& system, const PhaseReduction<double>& reduction);
  // The matrix to be factored: without entries yet.
  BlockLu lu() const;
  // Adds the entries at x.
  void assemble(const PhaseStart<double>& start, const double* x, BlockLu& lu);

 private:
  void find_slots();
  void find_factors();
  void place(const PhaseStart<double>& start, const double* x);

  const System system_;
  PhaseReduction<double> reduction_;
  Evaluation<double> evaluation_;
  // By entries of coupling, copies x copies; of jacobian, copies x Kg and Kg x copies.
  std::vector<int> coupling_slots_, multiplier_slots_, constraint_slots_;
  std::vector<double> inertia_;              // copies x copies: times M
  std::vector<double> position_, velocity_;  // r x copies: of V, q and h v at the nodes
  std::vector<double> q_, v_, t_, Zs_, q1_;
  std::vector<double> A_, B_, C_, D_, K_, G_, G0_, G1_, g_, gt_, ones_;
};

}  // namespace extremal
