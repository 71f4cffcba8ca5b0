#include "small/step.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "small/guess.hpp"
#include "small/tables.hpp"
#include "small/terms.hpp"
#include "system/vectorised.hpp"

namespace extremal {

namespace {

constexpr std::size_t sz(int n) { return static_cast<std::size_t>(n); }

// Beyond these sizes dense blocks lose against the sparse ones of the general kernel.
constexpr int most_coordinates = 12, most_rows = 24;
constexpr int most_iterations = 12;

// |x| without a branch: the sign of what is at round-off cannot be predicted.
template <class S>
S size_of(const S& x) {
  if constexpr (std::is_same_v<S, double>)
    return std::fabs(x);
  else
    return math::abs(x);
}

// Of fixed size, without a detour, where it is known.
template <class S, int size>
using Store = std::conditional_t<(size > 0), std::array<S, sz(size)>, std::vector<S>>;
template <class S, std::size_t size>
void clear(std::array<S, size>& x, int) {
  x.fill(S(0));
}
template <class S>
void clear(std::vector<S>& x, int size) {
  x.assign(sz(size), S(0));
}

// n, m and J are constants where N, M and K are not zero.
template <class S, int N, int M, int K>
class SmallStepOf final : public SmallStep<S> {
  using T = Shared<S>;

 public:
  SmallStepOf(SmallTerms<S> terms, std::unique_ptr<SmallTables<T>> tables, const std::vector<S>& inverse_mass)
      : terms_(std::move(terms)),
        tables_(std::move(tables)),
        n_(terms_.n()),
        m_(terms_.m()),
        J_(tables_->J),
        inner_(terms_.constant_force() ? 0 : tables_->last - tables_->first),
        moving_(!terms_.constant_force()),
        guess_(n_, m_, J_, inner_, tables_->next) {
    const int I = rows(), r = tables_->r;
    t_.assign(sz(I), S(0));
    if (K == 0) work_.size(I, n(), m());
    seen_.size(I, n(), m());
    for (auto* x : {&a_, &X_, &f_}) x->assign(sz(r * n()), S(0));
    bool isotropic = false;
    trace_ = terms_.curvature(inverse_mass, isotropic);
    exact_ = inner_ == 0 && (isotropic || J() == 1);
    clear(steady_, n());
    clear(y_, I);
    clear(pushes_, I);
    clear(pulls_, I * I);
    clear(impulses_, I);
    clear(mass_, n() * n());
    clear(inverse_, n() * n());
    std::copy(terms_.mass().begin(), terms_.mass().end(), mass_.begin());
    std::copy(inverse_mass.begin(), inverse_mass.end(), inverse_.begin());
    diagonal_ = terms_.diagonal();
    inner_t_.assign(sz(r), S(0));
    if (!moving_) {
      const std::vector<S> anywhere(sz(n()), S(0));
      terms_.force(1, anywhere.data(), t_.data(), f_.data());
      divide(f_.data(), steady_.data());
    }
    for (int i = 0; i < I; ++i) {
      T sum(0);
      for (int k = 0; k < r; ++k) sum += tables_->P[sz(i * r + k)];
      whole_P_.push_back(sum);
    }
  }

  SmallNode<S> node() const override {
    SmallNode<S> out;
    for (auto* x : {&out.G, &out.A}) x->assign(sz(m() * n()), S(0));
    out.g_t.assign(sz(m()), S(0));
    out.a.assign(sz(n()), S(0));
    return out;
  }

  void visit(const S& t, const S* q, SmallNode<S>& node) override {
    if (m() > 0) {
      std::vector<S> g(sz(m()));
      terms_.constraints(1, q, &t, g.data(), node.G.data(), node.g_t.data());
      for (int k = 0; k < m(); ++k) divide(node.G.data() + k * n(), node.A.data() + k * n());
    }
    if (moving_) push(t, q, node);
    node.known = true;
  }

  void seed(const S& h, const SmallNode<S>& node, const S* lambda) override {
    std::vector<S> c(sz(n()), S(0));
    if (m() > 0) pull(node.A.data(), lambda, c.data());
    guess_.seed(this->count_, lambda, c.data(), node.a.data());
    this->h_ = h;
    set_length();
  }

  Mask<S> advance(const S& t, const S& h, const SmallState<S>& state, SmallNode<S>& node,
                  const Mask<S>& idle) override {
    const Start start{state.q, state.v, t, h, idle};
    if constexpr (K > 0) {
      Work w;
      Seen seen;
      w.R.fill(S(0));
      seen.g_t.fill(S(0));
      return vectorised_advance(w, seen, start, state, node);
    } else {
      return vectorised_advance(work_, seen_, start, state, node);
    }
  }

  const S* end_multiplier() const override { return guess_.end(); }

  void save(std::vector<S>& out) const override {
    for (const S& x : {this->count_, this->h_}) out.push_back(x);
    guess_.save(out);
  }
  const S* restore(const S* from) override {
    for (S* x : {&this->count_, &this->h_}) *x = *from++;
    from = guess_.restore(this->count_, from);
    set_length();
    return from;
  }

 private:
  // Of one step. Of known size it is a local variable, much of which stays in registers.
  struct Work {
    Store<S, K * N> D, R, base, c;
    Store<S, K * M> rhs, lambda;
    Store<S, K * M * N> A;
    // Some lanes are done and keep what they have: G and g_t are here then.
    bool frozen = false;
    Store<S, K * M * N> G;
    Store<S, K * M> g_t;
    Store<S, K * (2 * K - 1 + N)> stage;
    Store<S, K * M*(K* M + 1)> schur;
    Store<S, M> scale;
    Store<S, K> kappa;
    Store<S, N> dv;
    void size(int I, int n, int m) {
      for (auto* x : {&D, &R, &base, &c}) clear(*x, I * n);
      for (auto* x : {&rhs, &lambda}) clear(*x, I * m);
      for (auto* x : {&A, &G}) clear(*x, I * m * n);
      clear(g_t, I * m);
      clear(stage, I * (2 * I - 1 + n));
      clear(schur, I * m * (I * m + 1));
      clear(scale, m);
      clear(kappa, I);
      clear(dv, n);
    }
  };
  // What the terms see of it: nodes, and the constraints there.
  struct Seen {
    Store<S, K * N> Q;
    Store<S, K * M> g, g_t;
    Store<S, K * M * N> G;
    void size(int I, int n, int m) {
      clear(Q, I * n);
      for (auto* x : {&g, &g_t}) clear(*x, I * m);
      clear(G, I * m * n);
    }
  };
  struct Start {
    const S *q, *v;
    const S &t, &h;
    const Mask<S>& idle;
  };
  int n() const { return N > 0 ? N : n_; }
  int m() const { return M > 0 ? M : m_; }
  int J() const { return K > 0 ? K : J_; }
  int rows() const { return K > 0 ? K : std::max(J_, 1); }
  Mask<S> vectorised_advance(Work& w, Seen& seen, const Start& start, const SmallState<S>& state, SmallNode<S>& node) {
    Mask<S> fine(false);
    vectorised<S>([&] { fine = advance(w, seen, start, state, node); });
    return fine;
  }
  Mask<S> advance(Work& w, Seen& seen, const Start& start, const SmallState<S>& state, SmallNode<S>& node) {
    const SmallTables<T>& tab = *tables_;
    const int I = rows();
    const S hh = start.h * start.h;
    this->iterations_ = 0;
    w.frozen = false;
    set_times(start);
    guess_.make(w.lambda.data(), w.c.data(), a_.data() + tab.first * n());
    if (m() > 0) pull(node.A.data(), w.lambda.data(), w.c.data());
    if (moving_ && tab.starts) {
      if (!node.pushed) push(start.t, start.q, node);
      std::copy_n(node.a.data(), n(), a_.data());
    }
    find_base(w, start, hh);
    for (int i = 0; i < I; ++i) displace(w, i, w.D.data() + i * n());
    Mask<S> done = start.idle || Mask<S>(m() == 0 && inner_ == 0);
    Mask<S> lost(false);
    S before(0);
    for (int k = 0; !all(done); ++k) {
      if (k == most_iterations) {
        lost = lost || !done;
        break;
      }
      ++this->iterations_;
      evaluate(w, seen, start, node, done);
      S worst(0);
      if (inner_ > 0) {
        worst = inner_forces(w, start, hh, done);
        find_base(w, start, hh);
      }
      if (k == 0) find_scales(w, seen, start);
      S gap(0);
      for (int i = 0; i < J(); ++i)
        for (int e = 0; e < m(); ++e) {
          const S g = size_of(seen.g[sz(i * m() + e)]);
          gap = math::max(gap, g);
          worst = math::max(worst, g * w.scale[sz(e)]);
        }
      if (m() > 0 && (J() > 1 || inner_ > 0)) worst = math::max(worst, stage_residual(w));
      this->residual_ = gap;
      // In units of round-off. What is at round-off may be so on the same side in every step: if Newton's method is not
      // known to have left much less than that, there is one correction more.
      Mask<S> last(false);
      if (k > 0) {
        last = !done && !less(S(T(2)), worst);
        if (exact_ && std::is_same_v<T, double>)
          done = done || (last && less(before * before, S(T(0.05) / Scalar<T>::epsilon)));
        if (all(done)) break;
      }
      if (k > 0) {
        last = last || (!done && less(S(T(0.25)) * before, worst) && less(worst, S(T(256))));
        // Where it falls slowly, from far away, it may be on its way to another root: the step is given up, and the
        // other lanes go on without it.
        lost = lost || (!done && !last && !less(worst, S(T(0.1)) * before));
        done = done || lost;
      }
      before = worst;
      freeze(w, seen, done && !start.idle);
      if (m() > 0) correct(w, seen, node, done);
      done = done || last;
      freeze(w, seen, done && !start.idle);
    }
    if (all(lost)) return !lost;
    finish(w, seen, start, state, node);
    return !lost;
  }

  void push(const S& t, const S* q, SmallNode<S>& node) {
    terms_.force(1, q, &t, f_.data());
    divide(f_.data(), node.a.data());
    node.pushed = true;
  }
  void divide(const S* x, S* out) const { product(inverse_, x, out); }
  void product(const Store<S, N * N>& matrix, const S* x, S* out) const {
    if (diagonal_) {
      for (int i = 0; i < n(); ++i) out[i] = matrix[sz(i * n() + i)] * x[i];
      return;
    }
    for (int i = 0; i < n(); ++i) out[i] = dot(matrix.data() + i * n(), x);
  }
  S dot(const S* x, const S* y) const {
    S sum = x[0] * y[0];
    for (int i = 1; i < n(); ++i) sum += x[i] * y[i];
    return sum;
  }
  // A^T lambda.
  void pull(const S* A, const S* lambda, S* out) const {
    for (int i = 0; i < n(); ++i) out[i] = A[i] * lambda[0];
    for (int e = 1; e < m(); ++e)
      for (int i = 0; i < n(); ++i) out[i] += A[e * n() + i] * lambda[e];
  }

  // What depends on h alone.
  void set_length() {
    const S h = this->h_, hh = h * h;
    const auto times = [](const S& factor, const auto& table, auto& out) {
      for (std::size_t i = 0; i < table.size(); ++i) out[i] = factor * S(table[i]);
    };
    times(h, tables_->y, y_);
    times(hh, tables_->R, pulls_);
    times(hh, whole_P_, pushes_);
    times(h, tables_->e, impulses_);
    inverse_end_ = S(1) / (h * S(tables_->end_weight));
  }

  void set_times(const Start& start) {
    if (!terms_.timed()) return;
    for (int i = 0; i < J(); ++i) t_[sz(i)] = start.t + S(tables_->x[sz(i)]) * start.h;
  }

  // base_i = h y_i v + h^2 sum_k P_ik a_k.
  void find_base(Work& w, const Start& start, const S& hh) {
    const int I = rows(), r = tables_->r;
    for (int i = 0; i < I; ++i) {
      S* out = w.base.data() + i * n();
      if (!moving_) {
        for (int a = 0; a < n(); ++a) out[a] = y_[sz(i)] * start.v[a] + pushes_[sz(i)] * steady_[sz(a)];
        continue;
      }
      for (int a = 0; a < n(); ++a) out[a] = y_[sz(i)] * start.v[a];
      for (int k = 0; k < r; ++k) {
        const T P = tables_->P[sz(i * r + k)];
        if (P == T(0)) continue;
        const S push = S(P) * hh;
        for (int a = 0; a < n(); ++a) out[a] += push * a_[sz(k * n() + a)];
      }
    }
  }
  void displace(Work& w, int i, S* out) const {
    for (int a = 0; a < n(); ++a) out[a] = w.base[sz(i * n() + a)];
    for (int j = 0; j < J(); ++j)
      for (int a = 0; a < n(); ++a) out[a] -= pulls_[sz(i * J() + j)] * w.c[sz(j * n() + a)];
  }

  // Lanes that are done keep what they have: their last correction is not evaluated again.
  void evaluate(Work& w, Seen& seen, const Start& start, const SmallNode<S>& node, const Mask<S>& done) {
    if (m() == 0) return;
    for (int i = 0; i < J(); ++i)
      for (int a = 0; a < n(); ++a) seen.Q[sz(i * n() + a)] = start.q[a] + w.D[sz(i * n() + a)];
    if (const TermAt<S>* term = terms_.direct(); term != nullptr)
      term->gradient({J(), n(), seen.Q.data(), nullptr, t_.data(), terms_.parameters().data(),
                      static_cast<int>(terms_.parameters().size())},
                     seen.g.data(), seen.G.data());
    else
      terms_.constraints(J(), seen.Q.data(), t_.data(), seen.g.data(), seen.G.data(), seen.g_t.data());
    if (w.frozen) {
      for (int e = 0; e < J() * m() * n(); ++e) w.G[sz(e)] = select(done, w.G[sz(e)], seen.G[sz(e)]);
      for (int e = 0; e < J() * m(); ++e) w.g_t[sz(e)] = select(done, w.g_t[sz(e)], seen.g_t[sz(e)]);
    }
    const S* G = slopes(w, seen);
    for (int e = 0; e < J() * m(); ++e) divide(G + e * n(), w.A.data() + e * n());
    for (int j = 0; j < J(); ++j) {
      const S* A = j == 0 ? node.A.data() : w.A.data() + (j - 1) * m() * n();
      if (!w.frozen) {
        pull(A, w.lambda.data() + j * m(), w.c.data() + j * n());
        continue;
      }
      S fresh[most_coordinates];
      pull(A, w.lambda.data() + j * m(), fresh);
      for (int a = 0; a < n(); ++a) w.c[sz(j * n() + a)] = select(done, w.c[sz(j * n() + a)], fresh[a]);
    }
  }
  // From when on some lanes are done and others are not.
  void freeze(Work& w, const Seen& seen, const Mask<S>& done) {
    if constexpr (std::is_same_v<S, Lanes>) {
      if (w.frozen || !any(done)) return;
      std::copy_n(seen.G.begin(), J() * m() * n(), w.G.begin());
      std::copy_n(seen.g_t.begin(), J() * m(), w.g_t.begin());
      w.frozen = true;
    }
  }
  const S* slopes(const Work& w, const Seen& seen) const { return w.frozen ? w.G.data() : seen.G.data(); }
  const S* slope_rates(const Work& w, const Seen& seen) const { return w.frozen ? w.g_t.data() : seen.g_t.data(); }

  // The forces inside from those before; returns how far they move the nodes, in units of round-off.
  S inner_forces(Work& w, const Start& start, const S& hh, const Mask<S>& done) {
    const SmallTables<T>& tab = *tables_;
    const int r = tab.r;
    S most(0), size(0);
    for (int i = tab.first; i < tab.last; ++i) {
      const S y = S(tab.inner_y[sz(i)]) * start.h;
      S* out = X_.data() + i * n();
      for (int a = 0; a < n(); ++a) out[a] = y * start.v[a];
      for (int k = 0; k < r; ++k) {
        const T P = tab.inner_P[sz(i * r + k)];
        if (P == T(0)) continue;
        const S push = S(P) * hh;
        for (int a = 0; a < n(); ++a) out[a] += push * a_[sz(k * n() + a)];
      }
      for (int j = 0; j < J(); ++j) {
        const S pull = S(tab.inner_R[sz(i * J() + j)]) * hh;
        for (int a = 0; a < n(); ++a) out[a] -= pull * w.c[sz(j * n() + a)];
      }
      for (int a = 0; a < n(); ++a) {
        out[a] += start.q[a];
        size = math::max(size, size_of(out[a]));
      }
    }
    for (int i = tab.first; terms_.timed() && i < tab.last; ++i)
      inner_t_[sz(i)] = start.t + S(tab.inner_x[sz(i)]) * start.h;
    terms_.force(inner_, X_.data() + tab.first * n(), inner_t_.data() + tab.first, f_.data());
    for (int i = 0; i < inner_; ++i) {
      S* old = a_.data() + (tab.first + i) * n();
      S fresh[most_coordinates];
      divide(f_.data() + i * n(), fresh);
      for (int a = 0; a < n(); ++a) {
        most = math::max(most, size_of(fresh[a] - old[a]));
        old[a] = select(done, old[a], fresh[a]);
      }
    }
    // The tables sum up to at most one half.
    return most * hh * S(T(0.5)) / (S(Scalar<T>::epsilon) * math::max(size, S(tiny)));
  }

  void find_scales(Work& w, Seen& seen, const Start& start) {
    const int last = J() - 1;
    for (int e = 0; e < m(); ++e) {
      const S* G = slopes(w, seen) + (last * m() + e) * n();
      S sum(tiny);
      for (int a = 0; a < n(); ++a) sum += size_of(G[a]) * (size_of(start.q[a]) + size_of(w.D[sz(last * n() + a)]));
      w.scale[sz(e)] = S(T(1) / Scalar<T>::epsilon) / sum;
    }
    if (J() == 1 && inner_ == 0) return;
    S size(tiny);
    for (int a = 0; m() > 0 && a < n(); ++a)
      size = math::max(size, size_of(start.q[a]) + size_of(w.D[sz(last * n() + a)]));
    unit_ = S(T(1) / Scalar<T>::epsilon) / size;
  }

  S stage_residual(Work& w) {
    S most(0);
    for (int i = 0; i < J(); ++i) {
      S* out = w.R.data() + i * n();
      displace(w, i, out);
      for (int a = 0; a < n(); ++a) {
        out[a] -= w.D[sz(i * n() + a)];
        most = math::max(most, size_of(out[a]));
      }
    }
    return most * unit_;
  }

  // Elimination in the natural order of the leading rows x rows part of a, which has `width` columns: Gauss-Jordan.
  static void eliminate(S* a, int rows, int width) {
    for (int p = 0; p < rows; ++p) {
      S* top = a + p * width;
      const S inverse = S(1) / top[p];
      for (int k = p + 1; k < width; ++k) top[k] *= inverse;
      for (int i = 0; i < rows; ++i) {
        if (i == p) continue;
        S* row = a + i * width;
        const S f = row[p];
        for (int k = p + 1; k < width; ++k) row[k] -= f * top[k];
      }
    }
  }

  // Newton's correction of w.lambda and w.D. With the stages' part C dD + h^2 R M^-1 G^T dlambda = -residual solved for
  // dD, G dD = -g is a system for dlambda.
  void correct(Work& w, Seen& seen, const SmallNode<S>& node, const Mask<S>& done) {
    const int I = J(), inside = I - 1, width = inside + I + n(), size = I * m();
    const bool stages = I > 1 || inner_ > 0;
    for (int l = 0; l < inside; ++l) {
      S sum = w.lambda[sz((l + 1) * m())] * trace_[0];
      for (int e = 1; e < m(); ++e) sum += w.lambda[sz((l + 1) * m() + e)] * trace_[sz(e)];
      w.kappa[sz(l)] = sum;
    }
    for (int i = 0; i < I; ++i) {
      S* row = w.stage.data() + i * width;
      for (int l = 0; l < inside; ++l) {
        row[l] = pulls_[sz(i * I + l + 1)] * w.kappa[sz(l)];
        if (l == i) row[l] += S(1);
      }
      for (int j = 0; j < I; ++j) row[inside + j] = pulls_[sz(i * I + j)];
      for (int a = 0; stages && a < n(); ++a) row[inside + I + a] = w.R[sz(i * n() + a)];
    }
    eliminate(w.stage.data(), inside, width);
    S* bottom = w.stage.data() + inside * width;
    for (int l = 0; l < inside; ++l)
      for (int k = inside; k < width; ++k) bottom[k] -= bottom[l] * w.stage[sz(l * width + k)];

    const auto A = [&](int j) { return j == 0 ? node.A.data() : w.A.data() + (j - 1) * m() * n(); };
    for (int i = 0; i < I; ++i) {
      const S* stage = w.stage.data() + i * width + inside;
      for (int e = 0; e < m(); ++e) {
        const S* G = slopes(w, seen) + (i * m() + e) * n();
        S* row = w.schur.data() + (i * m() + e) * (size + 1);
        for (int j = 0; j < I; ++j)
          for (int f = 0; f < m(); ++f) row[j * m() + f] = stage[j] * dot(G, A(j) + f * n());
        row[size] = seen.g[sz(i * m() + e)];
        if (stages) row[size] += dot(G, stage + I);
      }
    }
    eliminate(w.schur.data(), size, size + 1);
    for (int k = 0; k < size; ++k) w.rhs[sz(k)] = w.schur[sz(k * (size + 1) + size)];
    for (int j = 0; j < I; ++j) pull(A(j), w.rhs.data() + j * m(), seen.Q.data() + j * n());
    const auto apply = [&](S& x, const S& change) { x = w.frozen ? select(done, x, x + change) : x + change; };
    for (int j = 0; j < I; ++j)
      for (int a = 0; a < n(); ++a) apply(w.c[sz(j * n() + a)], seen.Q[sz(j * n() + a)]);
    for (int i = 0; i < I; ++i) {
      const S* stage = w.stage.data() + i * width + inside;
      for (int a = 0; a < n(); ++a) {
        S change = stages ? stage[I + a] : S(0);
        for (int j = 0; j < I; ++j) change -= stage[j] * seen.Q[sz(j * n() + a)];
        apply(w.D[sz(i * n() + a)], change);
        if (i < inside) apply(w.c[sz((i + 1) * n() + a)], w.kappa[sz(i)] * change);
      }
    }
    for (int k = 0; k < size; ++k) apply(w.lambda[sz(k)], w.rhs[sz(k)]);
  }

  void finish(Work& w, Seen& seen, const Start& start, const SmallState<S>& state, SmallNode<S>& node) {
    const SmallTables<T>& tab = *tables_;
    const int r = tab.r, last = rows() - 1;
    const S* D = m() > 0 ? w.D.data() + last * n() : w.base.data();
    if (moving_ && tab.ends) {
      for (int a = 0; a < n(); ++a) X_[sz(a)] = start.q[a] + D[a];
      const S t1 = start.t + start.h;
      terms_.force(1, X_.data(), &t1, f_.data());
      divide(f_.data(), a_.data() + (r - 1) * n());
    }
    for (int a = 0; a < n(); ++a) {
      S push(0);
      if (moving_)
        for (int k = 0; k < r; ++k) push += S(tab.b[sz(k)]) * a_[sz(k * n() + a)];
      else
        push = steady_[sz(a)];
      push *= start.h;
      for (int j = 0; j < J(); ++j) push -= impulses_[sz(j)] * w.c[sz(j * n() + a)];
      w.dv[sz(a)] = push;
    }
    if (m() > 0) project(w, seen, start);
    for (int a = 0; a < n(); ++a) add_compensated(state.q[a], state.q_low[a], D[a]);
    product(mass_, w.dv.data(), seen.Q.data());
    for (int a = 0; a < n(); ++a) add_compensated(state.p[a], state.p_low[a], seen.Q[sz(a)]);
    divide(state.p, state.v);
    guess_.keep(this->count_, w.lambda.data(), w.c.data(), a_.data() + tab.first * n());
    for (int e = 0; e < m() * n(); ++e) {
      node.G[sz(e)] = slopes(w, seen)[last * m() * n() + e];
      node.A[sz(e)] = w.A[sz(last * m() * n() + e)];
    }
    for (int e = 0; e < m(); ++e) node.g_t[sz(e)] = slope_rates(w, seen)[last * m() + e];
    node.pushed = moving_ && tab.ends;
    if (!node.pushed) return;
    for (int a = 0; a < n(); ++a) node.a[sz(a)] = a_[sz((r - 1) * n() + a)];
  }

  // dv -= M^-1 G^T nu with G (v + dv) + g_t = 0 at the end.
  void project(Work& w, Seen& seen, const Start& start) {
    const int width = m() + 1;
    const S* G = slopes(w, seen) + (J() - 1) * m() * n();
    const S* A = w.A.data() + (J() - 1) * m() * n();
    for (int a = 0; a < n(); ++a) seen.Q[sz(a)] = start.v[a] + w.dv[sz(a)];
    for (int e = 0; e < m(); ++e) {
      S* row = w.schur.data() + e * width;
      for (int f = 0; f < m(); ++f) row[f] = dot(G + e * n(), A + f * n());
      row[m()] = dot(G + e * n(), seen.Q.data()) + slope_rates(w, seen)[(J() - 1) * m() + e];
    }
    eliminate(w.schur.data(), m(), width);
    for (int e = 0; e < m(); ++e) {
      w.rhs[sz(e)] = w.schur[sz(e * width + m())];
      guess_.end()[e] = w.rhs[sz(e)] * inverse_end_;
    }
    pull(A, w.rhs.data(), seen.Q.data());
    for (int a = 0; a < n(); ++a) {
      w.dv[sz(a)] -= seen.Q[sz(a)];
      guess_.end()[m() + a] = seen.Q[sz(a)] * inverse_end_;
    }
  }

  static constexpr T tiny = T(1e-300);  // so that nothing is divided by zero
  SmallTerms<S> terms_;
  std::unique_ptr<SmallTables<T>> tables_;
  int n_, m_, J_, inner_;
  bool moving_, diagonal_ = false;
  bool exact_ = false;  // the matrix of Newton's method is
  SmallGuess<S> guess_;
  S unit_{0}, inverse_end_{0};
  std::vector<T> whole_P_;
  std::vector<S> trace_, a_, X_, f_, t_, inner_t_;
  Store<S, N> steady_;
  Store<S, N * N> mass_, inverse_;
  Store<S, K> y_, pushes_, impulses_;
  Store<S, K * K> pulls_;
  Work work_;
  Seen seen_;
};

// M^-1 of a positive definite M, or nothing if it is not (in any lane).
template <class S>
std::vector<S> inverse_of(const std::vector<S>& mass, int n) {
  const int width = 2 * n;
  std::vector<S> a(sz(n * width), S(0));
  for (int i = 0; i < n; ++i) {
    std::copy_n(mass.begin() + i * n, n, a.begin() + i * width);
    a[sz(i * width + n + i)] = S(1);
  }
  for (int p = 0; p < n; ++p) {
    const S pivot = a[sz(p * width + p)];
    if (!all(less(S(Shared<S>(1e-12)) * mass[sz(p * n + p)], pivot))) return {};
    const S inverse = S(1) / pivot;
    for (int k = 0; k < width; ++k) a[sz(p * width + k)] *= inverse;
    for (int i = 0; i < n; ++i) {
      const S f = a[sz(i * width + p)];
      if (i == p) continue;
      for (int k = 0; k < width; ++k) a[sz(i * width + k)] -= f * a[sz(p * width + k)];
    }
  }
  std::vector<S> out;
  for (int i = 0; i < n; ++i) out.insert(out.end(), a.begin() + i * width + n, a.begin() + (i + 1) * width);
  return out;
}

}  // namespace

template <class S>
std::unique_ptr<SmallStep<S>> make_small_step(const System& system, const std::vector<S>& parameters,
                                              const Galerkin& galerkin) {
  if (!is_separable(system, most_coordinates)) return nullptr;
  // The tables are solved for in quad, which leaves it no digits to spare: at high degree a few are lost.
  if (std::is_same_v<S, quad> && galerkin.degree > 5) return nullptr;
  const int n = system.size(), m = system.constraint_count();
  auto tables = small_tables<Shared<S>>(galerkin, m > 0);
  if (tables == nullptr || tables->J * m > most_rows) return nullptr;
  SmallTerms<S> terms(system, parameters, std::max(tables->J, tables->r));
  std::vector<S> inverse = inverse_of(terms.mass(), n);
  if (inverse.empty()) return nullptr;
  const auto make = [&]<int N, int M, int K>() -> std::unique_ptr<SmallStep<S>> {
    return std::make_unique<SmallStepOf<S, N, M, K>>(std::move(terms), std::move(tables), inverse);
  };
  // A point on a curve is what most small systems are; all its sizes are then known.
  if constexpr (std::is_same_v<Shared<S>, double>) {
    const int J = n == 2 && m == 1 ? tables->J : 0;
    if (J == 1) return make.template operator()<2, 1, 1>();
    if (J == 2) return make.template operator()<2, 1, 2>();
    if constexpr (std::is_same_v<S, double>) {
      if (J == 3) return make.template operator()<2, 1, 3>();
      if (J == 4) return make.template operator()<2, 1, 4>();
      if (J == 6) return make.template operator()<2, 1, 6>();
    }
    if (J > 0) return make.template operator()<2, 1, 0>();
  }
  return make.template operator()<0, 0, 0>();
}

template std::unique_ptr<SmallStep<double>> make_small_step(const System&, const std::vector<double>&, const Galerkin&);
template std::unique_ptr<SmallStep<long double>> make_small_step(const System&, const std::vector<long double>&,
                                                                 const Galerkin&);
template std::unique_ptr<SmallStep<quad>> make_small_step(const System&, const std::vector<quad>&, const Galerkin&);
template std::unique_ptr<SmallStep<Lanes>> make_small_step(const System&, const std::vector<Lanes>&, const Galerkin&);

}  // namespace extremal
