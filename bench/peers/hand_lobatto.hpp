// A hand-written kernel of the pendulum with the stages eliminated: Lobatto IIIA-IIIB with S nodes [Jay1996]. For a
// constant mass the positions at the nodes are
//   Q_i = q0 + c_i h v0 + h^2 sum_j B_ij F_j,   F_j = -g e_y - lambda_j Q_j,   B = A A^,
// linear in Q for given multipliers, so that Newton's method runs on lambda_0 .. lambda_{S-2} alone, with exact
// derivatives: dQ solves the same linear system. The multipliers of the last step, continued as a polynomial, are the
// guess. It is what a general kernel can do too, and shows how far high order carries in Cartesian coordinates.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "pendulum.hpp"

namespace peers::pendulum {

template <int S>
struct LobattoTable {
  double c[S], b[S], B[S][S];
  double next[S][S];  // the polynomial through the nodes, at 1 + c_i

  LobattoTable() {
    using L = long double;
    const int n = S - 1;
    L x[S];
    for (int i = 0; i < S; ++i) {
      L t = i == 0 ? -1 : i == n ? 1 : -std::cos(std::acos(-1.0L) * i / n);
      for (int k = 0; k < 50 && i > 0 && i < n; ++k) {  // Newton's method for P_n'(t) = 0
        L before = 1, p = t;
        for (int d = 2; d <= n; ++d) before = std::exchange(p, ((2 * d - 1) * t * p - (d - 1) * before) / d);
        const L slope = n * (before - t * p) / (1 - t * t);
        t -= slope * (1 - t * t) / (2 * t * slope - n * (n + 1) * p);
      }
      x[i] = (t + 1) / 2;
    }
    L A[S][S], weight[S];
    for (int j = 0; j < S; ++j) {
      std::vector<L> l{1};  // the coefficients of the Lagrange polynomial of node j
      for (int k = 0; k < S; ++k) {
        if (k == j) continue;
        std::vector<L> product(l.size() + 1, 0);
        for (std::size_t i = 0; i < l.size(); ++i) {
          product[i + 1] += l[i] / (x[j] - x[k]);
          product[i] -= x[k] * l[i] / (x[j] - x[k]);
        }
        l = product;
      }
      const auto integral = [&](L t) {
        L sum = 0;
        for (std::size_t i = l.size(); i-- > 0;) sum = (sum + l[i] / static_cast<L>(i + 1)) * t;
        return sum;
      };
      weight[j] = integral(1);
      for (int i = 0; i < S; ++i) {
        A[i][j] = integral(x[i]);
        L value = 0;
        for (std::size_t k = l.size(); k-- > 0;) value = value * (1 + x[i]) + l[k];
        next[i][j] = static_cast<double>(value);
      }
    }
    for (int i = 0; i < S; ++i) {
      c[i] = static_cast<double>(x[i]);
      b[i] = static_cast<double>(weight[i]);
      for (int j = 0; j < S; ++j) {
        L sum = 0;  // IIIB is the partner of IIIA: b_k A^_kj + b_j A_jk = b_k b_j
        for (int k = 0; k < S; ++k) sum += A[i][k] * (weight[j] - weight[j] * A[j][k] / weight[k]);
        B[i][j] = static_cast<double>(sum);
      }
    }
  }
};

template <int S>
struct Lobatto {
  double x = 1, y = 0, u = 0, v = 0;
  double lambda[S] = {};
  bool known = false;

  void step(double h) {
    static const LobattoTable<S> table;
    constexpr int m = S - 1;
    const double hh = h * h;
    double l[S], free_x[S], free_y[S], qx[S], qy[S];
    for (int i = 0; i < S; ++i) {
      l[i] = known ? 0 : u * u + v * v - gravity * y;
      double sum = 0;
      for (int j = 0; j < m; ++j) sum += table.B[i][j];
      for (int j = 0; known && j < S; ++j) l[i] += table.next[i][j] * lambda[j];
      free_x[i] = x + table.c[i] * h * u;
      free_y[i] = y + table.c[i] * h * v - hh * gravity * sum;
    }
    for (int iteration = 0; iteration < 30; ++iteration) {
      // (1 + h^2 B lambda) (Q, dQ / dlambda) = (free, -h^2 B_j Q_j); the factor Q_j is left out.
      double a[m][m + 2 + m];
      for (int i = 1; i < S; ++i) {
        for (int j = 1; j < S; ++j) a[i - 1][j - 1] = (i == j) + (j < m ? hh * table.B[i][j] * l[j] : 0);
        a[i - 1][m] = free_x[i] - hh * table.B[i][0] * l[0] * x;
        a[i - 1][m + 1] = free_y[i] - hh * table.B[i][0] * l[0] * y;
        for (int j = 0; j < m; ++j) a[i - 1][m + 2 + j] = -hh * table.B[i][j];
      }
      eliminate(a);
      qx[0] = x, qy[0] = y;
      double jacobian[m][m + 1], size = 0;
      for (int i = 1; i < S; ++i) qx[i] = a[i - 1][m], qy[i] = a[i - 1][m + 1];
      for (int i = 1; i < S; ++i) {
        const double g = (qx[i] * qx[i] + qy[i] * qy[i] - 1) / 2;
        size = std::max(size, std::fabs(g));
        for (int j = 0; j < m; ++j) jacobian[i - 1][j] = a[i - 1][m + 2 + j] * (qx[i] * qx[j] + qy[i] * qy[j]);
        jacobian[i - 1][m] = -g;
      }
      if (size < 3e-15) break;
      eliminate(jacobian);
      for (int j = 0; j < m; ++j) l[j] += jacobian[j][m];
    }
    double hu = u, hv = v - h * gravity;
    for (int j = 0; j < m; ++j) hu -= h * table.b[j] * l[j] * qx[j], hv -= h * table.b[j] * l[j] * qy[j];
    const double mu = (hu * qx[m] + hv * qy[m]) / (qx[m] * qx[m] + qy[m] * qy[m]);
    l[m] = mu / (h * table.b[m]);
    x = qx[m], y = qy[m];
    u = hu - mu * x, v = hv - mu * y;
    std::copy(l, l + S, lambda);
    known = true;
  }

 private:
  // Gauss-Jordan on the leading square part; diagonals are large here.
  template <int R, int C>
  static void eliminate(double (&a)[R][C]) {
    for (int p = 0; p < R; ++p) {
      const double d = 1 / a[p][p];
      for (int k = p + 1; k < C; ++k) a[p][k] *= d;
      for (int r = 0; r < R; ++r) {
        if (r == p) continue;
        for (int k = p + 1; k < C; ++k) a[r][k] -= a[r][p] * a[p][k];
      }
    }
  }
};

}  // namespace peers::pendulum
