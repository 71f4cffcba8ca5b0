// LivensRule: the equations of one step of a livens member, their matrix, and how a step ends.
//
// Unknowns come in copies of the coordinates, all of them lengths, and in sets of multipliers:
//
//   ggl          w = h v, z = q1 - q0, u = h M^-1 p1; Lambda (times h), Gamma          [Kinon2023, eq. 57, corrected]
//     M w - h p0 - h^2 F(q0, v) + G(q0)^T Lambda = 0,   M (z - w) - G(qbar)^T Gamma = 0,   qbar = q0 + w,
//     M (u - w) + K^T Gamma = 0,   g(q0 + z) = 0,   G(qbar) u + h g_t(qbar) = 0
//   ggl_adjoint  u = h M^-1 P, y = qbar - q0, w = q1 - qbar; Lambda, Gamma
//     M u - h p0 + G(q0)^T Lambda = 0,   M y - G(qbar)^T Gamma = 0,   qbar = q0 + y,
//     M (w - u) + K^T Gamma = 0,   g(qbar + w) = 0,   G(qbar) u + h g_t(qbar) = 0;   p1 = M w / h + h F(q1, w / h)
//   energy_momentum   z; Lambda                                                                      [Gonzalez1999]
//     M z - h p0 - h^2/2 F(q0, q1) + 1/2 G(q0, q1)^T Lambda = 0,   g(q0 + z) = 0;   p1 = 2 M z / h - p0
//
// and two in files of their own, livens_galerkin.hpp and energy_momentum_ggl.hpp,
// with F = -DV and all forces, K = d(G(qbar) u + h g_t(qbar))/dqbar, and t at the end of the step in g, G and K of ggl,
// at its start in G and K of the adjoint. Without M^-1 the matrix has the graph of bodies and joints.
#pragma once

#include <memory>
#include <vector>

#include "extremal/scheme.hpp"
#include "system/evaluation.hpp"

namespace extremal {

template <class T>
struct LivensStart {
  const T *q = nullptr, *p = nullptr;
  T t{}, h{};
};

// A summand of the matrix: factor * values in the rows and columns of two groups, copies first, then multipliers.
enum class PieceShape { coupling, slope, transposed };  // n x n, m x n by the jacobian, its transpose
template <class T>
struct Piece {
  PieceShape shape;
  int row, column;
  const T* values;
  T factor;
};

template <class T>
class LivensRule {
 public:
  LivensRule(const System& system, const Livens& scheme, int copies, int sets);
  LivensRule(const LivensRule&) = delete;  // pieces refer to values
  LivensRule& operator=(const LivensRule&) = delete;
  virtual ~LivensRule() = default;

  int n() const { return n_; }
  int m() const { return m_; }
  int copies() const { return copies_; }
  int sets() const { return sets_; }
  int size() const { return copies_ * n_ + sets_ * m_; }
  // The first unknown (or row) of a group.
  int first(int group) const { return group < copies_ ? group * n_ : copies_ * n_ + (group - copies_) * m_; }
  const Pattern& coupling() const { return evaluation_.coupling(); }
  const Pattern& jacobian() const { return evaluation_.jacobian(); }

  // Evaluates what no unknown changes; the start must stay in place until the step has ended.
  virtual void begin(const LivensStart<T>& start) = 0;
  // The rule's guess from the velocity at the start; multipliers are zero.
  virtual void guess(const T* v, T* x) const = 0;
  // Fills r and returns its largest entry.
  virtual T residual(const T* x, T* r) = 0;
  // Brings pieces() up to date; with `start`, start_pieces() and what end_tangent() needs as well.
  virtual void linearise(const T* x, bool start) = 0;
  const std::vector<Piece<T>>& pieces() const { return pieces_; }
  // d(residual)/d(q0), column 0; d(residual)/d(p0) is -h in the rows of the first group.
  const std::vector<Piece<T>>& start_pieces() const { return start_pieces_; }
  // The Schur complement of one constraint with M and G replaced by 1: sets x sets.
  virtual const double* schur() const = 0;

  // Of the solution, after residual(x): increments of q and p, the discrete action.
  virtual void end(const T* x, T* dq, T* dp) = 0;
  virtual T action(const T* x) = 0;
  // As Taker::tell adds it.
  virtual void add_work(const T* x, T* out) = 0;
  // (dq0, dp0, dx) -> (dq1, dp1), after linearise(x, true).
  virtual void end_tangent(const T* dq0, const T* dp0, const T* dx, T* dq1, T* dp1) const = 0;
  const T* mass() const { return mass_.data(); }  // by coupling()
  // How much round-off of the terms is amplified in the unknowns, as a length; 0: not.
  virtual T extent() const { return T(0); }
  // Where the multipliers of g are in a step; and these, of the solution and of what the projection took off.
  const std::vector<T>& multiplier_nodes() const { return multiplier_nodes_; }
  virtual void multipliers(const T* x, const T* nu, T* out) const = 0;
  // Adds the impulses of the multipliers of G v = 0.
  virtual void add_gamma(const T* /*x*/, T* /*out*/) const {}
  // q, p at the start -> at t + c h. False, and nothing has happened: on straight lines to the end.
  virtual bool inside(const T* /*x*/, T /*c*/, T* /*q*/, T* /*p*/) { return false; }

 protected:
  void add_mass(const T* x, T f, T* y) const { add_product(inertia_, inertias_.data(), x, f, y); }
  // L without its kinetic part is weighted like the force: that is the perturbation.
  T weighted_lagrangian(const T* q, const T* v, T t);
  // d/ds of sum_k gamma_k D^2 g_k at (q + s u, t + s h).
  void third_derivative(const T* q, T t, const T* u, const T* gamma, T* out);
  // Whether third derivatives of g are not zero, or it depends on t.
  bool curved() const;
  std::vector<T> slopes() const { return std::vector<T>(static_cast<std::size_t>(jacobian().size())); }
  std::vector<T> couplings() const { return std::vector<T>(static_cast<std::size_t>(coupling().size())); }
  std::vector<T> coordinates() const { return std::vector<T>(static_cast<std::size_t>(n_)); }
  std::vector<T> rows() const { return std::vector<T>(static_cast<std::size_t>(m_)); }

  const System system_;
  int n_, m_, copies_, sets_;
  Evaluation<T> evaluation_;
  T weight_;                        // of the force: 1, or perturbed
  std::vector<T> mass_, momentum_;  // L_v = M v + momentum_
  Pattern inertia_;                 // the entries of M that are not zero,
  std::vector<T> inertias_;         // and these
  std::vector<Piece<T>> pieces_, start_pieces_;
  LivensStart<T> start_;
  std::vector<T> force_, ignored_, line_;
  std::vector<T> multiplier_nodes_;
  bool forced_;
};

template <class T>
std::unique_ptr<LivensRule<T>> livens_rule(const System& system, const Livens& scheme);

// ggl and its adjoint.
template <class T>
class Ggl final : public LivensRule<T> {
 public:
  Ggl(const System& system, const Livens& scheme);
  void begin(const LivensStart<T>& start) override;
  void guess(const T* v, T* x) const override;
  T residual(const T* x, T* r) override;
  void linearise(const T* x, bool start) override;
  const double* schur() const override;
  void end(const T* x, T* dq, T* dp) override;
  T action(const T* x) override;
  void add_work(const T* x, T* out) override;
  void end_tangent(const T* dq0, const T* dp0, const T* dx, T* dq1, T* dp1) const override;
  void multipliers(const T* x, const T* nu, T* out) const override;
  void add_gamma(const T* x, T* out) const override;

  // The rows in parts, for GglSolver.
  bool adjoint() const { return adjoint_; }
  const LivensStart<T>& start() const { return this->start_; }
  // What the first row has of the start, h (p0 - c) + h^2 F of ggl, h (p0 - c) of the adjoint.
  void push(const T* x, T* out);
  // qbar, q1, and everything of g that the residual and the matrix share.
  void place(const T* x);
  // The same with another u: only the bend is; and with other lengths to the end: only q1.
  void turn(const T* u);
  void reach(const T* x);
  // G at the start and at qbar, and the bend there, h d(G v + g_t)/dq of u = h v.
  const std::vector<T>& slope_start() const { return G0_; }
  const std::vector<T>& slope_bar() const { return Gbar_; }
  const std::vector<T>& bend() const { return bend_; }
  // The rows of g(q1) and the hidden ones.
  void close(const T* x, T* position, T* hidden_rows);

 private:
  // The groups of the unknowns.
  int to_bar() const { return adjoint_ ? 1 : 0; }    // qbar = q0 + this one
  int velocity() const { return adjoint_ ? 2 : 0; }  // w = h v
  int hidden() const { return adjoint_ ? 0 : 2; }    // u, which meets the hidden constraint
  T bar_time() const { return adjoint_ ? this->start_.t : this->start_.t + this->start_.h; }
  void evaluate_force(const T* q, const T* w, T t);

  // Of the force: the start, or the end of the adjoint.
  T force_time() const;

  bool adjoint_, curved_;
  T inset_;  // numbers/node_time.hpp
  std::vector<T> bar_, end_, v_, g_, G0_, Gbar_, G1_, gt_, gt_bar_, bend_, S_, S0_, third_, B_, C_, D_, A0_;
};

}  // namespace extremal
