// Evaluation: a System at one scalar, with scratch memory sized once.
//
// Sums the derivatives of all terms at a batch of nodes:
//   Lq, Lv               gradient of L = T - V + ..., forces added to Lq (discrete Lagrange-d'Alembert),
//   A = d(Lq)/dq, B = d(Lq)/dv, C = d(Lv)/dq, D = d(Lv)/dv     (B = C^T without forces),
//   g, G = dg/dq, g_t    constraints.
// A, B, C, D are stored by the pattern coupling(), G by jacobian(); both are full or as sparse as the terms allow.
// Terms are called once per batch, never once per site; what does not depend on the point is computed once.
// Over Lanes every motion may have parameters of its own; its results are those of an Evaluation<double> with them. The
// nodes of a batch may be further motions, lane by lane with the same parameters: calls are then shared by more of
// them.
#pragma once

#include <cstdint>
#include <vector>

#include "extremal/system.hpp"
#include "system/array.hpp"
#include "system/pattern.hpp"

namespace extremal {

enum class Storage { full, sparse };

template <class S>
class Evaluation {
 public:
  // max_nodes: the largest batch that will be asked for.
  Evaluation(const System& system, int max_nodes, Storage storage = Storage::full);
  // With other values of the parameters.
  Evaluation(const System& system, std::vector<S> parameters, int max_nodes, Storage storage = Storage::full);

  int n() const { return n_; }
  int m() const { return m_; }
  bool constant_mass() const { return constant_mass_; }
  // Whether A, B, C, D are the same everywhere.
  bool constant_hessian() const { return constant_hessian_; }
  const Pattern& coupling() const { return coupling_; }  // n x n
  const Pattern& jacobian() const { return jacobian_; }  // m x n

  // count x n each; L (count values) may be null.
  void gradient(int count, const S* q, const S* v, const S* t, S* L, S* Lq, S* Lv);
  // dV/dq of the potentials alone: -Lq where the kinetic energy does not depend on q and nothing else acts.
  void potential_gradient(int count, const S* q, const S* t, S* Vq);
  // count x coupling each.
  void hessian(int count, const S* q, const S* v, const S* t, S* A, S* B, S* C, S* D);
  // Only D = Lvv, at one node.
  void mass(const S* q, const S* v, const S* t, S* D);
  // d(Lv)/dt at fixed q and v, at one node (n).
  void velocity_rate(const S* q, const S* v, const S* t, S* out);
  // g: count x m; G: count x jacobian; g_t: count x m. G may be null (then only values are computed), or g_t.
  void constraints(int count, const S* q, const S* t, S* g, S* G, S* g_t);
  // Adds factor[node] * sum_k weights[node][k] D^2 g_k to out[node] (count x coupling).
  void add_curvature(int count, const S* q, const S* t, const S* weights, const S* factor, S* out);
  // At one node, with velocity w: d(G w + g_t)/dq (jacobian) and the second time derivative of g along w
  // without the acceleration, g_qq(w, w) + 2 g_qt w + g_tt (m values). Either may be null.
  void bend(const S* q, const S* t, const S* w, S* slope, S* second);
  // Energies at one node: kinetic = v . L_v - (L + V) for the velocity-dependent part, potential the rest.
  void energies(const S* q, const S* v, const S* t, S& kinetic, S& potential);
  // Sum of L at one node.
  S lagrangian(const S* q, const S* v, const S* t);
  // All forces at one node, added up (n).
  void forces(const S* q, const S* v, const S* t, S* out);
  // Momentum maps I = p . a(q), in the order of the system's symmetry terms.
  void momenta(const S* q, const S* p, const S* t, S* out);
  int symmetry_count() const { return symmetry_count_; }
  // The vector field a(q) of symmetry `index` as n values, and (Da) v if v is not null (n values).
  void symmetry(int index, const S* q, const S* v, const S* t, S* field, S* lifted);

 private:
  enum class Block : std::uint8_t { A, B, C, D };
  // One entry of a term's packed Hessian (or of a force's gradient) and where it goes.
  struct Place {
    int from;  // within one node's results
    int to;    // position in coupling()
    Block block;
  };
  // A second derivative of an energy that does not depend on the point.
  struct Fixed {
    int i, j, to;
    Block block;
    S value;
  };
  // One entry of D^2 g_row that does not depend on the point; slope is the position of (row, i) in jacobian().
  struct Curve {
    int row, i, j, to, slope;
    S value;
  };
  struct Entry {
    const Term* term;
    const TermAt<S>* at;
    int first_row;  // of g, for constraints
    bool plain() const { return fixed && term->expanded; }
    bool fixed = false;           // its second derivatives are constants, and in fixed_ or curves_
    std::vector<Place> hessian;   // energies and constraints that are not fixed; forces
    std::vector<Place> jacobian;  // constraints: from the gradient to jacobian()
  };
  Nodes<S> nodes(int count, const S* q, const S* v, const S* t) const {
    return {count, n_, q, v, t, parameters_.data(), static_cast<int>(parameters_.size())};
  }
  static bool is_zero(const S& x) { return all(equal(x, S(0))); }
  static S sign(const Term& term) { return term.role == Role::potential ? S(-1) : S(1); }
  void sort_terms(const System& system, int max_nodes);
  void find_patterns(Storage storage);
  void find_places();
  void expand();
  void find_direct();
  void plain_gradient(int count, const S* q, const S* v, S* L, S* Lq, S* Lv) const;
  void add_gradient(const Entry& entry, const Nodes<S>& at, S* L, S* Lq, S* Lv);
  void plain_constraints(int count, const S* q, S* g, S* G);
  template <class Visit>
  void fixed_entries(const Entry& entry, Visit visit);
  template <class Visit>
  static void all_entries(const Entry& entry, Visit visit);
  std::vector<bool> structural_gradient(const Entry& entry, Storage storage);

  int n_, m_, symmetry_count_ = 0;
  bool constant_mass_ = true, constant_hessian_ = true;
  Pattern coupling_, jacobian_;
  std::vector<Entry> energy_, force_, constraint_, symmetry_;
  // Of small systems: the only constraint, and the only potential, if their results are just what is asked for.
  const TermAt<S>*direct_constraint_ = nullptr, *direct_potential_ = nullptr;
  // Terms that are expanded need no calls: the first fixed_plain_ entries are theirs, and these are their values and
  // gradients at zero.
  Array<Fixed> fixed_;
  Array<Curve> curves_;
  std::size_t fixed_plain_ = 0, batch_ = 1;
  S plain_L_{};
  // What the slopes of their constraints need of curves_, by slopes.
  struct Bend {
    int slope, j;
    S value;
  };
  Array<Bend> bends_;
  Array<S> plain_Lq_, plain_g_, plain_G_, scratch_G_;
  Array<int> plain_rows_;
  std::vector<S> parameters_;
  std::vector<S> value_, gradient_, packed_, weights_;
};

}  // namespace extremal
