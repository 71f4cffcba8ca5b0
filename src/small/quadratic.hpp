// SmallQuadratic: the constraint of a small system where there is one, a sum of squares about a centre:
//   g(q) = level + sum_i half_i r_i^2,   r = q - centre.
// Rods to the ground and ellipses along the axes: what most points on a curve are held by. Nothing is expanded, so that
// no digits are lost far from the origin.
#pragma once

#include <array>
#include <vector>

#include "numbers/index.hpp"
#include "small/terms.hpp"

namespace extremal {

template <class S, int N>
struct SmallQuadratic {
  Mask<S> known{false};  // it is of this kind
  bool shifted = false;  // not all centres are the origin
  std::array<S, sz(N)> half, centre;
  S level{0};
  // Of r_i in G, in M^-1 G^T, and of r_i^2 in G M^-1 G^T.
  std::array<S, sz(N)> bend, tilt, weight;

  // `inverse` is M^-1, diagonal.
  template <class Inverse>
  SmallQuadratic(SmallTerms<S>& terms, const Inverse& inverse) {
    for (auto* x : {&half, &centre, &bend, &tilt, &weight}) x->fill(S(0));
    if (terms.m() != 1 || terms.timed() || !terms.quadratic()) return;
    const S t(0);
    S g_t;
    std::array<S, sz(N)> G;
    const std::vector<S> second = terms.hessian(0);
    const auto evaluate = [&] { terms.constraints(1, centre.data(), &t, &level, G.data(), &g_t); };
    // Twice: the first time, from far away, slopes are rounded.
    for (int k = 0; k < 2; ++k) {
      evaluate();
      for (int i = 0; i < N; ++i) {
        const S& curved = second[sz(i * (N + 1))];
        centre[sz(i)] -= select(equal(G[sz(i)], S(0)), S(0), G[sz(i)] / curved);
      }
    }
    evaluate();
    known = math::finite(level);
    for (int i = 0; i < N; ++i) {
      bend[sz(i)] = second[sz(i * (N + 1))];
      half[sz(i)] = S(0.5) * bend[sz(i)];
      tilt[sz(i)] = inverse[sz(i * (N + 1))] * bend[sz(i)];
      weight[sz(i)] = bend[sz(i)] * tilt[sz(i)];
      known = known && equal(G[sz(i)], S(0));
      shifted = shifted || !all(equal(centre[sz(i)], S(0)));
      for (int j = 0; j < N; ++j) known = known && (Mask<S>(i == j) || equal(second[sz(i * N + j)], S(0)));
    }
  }
};

}  // namespace extremal
