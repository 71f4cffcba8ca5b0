// SmallData: what a small step (small/step.hpp) computes with.
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

// n, m and J are constants where N, M and K are not zero. Where K is not, the system is plain: a constant force, a mass
// that is diagonal, and nothing that depends on time. P is the kind of the parts.
template <class S, int N, int M, int K>
class SmallData {
 protected:
  using T = Shared<S>;
  static constexpr int most_coordinates = 12;
  static constexpr bool plain = K > 0;

  // Of one part in one step. Of known size it is a local variable, much of which stays in registers.
  template <class P>
  struct Work {
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
      for (auto* a : {&D, &R, &base, &c, &x}) clear(*a, I * n);
      for (auto* a : {&g, &g_t, &rhs, &lambda}) clear(*a, I * m);
      for (auto* a : {&G, &A}) clear(*a, I * m * n);
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
      for (auto* a : {&g, &g_t}) clear(*a, I * m);
      clear(G, I * m * n);
    }
  };
  struct Step {
    const S &t, &h;
    const SmallState<S>& state;
    SmallNode<S>& node;
    const Mask<S>& idle;
  };

  SmallData(const SmallTerms<S>& terms, std::unique_ptr<SmallTables<T>> tables, const std::vector<S>& inverse_mass)
      : tables_(std::move(tables)),
        n_(terms.n()),
        m_(terms.m()),
        J_(tables_->J),
        inner_(terms.constant_force() ? 0 : tables_->last - tables_->first),
        moving_(!terms.constant_force()),
        diagonal_(terms.diagonal()),
        timed_(terms.timed()),
        guess_(n_, m_, J_, inner_, tables_->next) {
    const int I = rows(), r = tables_->r;
    for (auto* x : {&a_, &X_, &f_}) x->assign(sz(r * n()), S(0));
    bool isotropic = false;
    trace_ = terms.curvature(inverse_mass, isotropic);
    exact_ = inner_ == 0 && (isotropic || J() == 1);
    for (auto* x : {&steady_, &first_pull_}) clear(*x, n());
    clear(y_, I);
    clear(pushes_, I);
    clear(pulls_, I * I);
    clear(impulses_, I);
    clear(mass_, n() * n());
    clear(inverse_, n() * n());
    std::copy(terms.mass().begin(), terms.mass().end(), mass_.begin());
    std::copy(inverse_mass.begin(), inverse_mass.end(), inverse_.begin());
    for (int i = 0; i < I; ++i) {
      T sum(0);
      for (int k = 0; k < r; ++k) sum += tables_->P[sz(i * r + k)];
      whole_P_.push_back(sum);
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
    times(h, tables_->y, y_);
    times(hh, tables_->R, pulls_);
    times(hh, whole_P_, pushes_);
    times(h, tables_->e, impulses_);
    inverse_end_ = S(1) / (h * S(tables_->end_weight));
  }

  // M^-1 x.
  template <class P, class X, class Y>
  void divide(int part, X x, Y out) const {
    product(view<P>(inverse_.data(), part), x, out);
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
  auto dot(X x, Y y) const {
    auto sum = x[0] * y[0];
    for (int i = 1; i < n(); ++i) sum += x[i] * y[i];
    return sum;
  }
  // M^-1 G^T at the node of multiplier j.
  template <class P>
  static const P* slopes(const Work<P>& w, int j, int size) {
    return j == 0 ? w.A0.data() : w.A.data() + (j - 1) * size;
  }

  std::unique_ptr<SmallTables<T>> tables_;
  int n_, m_, J_, inner_;
  bool moving_, diagonal_, timed_;
  bool exact_ = false;  // the matrix of Newton's method is
  SmallGuess<S, N, M, K> guess_;
  S inverse_end_{0};
  std::vector<T> whole_P_;
  std::vector<S> trace_, a_, X_, f_;
  Store<S, N> steady_, first_pull_;  // the latter: c_0 of the last step
  Store<S, N * N> mass_, inverse_;
  Store<S, K> y_, pushes_, impulses_;
  Store<S, K * K> pulls_;
};

}  // namespace extremal
