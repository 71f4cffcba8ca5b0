// SmallNewton: an iteration of a small step (small/step.hpp) for one part of the lanes.
#pragma once

#include <cmath>

#include "small/data.hpp"

namespace extremal {

// |x| without a branch: the sign of what is at round-off cannot be predicted.
template <class S>
S size_of(const S& x) {
  if constexpr (std::is_same_v<S, double>)
    return std::fabs(x);
  else
    return math::abs(x);
}

template <class S, int N, int M, int K>
class SmallNewton : public SmallData<S, N, M, K> {
  using Data = SmallData<S, N, M, K>;
  using T = Shared<S>;

 protected:
  using typename Data::Seen;
  using typename Data::Step;
  template <class P>
  using Work = typename Data::template Work<P>;
  using Data::n, Data::m, Data::J, Data::rows, Data::inner, Data::moving, Data::pull, Data::dot, Data::divide,
      Data::slopes, Data::most_coordinates, Data::exact_, Data::tables_, Data::a_, Data::X_, Data::f_, Data::y_,
      Data::pushes_, Data::pulls_, Data::steady_, Data::trace_;

  using Data::Data;

  // The iteration of number k. Leaves w.done set where it was the last one.
  template <class P>
  void iterate(Work<P>& w, int part, const Step& step, int k, Seen& seen, S* residual) {
    P worst(0);
    if (inner() > 0) {
      worst = inner_forces(w, part, step);
      find_base(w, part, step);
    }
    if (k == 0) find_scales(w, part, step);
    // What is not a number in g would be lost in the maximum, and is nowhere else; from the rest it gets into the
    // state.
    P gap(0), sum(0);
    for (int i = 0; i < J(); ++i)
      for (int e = 0; e < m(); ++e) {
        const P g = size_of(w.g[sz(i * m() + e)]);
        gap = larger(g, gap);
        worst = larger(g * w.scale[sz(e)], worst);
        if (J() * m() > 1) sum += g;
      }
    if (m() > 0 && (J() > 1 || inner() > 0)) worst = larger(worst, stage_residual(w, part));
    if (J() * m() > 1) worst += P(0) * sum;
    view<P>(residual, part)[0] = gap;
    // In units of round-off. What is at round-off may be so on the same side in every step: if Newton's method is not
    // known to have left much less than that, there is one correction more.
    typename MaskFor<P>::type last(false);
    if (k > 0) {
      last = !w.done && less_or_equal(worst, P(T(2)));
      if (exact_ && std::is_same_v<T, double>)
        w.done = w.done || (last && less(w.before * w.before, P(T(0.05) / Scalar<T>::epsilon)));
      w.going = !all(w.done);
      if (!w.going) return;
      last = last || (!w.done && less(P(T(0.25)) * w.before, worst) && less(worst, P(T(256))));
      // Where it falls slowly, from far away, it may be on its way to another root: the step is given up, and the
      // other lanes go on without it.
      w.lost = w.lost || (!w.done && !last && !less(worst, P(T(0.1)) * w.before));
      w.done = w.done || w.lost;
      w.mixed = are_mixed(w, part, step);
    }
    w.before = worst;
    if (m() > 0) correct(w, part);
    if (k > 0) {
      w.done = w.done || last;
      w.mixed = are_mixed(w, part, step);
      w.going = !all(w.done);
    }
    place(w, part, step, seen);
  }

  template <class P>
  void place(const Work<P>& w, int part, const Step& step, Seen& seen) const {
    if (m() == 0) return;
    const auto Q = view<P>(seen.Q.data(), part);
    const auto q = view<P>(step.state.q, part);
    for (int i = 0; i < J(); ++i)
      for (int a = 0; a < n(); ++a) Q[i * n() + a] = q[a] + w.D[sz(i * n() + a)];
  }

  // base_i = h y_i v + h^2 sum_k P_ik a_k.
  template <class P>
  void find_base(Work<P>& w, int part, const Step& step) const {
    const int I = rows(), r = tables_->r;
    const auto v = view<P>(step.state.v, part);
    const auto y = view<P>(y_.data(), part), pushes = view<P>(pushes_.data(), part),
               steady = view<P>(steady_.data(), part);
    const P h = view<P>(&step.h, part)[0], hh = h * h;
    for (int i = 0; i < I; ++i) {
      P* out = w.base.data() + i * n();
      if (!moving()) {
        for (int a = 0; a < n(); ++a) out[a] = y[i] * v[a] + pushes[i] * steady[a];
        continue;
      }
      for (int a = 0; a < n(); ++a) out[a] = y[i] * v[a];
      for (int k = 0; k < r; ++k) {
        const T share = tables_->P[sz(i * r + k)];
        if (share == T(0)) continue;
        const P push = P(share) * hh;
        for (int a = 0; a < n(); ++a) out[a] += push * view<P>(a_.data(), part)[k * n() + a];
      }
    }
  }

  template <class P>
  void displace(const Work<P>& w, int part, int i, P* out) const {
    const auto pulls = view<P>(pulls_.data(), part);
    for (int a = 0; a < n(); ++a) out[a] = w.base[sz(i * n() + a)];
    for (int j = 0; j < J(); ++j)
      for (int a = 0; a < n(); ++a) out[a] -= pulls[i * J() + j] * w.c[sz(j * n() + a)];
  }

  // Elimination in the natural order of the leading rows x rows part of a, which has `width` columns: Gauss-Jordan.
  template <class P>
  static void eliminate(P* a, int rows, int width) {
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

 private:
  template <class P>
  static bool are_mixed(const Work<P>& w, int part, const Step& step) {
    return std::is_same_v<S, Lanes> && any(w.done && !part_of<P>(step.idle, part));
  }

  // The forces inside from those before; returns how far they move the nodes, in units of round-off.
  template <class P>
  P inner_forces(Work<P>& w, int part, const Step& step) {
    const SmallTables<T>& tab = *tables_;
    const P h = view<P>(&step.h, part)[0], hh = h * h;
    P most(0), size(0);
    const auto X = view<P>(X_.data(), part) + tab.first * n(), f = view<P>(f_.data(), part);
    const auto old = view<P>(a_.data(), part) + tab.first * n();
    for (int i = 0; i < inner(); ++i) {
      P fresh[N > 0 ? N : most_coordinates];
      this->template divide<P>(part, f + i * n(), fresh);
      for (int c = 0; c < n(); ++c) {
        size = larger(size, size_of(X[i * n() + c]));
        most = larger(most, size_of(fresh[c] - old[i * n() + c]));
        old[i * n() + c] = select(w.done, old[i * n() + c], fresh[c]);
      }
    }
    // The tables sum up to at most one half.
    return most * hh * P(T(0.5)) / (P(Scalar<T>::epsilon) * larger(size, P(tiny)));
  }

  template <class P>
  void find_scales(Work<P>& w, int part, const Step& step) const {
    const int last = J() - 1;
    const auto q = view<P>(step.state.q, part);
    for (int e = 0; e < m(); ++e) {
      const P* G = w.G.data() + (last * m() + e) * n();
      P sum(tiny);
      for (int a = 0; a < n(); ++a) sum += size_of(G[a]) * (size_of(q[a]) + size_of(w.D[sz(last * n() + a)]));
      w.scale[sz(e)] = P(T(1) / Scalar<T>::epsilon) / sum;
    }
    if (J() == 1 && inner() == 0) return;
    P size(tiny);
    for (int a = 0; m() > 0 && a < n(); ++a) size = larger(size, size_of(q[a]) + size_of(w.D[sz(last * n() + a)]));
    w.unit = P(T(1) / Scalar<T>::epsilon) / size;
  }

  template <class P>
  P stage_residual(Work<P>& w, int part) const {
    P most(0);
    for (int i = 0; i < J(); ++i) {
      P* out = w.R.data() + i * n();
      displace(w, part, i, out);
      for (int a = 0; a < n(); ++a) {
        out[a] -= w.D[sz(i * n() + a)];
        most = larger(most, size_of(out[a]));
      }
    }
    return most * w.unit;
  }

  // Newton's correction of w.lambda and w.D. With the stages' part C dD + h^2 R M^-1 G^T dlambda = -residual solved for
  // dD, G dD = -g is a system for dlambda.
  template <class P>
  void correct(Work<P>& w, int part) const {
    const int I = J(), inside = I - 1, width = inside + I + n(), size = I * m();
    const bool stages = I > 1 || inner() > 0;
    const auto pulls = view<P>(pulls_.data(), part), trace = view<P>(trace_.data(), part);
    for (int l = 0; l < inside; ++l) {
      P sum = w.lambda[sz((l + 1) * m())] * trace[0];
      for (int e = 1; e < m(); ++e) sum += w.lambda[sz((l + 1) * m() + e)] * trace[e];
      w.kappa[sz(l)] = sum;
    }
    for (int i = 0; i < I; ++i) {
      P* row = w.stage.data() + i * width;
      for (int l = 0; l < inside; ++l) {
        row[l] = pulls[i * I + l + 1] * w.kappa[sz(l)];
        if (l == i) row[l] += P(1);
      }
      for (int j = 0; j < I; ++j) row[inside + j] = pulls[i * I + j];
      for (int a = 0; stages && a < n(); ++a) row[inside + I + a] = w.R[sz(i * n() + a)];
    }
    eliminate<P>(w.stage.data(), inside, width);
    P* bottom = w.stage.data() + inside * width;
    for (int l = 0; l < inside; ++l)
      for (int k = inside; k < width; ++k) bottom[k] -= bottom[l] * w.stage[sz(l * width + k)];

    for (int i = 0; i < I; ++i) {
      const P* stage = w.stage.data() + i * width + inside;
      for (int e = 0; e < m(); ++e) {
        const P* G = w.G.data() + (i * m() + e) * n();
        P* row = w.schur.data() + (i * m() + e) * (size + 1);
        for (int j = 0; j < I; ++j)
          for (int f = 0; f < m(); ++f) row[j * m() + f] = stage[j] * dot(G, slopes(w, j, m() * n()) + f * n());
        row[size] = w.g[sz(i * m() + e)];
        if (stages) row[size] += dot(G, stage + I);
      }
    }
    eliminate<P>(w.schur.data(), size, size + 1);
    for (int k = 0; k < size; ++k) w.rhs[sz(k)] = w.schur[sz(k * (size + 1) + size)];
    for (int j = 0; j < I; ++j) pull(slopes(w, j, m() * n()), w.rhs.data() + j * m(), w.x.data() + j * n());
    const auto apply = [&](P& x, const P& change) { x = w.mixed ? select(w.done, x, x + change) : x + change; };
    for (int j = 0; j < I; ++j)
      for (int a = 0; a < n(); ++a) apply(w.c[sz(j * n() + a)], w.x[sz(j * n() + a)]);
    for (int i = 0; i < I; ++i) {
      const P* stage = w.stage.data() + i * width + inside;
      for (int a = 0; a < n(); ++a) {
        P change = stages ? stage[I + a] - stage[0] * w.x[sz(a)] : -(stage[0] * w.x[sz(a)]);
        for (int j = 1; j < I; ++j) change -= stage[j] * w.x[sz(j * n() + a)];
        apply(w.D[sz(i * n() + a)], change);
        if (i < inside) apply(w.c[sz((i + 1) * n() + a)], w.kappa[sz(i)] * change);
      }
    }
    for (int k = 0; k < size; ++k) apply(w.lambda[sz(k)], w.rhs[sz(k)]);
  }

  static constexpr T tiny = T(1e-300);  // so that nothing is divided by zero
};

}  // namespace extremal
