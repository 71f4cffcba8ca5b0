// An iteration of a small step (small/step.hpp) for one part of the lanes: functions of what the step is made of, `d`
// (SmallData), and of what the part computes with, `w` (SmallData::Work). They are inline for the compiler's sense of
// what is small.
#pragma once

#include <cmath>

#include "small/data.hpp"

namespace extremal::small {

// |x| without a branch: the sign of what is at round-off cannot be predicted.
template <class S>
inline S size_of(const S& x) {
  if constexpr (std::is_same_v<S, double>)
    return std::fabs(x);
  else
    return math::abs(x);
}

constexpr double tiny = 1e-300;  // so that nothing is divided by zero

// x <- fresh, but where a lane is done while others are not: it keeps what it has. A single motion that is done is
// computed no further, and asks no such question.
template <class W, class P>
inline void renew(const W& w, P& x, const P& fresh) {
  if constexpr (std::is_same_v<typename MaskFor<P>::type, bool>)
    x = fresh;
  else
    x = w.mixed ? select(w.done, x, fresh) : fresh;
}

// When Newton's method ends; residuals are in units of round-off. One at_floor is round-off. What is left behind by it
// is known where the matrix is exact: the square of the residual before, if that is less than left_over. One that is
// not falling may come to rest higher up, below small_at_rest. One that falls slowly may be on its way to another root.
constexpr double at_floor = 2, left_over = 0.05, not_falling = 0.25, small_at_rest = 256, slowly = 0.1;

template <class Data, class W>
inline void place(const Data& d, const W& w, int part, const typename Data::Step& step, typename Data::Seen& seen) {
  using P = typename W::Part;
  const int n = d.n(), m = d.m(), J = d.J();
  if (m == 0) return;
  const auto Q = view<P>(seen.Q.data(), part);
  const auto q = view<P>(step.state.q, part);
  for (int i = 0; i < J; ++i)
    for (int a = 0; a < n; ++a) Q[i * n + a] = q[a] + w.D[sz(i * n + a)];
}

// base_i = h y_i v + h^2 sum_k P_ik a_k.
template <class Data, class W>
inline void find_base(const Data& d, W& w, int part, const typename Data::Step& step) {
  using P = typename W::Part;
  using T = typename Data::T;
  const int n = d.n();
  const int I = d.rows(), r = d.tables->r;
  const auto v = view<P>(step.state.v, part);
  const auto y = view<P>(d.y.data(), part), pushes = view<P>(d.pushes.data(), part),
             steady = view<P>(d.steady.data(), part);
  const P h = view<P>(&step.h, part)[0], hh = h * h;
  for (int i = 0; i < I; ++i) {
    P* out = w.base.data() + i * n;
    if (!d.moving()) {
      for (int a = 0; a < n; ++a) out[a] = y[i] * v[a] + pushes[i] * steady[a];
      continue;
    }
    for (int a = 0; a < n; ++a) out[a] = y[i] * v[a];
    for (int k = 0; k < r; ++k) {
      const T share = d.tables->P[sz(i * r + k)];
      if (share == T(0)) continue;
      const P push = P(share) * hh;
      for (int a = 0; a < n; ++a) out[a] += push * view<P>(d.a.data(), part)[k * n + a];
    }
  }
}

template <class Data, class W>
inline void displace(const Data& d, const W& w, int part, int i, typename W::Part* out) {
  using P = typename W::Part;
  const int n = d.n(), J = d.J();
  const auto pulls = view<P>(d.pulls.data(), part);
  for (int a = 0; a < n; ++a) out[a] = w.base[sz(i * n + a)];
  for (int j = 0; j < J; ++j)
    for (int a = 0; a < n; ++a) out[a] -= pulls[i * J + j] * w.c[sz(j * n + a)];
}

// Elimination in the natural order of the leading rows x rows part of a, which has `width` columns: Gauss-Jordan.
template <class P>
inline void eliminate(P* a, int rows, int width) {
  for (int p = 0; p < rows; ++p) {
    P* top = a + p * width;
    const P inverse = P(1) / top[p];
    for (int k = p + 1; k < width; ++k) top[k] *= inverse;
    for (int i = 0; i < rows; ++i) {
      if (i == p) continue;
      P* row = a + i * width;
      const P f = row[p];
      for (int k = p + 1; k < width; ++k) row[k] -= f * top[k];
    }
  }
}

template <class W, class Step>
inline bool are_mixed(const W& w, int part, const Step& step) {
  return std::is_same_v<typename Step::Scalar, Lanes> && any(w.done && !part_of<typename W::Part>(step.idle, part));
}

// The forces inside from those before; returns how far they move the nodes, in units of round-off.
template <class Data, class W>
inline typename W::Part inner_forces(Data& d, W& w, int part, const typename Data::Step& step) {
  using P = typename W::Part;
  using T = typename Data::T;
  const int n = d.n();
  const SmallTables<T>& tab = *d.tables;
  const P h = view<P>(&step.h, part)[0], hh = h * h;
  P most(0), size(0);
  const auto X = view<P>(d.X.data(), part) + tab.first * n, f = view<P>(d.f.data(), part);
  const auto old = view<P>(d.a.data(), part) + tab.first * n;
  for (int i = 0; i < d.inner(); ++i) {
    P fresh[Data::most];
    d.template divide<P>(part, f + i * n, fresh);
    for (int c = 0; c < n; ++c) {
      size = larger(size, size_of(X[i * n + c]));
      most = larger(most, size_of(fresh[c] - old[i * n + c]));
      old[i * n + c] = select(w.done, old[i * n + c], fresh[c]);
    }
  }
  // The tables sum up to at most one half.
  return most * hh * P(T(0.5)) / (P(Scalar<T>::epsilon) * larger(size, P(T(tiny))));
}

template <class Data, class W>
inline void find_scales(const Data& d, W& w, int part, const typename Data::Step& step) {
  using P = typename W::Part;
  using T = typename Data::T;
  const int n = d.n(), m = d.m(), J = d.J();
  const int last = J - 1;
  const auto q = view<P>(step.state.q, part);
  for (int e = 0; e < m; ++e) {
    const P* G = w.G.data() + (last * m + e) * n;
    P sum{T(tiny)};
    for (int a = 0; a < n; ++a) sum += size_of(G[a]) * (size_of(q[a]) + size_of(w.D[sz(last * n + a)]));
    w.scale[sz(e)] = P(T(1) / Scalar<T>::epsilon) / sum;
  }
  if (J == 1 && d.inner() == 0) return;
  P size{T(tiny)};
  for (int a = 0; m > 0 && a < n; ++a) size = larger(size, size_of(q[a]) + size_of(w.D[sz(last * n + a)]));
  w.unit = P(T(1) / Scalar<T>::epsilon) / size;
}

template <class Data, class W>
inline typename W::Part stage_residual(const Data& d, W& w, int part) {
  using P = typename W::Part;
  const int n = d.n(), J = d.J();
  P most(0);
  for (int i = 0; i < J; ++i) {
    P* out = w.R.data() + i * n;
    displace(d, w, part, i, out);
    for (int a = 0; a < n; ++a) {
      out[a] -= w.D[sz(i * n + a)];
      most = larger(most, size_of(out[a]));
    }
  }
  return most * w.unit;
}

// Newton's correction of w.lambda and w.D. With the stages' part C dD + h^2 R M^-1 G^T dlambda = -residual solved for
// dD, G dD = -g is a system for dlambda.
template <class Data, class W>
inline void correct(const Data& d, W& w, int part) {
  using P = typename W::Part;
  const int n = d.n(), m = d.m(), J = d.J();
  const int I = J, inside = I - 1, width = inside + I + n, size = I * m;
  const bool stages = I > 1 || d.inner() > 0;
  const auto pulls = view<P>(d.pulls.data(), part), trace = view<P>(d.trace.data(), part);
  for (int l = 0; l < inside; ++l) {
    P sum = w.lambda[sz((l + 1) * m)] * trace[0];
    for (int e = 1; e < m; ++e) sum += w.lambda[sz((l + 1) * m + e)] * trace[e];
    w.kappa[sz(l)] = sum;
  }
  for (int i = 0; i < I; ++i) {
    P* row = w.stage.data() + i * width;
    for (int l = 0; l < inside; ++l) {
      row[l] = pulls[i * I + l + 1] * w.kappa[sz(l)];
      if (l == i) row[l] += P(1);
    }
    for (int j = 0; j < I; ++j) row[inside + j] = pulls[i * I + j];
    for (int a = 0; stages && a < n; ++a) row[inside + I + a] = w.R[sz(i * n + a)];
  }
  eliminate(w.stage.data(), inside, width);
  P* bottom = w.stage.data() + inside * width;
  for (int l = 0; l < inside; ++l)
    for (int k = inside; k < width; ++k) bottom[k] -= bottom[l] * w.stage[sz(l * width + k)];

  for (int i = 0; i < I; ++i) {
    const P* stage = w.stage.data() + i * width + inside;
    for (int e = 0; e < m; ++e) {
      const P* G = w.G.data() + (i * m + e) * n;
      P* row = w.schur.data() + (i * m + e) * (size + 1);
      for (int j = 0; j < I; ++j)
        for (int f = 0; f < m; ++f) row[j * m + f] = stage[j] * d.dot(G, d.slopes(w, j, m * n) + f * n);
      row[size] = w.g[sz(i * m + e)];
      if (stages) row[size] += d.dot(G, stage + I);
    }
  }
  eliminate(w.schur.data(), size, size + 1);
  for (int k = 0; k < size; ++k) w.rhs[sz(k)] = w.schur[sz(k * (size + 1) + size)];
  for (int j = 0; j < I; ++j) d.pull(d.slopes(w, j, m * n), w.rhs.data() + j * m, w.x.data() + j * n);
  const auto apply = [&](P& x, const P& change) { renew(w, x, x + change); };
  for (int j = 0; j < I; ++j)
    for (int a = 0; a < n; ++a) apply(w.c[sz(j * n + a)], w.x[sz(j * n + a)]);
  for (int i = 0; i < I; ++i) {
    const P* stage = w.stage.data() + i * width + inside;
    for (int a = 0; a < n; ++a) {
      P change = stages ? stage[I + a] - stage[0] * w.x[sz(a)] : -(stage[0] * w.x[sz(a)]);
      for (int j = 1; j < I; ++j) change -= stage[j] * w.x[sz(j * n + a)];
      apply(w.D[sz(i * n + a)], change);
      if (i < inside) apply(w.c[sz((i + 1) * n + a)], w.kappa[sz(i)] * change);
    }
  }
  for (int k = 0; k < size; ++k) apply(w.lambda[sz(k)], w.rhs[sz(k)]);
}

// The iteration of number k. Leaves w.done set where it was the last one.
template <class Data, class W>
inline void iterate(Data& d, W& w, int part, const typename Data::Step& step, int k, typename Data::Seen& seen,
                    typename Data::Scalar* residual) {
  using P = typename W::Part;
  using T = typename Data::T;
  const int m = d.m(), J = d.J();
  P worst(0);
  if (d.inner() > 0) {
    worst = inner_forces(d, w, part, step);
    find_base(d, w, part, step);
  }
  if (k == 0) find_scales(d, w, part, step);
  // What is not a number in g would be lost in the maximum, and is nowhere else; from the rest it gets into the
  // state.
  P gap(0), sum(0);
  for (int i = 0; i < J; ++i)
    for (int e = 0; e < m; ++e) {
      const P g = size_of(w.g[sz(i * m + e)]);
      gap = larger(g, gap);
      worst = larger(g * w.scale[sz(e)], worst);
      if (J * m > 1) sum += g;
    }
  if (m > 0 && (J > 1 || d.inner() > 0)) worst = larger(worst, stage_residual(d, w, part));
  if (J * m > 1) worst += P(0) * sum;
  view<P>(residual, part)[0] = gap;
  // In units of round-off. What is at round-off may be so on the same side in every step: if Newton's method is not
  // known to have left much less than that, there is one correction more.
  typename MaskFor<P>::type last(false);
  if (k > 0) {
    last = !w.done && less_or_equal(worst, P(T(at_floor)));
    if (std::is_same_v<T, double>)
      w.done = w.done ||
               (last && part_of<P>(d.exact, part) && less(w.before * w.before, P(T(left_over) / Scalar<T>::epsilon)));
    w.going = !all(w.done);
    if (!w.going) return;
    last = last || (!w.done && less(P(T(not_falling)) * w.before, worst) && less(worst, P(T(small_at_rest))));
    // Where it falls slowly, from far away, the step is given up, and the other lanes go on without it.
    w.lost = w.lost || (!w.done && !last && !less(worst, P(T(slowly)) * w.before));
    w.done = w.done || w.lost;
    w.mixed = are_mixed(w, part, step);
  }
  w.before = worst;
  if (m > 0) correct(d, w, part);
  if (k > 0) {
    w.done = w.done || last;
    w.mixed = are_mixed(w, part, step);
    w.going = !all(w.done);
  }
  place(d, w, part, step, seen);
}

}  // namespace extremal::small
