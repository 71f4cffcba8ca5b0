// The parts of a small step (small/step.hpp), for one part of the lanes. SmallStepOf, which evaluates the terms of all
// lanes at once, calls in turn
//   begin      the guess, and the nodes where constraints are wanted
//   absorb     these; then where forces inside the step are wanted
//   iterate    these; whether it is good enough, and Newton's correction (small/newton.hpp)
//   finish     the end of the step
#pragma once

#include "small/newton.hpp"

namespace extremal::small {

template <class Data, class W>
inline void begin(Data& d, W& w, int part, const typename Data::Step& step, typename Data::Seen& seen) {
  using P = typename W::Part;
  const int n = d.n(), m = d.m();
  const int I = d.rows();
  using Done = typename MaskFor<P>::type;
  w.done = Done(m == 0 && d.inner() == 0);
  if constexpr (std::is_same_v<typename Data::Scalar, Lanes>) w.done = w.done || part_of<P>(step.idle, part);
  w.lost = Done(false);
  w.going = !all(w.done);
  w.mixed = false;
  w.before = P(0);
  // Compilers do not see that there is an iteration.
  if constexpr (Data::plain) w.G.fill(P(0)), w.A.fill(P(0));
  const auto a = view<P>(d.a.data(), part);
  d.guess.make(part, w.lambda.data(), w.c.data(), a + d.tables->first * n);
  for (int e = 0; e < m * n; ++e) w.A0[sz(e)] = view<P>(step.node.A.data(), part)[e];
  if (m > 0) d.pull(w.A0.data(), w.lambda.data(), w.c.data());
  if (d.moving() && d.tables->starts)
    for (int i = 0; i < n; ++i) a[i] = view<P>(step.node.a.data(), part)[i];
  find_base(d, w, part, step);
  for (int i = 0; i < I; ++i) displace(d, w, part, i, w.D.data() + i * n);
  place(d, w, part, step, seen);
}

// Lanes that are done keep what they have: their last correction is not evaluated again.
template <class Data, class W>
inline void absorb(Data& d, W& w, int part, const typename Data::Seen& seen) {
  using P = typename W::Part;
  const int n = d.n(), m = d.m(), J = d.J();
  const auto keep = [&](P& x, const P& fresh) { renew(w, x, fresh); };
  const auto g = view<P>(seen.g.data(), part), g_t = view<P>(seen.g_t.data(), part), G = view<P>(seen.G.data(), part);
  for (int e = 0; e < J * m; ++e) w.g[sz(e)] = g[e];
  for (int e = 0; d.timed() && e < J * m; ++e) keep(w.g_t[sz(e)], g_t[e]);
  for (int e = 0; e < J * m * n; ++e) keep(w.G[sz(e)], G[e]);
  for (int e = 0; e < J * m; ++e) d.template divide<P>(part, w.G.data() + e * n, w.A.data() + e * n);
  if (m == 0) return;
  for (int j = 1; j < J; ++j) {
    P fresh[Data::most];
    d.pull(d.slopes(w, j, m * n), w.lambda.data() + j * m, fresh);
    for (int a = 0; a < n; ++a) keep(w.c[sz(j * n + a)], fresh[a]);
  }
}

// The nodes inside.
template <class Data, class W>
inline void find_inside(Data& d, W& w, int part, const typename Data::Step& step) {
  using P = typename W::Part;
  using T = typename Data::T;
  const int n = d.n(), J = d.J();
  const SmallTables<T>& tab = *d.tables;
  const P h = view<P>(&step.h, part)[0], hh = h * h;
  const auto a = view<P>(d.a.data(), part);
  const auto q = view<P>(step.state.q, part), v = view<P>(step.state.v, part);
  for (int i = tab.first; i < tab.last; ++i) {
    const P y = P(tab.inner_y[sz(i)]) * h;
    const auto out = view<P>(d.X.data(), part) + i * n;
    for (int c = 0; c < n; ++c) out[c] = y * v[c];
    for (int k = 0; k < tab.r; ++k) {
      const T share = tab.inner_P[sz(i * tab.r + k)];
      if (share == T(0)) continue;
      const P push = P(share) * hh;
      for (int c = 0; c < n; ++c) out[c] += push * a[k * n + c];
    }
    for (int j = 0; j < J; ++j) {
      const P share = P(tab.inner_R[sz(i * J + j)]) * hh;
      for (int c = 0; c < n; ++c) out[c] -= share * w.c[sz(j * n + c)];
    }
    for (int c = 0; c < n; ++c) out[c] += q[c];
  }
}

template <class Data, class W>
inline const typename W::Part* displacement(const Data& d, const W& w) {
  const int n = d.n(), m = d.m();
  return m > 0 ? w.D.data() + (d.rows() - 1) * n : w.base.data();
}

// Where the step ends, for the force there.
template <class Data, class W>
inline void find_end(Data& d, const W& w, int part, const typename Data::Step& step) {
  using P = typename W::Part;
  const int n = d.n();
  const P* D = displacement(d, w);
  for (int a = 0; a < n; ++a) view<P>(d.X.data(), part)[a] = view<P>(step.state.q, part)[a] + D[a];
}

// dv -= M^-1 G^T nu with G (v + dv) + g_t = 0 at the end.
template <class Data, class W>
inline void project(Data& d, W& w, int part, const typename Data::Step& step) {
  using P = typename W::Part;
  const int n = d.n(), m = d.m(), J = d.J();
  const int width = m + 1;
  const P* G = w.G.data() + (J - 1) * m * n;
  const P* A = w.A.data() + (J - 1) * m * n;
  const auto v = view<P>(step.state.v, part);
  const P inverse_end = view<P>(&d.inverse_end, part)[0];
  for (int a = 0; a < n; ++a) w.x[sz(a)] = v[a] + w.dv[sz(a)];
  for (int e = 0; e < m; ++e) {
    P* row = w.schur.data() + e * width;
    for (int f = 0; f < m; ++f) row[f] = d.dot(G + e * n, A + f * n);
    row[m] = d.dot(G + e * n, w.x.data());
    if (d.timed()) row[m] += w.g_t[sz((J - 1) * m + e)];
  }
  eliminate(w.schur.data(), m, width);
  const auto end = view<P>(d.guess.end(), part);
  for (int e = 0; e < m; ++e) {
    w.rhs[sz(e)] = w.schur[sz(e * width + m)];
    end[e] = w.rhs[sz(e)] * inverse_end;
  }
  d.pull(A, w.rhs.data(), w.x.data());
  for (int a = 0; a < n; ++a) {
    w.dv[sz(a)] -= w.x[sz(a)];
    if (J >= d.guess.high_order) end[m + a] = w.x[sz(a)] * inverse_end;
  }
}

template <class Data, class W>
inline void finish(Data& d, W& w, int part, const typename Data::Step& step, typename W::Part& count) {
  using P = typename W::Part;
  using T = typename Data::T;
  const int n = d.n(), m = d.m(), J = d.J();
  const SmallTables<T>& tab = *d.tables;
  const int r = tab.r, last = d.rows() - 1;
  const auto all_a = view<P>(d.a.data(), part);
  if (d.moving() && tab.ends) d.template divide<P>(part, view<P>(d.f.data(), part), all_a + (r - 1) * n);
  const P h = view<P>(&step.h, part)[0];
  const auto steady = view<P>(d.steady.data(), part), impulses = view<P>(d.impulses.data(), part);
  for (int a = 0; a < n; ++a) {
    P push(0);
    if (d.moving())
      for (int k = 0; k < r; ++k) push += P(tab.b[sz(k)]) * all_a[k * n + a];
    else
      push = steady[a];
    push *= h;
    for (int j = 0; j < J; ++j) push -= impulses[j] * w.c[sz(j * n + a)];
    w.dv[sz(a)] = push;
  }
  if (m > 0) project(d, w, part, step);
  const auto q = view<P>(step.state.q, part), p = view<P>(step.state.p, part);
  const auto q_low = view<P>(step.state.q_low, part), p_low = view<P>(step.state.p_low, part);
  const P* D = displacement(d, w);
  for (int a = 0; a < n; ++a) add_compensated(q[a], q_low[a], D[a]);
  d.product(view<P>(d.mass.data(), part), w.dv.data(), w.x.data());
  for (int a = 0; a < n; ++a) add_compensated(p[a], p_low[a], w.x[sz(a)]);
  const auto v = view<P>(step.state.v, part);
  d.template divide<P>(part, p, v);
  P sum = q[0] + v[0];
  for (int a = 1; a < n; ++a) sum += q[a] + v[a];
  w.lost = w.lost || !equal(sum - sum, P(0));  // or it would not be finite
  if constexpr (!std::is_same_v<typename Data::Scalar, Lanes>)
    for (int a = 0; J > 0 && a < n; ++a) d.first_pull[sz(a)] = w.c[sz(a)];
  d.guess.keep(part, count, w.lambda.data(), w.c.data(), all_a + tab.first * n);
  const auto A = view<P>(step.node.A.data(), part);
  for (int e = 0; e < m * n; ++e) A[e] = w.A[sz(last * m * n + e)];
  if (d.moving() && tab.ends)
    for (int a = 0; a < n; ++a) view<P>(step.node.a.data(), part)[a] = all_a[(r - 1) * n + a];
}

}  // namespace extremal::small
