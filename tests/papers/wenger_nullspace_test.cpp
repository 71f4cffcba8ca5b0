// The outlook of [Wenger2017] on a nullspace: multiplications that it takes to solve [M G^T; G 0] (x, lambda) = (a, b)
// by the Schur complement G M^-1 G^T and by a nullspace P of G from independent coordinates, both dense, and by a Schur
// complement that leaves zeros out, as elimination along the graph of bodies and joints does. bench/nullspace.cpp has
// the times.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "extremal/models.hpp"
#include "system/evaluation.hpp"
#include "validation.hpp"

namespace extremal::papers::wenger_nullspace_test {
namespace {

std::size_t sz(int n) { return static_cast<std::size_t>(n); }

using Row = std::vector<double>;
using Matrix = std::vector<Row>;

// Counts the multiplications and divisions of everything below; with `sparse` only those without a factor zero.
class Counted {
 public:
  explicit Counted(bool sparse) : sparse_(sparse) {}
  long count = 0;

  // y -= a x
  void subtract(Row& y, double a, const Row& x, std::size_t from = 0) {
    for (std::size_t j = from; j < x.size(); ++j) {
      if (sparse_ && (a == 0 || x[j] == 0)) continue;
      ++count;
      y[j] -= a * x[j];
    }
  }
  Matrix product(const Matrix& a, const Matrix& b) {
    Matrix c(a.size(), Row(b[0].size()));
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t k = 0; k < b.size(); ++k) subtract(c[i], -a[i][k], b[k]);
    return c;
  }
  // The solution of a x = b for all columns of b: elimination with pivots from below, or on the diagonal, of half the
  // work, for symmetric ones.
  Matrix solve(Matrix a, Matrix b, bool symmetric) {
    const std::size_t n = a.size();
    for (std::size_t k = 0; k < n; ++k) {
      if (!symmetric) {
        std::size_t pivot = k;
        for (std::size_t i = k; i < n; ++i)
          if (std::fabs(a[i][k]) > std::fabs(a[pivot][k])) pivot = i;
        std::swap(a[k], a[pivot]);
        std::swap(b[k], b[pivot]);
      }
      for (std::size_t i = k + 1; i < n; ++i) {
        const double left = symmetric ? a[k][i] : a[i][k];
        if (sparse_ && left == 0) continue;
        ++count;
        subtract(a[i], left / a[k][k], a[k], symmetric ? i : k + 1);
        subtract(b[i], left / a[k][k], b[k]);
      }
    }
    for (std::size_t k = n; k-- > 0;) {
      for (std::size_t j = k + 1; j < n; ++j)
        if (!sparse_ || a[k][j] != 0) subtract(b[k], a[k][j], b[j]);
      for (double& x : b[k]) {
        if (sparse_ && x == 0) continue;
        ++count;
        x /= a[k][k];
      }
    }
    return b;
  }

 private:
  bool sparse_;
};

Matrix transposed(const Matrix& a) {
  Matrix t(a[0].size(), Row(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a[0].size(); ++j) t[j][i] = a[i][j];
  return t;
}
Matrix minus(Matrix a, const Matrix& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a[i].size(); ++j) a[i][j] -= b[i][j];
  return a;
}

struct Problem {
  explicit Problem(const std::string& name);
  Matrix M, G, a, b;
};

// Away from the model's start, where many entries happen to vanish.
Problem::Problem(const std::string& name) {
  const Model m = model(name);
  const std::size_t n = sz(m.system.size()), rows = sz(m.system.constraint_count());
  std::mt19937 random(1);
  std::uniform_real_distribution<double> shift(-0.05, 0.05);
  std::vector<double> q;
  for (const Number& x : m.start.q) q.push_back(x.as<double>() + shift(random));
  Evaluation<double> evaluation(m.system, 1, Storage::sparse);
  const std::vector<double> v(n, 0.0);
  std::vector<double> mass(sz(evaluation.coupling().size())), g(rows), slopes(sz(evaluation.jacobian().size())), gt(g);
  const double t = 0;
  evaluation.mass(q.data(), v.data(), &t, mass.data());
  evaluation.constraints(1, q.data(), &t, g.data(), slopes.data(), gt.data());
  M.assign(n, Row(n));
  G.assign(rows, Row(n));
  for_each(evaluation.coupling(), [&](int e, int i, int j) { M[sz(i)][sz(j)] = mass[sz(e)]; });
  for_each(evaluation.jacobian(), [&](int e, int k, int i) { G[sz(k)][sz(i)] = slopes[sz(e)]; });
  for (std::size_t i = 0; i < n; ++i) a.push_back({shift(random)});
  for (std::size_t k = 0; k < rows; ++k) b.push_back({shift(random)});
}

// Largest |x| difference of two solutions.
double apart(const Matrix& x, const Matrix& y) {
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::fabs(x[i][0] - y[i][0]));
  return worst;
}

struct Solved {
  Matrix x, lambda;
  long multiplications = 0;
};

// The mass is constant: its factorisation is not counted.
Solved by_schur(const Problem& p, bool sparse) {
  Counted work(sparse), before(sparse);
  before.solve(p.M, Matrix(p.M.size()), true);
  Matrix right = transposed(p.G);
  for (std::size_t i = 0; i < right.size(); ++i) right[i].push_back(p.a[i][0]);
  const Matrix all = work.solve(p.M, right, true);
  Matrix A = all, free;
  for (Row& row : A) {
    free.push_back({row.back()});
    row.pop_back();
  }
  const Matrix lambda = work.solve(work.product(p.G, A), minus(work.product(p.G, free), p.b), true);
  const Matrix x = minus(free, work.product(A, lambda));
  return {x, lambda, work.count - before.count};
}

// x = (dependent, independent): P = (-B^-1 N, 1) for G = (B N). Which coordinates are dependent is chosen before, and
// not counted, as it is good for many steps.
Solved by_nullspace(const Problem& p) {
  const std::size_t n = p.M.size(), m = p.G.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  Matrix chosen = p.G;
  for (std::size_t k = 0; k < m; ++k) {
    std::size_t row = k, column = k;
    for (std::size_t i = k; i < m; ++i)
      for (std::size_t j = k; j < n; ++j)
        if (std::fabs(chosen[i][j]) > std::fabs(chosen[row][column])) row = i, column = j;
    std::swap(chosen[k], chosen[row]);
    for (Row& r : chosen) std::swap(r[k], r[column]);
    std::swap(order[k], order[column]);
    for (std::size_t i = k + 1; i < m; ++i)
      for (std::size_t j = n; j-- > k;) chosen[i][j] -= chosen[i][k] / chosen[k][k] * chosen[k][j];
  }
  Matrix M(n, Row(n)), B(m, Row(m)), N(m), a(n, Row(1));
  for (std::size_t i = 0; i < n; ++i) {
    a[i] = p.a[order[i]];
    for (std::size_t j = 0; j < n; ++j) M[i][j] = p.M[order[i]][order[j]];
  }
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t j = 0; j < m; ++j) B[k][j] = p.G[k][order[j]];
    for (std::size_t j = m; j < n; ++j) N[k].push_back(p.G[k][order[j]]);
    N[k].push_back(p.b[k][0]);
  }
  Counted work(false);
  const Matrix solved = work.solve(B, N, false);
  Matrix P(n, Row(n - m)), y(n, Row(1));
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t j = 0; j < n - m; ++j) P[k][j] = -solved[k][j];
    y[k][0] = solved[k].back();
  }
  for (std::size_t j = 0; j < n - m; ++j) P[m + j][j] = 1;
  const Matrix transpose = transposed(P);
  Matrix reduced = work.product(transpose, work.product(M, P));
  const Matrix free = work.solve(reduced, work.product(transpose, minus(a, work.product(M, y))), true);
  const Matrix motion = work.product(P, free);
  for (std::size_t i = 0; i < n; ++i) y[i][0] += motion[i][0];
  Matrix rest = minus(a, work.product(M, y));
  rest.resize(m);
  Solved out{Matrix(n, Row(1)), work.solve(transposed(B), rest, false), 0};
  for (std::size_t i = 0; i < n; ++i) out.x[order[i]] = y[i];
  out.multiplications = work.count;
  return out;
}

TEST(Nullspace, HalvesDenseWorkAtBestAndTheGraphDoesMore) {
  struct Bounds {
    const char* model;
    double nullspace, blocks;  // multiplications, relative to those of the dense Schur complement
  };
  for (const Bounds& at : {Bounds{"pendulum-cartesian", 1, 1},
                           {"triple-pendulum", 1, 1},
                           {"chain-spatial(3)", 0.4, 0.1},
                           {"chain-spatial(10)", 0.4, 0.01},
                           {"chain-spatial(30)", 0.4, 0.001}}) {
    SCOPED_TRACE(at.model);
    const Problem p(at.model);
    const Solved schur = by_schur(p, false), blocks = by_schur(p, true), nullspace = by_nullspace(p);
    EXPECT_LT(apart(schur.x, blocks.x), 1e-9);
    EXPECT_LT(apart(schur.x, nullspace.x), 1e-9);
    const auto part = [&](long count) {
      return static_cast<double>(count) / static_cast<double>(schur.multiplications);
    };
    EXPECT_GT(part(nullspace.multiplications), at.nullspace);
    EXPECT_LE(part(blocks.multiplications), at.blocks);
    EXPECT_LT(blocks.multiplications, nullspace.multiplications);
    record("wenger-nullspace",
           fmt::format("| {} | {}, {} | {} | {} | {} |", at.model, p.M.size() - p.G.size(), p.G.size(),
                       schur.multiplications, nullspace.multiplications, blocks.multiplications));
  }
}

}  // namespace
}  // namespace extremal::papers::wenger_nullspace_test
