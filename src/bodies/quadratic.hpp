// Quadratic: a polynomial of degree two at the most in the coordinates, with coefficients in quad.
//
//   Quadratic x = Quadratic::variable(0), y = Quadratic::variable(1);
//   Quadratic rod = quad(0.5) * (x * x + y * y - quad(1));
//
// Bodies in directors need nothing else: their kinetic energy, their joints and their rigid motions are such
// polynomials [Kinon2023, eqs. 60, 61, 64]. PolynomialTerm evaluates them by plain loops over their monomials, exactly
// and with exact derivatives. One term holds all sites with as many coordinates and rows; sites whose polynomials are
// equal share them, as the bars of a chain do.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "system/scalar_term.hpp"

namespace extremal {

// c q_i q_j with i <= j; the index that is not needed is -1: c q_j has i = -1, and c has both.
struct Monomial {
  int i, j;
  quad c;
};

class Quadratic {
 public:
  Quadratic() = default;
  Quadratic(quad constant);
  static Quadratic variable(int index);

  int degree() const;
  const std::vector<Monomial>& monomials() const { return monomials_; }  // sorted, each pair once, none zero
  void collect(std::vector<int>& indices) const;  // adds the coordinates that occur, with repetitions

  template <class S>
  S value(const S* q) const;
  // out[k] += factor df/dq_k
  template <class S>
  void add_gradient(const S* q, S factor, S* out) const;

  friend Quadratic operator+(const Quadratic& x, const Quadratic& y);
  friend Quadratic operator-(const Quadratic& x, const Quadratic& y);
  friend Quadratic operator*(const Quadratic& x, const Quadratic& y);  // InputError if the degree exceeds two

 private:
  void tidy();
  std::vector<Monomial> monomials_;
};

// Some polynomials per site, in the site's own coordinates 0 to N - 1, at all scalars.
class Polynomials {
 public:
  // `all` is [site][row] in the coordinates of the system, `sites` [site][N] what they are called at the site.
  Polynomials(int coordinates, int rows, const std::vector<int>& sites, const std::vector<Quadratic>& all);

  int degree() const { return degree_; }
  int pattern_count() const { return static_cast<int>(constant<double>().size()) / rows_; }

  template <class S>
  S value(int site, int row, const S* x) const {
    const std::size_t k = key(site, row);
    S sum = constant<S>()[k];
    for (std::size_t e = start_[2 * k]; e < start_[2 * k + 1]; ++e) sum += c<S>()[e] * x[pairs_[e].j];
    for (std::size_t e = start_[2 * k + 1]; e < start_[2 * k + 2]; ++e)
      sum += c<S>()[e] * x[pairs_[e].i] * x[pairs_[e].j];
    return sum;
  }
  // out[i] += factor df/dx_i
  template <class S>
  void add_gradient(int site, int row, const S* x, S factor, S* out) const {
    const std::size_t k = key(site, row);
    for (std::size_t e = start_[2 * k]; e < start_[2 * k + 1]; ++e) out[pairs_[e].j] += factor * c<S>()[e];
    add_bilinear(site, row, x, factor, out);
  }
  // out += factor H w with the second derivatives H, which do not depend on x
  template <class S>
  void add_bilinear(int site, int row, const S* w, S factor, S* out) const {
    const std::size_t k = key(site, row);
    for (std::size_t e = start_[2 * k + 1]; e < start_[2 * k + 2]; ++e) {
      const auto [i, j] = pairs_[e];
      const S f = factor * c<S>()[e];
      out[i] += f * w[j];
      out[j] += f * w[i];
    }
  }
  // Calls add(i, j, factor d2f/dx_i dx_j) with i <= j for the entries that are not zero.
  template <class S, class Add>
  void each_second(int site, int row, S factor, Add add) const {
    const std::size_t k = key(site, row);
    for (std::size_t e = start_[2 * k + 1]; e < start_[2 * k + 2]; ++e) {
      const auto [i, j] = pairs_[e];
      add(i, j, (i == j ? S(2) : S(1)) * factor * c<S>()[e]);
    }
  }

 private:
  struct Pair {
    int i, j;
  };
  template <class S>
  struct Values {
    std::vector<S> constant, c;
  };
  template <class S>
  const std::vector<S>& c() const {
    return std::get<Values<S>>(values_).c;
  }
  template <class S>
  const std::vector<S>& constant() const {
    return std::get<Values<S>>(values_).constant;
  }
  std::size_t key(int site, int row) const {
    return static_cast<std::size_t>(pattern_[static_cast<std::size_t>(site)] * rows_ + row);
  }
  void append(const Monomial& monomial, bool constant);

  int rows_, degree_ = 0;
  std::vector<int> pattern_;        // of every site
  std::vector<std::size_t> start_;  // of every pattern and row: its linear monomials, then its squares
  std::vector<Pair> pairs_;
  std::tuple<Values<double>, Values<long double>, Values<quad>> values_;
};

// A term whose rows are polynomials in q or, where the role has velocities (kinetic, force), in v.
class PolynomialTerm final : public ScalarTerm<PolynomialTerm> {
  friend ScalarTerm<PolynomialTerm>;

 public:
  static constexpr int most_coordinates = 25;  // two bodies and the coordinate of a joint

  PolynomialTerm(Role r, std::string label, int local_coordinates, int rows, std::vector<int> site_list,
                 const std::vector<Quadratic>& polynomials);
  int pattern_count() const { return polynomials_.pattern_count(); }

 private:
  template <class S>
  void gather(const Nodes<S>& at, int node, int site, S* x) const;
  template <class S>
  void value_at(const Nodes<S>& at, S* out) const;
  template <class S>
  void gradient_at(const Nodes<S>& at, S* value, S* out) const;
  template <class S>
  void hessian_at(const Nodes<S>& at, const S* weights, S* out) const;

  Polynomials polynomials_;
};

}  // namespace extremal
