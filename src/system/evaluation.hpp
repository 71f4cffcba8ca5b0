// Evaluation: a System at one scalar, with scratch memory sized once.
//
// Sums the derivatives of all terms at a batch of nodes:
//   Lq, Lv               gradient of L = T - V + ..., forces added to Lq (discrete Lagrange-d'Alembert),
//   A = d(Lq)/dq, B = d(Lq)/dv, C = d(Lv)/dq, D = d(Lv)/dv     (B = C^T without forces),
//   g, G = dg/dq, g_t    constraints.
// A, B, C, D are stored by the pattern coupling(), G by jacobian(); both are full or as sparse as the terms allow.
// Terms are called once per batch, never once per site; what does not depend on the point is computed once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algebra/array.hpp"
#include "algebra/pattern.hpp"
#include "extremal/system.hpp"
#include "system/repeats.hpp"

namespace extremal {

enum class Storage { full, sparse };

// Whether energy goes in or out by it: forces, and what depends on time.
inline bool does_work(const Term& term) {
  return term.role == Role::force || (term.uses_time && term.role != Role::symmetry);
}
// Whether some term jumps in time (numbers/node_time.hpp).
inline bool has_jumps(const System& system) {
  return std::any_of(system.terms().begin(), system.terms().end(), [](const auto& term) { return term->jumps; });
}
inline bool does_work(const System& system) {
  return std::any_of(system.terms().begin(), system.terms().end(), [](const auto& term) { return does_work(*term); });
}

template <class S>
class Evaluation {
 public:
  // max_nodes: the largest batch that will be asked for.
  Evaluation(const System& system, int max_nodes, Storage storage = Storage::full);
  // With other parameters than those of the system. Over Lanes an entry is left out where it is zero in all of them.
  Evaluation(const System& system, std::vector<S> parameters, int max_nodes, Storage storage = Storage::full);
  // The same terms with other parameters. False if another Evaluation has to be made: patterns, or what is expanded,
  // would be others.
  bool set(const std::vector<S>& parameters);
  const std::vector<S>& parameters() const { return parameters_; }

  // From now on a parameter has this value. False, and the evaluation is of no use any more, if what others may have
  // kept changes with it – masses, constraints – or the patterns do.
  bool set(int parameter, const S& value);

  int n() const { return n_; }
  int m() const { return m_; }
  bool constant_mass() const { return constant_mass_; }
  // Whether A, B, C, D are the same everywhere.
  bool constant_hessian() const { return constant_hessian_; }
  const Pattern& coupling() const { return coupling_; }  // n x n
  const Pattern& jacobian() const { return jacobian_; }  // m x n

  // count x n each; L (count values) may be null.
  void gradient(int count, const S* q, const S* v, const S* t, S* L, S* Lq, S* Lv);
  // count x coupling each. Without A and B, and C, if they are null: terms without velocities are then left alone.
  void hessian(int count, const S* q, const S* v, const S* t, S* A, S* B, S* C, S* D);
  // Only D = Lvv, at one node.
  void mass(const S* q, const S* v, const S* t, S* D);
  // d(Lv)/dt at fixed q and v, at one node (n).
  void velocity_rate(const S* q, const S* v, const S* t, S* out);
  // g: count x m; G: count x jacobian; g_t: count x m. G and g_t may be null (then only values are computed).
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
  // At one node, adds factor times the power of every source: of each force term f . v, and last -dL/dt at fixed q and
  // v, what a Lagrangian that depends on time changes the energy by.
  int source_count() const { return static_cast<int>(force_.size()) + 1; }
  void add_work(const S* q, const S* v, const S* t, S factor, S* out);
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
  static Block block(bool row_is_velocity, bool column_is_velocity);
  static S sign(const Term& term) { return term.role == Role::potential ? S(-1) : S(1); }
  void sort_terms(const System& system, int max_nodes);
  void find_patterns();
  void find_places();
  bool find_fixed();  // fixed_ of the energies; false if the pattern has no place for an entry
  void make_room();
  bool has_slopes(const Entry& entry);
  void expand();
  void expand_energies();
  void size_scratch(bool everything);
  void tabulate_gradient();
  void tabulate_constraints(const std::vector<int>& rows, const std::vector<S>& g, const std::vector<S>& G);
  void plain_gradient(int count, const S* q, const S* v, S* L, S* Lq, S* Lv) const;
  void plain_constraints(int count, const S* q, S* g, S* G);
  template <class Visit>
  void fixed_entries(const Entry& entry, Visit visit);
  template <class Visit>
  static void all_entries(const Entry& entry, Visit visit);
  std::vector<bool> structural_gradient(const Entry& entry);

  int n_, m_, symmetry_count_ = 0;
  Storage storage_;
  bool constant_mass_ = true, constant_hessian_ = true;
  Pattern coupling_, jacobian_;
  std::vector<Entry> energy_, force_, constraint_, symmetry_;
  Array<Fixed> fixed_;
  Array<Curve> curves_;
  // Terms that are expanded need no calls (evaluation_plain.cpp): the first fixed_plain_ entries are theirs, this is
  // their value at zero, and the gradient there.
  std::size_t fixed_plain_ = 0, batch_ = 1;
  S plain_L_{};
  Array<S> plain_Lq_;
  // What they are of the coordinates, in tables of one period of rows that repeat themselves. Of the gradient:
  // constants (Lq), multiples of velocities (Lv), multiples of positions (Lq); of constraints: constants (g), bends
  // (what slopes are of positions), slopes (columns and constants).
  struct Multiple {
    S value;
    int of;
  };
  struct Part {
    S value;
    int to, of;  // to: row of the period, or slope; of: column, in the first period
  };
  struct Table {
    Repeat run;
    int constants, first, first_end, second, second_end;
    int ends = 0;  // where the slopes of every row end, in row_ends_
  };
  std::vector<Table> gradient_tables_, constraint_tables_;
  Array<Part> of_velocities_, of_positions_, bends_;
  Array<S> gradient_constants_, constants_, slope_constants_, scratch_G_;
  Array<int> slope_columns_, row_ends_;
  int plain_rows_ = 0;
  std::vector<S> parameters_;
  std::vector<S> value_, gradient_, packed_, weights_;
};

}  // namespace extremal
