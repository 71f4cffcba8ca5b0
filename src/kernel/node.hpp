// NodeSolver: everything that is solved at one point of the motion.
//
// The matrix K = [L_vv G^T; G 0] of the tangent space serves for
//
//   the Legendre transform with projection [Wenger2017, eq. 4]
//     L_v(q, v) + G^T nu = p^,   G v + g_t = 0,
//   acceleration and multipliers [Wenger2017, eq. 70]
//     L_vv a + G^T lambda = L_q - L_vq v - L_vt,   G a = -g'',
//   and the position nearest in the mass metric
//     L_vv dq + G^T mu = 0,   g(q) = 0.
//
// It exists where L_vv is regular on the tangent space, even if L_vv itself is singular. It is factored in
// double; residuals are taken in S and Newton's iterations are the refinements. A system that is given by H has other
// matrices in its place (node_hamiltonian.cpp).
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "algebra/block_lu.hpp"
#include "algebra/lu.hpp"
#include "system/evaluation.hpp"
#include "system/hamiltonian.hpp"

namespace extremal {

template <class S>
class NodeSolver final : private BlockFill {
 public:
  explicit NodeSolver(const System& system);
  NodeSolver(const NodeSolver&) = delete;  // matrix_ may refer to evaluation_
  NodeSolver& operator=(const NodeSolver&) = delete;
  // The same terms with other parameters, as if it had been made with them. False if one has to be made: its matrices
  // would be of another kind.
  bool set(const std::vector<S>& parameters);

  // See Evaluation.
  bool set(int parameter, S value) {
    return hamiltonian_ == nullptr && evaluation_.set(parameter, value) &&
           matrix_.set(parameter, static_cast<double>(value));
  }

  // On failure: the index of the singular row of K (below n a coordinate, else a constraint), for messages.
  int singular_row() const { return singular_; }

  // From now on K is regularised to [L_vv G^T; G -eps W], W the rows' weights; residuals stay exact, so that nothing
  // changes but the choice among the multipliers of redundant constraints: those of least norm in W.
  void regularise(double eps) { eps_ = eps; }
  const std::vector<double>& row_weights() const { return row_weights_; }
  // Rows of g that depend on others at (q, t); finds scales() for the matrices and a suitable_eps to treat them with.
  std::vector<int> dependent_rows(const S* q, S t);
  double suitable_eps() const { return suitable_eps_; }
  void suitable_eps(double eps) { suitable_eps_ = eps; }
  // What coordinates and constraints are to be multiplied by, so that a mass matrix has a diagonal of 1 and rows of G
  // have that length in its metric, to powers of two; empty if that is nearly so as they are.
  const std::vector<double>& scales() const { return scales_; }
  void equilibrate(const std::vector<double>& scales);
  // After dependent_rows: which rows a combination that vanishes consists of, for one of the rows found.
  std::vector<int> dependence(int row);
  // How many rows of the last K were dependent, or close to it.
  int close_count() const { return lu_.close_count(); }

  // Projects p (n, in place) and finds v (in: a guess; out: the velocity). nu (m) may be null; it is the
  // multiplier that was taken off: p_out = p_in - G^T nu. With `free`, the constraints are left out; a coordinate
  // without inertia keeps the velocity of the guess then, and massless() is the first such.
  bool legendre(const S* q, S t, S* p, S* v, S* nu, bool free = false);
  int massless() const { return massless_; }
  // Of a system that is given by H the momentum is needed, too; without it there is none.
  bool acceleration(const S* q, const S* v, S t, S* a, S* lambda, const S* p = nullptr);
  // The norm of what is summed in an acceleration, each term by its size: what its round-off is relative to. After
  // acceleration() at the same point.
  S loads(const S* q, const S* v, S t, const S* lambda);
  // The multipliers of least norm that exert the same forces, in place: of redundant constraints a solver finds any.
  void shorten(const S* q, const S* v, S t, S* lambda);
  // q in place; false if Newton does not converge. `moved` is the largest change of a coordinate.
  bool nearest_position(S* q, S t, double& moved);
  // Whether the rows of G are independent at (q, t), of a system that is given by H.
  bool has_independent_slopes(const S* q, S t);
  // max |g|, with the row that attains it; of the rows that carry loads only (see row_weights), if asked for.
  S constraint(const S* q, S t, int* worst = nullptr, bool loaded = false);
  S hidden(const S* q, const S* v, S t);
  // g, G, g_t at (q, t) as evaluated by the last call below.
  void evaluate_constraints(const S* q, S t);
  const S* G() const { return G_.data(); }  // by evaluation().jacobian()
  const S* g_t() const { return gt_.data(); }

  Evaluation<S>& evaluation() { return evaluation_; }
  // Energies at (q, p, v); a system given by a Hamiltonian has no kinetic part of its own: all of it is `potential`.
  void energies(const S* q, const S* p, const S* v, S t, S& kinetic, S& potential);

 private:
  bool factor_schur(const S* X);
  bool tangent_momentum(const S* q, S t, S* p, S* v, S* nu);
  bool canonical_acceleration(const S* q, const S* p, S t, S* a, S* lambda);
  bool euclidean_position(S* q, S t, double& moved);
  S round_off(const S* q) const;
  void find_slots();
  bool fill(int block, double* out) override;  // of lu_
  bool factor(const S* q, const S* v, S t, bool free, double eps, bool with_rhs = false);
  bool is_factored(const S* q, S t, double eps) const;
  void find_mass(const S* q, const S* v, S t);
  void judge();  // sizes for the pivots of K
  std::vector<double> find_scales() const;
  void copy_rhs(bool free);
  // rhs_ (S) -> solution in rhs_, by the double factorisation, which may have done half of it already
  void solve(bool free, bool half_done = false);

  void hold_massless();  // of lu_free_
  std::vector<bool> find_shape();
  Evaluation<double>& matrix_of(const System& system);

  int n_, m_, singular_ = -1, massless_ = -1;
  double eps_ = 0, suitable_eps_ = 0;
  bool known_mass_ = false, judged_ = true;
  bool factored_ = false;  // lu_, at these
  S factored_t_{};
  std::vector<S> factored_q_;
  std::vector<double> row_weights_, scales_;
  Evaluation<S> evaluation_;
  std::unique_ptr<HamiltonianEvaluation<S>> hamiltonian_;  // if the system is given by one
  std::array<std::vector<S>, 4> hessian_;                  // H_qq, H_qp, H_pq, H_pp then
  Lu<S> schur_;                                            // G H_pp G^T
  std::unique_ptr<Evaluation<double>> own_matrix_;         // where S is not double
  Evaluation<double>& matrix_;
  BlockLu lu_, lu_free_;
  // Entries of lu_ by the block that they are stored with, and their places in it; where those of a block start.
  struct MassEntry {
    int entry, slot;
  };
  struct SlopeEntry {
    int entry, down, up;
  };
  struct DiagonalEntry {
    int row, slot;
  };
  struct First {
    int mass, slope, diagonal;
  };
  Array<MassEntry> mass_entries_, free_entries_;  // of lu_, and of lu_free_ in all of its data
  Array<SlopeEntry> slope_entries_;
  Array<DiagonalEntry> diagonal_entries_;
  std::vector<First> first_;
  double filled_eps_ = 0;
  std::vector<bool> shape_;         // what the places depend on besides the patterns, in one block
  std::vector<int> free_diagonal_;  // of lu_free_, in its data
  std::vector<int> inertia_at_;     // the diagonal of the mass matrix in coupling()
  std::vector<double> qd_, vd_, mass_, mobility_, rhsd_;  // mobility: g . M^-1 g of every row, M by its diagonal
  Array<S> g_, G_, gt_, Lq_, Lv_, C_, D_, rhs_, second_;
};

}  // namespace extremal
