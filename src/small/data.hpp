// SmallData: what a small step (small/step.hpp) is made of – tables, masses, the guess – and what it computes with.
// The functions on it are in small/newton.hpp and small/solver.hpp.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "numbers/index.hpp"
#include "small/guess.hpp"
#include "small/part.hpp"
#include "small/step.hpp"
#include "small/tables.hpp"
#include "small/terms.hpp"

namespace extremal {

namespace small {
// Beyond this size dense blocks lose against the sparse ones of the general kernel.
constexpr int most_coordinates = 12;
}  // namespace small

// n, m and J are constants where N, M and K are not zero. Where K is not, the system is plain: a constant force, a mass
// that is diagonal, and nothing that depends on time. P is the kind of the parts.
template <class S, int N, int M, int K>
struct SmallData {
  using Scalar = S;
  using T = Shared<S>;
  static constexpr bool plain = K > 0;
  static constexpr int most = N > 0 ? N : small::most_coordinates;  // coordinates

  // Of one part in one step. Of known size it is a local variable, much of which stays in registers.
  template <class P>
  struct Work {
    using Part = P;
    Store<P, K * N> D, R, base, c, x;
    Store<P, K * M> g, g_t, rhs, lambda;
    Store<P, K * M * N> G, A;
    Store<P, plain ? M * N : 0> A0;  // of the start
    Store<P, K * (2 * K - 1 + N)> stage;
    Store<P, K * M*(K* M + 1)> schur;
    Store<P, M> scale;
    Store<P, K> kappa;
    Store<P, N> dv;
    P before, unit;
    typename MaskFor<P>::type done, lost;
    bool going;  // not all lanes are done
    bool mixed;  // some are, others not
    void size(int I, int n, int m) {
      for (auto* store : {&D, &R, &base, &c, &x}) clear(*store, I * n);
      for (auto* store : {&g, &g_t, &rhs, &lambda}) clear(*store, I * m);
      for (auto* store : {&G, &A}) clear(*store, I * m * n);
      clear(A0, m * n);
      clear(stage, I * (2 * I - 1 + n));
      clear(schur, I * m * (I * m + 1));
      clear(scale, m);
      clear(kappa, I);
      clear(dv, n);
    }
  };
  // What the terms see: nodes, and the constraints there.
  struct Seen {
    Store<S, K * N> Q;
    Store<S, K * M> g, g_t;
    Store<S, K * M * N> G;
    void size(int I, int n, int m) {
      clear(Q, I * n);
      for (auto* store : {&g, &g_t}) clear(*store, I * m);
      clear(G, I * m * n);
    }
  };
  struct Step {
    using Scalar = S;
    const S &t, &h;
    const SmallState<S>& state;
    SmallNode<S>& node;
    const Mask<S>& idle;
  };

  SmallData(const SmallTerms<S>& terms, std::unique_ptr<SmallTables<T>> given, const std::vector<S>& inverse_mass)
      : tables(std::move(given)),
        n_(terms.n()),
        m_(terms.m()),
        J_(tables->J),
        inner_(terms.constant_force() ? 0 : tables->last - tables->first),
        moving_(!terms.constant_force()),
        diagonal_(terms.diagonal()),
        timed_(terms.timed()),
        guess(n_, m_, J_, inner_, tables->next) {
    const int I = rows(), r = tables->r;
    for (auto* x : {&a, &X, &f}) x->assign(sz(r * n()), S(0));
    trace = terms.curvature(inverse_mass, exact);
    if (inner_ > 0) exact = Mask<S>(false);
    if (inner_ == 0 && J() == 1) exact = Mask<S>(true);
    for (auto* x : {&steady, &first_pull}) clear(*x, n());
    clear(y, I);
    clear(pushes, I);
    clear(pulls, I * I);
    clear(impulses, I);
    clear(mass, n() * n());
    clear(inverse, n() * n());
    std::copy(terms.mass().begin(), terms.mass().end(), mass.begin());
    std::copy(inverse_mass.begin(), inverse_mass.end(), inverse.begin());
    for (int i = 0; i < I; ++i) {
      T sum(0);
      for (int k = 0; k < r; ++k) sum += tables->P[sz(i * r + k)];
      whole_P.push_back(sum);
    }
  }

  int n() const { return N > 0 ? N : n_; }
  int m() const { return M > 0 ? M : m_; }
  int J() const { return K > 0 ? K : J_; }
  bool moving() const { return !plain && moving_; }
  bool timed() const { return !plain && timed_; }
  int inner() const { return plain ? 0 : inner_; }
  int rows() const { return K > 0 ? K : std::max(J_, 1); }

  // What depends on h alone.
  void set_length(const S& h) {
    const S hh = h * h;
    const auto times = [](const S& factor, const auto& table, auto& out) {
      for (std::size_t i = 0; i < table.size(); ++i) out[i] = factor * S(table[i]);
    };
    times(h, tables->y, y);
    times(hh, tables->R, pulls);
    times(hh, whole_P, pushes);
    times(h, tables->e, impulses);
    inverse_end = S(1) / (h * S(tables->end_weight));
    if constexpr (K == 1) {
      inverse_pull = S(1) / pulls[0];
      impulse_rate = impulses[0] * inverse_pull;
    }
    find_falls(h);
  }
  // What a steady force does in a step.
  void find_falls(const S& h) {
    if constexpr (K == 1)
      for (int i = 0; i < N; ++i) {
        fall[sz(i)] = pushes[0] * steady[sz(i)];
        drop[sz(i)] = h * steady[sz(i)];
      }
  }

  // M^-1 x.
  template <class P, class X, class Y>
  void divide(int part, X x, Y out) const {
    product(view<P>(inverse.data(), part), x, out);
  }
  // A^T lambda.
  template <class X, class Y, class Z>
  void pull(X A, Y lambda, Z out) const {
    for (int i = 0; i < n(); ++i) out[i] = A[i] * lambda[0];
    for (int e = 1; e < m(); ++e)
      for (int i = 0; i < n(); ++i) out[i] += A[e * n() + i] * lambda[e];
  }
  template <class Matrix, class X, class Y>
  void product(Matrix matrix, X x, Y out) const {
    if (plain || diagonal_) {
      for (int i = 0; i < n(); ++i) out[i] = matrix[i * n() + i] * x[i];
      return;
    }
    for (int i = 0; i < n(); ++i) out[i] = dot(matrix + i * n(), x);
  }
  template <class X, class Y>
  auto dot(X one, Y other) const {
    auto sum = one[0] * other[0];
    for (int i = 1; i < n(); ++i) sum += one[i] * other[i];
    return sum;
  }
  // M^-1 G^T at the node of multiplier j.
  template <class P>
  static const P* slopes(const Work<P>& w, int j, int size) {
    return j == 0 ? w.A0.data() : w.A.data() + (j - 1) * size;
  }

  std::unique_ptr<SmallTables<T>> tables;
  int n_, m_, J_, inner_;
  bool moving_, diagonal_, timed_;
  Mask<S> exact{false};  // the matrix of Newton's method is
  SmallGuess<S, N, M, K> guess;
  std::vector<S> trace;           // of M^-1 D^2 g, divided by n, of every constraint
  std::vector<S> a, X, f;         // accelerations, positions and forces at the Lagrangian's nodes
  Store<S, N> steady;             // a where it is the same everywhere
  Store<S, N> first_pull;         // c_0 of the last step
  Store<S, N * N> mass, inverse;  // M, M^-1
  std::vector<T> whole_P;         // the sums of the rows of P
  // set_length: h y, h^2 times the sums of P, h e, h^2 R, and 1 / (h times the weight of the end multiplier).
  Store<S, K> y, pushes, impulses;
  Store<S, K * K> pulls;
  S inverse_end{0};
  // With one multiplier lambda: h^2 P a and h a, where the force is steady; and, with s = h^2 R lambda, 1 / (h^2 R) and
  // the impulse h e lambda by s.
  Store<S, K == 1 ? N : 0> fall, drop;
  S inverse_pull{0}, impulse_rate{0};
};

}  // namespace extremal
