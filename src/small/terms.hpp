// SmallTerms: a separable system with constant mass, L = v . M v / 2 - V(q, t), evaluated densely and without detours.
//
// What a kernel with eliminated stages needs of a system with few coordinates: forces and constraints at a batch of
// nodes, straight from the terms where these are laid out as the kernel wants them. The system is evaluated as it is
// given, at any scalar, with parameters that may differ from those it was made with.
#pragma once

#include <vector>

#include "extremal/detail/lanes.hpp"
#include "extremal/scheme.hpp"
#include "extremal/system.hpp"
#include "small/step.hpp"

namespace extremal {

// Whether L is v . M v / 2 - V(q, t), there are no forces, and there are at most `most` coordinates.
bool is_separable(const System& system, int most);

template <class S>
class SmallTerms {
 public:
  // For batches of up to max_nodes nodes. The system must be separable. Slow potentials may be apart from the force.
  SmallTerms(const System& system, std::vector<S> parameters, int max_nodes, const Kicks& kicks = {});

  int n() const { return n_; }
  int m() const { return m_; }
  bool constant_force() const { return constant_force_; }  // V is linear in q and does not depend on t
  bool diagonal() const { return diagonal_; }              // M is
  bool timed() const { return timed_; }                    // some term depends on t
  const std::vector<S>& mass() const { return mass_; }     // n x n
  // The trace of M^-1 D^2 g_k, divided by n, of every constraint that is quadratic; 0 of others. `isotropic` is told
  // whether M^-1 D^2 g_k is that multiple of 1, for all of them.
  std::vector<S> curvature(const std::vector<S>& inverse_mass, Mask<S>& isotropic) const;
  // Whether there are constraints, all of degree two by their functions alone; and the second derivatives of row k, n x
  // n.
  bool quadratic() const;
  std::vector<S> hessian(int k) const;

  // The one term whose gradients are G as it is wanted below, where there is no other and it does not depend on t.
  const TermAt<S>* direct() const { return direct_ ? &constraint_.front().term->template at<S>() : nullptr; }
  const std::vector<S>& parameters() const { return parameters_; }
  void set(int parameter, const S& value) { parameters_[static_cast<std::size_t>(parameter)] = value; }

  // count x m, count x m x n, count x m.
  void constraints(int count, const S* q, const S* t, S* g, S* G, S* g_t);
  // f = -dV/dq, count x n.
  void force(int count, const S* q, const S* t, S* f);
  // Adds factor times the force of the slow potentials, if they are apart, at one node.
  void add_slow(const S* q, const S& t, const S& factor, S* f);
  bool kicks() const { return !slow_.empty(); }

 private:
  struct Entry {
    std::shared_ptr<const Term> term;
    int first_row;
  };
  Nodes<S> nodes(int count, const S* q, const S* v, const S* t) const {
    return {count, n_, q, v, t, parameters_.data(), static_cast<int>(parameters_.size())};
  }

  int n_, m_;
  bool constant_force_ = true, diagonal_ = true, timed_ = false;
  bool direct_ = false;  // one constraint term whose results are laid out as wanted
  std::vector<S> parameters_, mass_, value_, gradient_;
  // add(f_i, dV/dq_i) for every derivative of a potential.
  template <class Add>
  void each_slope(const Entry& entry, const Nodes<S>& at, Add add, S* f);
  static bool is_quadratic(const Term& term) { return term.degree.q <= 2 && !term.uses_time; }

  std::vector<Entry> constraint_, potential_, slow_;
};

}  // namespace extremal
