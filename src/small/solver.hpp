// SmallSolver: the numbers of a small step (small/step.hpp), part by part of the lanes. SmallStepOf, which evaluates
// the terms of all lanes at once, calls in turn
//   begin      the guess, and the nodes where constraints are wanted
//   absorb     these; then where forces inside the step are wanted
//   iterate    these; whether it is good enough, and Newton's correction
//   finish     the end of the step
#pragma once

#include "small/newton.hpp"

namespace extremal {

template <class S, int N, int M, int K>
class SmallSolver : public SmallNewton<S, N, M, K> {
  using Newton = SmallNewton<S, N, M, K>;
  using Data = SmallData<S, N, M, K>;
  using T = Shared<S>;

 protected:
  using typename Data::Seen;
  using typename Data::Step;
  template <class P>
  using Work = typename Data::template Work<P>;
  using Data::n, Data::m, Data::J, Data::rows, Data::inner, Data::moving, Data::timed, Data::plain, Data::pull,
      Data::dot, Data::product, Data::divide, Data::slopes, Data::most_coordinates, Data::tables_, Data::a_, Data::X_,
      Data::f_, Data::guess_, Data::impulses_, Data::steady_, Data::mass_, Data::inverse_end_;
  using Newton::place, Newton::find_base, Newton::displace;

  using Newton::Newton;

  template <class P>
  void begin(Work<P>& w, int part, const Step& step, Seen& seen) {
    const int I = rows();
    using Done = typename MaskFor<P>::type;
    w.done = Done(m() == 0 && inner() == 0);
    if constexpr (std::is_same_v<S, Lanes>) w.done = w.done || part_of<P>(step.idle, part);
    w.lost = Done(false);
    w.going = !all(w.done);
    w.mixed = false;
    w.before = P(0);
    // Compilers do not see that there is an iteration.
    if constexpr (plain) w.G.fill(P(0)), w.A.fill(P(0));
    const auto a = view<P>(a_.data(), part);
    guess_.make(part, w.lambda.data(), w.c.data(), a + tables_->first * n());
    for (int e = 0; e < m() * n(); ++e) w.A0[sz(e)] = view<P>(step.node.A.data(), part)[e];
    if (m() > 0) pull(w.A0.data(), w.lambda.data(), w.c.data());
    if (moving() && tables_->starts)
      for (int i = 0; i < n(); ++i) a[i] = view<P>(step.node.a.data(), part)[i];
    find_base(w, part, step);
    for (int i = 0; i < I; ++i) displace(w, part, i, w.D.data() + i * n());
    place(w, part, step, seen);
  }

  // Lanes that are done keep what they have: their last correction is not evaluated again.
  template <class P>
  void absorb(Work<P>& w, int part, const Seen& seen) {
    const auto keep = [&](P& x, const P& fresh) { x = w.mixed ? select(w.done, x, fresh) : fresh; };
    const auto g = view<P>(seen.g.data(), part), g_t = view<P>(seen.g_t.data(), part), G = view<P>(seen.G.data(), part);
    for (int e = 0; e < J() * m(); ++e) w.g[sz(e)] = g[e];
    for (int e = 0; timed() && e < J() * m(); ++e) keep(w.g_t[sz(e)], g_t[e]);
    for (int e = 0; e < J() * m() * n(); ++e) keep(w.G[sz(e)], G[e]);
    for (int e = 0; e < J() * m(); ++e) this->template divide<P>(part, w.G.data() + e * n(), w.A.data() + e * n());
    if (m() == 0) return;
    for (int j = 1; j < J(); ++j) {
      P fresh[N > 0 ? N : most_coordinates];
      pull(slopes(w, j, m() * n()), w.lambda.data() + j * m(), fresh);
      for (int a = 0; a < n(); ++a) keep(w.c[sz(j * n() + a)], fresh[a]);
    }
  }

  // The nodes inside.
  template <class P>
  void find_inside(Work<P>& w, int part, const Step& step) {
    const SmallTables<T>& tab = *tables_;
    const P h = view<P>(&step.h, part)[0], hh = h * h;
    const auto a = view<P>(a_.data(), part);
    const auto q = view<P>(step.state.q, part), v = view<P>(step.state.v, part);
    for (int i = tab.first; i < tab.last; ++i) {
      const P y = P(tab.inner_y[sz(i)]) * h;
      const auto out = view<P>(X_.data(), part) + i * n();
      for (int c = 0; c < n(); ++c) out[c] = y * v[c];
      for (int k = 0; k < tab.r; ++k) {
        const T share = tab.inner_P[sz(i * tab.r + k)];
        if (share == T(0)) continue;
        const P push = P(share) * hh;
        for (int c = 0; c < n(); ++c) out[c] += push * a[k * n() + c];
      }
      for (int j = 0; j < J(); ++j) {
        const P share = P(tab.inner_R[sz(i * J() + j)]) * hh;
        for (int c = 0; c < n(); ++c) out[c] -= share * w.c[sz(j * n() + c)];
      }
      for (int c = 0; c < n(); ++c) out[c] += q[c];
    }
  }

  // Where the step ends, for the force there.
  template <class P>
  void find_end(const Work<P>& w, int part, const Step& step) {
    const P* D = displacement(w);
    for (int a = 0; a < n(); ++a) view<P>(X_.data(), part)[a] = view<P>(step.state.q, part)[a] + D[a];
  }

  template <class P>
  void finish(Work<P>& w, int part, const Step& step, P& count) {
    const SmallTables<T>& tab = *tables_;
    const int r = tab.r, last = rows() - 1;
    const auto all_a = view<P>(a_.data(), part);
    if (moving() && tab.ends) this->template divide<P>(part, view<P>(f_.data(), part), all_a + (r - 1) * n());
    const P h = view<P>(&step.h, part)[0];
    const auto steady = view<P>(steady_.data(), part), impulses = view<P>(impulses_.data(), part);
    for (int a = 0; a < n(); ++a) {
      P push(0);
      if (moving())
        for (int k = 0; k < r; ++k) push += P(tab.b[sz(k)]) * all_a[k * n() + a];
      else
        push = steady[a];
      push *= h;
      for (int j = 0; j < J(); ++j) push -= impulses[j] * w.c[sz(j * n() + a)];
      w.dv[sz(a)] = push;
    }
    if (m() > 0) project(w, part, step);
    const auto q = view<P>(step.state.q, part), p = view<P>(step.state.p, part);
    const auto q_low = view<P>(step.state.q_low, part), p_low = view<P>(step.state.p_low, part);
    const P* D = displacement(w);
    for (int a = 0; a < n(); ++a) add_compensated(q[a], q_low[a], D[a]);
    product(view<P>(mass_.data(), part), w.dv.data(), w.x.data());
    for (int a = 0; a < n(); ++a) add_compensated(p[a], p_low[a], w.x[sz(a)]);
    const auto v = view<P>(step.state.v, part);
    this->template divide<P>(part, p, v);
    P sum = q[0] + v[0];
    for (int a = 1; a < n(); ++a) sum += q[a] + v[a];
    w.lost = w.lost || !equal(sum - sum, P(0));  // or it would not be finite
    if constexpr (!std::is_same_v<S, Lanes>)
      for (int a = 0; J() > 0 && a < n(); ++a) this->first_pull_[sz(a)] = w.c[sz(a)];
    guess_.keep(part, count, w.lambda.data(), w.c.data(), all_a + tab.first * n());
    const auto A = view<P>(step.node.A.data(), part);
    for (int e = 0; e < m() * n(); ++e) A[e] = w.A[sz(last * m() * n() + e)];
    if (moving() && tab.ends)
      for (int a = 0; a < n(); ++a) view<P>(step.node.a.data(), part)[a] = all_a[(r - 1) * n() + a];
  }

 private:
  template <class P>
  const P* displacement(const Work<P>& w) const {
    return m() > 0 ? w.D.data() + (rows() - 1) * n() : w.base.data();
  }

  // dv -= M^-1 G^T nu with G (v + dv) + g_t = 0 at the end.
  template <class P>
  void project(Work<P>& w, int part, const Step& step) {
    const int width = m() + 1;
    const P* G = w.G.data() + (J() - 1) * m() * n();
    const P* A = w.A.data() + (J() - 1) * m() * n();
    const auto v = view<P>(step.state.v, part);
    const P inverse_end = view<P>(&inverse_end_, part)[0];
    for (int a = 0; a < n(); ++a) w.x[sz(a)] = v[a] + w.dv[sz(a)];
    for (int e = 0; e < m(); ++e) {
      P* row = w.schur.data() + e * width;
      for (int f = 0; f < m(); ++f) row[f] = dot(G + e * n(), A + f * n());
      row[m()] = dot(G + e * n(), w.x.data());
      if (timed()) row[m()] += w.g_t[sz((J() - 1) * m() + e)];
    }
    this->template eliminate<P>(w.schur.data(), m(), width);
    const auto end = view<P>(guess_.end(), part);
    for (int e = 0; e < m(); ++e) {
      w.rhs[sz(e)] = w.schur[sz(e * width + m())];
      end[e] = w.rhs[sz(e)] * inverse_end;
    }
    pull(A, w.rhs.data(), w.x.data());
    for (int a = 0; a < n(); ++a) {
      w.dv[sz(a)] -= w.x[sz(a)];
      if (J() >= guess_.high_order) end[m() + a] = w.x[sz(a)] * inverse_end;
    }
  }
};

}  // namespace extremal
