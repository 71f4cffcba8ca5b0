// Evaluation: a System at one scalar, with scratch memory sized once.
//
// Sums the derivatives of all terms at a batch of nodes and scatters them into dense arrays:
//   Lq, Lv               gradient of L = T - V + ..., forces added to Lq (discrete Lagrange-d'Alembert),
//   A = d(Lq)/dq, B = d(Lq)/dv, C = d(Lv)/dq, D = d(Lv)/dv     (B = C^T without forces),
//   g, G = dg/dq, g_t    constraints.
// Terms are called once per batch, never once per site.
#pragma once

#include <vector>

#include "extremal/system.hpp"

namespace extremal {

template <class S>
class Evaluation {
 public:
  // max_nodes: the largest batch that will be asked for.
  Evaluation(const System& system, int max_nodes);

  int n() const { return n_; }
  int m() const { return m_; }
  bool constant_mass() const { return constant_mass_; }

  // count x n each; L (count values) may be null.
  void gradient(int count, const S* q, const S* v, const S* t, S* L, S* Lq, S* Lv);
  // count x n x n each, row-major.
  void hessian(int count, const S* q, const S* v, const S* t, S* A, S* B, S* C, S* D);
  // Only D = Lvv, at one node.
  void mass(const S* q, const S* v, const S* t, S* D);
  // d(Lv)/dt at fixed q and v, at one node (n).
  void velocity_rate(const S* q, const S* v, const S* t, S* out);
  // g: count x m; G: count x m x n; g_t: count x m. G and g_t may be null (then only values are computed).
  void constraints(int count, const S* q, const S* t, S* g, S* G, S* g_t);
  // Adds factor[node] * sum_k weights[node][k] D^2 g_k to out[node] (count x n x n).
  void add_curvature(int count, const S* q, const S* t, const S* weights, const S* factor, S* out);
  // At one node, with velocity w: d(G w + g_t)/dq (m x n) and the second time derivative of g along w
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
  struct Entry {
    const Term* term;
    const TermAt<S>* at;
    int first_row;                  // of g, for constraints
    bool constant_hessian = false;  // polynomial of degree two, time-independent
    std::vector<S> cached_hessian;  // site x packed, if constant_hessian
  };
  Nodes<S> nodes(int count, const S* q, const S* v, const S* t) const {
    return {count, n_, q, v, t, parameters_.data()};
  }
  static S sign(const Term& term) { return term.role == Role::potential ? S(-1) : S(1); }
  const S* energy_hessian(const Entry& entry, const Nodes<S>& at);
  template <class Add>
  void scatter_hessian(const Entry& entry, int count, const S* packed, bool repeated, Add add) const;

  int n_, m_, symmetry_count_ = 0;
  bool constant_mass_ = true;
  std::vector<Entry> energy_, force_, constraint_, symmetry_;
  std::vector<S> parameters_;
  std::vector<S> value_, gradient_, packed_, weights_;
};

}  // namespace extremal
