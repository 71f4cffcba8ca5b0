// The equations of one hamilton step, as residual (in S) and as matrix (in R).
//
// Unknowns x = (z^1..z^s, mu_1..mu_U, w):  control points relative to the start, z^k = q^k - q^0; multipliers
// scaled by h^2; and, if the hidden constraint is coupled, w = h v(t1). With q_d(c) = q^0 + sum_k l_k(c) z^k,
//
//   row nu < s     delta_{nu 0} h p^0 + sum_i b_i (h^2 l_nu L_q + h l_nu' L_v)_i - sum_j e_j l_nu(phi_j) G_j^T mu_j = 0
//   row constraint g(q_d(psi_i)) = 0
//   row hidden     h (L_v(q^s, v) - p^1) = 0,  h (G v + g_t) = 0       (coupled closure only)
//
// [Wenger2017, eq. 22] and [Man2020, eqs. 30, 31, 35] with the momentum rows times h. The end momentum is the
// sum of all rows, an impulse rather than a difference divided by h:
//   p^1 = p^0 + h sum_i b_i L_q - sum_j e_j G_j^T mu_j / h.
#pragma once

#include <memory>
#include <vector>

#include "algebra/block_lu.hpp"
#include "scheme/tables.hpp"
#include "system/evaluation.hpp"

namespace extremal {

// Where the pieces of x and of the residual are.
struct GalerkinLayout {
  int n, m, s, r, J, I;
  int unknown_multipliers;  // U: J, or the degree of lambda_d where the first value is given
  int constraint_rows;      // I, or U where the variations are collected
  bool coupled;
  int size;
  template <class S>
  GalerkinLayout(const Tables<S>& tables, int n, int m);
  int z(int k) const { return k * n; }  // z^{k+1}
  int mu(int j) const { return s * n + j * m; }
  int w() const { return s * n + unknown_multipliers * m; }
  int constraint_row(int i) const { return s * n + i * m; }
  int hidden_row() const { return s * n + constraint_rows * m; }
};

// What a step starts from. lambda0 and carried are for given_lambda0: h^2 lambda at the start and the part of
// the first variation that the previous step left.
template <class S>
struct StepStart {
  const S* q;
  const S* p;
  S t, h;
  const S* lambda0 = nullptr;
  const S* carried = nullptr;
};

// Positions, velocities and constraint data at all nodes of the step, at one scalar.
template <class S>
class GalerkinPoint {
 public:
  GalerkinPoint(const System& system, const Galerkin& scheme, quad h);
  const Pattern& coupling() const { return evaluation.coupling(); }
  const Pattern& jacobian() const { return evaluation.jacobian(); }
  // G at the node of multiplier j, or of constraint row i.
  const S* G_phi(int j) const {
    return G.data() + static_cast<std::ptrdiff_t>(phi[static_cast<std::size_t>(j)]) * jacobian().size();
  }
  const S* G_psi(int i) const {
    return G.data() + static_cast<std::ptrdiff_t>(psi[static_cast<std::size_t>(i)]) * jacobian().size();
  }

  // Fills everything below from x.
  void place(const StepStart<S>& start, const S* x);
  // Multipliers (times h^2) at the nodes phi from the unknowns.
  void spread(const StepStart<S>& start, const S* x);
  void evaluate_constraints();

  Tables<S> tables;
  GalerkinLayout layout;
  Evaluation<S> evaluation;
  Array<S> q, v;  // Lagrangian nodes: r x n
  std::vector<S> t;
  Array<S> G;          // of every distinct node
  Array<S> qg, g, gt;  // distinct constraint nodes
  std::vector<S> tg;
  std::vector<int> phi, psi;  // indices into them
  std::vector<S> mu;          // J x m
  int distinct = 0;

 private:
  std::vector<S> position_, basis_;          // of the distinct nodes: in [0, 1], and distinct x (s + 1)
  S inset_{};                                // of stages at the ends, where a term jumps in time
  bool starts_ = false, evaluated_ = false;  // the first node is the start; it is so still, and has been evaluated
};

template <class S>
class GalerkinResidual {
 public:
  // h matters only where the basis has a length of its own (Galerkin::basis).
  GalerkinResidual(const System& system, const Galerkin& scheme, quad h = 1);
  // Returns the largest entry; out has layout().size entries.
  S operator()(const StepStart<S>& start, const S* x, S* out);
  // The same where nothing but multipliers have changed since the last call.
  S again(const StepStart<S>& start, const S* x, S* out);
  // p^1 - p^0 without the end multiplier, at the x of the last call.
  void impulse(S h, S* dp) const;
  S action(S h) const;
  void add_work(S h, S* out);
  S node_work(S h) const;
  // given_lambda0: what the next step's first variation needs, and lambda at the end, times h^2.
  void hand_over(const S* x, S* carried, S* lambda1);
  const GalerkinLayout& layout() const { return point_.layout; }
  const GalerkinPoint<S>& point() const { return point_; }
  GalerkinPoint<S>& point() { return point_; }

 private:
  GalerkinPoint<S> point_;
  std::vector<S> L_;
  Array<S> Lq_, Lv_;
  std::vector<S> end_q_, end_v_, end_Lq_, end_Lv_, end_g_, end_G_, end_gt_, dp_;
  Array<S> force_;  // J x n: G_j^T mu_j
};

// The blocks of the matrix below: all stages of a body, and of a joint, together.
BlockLu galerkin_lu(const System& system, const Galerkin& scheme);

// The derivative of the residual with respect to x, and with respect to the step's start.
template <class R>
class GalerkinMatrix {
 public:
  // The places of the entries are those of `lu`, or row-major if it is null. If a residual of the same scalar lends its
  // point, the matrix is always that at the x of the residual's last call.
  GalerkinMatrix(const System& system, const Galerkin& scheme, const BlockLu* lu, quad h = 1,
                 GalerkinPoint<R>* point = nullptr);
  // See Evaluation; what was lent belongs to the residual.
  bool set(int parameter, R value) {
    known_energies_ = false;
    return own_ == nullptr || own_->evaluation.set(parameter, value);
  }
  // Adds to `out`, which is zero before.
  void assemble(const StepStart<R>& start, const R* x, R* out);
  // The same in two parts: what is evaluated, and what goes where. The latter can be had block by block of `lu`, except
  // for the hidden rows.
  void evaluate(const StepStart<R>& start, const R* x);
  bool fill(int block, R* out) const;  // see BlockFill
  // Adds eps times a multiple of the rows' weights to the blocks (g_k, mu_k), as if G M^-1 G^T were
  // G M^-1 G^T + eps W: the matrix is then regular even if constraints are redundant, while the residual stays exact.
  void regularise(R eps, const double* row_weights, R* out) const;
  // After assemble: d(residual)/d(q0, p0), size x 2n, and d(p1)/d(x) (n x size), d(p1)/d(q0) (n x n); the end
  // multiplier is not part of p1. Dense: for the derivative of the step map only.
  void assemble_start(const StepStart<R>& start, R* to_start);
  void assemble_momentum(R h, R* to_x, R* to_q0) const;
  const GalerkinLayout& layout() const { return point_->layout; }

 private:
  R spread(int j, int u) const {
    const auto& table = point_->tables.spread;
    if (table.empty()) return R(j == u ? 1 : 0);
    return table[static_cast<std::size_t>(j * point_->layout.unknown_multipliers + u)];
  }
  R collect(int row, int i) const {
    const auto& table = point_->tables.collect;
    if (table.empty()) return R(row == i ? 1 : 0);
    return table[static_cast<std::size_t>(row * point_->layout.I + i)];
  }
  // An entry between two unknowns of which there are several copies: that of copies (a, b) is at to + a row + b column.
  struct Slot {
    int to, row, column;
    std::ptrdiff_t at(int a, int b) const {
      return to + static_cast<std::ptrdiff_t>(a) * row + static_cast<std::ptrdiff_t>(b) * column;
    }
  };
  void find_slots();
  template <class Out>
  bool fill_block(int block, Out out) const;
  void find_factors();
  void evaluate_energies(R h);
  void assemble_hidden(const StepStart<R>& start, const R* x, R* out);
  void find_response();

  std::unique_ptr<GalerkinPoint<R>> own_;
  GalerkinPoint<R>* point_;
  const BlockLu* lu_;
  // By blocks, with their places there: entries of coupling (momentum, z), of jacobian (momentum, mu), (constraint, z).
  struct Pair {
    int entry;
    Slot momentum_z;
  };
  struct Slope {
    int entry;
    Slot momentum_mu, constraint_z;
  };
  Array<Pair> pairs_;
  Array<Slope> slopes_;
  std::vector<int> first_pair_, first_slope_;  // of every block
  // What node `node` contributes to copies (row, column): factor times K, or G.
  struct Factor {
    int node, row, column;
    R factor;
  };
  std::vector<Factor> curvature_factors_, momentum_factors_, constraint_factors_;
  // By constraints: (constraint, mu). For the hidden rows by entries of coupling: (end momentum, z), (end momentum, w);
  // of jacobian: (end momentum, mu), (velocity, z), (velocity, w); by constraints: (velocity, mu).
  Array<Slot> constraint_mu_;
  Array<Slot> end_z_, end_w_, end_mu_, velocity_z_, velocity_w_, velocity_mu_;
  std::vector<R> response_;  // (rows of a constraint, hidden one last) x unknown multipliers: see regularise
  std::vector<R> gathered_q_, gathered_t_, ones_;
  // coupling x s x s: d(momentum)/dz without constraints; kept as long as h is the same where A, B, C, D are constants.
  Array<R> energies_;
  R energies_h_{};
  bool known_energies_ = false, needs_curvature_ = true;
  Array<R> A_, B_, C_, D_;  // r x coupling
  Array<R> K_;              // J x coupling: sum_k mu_k D^2 g_k
  std::vector<R> end_q_, end_v_, end_A_, end_B_, end_C_, end_D_, end_g_, end_G_, end_gt_, bend_;
};

}  // namespace extremal
