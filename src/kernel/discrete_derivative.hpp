// DiscreteDerivative: what takes the midpoint derivatives of V and g to discrete ones [Gonzalez1999].
//
// For every term f and site, with z = q1 - q0 and q_m = (q0 + q1) / 2 in the coordinates of the site,
//   D(q0, q1) = Df(q_m) + sigma d,   sigma = (f(q1) - f(q0) - Df(q_m) . z) / |d|^2,   d = z less its part along the
// symmetries a(q_m) that leave f as it is. Then D . z = f(q1) - f(q0) exactly, and D . a(q_m) = 0, which conserves the
// momentum p . a(q) of every affine symmetry. A quadratic f has no correction. The correction is a ratio of small
// numbers where |d| is small (the turning point of a spring): its round-off is amplified, but does no work.
#pragma once

#include <vector>

#include "algebra/pattern.hpp"
#include "extremal/system.hpp"

namespace extremal {

template <class T>
class DiscreteDerivative {
 public:
  DiscreteDerivative(const System& system, const Pattern& coupling, const Pattern& jacobian);

  bool empty() const { return entries_.empty(); }
  // Adds the corrections to F = L_q (n) and G (jacobian), both at the midpoint. t: the time of both ends.
  void add(const T* q0, const T* z, T t, T* F, T* G);
  // Adds d/dz and d/dq0 of (force . F + G^T multipliers) corrections, as couplings; to_q0 may be null.
  void add_slopes(const T* q0, const T* z, T t, T force, const T* multipliers, T factor, T* to_z, T* to_q0);
  // Of the last add(): the largest |f| / |d| of an energy, what the round-off of its correction is a multiple of.
  T amplification() const { return amplification_; }

 private:
  struct Slope {
    int row, column, from;  // local coordinates; place in the gradient of the symmetry
  };
  struct Field {
    int symmetry;
    std::vector<Slope> slopes;
  };
  struct Site {
    std::vector<Field> fields;  // symmetries that leave f as it is
    std::vector<int> coupling;  // N x N
    std::vector<int> jacobian;  // rows x N, for constraints
  };
  struct Entry {
    const Term* term;
    T sign{};
    int first_row = -1;  // of g; -1: an energy
    std::vector<Site> sites;
  };
  void find_fields();
  void evaluate(const Entry& entry, const T* q0, const T* z, T t);
  void evaluate_symmetries();
  void find_direction(const Entry& entry, int site, const T* z);
  T difference(const Entry& entry, int site, int row) const;
  void correction_slope(const Entry& entry, int site, T sigma, const T* dz, const T* dm, T dN, T* out);
  Nodes<T> nodes(int count) const { return {count, n_, points_.data(), nullptr, times_.data(), parameters_.data()}; }
  const T* gradient(const Entry& entry, int node, int site, int row) const;

  int n_;
  std::vector<Entry> entries_;
  std::vector<const Term*> symmetries_;
  std::vector<T> parameters_, points_, times_, value_, gradient_, weights_, packed_, symmetry_value_;
  std::vector<std::vector<T>> field_, field_gradient_;  // of every symmetry: n values; its gradient
  // Of one site: z, d, an orthonormal basis of its fields (Q R = A), which fields those are, c = R^-1 Q^T z.
  std::vector<T> z_, d_, basis_, R_, c_, column_, turn_, rhs_, dz_, dm_, Hz_;
  std::vector<int> chosen_;
  T dd_{}, amplification_{};
};

}  // namespace extremal
