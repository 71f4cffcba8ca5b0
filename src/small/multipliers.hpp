// The multipliers of the acceleration of a small system [Wenger2017, eq. 70], whose mass is constant:
//   (G M^-1 G^T) lambda = G M^-1 L_q + g'',   g'' = g_qq(v, v) + 2 g_qt v + g_tt.
// For one motion and for lanes by the same operations, so that rows out of lanes have the bits of others.
#pragma once

#include <vector>

#include "numbers/index.hpp"
#include "small/step.hpp"
#include "system/evaluation.hpp"

namespace extremal {

template <class S>
class SmallMultipliers {
 public:
  SmallMultipliers(int n, int m) : g_(sz(m)), g_t_(g_), second_(g_), Lq_(sz(n)), Lv_(Lq_), push_(Lq_) {
    for (auto* x : {&G_, &A_}) x->resize(sz(m * n));
    matrix_.resize(sz(m * (m + 1)));
  }

  // Where the mask is false G M^-1 G^T has no inverse, or what is asked is not finite.
  Mask<S> find(Evaluation<S>& evaluation, const S* inverse_mass, const S& t, const S* q, const S* v, S* lambda) {
    const int n = evaluation.n(), m = evaluation.m();
    const Pattern& jacobian = evaluation.jacobian();
    slopes_.resize(sz(jacobian.size()));
    evaluation.constraints(1, q, &t, g_.data(), slopes_.data(), g_t_.data());
    evaluation.gradient(1, q, v, &t, nullptr, Lq_.data(), Lv_.data());
    evaluation.bend(q, &t, v, nullptr, second_.data());
    std::fill(G_.begin(), G_.end(), S(0));
    for_each(jacobian, [&](int e, int k, int i) { G_[sz(k * n + i)] = slopes_[sz(e)]; });
    const auto divide = [&](const S* x, S* out) {
      for (int i = 0; i < n; ++i) out[i] = dot(inverse_mass + i * n, x, n);
    };
    divide(Lq_.data(), push_.data());
    for (int k = 0; k < m; ++k) divide(&G_[sz(k * n)], &A_[sz(k * n)]);
    const int width = m + 1;
    for (int k = 0; k < m; ++k) {
      S* row = &matrix_[sz(k * width)];
      for (int l = 0; l < m; ++l) row[l] = dot(&G_[sz(k * n)], &A_[sz(l * n)], n);
      row[m] = dot(&G_[sz(k * n)], push_.data(), n) + second_[sz(k)];
    }
    return solve(m, lambda);
  }

 private:
  static S dot(const S* x, const S* y, int n) {
    S sum = x[0] * y[0];
    for (int i = 1; i < n; ++i) sum += x[i] * y[i];
    return sum;
  }
  // By elimination in the order of the rows: the matrix is positive definite where constraints are independent.
  Mask<S> solve(int m, S* lambda) {
    const int width = m + 1;
    Mask<S> fine(true);
    for (int p = 0; p < m; ++p) {
      S* pivot = &matrix_[sz(p * width)];
      if (p == 0)
        for (int k = 0; k < m; ++k) lambda[k] = matrix_[sz(k * width + k)];
      // Less is left of a row that nearly depends on those before it.
      fine = fine && less(S(Shared<S>(1e-10)) * lambda[p], pivot[p]);
      const S inverse = S(1) / pivot[p];
      for (int k = p + 1; k < m; ++k) {
        S* row = &matrix_[sz(k * width)];
        const S factor = row[p] * inverse;
        for (int l = p + 1; l < width; ++l) row[l] -= factor * pivot[l];
      }
    }
    for (int p = m - 1; p >= 0; --p) {
      const S* pivot = &matrix_[sz(p * width)];
      S sum = pivot[m];
      for (int l = p + 1; l < m; ++l) sum -= pivot[l] * lambda[l];
      lambda[p] = sum / pivot[p];
      fine = fine && math::finite(lambda[p]);
    }
    return fine;
  }

  std::vector<S> g_, g_t_, second_, Lq_, Lv_, push_, G_, A_, slopes_, matrix_;
};

}  // namespace extremal
