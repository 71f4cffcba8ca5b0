// Textbook coefficients of Runge-Kutta methods in quad precision, from Legendre polynomials and nothing else.
//
//   Tableau a = gauss_tableau(3);          // a[i][j] = int_0^{c_i} l_j,  b[j] = int_0^1 l_j
//   Tableau b = symplectic_partner(a);     // b_i A_ij + b_j a_ji = b_i b_j: of Lobatto IIIA it is Lobatto IIIB
#pragma once

#include <algorithm>
#include <vector>

#include "hand_written.hpp"

namespace extremal::papers {

struct Tableau {
  Vector c, b;
  Matrix a;
};

// P_n(x) and its derivative, |x| < 1.
struct Legendre {
  quad value, slope;
};
inline Legendre legendre(int n, quad x) {
  quad before(1), now(x);
  if (n == 0) return {before, quad(0)};
  for (int k = 2; k <= n; ++k) {
    const quad next = ((2 * k - 1) * x * now - (k - 1) * before) / k;
    before = now;
    now = next;
  }
  return {now, n * (before - x * now) / (1 - x * x)};
}

// Roots in (-1, 1) of P_n, or of its derivative, by Newton's method from the roots of a cosine; ascending.
inline Vector legendre_roots(int n, bool of_slope) {
  const quad pi = math::acos(quad(-1));
  const int count = of_slope ? n - 1 : n;
  Vector roots;
  for (int k = 1; k <= count; ++k) {
    quad x = -math::cos(pi * (of_slope ? quad(k) / n : (quad(k) - quad(1) / 4) / (quad(n) + quad(1) / 2)));
    for (int iteration = 0; iteration < 12; ++iteration) {
      const Legendre p = legendre(n, x);
      // Legendre's equation: (1 - x^2) P'' = 2 x P' - n (n + 1) P.
      x -= of_slope ? p.slope * (1 - x * x) / (2 * x * p.slope - n * (n + 1) * p.value) : p.value / p.slope;
    }
    roots.push_back(x);
  }
  return roots;
}

inline Vector gauss_nodes(int s) {
  Vector c = legendre_roots(s, false);
  for (quad& x : c) x = (1 + x) / 2;
  return c;
}
inline Vector lobatto_nodes(int s) {
  Vector c{0};
  for (const quad x : legendre_roots(s - 1, true)) c.push_back((1 + x) / 2);
  c.push_back(1);
  return c;
}

// int_0^{upper} l_j for the Lagrange polynomials through the nodes.
inline Vector integrals(const Vector& nodes, quad upper) {
  Vector all;
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    Vector polynomial{1};  // coefficients, ascending
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      if (k == j) continue;
      Vector times(polynomial.size() + 1);
      for (std::size_t i = 0; i < polynomial.size(); ++i) {
        times[i + 1] += polynomial[i] / (nodes[j] - nodes[k]);
        times[i] -= polynomial[i] * nodes[k] / (nodes[j] - nodes[k]);
      }
      polynomial = times;
    }
    quad sum(0);
    for (std::size_t i = polynomial.size(); i-- > 0;) sum = sum * upper + polynomial[i] / static_cast<int>(i + 1);
    all.push_back(sum * upper);
  }
  return all;
}

inline Tableau collocation(const Vector& nodes) {
  Tableau t{nodes, integrals(nodes, 1), {}};
  for (const quad c : nodes) t.a.push_back(integrals(nodes, c));
  return t;
}
inline Tableau gauss_tableau(int s) { return collocation(gauss_nodes(s)); }
inline Tableau lobatto_iiia(int s) { return collocation(lobatto_nodes(s)); }

inline Tableau symplectic_partner(const Tableau& t) {
  Tableau partner = t;
  for (std::size_t i = 0; i < t.b.size(); ++i)
    for (std::size_t j = 0; j < t.b.size(); ++j) partner.a[i][j] = t.b[j] * (1 - t.a[j][i] / t.b[i]);
  return partner;
}

}  // namespace extremal::papers
